"""Count ``flop-random``: deals by ties against 1 to 9 random hands, and hand strength against one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.errors import TableError
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.holdem.streets import HALF_POTS
from gpuodds.games.shared.rules import CARDS_LEFT
from gpuodds.table_building.kinds.kind import check_equities
from gpuodds.table_building.kinds.recount import count_hand, rank_every_deal
from gpuodds.table_building.kinds.street import COMBOS_ON_BOARD, Street, label_rows
from gpuodds.tables.columns import to_floats, wide_column
from gpuodds.tables.equities import equity_column, pots_won
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.layout import MAX_INT64
from gpuodds.tables.layouts.streets import RUNOUTS, FlopLayout

UInt64s = npt.NDArray[np.uint64]


class FlopRandom(Street):
    """Counts, equities and hand strength of a hand on the flop."""

    layout = FlopLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some flops."""
        shard = self.count(rows, backend, detail=True)
        wins, ties, squares, histogram = shard.counts
        hands, boards = self.situations(rows, backend)
        against_one = np.stack([wins, ties], axis=1).astype(np.uint64)
        if opponents > 1:
            counted = backend.count(UnbeatenDeals(self.layout.game, hands, boards, opponents)).counts
            if not (counted[:, 0, :2, 0] == against_one).all():
                raise TableError(f"{self.name}: two methods to count one opponent differ")
        else:
            counted = np.stack([against_one, np.zeros_like(against_one)], axis=2)[:, None]
        columns = label_rows(rows, shard, hands)
        for k in range(1, opponents + 1):
            low, high = counted[:, k - 1, : k + 1, 0], counted[:, k - 1, : k + 1, 1]
            self._check_pots(shard.numbering.combos, len(shard.boards), low, high, k)
            columns |= _columns_of(low, high, k)
        bins = pa.array(histogram.astype(np.uint16).reshape(-1))
        return pa.table(
            {
                **columns,
                "sum_of_squares": pa.array(squares, pa.int64()),
                "strength_squared": pa.array(squares / float(RUNOUTS * HALF_POTS**2)),
                "histogram": pa.FixedSizeListArray.from_arrays(bins, histogram.shape[1]),
                "deals": shard.deals,
            }
        )

    def half_pots(self, values: Mapping[str, Any]) -> npt.NDArray[np.int64]:
        """Return 2 x wins + ties."""
        half_pots: npt.NDArray[np.int64] = 2 * values["win_1"].astype(np.int64) + values["tie_1_1"]
        return half_pots

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check also the pots against several opponents, and the totals and equities of each row."""
        super().check_counts(rows, opponents, part, values)
        boards, sizes, starts = self.layout.boards_of(rows)
        combos = values["deals"] // np.repeat(sizes, np.diff(starts, append=len(rows)))
        for k in range(1, opponents + 1):
            counts = [_halves(values[_column_name(k, ties)]) for ties in range(k + 1)]
            low, high = (np.stack(words, axis=1) for words in zip(*counts, strict=True))
            self._check_pots(combos, len(boards), low, high, k)
            by_ties = [to_floats(*words) for words in counts]
            outcomes = RUNOUTS * deals(CARDS_LEFT, k)
            check_equities(self.name, by_ties, outcomes, values[f"equity_{k}"])
        squares = values["sum_of_squares"] / float(RUNOUTS * HALF_POTS**2)
        if not np.array_equal(values["strength_squared"], squares):
            raise TableError(f"{self.name}: strength_squared does not follow from sum_of_squares")
        if (values["histogram"].sum(axis=1) != RUNOUTS).any():
            raise TableError(f"{self.name}: a histogram does not have all runouts")

    def _check_pots(
        self, by_row: npt.NDArray[Any], boards: int, low: UInt64s, high: UInt64s, opponents: int
    ) -> None:
        # Over all hands, each of the players wins as much as the others.
        # Halves of words, times the combos of a few boards: the sums hold.
        combos, half = by_row.astype(np.uint64), np.uint64(32)
        by_ties = [0] * (opponents + 1)
        for words, shift in ((low, 0), (high, 64)):
            for halves, more in ((words & np.uint64((1 << 32) - 1), 0), (words >> half, 32)):
                for ties, total in enumerate((combos @ halves).tolist()):
                    by_ties[ties] += total << shift + more
        full = boards * comb(49, 2) * COMBOS_ON_BOARD
        if pots_won(by_ties) != Fraction(full * deals(CARDS_LEFT, opponents), opponents + 1):
            raise TableError(f"{self.name}: the pots against {opponents} do not add up")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 30.0 if opponents == 1 else 54.0 + 2.3 * opponents

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 36.0 + 13.0 * opponents + 1.7 * opponents**2

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every hand of every deal; against several opponents, answer a single spot."""
        win, tie, squares, histogram = rank_every_deal(hand, board)
        values: dict[str, Any] = {"win_1": win, "tie_1_1": tie}
        for k in range(2, opponents + 1):
            by_ties = count_hand(hand, board, k, self.layout.game)
            values |= {_column_name(k, ties): count for ties, count in enumerate(by_ties)}
        return values | {"sum_of_squares": squares, "histogram": histogram}


def _columns_of(low: UInt64s, high: UInt64s, opponents: int) -> dict[str, pa.Array]:
    # The columns of one number of opponents: deals by ties, and the equity.
    outcomes = RUNOUTS * deals(CARDS_LEFT, opponents)
    columns = {}
    for ties in range(opponents + 1):
        if outcomes <= MAX_INT64:
            column = pa.array(low[:, ties].astype(np.int64), pa.int64())
        else:
            column = wide_column(low[:, ties], high[:, ties])
        columns[_column_name(opponents, ties)] = column
    by_ties = [to_floats(low[:, ties], high[:, ties]) for ties in range(opponents + 1)]
    return columns | {f"equity_{opponents}": pa.array(equity_column(by_ties, outcomes))}


def _halves(counts: npt.NDArray[Any]) -> tuple[UInt64s, UInt64s]:
    # The lower and upper halves of a column as a plain array.
    if counts.ndim == 2:
        return counts[:, 0].astype(np.uint64), counts[:, 1].astype(np.uint64)
    return counts.astype(np.uint64), np.zeros(len(counts), np.uint64)


def _column_name(opponents: int, ties: int) -> str:
    return f"tie_{opponents}_{ties}" if ties else f"win_{opponents}"
