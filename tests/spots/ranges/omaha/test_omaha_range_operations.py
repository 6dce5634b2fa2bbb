"""Operations on ranges of Omaha, their rows, and ranges of hands and weights."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.errors import InputError
from gpuodds.games.omaha.combos import combo_cards, combo_numbers, renamed_cards
from gpuodds.spots.ranges.range import Range


def omaha(text: Any, **options: Any) -> Range:
    return Range(text, game="omaha", **options)


def test_lists_and_mappings_of_hands() -> None:
    assert omaha(["AsKhQd2c", (0, 1, 2, 3)]) == omaha("AsKhQd2c,2222")
    assert omaha({"AAKK": 0.5, "JT98": 1}) == omaha("AAKK@50,JT98")
    assert omaha({"AAKK": 0.137}).weights.max() == 0.137
    assert Range.of_combos(["AsKhQd2c"], 0.25, game="omaha") == omaha("AsKhQd2c@25")
    for wrong in ("AsKh", (1, 1, 2, 3), (1, 2, 3, 4, 5)):
        with pytest.raises(InputError, match="a hand of omaha has 4 different cards"):
            Range.of_combos([wrong], game="omaha")
    with pytest.raises(InputError, match=r"expected the shape \(270725,\), found \(1326,\)"):
        Range.of(np.zeros(1326), game="omaha")


def test_set_operations() -> None:
    a, b = omaha("AA@50,KK"), omaha("AAKK,QQ")
    assert np.array_equal((a | b).weights, np.maximum(a.weights, b.weights))
    assert np.array_equal((a & b).weights, np.minimum(a.weights, b.weights))
    assert np.array_equal((a - b).weights, np.where(b.weights > 0, 0, a.weights))
    assert ~omaha("AA") == omaha("*!AA") and ~~a == a
    assert a.without("As") == omaha("(AA!As)@50,KK!As")
    assert hash(omaha("AA")) == hash(omaha("AA**")) and omaha("AA") == omaha("AA**")
    assert pickle.loads(pickle.dumps(a)) == a and pickle.loads(pickle.dumps(a)).game is a.game
    assert Range(a) == a and Range(a, game="omaha") == a


def test_ranges_of_different_games_do_not_mix() -> None:
    for other in (Range("AA"), Range("AA", game="omaha8"), Range("AA", game="short-deck")):
        assert omaha("AA") != other
        for combine in (lambda a, b: a | b, lambda a, b: a & b, lambda a, b: a - b):
            with pytest.raises(InputError, match=f"omaha and {other.game.name}: ranges of different"):
                combine(omaha("AA"), other)
    with pytest.raises(InputError, match="omaha: this range is of another game than holdem"):
        Range(omaha("AA"), game="holdem")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("AA:$ds", 24),
        ("random", 24),
        ("AsKs**", 6),
        ("AsKsQhJh", 2),
        ("AsKhQd2c", 1),
        ("0%", 24),
        ("*!AsAh", 4),
        ("sshh", 4),
    ],
)
def test_what_a_range_knows_of_itself(text: str, group: int) -> None:
    facts = omaha(text).facts
    assert len(facts.suit_group) == group and 0 in facts.suit_group and facts.is_integer
    cards = combo_cards(4)
    for renaming in range(24):
        moved = facts.weights[combo_numbers(renamed_cards(cards, renaming))]
        assert (renaming in facts.suit_group) == np.array_equal(moved, facts.weights)


def test_rows_by_rank_class_and_suit_pattern() -> None:
    found = omaha("AAKK@50,AsKhQd2c")
    rows = found.by_class()
    assert [(row.ranks, row.suits, row.combos, row.weight) for row in rows] == [
        ("AAKK", "ds", 6, 3.0),
        ("AAKK", "ss", 24, 12.0),
        ("AAKK", "rb", 6, 3.0),
        ("AKQ2", "rb", 24, 1.0),
    ]
    assert rows[3].mean == pytest.approx(1 / 24)
    assert sum(row.combos for row in omaha("*").by_class()) == 270725
    with pytest.raises(InputError, match=r"omaha: a range has no 13 x 13 grid; by_class\(\) lists"):
        found.grid()
    made = found.to_dict()
    assert made["game"] == "omaha" and "grid" not in made
    assert made["classes"][0] == {"ranks": "AAKK", "suits": "ds", "combos": 6, "weight": 3.0}
    assert made["weights"]["AsKhQd2c"] == 1.0 and made["weights"]["AwAxKwKx"] == 0.5
    assert made["text"] == {"plain": "AAKK@50,AsKhQd2c"}
    assert "<td>AAKK</td><td>ds</td>" in found._repr_html_()
    assert "more</td>" in omaha("*")._repr_html_()
    with pytest.raises(InputError, match="expected one of plain"):
        found.to_string("pio")


def test_a_game_has_several_names() -> None:
    assert gpuodds.Range("AsKhQd2c", game="plo").game.name == "omaha"
    with pytest.raises(InputError, match="expected one of holdem, short-deck"):
        gpuodds.Range("AA", game="stud")  # type: ignore[arg-type]
