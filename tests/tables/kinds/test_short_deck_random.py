"""The 81 starting hands of short deck against random opponents, in both rank orders."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import gpuodds
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.holdem.starting_hands import combinations, example_combo, starting_hands
from gpuodds.games.short_deck.equity_order import equity_order
from gpuodds.games.short_deck.rules import LOWEST_RANK
from gpuodds.table_building.build import build
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.shipped.preflop_random import table_lines
from gpuodds.table_building.verify import verify
from gpuodds.tables.equities import pots_won
from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES
from gpuodds.tables.store import StoredTable

GAMES = ("short-deck", "short-deck-trips")
HANDS = starting_hands(LOWEST_RANK)


@pytest.fixture(params=GAMES)
def game(request: Any) -> str:
    name: str = request.param
    return name


def by_ties(row: dict[str, Any]) -> list[int]:
    return [row["win"], *(row[f"tie_{ties}"] for ties in range(1, row["opponents"] + 1))]


def test_equities_of_all_hands_are_an_even_share(game: GameName) -> None:
    table = gpuodds.table(f"{game}-preflop-random")
    rows = table.rows(range(len(table)))
    assert len(rows) == 81 * 14 and [row["hand"] for row in rows[::14]] == HANDS
    for k in range(1, 15):
        of_k = rows[k - 1 :: 14]
        pots = [combinations(row["hand"]) * pots_won(by_ties(row)) / row["outcomes"] for row in of_k]
        assert sum(pots) == Fraction(630, k + 1)


@pytest.mark.parametrize("opponents", [1, 3, 14])
def test_an_answer_is_what_is_counted(game: GameName, opponents: int) -> None:
    for hand in ("AsKs", "7h6d"):
        found = gpuodds.equity(hand, opponents=opponents, game=game)
        counted = gpuodds.equity(hand, opponents=opponents, game=game, table=False, backend="cpu")
        assert (found.method, counted.method) == ("table", "exact")
        assert found.players == counted.players and found.outcomes == counted.outcomes
    explained = gpuodds.equity(hand, opponents=opponents, game=game, explain=True).explanation
    assert explained is not None
    assert explained.methods[0].reason == f"taken from the shipped table {game}-preflop-random"


def test_a_build_equals_what_ships(game: GameName, tmp_path: Path) -> None:
    folder, name = tmp_path / game, f"{game}-preflop-random"
    assert build(find_kind(name), folder, 3, backend="cpu")
    table, shipped = StoredTable(folder), gpuodds.table(name)
    for hand in HANDS:
        assert table.lookup(hand) == shipped.lookup(hand)[:3]
    assert table.lookup("AK") == shipped.lookup("AK")[:3]
    held = verify(folder, rows=2)
    assert "equities over all hands: exactly 1/(k + 1), k = 1 to 3" in held
    given = [["As", "Ks"], ["6c", "6d"]]
    assert table.take(given)["win"].tolist() == [row[:3] for row in shipped.take(given)["win"].tolist()]


def test_the_builder_writes_the_shipped_file(game: GameName) -> None:
    table = RANDOM_TABLES[find_game(game)]
    counts: dict[str, dict[int, list[int]]] = {name: {} for name in HANDS}
    for row in map(table.read_row, range(81 * 14)):
        counts[row["hand"]][row["opponents"]] = by_ties(row)
    assert table_lines(counts, table) == table.text.splitlines()


def test_cards_that_the_deck_lacks() -> None:
    table = gpuodds.table("short-deck-preflop-random")
    for hand in ("22", "2s2h", "A5s"):
        with pytest.raises(InputError, match="short-deck has cards from 6 to A"):
            table.lookup(hand)
    with pytest.raises(InputError, match="hands: row 1: short-deck has no 5s6s"):
        table.take([["As", "Ks"], ["5s", "6s"]])


def test_the_order_is_that_of_the_table(game: GameName) -> None:
    table = RANDOM_TABLES[find_game(game)]

    def half_pots(name: str) -> int:
        win, tie = table.counts(example_combo(name), 1)
        return 2 * win + tie

    assert len({half_pots(name) for name in HANDS}) == 81
    assert equity_order(game) == tuple(sorted(HANDS, key=half_pots, reverse=True))


def test_other_spots_are_counted() -> None:
    for hands in (["AsKs", "QhQd"], ["AsKs"]):
        spot = {"dead": "6c"} if len(hands) == 1 else {}
        assert gpuodds.equity(hands, game="short-deck", **spot).method == "exact"  # type: ignore[arg-type]
