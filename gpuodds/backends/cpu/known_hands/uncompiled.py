"""Small spots of known hands by NumPy alone: the first answers of a process, which need no numba.

To load numba and compiled functions takes a process half a second and more; to rank each hand on each
board of a flop takes milliseconds here, once what is compiled is loaded microseconds there. So a
process answers such spots here for as long as that has taken less time than loading would.
"""

from __future__ import annotations

import sys
from itertools import combinations
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s

if TYPE_CHECKING:
    from gpuodds.games.holdem.multiway import MatchingCounts
    from gpuodds.spots.spot import Spot

UInt8s = npt.NDArray[np.uint8]

MOST_TO_COME = 2  # board cards
MOST_OPPONENTS = 1
SECONDS = 0.4  # in all, about what loading takes
FLUSH_ON_BOARD = 3
BOARDS = 256  # ranked at once: 1,326 hands each

_spent = 0.0


def is_quicker(spot: Spot, most: int) -> bool:
    """Return whether a spot is counted here before numba is loaded."""
    if "numba" in sys.modules or _spent > SECONDS or spot.to_come > MOST_TO_COME:
        return False
    return most == 0 or (most == MOST_OPPONENTS and len(spot.known_hands) == 1)


def matching_counts(spot: Spot, most: int) -> dict[int, MatchingCounts]:
    """Sum the matchings of a spot with at most ``most`` edges: see the operation."""
    global _spent
    begin = perf_counter()
    deck = [card for card in range(DECK_SIZE) if card not in spot.known]
    runouts = np.array(list(combinations(deck, spot.to_come)), np.uint8)
    boards = np.hstack([np.tile(np.array(spot.board, np.uint8), (len(runouts), 1)), runouts])
    tables = as_holdem(spot.game).hand_rank_tables
    own = rank_hands(boards, np.array(spot.known_hands, np.uint8), tables)
    counts: dict[int, MatchingCounts]
    if most == 0:
        winners = (own == own.max(axis=1, keepdims=True)) @ (1 << np.arange(own.shape[1]))
        masks, numbers = np.unique(winners, return_counts=True)
        by_mask = zip(masks.tolist(), numbers.tolist(), strict=True)
        counts = {mask: {(spot.undealt, 0, 0): number} for mask, number in by_mask}
    else:
        beats, ties = _against_random(boards, np.array(deck, np.uint8), own[:, 0], tables)
        cards = spot.undealt
        counts = {1: {(cards, 0, 0): len(boards), (cards, 1, 0): beats, (cards, 1, 1): ties}}
    _spent += perf_counter() - begin
    return counts


def _against_random(
    boards: UInt8s, deck: UInt8s, own: UInt16s, tables: HandRankTables
) -> tuple[int, int]:
    """Count the hands of the deck that beat and tie ``own`` (n,), over the boards (n, 5)."""
    first, second = np.triu_indices(len(deck), 1)
    hands = np.stack([deck[first], deck[second]], axis=1)
    beats = ties = 0
    for begin in range(0, len(boards), BOARDS):
        some = boards[begin : begin + BOARDS]
        on_board = np.zeros((len(some), DECK_SIZE), bool)
        on_board[np.arange(len(some))[:, None], some] = True
        theirs = rank_hands(some, hands, tables)
        theirs[on_board[:, hands[:, 0]] | on_board[:, hands[:, 1]]] = 0  # not dealt
        mine = own[begin : begin + BOARDS, None]
        beats += int(np.count_nonzero(theirs > mine))
        ties += int(np.count_nonzero(theirs == mine))
    return beats, ties


def rank_hands(boards: UInt8s, hands: UInt8s, tables: HandRankTables) -> UInt16s:
    """Return the hand rank of each hand on each full board.

    Args:
        boards: Shape (n, 5).
        hands: Shape (m, 2). A hand that shares a card with a board has any rank there.
        tables: Of the game.

    Returns:
        Shape (n, m).
    """
    state: Any = 0
    for card in (boards >> 2).T:
        state = tables.step[state, card]
    first, second = (hands >> 2).T
    six = tables.step[state[:, None], first].astype(np.int64) - SIX_CARDS
    ranks: UInt16s = tables.rank_7[six, second]  # a fifth card of a rank is read elsewhere in the table
    for suit in range(4):
        in_suit = ((boards & 3 == suit) << (boards >> 2).astype(np.int64)).sum(axis=1)
        held = ((hands & 3 == suit) << (hands >> 2).astype(np.int64)).sum(axis=1)
        flushes = np.flatnonzero((boards & 3 == suit).sum(axis=1) >= FLUSH_ON_BOARD)
        suited = tables.flush[in_suit[flushes, None] | held]
        ranks[flushes] = np.maximum(ranks[flushes], suited)
    return ranks
