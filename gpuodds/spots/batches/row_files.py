"""Rows of a batch in files: CSV with a header, JSON lines, or a JSON array, read piece by piece."""

from __future__ import annotations

import csv
import json
import os
import stat
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.spots.batches.row_names import (
    ALL,
    EXPECTED,
    NOTHING,
    Keep,
    hand_names,
    is_known,
    plain_name,
    read_names,
)
from gpuodds.spots.batches.rows import Row, RowReader

if TYPE_CHECKING:
    from gpuodds.spots.hands import Hand
    from gpuodds.spots.ranges.range import Range

STDIN = "-"
FORMS = {".csv": "csv", ".tsv": "csv", ".json": "jsonl", ".jsonl": "jsonl", ".ndjson": "jsonl"}
DELIMITERS = ",;\t"  # spreadsheets of some countries write semicolons
MAX_LINE = 1 << 22  # bytes of a row
FIRST_ROWS = 1000  # rows of JSON by which the columns of all are set


@dataclass(frozen=True)
class Piece:
    """Some rows of a file.

    Attributes:
        rows: What was read, or what is wrong with it.
        cells: For each row its text in each of the input's columns.
        kept: For each row what goes with its answer, by column.
    """

    rows: list[Row | InputError]
    cells: list[list[str]]
    kept: list[dict[str, Any]]

    def first(self, count: int) -> Piece:
        """Return the first rows."""
        return Piece(self.rows[:count], self.cells[:count], self.kept[:count])

    def after(self, count: int) -> Piece:
        """Return the rows after the first ones."""
        return Piece(self.rows[count:], self.cells[count:], self.kept[count:])


class RowFile(ABC):
    """A file of rows, read piece by piece.

    Attributes:
        names: The names of the columns. Those of JSON lines are known after the first piece.
        players: The number of players that the columns have room for; likewise.
        keeps: Whether columns go with the answers.
    """

    form = ""
    """``"csv"`` or ``"jsonl"``."""

    def __init__(self, lines: _Lines, keep: Keep) -> None:
        self.names: list[str] = []
        self.players = 0
        self.keeps = bool(keep.names)
        self._lines, self._keep = lines, keep
        self._reader = RowReader(lines.game, keep)
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
        items: list[Any] = []
        try:
            for row in self._raw_rows():
                items.append(row)
                if len(items) >= most:
                    break
        except (csv.Error, OSError, UnicodeDecodeError) as error:
            self._failure = self._lines.failure(error)
            if not items:
                raise self._failure from None
        return self._piece(items) if items else None

    @abstractmethod
    def _raw_rows(self) -> Iterator[Any]:
        """Give the rows of the file as they are."""

    @abstractmethod
    def _piece(self, items: list[Any]) -> Piece:
        """Return raw rows as a piece."""


@contextmanager
def open_rows(
    path: str | Path, *, same_columns: bool = False, game: Game, keep: Keep = NOTHING
) -> Iterator[RowFile]:
    """Open a file of rows; ``-`` is standard input. Its ending tells the format, else how it begins.

    Args:
        path: The file.
        same_columns: Whether all rows of JSON must fit the columns of the first ones.
        game: The game of rows that name none.
        keep: The columns that go with the answers.

    Raises:
        InputError: The file cannot be read, or it is CSV and lacks a column or has one that is neither
            known nor kept.
    """
    shown = "standard input" if str(path) == STDIN else excerpt(str(path), 200)
    with ExitStack() as stack:
        try:
            file = sys.stdin.buffer if str(path) == STDIN else stack.enter_context(open(path, "rb"))
        except OSError as error:
            raise InputError(f"{shown}: cannot be read: {error.strerror}") from None
        form = FORMS.get(Path(path).suffix.lower())
        yield _begin(_Lines(file, shown, game), form, same_columns, keep)


def _begin(lines: _Lines, form: str | None, same_columns: bool, keep: Keep) -> RowFile:
    try:
        first = next((line for line in lines if line.strip()), "")
    except (csv.Error, OSError, UnicodeDecodeError) as error:
        raise lines.failure(error) from None
    if form is None:
        form = "jsonl" if first.lstrip()[:1] in ("{", "[") else "csv"
    if not first:
        raise InputError(f"{lines.shown}: line 1: the file is empty: expected {_expected(form)}")
    if form == "csv":
        return _CsvRows(lines, first, keep)
    kind = _JsonArray if first.lstrip()[:1] == "[" else _JsonRows
    return kind(lines, first, same_columns, keep)


