"""The inputs of a batch's rows as columns, which go before those of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, format_card, format_cards
from gpuodds.errors import InputError
from gpuodds.spots.batches.rows import Row

if TYPE_CHECKING:
    from gpuodds.methods.batches.hand_arrays import HandRows

Columns = Mapping[str, Any]


def inputs_of_rows(rows: Sequence[Row | InputError]) -> Columns:
    """Return what rows were read as, in columns that some row needs; None for a row with an error."""
    good = [row for row in rows if isinstance(row, Row)]
    players = max((len(row.players) for row in good), default=1)
    folded = max((len(row.folded) for row in good), default=0)

    def column(read: Any) -> list[Any]:
        return [read(row) if isinstance(row, Row) else None for row in rows]

    def player(place: int, of: str) -> list[Any]:
        return column(lambda row: _name(getattr(row, of), place))

    columns = {f"hand_{n + 1}": player(n, "players") for n in range(players)}
    if any(row.board for row in good):
        columns["board"] = column(lambda row: format_cards(row.board))
    if any(row.dead for row in good):
        columns["dead"] = column(lambda row: format_cards(row.dead))
    if any(row.opponents for row in good):
        columns["opponents"] = column(lambda row: row.opponents)
    if any(row.price for row in good):
        columns["pot"] = column(lambda row: row.price and float(row.price.pot))
        columns["to_call"] = column(lambda row: row.price and float(row.price.to_call))
    if len({row.game.name for row in good}) > 1:
        columns["game"] = column(lambda row: row.game.name)
    return columns | {f"folded_{n + 1}": player(n, "folded") for n in range(folded)}


def inputs_of_arrays(rows: HandRows) -> Columns:
    """Return the cards of rows as columns of texts."""
    columns: dict[str, Any] = {
        f"hand_{n + 1}": _texts(rows.hands[:, n]) for n in range(rows.hands.shape[1])
    }
    if rows.boards.shape[1]:
        columns["board"] = _texts(rows.boards)
    if rows.opponents:
        columns["opponents"] = np.full(len(rows.places), rows.opponents)
    return columns


def _name(players: Sequence[Any], place: int) -> str | None:
    if place >= len(players):
        return None
    player = players[place]
    return format_cards(player) if isinstance(player, tuple) else str(player.name)


def _texts(cards: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
    """Return the cards of each row as text, an array of objects (n,); a number of no card as ``?``."""
    letters = np.array([list(format_card(card)) for card in range(DECK_SIZE)])
    rows, size = cards.shape
    of_rows = letters[np.minimum(cards, DECK_SIZE - 1)].reshape(rows, 2 * size)
    texts: npt.NDArray[Any] = of_rows.view(f"U{2 * size}")[:, 0].astype(object)
    for row in np.flatnonzero((cards >= DECK_SIZE).any(axis=1)).tolist():
        names = (format_card(card) if card < DECK_SIZE else "?" for card in cards[row].tolist())
        texts[row] = "".join(names)
    return texts
