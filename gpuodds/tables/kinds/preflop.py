"""The tables ``preflop-random`` and ``preflop-heads-up``, as they are built."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm
from typing import Any

import numpy as np
import pyarrow as pa

from gpuodds.backends.protocol import Backend
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.combos import suit_relabellings
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.holdem.starting_hands import combinations, holding, starting_hand, starting_hands
from gpuodds.tables.hands import Hand, add_pairs, add_random
from gpuodds.tables.kinds.columns import WIDE, hand_column, whole
from gpuodds.tables.kinds.kind import BuiltTable, Cards, Kind
from gpuodds.tables.shipped.preflop_heads_up import BOARDS, HANDS, PAIRS, pair_index

BOARDS_LEFT = comb(50, 5)
DECK_LEFT = 45


def schema_of_random(opponents: int) -> pa.Schema:
    """Return the columns of ``preflop-random``."""
    counts = ["outcomes", "win", *(f"tie_{ties}" for ties in range(1, opponents + 1))]
    ends = [("hand", pa.string()), ("opponents", pa.int8())], [("equity", pa.float64())]
    return pa.schema([*ends[0], *((name, WIDE) for name in counts), *ends[1]])


class PreflopRandom(Kind):
    """``preflop-random``: a row for each starting hand and number of random opponents."""

    name = "preflop-random"
    about = "169 starting hands against 1 to 22 random hands"
    most_opponents = 22
    usual_opponents = 22
    hands_a_shard = 13
    memory = 0.9

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by hands: all numbers of opponents of a hand together."""
        step = self.hands_a_shard * opponents
        return [range(begin, begin + step) for begin in range(0, 169 * opponents, step)]

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count some hands."""
        names = starting_hands()[rows.start // opponents : rows.stop // opponents]
        hands = np.array([holding(name) for name in names], np.uint8)
        halves = backend.unbeaten_deals(hands, hands[:, :0], opponents, None)
        rows_of: list[list[Any]] = []
        for name, counted in zip(names, whole(halves[..., 0], halves[..., 1]).tolist(), strict=True):
            for k in range(1, opponents + 1):
                outcomes = BOARDS_LEFT * deals(DECK_LEFT, k)
                found = counted[k - 1][: k + 1]
                equity = sum((Fraction(n, t + 1) for t, n in enumerate(found)), Fraction(0)) / outcomes
                rows_of.append([name, k, outcomes, *found, *[None] * (opponents - k), float(equity)])
        schema = schema_of_random(opponents)
        columns = zip(zip(*rows_of, strict=True), schema.types, strict=True)
        return pa.table([pa.array(values, kind) for values, kind in columns], schema=schema)

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 5.0 + 2.0 * opponents

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 200.0

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of one hand."""
        if len(hands) != 1 or board:
            raise InputError(f"table {self.name}: expected one hand and no board")
        number = starting_hands().index(starting_hand((hands[0][0], hands[0][1])))
        return range(number * opponents, (number + 1) * opponents)

    def lookup(self, table: BuiltTable, hands: list[Hand], board: Cards) -> list[dict[str, Any]]:
        """Return the rows of one starting hand, or of AK, which is two."""

        def rows_of(name: str) -> list[dict[str, Any]]:
            return table.rows(self.find([holding(name)], board, table.opponents))

        if len(hands) != 1:
            raise InputError(f"table {self.name}: expected one hand and no board")
        return add_random(hands[0], rows_of)

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count a hand as a single question, and against one opponent by comparing all hands."""
        from gpuodds.tables.kinds.recount import count_hand

        win, *ties = count_hand(holding(row["hand"]), (), row["opponents"])
        return {"win": win} | {f"tie_{t}": deals_ for t, deals_ in enumerate(ties, 1)}

    def laws(self, table: BuiltTable) -> Iterator[str]:
        """Check that the equities over all hands are an even share."""
        rows = table.rows(range(len(table)))
        for k in range(1, table.opponents + 1):
            share = lcm(*range(1, k + 2))
            total = Fraction(0)
            for row in (row for row in rows if row["opponents"] == k):
                counts = [row["win"], *(row[f"tie_{t}"] for t in range(1, k + 1))]
                won = sum(count * (share // (t + 1)) for t, count in enumerate(counts))
                total += Fraction(combinations(row["hand"]) * won, 1326 * share * row["outcomes"])
            if total != Fraction(1, k + 1):
                raise TableError(f"{table.folder}: equities against {k} opponents add up to {total}")
        yield f"equities over all hands: exactly 1/(k + 1), k = 1 to {table.opponents}"


def pairs_table(codes: Any, first: Any, second: Any) -> pa.Table:
    """Make the rows of ``preflop-heads-up`` from codes of pairs and the boards that either hand wins.

    The last column is how many of the 812,175 pairs of disjoint hands a row stands for.
    """
    codes, first, second = (np.asarray(column, np.int64) for column in (codes, first, second))
    one, two = codes // HANDS, codes % HANDS
    images = np.stack(
        [
            np.minimum(order[one] * HANDS + order[two], order[two] * HANDS + order[one])
            for order in suit_relabellings()
        ]
    )
    images.sort(axis=0)
    pairs = 1 + (np.diff(images, axis=0) > 0).sum(axis=0)
    columns = {
        "hand_a": hand_column(one).cast(pa.string()),
        "hand_b": hand_column(two).cast(pa.string()),
        "win_a": pa.array(first, pa.int32()),
        "win_b": pa.array(second, pa.int32()),
        "tie": pa.array(BOARDS - first - second, pa.int32()),
        "pairs": pa.array(pairs, pa.int32()),
    }
    return pa.table(columns)


class PreflopHeadsUp(Kind):
    """``preflop-heads-up``: a row for each pair of hands, up to the names of the suits."""

    name = "preflop-heads-up"
    about = "every hand against every hand before the flop: 47,008 pairs"

    def shards(self, opponents: int) -> list[range]:
        """Give one shard: all pairs are counted at once, in seconds."""
        return [range(PAIRS)]

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Compare all hands on all boards."""
        from gpuodds.tables.shipped.build_preflop_heads_up import canonical_pairs

        wins, ties = backend.heads_up_matrix((), (), None)
        if (wins + wins.T + ties)[wins + wins.T + ties > 0].min() != BOARDS:
            raise TableError(f"{self.name}: the boards of a pair do not add up")
        return pairs_table(*canonical_pairs(wins, ties))

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 6.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 13.5

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of two hands."""
        if len(hands) != 2 or board:
            raise InputError(f"table {self.name}: expected two hands and no board")
        row, _ = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        return range(row, row + 1)

    def lookup(self, table: BuiltTable, hands: list[Hand], board: Cards) -> list[dict[str, Any]]:
        """Return the row of two combos, or the counts of starting hands over all their combos."""
        if len(hands) != 2 or board or not any(hand.classes for hand in hands):
            combos = [hand.combos[0] for hand in hands]
            rows = table.rows(self.find(combos, board, table.opponents))
            return [self.orient(row, combos) for row in rows]

        def counts(one: Cards, two: Cards) -> list[int]:
            row = table.rows(self.find([one, two], (), 0))[0]
            oriented = self.orient(row, [one, two])
            return [oriented[name] for name in ("win_a", "win_b", "tie")]

        return [add_pairs(hands[0], hands[1], counts)]

    def orient(self, row: dict[str, Any], hands: list[Cards]) -> dict[str, Any]:
        """Name the hands as they were asked for."""
        _, swapped = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        names = [format_cards(sorted(hand, reverse=True)) for hand in hands]
        wins = [row["win_a"], row["win_b"]][:: -1 if swapped else 1]
        return row | {"hand_a": names[0], "hand_b": names[1], "win_a": wins[0], "win_b": wins[1]}

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count a pair by classes of boards."""
        from gpuodds.tables.kinds.recount import count_pair

        hands = (parse_cards(row[name]) for name in ("hand_a", "hand_b"))
        return dict(zip(("win_a", "win_b", "tie"), count_pair(*hands), strict=True))

    def laws(self, table: BuiltTable) -> Iterator[str]:
        """Check that each pair has all boards, and that there are all pairs."""
        rows = table.rows(range(len(table)))
        if any(row["win_a"] + row["win_b"] + row["tie"] != BOARDS for row in rows):
            raise TableError(f"{table.folder}: the boards of a pair do not add up")
        if sum(row["pairs"] for row in rows) != 1326 * 1225 // 2:
            raise TableError(f"{table.folder}: the pairs are not all pairs")
        yield "wins and ties of each pair: all 1,712,304 boards; the pairs: all 812,175"
