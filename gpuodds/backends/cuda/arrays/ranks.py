"""Hand ranks on a GPU: of given cards, of every hand of seven cards, of every combo on boards.

CUDA C++ through CuPy: the look-ups are a header that all kernels share. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import (
    HAND_LISTS,
    HAND_RANK_TABLES,
    RANK_SUMS,
    RANK_THREADS,
    THREADS,
)
from gpuodds.backends.cuda.shared.pieces import launches
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import HOLDEM, Holdem
from gpuodds.games.holdem.rank_sums import rank_sums
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hand_ranks import ARRAYS, HIGHEST_RANK, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS, HOLE_CARDS

LOWEST_CARDS = 3  # of seven, that make a prefix
PREFIXES = comb(DECK_SIZE - 4, LOWEST_CARDS)
SEVEN = HOLE_CARDS + BOARD_CARDS
SEVEN_CARD_HANDS = comb(DECK_SIZE, SEVEN)
HANDS_PER_THREAD = 4  # of a tile of rank_hands
MAX_HANDS = 1 << 27  # of a launch: see pieces.py


@cache
def _arrays(game: Holdem) -> Callable[[], tuple[npt.NDArray[Any], ...]]:
    tables = game.hand_rank_tables
    return lambda: tuple(getattr(tables, name) for name in ARRAYS)


@cache
def _sums(size: int, game: Holdem) -> Callable[[], tuple[npt.NDArray[Any], ...]]:
    return partial(rank_sums, size, game)


def rank_tables(game: Holdem) -> tuple[Any, ...]:
    """Return a game's hand-rank tables as CuPy arrays on the current device, copied there once."""
    return device.kept_arrays(_arrays(game))


def packed_tables(game: Holdem) -> Any:
    """Return a game's hand-rank tables as the argument of a kernel on the current device."""
    return HAND_RANK_TABLES.pack(*rank_tables(game), game.hand_rank_tables.lowest_flush)


def _category_ends() -> tuple[npt.NDArray[np.int32]]:
    return (hand_rank_tables().category_ends.astype(np.int32),)


def category_ends() -> Any:
    """Return the lowest rank above each category, (9,) int32, on the current device."""
    return device.kept_arrays(_category_ends)[0]


def _packed_pairs() -> tuple[npt.NDArray[np.uint16]]:
    """List the pairs, the lower thing in the low byte, the higher in the high byte."""
    cards = combo_cards().astype(np.uint16)
    return (cards @ np.array([1, 1 << 8], np.uint16),)


def packed_pairs() -> Any:
    """Return all pairs by number on the current device, as ``kernels/shared/pairs.cuh`` has them."""
    return device.kept_arrays(_packed_pairs)[0]


