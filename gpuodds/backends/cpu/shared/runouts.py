"""Read a runout, a multiset of ranks that may fill the board: its ranks, and the ways to deal them.

A runout stands for all ways to deal its ranks. A suit divides these by which of the ranks come in it:
the ways for one such set are a product of binomials, one for each different rank.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined_without_refcounts
from gpuodds.games.shared.hand_ranks import UInt16s

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

CHOOSE = np.array(
    [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]], np.int64
)
"""Binomials, shape (5, 5): ways to choose some of up to four cards of a rank."""


@inlined_without_refcounts
def read_suits(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, row: int, ranks: int, undealt: Ints, board: Ints,
    held: Ints,
) -> None:  # fmt: skip
    """Fill the masks of ranks by suit of a row of known hands.

    Args:
        hands: Shape (n, players, hole cards).
        boards: Shape (n, 0..5).
        dead: Shape (n, any width).
        row: The row.
        ranks: The ranks of the deck, a mask.
        undealt: Filled, (4,): the cards that are left.
        board: Filled, (4,).
        held: Filled, (players, 4): the hands.
    """
    for suit in range(4):
        undealt[suit], board[suit] = ranks, 0
        for player in range(hands.shape[1]):
            held[player, suit] = 0
    for i in range(dead.shape[1]):
        card = np.int64(dead[row, i])
        undealt[card & 3] &= ~(1 << (card >> 2))
    for i in range(boards.shape[1]):
        card = np.int64(boards[row, i])
        board[card & 3] |= 1 << (card >> 2)
        undealt[card & 3] &= ~(1 << (card >> 2))
    for player in range(hands.shape[1]):
        for i in range(hands.shape[2]):
            card = np.int64(hands[row, player, i])
            held[player, card & 3] |= 1 << (card >> 2)
            undealt[card & 3] &= ~(1 << (card >> 2))


@inlined_without_refcounts
def count_by_rank(suits: Ints, counts: Ints) -> None:
    """Fill ``counts`` (13,) with the cards of each rank, from the masks of ranks by suit, (4,)."""
    for rank in range(13):
        counts[rank] = 0
        for suit in range(4):
            counts[rank] += suits[suit] >> rank & 1


@inlined_without_refcounts
def state_after(state: np.int64, runout_ranks: Ints, index: int, step: UInt16s) -> np.int64:
    """Return the automaton's state after the ranks of a runout, a row of ``runout_ranks``."""
    for i in range(runout_ranks.shape[1]):
        state = np.int64(step[state, runout_ranks[index, i]])
    return state


@inlined_without_refcounts
def group_ranks(runout_ranks: Ints, index: int, ranks: Ints, counts: Ints) -> int:
    """Return how many different ranks a runout has; fill these and how often each comes.

    Args:
        runout_ranks: Rows of ranks, each ascending, shape (n, cards to come).
        index: The row.
        ranks: Scratch, (5,): the different ranks.
        counts: Scratch, (5,): how often each of them comes.
    """
    different, last = 0, -1
    for i in range(runout_ranks.shape[1]):
        rank = int(runout_ranks[index, i])
        if rank == last:
            counts[different - 1] += 1
        else:
            ranks[different], counts[different] = rank, 1
            different += 1
        last = rank
    return different


@inlined_without_refcounts
def count_deals(undealt: Ints, ranks: Ints, counts: Ints, different: int, binomials: Ints) -> int:
    """Return the number of ways to deal a runout; ``undealt`` (13,) are the cards left by rank."""
    deals = 1
    for i in range(different):
        deals *= int(binomials[undealt[ranks[i]], counts[i]]) if counts[i] <= 4 else 0
    return deals


@inlined_without_refcounts
def part_by_suit(
    of_suit: int, undealt: Ints, ranks: Ints, counts: Ints, different: int, binomials: Ints,
    with_suit: Ints, without: Ints,
) -> int:  # fmt: skip
    """Return which of a runout's different ranks can come in a suit, a mask of their places.

    Args:
        of_suit: The undealt ranks of the suit, a mask.
        undealt: The undealt cards by rank, (13,).
        ranks: The different ranks, (5,).
        counts: How often each of them comes, (5,).
        different: How many they are.
        binomials: See :data:`CHOOSE`.
        with_suit: Filled: ways to deal the cards of a rank, one of them of the suit.
        without: Filled: ways to deal them, none of the suit.
    """
    open_ranks = 0
    for i in range(different):
        has = of_suit >> ranks[i] & 1
        open_ranks |= int(has << i)
        without[i] = binomials[undealt[ranks[i]] - has, counts[i]]
        with_suit[i] = binomials[undealt[ranks[i]] - has, counts[i] - 1]
    return open_ranks


@inlined_without_refcounts
def deals_in_suit(
    subset: int, copies: int, on_board: int, ranks: Ints, different: int, with_suit: Ints, without: Ints
) -> tuple[int, int]:
    """Count the ways to deal a runout so that just some of its ranks come in a suit.

    Args:
        subset: The ranks that come in the suit, a mask of their places.
        copies: The number of suits that are like this one.
        on_board: The board's ranks of the suit, a mask.
        ranks: The runout's different ranks, (5,).
        different: How many they are.
        with_suit: See :func:`part_by_suit`.
        without: See :func:`part_by_suit`.

    Returns:
        The ways, for all such suits, and the ranks of the suit on the full board, a mask.
    """
    deals, in_suit = copies, on_board
    for i in range(different):
        inside = subset >> i & 1
        deals *= int(with_suit[i] if inside else without[i])
        in_suit |= int(inside << ranks[i])
    return deals, in_suit
