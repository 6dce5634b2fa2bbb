"""What the rows of a shard must be, whatever its checksum: columns of the layout, and possible values.

A checksum tells damage, not who wrote the manifest. The number of rows and the schema are compared
before a row is read, so that a shard of another table takes no memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.errors import TableError, excerpt
from gpuodds.tables.files.manifest import row_bytes
from gpuodds.tables.files.plain_arrays import ROUNDING
from gpuodds.tables.layouts.layout import Layout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

LABEL = "label"  # in place of a dtype
WIDE = "(2,)<u8"  # a count of 128 bits
KINDS = {  # what the columns of a dtype hold, for errors
    LABEL: "text or whole numbers",
    "<f8": "float64",
    WIDE: "decimal128(38, 0)",
    "(50,)|u1": "lists of 50 uint8",
    "(50,)<u2": "lists of 50 uint16",
    "(8,)<f4": "lists of 8 float32",
}
OTHER_BYTES = 4 << 20  # of a file, for the schema and the texts of labels
LABEL_BYTES = 32  # per row


def max_file_bytes(layout: Layout, opponents: int, rows: int) -> int:
    """Return more bytes than the file of a shard of so many rows takes."""
    plain = sum(map(row_bytes, layout.arrays(opponents).values()))
    return OTHER_BYTES + 2 * rows * (plain + LABEL_BYTES * len(layout.labels))


def check_schema(schema: pa.Schema, layout: Layout, opponents: int, where: str) -> None:
    """Refuse a schema other than that of a table's shards.

    Args:
        schema: Of the file.
        layout: The table's rows and columns.
        opponents: The largest number of random opponents.
        where: The file and the shard, for the error.

    Raises:
        TableError: A column is missing, there is another one, or one has another type.
    """
    wanted = dict.fromkeys(layout.labels, LABEL) | layout.arrays(opponents)
    names = schema.names
    for name in wanted:
        if names.count(name) != 1:
            raise TableError(f"{where}: column {name}: expected one, found {names.count(name)}")
    for name in names:
        if name not in wanted:
            raise TableError(f"{where}: column {excerpt(name)}: expected no such column")
        kind, dtype = schema.field(name).type, wanted[name]
        if not _is_kind(kind, dtype):
            expected = KINDS.get(dtype, "whole numbers")
            raise TableError(f"{where}: column {name}: expected {expected}, found {excerpt(str(kind))}")


def _is_list(dtype: str) -> bool:
    """Return whether a column of a dtype has a list of numbers in each row."""
    return dtype.startswith("(") and dtype != WIDE


def _is_kind(kind: pa.DataType, dtype: str) -> bool:
    import numpy as np
    import pyarrow as pa

    if dtype == LABEL:
        text = kind.value_type if pa.types.is_dictionary(kind) else kind
        return bool(pa.types.is_string(text) or pa.types.is_integer(kind))
    if _is_list(dtype):
        whole = np.dtype(dtype)
        return bool(
            pa.types.is_fixed_size_list(kind)
            and (kind.list_size,) == whole.shape
            and kind.value_type == pa.from_numpy_dtype(whole.base)
        )
    if dtype in ("<f8", WIDE):
        return bool(kind == (pa.float64() if dtype == "<f8" else pa.decimal128(38, 0)))
    return bool(pa.types.is_integer(kind))


def check_counts(schema: pa.Schema, where: str) -> None:
    """Refuse the schema of a part of a shard unless all its columns are whole numbers.

    Raises:
        TableError: A column has another type.
    """
    import pyarrow as pa

    for field in schema:
        if not pa.types.is_integer(field.type):
            expected = f"column {excerpt(field.name)}: expected whole numbers"
            raise TableError(f"{where}: {expected}, found {excerpt(str(field.type))}")


def check_values(table: pa.Table, layout: Layout, opponents: int, rows: range, where: str) -> None:
    """Refuse a shard with values that no row can have.

    Args:
        table: The rows, whose schema was checked.
        layout: The table's rows and columns.
        opponents: The largest number of random opponents.
        rows: The numbers of the rows.
        where: The file and the shard, for the error.

    Raises:
        TableError: A value is missing, negative or too large, a float is not 0 to 1, or a label is
            another row's.
    """
    import numpy as np
    import pyarrow as pa

    for name, dtype in (dict.fromkeys(layout.labels, LABEL) | layout.arrays(opponents)).items():
        try:
            table[name].validate(full=True)  # the places of a dictionary's values, and UTF-8
        except (pa.ArrowException, ValueError) as error:
            raise TableError(f"{where}: column {name}: {excerpt(str(error), 100)}") from None
        column = table[name].combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # of no chunks or several, in some versions of pyarrow
            column = pa.concat_arrays(column.chunks)
        present, absent = np.asarray(column.is_valid()), layout.absent(name, rows, opponents)
        if absent is not None and (present == absent).any():
            row = rows[int((present == absent).argmax())]
            fault = "no value" if not present[row - rows.start] else "a value where there can be none"
            raise TableError(f"{where}: column {name}: row {row} has {fault}")
        values, least, most = _numbers(column, dtype)
        if dtype == LABEL and values is not None:
            numbers = np.arange(rows.start, rows.stop)
            least = most = layout.label(name, numbers, opponents)
        if values is None:
            continue
        wrong = ~((values >= least) & (values <= most)) & (
            present if values.ndim == 1 else present[:, None]
        )
        if wrong.any():
            place = int(wrong.reshape(len(rows), -1).any(axis=1).argmax())
            raise TableError(
                f"{where}: column {name}: row {rows[place]} has {excerpt(str(column[place]))}, "
                "which is impossible"
            )


def _numbers(
    column: pa.Array, dtype: str
) -> tuple[npt.NDArray[Any] | None, float | npt.NDArray[np.int64], float | npt.NDArray[np.int64]]:
    """Return what decides about a column's values, the least and the most of it; None for texts."""
    import numpy as np
    import pyarrow as pa

    if dtype == WIDE:  # the upper halves: of negative values, they are negative
        halves = np.frombuffer(column.buffers()[1], "<i8").reshape(-1, 2)
        return halves[column.offset : column.offset + len(column), 1], 0, np.iinfo(np.int64).max
    if _is_list(dtype):
        if column.flatten().null_count:
            return np.full(len(column), -1), 0, 0
        kind, values = np.dtype(dtype).base, column.flatten().to_numpy().reshape(len(column), -1)
        return values, 0, 1.0 if kind.kind == "f" else np.iinfo(kind).max
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return None, 0, 0
    values = (column.fill_null(0) if column.null_count else column).to_numpy()
    if dtype == "<f8":
        return values, 0.0, 1.0 + ROUNDING
    return values, 0, 0 if dtype == LABEL else np.iinfo(np.dtype(dtype)).max
