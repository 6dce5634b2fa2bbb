"""How often final hands of Omaha are of each category: from counts, and of known hands by board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_on
from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks
from gpuodds.games.shared.boards import full_boards
from gpuodds.games.shared.hand_names import CATEGORIES, CATEGORY_RANKS
from gpuodds.results.player_equity import MadeHand

if TYPE_CHECKING:
    from gpuodds.backends.operation import Backend
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot

BOARDS_AT_ONCE = 1 << 17


def count_made_hands(
    spot: Spot, options: Options, seconds: float | None
) -> tuple[dict[str, MadeHand], ...]:
    """Return how often each player's final hand is of each category, wins and splits the high half."""
    out = {card for hand in spot.known_hands for card in hand}
    boards = full_boards(spot.board, [*spot.removed, *out])
    hands = np.array(spot.known_hands, np.uint8)
    begins = [category.start for category in CATEGORY_RANKS]
    sums = np.zeros((len(hands), len(CATEGORIES), 3), np.int64)

    def count(on: Backend) -> None:
        for begin in range(0, len(boards), BOARDS_AT_ONCE):
            some = boards[begin : begin + BOARDS_AT_ONCE]
            ranks = np.stack(
                [on.count(OmahaHandRanks(np.tile(hand, (len(some), 1)), some)).counts for hand in hands]
            )
            best = ranks == ranks.max(axis=0)
            alone = best.sum(axis=0) == 1
            categories = np.searchsorted(begins, ranks, side="right") - 1
            for player, (made, is_best) in enumerate(zip(categories, best, strict=True)):
                for column, held in enumerate((is_best & alone, is_best & ~alone, slice(None))):
                    sums[player, :, column] += np.bincount(made[held], minlength=len(CATEGORIES))

    run_on(options.backend, seconds, count)
    return tuple(made_shares(player) for player in sums)


def made_shares(counts: npt.NDArray[Any]) -> dict[str, MadeHand]:
    """Return how often a player's final hand is of each category that comes.

    Args:
        counts: Shape (9, 3): by category the outcomes won, tied, and all.
    """
    rows: list[list[Any]] = counts.tolist()
    won, tied, all_outcomes = (sum(column) or 1 for column in zip(*rows, strict=True))
    return {
        name: MadeHand(row[2] / all_outcomes, row[0] / won, row[1] / tied)
        for name, row in zip(CATEGORIES, rows, strict=True)
        if row[2]
    }
