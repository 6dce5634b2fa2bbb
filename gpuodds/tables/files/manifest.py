"""The manifest of a table's folder: which table it is, and the checksum of each of its files.

``manifest.json`` is one object:

    schema       "gpuodds.table/2"
    table        the table's name
    opponents    the largest number of random opponents, 0 if there is none
    engine       the version of gpuodds that built it
    fingerprint  a checksum of the sources that counted its rows
    pyarrow      the version of pyarrow that wrote its shards
    rows         how many rows the whole table has
    state        "building" or "complete"
    shards       [file, first (row), rows, sha256], the finished ones, in order
    arrays       [file, column, dtype, rows, sha256], all rows of a column as a plain array; sha256 is a
                 list: one for each 1,048,576 bytes; no arrays before the table is complete. dtype: one
                 of :data:`DTYPES`; "(2,)<u8" is a whole number of 128 bits, little-endian
    clustering   of a table of buckets: its parameters, centres and, when it is complete, what falls to
                 each: :mod:`gpuodds.tables.files.clustering`; left out of other tables
    parts        [file, shard, part, sha256], the finished parts of shards that are counted in parts and
                 are not there yet, in order; left out if there are none
    checksum     the SHA-256 of this object as JSON, itself left out

Schema 1 had no column ``deals`` in tables of streets, no checksums of arrays and no fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from gpuodds.errors import InputError, TableError, excerpt
from gpuodds.machine.system import quoted
from gpuodds.tables.files.clustering import Clustering, read_clustering
from gpuodds.tables.files.folder import read_file
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.origin import Origin, this_origin
from gpuodds.tables.layouts.catalog import find_layout
from gpuodds.tables.layouts.layout import Layout

SCHEMA = "gpuodds.table/2"
OLD_SCHEMAS = ("gpuodds.table/1",)
MAX_MANIFEST_BYTES = 8 << 20
SHA256 = 64  # hexadecimal digits
BLOCK_BYTES = 1 << 20  # of a plain array, with a checksum
DTYPES = {  # of plain arrays: the ending of the file, and bytes per row
    "|u1": ("u8", 1),
    "<u2": ("u16", 2),
    "<u4": ("u32", 4),
    "<i8": ("i64", 8),
    "<f8": ("f64", 8),
    "(2,)<u8": ("u128", 16),
    "(50,)|u1": ("50u8", 50),
    "(50,)<u2": ("50u16", 100),
    "(8,)<f4": ("8f32", 32),
}


class Piece(NamedTuple):
    """What is counted at a time: a shard, or a part of one."""

    shard: int
    part: int | None = None
    """None for the whole shard."""

    def __str__(self) -> str:
        return f"shard {self.shard}" if self.part is None else f"part {self.part} of shard {self.shard}"

    @property
    def file(self) -> str:
        """The name of its file."""
        if self.part is None:
            return f"{self.shard:05d}.parquet"
        return f"{self.shard:05d}-{self.part:03d}.counts"


@dataclass(frozen=True)
class Shard:
    """A finished shard: its file, its rows and the checksum of its bytes."""

    file: str
    first: int
    rows: int
    sha256: str


@dataclass(frozen=True)
class PlainArray:
    """A column that is also kept as a plain array: its file, and the checksums of its bytes."""

    file: str
    column: str
    dtype: str
    rows: int
    sha256: tuple[str, ...]
    """Of each :data:`BLOCK_BYTES` bytes."""


@dataclass
class Manifest:
    """The table in a folder, and its finished files."""

    layout: Layout
    opponents: int
    origin: Origin = field(default_factory=this_origin)
    complete: bool = False
    shards: dict[int, Shard] = field(default_factory=dict)
    """By number, which is the place in ``layout.shards(opponents)``."""
    arrays: list[PlainArray] = field(default_factory=list)
    parts: dict[Piece, str] = field(default_factory=dict)
    """The SHA-256 of each finished part of a shard that is not there yet."""
    clustering: Clustering | None = None
    """Of a table of buckets."""

    def to_bytes(self) -> bytes:
        """Return the manifest as it is written: the same for the same shards, however built."""
        content: dict[str, Any] = {
            "schema": SCHEMA,
            "table": self.layout.name,
            "opponents": self.opponents,
            "engine": self.origin.engine,
            "fingerprint": self.origin.fingerprint,
            "pyarrow": self.origin.pyarrow,
            "rows": self.layout.row_count(self.opponents),
            "state": "complete" if self.complete else "building",
            "shards": [vars(shard) for _, shard in sorted(self.shards.items())],
            "arrays": [vars(array) for array in self.arrays] if self.complete else [],
        }
        if self.clustering is not None:
            content["clustering"] = self.clustering.to_json()
        if self.parts:
            content["parts"] = [
                {"file": piece.file, **piece._asdict(), "sha256": digest}
                for piece, digest in sorted(self.parts.items())
            ]
        content["checksum"] = hashlib.sha256(json.dumps(content).encode("ascii")).hexdigest()
        return (json.dumps(content, indent=1) + "\n").encode("ascii")


def array_file(column: str, dtype: str) -> str:
    """Return the name of the file that holds a column as a plain array."""
    ending, _ = DTYPES[dtype]
    return f"{column}.{ending}"


def row_bytes(dtype: str) -> int:
    """Return the bytes that a value of a plain array takes."""
    return DTYPES[dtype][1]


def shard_file(number: int) -> str:
    """Return the name of a shard's file."""
    return Piece(number).file


