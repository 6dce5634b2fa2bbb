"""The rows of a table: how many, how they are cut into shards, and which answers a question.

A layout counts nothing: a table on disk is read with its layout alone. What counts the rows is the
table's :class:`gpuodds.table_building.kinds.kind.Kind`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from gpuodds.games.game import Game
from gpuodds.tables.hands import Cards, Hand, Row, read_hand

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

MAX_INT64 = (1 << 63) - 1


class Rows(Protocol):
    """A table whose rows can be read by number."""

    @property
    def opponents(self) -> int:
        """The largest number of random opponents."""
        ...

    def rows(self, rows: range) -> list[Row]:
        """Return rows as dictionaries."""
        ...


class Found(NamedTuple):
    """The rows of many situations."""

    rows: Ints
    """A situation's row, (n,), or its row for each number of opponents, (n, opponents)."""
    swapped: npt.NDArray[np.bool_] | None = None
    """Whether the row has the hands in another order, (n,): see :attr:`Layout.swaps`."""
    labels: dict[str, Any] = {}  # noqa: RUF012
    """Columns of text that name the hands as they were given, not as the row has them."""


class Layout(ABC):
    """The rows of one table, numbered from 0. A shard is a range of rows, counted on its own.

    ``max_opponents`` is how many random opponents a build can ask for, 0 if the table has no such
    number; ``default_opponents`` is how many it has by default.
    """

    name: str
    about: str
    game: Game
    max_opponents: int = 0
    default_opponents: int = 0
    labels: ClassVar[tuple[str, ...]] = ()
    """The columns that follow from the number of a row, such as its hand: see :meth:`label`."""
    has_buckets: ClassVar[bool] = False
    """Whether hands are put into buckets, by a clustering that the manifest has."""
    swaps: ClassVar[dict[str, str]] = {}
    """Of a row whose hands are in another order than asked for: the column to take, by column."""

    @abstractmethod
    def shards(self, opponents: int) -> list[range]:
        """Return the rows of each shard, in order."""

    @abstractmethod
    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of hands on a board.

        Raises:
            InputError: The table has no such rows.
        """

    @abstractmethod
    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of many situations, each a single deal as :meth:`find` has it.

        Raises:
            InputError: An array has another shape or dtype, a card is no card or repeated.
        """

    @abstractmethod
    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes, by column, of the plain arrays, which may be memory-mapped.

        They are all columns but :attr:`labels`. :data:`gpuodds.tables.files.manifest.DTYPES` has the
        dtypes.
        """

    @abstractmethod
    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return a column of :attr:`labels` for some rows, of the shape of ``rows``."""

    def absent(self, column: str, rows: range, opponents: int) -> Any:
        """Return in which rows of a shard a column has no value.

        Returns:
            True or False, for all rows or as an array; None where any row may lack it.
        """
        return False

    def read_hand(self, hand: Any) -> Hand:
        """Return a hand from what a caller gives to look up.

        Raises:
            InputError: It is no hand.
        """
        return read_hand(hand)

    def columns(self, opponents: int) -> list[str]:
        """Return the names of all columns."""
        return [*self.labels, *self.arrays(opponents)]

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


def dtype_of(largest: int) -> str:
    """Return the dtype of the plain array of a count, from the largest that it can be."""
    if largest < 1 << 32:
        return "<u4"
    return "<i8" if largest <= MAX_INT64 else "(2,)<u8"


def expect_no_board(table: str, boards: Any) -> None:
    """Refuse boards in a look-up before the flop.

    Raises:
        InputError: There are boards with cards.
    """
    import numpy as np

    from gpuodds.errors import InputError

    if boards is not None and np.size(boards):
        raise InputError(f"table {table}: expected no boards")
