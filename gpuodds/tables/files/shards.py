"""The shards of a table: Parquet files, read back only if they have the checksum of the manifest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.errors import TableError, excerpt
from gpuodds.tables.files.folder import read_file
from gpuodds.tables.files.manifest import Manifest, Piece
from gpuodds.tables.files.shard_checks import check_counts, check_schema, check_values, max_file_bytes

if TYPE_CHECKING:
    import pyarrow as pa


def encode(table: pa.Table) -> bytes:
    """Return a shard as the bytes of a Parquet file: the same bytes for the same rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    buffer = pa.BufferOutputStream()
    # Row numbers run on: their differences take next to nothing. A dictionary is for text alone: counts
    # without one take fewer bytes and less time.
    packed = {"row": "DELTA_BINARY_PACKED"} if "row" in table.column_names else None
    texts = [field.name for field in table.schema if _is_text(field.type)]
    pq.write_table(
        table,
        buffer,
        compression="zstd",
        row_group_size=len(table),
        column_encoding=packed,
        use_dictionary=texts,
    )
    return bytes(buffer.getvalue())


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_dictionary(kind) or pa.types.is_string(kind))


def decode(
    data: bytes,
    where: str = "shard",
    rows: int | None = None,
    check: Callable[[pa.Schema], None] | None = None,
) -> pa.Table:
    """Return the rows that the bytes of a Parquet file hold.

    Args:
        data: The bytes.
        where: The file and the shard, for the error.
        rows: How many rows there must be. Default: any number.
        check: Called with the schema before the rows are read.

    Raises:
        TableError: They are no Parquet file, or one of another number of rows, or ``check`` refuses it.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # In this thread alone: Arrow's threads abort now and then when the process ends.
        with pq.ParquetFile(pa.BufferReader(data), pre_buffer=False) as file:
            _expect_rows(file.metadata.num_rows, rows, where)
            if check is not None:
                check(file.schema_arrow)
            table = file.read(use_threads=False)
    except TableError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        why = excerpt((str(error).splitlines() or [""])[0], 100)
        raise TableError(f"{where}: expected a Parquet file: {why}") from None
    _expect_rows(len(table), rows, where)
    return table


def _expect_rows(num_rows: int, expected: int | None, where: str) -> None:
    if expected is not None and num_rows != expected:
        raise TableError(f"{where}: {num_rows} rows, expected {expected}")


def read_shard(folder: Path, manifest: Manifest, number: int) -> pa.Table:
    """Return the rows of a shard, compared with its checksum and its layout.

    Raises:
        TableError: The file is damaged, or holds columns or values that the table cannot have.
    """
    layout, opponents = manifest.layout, manifest.opponents
    shard, piece = manifest.shards[number], Piece(number)
    where = f"{folder / shard.file}: {piece}"
    data = read_bytes(folder, manifest, piece)
    table = decode(
        data, where, shard.rows, lambda schema: check_schema(schema, layout, opponents, where)
    )
    check_values(table, layout, opponents, range(shard.first, shard.first + shard.rows), where)
    return table


def read_part(folder: Path, manifest: Manifest, piece: Piece) -> pa.Table:
    """Return the counts of a part of a shard, compared with its checksum.

    Raises:
        TableError: The file is damaged, or holds no columns of counts.
    """
    rows = len(manifest.layout.shards(manifest.opponents)[piece.shard])
    where = f"{folder / piece.file}: {piece}"
    data = read_bytes(folder, manifest, piece)
    return decode(data, where, rows, lambda schema: check_counts(schema, where))


def read_bytes(folder: Path, manifest: Manifest, piece: Piece) -> bytes:
    """Return the bytes of a shard or of a part of one, compared with its checksum.

    Raises:
        TableError: The file is damaged.
    """
    digest = manifest.shards[piece.shard].sha256 if piece.part is None else manifest.parts[piece]
    path, layout, opponents = folder / piece.file, manifest.layout, manifest.opponents
    limit = max_file_bytes(layout, opponents, len(layout.shards(opponents)[piece.shard]))
    try:
        data = read_file(path, limit + 1)
    except OSError as error:
        raise TableError(f"{path}: {piece}: {error.strerror}") from None
    if len(data) > limit:
        raise TableError(f"{path}: {piece} is damaged: it has more than {limit:,} bytes")
    if hashlib.sha256(data).hexdigest() != digest:
        raise TableError(f"{path}: {piece} is damaged: its checksum is another")
    return data
