"""Output that commands share: tables on stdout, notes and progress on stderr."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any

from gpuodds.basics.arguments import read_digits
from gpuodds.errors import InputError, escaped, excerpt

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

MOST_DIGITS = 9  # of an option
PATIENCE = 0.5  # seconds before the progress bar appears
AS_NEEDED = 1 << 16  # columns, if stdout is no terminal
MIN_WIDTH = 20  # columns
MIN_WRAPPED = 16  # columns of a wrapped column
SEPARATOR, EDGES = 3, 2  # columns between two columns of a table, and at both ends together
INDENT = 2  # of a row printed as a list
SHADES = " \u2591\u2592\u2593\u2588"  # of weights 0, up to 1/4, up to 1/2, up to 3/4, more
ASCII_SHADES = " .-+#"
NAME_WIDTH, GAP = 3, 2  # columns of a starting hand in a grid, and between two


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    print(json.dumps(value))


def read_number(option: str, text: str) -> int:
    """Read an option's whole number; the library checks its range.

    Raises:
        InputError: The text is no whole number of at most nine digits.
    """
    number = read_digits(text.removeprefix("-"), MOST_DIGITS)
    if number is None:
        raise InputError(f"{option} {excerpt(text)}: expected a whole number")
    return -number if text.startswith("-") else number


def read_seed(option: str, text: str) -> int:
    """Read a seed.

    Raises:
        InputError: The text is no whole number, or it is negative.
    """
    seed = read_number(option, text)
    if seed < 0:
        raise InputError(f"{option} {seed}: expected 0 or more")
    return seed


def ask(prompt: str) -> str:
    """Ask at the terminal, or read a line of standard input and echo it; return it without blanks.

    Bytes that are no text become escapes, so that they are refused like any other wrong answer and
    what was answered before is kept.

    Raises:
        EOFError: There is no other line.
    """
    stdin = sys.stdin
    if isinstance(stdin, io.TextIOWrapper) and stdin.errors in ("strict", "surrogateescape"):
        stdin.reconfigure(errors="backslashreplace")
    try:
        text = input(prompt).strip()
    except EOFError:
        print()
        raise
    if not stdin.isatty():
        print(escaped(text))
    return text


def console(*, stderr: bool = False) -> Console:
    """Return a console for stdout, or stderr: as wide as the terminal, or as wide as needed."""
    from rich.console import Console

    file = sys.stderr if stderr else sys.stdout
    columns = get_terminal_size().columns if file.isatty() else AS_NEEDED
    plain: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    # With width and height given, rich ignores TERM: a dumb terminal keeps its width.
    return Console(stderr=stderr, width=max(columns, MIN_WIDTH), height=25, **plain)


def plus_minus() -> str:
    """Return the sign before an error, as ASCII if stdout is not UTF."""
    return "\u00b1" if sys.stdout.encoding.lower().startswith("utf") else "+/-"


def new_table(*columns: str) -> Table:
    """Return an empty table: text in the first column, right-aligned figures in the others."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table


def print_table(
    out: Console, table: Table, *, keep: Collection[str] | None = None, wrap: int | None = None
) -> None:
    """Print a table no wider than the console, without cutting a cell.

    If the table is too wide, wrap its headers, then the cells of one column, then omit columns, the
    last first, and name them below. If that is not enough, print each row as a list.

    Args:
        out: Where to print.
        table: A table from :func:`new_table`, with its rows.
        keep: Headers of the columns that are never omitted. Default: all.
        wrap: The index of a column of words, whose cells may be wrapped.
    """
    cells = [[str(cell) for cell in column.cells] for column in table.columns]
    headers = [str(column.header) if table.show_header else "" for column in table.columns]
    full = [_width([header, *column]) for header, column in zip(headers, cells, strict=True)]
    longest_words = [_width(header.split()) for header in headers]
    least = [max(word, _width(column)) for word, column in zip(longest_words, cells, strict=True)]
    if wrap is not None:
        least[wrap] = min(least[wrap], MIN_WRAPPED)
    shown = list(range(len(headers)))
    if _table_width(full) <= out.width:
        least = full
    while _table_width(least[place] for place in shown) > out.width:
        spare = [place for place in shown if keep is not None and headers[place] not in keep]
        if not spare:
            _print_list(out, headers, cells)
            return
        shown.remove(spare[-1])
    if wrap in shown:
        width_of_others = sum(least[place] for place in shown) - least[wrap]
        left = out.width - _table_width([]) - SEPARATOR * len(shown) - width_of_others
        least[wrap] = min(full[wrap], left)
        cells[wrap] = [fold(cell, least[wrap]) for cell in cells[wrap]]
    narrow = new_table()
    narrow.show_header = table.show_header
    for place in shown:
        narrow.add_column(
            headers[place],
            justify=table.columns[place].justify,
            width=least[place],
            overflow="fold",
        )
    for row in zip(*(cells[place] for place in shown), strict=True):
        narrow.add_row(*row)
    out.print(narrow)
    left_out = [header for place, header in enumerate(headers) if place not in shown]
    if left_out:
        out.print(f"no room for: {', '.join(left_out)}")


