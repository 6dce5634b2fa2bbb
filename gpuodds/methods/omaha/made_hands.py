"""Count the categories of known hands' final hands, board by board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpuodds.backends.choice import run_on
from gpuodds.games.holdem.boards import full_boards
from gpuodds.games.holdem.hand_names import CATEGORIES, CATEGORY_RANKS
from gpuodds.results.result import MadeHand

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot

BOARDS_AT_ONCE = 1 << 17


def count_made_hands(spot: Spot, options: Options, seconds: float) -> tuple[dict[str, MadeHand], ...]:
    """Return how often each player's final hand is of each category, wins and splits the high half."""
    out = {card for hand in spot.known_hands for card in hand}
    boards = full_boards(spot.board, [*spot.removed, *out])
    hands = np.array(spot.known_hands, np.uint8)
    begins = [category.start for category in CATEGORY_RANKS]
    sums = np.zeros((len(hands), 3, len(CATEGORIES)), np.int64)

    def count(on: Backend) -> None:
        for begin in range(0, len(boards), BOARDS_AT_ONCE):
            some = boards[begin : begin + BOARDS_AT_ONCE]
            ranks = np.stack(
                [on.omaha_hand_ranks(np.tile(hand, (len(some), 1)), some) for hand in hands]
            )
            best = ranks == ranks.max(axis=0)
            alone = best.sum(axis=0) == 1
            categories = np.searchsorted(begins, ranks, side="right") - 1
            for player, (made, is_best) in enumerate(zip(categories, best, strict=True)):
                for row, held in enumerate((slice(None), is_best & alone, is_best & ~alone)):
                    sums[player, row] += np.bincount(made[held], minlength=len(CATEGORIES))

    run_on(options.backend, seconds, count)
    return tuple(_shares(player) for player in sums.tolist())


def _shares(rows: list[list[int]]) -> dict[str, MadeHand]:
    totals = [sum(row) or 1 for row in rows]
    return {
        name: MadeHand(*(row[place] / total for row, total in zip(rows, totals, strict=True)))
        for place, name in enumerate(CATEGORIES)
        if rows[0][place]
    }
