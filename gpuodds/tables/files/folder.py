"""The folder of a table: one builder at a time, files whole or not at all, and no links followed.

All files of a table are regular files. Anything else in the place of one, such as a symbolic link, is
refused: it is neither read, nor replaced, nor written through.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from gpuodds.errors import TableError, excerpt
from gpuodds.machine.files import create_file, put_in_place, reason, when_free

LOCK = "lock"
HOLDER = "lock.holder"
HOLDS = "process "  # begins the text of the holder's file
PART = ".part"


def open_file(path: Path) -> IO[bytes]:
    """Open a regular file to be read; links are not followed.

    Raises:
        TableError: There is something else.
        OSError: The file cannot be opened.
    """
    check_place(path)
    flags = os.O_RDONLY
    # If a pipe took its place since the check, opening must not wait for a writer.
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    file = os.fdopen(when_free(lambda: os.open(path, flags)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise TableError(f"{path}: expected a regular file")
    return file


def read_file(path: Path, limit: int = -1) -> bytes:
    """Return the bytes of a regular file, or the first ``limit`` of them: see :func:`open_file`."""
    with open_file(path) as file:
        return file.read(limit)


def check_place(path: Path) -> None:
    """Refuse a path that exists and is no regular file, such as a link.

    Raises:
        TableError: The path is something else.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return  # missing, or an error that opening the file reports
    if not stat.S_ISREG(mode):
        kind = "a symbolic link" if stat.S_ISLNK(mode) else "something else"
        raise TableError(f"{path}: expected a regular file of the table, found {kind}: remove it")


def write_file(path: Path, data: bytes) -> None:
    """Write a file of the table, whole or not at all; it is on the disk when this returns.

    Args:
        path: The file. The caller holds the folder's lock, so that a file of this name with ``.part``
            at the end is left over from a killed build.
        data: Its bytes.

    Raises:
        TableError: The file cannot be written; an older one is left as it was.
    """
    part = path.with_name(path.name + PART)
    check_place(path)
    with writing(path):
        when_free(lambda: part.unlink(missing_ok=True))
        try:
            with create_file(part) as file:
                file.write(data)
                put_in_place(file, part, path)
        finally:
            with suppress(OSError):
                part.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Report an error of the system while a file of the table is written.

    Raises:
        TableError: The file cannot be written; the message says that the build can go on.
    """
    try:
        yield
    except OSError as error:
        raise TableError(
            f"{path}: cannot be written: {reason(error)}; what was finished is kept, and the same "
            "command goes on from there"
        ) from error


def check_empty(folder: Path, manifest: str, begun: bytes) -> None:
    """Refuse a folder without a manifest, unless it is empty or a build was killed there at the start.

    Args:
        folder: The folder.
        manifest: The name of the manifest.
        begun: The bytes of the first manifest, of which a killed build may leave a part.

    Raises:
        TableError: There are other files, or the folder cannot be read.
    """
    try:
        strangers = [p.name for p in folder.iterdir() if not _is_left_over(p, manifest, begun)]
        # Another build may have begun meanwhile.
        if strangers and not (folder / manifest).exists():
            raise TableError(f"{folder}: expected an empty folder, found {excerpt(min(strangers))}")
    except OSError as error:
        raise TableError(f"{folder}: {error.strerror}") from None


def _is_left_over(path: Path, manifest: str, begun: bytes) -> bool:
    if path.name not in (LOCK, HOLDER, manifest + PART):
        return False
    try:
        if path.name == LOCK:  # which Windows lets no one read while it is held
            return stat.S_ISREG(path.lstat().st_mode) and not path.lstat().st_size
        content = read_file(path, len(begun) + 1)
    except (OSError, TableError) as error:
        return isinstance(error, FileNotFoundError)  # another build ended meanwhile
    if path.name == HOLDER:
        return not content or content.startswith(HOLDS.encode())
    return begun.startswith(content)


@contextmanager
def only_builder(folder: Path) -> Iterator[None]:
    """Keep other processes from building in a folder; the lock ends with the process that holds it.

    Raises:
        TableError: Another process builds there, or the lock is no regular file.
    """
    from filelock import FileLock, Timeout

    path, holder = folder / LOCK, folder / HOLDER
    check_place(path)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        other = "another process"
        with suppress(OSError, ValueError, TableError):
            other = excerpt(read_file(holder, 1000).decode("utf-8").strip(), 100)
        raise TableError(f"{folder}: {other} is building there") from None
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from None
    try:
        import socket

        with suppress(OSError):
            holder.unlink(missing_ok=True)
            with create_file(holder) as file:
                file.write(f"{HOLDS}{os.getpid()} on {socket.gethostname()}".encode())
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        lock.release()