def fold(text: str, width: int) -> str:
    r"""Break a text into lines after commas and blanks, so that hands of a range stay whole.

    >>> fold("QQ+,AK,A5s-A2s", 8)
    'QQ+,AK,\nA5s-A2s'
    """
    lines = [""]
    for piece in re.split("(?<=[, ])", text):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _width(texts: Iterable[str]) -> int:
    from rich.cells import cell_len

    return max(map(cell_len, texts), default=0)


def _table_width(columns: Iterable[int]) -> int:
    return sum(width + SEPARATOR for width in columns) + EDGES - SEPARATOR


def _print_list(out: Console, headers: list[str], cells: list[list[str]]) -> None:
    """Print each row as its first cell and, below it, a line for each other column."""
    from rich.padding import Padding
    from rich.text import Text

    label = _width(headers[1:])
    for first, *row in zip(*cells, strict=True):
        out.print(first)
        for header, cell in zip(headers[1:], row, strict=True):
            if not cell:
                continue
            line = f"{header:<{label}}  {cell}" if label else cell
            parts = [line] if _width([line]) + INDENT <= out.width else [header, cell]
            for part in filter(None, parts):
                out.print(Padding(Text(part, overflow="fold"), (0, 0, 0, INDENT), expand=False))
    out.print()


def print_grid(out: Console, figures: Mapping[str, tuple[str, str]], between: str, ranks: int) -> None:
    """Print a figure for each starting hand: as the 13 x 13 grid, or as lists on a narrow console.

    Args:
        out: Where to print.
        figures: By starting hand, a figure and its style; all figures have the same width.
        between: The separator between a name and its figure.
        ranks: The ranks of the game's deck, from aces down: 13, or 9 in short deck.
    """
    from rich.text import Text

    from gpuodds.cards import RANKS
    from gpuodds.games.holdem.starting_hands import grid_names

    width = _width(figure for figure, _ in figures.values())
    nothing = " " * width, "dim"
    names, high = [row[:ranks] for row in grid_names()[:ranks]], RANKS[: -ranks - 1 : -1]
    cell = NAME_WIDTH + len(between) + width

    def named(name: str) -> Text:
        figure, style = figures.get(name, nothing)
        return Text(f"{name:<{NAME_WIDTH}}{between}{figure}", style)

    if ranks * (cell + GAP) - GAP <= out.width:
        for row in names:
            out.print(Text(" " * GAP).join(map(named, row)))
    elif ranks * (width + 1) + 1 <= out.width:
        out.print(Text(" ").join(Text(text) for text in (" ", *(f"{r:>{width}}" for r in high))))
        for rank, row in zip(high, names, strict=True):
            cells = [Text(*figures.get(name, nothing)) for name in row]
            out.print(Text(" ").join([Text(rank), *cells]))
        out.print("suited above the diagonal, offsuit below")
    else:
        present = [named(name) for row in names for name in row if name in figures]
        per_line = max(1, (out.width + GAP) // (cell + GAP))
        for begin in range(0, len(present), per_line):
            out.print(Text(" " * GAP).join(present[begin : begin + per_line]))


def print_weights(out: Console, weights: Mapping[str, float], ranks: int) -> None:
    """Print the grid of starting hands, shaded by weights from 0 to 1.

    Args:
        out: Where to print.
        weights: By starting hand.
        ranks: The ranks of the game's deck: see :func:`print_grid`.
    """
    shades = SHADES if out.encoding.startswith("utf") else ASCII_SHADES
    figures = {}
    for name, weight in weights.items():
        shade = shades[1 + int(4 * weight - 1e-9)] if weight else shades[0]
        style = "bold green" if weight == 1 else "yellow" if weight else "dim"
        figures[name] = shade, style
    print_grid(out, figures, "", ranks)


class _Notes(logging.Handler):
    """Writes each note once, to the stderr of that moment: a program may run several commands."""

    def __init__(self) -> None:
        super().__init__()
        self._written: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._written:
            self._written.add(message)
            print(f"gpuodds: {message}", file=sys.stderr)


def show_notes() -> None:
    """Send the library's notes to stderr, one line each, each once per command."""
    logger = logging.getLogger("gpuodds")
    others = [handler for handler in logger.handlers if not isinstance(handler, _Notes)]
    logger.handlers[:] = others or [_Notes()]
    logger.setLevel(logging.INFO)


@contextmanager
def progress_bar(task_name: str) -> Iterator[Callable[..., None] | None]:
    """Yield a function that shows the fraction done, or None if stderr is no terminal.

    It also takes a text to show in place of the name.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bars.add_task(task_name, total=1.0)
    begin = monotonic()

    def update(done: float, text: str = task_name) -> None:
        bars.update(task, completed=done, description=text)
        if done < 1 and monotonic() - begin > PATIENCE:
            bars.start()

    try:
        yield update
    finally:
        bars.stop()
