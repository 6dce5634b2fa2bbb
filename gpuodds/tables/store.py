"""A table in a folder: shards in Parquet, and a manifest that lists which of them are whole.

A shard is written under another name, flushed, and moved to its place; then the manifest is, likewise.
So a build that is killed at any moment leaves the shards that its manifest lists, each with its
checksum, and nothing that a reader could take for one of them. What is read from a folder is data:
nothing in it is ever executed. The manifest is :mod:`gpuodds.tables.manifest`'s, the folder's files are
:mod:`gpuodds.tables.folder`'s.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.tables.folder import open_file, read_file
from gpuodds.tables.kinds.kind import Kind
from gpuodds.tables.manifest import BLOCK, Manifest, PlainArray, build_command, read_manifest

if TYPE_CHECKING:
    import pyarrow as pa

Cell = Callable[[int], Any]  # a value of a column, by row

SHARDS_KEPT = 32  # decoded, for the next look-up


def encode(table: pa.Table) -> bytes:
    """Return a shard as the bytes of a Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = pa.BufferOutputStream()
    # Row numbers run on: their differences take next to nothing.
    packed = {"row": "DELTA_BINARY_PACKED"} if "row" in table.column_names else None
    pq.write_table(
        table,
        buffer,
        compression="zstd",
        row_group_size=len(table),
        column_encoding=packed,
        use_dictionary=[name for name in table.column_names if name != "row"],
    )
    return bytes(buffer.getvalue())


def decode(data: bytes) -> pa.Table:
    """Return the table that the bytes of a Parquet file hold."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # In this thread alone: Arrow's threads abort now and then when the process ends.
    with pq.ParquetFile(pa.BufferReader(data), pre_buffer=False) as file:
        return file.read(use_threads=False)


def compute_shard(kind: Kind, number: int, opponents: int, backend: str) -> bytes:
    """Count a shard; return it as the bytes of a Parquet file."""
    from gpuodds.backends.choice import choose_backend

    rows = kind.shards(opponents)[number]
    table = kind.compute(rows, opponents, choose_backend(backend))
    if len(table) != len(rows):
        raise TableError(f"{kind.name}: shard {number}: {len(table)} rows, expected {len(rows)}")
    return encode(table)


class StoredTable:
    """A table in a folder, to be read.

    Each shard's checksum is compared before its first row is used. Shards that were read stay in
    memory, the last 32 of them.
    """

    def __init__(self, folder: str | Path, *, part: bool = False) -> None:
        """Open a folder.

        Args:
            folder: Where the table was built.
            part: Take a table of which only some shards are there, too: their rows can be read.

        Raises:
            TableError: It holds no table, or none that is complete.
        """
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        self._shards = self.manifest.kind.shards(self.manifest.opponents)
        self._starts = [span.start for span in self._shards]
        self._decoded: OrderedDict[int, tuple[pa.Table, dict[str, Cell]]] = OrderedDict()
        if not part:
            self.check_complete()

    def check_complete(self) -> None:
        """Refuse a table of which only some shards are there.

        Raises:
            TableError: It is one; the message has the command that builds the rest.
        """
        if not self.manifest.complete:
            raise TableError(f"{self._half_built()}: {self._command()} builds the rest")

    def _half_built(self) -> str:
        there = len(self.manifest.shards)
        return f"{self.folder}: half-built: {there} of {len(self._shards)} shards are there"

    def _command(self, shard: int | None = None) -> str:
        return build_command(self.kind, self.opponents, self.folder, shard)

    @property
    def kind(self) -> Kind:
        """The kind of table."""
        return self.manifest.kind

    @property
    def name(self) -> str:
        """The table's name."""
        return self.manifest.kind.name

    @property
    def opponents(self) -> int:
        """The most random opponents, 0 where that makes no sense."""
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
            found = excerpt(str(number))
            raise InputError(f"{self.folder}: shard {found}: expected 0 to {len(self._shards) - 1}")
        if number not in self.manifest.shards:
            rows = self._shards[number]
            raise TableError(
                f"{self._half_built()}, but not shard {number} with rows {rows.start} to "
                f"{rows.stop - 1}: {self._command(number)} builds it"
            )
        table = read_checked(self.folder, self.manifest, number)
        cells = {name: _cells(table[name].combine_chunks()) for name in table.column_names}
        self._decoded[number] = table, cells
        if len(self._decoded) > SHARDS_KEPT:
            self._decoded.popitem(last=False)
        return table, cells

    def rows(self, rows: Iterable[int]) -> list[dict[str, Any]]:
        """Return rows as dictionaries, columns that have no value left out.

        Args:
            rows: Their numbers, from 0 to the number of rows less one.

        Raises:
            InputError: A number is no row's.
            TableError: A shard is damaged, or not built.
        """
        from bisect import bisect_right

        found = []
        for row in rows:
            if not _is_number(row, len(self)):
                raise InputError(
                    f"row {excerpt(str(row))}: expected 0 to {len(self) - 1} in table {self.name}"
                )
            number = bisect_right(self._starts, row) - 1
            place = row - self._starts[number]
            values = {name: cell(place) for name, cell in self._read(number)[1].items()}
            found.append({name: value for name, value in values.items() if value is not None})
        return found

    def lookup(self, *hands: Any, board: Any = "") -> list[dict[str, Any]]:
        """Look up what the table has of some hands.

        Hands and board are cards as text or numbers; one hand, or as many as the table compares. In
        tables of hands before the flop, AKs is a starting hand, and AK is AKs and AKo: counts go over
        all their combos that share no card. Returns its rows, as dictionaries of Python's integers,
        floats and strings.

        Raises:
            InputError: The table has no such row.
        """
        from gpuodds.spots.spot import read_cards
        from gpuodds.tables.hands import read_hand

        given = [read_hand(hand) for hand in hands]
        return self.kind.lookup(self, given, tuple(read_cards(board)))

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

    def array(self, column: str | None = None) -> Any:
        """Map the plain array of a whole column into memory, once its checksums were compared.

        They are compared again where the file changed since this process did.

        Args:
            column: Its name; by default the first that is kept as a plain array.

        Returns:
            A NumPy array, read-only, with a value a row.

        Raises:
            TableError: The table has none, is not complete, or the array is damaged.
        """
        import numpy as np

        self.check_complete()
        arrays = {array.column: array for array in self.manifest.arrays}
        if not arrays or (column is not None and column not in arrays):
            what = "" if column is None else f": column {excerpt(column)}"
            raise TableError(f"{self.folder}: table {self.name} is not kept as a plain array{what}")
        array = arrays[column] if column else self.manifest.arrays[0]
        path = self.folder / array.file
        try:
            with open_file(path) as file:
                check_array(path, array, file, f"{self._command()} makes it again")
                return np.memmap(file, np.dtype(array.dtype), "r")
        except OSError as error:
            raise TableError(f"{path}: {error.strerror}: {self._command()} makes it again") from None


