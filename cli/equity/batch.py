"""``gpuodds equity --batch``: answers the rows of a file, piece by piece."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import typer

from gpuodds.cli.interrupt import exit_code, hold_interrupts, wait_on_interrupt
from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import STDOUT, GrowingFile, is_stream, open_growing, open_output, reason

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.methods.options import Options
    from gpuodds.results.batches.row_files import RowWriter
    from gpuodds.spots.batches.row_files import Piece, RowFile
    from gpuodds.spots.batches.row_names import Keep

ROWS_FAILED = 3  # the exit code
MOST_ROWS = 4096  # of a piece
SHORT, LONG = 0.25, 1.0  # seconds: a piece that takes less is followed by a larger one, and vice versa

Progress: TypeAlias = "Callable[[int, float | None], None]"
"""Called with the rows done, and the share of the file, 0 to 1, if its size is known."""


def refuse_with_batch(options: Mapping[str, Any], in_rows: bool) -> None:
    """Refuse arguments that have no meaning with ``--batch``.

    Args:
        options: Arguments by name, empty if they were not given.
        in_rows: Whether the rows have columns for them.

    Raises:
        InputError: One was given.
    """
    for name, value in options.items():
        if value:
            instead = "expected in the columns of the file" if in_rows else "expected without it"
            raise InputError(f"{name} with --batch: {instead}")


def read_form(form: str | None, as_json: bool, as_csv: bool) -> str | None:
    """Return the format of the answers; ``--json`` means JSON lines.

    Raises:
        InputError: Two formats were asked for.
    """
    short = "jsonl" if as_json else "csv" if as_csv else None
    if None not in (form, short) and form != short:
        raise InputError(
            f"--format {excerpt(str(form))} and --{'json' if as_json else 'csv'}: expected one"
        )
    return form or short


def read_options(method: str, table: bool, backend: str, sampling: Mapping[str, Any]) -> Options:
    """Return the options of each row.

    Raises:
        InputError: As :func:`gpuodds.equity`.
    """
    from gpuodds.methods.options import Options, SamplingOptions

    return Options.read(method, table, backend, False, False, SamplingOptions.read(**sampling))


def answer_file(
    path: str, out: str, form: str | None, options: Options, game: Game, keep: Keep, resume: bool
) -> None:
    """Answer the rows of a file, and write them with their answers.

    Args:
        path: CSV, JSON lines or a JSON array; ``-`` is standard input.
        out: CSV, JSON lines or Parquet; ``-`` is standard output.
        form: The format of ``out``; None for that of its ending, else that of the input.
        options: The options of each row.
        game: The game of rows that name none.
        keep: The columns that go with the answers.
        resume: Whether to go on after the rows that ``out`` has.

    Raises:
        InputError: A file cannot be read or written. The rows before that are written.
        typer.Exit: Rows failed, or a signal came. The rows up to there are written.
    """
    from gpuodds.results.batches.row_files import format_of
    from gpuodds.spots.batches.row_files import open_rows

    wanted = format_of(out, form, "")
    same_columns = wanted in ("csv", "parquet")
    with open_rows(path, same_columns=same_columns, game=game, keep=keep) as rows:
        wanted = wanted or rows.form
        if wanted == "parquet" and out == STDOUT and sys.stdout.isatty():
            raise InputError("--format parquet: standard output is a terminal: expected --out FILE")
        grows = wanted != "parquet" and _is_file(out)
        batch = _Batch(rows, options)
        if resume:
            if not grows:
                why = "Parquet ends with an index of all rows" if wanted == "parquet" else "no file"
                raise InputError(f"--resume: {excerpt(out, 200)}: {why}: expected CSV or JSON lines")
            batch.go_on_after(Path(out), wanted)
        ended, is_full = _answer_rows(batch, out, wanted, grows)
    kept = f"{batch.done:,} rows are written"
    if grows:
        kept += f" to {excerpt(out, 200)}; add --resume to go on"
    if isinstance(ended, InputError):
        raise InputError(f"{ended}; {kept}") if is_full else ended
    if ended is not None:
        print(f"gpuodds: interrupted; {kept}", file=sys.stderr)
        raise typer.Exit(exit_code())
    if batch.failed:
        where = "their lines" if wanted == "jsonl" else "the column error"
        print(f"gpuodds: {batch.failed:,} of {batch.done:,} rows failed: see {where}", file=sys.stderr)
        raise typer.Exit(ROWS_FAILED)


def _is_file(out: str) -> bool:
    """Return whether a path names a regular file, or none.

    Raises:
        InputError: It names a folder, or cannot be read.
    """
    try:
        return not is_stream(out)
    except OSError as error:
        raise InputError(f"{excerpt(out, 200)}: cannot be written: {reason(error)}") from None


def _answer_rows(
    batch: _Batch, out: str, form: str, grows: bool
) -> tuple[KeyboardInterrupt | InputError | None, bool]:
    """Answer rows into a file.

    Returns:
        What ended that early, when the file has the rows before, and whether it was the file itself.
    """
    ended: KeyboardInterrupt | InputError | None = None
    is_full = False
    with wait_on_interrupt(), _opened(out, grows, batch.end) as (file, mark), _rows_bar() as progress:
        try:
            batch.run(file, mark, form, progress)
        except (KeyboardInterrupt, InputError) as error:
            is_full = isinstance(file, GrowingFile) and file.failed
            if not batch.done:
                raise
            ended = error
        with hold_interrupts():
            batch.close()
    return ended, is_full


@contextmanager
def _opened(
    out: str, grows: bool, end: int | None
) -> Iterator[tuple[IO[bytes] | GrowingFile, Callable[[], None]]]:
    """Open a file of answers; with it goes a function to call when its rows are whole."""
    if grows:
        with open_growing(out, end) as growing:
            yield growing, growing.mark
    else:
        with open_output(out) as file:
            yield file, file.flush


class _Batch:
    """The rows of a file on their way to another.

    Attributes:
        done: The number of rows that are answered and written.
        failed: How many of them have an error.
        end: The bytes of an older file that are kept; None if there is none.
    """

    def __init__(self, rows: RowFile, options: Options) -> None:
        from gpuodds.methods.batches.many_spots import ManySpots

        self._rows, self._many = rows, ManySpots(options)
        self._writer: RowWriter | None = None
        self._share = 0.0
        self._next: Piece | None = None
        self.done = self.failed = 0
        self.end: int | None = None

    def go_on_after(self, path: Path, form: str) -> None:
        """Leave out the rows that a file has the answers to.

        Raises:
            InputError: It has others.
        """
        from gpuodds.results.batches.rows_done import find_done

        if not path.exists():
            return
        finished = find_done(path, form, self._rows)
        self.end, self.done, self.failed = finished.end, finished.rows, finished.failed
        self._next, self._share = finished.rest, self._rows.share or 0.0
        self._many.skip(finished.rows)

    def run(
        self,
        file: IO[bytes] | GrowingFile,
        mark: Callable[[], None],
        form: str,
        progress: Progress | None,
    ) -> None:
        """Answer all rows. Whole pieces are written, so that the file has whole rows at any time."""
        from gpuodds.results.batches.row_files import new_writer

        begin, size = monotonic(), 1
        piece = self._read(size)
        rows = self._rows
        self._writer = new_writer(form, file, rows.names, rows.players, rows.keeps)
        if not self.end:
            self._writer.begin()
        while piece is not None:
            answers = self._many.answer(piece.rows, self._part(len(piece.rows), progress))
            with hold_interrupts():
                self._writer.write(piece, answers)
                mark()
                self.done += len(piece.rows)
                self.failed += len(answers.errors)
            seconds, begin = monotonic() - begin, monotonic()
            if seconds < SHORT:
                size = min(2 * size, MOST_ROWS)
            elif seconds > LONG:
                size = max(size // 2, 1)
            piece = self._read(size)
        mark()

    def _read(self, most: int) -> Piece | None:
        """Return the next rows, first of those that were read before."""
        if self._next is None:
            return self._rows.read(most)
        piece = self._next
        self._next = piece.after(most) if len(piece.rows) > most else None
        return piece.first(most)

    def close(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()

    def _part(self, count: int, progress: Progress | None) -> Callable[[float], None] | None:
        """Return the progress of a piece of so many rows, which was read."""
        before, after = self._share, self._rows.share
        self._share = after or 0.0
        if progress is None:
            return None
        done = self.done

        def update(part: float) -> None:
            share = None if after is None else before + part * (after - before)
            progress(done + round(part * count), share)

        return update


@contextmanager
def _rows_bar() -> Iterator[Progress | None]:
    """Yield a function that shows the rows done and the share of the file; None off a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bars.add_task("0 rows", total=None)

    def update(rows: int, share: float | None) -> None:
        bars.update(task, description=f"{rows:,} rows", total=share and 1.0, completed=share or 0.0)

    with bars:
        yield update
