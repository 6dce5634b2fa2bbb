"""Check a piece that another machine has counted, before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.errors import TableError
from gpuodds.table_building.counting import Job
from gpuodds.tables.files.manifest import Piece
from gpuodds.tables.files.plain_arrays import plain_values
from gpuodds.tables.files.shards import decode

if TYPE_CHECKING:
    import pyarrow as pa


def check_received(job: Job, piece: Piece, data: object) -> bytes:
    """Return the bytes of a piece if it has the rows, columns and totals that are known without it.

    Args:
        job: What was to be counted.
        piece: The piece.
        data: What came back: the bytes of a Parquet file.

    Raises:
        TableError: It is something else; the message says what, without the name of the piece.
    """
    if not isinstance(data, bytes):
        raise TableError(f"expected the bytes of a Parquet file, found {type(data).__name__}")
    try:
        table = decode(data)
    except Exception as error:  # of many kinds
        raise TableError(f"no Parquet file: {type(error).__name__}") from None
    kind, layout = job.kind, job.kind.layout
    rows = layout.shards(job.opponents)[piece.shard]
    if len(table) != len(rows):
        raise TableError(f"{len(table)} rows, expected {len(rows)}")
    arrays = layout.arrays(job.opponents)
    if piece.part is not None:
        arrays = dict.fromkeys(kind.part_columns, "<i8")
    labels = layout.labels if piece.part is None else ()
    if sorted(table.column_names) != sorted((*labels, *arrays)):
        raise TableError("other columns than those of the table")
    numbers = np.arange(rows.start, rows.stop, dtype=np.int64)
    for name in labels:
        if not np.array_equal(_texts(table[name]), layout.label(name, numbers, job.opponents)):
            raise TableError(f"column {name}: those of other rows")
    values = {name: _values(table[name], name, dtype) for name, dtype in arrays.items()}
    kind.check_counts(rows, job.opponents, piece.part, values)
    return data


def _texts(column: pa.ChunkedArray) -> Any:
    if column.num_chunks != 1:
        column = column.combine_chunks()
    return np.asarray(column)


def _values(column: pa.ChunkedArray, name: str, dtype: str) -> Any:
    try:
        with np.errstate(invalid="ignore"):  # of NaN: it does not fit
            values = plain_values(column, name, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, TableError):
            raise
        raise TableError(f"column {name}: {column.type}, expected {dtype}") from None
    if values.dtype.kind == "i" and (values < 0).any():
        raise TableError(f"column {name}: a count is below zero")
    return values
