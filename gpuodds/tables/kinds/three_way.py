"""The table ``preflop-three-way``: every starting hand against every two others, card removal exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pyarrow as pa

from gpuodds.backends.protocol import Backend
from gpuodds.errors import ImpossibleDeal, InputError, TableError
from gpuodds.games.holdem.starting_hands import holding, starting_hand, starting_hands
from gpuodds.tables.hands import Hand
from gpuodds.tables.kinds.kind import BuiltTable, Cards, Kind

HANDS = 169
OTHERS = HANDS * (HANDS + 1) // 2  # pairs of other hands, their order aside
BOARDS = comb(46, 5)
RANKS = "23456789TJQKA"
COUNTS = ("outcomes", "win", "tie_second", "tie_third", "tie_all")
SWAPPED = {"second": "third", "third": "second", "tie_second": "tie_third", "tie_third": "tie_second"}


class PreflopThreeWay(Kind):
    """``preflop-three-way``: a row for each starting hand, the hero's, and each two others.

    Hands stand in the order of :func:`~gpuodds.games.holdem.starting_hands.starting_hands`, and the
    second of a row is not after the third. Counts go over all disjoint holdings of the three, in this
    order, and all boards; what cannot be dealt, such as AA v AA v AA, has null.
    """

    name = "preflop-three-way"
    about = "every starting hand against every two others: 169 x 14,365"
    memory = 0.7

    def shards(self, opponents: int) -> list[range]:
        """Give a shard for each hero."""
        return [range(OTHERS * hero, OTHERS * (hero + 1)) for hero in range(HANDS)]

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count a hero against all two others."""
        names = starting_hands()
        hero = rows.start // OTHERS
        counted = backend.three_way_counts(hero)
        b, c = first, second = _pairs()
        outcomes = counted.deals[b, c] * BOARDS
        win, tie_all = counted.win[b, c], counted.tie_all[b, c]
        tie_second, tie_third = counted.tie_row[b, c], counted.tie_row[c, b]
        lost = outcomes - win - tie_all - tie_second - tie_third
        if any((counts < 0).any() for counts in (win, tie_all, tie_second, tie_third, lost)):
            raise TableError(f"{self.name}: {names[hero]}: a count is below zero")
        none = outcomes == 0
        equity = (win + (tie_second + tie_third) / 2 + tie_all / 3) / np.maximum(outcomes, 1)
        hands = {"hero": np.full(OTHERS, hero), "second": first, "third": second}
        columns = dict(zip(COUNTS, (outcomes, win, tie_second, tie_third, tie_all), strict=True))
        labels = {
            name: pa.DictionaryArray.from_arrays(pa.array(places, pa.int16()), names)
            for name, places in hands.items()
        }
        return pa.table(
            {
                **labels,
                **{name: pa.array(values, pa.int64(), mask=none) for name, values in columns.items()},
                "equity": pa.array(equity, pa.float64(), mask=none),
            }
        )

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 1050.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 22.0

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of three starting hands, the first of them the hero's."""
        if len(hands) != 3 or board:
            raise InputError(f"table {self.name}: expected three hands and no board")
        names = starting_hands()
        hero, *others = (names.index(starting_hand((hand[0], hand[1]))) for hand in hands)
        b, c = sorted(others)
        row = OTHERS * hero + b * HANDS - b * (b - 1) // 2 + c - b
        return range(row, row + 1)

    def lookup(self, table: BuiltTable, hands: list[Hand], board: Cards) -> list[dict[str, Any]]:
        """Return the row of three starting hands; AK, which is two, is counted over all its combos."""
        for hand in hands:
            if not hand.classes:
                expected = hand.starting_hands()[0]
                raise InputError(
                    f"hand {hand.name}: expected a starting hand, such as {expected}: "
                    f"table {self.name} has no single combos"
                )
        found = []
        for names in product(*(hand.classes for hand in hands)):
            cards = [holding(name) for name in names]
            rows = table.rows(self.find([*cards], board, table.opponents))
            found += [self.orient(row, [*cards]) for row in rows]
        return found if len(found) == 1 else [_add_up([hand.name for hand in hands], found)]

    def orient(self, row: dict[str, Any], hands: list[Cards]) -> dict[str, Any]:
        """Name the other hands in the order in which they were asked for."""
        second = starting_hand((hands[1][0], hands[1][1]))
        if row["second"] == second:
            return row
        return {name: row[SWAPPED.get(name, name)] for name in row}

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count three ranges of one starting hand each, board by board."""
        from gpuodds.tables.kinds.recount import count_classes

        try:
            counted = count_classes([row[place] for place in ("hero", "second", "third")])
        except ImpossibleDeal:
            return dict.fromkeys(COUNTS)
        winners = counted.winners or {}
        masks = (1, 3, 5, 7)  # the hero alone, with the second, with the third, with both
        found = {name: winners.get(mask, 0) for name, mask in zip(COUNTS[1:], masks, strict=True)}
        return {"outcomes": counted.outcomes} | found

    def laws(self, table: BuiltTable) -> Iterator[str]:
        """Check that a deal is told alike from each of its three seats, and that outcomes add up."""
        yield from seats_agree(table)


def _add_up(names: list[str], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return one row for several of three starting hands, with the number of deals that it counts."""
    found: dict[str, Any] = dict(zip(("hero", "second", "third"), names, strict=True))
    counts = {name: sum(row.get(name, 0) for row in rows) for name in COUNTS}
    if not counts["outcomes"]:
        return found  # no such deal: as in a row of the table, nothing is counted
    shared = Fraction(counts["tie_second"] + counts["tie_third"], 2) + Fraction(counts["tie_all"], 3)
    equity = float((counts["win"] + shared) / counts["outcomes"])
    return found | {"deals": counts["outcomes"] // BOARDS} | counts | {"equity": equity}


def _pairs() -> tuple[Any, Any]:
    return np.triu_indices(HANDS)


def seats_agree(table: BuiltTable) -> Iterator[str]:
    """Check that a deal is told alike from each of its three seats, and that its outcomes add up.

    Raises:
        TableError: They are not.
    """
    names = ("outcomes", "win", "tie", "tie_all")
    cube = {name: np.zeros((HANDS, HANDS, HANDS), np.int64) for name in names}
    first, second = _pairs()
    for hero in range(HANDS):
        shard = table.read_shard(hero)
        column = {name: shard[name].fill_null(0).to_numpy() for name in COUNTS}
        for name in ("outcomes", "win", "tie_all"):
            cube[name][hero, first, second] = cube[name][hero, second, first] = column[name]
        # tie[a, b, c]: a and b tie and beat c.
        cube["tie"][hero, first, second] = column["tie_second"]
        cube["tie"][hero, second, first] = column["tie_third"]
    for name, seats in (("outcomes", (1, 0, 2)), ("tie_all", (1, 0, 2)), ("tie", (1, 0, 2))):
        if not np.array_equal(cube[name], cube[name].transpose(seats)):
            raise TableError(f"{table.folder}: {name} differs from seat to seat")
    win, tie = cube["win"], cube["tie"]
    total = win + win.transpose(1, 0, 2) + win.transpose(1, 2, 0) + cube["tie_all"]
    total += tie + tie.transpose(0, 2, 1) + tie.transpose(2, 0, 1)
    if not np.array_equal(total, cube["outcomes"]):
        raise TableError(f"{table.folder}: the outcomes of three hands do not add up")
    yield "each three hands: the same from all three seats; wins and ties are all outcomes"
