"""What commands share in talking to people: tables on stdout, notes and progress on stderr."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PATIENCE = 0.5  # seconds before a wait is worth a progress bar


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object on stdout."""
    print(json.dumps(value))


def read_number(option: str, text: str) -> int:
    """Read an option's whole number; the library says which ones make sense."""
    digits = text[1:] if text.startswith("-") else text
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise InputError(f"{option} {excerpt(text)}: expected a whole number")
    return int(text)


def console() -> Console:
    """Make a console for stdout: coloured on a terminal only, as wide as needed off one."""
    from rich.console import Console

    return Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 240)


def new_table(*columns: str) -> Table:
    """Make a table with a text column first and figures to the right in the others."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left", no_wrap=True)
    return table


class _Notes(logging.Handler):
    """Writes each note once to what stderr is then, as a program may run several commands."""

    def __init__(self) -> None:
        super().__init__()
        self._written: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message not in self._written:
            self._written.add(message)
            print(f"gpuodds: {message}", file=sys.stderr)


def show_notes() -> None:
    """Send the library's notes to stderr, a line each, none twice in a command."""
    logger = logging.getLogger("gpuodds")
    others = [handler for handler in logger.handlers if not isinstance(handler, _Notes)]
    logger.handlers[:] = others or [_Notes()]
    logger.setLevel(logging.INFO)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None] | None]:
    """Give a function that shows the share done and the time left, if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bars.add_task(what, total=1.0)
    begin = monotonic()

    def update(done: float) -> None:
        bars.update(task, completed=done)
        if done < 1 and monotonic() - begin > PATIENCE:
            bars.start()

    try:
        yield update
    finally:
        bars.stop()
