"""The error for input that cannot be answered, and how it quotes what the user wrote."""

from __future__ import annotations


class InputError(ValueError):
    """What a user gave cannot be answered.

    The message is one line that names the text, the place in it and what was expected, as in
    ``14s: column 1: expected a rank (2-9, T, J, Q, K, A or 1-13), found '14'``. The command prints
    it and exits with status 2.
    """


class ImpossibleDeal(InputError):
    """The ranges cannot be dealt, beside the cards that lie or together."""

    def __init__(
        self,
        message: str = "the ranges cannot be dealt together: each deal would need a card twice",
    ) -> None:
        super().__init__(message)


class TableError(InputError):
    """A table on disk cannot be read or built; the message names the folder or the file."""


def excerpt(text: str, limit: int = 40) -> str:
    r"""Return a text as an error message can show it: one line, cut when longer than ``limit``.

    Characters that a terminal would act on are written as escapes. An empty text is shown as two
    quotes.

    >>> excerpt("As\nKs")
    'As\\nKs'
    >>> excerpt("AsKsQsJs", limit=4)
    'AsKs...'
    """
    kept = text[:limit]
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in kept)
    return (shown or "''") + ("..." if len(text) > limit else "")