def _expected(form: str) -> str:
    return f"the columns {EXPECTED}" if form == "csv" else "a JSON object a line, or an array of them"


class _Lines:
    """The lines of a binary file as text, with their number."""

    def __init__(self, file: IO[bytes], shown: str, game: Game) -> None:
        self._file, self.shown, self.game = file, shown, game
        self.number = self.bytes = 0
        self.size = 0
        self._has_text = self._is_array = False  # an array of JSON is read whole, on one line or many
        try:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode):
                self.size = status.st_size
        except OSError:  # no file of the system: standard input of a program that embeds this one
            pass

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._file.readline(MAX_LINE + 1)
        if not line:
            raise StopIteration
        self.number += 1
        self._is_array = self._is_array or (not self._has_text and line.lstrip()[:1] == b"[")
        self._has_text = self._has_text or not line.isspace()
        if len(line) > MAX_LINE:
            if not self._is_array:
                raise csv.Error(f"longer than {MAX_LINE:,} bytes: expected a row")
            line += self._file.readline()
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

    def __init__(self, lines: _Lines, first: str, keep: Keep) -> None:
        super().__init__(lines, keep)
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
        names = read_names(self.names, keep, lists=False)
        if names.error is not None:
            raise InputError(f"{lines.shown}: line {lines.number}: {names.error}")
        self.players = len(hand_names(names.used))
        places = {name: place for place, name in enumerate(self.names)}
        self._used = {known: places[name] for known, name in names.used.items()}
        self._kept = {name.strip(): places[name] for name in names.kept}

    def _raw_rows(self) -> Iterator[tuple[int, list[str]]]:
        for cells in self._csv:
            if any(cell and not cell.isspace() for cell in cells):
                yield self._lines.number, cells

    def _piece(self, items: list[tuple[int, list[str]]]) -> Piece:
        width, wrong, rows = len(self.names), {}, []
        for place, (line, cells) in enumerate(items):
            if len(cells) != width:
                if len(cells) < width or any(map(str.strip, cells[width:])):
                    wrong[place] = InputError(f"line {line}: {len(cells)} cells: expected {width}")
                cells = [*cells[:width], *[""] * (width - len(cells))]
            rows.append(cells)
        columns = list(zip(*rows, strict=True))
        read = self._reader.read_columns({name: columns[place] for name, place in self._used.items()})
        for place, error in wrong.items():
            read[place] = error
        kept = [{name: row[place] for name, place in self._kept.items()} for row in rows]
        return Piece(read, rows, kept)