def _pack(cards: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Put each row of cards in one word, the first card in the lowest byte."""
    shifts = 8 * np.arange(cards.shape[1], dtype=np.uint32)
    packed: npt.NDArray[np.uint32] = (cards << shifts).sum(axis=1, dtype=np.uint32)
    return packed


@cache
def _seven_card_lists() -> tuple[npt.NDArray[Any], ...]:
    """List the prefixes, the hands before each, the four-card subsets of 3 to 51 and their sums."""
    prefixes = np.array(list(combinations(range(48), 3)), np.uint32)
    hands = np.array([comb(51 - third, 4) for third in range(48)])[prefixes[:, 2]]
    offsets = np.concatenate([[0], np.cumsum(hands)]).astype(np.int64)
    subsets = np.array(list(combinations(range(3, 52), 4)), np.uint32)
    sums = rank_sums(SEVEN, HOLDEM).keys[subsets].sum(axis=1, dtype=np.uint32)
    return _pack(prefixes), offsets, _pack(subsets), sums


def table_bytes(device_id: int, file: str, name: str, size: int, game: Holdem, more: int = 0) -> int:
    """Let a kernel keep the table for hands of ``size`` cards in shared memory, if there is room.

    Args:
        device_id: The current device.
        file: Where the kernel is.
        name: The kernel.
        size: Cards of a hand.
        game: The game.
        more: Bytes of dynamic shared memory that the kernel needs besides.

    Returns:
        The bytes of dynamic shared memory to launch the kernel with, 0 if there is no room.
    """
    return _table_bytes(device.kernel(file, name), device_id, size, game, more)


@cache
def _table_bytes(kernel: Any, device_id: int, size: int, game: Holdem, more: int) -> int:
    import cupy

    wanted = rank_sums(size, game).table.nbytes + more
    room = cupy.cuda.Device(device_id).attributes["MaxSharedMemoryPerBlockOptin"]
    if wanted > room - kernel.shared_size_bytes:
        return 0
    kernel.max_dynamic_shared_size_bytes = room - kernel.shared_size_bytes  # the same for all threads
    return wanted


def packed_sums(size: int, game: Holdem) -> Any:
    """Return a game's tables for hands of ``size`` cards as the argument of a kernel."""
    tables = device.kept_arrays(_sums(size, game))
    return RANK_SUMS.pack(*tables, np.int32(len(rank_sums(size, game).table)))


def _launch(
    file: str,
    name: str,
    work: int,
    size: int,
    before: tuple[Any, ...],
    out: Any,
    game: Holdem,
) -> None:
    """Launch a kernel that looks ``work`` sums of ``size`` cards up.

    One block a multiprocessor: its shared memory holds one table; further blocks would copy it again.
    """
    import cupy

    here = cupy.cuda.Device()
    shared = table_bytes(here.id, file, name, size, game)
    blocks = max(1, min(-(-work // RANK_THREADS), here.attributes["MultiProcessorCount"]))
    kernel: Any = device.kernel(file, name)
    arguments = (*before, packed_sums(size, game), np.int32(shared > 0), out)
    kernel((blocks,), (RANK_THREADS,), arguments, shared_mem=shared)


def rank_cards(cards: Any, game: Holdem) -> Any:
    """Return the hand rank of each row of cards in a game.

    Args:
        cards: CuPy array (n, 5..7) uint8, card numbers, no card twice in a row; not checked.
        game: The game.

    Returns:
        CuPy array (n,) uint16.
    """
    import cupy

    cards = cupy.ascontiguousarray(cards, np.uint8)
    hands, size = cards.shape
    ranks = cupy.empty(hands, np.uint16)
    for begin, end in launches(0, hands, MAX_HANDS):
        arguments = cards[begin:end], np.int64(end - begin), np.int32(size)
        tiles = -(-(end - begin) // HANDS_PER_THREAD)
        _launch("arrays/rank_hands", "rank_hands", tiles, size, arguments, ranks[begin:end], game)
    return ranks


def _launch_prefixes(name: str, begin: int, end: int, out: Any) -> None:
    hands = int(np.diff(_seven_card_lists()[1][[begin, end]])[0])
    lists = device.kept_arrays(_seven_card_lists)
    packed = HAND_LISTS.pack(*lists, np.int32(len(lists[2])))
    span = np.int32(begin), np.int32(end)
    _launch("arrays/rank_all_hands", name, hands, SEVEN, (packed, *span), out, HOLDEM)


def rank_prefixes(begin: int, end: int) -> Any:
    """Return the ranks of the seven-card hands that begin with the prefixes ``begin`` to ``end``.

    A prefix is the three lowest cards of a hand; there are C(48, 3) = 17,296, in lexicographic order.

    Returns:
        CuPy array (hands,) uint16, in lexicographic order of the hands' ascending card numbers; 0 to
        17,296 gives all 133,784,560.
    """
    import cupy

    before = _seven_card_lists()[1]
    ranks = cupy.empty(int(before[end] - before[begin]), np.uint16)
    _launch_prefixes("rank_all_hands", begin, end, ranks)
    return ranks


def rank_all_seven(first: int, second: int) -> Any:
    """Return the ranks of the seven-card hands whose two lowest cards are given.

    Returns:
        CuPy array (C(51 - second, 5),) uint16, in lexicographic order of the hands' ascending card
        numbers, as :func:`gpuodds.backends.cpu.arrays.ranks.rank_all_seven` gives them.
    """
    begin = PREFIXES - comb(48 - first, 3) + comb(47 - first, 2) - comb(48 - second, 2)
    return rank_prefixes(begin, begin + 47 - second)


def count_all_seven() -> npt.NDArray[np.int64]:
    """Count the 133,784,560 seven-card hands by rank.

    Returns:
        NumPy array (7463,) int64: entry r is the number of hands of rank r, entry 0 is 0.
    """
    import cupy

    counts = cupy.zeros(HIGHEST_RANK + 1, np.uint64)
    _launch_prefixes("count_all_hands", 0, PREFIXES, counts)
    on_host: npt.NDArray[np.int64] = counts.get().astype(np.int64)
    return on_host


def rank_combos(boards: Any, game: Holdem) -> Any:
    """Return the hand rank of every combo on each of some full boards.

    Args:
        boards: CuPy array (n, 5) uint8, card numbers, no card twice in a row; not checked.
        game: The game; combos with a card that its deck lacks have 0, too.

    Returns:
        CuPy array (n, 1326) uint16; combos are numbered by
        :func:`gpuodds.games.shared.combos.combo_index`, those that share a card with the board have 0.
    """
    import cupy

    boards = cupy.ascontiguousarray(boards, np.uint8)
    ranks = cupy.empty((len(boards), COMBOS), np.uint16)
    tables = packed_pairs(), packed_tables(game)
    launch = device.kernel("arrays/rank_combos", "rank_combos")
    for begin, end in launches(0, len(boards), MAX_HANDS // COMBOS):
        blocks = device.grid(launch, end - begin)  # a block a board
        arguments = boards[begin:end], np.int64(end - begin)
        launch(blocks, (THREADS,), (*arguments, *tables, ranks[begin:end]))
    if game.missing:
        missing = np.array(game.missing, np.uint8)
        ranks[:, np.flatnonzero(np.isin(combo_cards(), missing).any(axis=1))] = 0
    return ranks
