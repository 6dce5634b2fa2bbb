"""Hands from files, folders and patterns: read one after another, in order."""

from __future__ import annotations

import glob
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path

from gpuodds.errors import InputError, excerpt
from gpuodds.histories.hand import Hand, Skipped
from gpuodds.histories.reading.notation import Unreadable
from gpuodds.histories.reading.pacific import read_pacific
from gpuodds.histories.reading.phh import read_phh
from gpuodds.histories.reading.pieces import Piece, cut
from gpuodds.histories.reading.stars import read_stars
from gpuodds.histories.reading.winamax import read_winamax
from gpuodds.machine.files import reason

_READERS: dict[str, Callable[[str, str, int, bool], Hand]] = {
    "stars": read_stars,
    "winamax": read_winamax,
    "pacific": read_pacific,
    "phh": read_phh,
}
_INDENT = re.compile(r"^[ \t\ufeff]+", re.MULTILINE)
_FAULTS = (ValueError, LookupError, AttributeError, TypeError, ArithmeticError, RecursionError)


def read(paths: str | Path | Iterable[str | Path], *, moves: bool = False) -> Iterator[Hand | Skipped]:
    r"""Yield the hands of files, in order, and what could not be read.

    PHH (``.phh`` and ``.phhs``) and the text of PokerStars, GGPoker, Winamax and 888poker, in any
    mixture. Files are read a block at a time.

    Args:
        paths: Files, folders, patterns such as ``"hands/*.txt"``; or one of them.
        moves: Whether hands keep their moves, for :func:`gpuodds.histories.decisions`.

    Yields:
        A :class:`Hand`, or a :class:`Skipped` with the file, the line and the reason.

    Raises:
        InputError: A file does not exist or cannot be opened, or a pattern matches none.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from gpuodds.histories import EXAMPLE_HAND
        >>> with TemporaryDirectory() as folder:
        ...     text = f"[1]\n{EXAMPLE_HAND}[2]\n{EXAMPLE_HAND}"
        ...     _ = (Path(folder) / "hands.phhs").write_text(text)
        ...     [(hand.line, hand.rake) for hand in read(folder)]
        [(1, 0), (10, 0)]
    """
    for path in find_files(paths):
        for piece in pieces_of(path):
            yield piece if isinstance(piece, Skipped) else read_piece(piece, moves)


def read_text(
    text: str | bytes, name: str = "text", *, moves: bool = False
) -> Iterator[Hand | Skipped]:
    """Yield the hands of a text, as :func:`read` those of a file.

    Args:
        text: The content of a file.
        name: What the hands name as their file.
        moves: Whether hands keep their moves.
    """
    for piece in cut(BytesIO(text.encode() if isinstance(text, str) else text), name):
        yield piece if isinstance(piece, Skipped) else read_piece(piece, moves)


def read_piece(piece: Piece, moves: bool = False) -> Hand | Skipped:
    """Return the hand in a piece of a file, with its moves if asked for, or why it is none."""
    text = piece.text
    if text[0] in " \t\ufeff":
        text = _INDENT.sub("", text)
    try:
        return _READERS[piece.kind](text, piece.file, piece.line, moves)
    except Unreadable as error:
        return Skipped(piece.file, piece.line, str(error))
    except _FAULTS as error:
        return Skipped(piece.file, piece.line, f"the hand cannot be read: {error}")


def pieces_of(path: Path) -> Iterator[Piece | Skipped]:
    """Yield the texts of the hands in a file; ``-`` is standard input."""
    name = str(path)
    if name == "-":
        yield from cut(sys.stdin.buffer, "standard input")
        return
    try:
        with path.open("rb") as file:
            yield from cut(file, name)
    except OSError as error:
        yield Skipped(name, 0, reason(error))


def find_files(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """Return the files that are meant, in order, each once.

    Raises:
        InputError: A file does not exist, a pattern or a folder has none, or none is named.
    """
    found: dict[Path, None] = {}
    for path in [paths] if isinstance(paths, str | Path) else paths:
        for file in _find(Path(path)):
            found.setdefault(file)
    if not found:
        raise InputError("expected files of hand histories")
    return list(found)


def _find(path: Path) -> list[Path]:
    text = str(path)
    if path.is_dir():
        files = sorted(
            file
            for file in path.rglob("*")
            if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        if not files:
            raise InputError(f"{text}: no files in the folder")
        return files
    if text == "-" or path.exists():
        return [path]
    if glob.has_magic(text):
        matched = sorted(glob.glob(text, recursive=True))
        files = [file for match in matched for file in _find(Path(match))]
        if files:
            return files
        raise InputError(f"{excerpt(text)}: no file matches")
    raise InputError(f"{excerpt(text)}: no such file")
