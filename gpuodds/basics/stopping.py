"""Stop work that takes long and has no progress of its own, such as reading the text of a range.

Such work calls :func:`may_stop` between its parts. A caller that may want to stop it says how to find
out, for as long as a block runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_check: ContextVar[Callable[[], None] | None] = ContextVar("gpuodds_stop", default=None)


@contextmanager
def stopped_by(check: Callable[[], None]) -> Iterator[None]:
    """Call a function between the parts of long work in the block; it raises an exception to stop it.

    >>> def stop() -> None:
    ...     raise TimeoutError
    >>> with stopped_by(stop):
    ...     may_stop()
    Traceback (most recent call last):
    TimeoutError
    """
    token = _check.set(check)
    try:
        yield
    finally:
        _check.reset(token)


def may_stop() -> None:
    """Stop here if the caller wants that."""
    check = _check.get()
    if check is not None:
        check()