def build_command(
    layout: Layout,
    opponents: int,
    folder: Path | str,
    shard: int | None = None,
    new: Clustering | None = None,
) -> str:
    """Return the command that builds a table, or one shard of it, into a folder.

    A table of buckets is begun by another command, if ``new`` has its clustering.
    """
    arguments = ["gpuodds table build", layout.name]
    if new is not None:
        street = layout.name.partition("-")[0]
        arguments = [f"gpuodds abstraction build --street {street} {new.arguments()}"]
    if opponents != layout.default_opponents:
        arguments.append(f"--opponents {opponents}")
    if shard is not None:
        arguments.append(f"--shards {shard}")
    return " ".join([*arguments, f"--out {quoted(str(folder))}"])


def read_manifest(folder: Path) -> Manifest:
    """Return a folder's manifest, after checking that every entry fits the table.

    Raises:
        TableError: There is no manifest, or it is damaged, of another schema or of an unknown table.
    """
    path = folder / MANIFEST
    try:
        data = read_file(path, MAX_MANIFEST_BYTES + 1)
    except FileNotFoundError:
        raise TableError(f"{folder}: no table: there is no {MANIFEST}") from None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from None
    if len(data) > MAX_MANIFEST_BYTES:
        raise TableError(f"{path}: damaged: it has more than {MAX_MANIFEST_BYTES} bytes")
    try:
        content = json.loads(data.decode("ascii"))
    except (ValueError, RecursionError):
        raise TableError(f"{path}: damaged: it is no JSON") from None
    manifest = _read_head(path, content)
    _read_shards(path, content, manifest)
    _read_arrays(path, content, manifest)
    _read_parts(path, content, manifest)
    if manifest.to_bytes() != data:
        raise TableError(f"{path}: damaged: it is not as it was written")
    return manifest


def _read_head(path: Path, content: Any) -> Manifest:
    schema = content.get("schema") if isinstance(content, dict) else content
    if schema != SCHEMA and schema not in OLD_SCHEMAS:
        raise TableError(f"{path}: expected schema {SCHEMA}, found {excerpt(str(schema))}")
    try:
        layout = find_layout(str(content.get("table")))
    except InputError as error:
        raise TableError(f"{path}: {error}") from None
    opponents, least = content.get("opponents"), 1 if layout.max_opponents else 0
    if type(opponents) is not int or not least <= opponents <= layout.max_opponents:
        raise TableError(f"{path}: damaged: opponents {excerpt(str(opponents))}")
    if schema in OLD_SCHEMAS:
        command = build_command(layout, opponents, "NEW_FOLDER")
        raise TableError(f"{path}: of schema {schema}, before {SCHEMA}: build it again: {command}")
    values: list[Any] = [content.get(key) for key in ("engine", "fingerprint", "pyarrow")]
    origin = Origin(*values)
    state = content.get("state")
    if not all(isinstance(value, str) for value in vars(origin).values()):
        raise TableError(f"{path}: damaged: engine, fingerprint or pyarrow is missing")
    if state not in ("building", "complete"):
        raise TableError(f"{path}: damaged: state is missing")
    manifest = Manifest(layout, opponents, origin, state == "complete")
    if layout.has_buckets:
        manifest.clustering = read_clustering(content.get("clustering"), str(path), manifest.complete)
    return manifest


