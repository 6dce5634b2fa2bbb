"""The rows of a table: how many, how they are cut into shards, and which answers a question.

A layout counts nothing: a table on disk is read with its layout alone. What counts the rows is the
table's :class:`gpuodds.tables.kinds.kind.Kind`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol

from gpuodds.tables.hands import Cards, Hand, Row


class Rows(Protocol):
    """A table whose rows can be read by number."""

    @property
    def opponents(self) -> int:
        """The largest number of random opponents."""

    def rows(self, rows: range) -> list[Row]:
        """Return rows as dictionaries."""


class Layout(ABC):
    """The rows of one table, numbered from 0. A shard is a range of rows, counted on its own.

    ``max_opponents`` is how many random opponents a build can ask for, 0 if the table has no such
    number; ``default_opponents`` is how many it has by default.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    max_opponents: ClassVar[int] = 0
    default_opponents: ClassVar[int] = 0
    arrays: ClassVar[dict[str, str]] = {}
    """The dtypes, by column, of columns that are also kept as plain arrays, to be memory-mapped."""

    @abstractmethod
    def shards(self, opponents: int) -> list[range]:
        """Return the rows of each shard, in order."""

    @abstractmethod
    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of hands on a board.

        Raises:
            InputError: The table has no such rows.
        """

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the rows of hands on a board; here, each hand is a single combo.

        Raises:
            InputError: The table has no such rows, or a hand is a starting hand.
        """
        return self.lookup_combos(table, [hand.cards(self.name) for hand in hands], board)

    def lookup_combos(self, table: Rows, combos: list[Cards], board: Cards) -> list[Row]:
        """Return the rows of combos on a board, as seen by these combos."""
        rows = table.rows(self.find(combos, board, table.opponents))
        return [self.orient(row, combos) for row in rows]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Return a row as seen by the hands that were asked for: rows keep one order of the hands."""
        return row

    def row_count(self, opponents: int) -> int:
        """Return how many rows the whole table has."""
        return self.shards(opponents)[-1].stop
