"""Rows of a batch in files: CSV with a header, JSON lines, or a JSON array, read piece by piece."""

from __future__ import annotations

import csv
import json
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.rows import EXPECTED, ONE_OF_BOTH, OPTIONAL, Row, RowReader, hand_columns

STDIN = "-"
FORMS = {".csv": "csv", ".tsv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".ndjson": "jsonl"}
DELIMITERS = ",;\t"  # spreadsheets of some countries write semicolons
FIRST_ROWS = 1000  # rows of JSON by which the columns of all are set


@dataclass(frozen=True)
class Piece:
    """Some rows of a file.

    Attributes:
        rows: What was read, or what is wrong with it.
        cells: For each row its text in each of the input's columns.
    """

    rows: list[Row | InputError]
    cells: list[list[str]]


class RowFile(ABC):
    """A file of rows, read piece by piece.

    Attributes:
        names: The names of the columns. Those of JSON lines are known after the first piece.
        players: The number of players that the columns have room for; likewise.
    """

    form = ""
    """``"csv"`` or ``"jsonl"``."""

    def __init__(self, lines: _Lines) -> None:
        self.names: list[str] = []
        self.players = 0
        self._lines = lines
        self._reader = RowReader(lines.game)
        self._failure: InputError | None = None

    @property
    def share(self) -> float | None:
        """The share of the file that has been read, 0 to 1; None if its size is not known."""
        return self._lines.bytes / self._lines.size if self._lines.size else None

    def read(self, most: int) -> Piece | None:
        """Return up to so many rows, or None at the end of the file.

        Raises:
            InputError: The file is damaged; the message names the line. Rows before it come first.
        """
        if self._failure is not None:
            raise self._failure
        found: list[Any] = []
        try:
            for row in self._raw_rows():
                found.append(row)
                if len(found) >= most:
                    break
        except (csv.Error, OSError, UnicodeDecodeError) as error:
            self._failure = self._lines.failure(error)
            if not found:
                raise self._failure from None
        return self._piece(found) if found else None

    @abstractmethod
    def _raw_rows(self) -> Iterator[Any]:
        """Give the rows of the file as they are."""

    @abstractmethod
    def _piece(self, found: list[Any]) -> Piece:
        """Return raw rows as a piece."""


@contextmanager
def open_rows(
    path: str | Path, *, same_columns: bool = False, game: Game = HOLDEM
) -> Iterator[RowFile]:
    """Open a file of rows; ``-`` is standard input. Its ending tells the format, else how it begins.

    Args:
        path: The file.
        same_columns: Whether all rows of JSON must fit the columns of the first ones.
        game: The game of rows that name none.

    Raises:
        InputError: The file cannot be read, or it is CSV without a column ``hand_1``.
    """
    shown = "standard input" if str(path) == STDIN else excerpt(str(path), 200)
    with ExitStack() as stack:
        try:
            file = sys.stdin.buffer if str(path) == STDIN else stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise InputError(f"{shown}: cannot be read: {error.strerror}") from None
        form = FORMS.get(Path(path).suffix.lower())
        yield _begin(_Lines(file, shown, game), form, same_columns)


def _begin(lines: _Lines, form: str | None, same_columns: bool) -> RowFile:
    try:
        first = next((line for line in lines if line.strip()), "")
    except (OSError, UnicodeDecodeError) as error:
        raise lines.failure(error) from None
    if form is None:
        form = "jsonl" if first.lstrip()[:1] in ("{", "[") else "csv"
    if not first:
        raise InputError(f"{lines.shown}: line 1: the file is empty: expected {_expected(form)}")
    if form == "csv":
        return _CsvRows(lines, first)
    kind = _JsonArray if first.lstrip()[:1] == "[" else _JsonRows
    return kind(lines, first, same_columns)


def _expected(form: str) -> str:
    return f"the columns {EXPECTED}" if form == "csv" else "a JSON object a line, or an array of them"


class _Lines:
    """The lines of a binary file as text, with their number."""

    def __init__(self, file: IO[bytes], shown: str, game: Game) -> None:
        self._file, self.shown, self.game = file, shown, game
        self.number = self.bytes = 0
        self.size = 0
        try:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode):
                self.size = found.st_size
        except OSError:  # no file of the system: standard input of a program that embeds this one
            pass

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self._file)
        self.number += 1
        self.bytes += len(line)
        return line.decode("utf-8-sig" if self.number == 1 else "utf-8")

    def failure(self, error: Exception) -> InputError:
        """Return the error for what is wrong with the current line."""
        what = "expected text in UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        if isinstance(error, OSError):
            what = f"cannot be read: {error.strerror}"
        return InputError(f"{self.shown}: line {self.number}: {what}")


