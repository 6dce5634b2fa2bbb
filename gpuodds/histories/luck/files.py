"""A row for each hand and player, in files: CSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.histories.chips import PARTS, chips_text
from gpuodds.histories.luck.row import Row
from gpuodds.machine.files import open_output

COLUMNS = (
    "hand",
    "site",
    "file",
    "line",
    "time",
    "table",
    "tournament",
    "game",
    "currency",
    "big_blind",
    "player",
    "position",
    "starting_hand",
    "result",
    "ev",
    "flop_luck",
    "turn_luck",
    "river_luck",
    "all_in",
    "not_adjusted",
)
"""The columns of a hand and a player; amounts are in chips."""


def cells(row: Row, player: str | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield the values of :data:`COLUMNS` for each player of a hand, or for one."""
    common = (
        row.number,
        row.site,
        row.file,
        row.line,
        row.time,
        row.table,
        row.tournament,
        row.game,
        row.currency,
        row.big_blind / PARTS,
    )
    for place, name in enumerate(row.names):
        if player is not None and name != player:
            continue
        luck = (row.luck[place] if row.luck else None) or (0, 0, 0)
        yield (
            *common,
            name,
            row.positions[place],
            row.hands[place],
            *(float(amount / PARTS) for amount in (row.result[place], row.ev[place], *luck)),
            row.luck is not None and row.luck[place] is not None,
            row.why if row.contest[place] else "",
        )


def texts(row: Row, player: str | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield the same values with exact amounts as text."""
    for values, (place, _) in zip(
        cells(row, player),
        ((at, name) for at, name in enumerate(row.names) if player is None or name == player),
        strict=True,
    ):
        luck = (row.luck[place] if row.luck else None) or (0, 0, 0)
        amounts = map(chips_text, (row.result[place], row.ev[place], *luck))
        time = row.time.isoformat(sep=" ") if row.time else ""
        yield (
            *values[:4],
            time,
            *values[5:9],
            chips_text(row.big_blind),
            *values[10:13],
            *amounts,
            *values[18:],
        )


FORMATS = (".csv", ".jsonl", ".parquet")
"""The endings of files that rows can be written to."""


@contextmanager
def open_rows(path: Path, player: str | None = None) -> Iterator[Callable[[Row], None]]:
    """Open a file for rows, and yield the function that writes the row of a hand.

    Args:
        path: A file that ends in one of :data:`FORMATS`. JSON lines are those of ``gpuodds ev --hands
            --json``, so rows need their text; the others have a line a hand and player.
        player: Write this player's lines alone.

    Raises:
        InputError: The ending is another, pyarrow is missing, or the file cannot be written.
    """
    check_rows_file(path)
    with open_output(path) as file:
        if path.suffix == ".jsonl":
            yield lambda row: _write_line(file, row)
        elif path.suffix == ".csv":
            lines = csv.writer(TextLines(file))
            lines.writerow(COLUMNS)
            yield lambda row: lines.writerows(texts(row, player))
        else:
            writer = _ParquetRows(file, player)
            yield writer.write
            writer.close()


def check_rows_file(path: Path) -> None:
    """Refuse a file name whose ending is no format of rows, or whose format needs what is missing.

    Raises:
        InputError: See above.
    """
    if path.suffix not in FORMATS:
        raise InputError(f"{excerpt(str(path))}: expected a file that ends in {', '.join(FORMATS)}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise InputError("Parquet needs pyarrow: install gpuodds[tables]")


def _write_line(file: IO[bytes], row: Row) -> None:
    file.write(row.text.encode() + b"\n")


class TextLines:
    r"""A file of bytes that takes text, for :mod:`csv`.

    Example:
        >>> from io import BytesIO
        >>> file = BytesIO()
        >>> TextLines(file).write("é")
        >>> file.getvalue()
        b'\xc3\xa9'
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write text in UTF-8."""
        self._file.write(text.encode("utf-8", "replace"))


class _ParquetRows:
    """Rows on their way into Parquet, ten thousand at a time."""

    def __init__(self, file: IO[bytes], player: str | None) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {"line": pa.int64(), "time": pa.timestamp("s"), "all_in": pa.bool_()}
        floats = {"big_blind", "result", "ev", "flop_luck", "turn_luck", "river_luck"}
        self._schema = pa.schema(
            [
                (name, kinds.get(name, pa.float64() if name in floats else pa.string()))
                for name in COLUMNS
            ]
        )
        self._writer = pq.ParquetWriter(file, self._schema)
        self._player = player
        self._waiting: list[tuple[Any, ...]] = []

    def write(self, row: Row) -> None:
        self._waiting.extend(cells(row, self._player))
        if len(self._waiting) >= 10_000:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow as pa

        columns = list(zip(*self._waiting, strict=True)) or [()] * len(COLUMNS)
        arrays = [
            pa.array(column, kind.type) for column, kind in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._waiting = []
