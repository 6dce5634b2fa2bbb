"""The 13 x 13 grid of starting hands as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from gpuodds.games.holdem.starting_hands import grid_names


def grid_html(caption: str, cell: Callable[[str], tuple[str, str]]) -> str:
    """Return the grid as an HTML table.

    Args:
        caption: The caption, as plain text.
        cell: Returns the text and the CSS style of the cell of a starting hand, given its name.
    """
    rows = []
    for names in grid_names():
        cells = []
        for text, style in map(cell, names):
            attribute = f' style="{style}"' if style else ""
            cells.append(f"<td{attribute}>{escape(text)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table><caption>{escape(caption)}</caption>{''.join(rows)}</table>"
