"""Count ``omaha-preflop-random`` and its kin: every starting hand against one random hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gpuodds.backends.protocol import Backend, Progress
from gpuodds.errors import TableError
from gpuodds.games.game import Game
from gpuodds.games.omaha.starting_hands import starting_hands
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.kinds.recount import count_against_random
from gpuodds.tables.layouts.omaha_random import OmahaRandomLayout, equity, hand_names, pot
from gpuodds.tables.shipped.arrow import omaha_table
from gpuodds.tables.shipped.build_omaha_preflop_random import count_starting_hands

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from gpuodds.tables.store import StoredTable

    Ints = npt.NDArray[np.int64]

SECONDS = {(4, False): 14.0, (4, True): 45.0, (5, False): 115.0, (5, True): 400.0}
"""By hole cards and whether there is a low."""
BYTES_OF_COUNT = 5.5  # in a shard


class OmahaRandom(Kind):
    """All starting hands are counted together: a build has one shard, and progress within it."""

    memory = 0.3

    def __init__(self, game: Game) -> None:
        """Take a game of Omaha."""
        self.layout: OmahaRandomLayout = OmahaRandomLayout(game)

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count all starting hands."""
        game = self.layout.game
        counts = count_starting_hands(game, backend, progress)
        columns: dict[str, Any] = {
            "combos": starting_hands(game.hole_cards).sizes,
            "outcomes": counts.sum(axis=(1, 2)),
            **read_counts(counts, game.has_low),
        }
        columns["equity"] = equity(columns, columns["outcomes"])
        return omaha_table(hand_names(game.hole_cards), columns)

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
        if not (columns["outcomes"] == self.layout.outcomes).all():
            raise TableError(f"{table.folder}: outcomes are not {self.layout.outcomes}")
        if int(combos @ pot(columns)) != 2 * self.layout.outcomes * game.combos:
            raise TableError(f"{table.folder}: the equities of all hands do not average one half")
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
        counts: Shape (n, 3, 4): see :func:`count_starting_hands`.
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
