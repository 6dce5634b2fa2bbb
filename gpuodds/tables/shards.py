"""The shards of a table: Parquet files, read back only if they have the checksum of the manifest."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from gpuodds.errors import TableError
from gpuodds.tables.folder import read_file
from gpuodds.tables.manifest import Manifest, Piece

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


def decode(data: bytes) -> pa.Table:
    """Return the rows that the bytes of a Parquet file hold."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # In this thread alone: Arrow's threads abort now and then when the process ends.
    with pq.ParquetFile(pa.BufferReader(data), pre_buffer=False) as file:
        return file.read(use_threads=False)


def read_shard(folder: Path, manifest: Manifest, number: int) -> pa.Table:
    """Return the rows of a shard, compared with its checksum and number of rows.

    Raises:
        TableError: The file is damaged.
    """
    shard = manifest.shards[number]
    table = decode(read_bytes(folder, manifest, Piece(number)))
    if len(table) != shard.rows:
        path = folder / shard.file
        raise TableError(f"{path}: shard {number}: {len(table)} rows, expected {shard.rows}")
    return table


def read_bytes(folder: Path, manifest: Manifest, piece: Piece) -> bytes:
    """Return the bytes of a shard or of a part of one, compared with its checksum.

    Raises:
        TableError: The file is damaged.
    """
    digest = manifest.shards[piece.shard].sha256 if piece.part is None else manifest.parts[piece]
    path = folder / piece.file
    try:
        data = read_file(path)
    except OSError as error:
        raise TableError(f"{path}: {piece}: {error.strerror}") from None
    if hashlib.sha256(data).hexdigest() != digest:
        raise TableError(f"{path}: {piece} is damaged: its checksum is another")
    return data
