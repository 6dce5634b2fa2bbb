"""A range as a grid, as a JSON object and as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.errors import InputError
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.grid_html import grid_html
from gpuodds.games.holdem.starting_hands import to_grid
from gpuodds.spots.notation.by_game import notation_of
from gpuodds.spots.notation.notation import ClassRow
from gpuodds.spots.ranges.facts import RangeFacts

Floats = npt.NDArray[np.float64]

SHOWN_ROWS = 60  # of rank classes and suit patterns in a notebook


def range_grid(game: Game, weights: Floats) -> Floats:
    """Return the mean weight of each starting hand, shape (13, 13); see :meth:`Range.grid`."""
    return np.array(to_grid(_means(game, weights), 0.0))


def range_object(facts: RangeFacts, notes: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object ``gpuodds.range/1`` of a range.

    A game of two cards has ``grid``, Omaha ``classes``. ``weights`` are by combo; in Omaha by starting
    hand where all its combos have one weight.
    """
    game, weights = facts.game, facts.weights
    notation = notation_of(game)
    if game.family == HOLDEM_FAMILY:
        view: dict[str, Any] = {"grid": range_grid(game, weights).tolist()}
    else:
        view = {"classes": [row._asdict() for row in notation.by_class(weights)]}
    made = {
        "schema": "gpuodds.range/1",
        "text": {dialect: notation.write(weights, dialect) for dialect in notation.dialects},
        "combos": facts.total,
        "holdings": facts.size,
        "percent": facts.percent,
        **view,
        "weights": notation.weights_by_hand(weights),
        "game": game.name,
    }
    return made | {"notes": list(notes)} if notes else made


def range_html(facts: RangeFacts) -> str:
    """Return a range as an HTML table, for notebooks."""
    caption = f"{facts.total:g} combos, {facts.percent:.2f} %"
    if facts.game.family != HOLDEM_FAMILY:
        return _list_html(notation_of(facts.game).by_class(facts.weights), caption)
    means = _means(facts.game, facts.weights)

    def cell(name: str) -> tuple[str, str]:
        mean = means[name]
        blue = 255 - round(160 * mean)
        return name, f"background:rgb({blue},{blue},255);color:black" if mean else ""

    return grid_html(caption, cell)


def _list_html(rows: Sequence[ClassRow], caption: str) -> str:
    cells = [
        f"<tr><td>{row.ranks}</td><td>{row.suits}</td><td>{row.combos}</td><td>{row.mean:.0%}</td></tr>"
        for row in rows[:SHOWN_ROWS]
    ]
    if len(rows) > SHOWN_ROWS:
        cells.append(f'<tr><td colspan="4">and {len(rows) - SHOWN_ROWS:,} more</td></tr>')
    heads = "<tr><th>ranks</th><th>suits</th><th>combos</th><th>weight</th></tr>"
    return f"<table><caption>{escape(caption)}</caption>{heads}{''.join(cells)}</table>"


def _means(game: Game, weights: Floats) -> dict[str, float]:
    from gpuodds.spots.notation.holdem.notation import HoldemNotation

    notation = notation_of(game)
    if not isinstance(notation, HoldemNotation):
        raise InputError(
            f"{game.name}: a range has no 13 x 13 grid; by_class() lists its rank classes and suit "
            "patterns"
        )
    return notation.means(weights)
