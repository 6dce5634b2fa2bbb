"""Columns as plain arrays, to be memory-mapped: one file a column; blocks of a MiB have checksums."""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gpuodds.errors import TableError
from gpuodds.machine.files import create_file, put_in_place
from gpuodds.machine.system import core_count
from gpuodds.tables.files.folder import PART, check_place, open_file, writing
from gpuodds.tables.files.manifest import BLOCK_BYTES, PlainArray, array_file, row_bytes
from gpuodds.tables.layouts.layout import Layout

if TYPE_CHECKING:
    import pyarrow as pa

ROUNDING = 1e-9  # of equities as floats
HASHING_THREADS = min(4, core_count())

_CHECKED: set[tuple[Any, ...]] = set()  # files that this process compared


class ArrayWriter:
    """Writes the plain arrays of a table, shard by shard in any order.

    The files have names that no reader knows until all rows are written, so that a build that is killed
    leaves none that could be taken for a plain array. The caller holds the folder's lock.
    """

    def __init__(self, folder: Path, layout: Layout, opponents: int) -> None:
        """Begin without any rows.

        Args:
            folder: The table's folder.
            layout: The table's rows and columns.
            opponents: The largest number of random opponents.
        """
        self._folder = folder
        self._rows = layout.shards(opponents)
        self._dtypes = layout.arrays(opponents)
        self._files: dict[str, IO[bytes]] = {}
        self._written: set[int] = set()

    @property
    def missing(self) -> list[int]:
        """The numbers of the shards that are not written, ascending."""
        return [number for number in range(len(self._rows)) if number not in self._written]

    def write(self, number: int, shard: pa.Table) -> None:
        """Write the rows of a shard.

        Raises:
            TableError: A file cannot be written, or the shard's values do not fit the layout.
        """
        for column, dtype in self._dtypes.items():
            if column not in shard.column_names:
                raise TableError(f"{self._folder}: shard {number} has no column {column}")
            values = plain_values(shard[column], column, dtype)
            with writing(self._path(column)):
                if column not in self._files:
                    check_place(self._path(column))
                    self._part(column).unlink(missing_ok=True)
                    self._files[column] = create_file(self._part(column))
                self._files[column].seek(self._rows[number].start * row_bytes(dtype))
                self._files[column].write(memoryview(values).cast("B"))
        self._written.add(number)

    def finish(self) -> list[PlainArray]:
        """Move the files of all rows to their places; return their entries of the manifest.

        Raises:
            TableError: A file cannot be written.
        """
        made = []
        for column, dtype in self._dtypes.items():
            path, file = self._path(column), self._files[column]
            with writing(path):
                file.flush()
                with open_file(self._part(column)) as whole:
                    checksums = _checksums(whole)
                put_in_place(file, self._part(column), path)
            made.append(PlainArray(path.name, column, dtype, self._rows[-1].stop, tuple(checksums)))
        return made

    def close(self) -> None:
        """Remove the files that are not finished."""
        for column, file in self._files.items():
            with suppress(OSError):
                file.close()
            with suppress(OSError):
                self._part(column).unlink()
        self._files.clear()

    def _path(self, column: str) -> Path:
        return self._folder / array_file(column, self._dtypes[column])

    def _part(self, column: str) -> Path:
        path = self._path(column)
        return path.with_name(path.name + PART)


@contextmanager
def array_writer(folder: Path, layout: Layout, opponents: int) -> Iterator[ArrayWriter]:
    """Open an :class:`ArrayWriter`; what it has not finished at the end is removed."""
    writer = ArrayWriter(folder, layout, opponents)
    try:
        yield writer
    finally:
        writer.close()


