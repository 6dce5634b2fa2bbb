"""Count ``preflop-random``: a row for each starting hand and number of random opponents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.errors import TableError
from gpuodds.games.game import Game
from gpuodds.games.holdem.starting_hands import combinations, example_combo
from gpuodds.spots.spot import Spot
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.recount import count_hand
from gpuodds.tables.columns import to_integers
from gpuodds.tables.equities import equity_of, pots_won
from gpuodds.tables.layouts.preflop_random import PreflopRandomLayout
from gpuodds.tables.shipped.arrow import schema_of_random
from gpuodds.tables.store import StoredTable


class PreflopRandom(Kind):
    """All numbers of opponents of a hand are counted together."""

    memory = 0.9

    def __init__(self, name: str, game: Game) -> None:
        """Take the table's name and its game, one of hold'em's family."""
        self.layout: PreflopRandomLayout = PreflopRandomLayout(name, game)

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count some hands."""
        names = self.layout.hands[rows.start // opponents : rows.stop // opponents]
        hands = np.array([example_combo(name) for name in names], np.uint8)
        halves = backend.count(UnbeatenDeals(self.layout.game, hands, hands[:, :0], opponents)).counts
        counts = to_integers(halves[..., 0], halves[..., 1]).tolist()
        made: list[list[Any]] = []
        for name, counted in zip(names, counts, strict=True):
            for k in range(1, opponents + 1):
                outcomes = Spot((example_combo(name),), k, game=self.layout.game).outcomes
                by_ties = counted[k - 1][: k + 1]
                absent = [None] * (opponents - k)
                made.append([name, k, outcomes, *by_ties, *absent, equity_of(by_ties, outcomes)])
        schema = schema_of_random(opponents)
        columns = zip(zip(*made, strict=True), schema.types, strict=True)
        return pa.table([pa.array(values, kind) for values, kind in columns], schema=schema)

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check the outcomes, the totals and the equity of each row."""
        names = ["outcomes", "win", *(f"tie_{ties}" for ties in range(1, opponents + 1))]
        words = [values[name].astype(object) for name in names]
        counts = np.stack([low_high[:, 0] + (low_high[:, 1] << 64) for low_high in words], axis=1)
        for row, counted, equity in zip(rows, counts.tolist(), values["equity"].tolist(), strict=True):
            k, (outcomes, *by_ties) = row % opponents + 1, counted
            hand = example_combo(self.layout.hands[row // opponents])
            if outcomes != Spot((hand,), k, game=self.layout.game).outcomes:
                raise TableError(f"{self.name}: row {row}: outcomes of another row")
            if sum(by_ties) > outcomes or any(by_ties[k + 1 :]):
                raise TableError(f"{self.name}: row {row}: more deals than there are")
            if equity != equity_of(by_ties[: k + 1], outcomes):
                raise TableError(f"{self.name}: row {row}: the equity does not follow from its counts")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return (3.5 + 0.35 * opponents) * len(self.layout.hands) / 169

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 200.0

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count a hand against one number of opponents, as a single spot."""
        win, *ties = count_hand(example_combo(row["hand"]), (), row["opponents"], self.layout.game)
        return {"win": win} | {f"tie_{t}": count for t, count in enumerate(ties, 1)}

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check that the equities over all hands are an even share."""
        rows, combos = table.rows(range(len(table))), self.layout.game.dealt_combos
        for k in range(1, table.opponents + 1):
            total = Fraction(0)
            for row in (row for row in rows if row["opponents"] == k):
                by_ties = [row["win"], *(row[f"tie_{t}"] for t in range(1, k + 1))]
                total += combinations(row["hand"]) * pots_won(by_ties) / (combos * row["outcomes"])
            if total != Fraction(1, k + 1):
                raise TableError(f"{table.folder}: equities against {k} opponents add up to {total}")
        yield f"equities over all hands: exactly 1/(k + 1), k = 1 to {table.opponents}"
