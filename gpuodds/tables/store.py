"""A table in a folder: shards in Parquet, and a manifest that says which of them are whole.

A shard is written beside its place, flushed, and moved there; then the manifest is, likewise. So a
build that is killed at any moment leaves the shards that its manifest lists, each with its checksum,
and nothing that a reader could take for one of them. What is read from a folder is data: nothing in it
is ever executed.

``manifest.json`` is one object:

    schema     "gpuodds.table/1"
    table      the table's name
    opponents  the most random opponents, 0 where that makes no sense
    engine     the version of gpuodds that built it
    rows       how many rows the whole table has
    state      "building" or "complete"
    shards     [file, first (row), rows, sha256], those that are there, in order
    array      null, or [file, column, dtype], all rows of a column in a row, complete tables only
    checksum   the SHA-256 of this object as JSON, itself left out
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuodds._version import __version__
from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.tables.catalog import find_kind
from gpuodds.tables.kind import Kind

if TYPE_CHECKING:
    import pyarrow as pa

Cell = Callable[[int], Any]  # a value of a column, by row

SCHEMA = "gpuodds.table/1"
MANIFEST = "manifest.json"
LOCK = "lock"
LONGEST_MANIFEST = 1 << 20
SHARDS_KEPT = 32  # decoded, for the next look-up
SHA256 = 64  # hexadecimal digits


@dataclass(frozen=True)
class Shard:
    """A finished shard: its file, its rows and the checksum of its bytes."""

    file: str
    first: int
    rows: int
    sha256: str


@dataclass
class Manifest:
    """What a folder holds."""

    kind: Kind
    opponents: int
    engine: str = __version__
    complete: bool = False
    shards: dict[int, Shard] = field(default_factory=dict)
    """By number, which is the place in ``kind.shards(opponents)``."""

    def to_bytes(self) -> bytes:
        """Return the manifest as it is written: the same for the same shards, however built."""
        shards = [
            {"file": shard.file, "first": shard.first, "rows": shard.rows, "sha256": shard.sha256}
            for _, shard in sorted(self.shards.items())
        ]
        array = None
        if self.complete and self.kind.array:
            array = {"file": array_file(self.kind), "column": self.kind.array, "dtype": "<u2"}
        content: dict[str, Any] = {
            "schema": SCHEMA,
            "table": self.kind.name,
            "opponents": self.opponents,
            "engine": self.engine,
            "rows": self.kind.rows(self.opponents),
            "state": "complete" if self.complete else "building",
            "shards": shards,
            "array": array,
        }
        content["checksum"] = hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()
        return (json.dumps(content, indent=1) + "\n").encode("ascii")


def array_file(kind: Kind) -> str:
    """Return the name of the file that holds a column as a plain array."""
    return f"{kind.array}.u16"


def shard_file(number: int) -> str:
    """Return the name of a shard's file."""
    return f"{number:05d}.parquet"


def read_manifest(folder: Path) -> Manifest:
    """Read a folder's manifest, and believe nothing in it that does not fit.

    Raises:
        TableError: There is none, or it is damaged, of another schema or of another table.
    """
    path = folder / MANIFEST
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST_MANIFEST + 1)
    except FileNotFoundError:
        raise TableError(f"{folder}: no table: there is no {MANIFEST}") from None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from None
    if len(data) > LONGEST_MANIFEST:
        raise TableError(f"{path}: damaged: it has more than {LONGEST_MANIFEST} bytes")
    try:
        content = json.loads(data.decode("ascii"))
    except (ValueError, RecursionError):
        raise TableError(f"{path}: damaged: it is no JSON") from None
    if not isinstance(content, dict) or content.get("schema") != SCHEMA:
        found = excerpt(str(content.get("schema") if isinstance(content, dict) else content))
        raise TableError(f"{path}: expected schema {SCHEMA}, found {found}")
    name, opponents = content.get("table"), content.get("opponents")
    try:
        kind = find_kind(str(name))
    except InputError as error:
        raise TableError(f"{path}: {error}") from None
    least = 1 if kind.most_opponents else 0
    if type(opponents) is not int or not least <= opponents <= kind.most_opponents:
        raise TableError(f"{path}: damaged: opponents {excerpt(str(opponents))}")
    engine, state = content.get("engine"), content.get("state")
    if not isinstance(engine, str) or state not in ("building", "complete"):
        raise TableError(f"{path}: damaged: engine or state is missing")
    manifest = Manifest(kind, opponents, engine, state == "complete")
    spans = {span.start: number for number, span in enumerate(kind.shards(opponents))}
    entries = content.get("shards")
    if not isinstance(entries, list):
        raise TableError(f"{path}: damaged: no list of shards")
    for entry in entries:
        first = entry.get("first") if isinstance(entry, dict) else None
        number = spans.get(first) if type(first) is int else None
        if number is None or number in manifest.shards:
            raise TableError(f"{path}: damaged: shard {excerpt(json.dumps(entry))}")
        rows = len(kind.shards(opponents)[number])
        sha256 = entry.get("sha256")
        if entry.get("file") != shard_file(number) or entry.get("rows") != rows:
            raise TableError(f"{path}: damaged: shard {number}: another file or number of rows")
        if not isinstance(sha256, str) or len(sha256) != SHA256 or not sha256.isalnum():
            raise TableError(f"{path}: damaged: shard {number}: no checksum")
        manifest.shards[number] = Shard(shard_file(number), entry["first"], rows, sha256)
    if manifest.complete and len(manifest.shards) != len(spans):
        raise TableError(
            f"{path}: damaged: complete, but {len(spans) - len(manifest.shards)} shards short"
        )
    if manifest.to_bytes() != data:
        raise TableError(f"{path}: damaged: it is not as it was written")
    return manifest


