"""Open a table by its name, as it ships or was built, or by its folder."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.tables.files.locate import BUILT, find_table, is_table, table_folders
from gpuodds.tables.hands import Row
from gpuodds.tables.layouts.catalog import find_layout
from gpuodds.tables.layouts.layout import Layout
from gpuodds.tables.shipped.catalog import shipped_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa

    from gpuodds.tables.store import StoredTable

SHIPPED = tuple(shipped_tables())
NEEDS_ARROW = "tables: pyarrow and filelock are not installed: pip install 'gpuodds[tables]'"


class ShippedTable:
    """A table from the package: looked up without pyarrow.

    Args:
        name: The table's name, such as ``"preflop-random"``.

    Example:
        >>> table("preflop-random").lookup("AsKs")[2]["win"]
        104924135261847
    """

    name: str
    """The table's name."""
    layout: Layout
    """Which rows and columns the table has, for gpuodds' own use."""
    opponents: int
    """The largest number of random opponents, 0 if the table has no such number."""

    def __init__(self, name: str) -> None:
        """Open a shipped table by name."""
        self.name = name
        self._data = shipped_tables()[name]
        self._columns: dict[str, np.ndarray[Any, Any]] = {}
        self.layout = find_layout(name)
        self.opponents = self.layout.default_opponents

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.layout.row_count(self.opponents)

    def rows(self, rows: range) -> list[Row]:
        """Return rows as dictionaries, without the columns that have no value.

        Args:
            rows: Their numbers, from 0 to the number of rows less one.
        """
        return [self._data.read_row(row) for row in rows]

    def lookup(self, *hands: Any, board: Any = "") -> list[Row]:
        """Return the rows of some hands: see :meth:`gpuodds.tables.StoredTable.lookup`.

        Args:
            hands: As many as the table compares, each as text or card numbers.
            board: No cards: tables that ship are of hands before the flop.

        Raises:
            InputError: The table has no such row.
        """
        from gpuodds.spots.hands import read_cards

        named = [self.layout.read_hand(hand) for hand in hands]
        return self.layout.lookup(self, named, tuple(read_cards(board)))

    @property
    def columns(self) -> list[str]:
        """The names of the columns of :meth:`take`."""
        return self.layout.columns(self.opponents)

    def take(
        self, hands: Any, boards: Any = None, columns: Sequence[str] | None = None
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Return columns of many situations: see :meth:`gpuodds.tables.StoredTable.take`.

        Args:
            hands: Card numbers, any integer dtype, or cards as text, in the shape that the table has.
            boards: None: tables that ship are of hands before the flop.
            columns: The names of the columns. Default: all.

        Raises:
            InputError: There is no such column, an array has another shape or dtype, or a card is
                repeated.

        Example:
            >>> hands = [[["As", "Ks"], ["Qh", "Qd"]], [["Qh", "Qd"], ["As", "Ks"]]]
            >>> table("preflop-heads-up").take(hands, columns=["win_a"])
            {'win_a': array([787966, 917606])}
        """
        from gpuodds.tables.take import take

        return take(self, hands, boards, columns)

    def take_rows(
        self, rows: Any, columns: Sequence[str] | None = None
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Return columns of rows by number: see :meth:`gpuodds.tables.StoredTable.take_rows`.

        Args:
            rows: Their numbers, shape (n,), any integer dtype.
            columns: The names of the columns. Default: all.

        Raises:
            InputError: There is no such row or column.
        """
        from gpuodds.tables.take import take_rows

        return take_rows(self, rows, columns)

    def array(self, column: str) -> np.ndarray[Any, Any]:
        """Return a whole column from memory: see :meth:`gpuodds.tables.StoredTable.array`.

        Args:
            column: Its name.
        """
        if column not in self._columns:
            self._columns[column] = self._data.read_column(column)
        return self._columns[column]

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table, with the columns that a build has."""
        return self._data.to_arrow()


def table(name: str | Path) -> ShippedTable | StoredTable:
    """Open a table by its name, or by the folder that holds it.

    Args:
        name: The name of a table that ships or was built (``"preflop-random"``), or a folder. Built
            tables are looked for in the folder ``GPUODDS_TABLES``, then in
            ``$XDG_DATA_HOME/gpuodds/tables`` (``~/.local/share/gpuodds/tables``).

    Returns:
        The table. The finished shards of a half-built one can be looked up.

    Raises:
        InputError: There is no such table.
        TableError: The folder holds no table, or a damaged one.

    Example:
        >>> import gpuodds
        >>> row = gpuodds.table("preflop-heads-up").lookup("AsKs", "QhQd")[0]
        >>> row["win_a"], row["win_b"], row["tie"]
        (787966, 917606, 6732)
    """
    if not isinstance(name, (str, PathLike)):
        raise InputError(f"table {shown(name)}: expected a name or a folder")
    if isinstance(name, str) and name in SHIPPED:
        return ShippedTable(name)
    return open_table(locate(name, (*SHIPPED, *BUILT)), str(name))


def locate(name: str | Path, names: Sequence[str] = BUILT) -> Path:
    """Return the folder of a built table.

    Args:
        name: The folder, or the table's name.
        names: The names to list in the error.

    Raises:
        InputError: There is none; for a table that can be built, the message has the places searched
            and the command that builds it.
    """
    folder = Path(name)
    if str(name) in BUILT and not is_table(folder):
        of_name = find_table(str(name))
        if of_name is not None:
            return of_name
        if not isdir(folder):  # also false for a name that is too long
            places = " or ".join(str(place / name) for place in [Path(), *table_folders()])
            street, _, buckets = str(name).partition("-")
            command = f"table build {name}"
            if buckets == "buckets":
                command = f"abstraction build --street {street} --buckets N"
            raise InputError(
                f"table {name}: it does not ship, and there is no {places}: build it: gpuodds "
                f"{command}; or name its folder"
            )
    if not isdir(folder):  # also false for a name that is too long
        from gpuodds.tables.take import shorten

        known = shorten(list(names))
        raise InputError(f"table {excerpt(str(name))}: expected a folder or one of {known}")
    return folder


def open_table(folder: Path, name: str) -> StoredTable:
    """Open a table in a folder, complete or half-built.

    Args:
        folder: The folder.
        name: What the user asked for. If it is the name of a table, the folder must hold this one.

    Raises:
        TableError: The folder holds no table, or another one.
        InputError: pyarrow or filelock is not installed.
    """
    need_arrow()
    from gpuodds.tables.store import StoredTable

    opened = StoredTable(folder, part=True)
    if name in BUILT and opened.name != name:
        raise TableError(f"{folder}: it holds {opened.name}, expected {name}")
    return opened


def has_arrow() -> bool:
    """Return whether the packages that built tables need are installed."""
    return find_spec("pyarrow") is not None and find_spec("filelock") is not None


def need_arrow() -> None:
    """Refuse to continue without the packages that built tables need.

    Raises:
        InputError: One is not installed; the message has the command that installs it.
    """
    if not has_arrow():
        raise InputError(NEEDS_ARROW)
