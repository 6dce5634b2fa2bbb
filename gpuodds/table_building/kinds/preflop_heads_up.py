"""Count ``preflop-heads-up``: a row for each pair of hands, up to renaming the suits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb
from typing import Any

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.cards import parse_cards
from gpuodds.errors import TableError
from gpuodds.games.shared.rules import COMBOS
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.recount import count_pair
from gpuodds.table_building.shipped.preflop_heads_up import canonical_pairs
from gpuodds.tables.layouts.preflop_heads_up import PreflopHeadsUpLayout
from gpuodds.tables.shipped.preflop_heads_up import BOARDS, count_pairs, read_table, rows_of_pairs
from gpuodds.tables.store import StoredTable

PAIRS = COMBOS * comb(50, 2) // 2  # of disjoint hands


class PreflopHeadsUp(Kind):
    """All pairs of hands are compared at once."""

    layout = PreflopHeadsUpLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> Any:
        """Compare all hands on all boards."""
        wins, ties = backend.count(HeadsUpMatrix(self.layout.game, (), ()), progress).counts
        boards = wins + wins.T + ties
        if boards[boards > 0].min() != BOARDS:
            raise TableError(f"{self.name}: the boards of a pair do not add up")
        return rows_of_pairs(*canonical_pairs(wins, ties))

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check that each pair has all boards, and how many pairs each row stands for."""
        boards = np.stack([values[name] for name in ("win_a", "win_b", "tie")]).sum(axis=0)
        if (boards != BOARDS).any():
            raise TableError(f"{self.name}: the boards of a pair do not add up")
        if (values["pairs"] != count_pairs(np.asarray(read_table()[0], np.int64))).any():
            raise TableError(f"{self.name}: column pairs: those of other rows")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 6.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 13.5

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count a pair as a single spot."""
        hands = (parse_cards(row[name]) for name in ("hand_a", "hand_b"))
        return dict(zip(("win_a", "win_b", "tie"), count_pair(*hands), strict=True))

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check that each pair has all boards, and that the rows stand for all pairs."""
        rows = table.rows(range(len(table)))
        if any(row["win_a"] + row["win_b"] + row["tie"] != BOARDS for row in rows):
            raise TableError(f"{table.folder}: the boards of a pair do not add up")
        if sum(row["pairs"] for row in rows) != PAIRS:
            raise TableError(f"{table.folder}: the pairs are not all pairs")
        yield f"wins and ties of each pair: all {BOARDS:,} boards; the pairs: all {PAIRS:,}"