def plain_values(column: pa.ChunkedArray, name: str, dtype: str) -> Any:
    """Return a column of a shard as a plain array: a count that is null is 0, any other value NaN.

    Args:
        column: The column.
        name: Its name, for the error.
        dtype: The dtype of the plain array, with the shape of a row.

    Returns:
        A contiguous array of a value a row: (n,) for numbers, (n, 2) for counts of 128 bits, the lower
        half first, (n, 50) or (n, 8) for lists.

    Raises:
        TableError: A value does not fit the dtype.
    """
    import numpy as np
    import pyarrow as pa

    whole, kind = column.combine_chunks(), np.dtype(dtype)
    if isinstance(whole, pa.ChunkedArray):  # of no chunks or several, in some versions of pyarrow
        whole = pa.concat_arrays(whole.chunks)
    if pa.types.is_decimal(whole.type):
        values = np.frombuffer(whole.buffers()[1], "<u8").reshape(-1, 2)
        values = values[whole.offset : whole.offset + len(whole)]
        if whole.null_count:
            values = np.where(np.asarray(whole.is_valid())[:, None], values, 0)
    elif pa.types.is_fixed_size_list(whole.type):
        values = whole.flatten().to_numpy().reshape(len(whole), -1)
    else:
        absent = float("nan") if pa.types.is_floating(whole.type) else 0
        values = (whole.fill_null(absent) if whole.null_count else whole).to_numpy()
    plain = np.ascontiguousarray(values, kind.base)
    if plain.shape[1:] != kind.shape or not (
        plain.dtype == values.dtype or np.array_equal(plain, values)
    ):
        raise TableError(f"column {name}: its values do not fit a plain array of {dtype}")
    return plain


def _checksums(file: IO[bytes]) -> list[str]:
    """Return the SHA-256 of each block of a file that is not empty."""
    with (
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        memoryview(data) as view,
        ThreadPoolExecutor(HASHING_THREADS) as pool,
    ):

        def digest(begin: int) -> str:
            return hashlib.sha256(view[begin : begin + BLOCK_BYTES]).hexdigest()

        return list(pool.map(digest, range(0, len(view), BLOCK_BYTES)))


def check_array(path: Path, array: PlainArray, file: Any, remedy: str) -> None:
    """Compare a plain array with its checksums and what its values can be, once unless it changes.

    Args:
        path: The file's path, for the error.
        array: Its entry of the manifest.
        file: The file, open to be read.
        remedy: What to do about damage, for the error.

    Raises:
        TableError: It is damaged, or has a value that is impossible; the message has the rows and the
            remedy.
        OSError: It cannot be read.
    """
    status = os.fstat(file.fileno())
    key = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, array)
    if key in _CHECKED:
        return
    width = row_bytes(array.dtype)
    if status.st_size != width * array.rows:
        raise TableError(
            f"{path}: damaged: it has {status.st_size} bytes, expected {width * array.rows}: {remedy}"
        )
    for number, checksum in enumerate(_checksums(file)):
        if checksum != array.sha256[number]:
            first = number * BLOCK_BYTES // width
            last = min(-(-(number + 1) * BLOCK_BYTES // width), array.rows) - 1
            raise TableError(
                f"{path}: damaged: rows {first} to {last} differ from their checksum: {remedy}"
            )
    _check_values(path, array, file, remedy)
    _CHECKED.add(key)


def _check_values(path: Path, array: PlainArray, file: Any, remedy: str) -> None:
    """Refuse negative counts, and floats that are neither 0 to 1 nor NaN."""
    import numpy as np

    if array.dtype not in ("<i8", "<f8", "(2,)<u8"):
        return
    values: Any = np.memmap(file, np.dtype(array.dtype), "r")
    if array.dtype == "(2,)<u8":
        values = values[:, 1].view("<i8")
    step = BLOCK_BYTES // values.itemsize
    for begin in range(0, len(values), step):
        part = values[begin : begin + step]
        wrong = (part < 0) | (part > 1 + ROUNDING) if array.dtype == "<f8" else part < 0
        if wrong.any():
            row = begin + int(wrong.argmax())
            raise TableError(f"{path}: row {row} has a value that is impossible: {remedy}")
