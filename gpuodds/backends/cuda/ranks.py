"""Hand ranks on a GPU: of given cards, of every hand of seven cards, of every holding on boards."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda import device
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.hand_ranks import HandRankTables, hand_rank_tables

# The kernels are CUDA C++ through CuPy's RawModule rather than numba.cuda because they share their
# look-ups with the other kernels through a header. Not yet measured on a GPU.

HIGHEST_RANK = 7462
PREFIXES = comb(48, 3)  # three lowest cards of seven
SEVEN_CARD_HANDS = comb(52, 7)


@cache
def _on_device(device_id: int, build: Any) -> tuple[Any, ...]:
    import cupy

    arrays = tuple(cupy.asarray(array) for array in build())
    cupy.cuda.get_current_stream().synchronize()  # whichever stream uses them next
    return arrays


def _constants(build: Any) -> tuple[Any, ...]:
    """Copy arrays that never change to the current device, once."""
    import cupy

    return _on_device(cupy.cuda.Device().id, build)


def rank_tables() -> HandRankTables:
    """Return the hand-rank tables as CuPy arrays on the current device, copied there once."""
    return HandRankTables(*_constants(hand_rank_tables))


def _packed_pairs() -> tuple[npt.NDArray[np.uint16]]:
    """List the pairs with the lower thing in the low byte, the higher in the high byte."""
    cards = combo_cards().astype(np.uint16)
    return (cards @ np.array([1, 1 << 8], np.uint16),)


def packed_pairs() -> Any:
    """Return all pairs by number on the current device, as ``kernels/pairs.cuh`` has them."""
    return _constants(_packed_pairs)[0]


def _pack(cards: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Put each row of cards in one word, the first card in the lowest byte."""
    shifts = 8 * np.arange(cards.shape[1], dtype=np.uint32)
    packed: npt.NDArray[np.uint32] = (cards << shifts).sum(axis=1, dtype=np.uint32)
    return packed


@cache
def _seven_card_lists() -> tuple[npt.NDArray[Any], ...]:
    """List the prefixes, how many hands come before each, and the four-card subsets of 3 to 51."""
    prefixes = np.array(list(combinations(range(48), 3)), np.uint32)
    hands = np.array([comb(51 - third, 4) for third in range(48)])[prefixes[:, 2]]
    offsets = np.concatenate([[0], np.cumsum(hands)]).astype(np.int64)
    subsets = np.array(list(combinations(range(3, 52), 4)), np.uint32)
    return _pack(prefixes), offsets, _pack(subsets)


def rank_cards(cards: Any) -> Any:
    """Return the hand rank of each row of cards.

    ``cards`` is a CuPy array of shape (n, 5), (n, 6) or (n, 7), dtype uint8, card numbers 0 to 51, each
    row's cards different; nothing is checked. The result is a CuPy array of shape (n,), dtype uint16.
    """
    import cupy

    cards = cupy.ascontiguousarray(cards, np.uint8)
    hands, size = cards.shape
    ranks = cupy.empty(hands, np.uint16)
    arguments = (cards, np.int64(hands), np.int32(size), *rank_tables(), ranks)
    device.kernel("rank_hands", "rank_hands")(device.grid(hands), (device.BLOCK,), arguments)
    return ranks


def rank_prefixes(begin: int, end: int) -> Any:
    """Return the ranks of the seven-card hands that begin with a range of prefixes.

    A prefix is the three lowest cards of a hand; there are C(48, 3) = 17,296 of them, numbered in
    lexicographic order. The hands are in lexicographic order of their ascending card numbers, so that 0
    to 17,296 gives all 133,784,560. The result is a CuPy array, shape (hands,), dtype uint16.
    """
    import cupy

    before = _seven_card_lists()[1]
    prefixes, offsets, subsets = _constants(_seven_card_lists)
    ranks = cupy.empty(int(before[end] - before[begin]), np.uint16)
    where = (prefixes, offsets, np.int64(begin), np.int64(end), subsets, np.int32(len(subsets)))
    launch = device.kernel("rank_all_hands", "rank_all_hands")
    # Prefixes have between one hand and 211,876: a block for each lets the device even that out.
    launch((max(1, end - begin),), (device.BLOCK,), (*where, *rank_tables(), ranks))
    return ranks


def rank_all_seven(first: int, second: int) -> Any:
    """Return the ranks of the seven-card hands whose two lowest cards are given.

    The hands are in lexicographic order of their ascending card numbers, 0 to 51; there are
    C(51 - second, 5) of them. The result is a CuPy array, dtype uint16, with the meaning of
    :func:`gpuodds.backends.cpu.ranks.rank_all_seven`.
    """
    begin = PREFIXES - comb(48 - first, 3) + comb(47 - first, 2) - comb(48 - second, 2)
    return rank_prefixes(begin, begin + 47 - second)


def count_all_seven() -> npt.NDArray[np.int64]:
    """Count how many of the 133,784,560 seven-card hands have each rank.

    The result is a NumPy array of shape (7463,), dtype int64; entry r is the number of hands of rank r,
    entry 0 is 0.
    """
    import cupy

    prefixes, _, subsets = _constants(_seven_card_lists)
    counts = cupy.zeros(HIGHEST_RANK + 1, np.uint64)
    where = (prefixes, np.int64(0), np.int64(PREFIXES), subsets, np.int32(len(subsets)))
    launch = device.kernel("rank_all_hands", "count_all_hands")
    launch(device.grid(SEVEN_CARD_HANDS), (device.BLOCK,), (*where, *rank_tables(), counts))
    found: npt.NDArray[np.int64] = counts.get().astype(np.int64)
    return found


def rank_combos(boards: Any) -> Any:
    """Return the hand rank of every holding on each of some full boards.

    ``boards`` is a CuPy array of shape (n, 5), dtype uint8, card numbers 0 to 51, each row's cards
    different; nothing is checked. The result is a CuPy array of shape (n, 1326), dtype uint16: holdings
    are numbered by :func:`gpuodds.games.holdem.combos.combo_index`, and those that share a card with
    the board have 0.
    """
    import cupy

    boards = cupy.ascontiguousarray(boards, np.uint8)
    ranks = cupy.empty((len(boards), COMBOS), np.uint16)
    arguments = (boards, np.int64(len(boards)), packed_pairs(), *rank_tables(), ranks)
    blocks = device.grid(len(boards), 1)  # a block a board
    device.kernel("rank_combos", "rank_combos")(blocks, (device.BLOCK,), arguments)
    return ranks
