"""Errors for input that cannot be answered, and quotes of that input for their messages."""

from __future__ import annotations

from typing import Any

__all__ = ["ImpossibleDeal", "InputError", "NotEnoughSamples", "TableError"]


NO_REASON = "the server gave no reason"


class InputError(ValueError):
    """The input is invalid.

    The message is one line that names the text, the place in it and what was expected, as in
    ``14s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '14'``. The command prints
    the message and exits with code 2.
    """


class ImpossibleDeal(InputError):
    """The ranges cannot be dealt: with the board and the dead cards, or together.

    Args:
        message: One line.
    """

    def __init__(
        self,
        message: str = "the ranges cannot be dealt together: each deal would need a card twice",
    ) -> None:
        super().__init__(message)


class NotEnoughSamples(InputError):
    """A sampled answer would be too rough: fewer than 10,000 deals, or a standard error above 0.01.

    Args:
        message: One line.
        drawn: The part of it that names the deals, their seconds and their standard error.
    """

    drawn: str
    """What was drawn, as in ``812 deals in 0.5 s, a standard error of 0.018``."""

    def __init__(self, message: str, drawn: str = "") -> None:
        super().__init__(message)
        self.drawn = drawn


class TableError(InputError):
    """A table on disk cannot be read or built; the message names the folder or the file."""


class ServerError(RuntimeError):
    """The server did not answer: it cannot be reached, is busy or stopping, or the computation failed.

    Args:
        problem: The problem+json object.
    """

    status: int
    """The HTTP status, 0 if no answer came."""
    problem: dict[str, Any]
    """The problem+json object."""

    def __init__(self, problem: dict[str, Any]) -> None:
        """Take a problem+json object."""
        super().__init__(problem.get("detail", NO_REASON))
        self.problem = problem
        status = problem.get("status", 500)
        self.status = status if isinstance(status, int) else 500

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the whole problem, where an exception by default pickles its message alone."""
        return ServerError, (self.problem,)


def excerpt(text: str, limit: int = 40) -> str:
    r"""Return a text for an error message: one line, cut after ``limit`` characters.

    Unprintable characters, which could control a terminal, become escapes. An empty text becomes two
    quotes.

    >>> excerpt("As\nKs")
    'As\\nKs'
    >>> excerpt("AsKsQsJs", limit=4)
    'AsKs...'
    """
    return (escaped(text[:limit]) or "''") + ("..." if len(text) > limit else "")


def escaped(text: str) -> str:
    r"""Return a text with escapes in place of unprintable characters.

    >>> escaped("AsKs\x1b[2J")
    'AsKs\\x1b[2J'
    """
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
