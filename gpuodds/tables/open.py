"""Open a table by its name, as it ships or was built, or by its folder."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.arguments import shown
from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.tables.locate import BUILT, find_table, is_table, table_folders

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from gpuodds.tables.hands import Hand
    from gpuodds.tables.store import StoredTable

SHIPPED = ("preflop-random", "preflop-heads-up")
NEEDS_ARROW = "tables: pyarrow and filelock are not installed: pip install 'gpuodds[tables]'"


class ShippedTable:
    """``preflop-random`` or ``preflop-heads-up``, from the package: looked up without pyarrow.

    >>> table("preflop-random").lookup("AsKs")[2]["win"]
    104924135261847
    """

    def __init__(self, name: str) -> None:
        """Open a shipped table by name."""
        self.name = name
        self.opponents = 22 if name == "preflop-random" else 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return 169 * 22 if self.name == "preflop-random" else 47_008

    def lookup(self, *hands: Any, board: Any = "") -> list[dict[str, Any]]:
        """Look up what the table has of some hands: see :meth:`StoredTable.lookup`.

        Raises:
            InputError: The table has no such row.
        """
        from gpuodds.spots.spot import read_cards
        from gpuodds.tables.hands import add_pairs, add_random, read_hand

        given = [read_hand(hand) for hand in hands]
        wanted = 1 if self.name == "preflop-random" else 2
        if len(given) != wanted or read_cards(board):
            words = "one hand" if wanted == 1 else "two hands"
            raise InputError(f"table {self.name}: expected {words} and no board")
        if wanted == 1:
            return add_random(given[0], _random_rows)
        if any(hand.classes for hand in given):
            return [add_pairs(given[0], given[1], _counts)]
        return [_pair_row(given[0], given[1])]

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table, with the columns that a build has."""
        import pyarrow as pa

        if self.name == "preflop-random":
            from gpuodds.games.holdem.starting_hands import starting_hands
            from gpuodds.tables.kinds.preflop import schema_of_random

            rows = [row for name in starting_hands() for row in _random_rows(name)]
            return pa.Table.from_pylist(rows, schema_of_random(22))
        from gpuodds.tables.kinds.preflop import pairs_table
        from gpuodds.tables.shipped.preflop_heads_up import read_table

        return pairs_table(*read_table())


def _random_rows(name: str) -> list[dict[str, Any]]:
    from gpuodds.tables.shipped.preflop_random import table_text

    text = table_text()
    header = text[: text.index("\n")].split(",")
    begin = text.index(f"\n{name},1,") + 1
    rows = []
    for line in text[begin:].split("\n", 22)[:22]:
        values = dict(zip(header, line.split(","), strict=True))
        row: dict[str, Any] = {"hand": values.pop("hand"), "opponents": int(values.pop("opponents"))}
        equity = float(values.pop("equity"))
        row |= {column: int(value) for column, value in values.items() if value}
        rows.append(row | {"equity": equity})
    return rows


def _pair_row(one: Hand, two: Hand) -> dict[str, Any]:
    win_a, win_b, tie = _counts(one.combos[0], two.combos[0])
    return {"hand_a": one.name, "hand_b": two.name, "win_a": win_a, "win_b": win_b, "tie": tie}


def _counts(one: tuple[int, ...], two: tuple[int, ...]) -> tuple[int, int, int]:
    from gpuodds.tables.shipped.preflop_heads_up import pair_counts

    return pair_counts((one[0], one[1]), (two[0], two[1]))


def table(name: str | Path) -> ShippedTable | StoredTable:
    """Open a table by its name, or by the folder that holds it.

    Args:
        name: ``preflop-random`` or ``preflop-heads-up``, which ship; a folder; or the name of a built
            table, which is looked for in the folder that ``GPUODDS_TABLES`` names, then in
            ``$XDG_DATA_HOME/gpuodds/tables`` (``~/.local/share/gpuodds/tables``).

    Returns:
        The table. Of a half-built one, the rows that are there can be looked up.

    Raises:
        InputError: There is no such table; a :class:`TableError` if a folder holds none.

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
    """Return the folder of a table, given as such or by the name of a built table.

    Args:
        name: The folder or the name.
        names: What may be given besides a folder, for the error.

    Raises:
        InputError: There is none; of a table that can be built, the message has the places where it was
            looked for and the command that builds it.
    """
    folder = Path(name)
    if str(name) in BUILT and not is_table(folder):
        found = find_table(str(name))
        if found is not None:
            return found
        if not folder.is_dir():
            places = " or ".join(str(place / name) for place in [Path(), *table_folders()])
            raise InputError(
                f"table {name}: it does not ship, and there is no {places}: build it: gpuodds table "
                f"build {name}; or name its folder"
            )
    if not folder.is_dir():
        raise InputError(f"table {excerpt(str(name))}: expected a folder or one of {', '.join(names)}")
    return folder


def open_table(folder: Path, name: str) -> StoredTable:
    """Open a table in a folder, whole or in part.

    Args:
        folder: The folder.
        name: What was asked for. If that is the name of a table, the folder must hold this one.

    Raises:
        TableError: The folder holds no table, or another one.
        InputError: pyarrow or filelock is not installed.
    """
    need_arrow()
    from gpuodds.tables.store import StoredTable

    found = StoredTable(folder, part=True)
    if name in BUILT and found.name != name:
        raise TableError(f"{folder}: it holds {found.name}, expected {name}")
    return found


def has_arrow() -> bool:
    """Tell whether the packages that built tables need are installed."""
    return find_spec("pyarrow") is not None and find_spec("filelock") is not None


def need_arrow() -> None:
    """Refuse to go on without the packages that built tables need.

    Raises:
        InputError: One is not installed; the message has the command that installs it.
    """
    if not has_arrow():
        raise InputError(NEEDS_ARROW)
