"""Columns that are also kept as plain arrays, to be memory-mapped; blocks of a MiB have checksums."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from gpuodds.errors import TableError
from gpuodds.tables.folder import write_file
from gpuodds.tables.manifest import BLOCK_BYTES, PlainArray, array_file

_CHECKED: set[tuple[Any, ...]] = set()  # files that this process compared


def write_array(folder: Path, column: str, dtype: str, rows: int, parts: Iterable[bytes]) -> PlainArray:
    """Write a column; return its entry of the manifest.

    Args:
        folder: The table's folder, whose lock the caller holds.
        column: The column's name.
        dtype: The dtype of its values.
        rows: How many values there are.
        parts: The bytes of the values, in parts of any size.

    Raises:
        TableError: The file cannot be written.
    """
    name = array_file(column, dtype)
    checksums: list[str] = []

    def blocks() -> Iterator[bytes]:
        for block in _cut(parts):
            checksums.append(hashlib.sha256(block).hexdigest())
            yield block

    write_file(folder / name, blocks())
    return PlainArray(name, column, dtype, rows, tuple(checksums))


def _cut(parts: Iterable[bytes]) -> Iterator[bytes]:
    # Blocks of equal size but for the last.
    left = bytearray()
    for part in parts:
        left += part
        while len(left) >= BLOCK_BYTES:
            yield bytes(left[:BLOCK_BYTES])
            del left[:BLOCK_BYTES]
    if left:
        yield bytes(left)


def check_array(path: Path, array: PlainArray, file: Any, remedy: str) -> None:
    """Compare a plain array with its checksums, once a process unless the file changes.

    Args:
        path: The file's path, for the error.
        array: Its entry of the manifest.
        file: The file, open to be read.
        remedy: What to do about damage, for the error.

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
        if hashlib.sha256(file.read(BLOCK_BYTES)).hexdigest() != checksum:
            first = number * BLOCK_BYTES // width
            last = min(first + BLOCK_BYTES // width, array.rows) - 1
            raise TableError(
                f"{path}: damaged: rows {first} to {last} differ from their checksum: {remedy}"
            )
    _CHECKED.add(key)