def write_file(path: Path, data: bytes) -> None:
    """Put a file in its place, whole or not at all, and on the disk before this returns.

    Raises:
        TableError: It cannot be written; what was there before is still there.
    """
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        if os.name == "posix":
            handle = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
    except OSError as error:
        with suppress(OSError):
            beside.unlink()
        raise TableError(
            f"{path}: cannot be written: {error.strerror}; what was finished is kept, and the same "
            "command goes on from there"
        ) from error


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Keep others from building in a folder; the lock goes with the process that holds it.

    Raises:
        TableError: Another process builds there.
    """
    from filelock import FileLock, Timeout

    path = folder / LOCK
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        holder = "another process"
        with suppress(OSError, ValueError):
            holder = excerpt((folder / f"{LOCK}.holder").read_text("utf-8").strip(), 100)
        raise TableError(f"{folder}: {holder} is building there") from None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from None
    try:
        import socket

        with suppress(OSError):
            (folder / f"{LOCK}.holder").write_text(f"process {os.getpid()} on {socket.gethostname()}")
        yield
    finally:
        with suppress(OSError):
            (folder / f"{LOCK}.holder").unlink()
        lock.release()


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

    return pq.read_table(pa.BufferReader(data))


class StoredTable:
    """A complete table in a folder, to be read.

    Each shard's checksum is compared before its first row is used. Shards that were read stay in
    memory, the last 32 of them.
    """

    def __init__(self, folder: str | Path) -> None:
        """Open a folder.

        Raises:
            TableError: It holds no complete table.
        """
        self.folder = Path(folder)
        self.manifest = read_manifest(self.folder)
        if not self.manifest.complete:
            there = len(self.manifest.shards)
            whole = len(self.manifest.kind.shards(self.manifest.opponents))
            raise TableError(
                f"{self.folder}: half-built: {there} of {whole} shards are there; a build goes on there"
            )
        self._shards = self.manifest.kind.shards(self.manifest.opponents)
        self._starts = [span.start for span in self._shards]
        self._decoded: OrderedDict[int, tuple[pa.Table, dict[str, Cell]]] = OrderedDict()

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
            TableError: It is damaged.
        """
        return self._read(number)[0]

    def _read(self, number: int) -> tuple[pa.Table, dict[str, Cell]]:
        if number in self._decoded:
            self._decoded.move_to_end(number)
            return self._decoded[number]
        table = read_checked(self.folder, self.manifest, number)
        cells = {name: _cells(table[name].combine_chunks()) for name in table.column_names}
        self._decoded[number] = table, cells
        if len(self._decoded) > SHARDS_KEPT:
            self._decoded.popitem(last=False)
        return table, cells

    def rows(self, rows: range) -> list[dict[str, Any]]:
        """Return rows as dictionaries, columns that have no value left out."""
        from bisect import bisect_right

        found = []
        for row in rows:
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
        from gpuodds.spot import read_cards
        from gpuodds.tables.hands import read_hand

        given = [read_hand(hand) for hand in hands]
        return self.kind.lookup(self, given, tuple(read_cards(board)))

    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table."""
        import pyarrow as pa

        return pa.concat_tables(
            [self.read_shard(number) for number in range(len(self.shards))], promote_options="default"
        ).unify_dictionaries()

    def array(self) -> Any:
        """Map the plain array of a whole column into memory: a NumPy array, read-only.

        Raises:
            TableError: The table has none, or it is damaged.
        """
        import numpy as np

        if not self.kind.array:
            raise TableError(f"{self.folder}: table {self.name} is not kept as a plain array")
        path = self.folder / array_file(self.kind)
        try:
            size = path.stat().st_size
        except OSError as error:
            raise TableError(f"{path}: {error.strerror}") from None
        if size != 2 * len(self):
            raise TableError(f"{path}: damaged: it has {size} bytes, expected {2 * len(self)}")
        return np.memmap(path, np.dtype("<u2"), "r")


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
        data = path.read_bytes()
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
