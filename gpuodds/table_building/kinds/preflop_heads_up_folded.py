"""Count ``preflop-heads-up-folded``: two starting hands, without the cards of a third."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.api import equity
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.three_way import HeadsUpFolded
from gpuodds.errors import ImpossibleDeal, TableError
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.preflop_three_way import count_deals
from gpuodds.tables.layouts.preflop_heads_up_folded import COUNTS, PreflopHeadsUpFoldedLayout
from gpuodds.tables.layouts.three_hands import BOARDS, HANDS, pair_place
from gpuodds.tables.shipped.preflop_heads_up import starting_hand_matrices
from gpuodds.tables.store import StoredTable

Ints = npt.NDArray[np.int64]

FOLDED_PER_BOARD = comb(43, 2)  # hands left for a folded player by two hands and a board


class PreflopHeadsUpFolded(Kind):
    """Counts go over all disjoint combos of the three hands, and all boards.

    What cannot be dealt, such as AA against AA with AA folded, has null.
    """

    layout = PreflopHeadsUpFoldedLayout()
    memory = 0.7

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count a hand against all that are not before it, with each folded."""
        first = _first_hand(rows)
        counted = backend.count(HeadsUpFolded(self.layout.game, first)).counts
        outcomes = count_deals(first)[first:] * BOARDS
        win, tie = counted.win[first:], counted.tie[first:]
        counts = {"win_a": win, "win_b": outcomes - win - tie, "tie": tie}
        self._check(first, counts)
        absent = (outcomes == 0).ravel()
        second, folded = np.divmod(np.arange(outcomes.size), HANDS)
        places = {"hand_a": np.full(outcomes.size, first), "hand_b": first + second, "folded": folded}
        labels = {
            name: pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int16()), starting_hands())
            for name, numbers in places.items()
        }
        columns = {
            name: pa.array(column.ravel(), pa.int64(), mask=absent) for name, column in counts.items()
        }
        return pa.table(labels | columns)

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check the totals of each row, and the sums over folded hands."""
        first = _first_hand(rows)
        counts = {name: np.asarray(values[name]).reshape(-1, HANDS) for name in COUNTS}
        outcomes = sum(counts.values())
        if not np.array_equal(outcomes, count_deals(first)[first:] * BOARDS):
            raise TableError(f"{self.name}: a row does not count all its deals")
        self._check(first, counts)

    def _check(self, first: int, counts: Mapping[str, Ints]) -> None:
        if any((column < 0).any() for column in counts.values()):
            raise TableError(f"{self.name}: {starting_hands()[first]}: a count is below zero")
        sums = [counts[name].sum(axis=1) for name in COUNTS]
        if not np.array_equal(sums, FOLDED_PER_BOARD * heads_up_counts()[:, first, first:]):
            raise TableError(
                f"{self.name}: {starting_hands()[first]}: sums over folded hands are not "
                f"{FOLDED_PER_BOARD} times preflop-heads-up"
            )

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 170.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 17.0

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count two ranges of one starting hand each, with a folded one."""
        hands = [row["hand_a"], row["hand_b"]]
        try:
            counted = equity(
                hands, folded=[row["folded"]], method="exact", table=False, backend="cpu"
            ).winners
        except ImpossibleDeal:
            return dict.fromkeys(COUNTS)
        winners = counted or {}
        return dict(zip(COUNTS, (winners.get(best, 0) for best in ("A", "B", "AB")), strict=True))

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check the sums over folded hands, and a hand against itself."""
        for first, rows in enumerate(table.shards):
            shard = table.read_shard(first)
            columns = [shard[name].fill_null(0).to_numpy().reshape(-1, HANDS) for name in COUNTS]
            self.check_counts(rows, 0, None, dict(zip(COUNTS, columns, strict=True)))
            if not np.array_equal(columns[0][0], columns[1][0]):
                raise TableError(
                    f"{table.folder}: a hand against itself does not win as often as it loses"
                )
        yield f"sums over folded hands: {FOLDED_PER_BOARD} times preflop-heads-up, to the integer"


def heads_up_counts() -> Ints:
    """Return what each starting hand wins, loses and ties against each other: (3, 169, 169)."""
    win, tie = starting_hand_matrices()
    return np.stack([win, win.T, tie])


def _first_hand(rows: range) -> int:
    return next(hand for hand in range(HANDS) if HANDS * pair_place(hand, hand) == rows.start)
