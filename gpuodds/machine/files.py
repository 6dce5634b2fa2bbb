"""Write files whole or not at all, and replace only regular files."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import IO, TypeVar

from gpuodds.errors import InputError

T = TypeVar("T")

STDOUT = "-"
STREAMS = ("/dev/", "/proc/")  # prefixes of open files and devices, which are never replaced
IN_USE = (5, 32, 33, 1224)  # Windows' errors where a program has a file open, locked or memory-mapped
BUSY_SECONDS = 2.0  # in which a virus scanner or a reader is expected to close a file
RETRY_SECONDS = 0.02


def read_text(path: Path, most: int, what: str) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Args:
        path: The file.
        most: The most bytes that it may have.
        what: What it should be, for the error, as in ``a transcript``.

    Raises:
        InputError: It cannot be read, is too long or no text; the message does not name it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise InputError(f"expected {what} of at most {most:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong_byte = ascii(data[error.start : error.start + 1])[2:-1]
        raise InputError(f"line {line}: expected text in UTF-8, found {wrong_byte}") from None


@contextmanager
def open_output(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file to be written whole or not at all; ``-`` is standard output.

    The bytes go into a new file in the same folder. When the block ends, that file replaces ``path``;
    if the block fails, it is removed. A symbolic link stays, and its target is replaced. Pipes and
    devices are written directly.

    Args:
        path: The file, or ``-``.

    Raises:
        InputError: The file cannot be written; the message names it. An older file is unchanged.

    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> with open_output(Path(folder, "answer.txt")) as file:
        ...     _ = file.write(b"42")
        >>> Path(folder, "answer.txt").read_text()
        '42'
    """
    if str(path) == STDOUT:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    try:
        if is_stream(path):
            with open(path, "wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
        try:
            with create_file(part) as file:
                if sys.platform != "win32":  # its one bit, read-only, keeps a file from being removed
                    with suppress(FileNotFoundError):
                        os.chmod(part, stat.S_IMODE(target.stat().st_mode))
                yield file
                put_in_place(file, part, target)
        finally:
            with suppress(OSError):
                part.unlink()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {reason(error)}") from error


class GrowingFile:
    """A file that grows by whole pieces: what ends it early leaves those that were marked.

    Args:
        shown: Its name, for messages.
        file: The file, without a buffer, at its end.
    """

    def __init__(self, shown: str, file: io.FileIO) -> None:
        self._shown, self._file = shown, file
        self.whole = file.tell()
        """Bytes of the whole pieces."""
        self.is_kept = False
        """Whether there is a whole piece, be it an empty one."""
        self.failed = False
        """Whether a piece could not be written."""

    def write(self, data: bytes) -> int:
        """Write all of some bytes.

        Raises:
            InputError: They cannot be written, as on a full disk.
        """
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self.failed = True
            raise InputError(f"{self._shown}: cannot be written: {reason(error)}") from None
        return len(data)

    def mark(self) -> None:
        """Count what is written as whole."""
        self.whole, self.is_kept = self._file.tell(), True


@contextmanager
def open_growing(path: str | Path, end: int | None = None) -> Iterator[GrowingFile]:
    """Open a regular file whose whole pieces are kept when the block ends, however it ends.

    A file that is not there grows under its name, so that even a process that is killed leaves what it
    has written. An older one is replaced at the end, if there is a whole piece.

    Args:
        path: The file. A symbolic link stays.
        end: Keep so many bytes of the file that is there, and append to them. Default: a new file.

    Raises:
        InputError: The file cannot be written; the message names it.
    """
    target = Path(os.path.realpath(path))
    part = target
    try:
        if end is not None:
            file = io.FileIO(target, "r+")
            file.truncate(end)
            file.seek(end)
        else:
            if target.exists():
                part = target.with_name(f".{target.name}.{os.urandom(4).hex()}.part")
            file = io.FileIO(_create(part), "w")
            if part != target and sys.platform != "win32":
                os.chmod(part, stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {reason(error)}") from error
    growing = GrowingFile(str(path), file)
    try:
        yield growing
    finally:
        with suppress(OSError):
            file.truncate(growing.whole)
        # A disk that is full may refuse this as well; the pieces are written.
        with suppress(OSError):
            os.fsync(file.fileno())
        file.close()
        if not growing.is_kept and end is None:
            part.unlink(missing_ok=True)
        elif part != target:
            _replace(part, target, path)


def _replace(part: Path, target: Path, path: str | Path) -> None:
    try:
        when_free(lambda: os.replace(part, target))
        _sync_folder(target.parent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written, {part} has it: {reason(error)}") from error


def create_file(path: Path) -> IO[bytes]:
    """Create and open a new file, without following a symbolic link.

    Raises:
        OSError: The name exists already, or the file cannot be created.
    """
    return os.fdopen(_create(path), "wb")


def _create(path: Path) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    return os.open(path, flags, 0o666)


def put_in_place(file: IO[bytes], part: Path, path: Path) -> None:
    """Move a finished file to its final name, and sync the file and its folder to the disk.

    Args:
        file: The open file; it is closed.
        part: Its temporary name.
        path: Its final name.

    Raises:
        OSError: The file cannot be written or moved.
    """
    file.flush()
    os.fsync(file.fileno())
    file.close()
    when_free(lambda: os.replace(part, path))
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Sync a folder's list of files to the disk, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):  # as on Windows
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF):  # of shared folders
            raise
    finally:
        os.close(handle)


def when_free(act: Callable[[], T]) -> T:
    """Do something with a file; on Windows, wait for up to two seconds while it is in use.

    There a file that a program has open cannot be replaced, and one that is being replaced cannot be
    opened. Other systems allow both.

    Raises:
        OSError: What ``act`` raised last.
    """
    end = monotonic() + BUSY_SECONDS
    while True:
        try:
            return act()
        except OSError as error:
            if not _is_in_use(error) or monotonic() >= end:
                raise
            sleep(RETRY_SECONDS)


def reason(error: OSError) -> str:
    """Return why a file cannot be read or written, in the words of the system."""
    text = error.strerror or str(error)
    return f"{text} (does another program have it open?)" if _is_in_use(error) else text


def _is_in_use(error: OSError) -> bool:
    return getattr(error, "winerror", None) in IN_USE


def reader_has_gone(error: OSError) -> bool:
    """Return whether an error is that of a write to a pipe without a reader: EINVAL on Windows."""
    is_of_windows = sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename
    return is_of_windows or isinstance(error, BrokenPipeError)


def is_stream(path: str | Path) -> bool:
    """Return whether a path names a pipe, a device or an open file, which must not be replaced.

    Raises:
        OSError: The path names a folder, or cannot be read.
    """
    if str(path) == STDOUT or os.path.abspath(path).startswith(STREAMS):
        return True
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(21, "Is a directory")
    return not stat.S_ISREG(mode)