def _read_shards(path: Path, content: dict[str, Any], manifest: Manifest) -> None:
    wanted = manifest.layout.shards(manifest.opponents)
    spans = {span.start: number for number, span in enumerate(wanted)}
    entries = content.get("shards")
    if not isinstance(entries, list):
        raise TableError(f"{path}: damaged: no list of shards")
    for entry in entries:
        first = entry.get("first") if isinstance(entry, dict) else None
        number = spans.get(first) if type(first) is int else None
        if number is None or number in manifest.shards:
            raise TableError(f"{path}: damaged: shard {excerpt(json.dumps(entry))}")
        if entry.get("file") != shard_file(number) or entry.get("rows") != len(wanted[number]):
            raise TableError(f"{path}: damaged: shard {number}: another file or number of rows")
        if not _is_checksum(entry.get("sha256")):
            raise TableError(f"{path}: damaged: shard {number}: no checksum")
        shard = Shard(shard_file(number), entry["first"], len(wanted[number]), entry["sha256"])
        manifest.shards[number] = shard
    short = len(spans) - len(manifest.shards)
    if manifest.complete and short:
        raise TableError(f"{path}: damaged: complete, but {short} shards short")


def _read_arrays(path: Path, content: dict[str, Any], manifest: Manifest) -> None:
    entries = content.get("arrays")
    if not isinstance(entries, list):
        raise TableError(f"{path}: damaged: no list of arrays")
    rows = manifest.layout.row_count(manifest.opponents)
    wanted = manifest.layout.arrays(manifest.opponents)
    for entry in entries:
        known = entry if isinstance(entry, dict) else {}
        column, dtype = str(known.get("column")), str(known.get("dtype"))
        if wanted.pop(column, None) != dtype:  # of another table, another dtype, or twice
            raise TableError(f"{path}: damaged: array {excerpt(json.dumps(entry))}")
        if entry.get("file") != array_file(column, dtype) or entry.get("rows") != rows:
            raise TableError(f"{path}: damaged: array {column}: another file or number of rows")
        blocks = entry.get("sha256")
        count = -(-rows * row_bytes(dtype) // BLOCK_BYTES)
        if not (isinstance(blocks, list) and len(blocks) == count and all(map(_is_checksum, blocks))):
            raise TableError(f"{path}: damaged: array {column}: expected {count} checksums")
        manifest.arrays.append(PlainArray(entry["file"], column, dtype, rows, tuple(blocks)))


def _read_parts(path: Path, content: dict[str, Any], manifest: Manifest) -> None:
    entries = content.get("parts", [])
    if not isinstance(entries, list):
        raise TableError(f"{path}: damaged: no list of parts")
    shards = range(len(manifest.layout.shards(manifest.opponents)))
    for entry in entries:
        known = entry if isinstance(entry, dict) else {}
        shard, part, digest = (known.get(key) for key in ("shard", "part", "sha256"))
        if not (
            type(shard) is int
            and shard in shards
            and type(part) is int
            and known.get("file") == Piece(shard, part).file
            and _is_checksum(digest)
        ):
            raise TableError(f"{path}: damaged: part {excerpt(json.dumps(entry))}")
        manifest.parts[Piece(shard, part)] = str(digest)


def _is_checksum(value: Any) -> bool:
    return isinstance(value, str) and len(value) == SHA256 and value.isalnum()
