"""Ranks of hands on boards, of any game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.omaha.ranks import OmahaHandRanks
from gpuodds.backends.operations.ranks import RankCards
from gpuodds.games.game import HOLDEM_FAMILY, Game

UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

ROWS = 1 << 20  # ranked at once


def rank_rows(game: Game, hands: UInt8s, boards: UInt8s, backend: str) -> tuple[UInt16s, str]:
    """Return the rank of each hand on the board of its row, and the backend that ranked.

    Args:
        game: The game.
        hands: Shape (n, hole cards), or (1, hole cards), one hand on all boards.
        boards: Shape (n, 5).
        backend: The backend to use.
    """
    ranks, name = np.zeros(len(boards), np.uint16), "cpu"
    for begin in range(0, len(boards), ROWS):
        part = boards[begin : begin + ROWS]
        held = hands if len(hands) == 1 else hands[begin : begin + ROWS]
        held = np.broadcast_to(held, (len(part), hands.shape[1]))
        operation: Operation[Any]
        if game.family == HOLDEM_FAMILY:
            operation = RankCards(game, np.concatenate([held, part], axis=1))
        else:
            operation = OmahaHandRanks(np.ascontiguousarray(held), part)
        counted, name = run_operation(operation, backend)
        ranks[begin : begin + ROWS] = counted
    return ranks, name


def card_sets(cards: UInt8s) -> npt.NDArray[np.int64]:
    """Return each row of cards as a set, bit c for the card c.

    >>> card_sets(np.array([[0, 3]], np.uint8)).tolist()
    [9]
    """
    bits = np.int64(1) << cards.astype(np.int64)
    sets: npt.NDArray[np.int64] = bits.sum(axis=1, dtype=np.int64)
    return sets