class _JsonRows(RowFile):
    """JSON lines: an object a line."""

    form = "jsonl"

    def __init__(self, lines: _Lines, first: str, same_columns: bool, keep: Keep) -> None:
        super().__init__(lines, keep)
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
        except (csv.Error, OSError, UnicodeDecodeError) as error:
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

    def _piece(self, items: list[Any]) -> Piece:
        reader = self._reader
        rows = [_repeat(item) or reader.read_dict(item) for item in items]
        kept = list(map(reader.kept, items))
        for place, values in enumerate(kept):
            if values and (why := _why_not_written(values, self._same_columns)):
                rows[place], kept[place] = InputError(f"the values to keep {why}"), {}
        if not self.names:
            self._set_columns(rows, kept)
        if not self._same_columns:
            return Piece(rows, [[]] * len(rows), kept)
        by_column = [{plain_name(key): value for key, value in values.items()} for values in kept]
        rows = [self._fit(row, values) for row, values in zip(rows, by_column, strict=True)]
        pairs = zip(rows, by_column, strict=True)
        return Piece(rows, [self._cells(row, values) for row, values in pairs], kept)

    def _set_columns(self, rows: Sequence[Row | InputError], kept: Sequence[Mapping[str, Any]]) -> None:
        """Set the columns of all rows: those that the first ones need."""
        good = [row for row in rows if isinstance(row, Row)]
        self.players = max((len(row.players) for row in good), default=1)
        self._folded = max((len(row.folded) for row in good), default=0)
        self._has_game = any(row.game is not self._lines.game for row in good)
        self._has_price = any(row.price is not None for row in good)
        named = [name for name in self._keep.names if name != ALL]
        self._titles: dict[str, str] = {}
        for key in [*(key for values in kept for key in values), *named]:
            if not is_known(plain_name(key)):
                self._titles.setdefault(plain_name(key), key)
        self.names = [
            *(f"hand_{number}" for number in range(1, self.players + 1)),
            *("board", "dead", "opponents"),
            *(("pot", "to_call") if self._has_price else ()),
            *(("game",) if self._has_game else ()),
            *(f"folded_{number}" for number in range(1, self._folded + 1)),
            *self._titles.values(),
        ]

    def _fit(self, row: Row | InputError, kept: Mapping[str, Any]) -> Row | InputError:
        """Return a row, or an error if it does not fit the columns."""
        if isinstance(row, InputError):
            return row
        for count, most, what in (
            (len(row.players), self.players, "hands"),
            (len(row.folded), self._folded, "folded players"),
        ):
            if count > most:
                return InputError(f"{count} {what}: the columns have room for {most}; write JSON lines")
        new = [name for name in kept if not is_known(name) and name not in self._titles]
        if row.game is not self._lines.game and not self._has_game:
            new = ["game"]
        if row.price is not None and not self._has_price:
            new = ["pot"]
        if not new:
            return row
        return InputError(f"key {excerpt(new[0])}: the first rows set the columns; write JSON lines")

    def _read_line(self, number: int, line: str) -> Any:
        try:
            return json.loads(line.strip(), object_pairs_hook=_object)
        except json.JSONDecodeError as error:
            return InputError(f"line {number}: column {error.colno}: not JSON: {error.msg}")
        except (ValueError, RecursionError) as error:  # a number of thousands of digits; deep nesting
            return InputError(f"line {number}: not JSON that can be read: {error}")

    def _cells(self, row: Row | InputError, kept: Mapping[str, Any]) -> list[str]:
        own = [_text(kept.get(name)) for name in self._titles]
        if isinstance(row, InputError):
            return [""] * (len(self.names) - len(own)) + own
        cells = [*_names(row.players, self.players), format_cards(row.board), format_cards(row.dead)]
        cells.append(str(row.opponents))
        if self._has_price:
            cells += ["", ""] if row.price is None else [f"{float(chips):.15g}" for chips in row.price]
        cells += [row.game.name] if self._has_game else []
        return [*cells, *_names(row.folded, self._folded), *own]


class _RepeatedKey(dict[str, Any]):
    """An object of JSON that has a key twice, of which a dict has the last."""

    key = ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        members = _RepeatedKey(members)
        members.key = Counter(key for key, _ in pairs).most_common(1)[0][0]
    return members


def _repeat(row: Any) -> InputError | None:
    """Return what is wrong with a row before its keys are read, if anything is."""
    if isinstance(row, _RepeatedKey):
        return InputError(f"key {excerpt(row.key)} is there twice")
    return row if isinstance(row, InputError) else None


def _names(players: Sequence[Hand | Range], size: int) -> list[str]:
    """Return the texts of players, and empty ones up to a number of them."""
    names = [format_cards(hand) if isinstance(hand, tuple) else hand.name for hand in players]
    return names + [""] * (size - len(names))


def _why_not_written(values: Mapping[str, Any], as_text: bool) -> str | None:
    """Return why values that were read cannot be written, which needs a little more of the stack.

    Args:
        values: Their keys and values.
        as_text: Whether texts are written as they are, not as JSON: half of a surrogate pair, which
            JSON can write, is no text.
    """
    try:
        text = json.dumps([[[[values]]]], ensure_ascii=not as_text)
    except RecursionError:
        return "are nested too deeply"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"have {excerpt(text[error.start])}, half of a character"
    return None


def _text(value: Any) -> str:
    """Return a JSON value as the text of a cell: a text as it is, nothing for null."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value)


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
            self._rows: list[Any] = json.loads(
                "".join(chain([first], self._lines)), object_pairs_hook=_object
            )
        except json.JSONDecodeError as error:
            where = f"line {begin - 1 + error.lineno}: column {error.colno}"
            raise InputError(f"{self._lines.shown}: {where}: not JSON: {error.msg}") from None
        except (csv.Error, OSError, UnicodeDecodeError) as error:
            raise self._lines.failure(error) from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self._lines.shown}: not JSON that can be read: {error}") from None
        self._done = 0
        if not self._rows:
            self._set_columns([], [])

    @property
    def share(self) -> float | None:
        """The share of the rows that has been read, 0 to 1."""
        return self._done / len(self._rows) if self._rows else 1.0

    def _raw_rows(self) -> Iterator[Any]:
        while self._done < len(self._rows):
            self._done += 1
            yield self._rows[self._done - 1]
