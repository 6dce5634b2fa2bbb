"""Count ``river-random``: 2 x wins + ties against the 990 hands of one opponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.table_building.kinds.recount import rank_every_deal
from gpuodds.table_building.kinds.street import Street, number_rows
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import RiverLayout


class RiverRandom(Street):
    """The strength of a hand on a full board, of 1,980."""

    layout = RiverLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some boards."""
        shard = self.count(rows, backend, detail=False)
        wins, ties = shard.counts
        return pa.table(
            {
                "row": number_rows(rows),
                "strength": pa.array(2 * wins + ties, pa.uint16()),
                "deals": shard.deals,
            }
        )

    def half_pots(self, values: Mapping[str, Any]) -> npt.NDArray[np.int64]:
        """Return the strength."""
        strength: npt.NDArray[np.int64] = values["strength"].astype(np.int64)
        return strength

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 11.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 0.55

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every opponent's hand."""
        win, tie, _, _ = rank_every_deal(hand, board)
        return {"strength": 2 * win + tie}
