"""Operations on ranges, ranges of weights and combos, and ranges as players."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import (
    grid_name,
)
from gpuodds.games.shared.combos import COMBOS, combo_index
from gpuodds.spots.ranges.range import Range


def test_set_operations() -> None:
    a, b = Range("AA,KK:0.5"), Range("KK,QQ:0.25")
    assert a | b == Range("AA,KK,QQ:0.25")
    assert a & b == Range("KK:0.5")
    assert a - b == Range("AA")
    assert a - Range("AA:0.25") == Range("KK:0.5")  # removed, at any weight
    assert ~Range("random") == Range("AA:0") and ~~a == a
    assert a.without(parse_cards("As")).weight == a.without("As").weight == 3 + 3
    with pytest.raises(InputError, match="card number 52: expected 0 to 51"):
        a.without([52])
    assert (a.num_combos, a.percent) == (12, 100 * 9 / COMBOS)
    assert bool(a) and not Range("AA:0")


def test_a_range_is_immutable() -> None:
    found = Range("AA")
    with pytest.raises(ValueError, match="read-only"):
        found.weights[0] = 1
    with pytest.raises(AttributeError):
        found.weights = found.weights
    for again in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert again == found and not again.weights.flags.writeable


def test_weights_make_a_range() -> None:
    weights = np.zeros(COMBOS)
    weights[combo_index(*parse_cards("AsKh"))] = 0.5
    assert Range.of(weights) == Range("AsKh:0.5")
    with pytest.raises(InputError, match=r"shape \(1326,\)"):
        Range.of([1.0])
    with pytest.raises(InputError, match=r"expected 0 to 1, found 2\.0"):
        Range.of(np.full(COMBOS, 2.0))
    with pytest.raises(InputError, match="expected 0 to 1, found nan"):
        Range.of(np.full(COMBOS, np.nan))
    with pytest.raises(InputError, match="expected 1,326 numbers"):
        Range.of("AA")
    zero = Range.of(np.full(COMBOS, -0.0))
    assert zero == Range("0%") and hash(zero) == hash(Range("0%"))


def test_combos_make_a_range() -> None:
    assert Range.of_combos(["AsKh", (51, 47), [0, 1]]) == Range("AsKh,AsKs,2c2d")
    assert Range.of_combos(["AsKh"], 0.25) == Range("AsKh:0.25")
    for wrong in ("As", "AsKsQs", (51, 51), ()):
        with pytest.raises(InputError, match="a hand has two"):
            Range.of_combos([wrong])
    with pytest.raises(InputError, match=r"expected 0 to 1, found 2\.0"):
        Range.of_combos(["AsKh"], 2)


def test_the_grid_has_suited_hands_above_the_diagonal() -> None:
    grid = Range("AKs,QQ:0.5,72o").grid()
    assert grid[0, 1] == 1 and grid[1, 0] == 0 and grid[2, 2] == 0.5 and grid[12, 7] == 1
    assert grid_name(0, 1) == "AKs" and grid_name(12, 7) == "72o"
    assert "<table>" in Range("AA")._repr_html_()


def test_a_range_is_a_player() -> None:
    by_text = gpuodds.equity(["AA", "KK"])
    assert gpuodds.equity([Range("AA"), Range("KK")]).winners == by_text.winners
    assert gpuodds.equity(Range("AA"), opponents=1, board="2s7d9hTc").spot.players == 2


@pytest.mark.parametrize(
    ("text", "group", "is_integer"),
    [("QQ+,AKs", 24, True), ("AsKs", 6, True), ("AsKh:0.5,22", 2, False), ("AsAh,KdKc", 4, True)],
)
def test_what_a_range_knows_of_itself(text: str, group: int, is_integer: bool) -> None:
    facts = Range(text).facts
    assert len(facts.suit_group) == group and facts.is_integer is is_integer
    assert facts.total == Range(text).weight == pytest.approx(sum(Range(text).weights.tolist()))


@pytest.mark.parametrize("place", [{}, {"board": "2s7d9h"}, {"board": "2s7d9hTc"}, {"table": False}])
def test_a_weight_just_below_one_is_no_integer(place: dict[str, Any]) -> None:
    # The sum of the weights rounds to the number of combos.
    weights = Range("random").weights.copy()
    weights[Range("AA").weights > 0] = np.nextafter(1, 0)
    players: list[Any] = [Range.of(weights), "KK"]
    almost = gpuodds.equity(players, backend="cpu", **place)
    whole = gpuodds.equity(["random", "KK"], backend="cpu", **place)
    assert isinstance(almost.outcomes, float)
    assert almost.outcomes == pytest.approx(whole.outcomes)
    assert almost.players[0].equity == pytest.approx(whole.players[0].equity)
