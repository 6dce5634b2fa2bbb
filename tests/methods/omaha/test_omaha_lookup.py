"""Omaha before the flop from the shipped table: the counts that are computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import gpuodds
from gpuodds import Range
from gpuodds.methods.omaha.table import TableLookUp
from gpuodds.methods.options import Options
from gpuodds.spots.normal_form import unchanged
from gpuodds.spots.spot import Spot
from gpuodds.tables.shipped.omaha_preflop_random import OUTCOMES


def ask(hands: Any, **options: Any) -> Any:
    return gpuodds.equity(hands, game="omaha", **options)


def of(text: str) -> Range:
    return Range(text, game="omaha")


AGAINST_RANDOM: list[Any] = ["AsAhKsKh", of("random")]


def without_source(result: Any) -> dict[str, Any]:
    """Return an answer but for where it comes from."""
    return {k: v for k, v in result.to_dict().items() if k not in ("method", "seconds", "backend")}


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["AsAhKsKh", "Tc9d8h7s"])
def test_a_hand_has_the_counts_that_are_computed(hand: str) -> None:
    found, counted = ask(hand), ask(hand, table=False, backend="cpu")
    assert (found.method, counted.method) == ("table", "exact")
    assert without_source(found) == without_source(counted)


def test_a_range_is_the_sum_of_its_hands() -> None:
    table, some = gpuodds.table("omaha-preflop-random"), of("AAKK")
    player, (row,) = ask(some).players[0], table.lookup("AAKK")
    assert (player.win_outcomes, player.tie_outcomes) == (row["win"], (row["tie"],))
    assert player.outcomes == 36 * OUTCOMES and player.equity == row["equity"]
    several = ask(of("AsAhKsKh,Tc9d8h7s")).players[0]
    parts = [ask(hand).players[0] for hand in ("AsAhKsKh", "Tc9d8h7s")]
    assert several.win_outcomes == sum(part.win_outcomes for part in parts)
    everything = ask(of("random")).players[0]
    assert everything.equity_exact == Fraction(1, 2)
    assert everything.outcomes == 270_725 * OUTCOMES


def test_weights_count() -> None:
    player = ask(of("AsAhKsKh@50,Tc9d8h7s")).players[0]
    half, whole = (ask(hand).players[0] for hand in ("AsAhKsKh", "Tc9d8h7s"))
    assert player.outcomes == 1.5 * OUTCOMES
    assert player.win_outcomes == 0.5 * half.win_outcomes + whole.win_outcomes


def test_each_hand_of_a_range() -> None:
    (by_hand,) = ask(of("AAKK"), by_hand=True).by_hand
    assert len(by_hand) == 36 and [one.equity for one in by_hand] == sorted(
        (one.equity for one in by_hand), reverse=True
    )
    for one in (by_hand[0], by_hand[-1]):
        alone = ask(one.hand).players[0]
        assert (one.equity, one.win, one.tie) == (alone.equity, alone.win, alone.tie)


def test_a_random_hand_may_be_named() -> None:
    player = ask(of("AAKK")).players[0]
    for hands, place in ((["AAKK", "random"], 0), (["random", "AAKK"], 1)):
        found = ask([of(text) for text in hands])
        assert found.method == "table"
        hero, villain = found.players[place], found.players[1 - place]
        assert (hero.win_outcomes, hero.tie_outcomes) == (player.win_outcomes, player.tie_outcomes)
        assert hero.outcomes == villain.outcomes == player.outcomes
        assert hero.equity_exact + villain.equity_exact == 1
        letters = "AB" if place == 0 else "BA"
        assert found.winners[letters[0]] == hero.win_outcomes
        assert found.winners[letters[1]] == villain.win_outcomes
        assert found.winners["AB"] == hero.tie_outcomes[0]


@pytest.mark.parametrize(
    ("spot", "options", "reason"),
    [
        (Spot.of("AsAhKsKh", game="omaha"), Options(table=False), "tables may not answer"),
        (Spot.of("AsAhKsKh", game="omaha-hi-lo"), Options(), "no table of omaha-hi-lo ships"),
        (Spot.of("AsAhKsKh", dead="2c", game="omaha"), Options(), "boards or dead cards"),
        (Spot.of("AsAhKsKh", board="2c3c4c", game="omaha"), Options(), "boards or dead cards"),
        (Spot.of("AsAhKsKh", opponents=2, game="omaha"), Options(), "no shipped table has these"),
        (Spot.of(["AsAhKsKh", "QsQhJsJh"], game="omaha"), Options(), "no shipped table has these"),
        (Spot.of(AGAINST_RANDOM, game="omaha"), Options(by_hand=True), "each random hand"),
    ],
)
def test_spots_that_no_table_has(spot: Spot, options: Options, reason: str) -> None:
    assert reason in TableLookUp().why_not(unchanged(spot), options)


def test_an_explanation_names_the_table() -> None:
    explained = ask("AsAhKsKh", explain=True).explanation
    assert explained.methods[0].reason == "taken from the shipped table omaha-preflop-random"
