"""The starting hands of short deck by exact equity against one random hand: the order of percentages.

``data/<game>.txt`` has the 81 names, best first, as ``data/equity_order.txt`` of hold'em has its 169.
The files come from the tables of all starting hands against one random hand.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parent / "data"


@lru_cache
def equity_order(game: str) -> tuple[str, ...] | None:
    """Return the names of the 81 starting hands, best first; None if no order is shipped.

    Args:
        game: The name of the game, such as ``short-deck``.
    """
    path = FOLDER / f"{game}.txt"
    return tuple(path.read_text("ascii").split()) if path.exists() else None
