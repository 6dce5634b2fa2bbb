"""The shipped tables ``preflop-random`` of hold'em and short deck: starting hands against random ones.

A file is a compressed CSV with the columns ``hand,opponents,outcomes,win,tie_1,...,tie_K,equity``:
exact integers over all boards and all ways to deal the opponents (their order ignored). It is built by
:mod:`gpuodds.table_building.shipped.preflop_random`. Looking it up needs the standard library alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpuodds.basics.lazy import cached_property
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.games.short_deck.game import SHORT_DECK, SHORT_DECK_TRIPS
from gpuodds.tables.shipped.data_file import DATA_FOLDER, read_data
from gpuodds.tables.shipped.shipped import Shipped

if TYPE_CHECKING:
    import pyarrow as pa


class RandomTable(Shipped):
    """The table of a game. A starting hand has as many rows as there are numbers of opponents."""

    def __init__(self, name: str, game: Game) -> None:
        """Take the table's name and its game."""
        self.name, self.game = name, game
        self.max_opponents = game.max_players - 1
        self.data_file = DATA_FOLDER / f"{name.replace('-', '_')}.csv.gz"
        ties = (f"tie_{ties}" for ties in range(1, self.max_opponents + 1))
        self.header = ",".join(["hand,opponents,outcomes,win", *ties, "equity"])

    @cached_property
    def text(self) -> str:
        """The table as CSV text.

        Raises:
            ValueError: The file is not the one that was shipped.
        """
        import gzip

        text = gzip.decompress(read_data(self.data_file)).decode("ascii")
        if not text.startswith(self.header + "\n"):
            raise ValueError(
                f"{self.data_file}: not a {self.name} table of this version: its columns differ"
            )
        return text

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.splitlines()

    def counts(self, hole_cards: Sequence[int], opponents: int) -> list[int]:
        """Return the wins of a hand before the flop, and its ties with 1 to ``opponents`` others.

        >>> PREFLOP_RANDOM.counts((51, 50), 1)  # AsAh
        [1781508418, 11402312]
        """
        return self.counts_of(starting_hand(hole_cards), opponents)

    def counts_of(self, name: str, opponents: int) -> list[int]:
        """Return the same of a starting hand by its name.

        >>> PREFLOP_RANDOM.counts_of("AA", 1)
        [1781508418, 11402312]
        """
        text = self.text
        key = f"\n{name},{opponents},"
        begin = text.index(key) + len(key)
        fields = text[begin : text.index("\n", begin)].split(",")
        return [int(field) for field in fields[1 : opponents + 2]]

    def count_rows(self) -> int:
        """Return how many rows the file has."""
        return len(self._lines) - 1

    def read_row(self, row: int) -> dict[str, Any]:
        """Return a row by column, without the columns that are empty.

        >>> {name: PREFLOP_RANDOM.read_row(0)[name] for name in ("hand", "opponents", "win", "tie_1")}
        {'hand': 'AA', 'opponents': 1, 'win': 1781508418, 'tie_1': 11402312}
        """
        values = dict(zip(self.header.split(","), self._lines[row + 1].split(","), strict=True))
        hand, equity = values.pop("hand"), float(values.pop("equity"))
        counts = {column: int(value) for column, value in values.items() if value}
        return {"hand": hand, **counts, "equity": equity}

    def read_column(self, column: str) -> Any:
        """Return a column; counts have 128 bits, (n, 2), uint64, the lower half first."""
        import numpy as np

        values = [self.read_row(row).get(column, 0) for row in range(self.count_rows())]
        if column == "equity":
            return np.array(values)
        half = (1 << 64) - 1
        return np.array([(count & half, count >> 64) for count in values], np.uint64)

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table."""
        import pyarrow as pa

        from gpuodds.tables.shipped.arrow import schema_of_random

        rows = [self.read_row(row) for row in range(self.count_rows())]
        return pa.Table.from_pylist(rows, schema_of_random(self.max_opponents))


PREFLOP_RANDOM = RandomTable("preflop-random", HOLDEM)
SHORT_DECKS = [
    RandomTable(f"{game.name}-preflop-random", game) for game in (SHORT_DECK, SHORT_DECK_TRIPS)
]
RANDOM_TABLES: dict[Game, RandomTable] = {table.game: table for table in (PREFLOP_RANDOM, *SHORT_DECKS)}
"""By game."""


def preflop_counts(hole_cards: Sequence[int], opponents: int) -> list[int]:
    """Return the counts of a hand of hold'em: see :meth:`RandomTable.counts`."""
    return PREFLOP_RANDOM.counts(hole_cards, opponents)
