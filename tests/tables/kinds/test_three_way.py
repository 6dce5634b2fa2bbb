"""Three starting hands, one of them folded or none: boards counted deal by deal, golden counts."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds.backends.cpu.tables.three_way import class_number, count_folded, count_three_way, layout
from gpuodds.backends.cpu.tables.three_way_sums import CLASSES
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.starting_hands import combinations, starting_hands
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.kinds.preflop_three_way import count_deals, seats_agree
from gpuodds.tables.layouts.preflop_three_way import COUNTS

RANKS = "23456789TJQKA"
# A flush, a straight on the board, quads, a pair and the deuces' full house.
BOARDS = ["2h5h9hJhKd", "5c6d7h8s9c", "QcQdQhQs2c", "AcAd7h8s2c", "2c2d3h3sKd"]


def number(name: str) -> int:
    return class_number(RANKS.index(name[0]), RANKS.index(name[1]), name.endswith("s"))


def ranks_on(*texts: str) -> Any:
    boards = np.array([parse_cards(text) for text in texts], np.uint8)
    return gpuodds.rank_combos(boards, backend="cpu")


def test_the_layout() -> None:
    ordered = layout()
    names = starting_hands()
    sizes = np.bincount(ordered.classes, minlength=CLASSES)
    assert [sizes[number(name)] for name in names] == [combinations(name) for name in names]
    assert sorted(number(name) for name in names) == list(range(CLASSES))


@pytest.mark.slow
@pytest.mark.parametrize("folded", [False, True], ids=["both play", "one folded"])
@pytest.mark.parametrize("hero", ["AKs", "T9o", "22", pytest.param("AQo", marks=pytest.mark.weekly)])
def test_boards_deal_by_deal(hero: str, folded: bool) -> None:
    ordered = layout()
    ranks = ranks_on(*BOARDS)
    times = np.array([1, 4, 12, 24, 2], np.uint16)
    wanted = np.array([number(name) for name in ("AKs", "AA", "T9o", "22", "72o", "AQo")])
    if folded:
        found = count_folded(number(hero), wanted, ranks, times)
    else:
        found = count_three_way(number(hero), ranks, times)
    cards = [1 << int(a) | 1 << int(b) for a, b in ordered.cards]
    members = [np.flatnonzero(ordered.classes == number(name)).tolist() for name in starting_hands()]
    others = ["AKs", "AKo", "AA", "KK", "T9o", "T9s", "22", "72o", "32s", "AQo"]
    of = dict(zip(starting_hands(), members, strict=True))
    for b, c in product(others, others):
        expected = np.zeros(len(found), np.int64)
        for x, y, z in product(of[hero], of[b], of[c]):
            if folded and number(b) not in wanted:
                continue
            if cards[x] & cards[y] or cards[x] & cards[z] or cards[y] & cards[z]:
                continue
            for board in range(len(BOARDS)):
                one, two, three = (int(ranks[board, place]) for place in (x, y, z))
                if 0 in (one, two, three):
                    continue
                kinds: tuple[bool, ...] = one > two, one == two
                if not folded:
                    kinds = one > two and one > three, one == two and one > three, one == two == three
                expected += times[board] * np.array(kinds)
        assert found[:, number(b), number(c)].tolist() == expected.tolist(), (b, c)


@pytest.mark.parametrize("hero", ["AA", "AKs", "AKo"])
def test_boards_add_up(hero: str) -> None:
    # Aces beat all twelve combos of most classes, on more rows than 16-bit sums could hold.
    ranks = ranks_on("2s3s7d8dTh", "2s7d9hTcJc")
    found = count_three_way(
        number(hero), ranks.repeat(400, axis=0), np.array([24, 1], np.uint16).repeat(400)
    )
    one, two = (
        count_three_way(number(hero), ranks[i : i + 1], np.ones(1, np.uint16)) for i in range(2)
    )
    assert one.max() > 400
    assert np.array_equal(found, 400 * (24 * one + two))
    turned = count_three_way(
        number(hero), np.tile(ranks, (400, 1)), np.tile(np.array([24, 1], np.uint16), 400)
    )
    assert np.array_equal(turned, found)


@pytest.mark.parametrize("names", [("AKo", "AKo", "AKo"), ("AA", "AKs", "KQo"), ("AA", "KK", "QQ")])
def test_deals_without_a_board(names: tuple[str, str, str]) -> None:
    ordered = layout()
    cards = [1 << int(a) | 1 << int(b) for a, b in ordered.cards]
    members = [np.flatnonzero(ordered.classes == number(name)).tolist() for name in names]
    expected = sum(
        not (cards[x] & cards[y] or cards[x] & cards[z] or cards[y] & cards[z])
        for x, y, z in product(*members)
    )
    hero, one, two = (starting_hands().index(name) for name in names)
    deals = count_deals(hero)
    assert deals[one, two] == expected > 0
    assert (deals == deals.T).all()


@pytest.mark.parametrize(
    "others", [("KK", "QQ"), ("AKs", "AKs"), ("AA", "KK"), ("QQ", "JTs"), ("22", "72o")]
)
def test_rows_are_those_of_three_ranges(three_way_aces: Any, others: tuple[str, str]) -> None:
    kind = find_kind("preflop-three-way")
    given = [tuple(parse_cards(text)) for text in hands_of("AA", *others)]
    row_number = kind.layout.find(given, (), 0).start % 14_365
    row = three_way_aces.slice(row_number, 1).to_pylist()[0]
    assert row["hero"] == "AA" and {row["second"], row["third"]} == {*others}
    again = kind.recount(row, 0)
    assert {name: row[name] for name in COUNTS} == again
    seen = kind.layout.orient(row, given)
    assert (seen["second"], seen["third"]) == others
    assert (row["equity"] is None) == (row["outcomes"] is None)


def hands_of(*names: str) -> list[str]:
    return [name[0] + "s" + name[1] + ("s" if name.endswith("s") else "h") for name in names]


def test_impossible_deals_are_null(three_way_aces: Any) -> None:
    rows = three_way_aces.to_pylist()
    aces = next(row for row in rows if row["second"] == row["third"] == "AA")
    assert all(aces[name] is None for name in (*COUNTS, "equity"))
    assert sum(row["outcomes"] is None for row in rows) == 1 + 24


def test_seats_that_disagree_are_found() -> None:
    class Table:
        folder = "here"

        def read_shard(self, hero: int) -> Any:
            import pyarrow as pa

            ones = np.ones(14_365, np.int64)
            ones[0] += hero == 5
            return pa.table({name: ones for name in COUNTS})

    with pytest.raises(gpuodds.InputError, match="outcomes differs from seat to seat"):
        list(seats_agree(Table()))  # type: ignore[arg-type]
