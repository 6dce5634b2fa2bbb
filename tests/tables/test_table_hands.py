"""Starting hands looked up in tables: over all their combos, or refused, never as one combo."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import combinations, starting_hand, starting_hands
from gpuodds.tables.hands import read_hand
from gpuodds.tables.layouts.preflop_three_way import COUNTS, PreflopThreeWayLayout
from gpuodds.tables.layouts.streets import FlopLayout, RiverLayout, TurnLayout
from gpuodds.tables.store import StoredTable


@pytest.fixture(scope="module")
def built(built_pairs: Path) -> StoredTable:
    return StoredTable(built_pairs)


@pytest.fixture(params=["shipped", "built"])
def pairs(request: Any, built: StoredTable) -> Any:
    return gpuodds.table("preflop-heads-up") if request.param == "shipped" else built


@pytest.mark.parametrize("name", [*starting_hands(), "AK", "ka", "t9", "QJS", "aa"])
def test_a_name_stands_for_its_combos(name: str) -> None:
    hand = read_hand(name)
    assert len(set(hand.combos)) == len(hand.combos) == sum(map(combinations, hand.classes))
    assert {starting_hand((a, b)) for a, b in hand.combos} == {*hand.classes}


@pytest.mark.parametrize("text", ["AAs", "AAo", "AKx", "A", "As", "AsAs", "AsKsQs"])
def test_texts_that_are_no_hand_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=text[0]):
        read_hand(text)


@pytest.mark.parametrize(
    ("one", "two", "number"),
    [("AKs", "QQ", 24), ("AKs", "AQs", 12), ("AK", "QQ", 96), ("AsKs", "QQ", 6), ("AA", "AsAd", 1)],
)
def test_starting_hands_are_counted_over_all_pairs(pairs: Any, one: str, two: str, number: int) -> None:
    row = pairs.lookup(one, two)[0]
    assert (row["hand_a"], row["hand_b"], row["pairs"]) == (one, two, number)
    asked = gpuodds.equity([one, two], table=False, backend="cpu")
    won = [player.win_outcomes for player in asked.players]
    tied = asked.players[0].tie_outcomes[0]
    assert [row["win_a"], row["win_b"], row["tie"]] == [*won, tied]
    assert sum(won) + tied == 1_712_304 * number
    back = pairs.lookup(two, one)[0]
    assert [back["win_b"], back["win_a"], back["tie"]] == [*won, tied]


def test_two_cards_are_two_cards(pairs: Any) -> None:
    row = pairs.lookup("AsKs", "QhQd")[0]
    assert [row["win_a"], row["win_b"], row["tie"]] == [787966, 917606, 6732]


@pytest.mark.slow
def test_both_suits_against_random_hands(built_random: Path) -> None:
    shipped = gpuodds.table("preflop-random")
    rows = shipped.lookup("AK")
    assert StoredTable(built_random).lookup("AK") == rows[:2]
    for k, row in enumerate(rows, 1):
        suited, offsuit = (shipped.lookup(name)[k - 1] for name in ("AKs", "AKo"))
        assert (row["hand"], row["opponents"], row["combos"]) == ("AK", k, 16)
        for name in ("outcomes", "win", *(f"tie_{t}" for t in range(1, k + 1))):
            assert row[name] == 4 * suited[name] + 12 * offsuit[name]
        pots = row["win"] + sum(Fraction(row[f"tie_{t}"], t + 1) for t in range(1, k + 1))
        assert row["equity"] == float(pots / row["outcomes"])


class OneHero:
    """The rows of one hero of ``preflop-three-way``."""

    def __init__(self, hero: str, rows: Any) -> None:
        self.folder, self.opponents = Path(hero), 0
        self._rows = PreflopThreeWayLayout().shards(0)[starting_hands().index(hero)]
        self._table = rows

    def rows(self, rows: range) -> Iterator[dict[str, Any]] | list[dict[str, Any]]:
        found = self._table.slice(rows.start - self._rows.start, len(rows)).to_pylist()
        return [{name: v for name, v in row.items() if v is not None} for row in found]


@pytest.mark.slow
def test_three_starting_hands(three_way_aces: Any) -> None:
    layout, table = PreflopThreeWayLayout(), OneHero("AA", three_way_aces)

    def look_up(*names: str) -> dict[str, Any]:
        rows = layout.lookup(table, [read_hand(name) for name in names], ())  # type: ignore[arg-type]
        assert len(rows) == 1
        return rows[0]

    row = look_up("AA", "AK", "QQ")
    parts = [look_up("AA", name, "QQ") for name in ("AKs", "AKo")]
    assert (row["hero"], row["second"], row["third"]) == ("AA", "AK", "QQ")
    assert {name: row[name] for name in COUNTS} == {
        name: sum(part[name] for part in parts) for name in COUNTS
    }
    # Of each pair of aces' six combos, two aces are left for AK, each with one suited king.
    assert row["deals"] == 6 * 2 * 4 * 6
    swapped = look_up("AA", "QQ", "AK")
    assert swapped["second"] == "QQ" and swapped["tie_third"] == row["tie_second"]
    shared = Fraction(row["tie_second"] + row["tie_third"], 2) + Fraction(row["tie_all"], 3)
    assert row["equity"] == float((row["win"] + shared) / row["outcomes"])
    assert look_up("AA", "AA", "AK") == {"hero": "AA", "second": "AA", "third": "AK"}


def test_a_table_of_starting_hands_has_no_combos() -> None:
    for text in ("AsKs", "QhQd"):
        hands = [read_hand(name) for name in (text, "JJ", "TT")]
        with pytest.raises(InputError, match=f"hand {text}: expected a starting hand, such as "):
            PreflopThreeWayLayout().lookup(None, hands, ())  # type: ignore[arg-type]


@pytest.mark.parametrize("layout", [FlopLayout(), TurnLayout(), RiverLayout()])
@pytest.mark.parametrize("name", ["AKs", "AK", "QQ"])
def test_a_street_has_no_starting_hands(layout: Any, name: str) -> None:
    board = tuple(parse_cards("2s7d9hTcJc"))[: layout.board_cards]
    message = (
        rf"hand {name}: expected two cards, such as \w+: table {layout.name} has no starting hands"
    )
    with pytest.raises(InputError, match=message):
        layout.lookup(None, [read_hand(name)], board)
