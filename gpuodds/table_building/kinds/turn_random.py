"""Count ``turn-random``: wins and ties against one random hand, over all river cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.games.holdem.streets import OPPONENTS
from gpuodds.table_building.kinds.kind import check_equities
from gpuodds.table_building.kinds.recount import rank_every_deal
from gpuodds.table_building.kinds.street import Street, label_rows
from gpuodds.tables.equities import equity_column
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import TurnLayout

RIVER_CARDS = 46


class TurnRandom(Street):
    """The wins, ties and equity of a hand on the turn."""

    layout = TurnLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some boards."""
        shard = self.count(rows, backend, detail=False)
        wins, ties = shard.counts
        hands, _ = self.situations(rows, backend)
        return pa.table(
            {
                **label_rows(rows, shard, hands),
                "win": pa.array(wins, pa.int32()),
                "tie": pa.array(ties, pa.int32()),
                "equity": pa.array(equity_column([wins, ties], RIVER_CARDS * OPPONENTS)),
                "deals": shard.deals,
            }
        )

    def half_pots(self, values: Mapping[str, Any]) -> npt.NDArray[np.int64]:
        """Return 2 x wins + ties."""
        half_pots: npt.NDArray[np.int64] = 2 * values["win"].astype(np.int64) + values["tie"]
        return half_pots

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check also the totals and the equity of each row."""
        super().check_counts(rows, opponents, part, values)
        check_equities(
            self.name, [values["win"], values["tie"]], RIVER_CARDS * OPPONENTS, values["equity"]
        )

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 11.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 4.8

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every hand on every river."""
        win, tie, _, _ = rank_every_deal(hand, board)
        return {"win": win, "tie": tie}
