"""Standard output and error: a reader that goes ends the command quietly, a full disk in one line."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, Any, NoReturn

from gpuodds.machine.files import reader_has_gone, reason

READER_GONE = 141  # the exit code: 128 and the number of SIGPIPE, as that of other programs
CANNOT_WRITE = 2


class OutputFailed(Exception):
    """Standard output takes no more. It is no OSError, which rich and typer would handle themselves.

    Args:
        message: One line; empty if the reader has gone.
        code: The exit code.
    """

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def end_output(error: OSError) -> NoReturn:
    """Raise the error of a write to standard output, or to a pipe.

    Raises:
        OutputFailed: Always.
    """
    if reader_has_gone(error):
        raise OutputFailed("", READER_GONE) from None
    raise OutputFailed(f"standard output: cannot be written: {reason(error)}", CANNOT_WRITE) from None


class _Stream(io.FileIO):
    """Standard output or error without buffers; after a write that fails it drops what follows."""

    _failed = False

    def write(self, data: Any) -> int:
        """Write bytes.

        Raises:
            OutputFailed: Standard output cannot be written, for the first time.
        """
        if not self._failed and data:  # typer tries a write of nothing, and would lose the error
            try:
                return super().write(data)
            except OSError as error:
                self._failed = True
                if self.fileno() != 2:  # messages are lost, and nothing else
                    end_output(error)
        return memoryview(data).nbytes


def set_up_streams() -> None:
    """Let all that is printed end in :class:`_Stream`; open the standard streams that are closed.

    A closed one would be the first file that the command opens.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            # Standard output opens for reading: to write is an error, as it is when it is closed.
            handle = os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            setattr(sys, name, os.fdopen(handle, "w" if number else "r", encoding="utf-8"))
    sys.stdout = _wrapped(sys.stdout, "backslashreplace")  # for names outside its encoding
    sys.stderr = _wrapped(sys.stderr, "backslashreplace")


def _wrapped(stream: IO[str], errors: str) -> IO[str]:
    """Return a stream of text with a :class:`_Stream` in the place of its file."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    if stream.errors == "strict":
        stream.reconfigure(errors=errors)
    buffer = stream.buffer
    file = buffer if isinstance(buffer, io.FileIO) else getattr(buffer, "raw", None)
    if type(file) is not io.FileIO:  # a Windows console
        return stream
    raw = _Stream(file.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        raw if file is buffer else io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        newline=None if sys.platform == "win32" else "\n",
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
