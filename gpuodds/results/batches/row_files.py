"""The answers to rows of a batch in files: CSV, JSON lines or Parquet, written piece by piece."""

from __future__ import annotations

import csv
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import GrowingFile
from gpuodds.spots.batches.row_names import is_answer, plain_name

if TYPE_CHECKING:
    from gpuodds.results.batches.equities import Equities
    from gpuodds.spots.batches.row_files import Piece

FORMATS = ("csv", "jsonl", "parquet")
ENDINGS = {
    ".csv": "csv",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
FIGURES = ("equity", "win", "tie")
CALLS = ("pot_odds", "expected_value")
OTHERS = ("method", "exact", "error")
ROW_GROUP = 1 << 16  # rows of a row group in Parquet, whose readers like them large


def format_of(path: str | Path, wanted: str | None, default: str) -> str:
    """Return the format of a file of answers: the one asked for, else that of its ending.

    Args:
        path: The file, or ``-``.
        wanted: One of :data:`FORMATS`, or None.
        default: The format of a file without an ending.

    Raises:
        InputError: There is no such format, the two differ, or the ending is unknown.

    >>> format_of("out.parquet", None, "csv"), format_of("-", None, "jsonl")
    ('parquet', 'jsonl')
    """
    if wanted is not None and wanted not in FORMATS:
        raise InputError(f"format {excerpt(wanted)}: expected one of {', '.join(FORMATS)}")
    name, ending = excerpt(Path(path).name), Path(path).suffix.lower()
    meant = ENDINGS.get(ending)
    if wanted is None and ending and meant is None:
        raise InputError(f"{name}: expected a name that ends in {', '.join(ENDINGS)}, or a format")
    if None not in (wanted, meant) and wanted != meant:
        raise InputError(f"{name}: its ending means {meant}, but the format asked for is {wanted}")
    return wanted or meant or default


def kept_places(names: Sequence[str]) -> list[int]:
    """Return the places of the input's columns that go before the answers: older answers do not."""
    return [place for place, name in enumerate(names) if not is_answer(plain_name(name))]


def figure_columns(players: int) -> list[str]:
    """Return the names of the columns of figures."""
    return [f"{name}_{player}" for player in range(1, players + 1) for name in FIGURES]


def found_columns(names: Sequence[str], players: int) -> list[str]:
    """Return the names of the columns of answers: figures, those of calls, method, exact and error.

    Args:
        names: The columns of the input.
        players: The players for whom there are columns.
    """
    calls = CALLS if {"pot", "to_call"} & {*map(plain_name, names)} else ()
    return [*figure_columns(players), *calls, *OTHERS]


def answer_columns(names: Sequence[str], players: int) -> list[str]:
    """Return the names of all columns: those of the input that are kept, then the answers."""
    return [*(names[place] for place in kept_places(names)), *found_columns(names, players)]


class RowWriter(ABC):
    """Writes rows of answers. Each call of :meth:`write` writes whole rows."""

    def __init__(self, out: IO[bytes] | GrowingFile) -> None:
        self._out = out

    def begin(self) -> None:  # noqa: B027 (most formats need nothing)
        """Write what the format needs at the beginning."""

    @abstractmethod
    def write(self, piece: Piece, answers: Equities) -> None:
        """Write rows.

        Args:
            piece: The rows of the input.
            answers: The answers to them.
        """

    def close(self) -> None:  # noqa: B027 (most formats need nothing)
        """Write what the format needs at the end."""


def new_writer(
    form: str, out: IO[bytes] | GrowingFile, names: Sequence[str], players: int, keeps: bool
) -> RowWriter:
    """Return the writer of a format.

    Args:
        form: One of :data:`FORMATS`.
        out: The file.
        names: The names of the input's columns.
        players: The players for whom there are columns.
        keeps: Whether columns of the input were asked for, which objects of JSON have as ``kept``.

    Raises:
        InputError: The format needs a library that is not installed.
    """
    if form == "jsonl":
        return _JsonWriter(out, keeps)
    return (_CsvWriter if form == "csv" else _ParquetWriter)(out, names, players)


class _JsonWriter(RowWriter):
    def __init__(self, out: IO[bytes] | GrowingFile, keeps: bool) -> None:
        super().__init__(out)
        self._keeps = keeps

    def write(self, piece: Piece, answers: Equities) -> None:
        lines = []
        for row, kept in enumerate(piece.kept):
            error = answers.errors.get(row)
            answer: dict[str, Any] = answers[row].to_dict() if error is None else {"error": str(error)}
            if self._keeps:
                answer["kept"] = kept
            lines.append(json.dumps(answer) + "\n")
        self._out.write("".join(lines).encode("ascii"))


class _ColumnWriter(RowWriter):
    """Writes the input's columns, then figures, method, exact and error.

    In a file that was answered before, the new answers take the place of the old ones.
    """

    def __init__(self, out: IO[bytes] | GrowingFile, names: Sequence[str], players: int) -> None:
        super().__init__(out)
        self._found = found_columns(names, players)
        self._kept, self._names = kept_places(names), answer_columns(names, players)

    def _columns(self, piece: Piece, answers: Equities) -> list[list[Any]]:
        columns = answers.to_dict()
        nothing = [None] * len(answers)
        kept: list[list[Any]] = [[row[place] for row in piece.cells] for place in self._kept]
        return [*kept, *(columns.get(name, nothing) for name in self._found)]


class _CsvWriter(_ColumnWriter):
    def begin(self) -> None:
        """Write the header."""
        self._write([self._names])

    def write(self, piece: Piece, answers: Equities) -> None:
        self._write(zip(*self._columns(piece, answers), strict=True))

    def _write(self, rows: Iterable[Sequence[Any]]) -> None:
        self._out.write(as_csv(rows))


def as_csv(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows as lines of CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode("utf-8")


class _ParquetWriter(_ColumnWriter):
    def __init__(self, out: Any, names: Sequence[str], players: int) -> None:
        super().__init__(out, names, players)
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise InputError("Parquet needs pyarrow: install gpuodds[tables]") from None
        text = [pa.string()] * len(self._kept)
        figures = [pa.float64()] * (len(self._found) - len(OTHERS))
        kinds = [*text, *figures, pa.string(), pa.bool_(), pa.string()]
        self._schema = pa.schema(list(zip(self._names, kinds, strict=True)))
        self._writer = pq.ParquetWriter(out, self._schema, compression="zstd")
        self._parts: list[Any] = []

    def write(self, piece: Piece, answers: Equities) -> None:
        import pyarrow as pa

        columns = zip(self._columns(piece, answers), self._schema.types, strict=True)
        arrays = [pa.array(column, kind) for column, kind in columns]
        self._parts.append(pa.Table.from_arrays(arrays, schema=self._schema))
        if sum(map(len, self._parts)) >= ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._parts:
            self._writer.write_table(pa.concat_tables(self._parts))
            self._parts.clear()

    def close(self) -> None:
        """Write the rest, and the footer."""
        self._flush()
        self._writer.close()
