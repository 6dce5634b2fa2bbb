"""Count ``omaha-preflop-random`` and its kin: every starting hand against one random hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.omaha.known_hands import OmahaPreflopRandom
from gpuodds.errors import TableError
from gpuodds.games.game import Game
from gpuodds.games.omaha.starting_hands import starting_hands
from gpuodds.games.shared.boards import board_ranks
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.recount import count_against_random
from gpuodds.tables.layouts.omaha_random import OmahaRandomLayout, equity, hand_names, pot
from gpuodds.tables.shipped.arrow import omaha_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.tables.store import StoredTable

    Ints = npt.NDArray[np.int64]

SECONDS = {(4, False): 14.0, (4, True): 45.0, (5, False): 115.0, (5, True): 400.0}
"""By hole cards and whether there is a low."""
PARTS = {(4, False): 4, (4, True): 8, (5, False): 16, (5, True): 40}  # each takes 4 to 10 seconds
BYTES_OF_COUNT = 5.5  # in a shard


class OmahaRandom(Kind):
    """All starting hands are counted together, on a part of the boards at a time.

    Part i has the boards whose ranks are row i of
    :func:`gpuodds.games.shared.boards.board_ranks`, and then each row ``parts`` further on: all parts
    take about the same time.
    """

    memory = 0.3

    def __init__(self, game: Game) -> None:
        """Take a game of Omaha."""
        self.layout: OmahaRandomLayout = OmahaRandomLayout(game)
        self.parts = PARTS[game.hole_cards, game.has_low]
        self.part_columns = ("outcomes", *self.layout.counts)

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count all starting hands."""
        whole = self._count_ranks(range(len(board_ranks())), backend, progress)
        return self.join_parts(rows, opponents, [whole])

    def compute_part(
        self, rows: range, opponents: int, part: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count all starting hands on a part of the boards."""
        return self._count_ranks(range(part, len(board_ranks()), self.parts), backend, progress)

    def _count_ranks(self, ranks: range, backend: Backend, progress: Progress | None) -> pa.Table:
        game = self.layout.game
        cards = starting_hands(game.hole_cards).cards
        counts = backend.count(OmahaPreflopRandom(game, cards, ranks), progress).counts
        return pa.table({"outcomes": counts.sum(axis=(1, 2)), **read_counts(counts, game.has_low)})

    def join_parts(self, rows: range, opponents: int, parts: Iterable[pa.Table]) -> pa.Table:
        """Add up the counts of all parts."""
        size = self.layout.game.hole_cards
        columns: dict[str, Any] = dict.fromkeys(("outcomes", *self.layout.counts), 0)
        for part in parts:
            columns = {name: sums + part[name].to_numpy() for name, sums in columns.items()}
        columns = {"combos": starting_hands(size).sizes, **columns}
        self._check(columns, self.name)
        columns["equity"] = equity(columns, columns["outcomes"])
        return omaha_table(hand_names(size), columns)

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check that no hand wins and ties more deals than it has; joined parts are checked again."""
        for win in (name for name in values if name.endswith("win")):
            if (values[win] + values[win.replace("win", "tie")] > values["outcomes"]).any():
                raise TableError(f"{self.name}: a row counts more deals than there are")

    def _check(self, columns: Mapping[str, Ints], where: object) -> None:
        # Raise TableError unless the outcomes of each hand and the equities of all add up.
        game, outcomes = self.layout.game, self.layout.outcomes
        if not (columns["outcomes"] == outcomes).all():
            raise TableError(f"{where}: outcomes are not {outcomes}")
        if int(columns["combos"].astype(int) @ pot(columns)) != 2 * outcomes * game.combos:
            raise TableError(f"{where}: the equities of all hands do not average one half")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return SECONDS[self.layout.game.hole_cards, self.layout.game.has_low]

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 14.0 + BYTES_OF_COUNT * len(self.layout.counts)

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count a starting hand as a single spot."""
        hand = self.layout.read_hand(row["hand"]).combos[0]
        return count_against_random(hand, self.layout.game)

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check that the rows stand for all combos, and that their equities average one half."""
        game, shard = self.layout.game, table.to_arrow()
        columns = {name: shard[name].to_numpy() for name in ("combos", "outcomes", *self.layout.counts)}
        combos = columns["combos"].astype(int)
        if combos.sum() != game.combos:
            raise TableError(f"{table.folder}: the rows stand for {combos.sum()} hands")
        self._check(columns, table.folder)
        yield f"combos: all {game.combos:,}; the equities of all hands average exactly 1/2"
        if not game.has_low:
            return
        lost = columns["outcomes"] - columns["win"] - columns["tie"]
        if combos @ columns["win"] != combos @ lost:
            raise TableError(f"{table.folder}: the pots won and lost whole are not as many")
        yield "pots won whole: as many as lost whole"


def read_counts(counts: Ints, has_low: bool) -> dict[str, Ints]:
    """Return the columns of counts, by name.

    Args:
        counts: Shape (n, 3, 4): those of ``OmahaPreflopRandom``.
        has_low: Whether the game has a low.
    """
    high, low = counts.sum(axis=2), counts.sum(axis=1)
    if not has_low:
        return {"win": high[:, 0], "tie": high[:, 1]}
    win = counts[:, 0, 0] + counts[:, 0, 1]
    lost = counts[:, 2, 0] + counts[:, 2, 3]
    return {
        "win": win,
        "tie": counts.sum(axis=(1, 2)) - win - lost,
        "high_win": high[:, 0],
        "high_tie": high[:, 1],
        "no_low_win": counts[:, 0, 0],
        "no_low_tie": counts[:, 1, 0],
        "low_win": low[:, 1],
        "low_tie": low[:, 2],
    }