def _is_number(number: Any, below: int) -> bool:
    return hasattr(number, "__index__") and not isinstance(number, bool) and 0 <= number < below


_CHECKED: set[tuple[Any, ...]] = set()  # plain arrays that this process compared


def check_array(path: Path, array: PlainArray, file: Any, remedy: str) -> None:
    """Compare a plain array with its checksums, unless this process did and the file is unchanged.

    Raises:
        TableError: It is damaged; the message has the rows and the remedy.
        OSError: It cannot be read.
    """
    found = os.fstat(file.fileno())
    key = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, array)
    if key in _CHECKED:
        return
    width = int(array.dtype[-1])
    if found.st_size != width * array.rows:
        raise TableError(
            f"{path}: damaged: it has {found.st_size} bytes, expected {width * array.rows}: {remedy}"
        )
    for number, checksum in enumerate(array.sha256):
        if hashlib.sha256(file.read(BLOCK)).hexdigest() != checksum:
            first = number * BLOCK // width
            last = min(first + BLOCK // width, array.rows) - 1
            raise TableError(
                f"{path}: damaged: rows {first} to {last} differ from their checksum: {remedy}"
            )
    _CHECKED.add(key)


def read_checked(folder: Path, manifest: Manifest, number: int) -> pa.Table:
    """Read a shard, its bytes compared with their checksum, its rows with those it must have.

    Raises:
        TableError: It is damaged.
    """
    shard = manifest.shards[number]
    table = decode(read_bytes(folder, manifest, number))
    if len(table) != shard.rows:
        path = folder / shard.file
        raise TableError(f"{path}: shard {number}: {len(table)} rows, expected {shard.rows}")
    return table


def read_bytes(folder: Path, manifest: Manifest, number: int) -> bytes:
    """Read the bytes of a shard, compared with their checksum.

    Raises:
        TableError: They are damaged.
    """
    shard = manifest.shards[number]
    path = folder / shard.file
    try:
        data = read_file(path)
    except OSError as error:
        raise TableError(f"{path}: shard {number}: {error.strerror}") from None
    if hashlib.sha256(data).hexdigest() != shard.sha256:
        raise TableError(f"{path}: shard {number} is damaged: its checksum is another")
    return data


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
