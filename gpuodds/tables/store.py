"""A table in a folder, to be read: rows by number, look-ups, whole columns.

Each shard is compared with its checksum before its first row is used. What is read from a folder is
data: nothing in it is ever executed. The manifest is :mod:`gpuodds.tables.files.manifest`'s, the shards
are
:mod:`gpuodds.tables.files.shards`'s, and which row answers a question is the layout's
(:mod:`gpuodds.tables.layouts`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.tables.files.folder import open_file
from gpuodds.tables.files.manifest import Manifest, PlainArray, build_command, read_manifest
from gpuodds.tables.files.plain_arrays import check_array
from gpuodds.tables.files.shards import read_shard
from gpuodds.tables.hands import Row
from gpuodds.tables.layouts.layout import Layout
from gpuodds.tables.take import shorten, take, take_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import pyarrow as pa

    from gpuodds.tables.files.clustering import Clustering

Cell = Callable[[int], Any]  # a value of a column, by row

SHARDS_KEPT = 32  # decoded, for the next look-up


class StoredTable:
    """A table in a folder, to be read. The last 32 shards that were read stay in memory.

    :func:`gpuodds.table` opens one by its name or folder.
    """

    folder: Path
    """The folder."""
    manifest: Manifest
    """The description of the folder, for gpuodds' own use."""
    layout: Layout
    """Which rows and columns the table has, for gpuodds' own use."""

    def __init__(self, folder: str | Path, *, part: bool = False) -> None:
        """Open a folder.

        Args:
            folder: Where the table was built.
            part: Accept a half-built table: the rows of its shards can be read.

        Raises:
            TableError: It holds no table, or a half-built one.
        """
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        self.layout = self.manifest.layout
        self._shards = self.layout.shards(self.manifest.opponents)
        self._starts = [span.start for span in self._shards]
        self._decoded: OrderedDict[int, tuple[pa.Table, dict[str, Cell]]] = OrderedDict()
        if not part:
            self.check_complete()

    def check_complete(self) -> None:
        """Refuse a half-built table.

        Raises:
            TableError: Shards are missing; the message has the command that builds the rest.
        """
        if not self.manifest.complete:
            raise TableError(f"{self._half_built()}: {self._command()} builds the rest")

    def _half_built(self) -> str:
        there = f"{len(self.manifest.shards)} of {len(self._shards)} shards"
        parts = len(self.manifest.parts)
        some = f" and {parts} parts of the others" if parts else ""
        return f"{self.folder}: half-built: {there}{some} are there"

    def _command(self, shard: int | None = None) -> str:
        return build_command(self.layout, self.opponents, self.folder, shard)

    @property
    def name(self) -> str:
        """The table's name."""
        return self.layout.name

    @property
    def clustering(self) -> Clustering:
        """The parameters and centres of a table of buckets, and what falls to each bucket.

        Raises:
            InputError: It is another table.
        """
        if self.manifest.clustering is None:
            raise InputError(f"table {self.name}: it has no buckets")
        return self.manifest.clustering

    @property
    def opponents(self) -> int:
        """The largest number of random opponents, 0 if the table has no such number."""
        return self.manifest.opponents

    @property
    def shards(self) -> list[range]:
        """The rows of each shard."""
        return self._shards

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.shards[-1].stop

    def read_shard(self, number: int) -> pa.Table:
        """Return the rows of a shard.

        Args:
            number: The shard, from 0.

        Raises:
            InputError: There is no shard of this number.
            TableError: It is damaged, or not built.
        """
        return self._read(number)[0]

    def _read(self, number: int) -> tuple[pa.Table, dict[str, Cell]]:
        if number in self._decoded:
            self._decoded.move_to_end(number)
            return self._decoded[number]
        if not _is_number(number, len(self._shards)):
            text = excerpt(str(number))
            raise InputError(f"{self.folder}: shard {text}: expected 0 to {len(self._shards) - 1}")
        if number not in self.manifest.shards:
            rows = self._shards[number]
            raise TableError(
                f"{self._half_built()}, but not shard {number} with rows {rows.start} to "
                f"{rows.stop - 1}: {self._command(number)} builds it"
            )
        table = read_shard(self.folder, self.manifest, number)
        cells = {name: _cells(table[name].combine_chunks()) for name in table.column_names}
        self._decoded[number] = table, cells
        if len(self._decoded) > SHARDS_KEPT:
            self._decoded.popitem(last=False)
        return table, cells

    def rows(self, rows: Iterable[int]) -> list[Row]:
        """Return rows as dictionaries, without the columns that have no value.

        Args:
            rows: Their numbers, from 0 to the number of rows less one.

        Raises:
            InputError: There is no row of a number.
            TableError: A shard is damaged, or not built.
        """
        rows_read = []
        for row in rows:
            if not _is_number(row, len(self)):
                raise InputError(
                    f"row {excerpt(str(row))}: expected 0 to {len(self) - 1} in table {self.name}"
                )
            number = bisect_right(self._starts, row) - 1
            place = row - self._starts[number]
            values = {name: cell(place) for name, cell in self._read(number)[1].items()}
            rows_read.append({name: value for name, value in values.items() if value is not None})
        return rows_read

    def lookup(self, *hands: Any, board: Any = "") -> list[Row]:
        """Return the rows of some hands.

        In tables of hands before the flop, AKs is a starting hand, and AK is AKs and AKo: counts go
        over all their combos that share no card. In tables of Omaha, AwAxKwKx is a starting hand, and
        AAKK ds or AAKK several.

        Args:
            hands: As many as the table compares, each as text or card numbers.
            board: The board's cards.

        Returns:
            Rows, as dictionaries of Python's integers, floats and strings.

        Raises:
            InputError: The table has no such row.
            TableError: A shard is damaged, or not built.
        """
        from gpuodds.spots.hands import read_cards

        named = [self.layout.read_hand(hand) for hand in hands]
        return self.layout.lookup(self, named, tuple(read_cards(board)))

    @property
    def columns(self) -> list[str]:
        """The names of all columns."""
        return self.layout.columns(self.opponents)

    def take(
        self, hands: Any, boards: Any = None, columns: Sequence[str] | None = None
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Return columns of the rows of many situations, from memory-mapped arrays.

        Hands are (n, 2) in tables of streets and ``preflop-random``; (n, 2, 2), two hands a situation,
        in ``preflop-heads-up``; (n, 3) names of starting hands in ``preflop-three-way``, the hero's
        first, and ``preflop-heads-up-folded``, the folded one last; (n, 4) or (n, 5) in tables of
        Omaha.

        Args:
            hands: Card numbers 0 to 51, any integer dtype, or cards as text.
            boards: Cards likewise, (n, 3) to (n, 5) by the table's street; None before the flop.
            columns: The names of the columns. Default: all.

        Returns:
            An array for each column, one entry a situation. Counts are int64, or Python's integers
            in an array of objects where they may pass 2^63; equities float64, histograms integers
            of shape (n, 50), shares against clusters float32 (n, 8), labels strings. In
            ``preflop-random`` arrays are (n, opponents). As seen by the hands that were given, as in
            :meth:`lookup`. Counts that :meth:`lookup` leaves out are 0, equities NaN.

        Raises:
            InputError: There is no such column, an array has another shape or dtype, or a situation is
                not in the table.
            TableError: The table is not complete, its arrays are damaged, or it has none.
        """
        return take(self, hands, boards, columns)

    def take_rows(
        self, rows: Any, columns: Sequence[str] | None = None
    ) -> dict[str, np.ndarray[Any, Any]]:
        """Return columns of rows by number: see :meth:`take`.

        Args:
            rows: Numbers from 0 to the number of rows less one, (n,), any integer dtype, in any order.
            columns: The names of the columns. Default: all.

        Returns:
            An array for each column, one entry a row.

        Raises:
            InputError: There is no such row or column.
            TableError: The table is not complete, its arrays are damaged, or it has none.
        """
        return take_rows(self, rows, columns)

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table.

        Raises:
            TableError: A shard is damaged, or not built.
        """
        import pyarrow as pa

        self.check_complete()
        return pa.concat_tables(
            [self.read_shard(number) for number in range(len(self.shards))], promote_options="default"
        ).unify_dictionaries()

    def array(self, column: str | None = None) -> np.memmap[Any, Any]:
        """Return the plain array of a whole column, memory-mapped, after comparing its checksums.

        A process compares them once, and again if the file changes.

        Args:
            column: Its name. Default: the first that is kept as a plain array.

        Returns:
            A NumPy array, read-only, with a value a row; (n,), of the smallest dtype that holds all
            counts; (n, 2) uint64, the lower half first, for counts of 128 bits; (n, 50) for histograms,
            (n, 8) for shares against clusters.

        Raises:
            InputError: The table has no such column, or has it not as an array.
            TableError: The table is not complete, or the array is damaged or missing.
        """
        import numpy as np

        self.check_complete()
        array = self._plain_array(column)
        path = self.folder / array.file
        try:
            with open_file(path) as file:
                check_array(path, array, file, f"{self._command()} makes it again")
                return np.memmap(file, np.dtype(array.dtype), "r")
        except OSError as error:
            raise TableError(f"{path}: {error.strerror}: {self._command()} makes it again") from None

    def _plain_array(self, column: str | None) -> PlainArray:
        wanted = self.layout.arrays(self.opponents)
        name = next(iter(wanted)) if column is None else column
        if name not in wanted:
            names = shorten(list(wanted))
            raise InputError(
                f"array {excerpt(str(name))}: expected one of {names} in table {self.name}"
            )
        arrays = {array.column: array for array in self.manifest.arrays}
        if name not in arrays:
            raise TableError(
                f"{self.folder}: built without an array of column {name}: {self._command()} adds it, "
                "without counting again"
            )
        return arrays[name]


def _is_number(number: Any, below: int) -> bool:
    return hasattr(number, "__index__") and not isinstance(number, bool) and 0 <= number < below


def _cells(column: pa.Array) -> Cell:
    """Return what gives a column's values by row, as Python's, without a detour through Arrow."""
    import numpy as np
    import pyarrow as pa

    kind = column.type
    if column.null_count or pa.types.is_string(kind):
        return column.to_pylist().__getitem__ if not pa.types.is_decimal(kind) else _decimals(column)
    if pa.types.is_decimal(kind):
        return _decimals(column)
    if pa.types.is_dictionary(kind):
        names, places = column.dictionary.to_pylist(), column.indices.to_numpy()
        return lambda row: names[places[row]]
    if pa.types.is_fixed_size_list(kind):
        lists = column.flatten().to_numpy().reshape(len(column), -1)
        return lambda row: lists[row].tolist()
    values: Any = np.asarray(column)
    return lambda row: values.item(row)


def _decimals(column: pa.Array) -> Cell:
    import numpy as np

    halves = np.frombuffer(column.buffers()[1], "<u8").reshape(-1, 2)
    valid = np.asarray(column.is_valid())
    first = column.offset

    def cell(row: int) -> int | None:
        low, high = halves[first + row].tolist()
        return low | high << 64 if valid[row] else None

    return cell
