"""From players, board and dead cards to a question of ranges, checked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.holdem.combos import COMBOS, combo_cards, combo_index
from gpuodds.methods.range_counts import RangeQuestion
from gpuodds.spots.players import Player, read_players
from gpuodds.spots.spot import Cards, check_table, read_cards, read_opponents

Floats = npt.NDArray[np.float64]


def one_hand(cards: tuple[int, int]) -> Floats:
    """Return a range of one hand."""
    weights = np.zeros(COMBOS)
    weights[combo_index(*cards)] = 1.0
    return weights


def read_ranges(
    hands: Player | Sequence[Player], opponents: int | None, board: Cards, dead: Cards
) -> tuple[list[str], RangeQuestion]:
    """Return the names of players, and the question that the arguments of ``equity`` make.

    Raises:
        InputError: As :func:`gpuodds.spots.players.read_players` and :func:`read_question`.
    """
    players = read_players(hands)
    opponents = read_opponents(opponents, len(players))
    names = [format_cards(hand) if isinstance(hand, tuple) else hand.name for hand in players]
    weights = [one_hand(hand) if isinstance(hand, tuple) else hand.weights for hand in players]
    return names, read_question(names, weights, opponents, read_cards(board), read_cards(dead))


def read_question(
    names: Sequence[str],
    weights: Sequence[Floats],
    opponents: int,
    board: tuple[int, ...],
    dead: tuple[int, ...],
) -> RangeQuestion:
    """Make a question, checked; ranges lose the hands that the board and dead cards rule out.

    Raises:
        InputError: There are too few or too many players, a card is given twice, or a range has no
            hand left.
    """
    check_table(len(weights), opponents, board, dead)
    known: dict[int, str] = {}
    for place, cards in (("the board", board), ("the dead cards", dead)):
        for card in cards:
            if card in known:
                where = f"twice in {place}" if known[card] == place else f"in {known[card]} and {place}"
                raise InputError(f"{format_cards([card])}: the same card is {where}")
            known[card] = place
    bits = sum(1 << card for card in known)
    hands = combo_cards().astype(np.int64)
    free = ((1 << hands[:, 0] | 1 << hands[:, 1]) & bits) == 0
    rows = np.array(weights, np.float64) * free
    for name, before, row in zip(names, weights, rows, strict=True):
        if not np.any(before):
            raise InputError(f"{name}: the range has no hand of a weight above 0")
        if not row.any():
            raise ImpossibleDeal(f"{name}: no hand is left beside the board and the dead cards")
    return RangeQuestion(rows, opponents, board, dead)