class _CsvRows(RowFile):
    """CSV: a header, then a row a line."""

    form = "csv"

    def __init__(self, lines: _Lines, first: str) -> None:
        super().__init__(lines)
        delimiter = max(DELIMITERS, key=first.count)
        text = chain([first], lines)
        self._csv = csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=True)
        try:
            self.names = next(self._csv)
        except (csv.Error, OSError, UnicodeDecodeError) as error:
            raise lines.failure(error) from None
        while (
            self.names and not self.names[-1].strip()
        ):  # spreadsheets leave empty columns on the right
            self.names.pop()
        self._known = [name.strip().lower() for name in self.names]
        where = f"{lines.shown}: line {lines.number}"
        try:
            self.players = len(hand_columns(self._known))
        except InputError as error:
            raise InputError(f"{where}: {error}; found {excerpt(first.strip(), 60)}") from None
        if "hands" in self._known:
            raise InputError(f"{where}: columns hands and hand_1: {ONE_OF_BOTH}")
        read = Counter(name for name in self._known if name in OPTIONAL or name.startswith("hand_"))
        for name, times in read.items():
            if times > 1:
                raise InputError(f"{where}: column {name} is there twice")

    def _raw_rows(self) -> Iterator[tuple[int, list[str]]]:
        for cells in self._csv:
            if any(cell and not cell.isspace() for cell in cells):
                yield self._lines.number, cells

    def _piece(self, found: list[tuple[int, list[str]]]) -> Piece:
        width, wrong, rows = len(self.names), {}, []
        for place, (line, cells) in enumerate(found):
            if len(cells) != width:
                if len(cells) < width or any(map(str.strip, cells[width:])):
                    wrong[place] = InputError(f"line {line}: {len(cells)} cells: expected {width}")
                cells = [*cells[:width], *[""] * (width - len(cells))]
            rows.append(cells)
        columns = dict(zip(self._known, map(list, zip(*rows, strict=True)), strict=True))
        read = self._reader.read_columns(columns)
        for place, error in wrong.items():
            read[place] = error
        return Piece(read, rows)


class _JsonRows(RowFile):
    """JSON lines: an object a line."""

    form = "jsonl"

    def __init__(self, lines: _Lines, first: str, same_columns: bool) -> None:
        super().__init__(lines)
        # Lines that are read before the rows are asked for, and the error that ended them.
        self._ahead = [(lines.number, first)]
        self._damage: Exception | None = None
        self._same_columns = same_columns
        self._begin(first)

    def _begin(self, first: str) -> None:
        """Refuse an object over several lines: each of them would be a row that is not JSON."""
        if not _ends_early(first):
            return
        lines, number = self._lines, self._lines.number
        try:
            second = next((line for line in lines if line.strip()), "")
        except (OSError, UnicodeDecodeError) as error:
            self._damage = error
            return
        if second and second.lstrip()[:1] != "{":
            where = f"{lines.shown}: line {number}"
            raise InputError(f"{where}: an object over several lines: expected {_expected(self.form)}")
        self._ahead.append((lines.number, second))

    def read(self, most: int) -> Piece | None:
        """Return up to so many rows, at first enough to set the columns."""
        return super().read(max(most, FIRST_ROWS) if self._same_columns and not self.names else most)

    def _raw_rows(self) -> Iterator[Any]:
        while self._ahead:
            number, line = self._ahead.pop(0)
            if line:
                yield self._read_line(number, line)
        if self._damage is not None:
            raise self._damage
        for line in self._lines:
            if not line.isspace():
                yield self._read_line(self._lines.number, line)

    def _piece(self, found: list[Any]) -> Piece:
        read = self._reader.read_dict
        rows = [value if isinstance(value, InputError) else read(value) for value in found]
        if not self.names:
            self._set_columns(rows)
        if not self._same_columns:
            return Piece(rows, [[]] * len(rows))
        for place, row in enumerate(rows):
            if isinstance(row, Row) and len(row.players) > self.players:
                room = f"the columns have room for {self.players}; write JSON lines"
                rows[place] = InputError(f"{len(row.players)} hands: {room}")
        return Piece(rows, list(map(self._cells, rows)))

    def _set_columns(self, rows: list[Row | InputError]) -> None:
        self.players = max((len(row.players) for row in rows if isinstance(row, Row)), default=1)
        hands = [f"hand_{number}" for number in range(1, self.players + 1)]
        self.names = [*hands, *OPTIONAL[:3]]

    def _read_line(self, number: int, line: str) -> Any:
        try:
            return json.loads(line.strip())
        except json.JSONDecodeError as error:
            return InputError(f"line {number}: column {error.colno}: not JSON: {error.msg}")
        except (ValueError, RecursionError) as error:  # a number of thousands of digits; deep nesting
            return InputError(f"line {number}: not JSON that can be read: {error}")

    def _cells(self, row: Row | InputError) -> list[str]:
        if isinstance(row, InputError):
            return [""] * len(self.names)
        hands = [format_cards(hand) if isinstance(hand, tuple) else hand.name for hand in row.players]
        hands += [""] * (self.players - len(hands))
        return [*hands, format_cards(row.board), format_cards(row.dead), str(row.opponents)]


def _ends_early(line: str) -> bool:
    """Return whether a line begins an object that does not end there."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.pos >= len(line.rstrip()) and line.lstrip()[:1] == "{"
    except (ValueError, RecursionError):
        pass  # that of a row
    return False


class _JsonArray(_JsonRows):
    """A JSON array of objects, on one line or many, which is read as a whole."""

    def _begin(self, first: str) -> None:
        begin = self._lines.number
        try:
            self._rows: list[Any] = json.loads("".join(chain([first], self._lines)))
        except json.JSONDecodeError as error:
            where = f"line {begin - 1 + error.lineno}: column {error.colno}"
            raise InputError(f"{self._lines.shown}: {where}: not JSON: {error.msg}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise self._lines.failure(error) from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self._lines.shown}: not JSON that can be read: {error}") from None
        self._done = 0
        if not self._rows:
            self._set_columns([])

    @property
    def share(self) -> float | None:
        """The share of the rows that has been read, 0 to 1."""
        return self._done / len(self._rows) if self._rows else 1.0

    def _raw_rows(self) -> Iterator[Any]:
        while self._done < len(self._rows):
            self._done += 1
            yield self._rows[self._done - 1]
