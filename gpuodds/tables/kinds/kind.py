"""What a table is: a kind knows its rows, how they are cut into shards, counted and checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    import pyarrow as pa

    from gpuodds.backends.protocol import Backend
    from gpuodds.tables.hands import Hand

Cards = tuple[int, ...]


class BuiltTable(Protocol):
    """A table that is there, to be checked: see :class:`gpuodds.tables.store.StoredTable`."""

    folder: Path

    @property
    def opponents(self) -> int:
        """The most random opponents."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def read_shard(self, number: int) -> pa.Table:
        """Return the rows of a shard."""

    def rows(self, rows: range) -> list[dict[str, Any]]:
        """Return rows as dictionaries."""


class Kind(ABC):
    """One of the tables. Its rows are numbered; a shard is a range of them, counted on its own.

    ``most_opponents`` is how many random opponents a build can ask for, 0 where that makes no sense;
    ``usual_opponents`` what it has if nothing is said.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    most_opponents: ClassVar[int] = 0
    usual_opponents: ClassVar[int] = 0
    arrays: ClassVar[dict[str, str]] = {}
    """The dtypes of columns that are also kept as plain arrays, to be mapped into memory, by name."""
    memory: ClassVar[float] = 0.5
    """About how many GB a worker takes while it counts."""

    @abstractmethod
    def shards(self, opponents: int) -> list[range]:
        """Cut the rows into shards, in order."""

    @abstractmethod
    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count the rows of a shard.

        Raises:
            TableError: What was counted breaks a law that it must keep.
        """

    @abstractmethod
    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes on two cores of a present-day CPU."""

    @abstractmethod
    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes, plain arrays included."""

    @abstractmethod
    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of hands on a board.

        Raises:
            InputError: There are none in this table.
        """

    def lookup(self, table: BuiltTable, hands: list[Hand], board: Cards) -> list[dict[str, Any]]:
        """Return what a table has of hands on a board; the rows are of single combos.

        Raises:
            InputError: There are no such rows, or a starting hand is named.
        """
        cards = [hand.cards(self.name) for hand in hands]
        rows = table.rows(self.find(cards, board, table.opponents))
        return [self.orient(row, cards) for row in rows]

    def orient(self, row: dict[str, Any], hands: list[Cards]) -> dict[str, Any]:
        """Return a row that was looked up as seen by the hands that were asked for."""
        return row

    @abstractmethod
    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count some columns of a row by another method than :meth:`compute`."""

    def laws(self, table: BuiltTable) -> Iterator[str]:
        """Check what all rows together must keep; yield what does.

        Raises:
            TableError: Something does not.
        """
        yield from ()

    def rows(self, opponents: int) -> int:
        """Return how many rows there are."""
        return self.shards(opponents)[-1].stop
