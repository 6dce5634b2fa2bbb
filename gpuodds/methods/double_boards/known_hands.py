"""Known hands on two boards: outcomes by the winners on both, exactly.

The two runouts come from one deck and share no card. Write N(S, a) for the runouts of the first board
that contain the cards S and give the winners a, and M(S, b) for those of the second. Then the disjoint
pairs with the winners a and b are the sum over S of (-1)^|S| N(S, a) M(S, b), by inclusion and
exclusion: 1.7 million runouts a board take a second where their pairs are 1.6 million million.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.counts import Progress
from gpuodds.backends.operations.double_boards import ADDED_SUBSET, SubsetCounts
from gpuodds.games.game import Game
from gpuodds.games.shared.boards import subsets
from gpuodds.methods.double_boards.ranks import rank_rows

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Hands = tuple[tuple[int, ...], ...]
Winners = Mapping[tuple[int, int], int]
"""Outcomes by the winners on each board, masks of the players."""

RANKED = {2: 3e-8, 4: 1.5e-7, 5: 2.5e-7, 6: 4e-7}
"""Seconds to rank a hand on a board, by its hole cards."""
EACH = 2e-4


def count_known(
    game: Game,
    hands: Hands,
    boards: tuple[tuple[int, ...], tuple[int, ...]],
    deck: tuple[int, ...],
    backend: str,
    progress: Progress | None = None,
) -> tuple[Winners, str]:
    """Count the deals of both boards by the winners on each.

    Args:
        game: The game.
        hands: The players' hands.
        boards: The cards on each board.
        deck: The cards that are left.
        backend: The backend to use.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        The deals by winners, and the backend that counted.
    """
    sizes = [game.board_cards - len(board) for board in boards]
    most = min(sizes)
    masks: list[UInt8s] = []
    counts: list[Ints] = []
    name = "cpu"
    for place, (board, size) in enumerate(zip(boards, sizes, strict=True)):
        if place and board == boards[0]:  # no card is dealt on either
            masks, counts = masks * 2, counts * 2
            break
        winners, name = _winners(game, hands, board, deck, size, backend)
        kinds, labels = np.unique(winners, return_inverse=True)
        operation = SubsetCounts(labels.astype(np.uint8), len(deck), size, most, len(kinds))
        counts.append(run_operation(operation, backend).counts)
        masks.append(kinds)
        if progress is not None:
            progress((place + 1) / 2)
    joint = np.zeros((len(masks[0]), len(masks[1])), np.int64)
    begin = 0
    for shared in range(most + 1):
        end = begin + comb(len(deck), shared)
        joint += (-1) ** shared * (counts[0][begin:end].T @ counts[1][begin:end])
        begin = end
    return {
        (int(one), int(other)): int(joint[i, j])
        for i, one in enumerate(masks[0])
        for j, other in enumerate(masks[1])
        if joint[i, j]
    }, name


def known_seconds(game: Game, players: int, deck: int, to_come: tuple[int, int]) -> float:
    """Estimate how long a thread of the CPU takes.

    Args:
        game: The game.
        players: Their number.
        deck: The number of cards that are left.
        to_come: The cards to come on each board.
    """
    seconds = EACH
    for size in to_come:
        seconds += comb(deck, size) * (players * RANKED[game.hole_cards] + (1 << size) * ADDED_SUBSET)
    return seconds


def _winners(
    game: Game, hands: Hands, board: tuple[int, ...], deck: tuple[int, ...], size: int, backend: str
) -> tuple[UInt8s, str]:
    """Return the winners on each runout, a mask, in colexicographic order of the runouts."""
    places = subsets(len(deck), size)
    dealt = np.asarray(deck, np.uint8)[places]
    known = np.broadcast_to(np.array(board, np.uint8), (len(dealt), len(board)))
    full = np.concatenate([known, dealt], axis=1)
    ranked = [rank_rows(game, np.array([hand], np.uint8), full, backend) for hand in hands]
    ranks = np.stack([ranks for ranks, _ in ranked])
    bits = np.uint8(1) << np.arange(len(hands), dtype=np.uint8)
    winners: UInt8s = ((ranks == ranks.max(axis=0)) * bits[:, None]).sum(axis=0, dtype=np.uint8)
    return winners, ranked[0][1]
