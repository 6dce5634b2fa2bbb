"""The answers in an unfinished file, compared with the rows of the input, to go on after them."""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.results.batches.row_files import answer_columns, as_csv, kept_places
from gpuodds.spots.batches.row_files import FIRST_ROWS, Piece, RowFile


@dataclass(frozen=True)
class RowsDone:
    """What a file of answers has.

    Attributes:
        end: The byte after its last whole row.
        rows: The number of its rows.
        failed: How many of them have an error.
        rest: Rows of the input that were read and are not answered; None at its end.
    """

    end: int
    rows: int
    failed: int
    rest: Piece | None


def find_done(path: Path, form: str, rows: RowFile) -> RowsDone:
    """Compare a file of answers with the rows of its input, up to the last whole row.

    Args:
        path: The file, CSV or JSON lines. What follows its last whole row was cut off.
        form: ``"csv"`` or ``"jsonl"``.
        rows: The input, from its beginning.

    Raises:
        InputError: The file cannot be read, or has other columns or rows; the message names the line.
    """
    shown = excerpt(str(path), 200)
    try:
        with path.open("rb") as file:
            return _compare(_Csv(file, shown) if form == "csv" else _JsonLines(file, shown), rows)
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {error.strerror}") from None


def _compare(answers: _Answers, rows: RowFile) -> RowsDone:
    piece = rows.read(FIRST_ROWS)
    answers.begin(rows)
    done = failed = 0
    while piece is not None:
        for place in range(len(piece.rows)):
            line = answers.next_row()
            if line is None:
                if not answers.is_begun(piece, place):
                    raise answers.refused("another row")
                return RowsDone(answers.end, done, failed, piece.after(place))
            failed += answers.check(line, piece, place)
            done += 1
        piece = rows.read(FIRST_ROWS)
    if answers.next_row() is not None or answers.has_tail:
        raise answers.refused("more rows than the input has")
    return RowsDone(answers.end, done, failed, None)


class _Answers(ABC):
    """A file of answers, row by row."""

    def __init__(self, file: IO[bytes], shown: str) -> None:
        self._lines, self._shown = self._read(file), shown
        self._number = 0  # the last line that was read
        self.end = 0
        self._tail = b""  # a row that was cut off

    def _read(self, file: IO[bytes]) -> Iterator[bytes]:
        """Yield whole rows; those of CSV may have line breaks between quotes."""
        parts: list[bytes] = []
        for line in file:
            self._number += 1
            parts.append(line)
            if line.endswith(b"\n") and self._is_whole(line):
                row = b"".join(parts)
                parts.clear()
                self.end += len(row)
                yield row
        self._tail = b"".join(parts)

    def _is_whole(self, line: bytes) -> bool:
        return True

    def next_row(self) -> bytes | None:
        """Return the next whole row, None after the last one."""
        return next(self._lines, None)

    def refused(self, what: str) -> InputError:
        """Return the error of a file that is not what was written."""
        return InputError(
            f"--resume: {self._shown}: line {self._number}: {what}: expected the answers to this input"
        )

    @property
    def has_tail(self) -> bool:
        """Whether a row that was cut off is at the end."""
        return bool(self._tail)

    @abstractmethod
    def is_begun(self, piece: Piece, place: int) -> bool:
        """Return whether what was cut off is the beginning of the answer to a row of the input."""

    @abstractmethod
    def begin(self, rows: RowFile) -> None:
        """Read what stands before the rows.

        Raises:
            InputError: It is something else.
        """

    @abstractmethod
    def check(self, line: bytes, piece: Piece, place: int) -> bool:
        """Return whether a row has an error.

        Raises:
            InputError: It is not the answer to the row of the input.
        """


class _Csv(_Answers):
    _open = False  # whether the line begins between quotes

    def _is_whole(self, line: bytes) -> bool:
        self._open ^= line.count(b'"') % 2 == 1
        return not self._open

    def begin(self, rows: RowFile) -> None:
        names = answer_columns(rows.names, rows.players)
        self._kept, self._width = kept_places(rows.names), len(names)
        header = as_csv([names])
        first_row = self.next_row()
        if first_row != header and not (first_row is None and header.startswith(self._tail)):
            raise self.refused("other columns")

    def is_begun(self, piece: Piece, place: int) -> bool:
        """Return whether what was cut off begins like the row."""
        if not self.end:  # a part of the header
            return True
        begin = as_csv([[piece.cells[place][column] for column in self._kept]])[:-1]
        return all(expected == other for expected, other in zip(begin, self._tail, strict=False))

    def check(self, line: bytes, piece: Piece, place: int) -> bool:
        try:
            cells = next(csv.reader(io.StringIO(line.decode(), newline=""), strict=True))
        except (csv.Error, UnicodeDecodeError, StopIteration):
            raise self.refused("not a row of CSV") from None
        wanted = [piece.cells[place][column] for column in self._kept]
        if len(cells) != self._width or cells[: len(wanted)] != wanted:
            raise self.refused("another row")
        return bool(cells[-1])


class _JsonLines(_Answers):
    def begin(self, rows: RowFile) -> None:
        self._keeps = rows.keeps

    def is_begun(self, piece: Piece, place: int) -> bool:
        """Return whether what was cut off begins like an answer."""
        return any(
            begin.startswith(self._tail) or self._tail.startswith(begin)
            for begin in (b'{"schema": "gpuodds.equity/', b'{"error": "')
        )

    def check(self, line: bytes, piece: Piece, place: int) -> bool:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self.refused("not JSON") from None
        wanted = piece.kept[place] if self._keeps else None
        kept = answer.pop("kept", None) if isinstance(answer, dict) else None
        if not isinstance(answer, dict) or json.dumps(kept) != json.dumps(wanted):
            raise self.refused("another row")
        row = piece.rows[place]
        if isinstance(row, InputError):
            if answer != {"error": str(row)}:
                raise self.refused("another row")
        elif list(answer) != ["error"]:
            try:
                spot = row.spot()
            except InputError:
                raise self.refused("another row") from None
            asked: dict[str, Any] = {
                "game": spot.game.name,
                "hands": list(spot.names),
                "opponents": spot.opponents,
                "board": format_cards(spot.board),
                "dead": format_cards(spot.dead),
            }
            if {name: answer.get(name) for name in asked} != asked:
                raise self.refused("another row")
        return "error" in answer
