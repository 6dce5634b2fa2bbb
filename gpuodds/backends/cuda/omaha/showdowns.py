"""Omaha hands of two players against each other, on GPUs: known ranges, and all hands before the flop.

CUDA C++ through CuPy: a block sorts the hands of a board and keeps its sums in shared memory, or those
of five cards, of six, and of weights in device memory. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import OmahaCounts, Progress
from gpuodds.backends.cuda.arrays.ranks import category_ends, packed_pairs
from gpuodds.backends.cuda.omaha.against_random import (
    ANY_LOW,
    COLUMNS,
    LOWER_LOW,
    NO_LOW,
    ROWS,
    UP_TO_LOW,
    arrange,
)
from gpuodds.backends.cuda.omaha.ranks import packed_omaha_tables
from gpuodds.backends.cuda.omaha.weights import (
    are_all_one,
    from_parts,
    from_units,
    in_units,
    product_bits,
    whole_numbers,
)
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import OMAHA_RANGES, OMAHA_SUMS, OMAHA_THREADS
from gpuodds.backends.cuda.shared.pieces import Work, launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.combos import combo_cards, combo_numbers, renamed_cards
from gpuodds.games.shared.combos import SUIT_NAMES
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.rules import BOARD_CARDS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

CARD_BITS = 6  # of a hand's word: its cards, then who may hold it
PLAYERS, PARTS = 2, 2
WORDS_OF_SETS = {"four": 0, "many": 1, "weighted": PLAYERS}  # in device memory, by kind of kernel
BELOW, UP_TO, ALL_HIGHS = range(ROWS)
MAX_HANDS = 1 << 30  # boards x hands of a launch, for four cards and no lows: see pieces.py
SWEEPS = 5  # over the hands of a board, on average, if lows count
LAUNCHES = 8  # of a piece, after which work can be stopped


class HandList(NamedTuple):
    """The hands of some players, each once.

    Attributes:
        words: (n,) uint64: the cards, ascending, six bits each; then who may hold the hand, a bit for
            each player.
        weights: (players, n) uint64: of each player in units, 0 for hands not held; no rows if all
            weights are 1.
        hole_cards: Cards of a hand, 4 to 6.
        places: For each player the places of their hands.
    """

    words: UInt64s
    weights: UInt64s
    hole_cards: int
    places: list[npt.NDArray[np.intp]]

    @property
    def sets(self) -> int:
        """The sets of fewer cards than a hand has, of those that are not on a board."""
        return sum(comb(DECK_SIZE - BOARD_CARDS, size) for size in range(self.hole_cards))


def list_hands(hands: Sequence[UInt8s], weights: Sequence[UInt64s] | None) -> HandList:
    """List the hands of some players, arrays (n, 4 to 6) of ascending cards, each once."""
    numbers = [combo_numbers(own) for own in hands]
    different, first, places = np.unique(
        np.concatenate(numbers), return_index=True, return_inverse=True
    )
    own_places = np.split(places, np.cumsum([len(own) for own in hands])[:-1])
    members = np.zeros(len(different), np.uint64)
    rows = np.zeros((0 if weights is None else len(hands), len(different)), np.uint64)
    for player, own in enumerate(own_places):
        members[own] |= np.uint64(1 << player)
        if weights is not None:
            rows[player, own] = weights[player]
    words = _words(np.concatenate(hands)[first], members)
    return HandList(words, rows, hands[0].shape[1], own_places)


class BoardCounts(NamedTuple):
    """What is counted of the hands of two players on boards; rows and columns of ``counts.cuh``.

    Attributes:
        by_hand: (n, heroes, 3, 4 or, without lows, 1) int64: what each hand meets; with weights
            (..., 2), in parts.
        by_category: (2, 9, 3, 2) int64: pairs of hands by player and the category of his high, in
            parts.
        by_board: (boards, 2, 3, 4 or 1) int64: pairs of hands on each board by player.
    """

    by_hand: Ints
    by_category: Ints
    by_board: Ints


def count_showdowns(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    times: Ints,
    low: bool,
    made_hands: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> OmahaCounts:
    """Count two players' hands on some devices: see the operation."""
    units, bits = (None, [0, 0]) if are_all_one(weights) else in_units(weights)
    listed = list_hands(hands, units)
    wanted = ("by_hand", "by_category") if made_hands else ("by_hand",)
    found = count_boards(listed, PLAYERS, boards, times, low, wanted, progress, devices)
    counts: list[npt.NDArray[Any]] = []
    for player, places in enumerate(listed.places):
        own = found.by_hand[places, player]
        if units is None:
            counts.append(_share_columns(own, low))
        else:
            parts = np.stack([_share_columns(own[..., part], low) for part in range(PARTS)], axis=-1)
            counts.append(from_parts(parts, bits[1 - player]))
    if not made_hands:
        return OmahaCounts(counts, None)
    below, up_to, dealt = (found.by_category[:, :, row] for row in range(ROWS))
    made = np.stack([below, up_to - below, dealt], axis=2)
    columns = whole_numbers(made) if units is None else from_parts(made, product_bits(bits))
    return OmahaCounts(counts, [*columns])


def count_totals(
    hands: Sequence[UInt8s],
    weights: Sequence[Floats],
    boards: UInt8s,
    low: bool,
    progress: Progress | None,
    devices: Sequence[int],
) -> list[npt.NDArray[Any]]:
    """Count two players on each board, all hands together, on some devices: see the operation."""
    units, bits = (None, [0, 0]) if are_all_one(weights) else in_units(weights)
    times = np.ones(len(boards), np.int64)
    listed = list_hands(hands, units)
    found = count_boards(listed, PLAYERS, boards, times, low, ("by_board",), progress, devices)
    columns = [_share_columns(found.by_board[:, player], low) for player in range(PLAYERS)]
    if units is None:
        return [*columns]
    return [from_units(own, product_bits(bits)) for own in columns]


def count_preflop(
    hands: UInt8s,
    low: bool,
    boards: UInt8s,
    times: npt.NDArray[np.uint16],
    progress: Progress | None,
    devices: Sequence[int],
) -> Ints:
    """Count hands against one random hand before the flop, on some devices: see the operation.

    All hands are counted on boards that differ by more than the names of suits. A hand's counts on
    these and all that are like them are the average of what its renamings count.

    Args:
        hands: Shape (n, 4 to 6).
        low: Whether the best low hand takes half of the pot.
        boards: Boards of which no two are alike but for the suits, (m, 5).
        times: How many boards are like each, (m,).
        progress: Called with the fraction done.
        devices: Device numbers.
    """
    size = hands.shape[1]
    cards = combo_cards(size)
    words, none = _words(cards, np.full(len(cards), 3, np.uint64)), np.zeros((0, len(cards)), np.uint64)
    every, factors = HandList(words, none, size, []), times.astype(np.int64)
    found = count_boards(every, 1, boards, factors, low, ("by_hand",), progress, devices)
    counts = found.by_hand[:, 0]
    total = np.zeros((len(hands), *counts.shape[1:]), np.int64)
    for renaming in range(len(SUIT_NAMES)):
        total += counts[combo_numbers(renamed_cards(hands, renaming))]
    out = np.zeros((len(hands), ROWS, COLUMNS), np.int64)
    out[..., : counts.shape[-1]] = total // len(SUIT_NAMES)
    return arrange(out, low)


def _words(cards: UInt8s, members: UInt64s) -> UInt64s:
    size = cards.shape[1]
    shifts = CARD_BITS * np.arange(size, dtype=np.uint64)
    packed: UInt64s = (cards.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
    return packed | members << np.uint64(CARD_BITS * size)


def count_boards(
    hands: HandList,
    heroes: int,
    boards: UInt8s,
    times: Ints,
    low: bool,
    wanted: Sequence[str],
    progress: Progress | None,
    devices: Sequence[int],
) -> BoardCounts:
    """Count what hands meet on boards.

    Args:
        hands: The hands of two players.
        heroes: 1 or 2: of how many players to count hands.
        boards: Full boards, (m, 5).
        times: The factor of each, (m,).
        low: Whether the game has a low.
        wanted: Which fields of the result to count; the others have no entries.
        progress: Called with the fraction done.
        devices: Device numbers.
    """
    boards, times = np.ascontiguousarray(boards), times.astype(np.int64)
    columns = COLUMNS if low else 1
    parts = (PARTS,) if len(hands.weights) else ()
    shapes: dict[str, tuple[int, ...]] = {
        "by_hand": (len(hands.words), heroes, ROWS, columns, *parts),
        "by_category": (PLAYERS, len(CATEGORIES), ROWS, PARTS),
        "by_board": (len(boards), PLAYERS, ROWS, columns),
    }
    total = BoardCounts(
        *(np.zeros(shapes[name] if name in wanted else 0, np.int64) for name in BoardCounts._fields)
    )
    if 0 in (len(hands.words), len(boards)):
        return total
    # A set more for each card, and as many more hands' sums to read.
    work = len(hands.words) * (SWEEPS if low else 1) << 2 * (hands.hole_cards - 4)
    step = max(1, MAX_HANDS // work)
    lock = Lock()

    def start() -> Work:
        import cupy

        words, weights = cupy.asarray(hands.words), cupy.asarray(hands.weights)
        added = [cupy.zeros(sums.shape, np.uint64) for sums in total[:2]]

        def count(begin: int, end: int) -> None:
            rows = end - begin if total.by_board.size else 0
            by_board = cupy.empty((rows, *shapes["by_board"][1:]), np.uint64)
            part = boards[begin:end], times[begin:end]
            _launch(hands, heroes, words, weights, *part, columns, step, (*added, by_board))
            if total.by_board.size:
                total.by_board[begin:end] = cupy.asnumpy(by_board).view(np.int64)

        def finish() -> None:
            on_host = [cupy.asnumpy(sums).view(np.int64) for sums in added]
            with lock:
                for sums, more in zip(total, on_host, strict=False):
                    np.add(sums, more, out=sums)

        return Work(count, finish)

    def max_boards() -> int:
        return LAUNCHES * max(step, device.processors())

    share_out(devices, len(boards), start, max_boards, progress)
    return total


def new_scratch(kernel: Any, hands: HandList, items: int, set_words: int) -> tuple[int, list[Any]]:
    """Return how many blocks run at once, and scratch for them: as many as there is memory for.

    Args:
        kernel: The kernel.
        hands: The hands that each block sorts.
        items: The items that blocks take.
        set_words: Numbers for each set of cards, in device memory; 0 for none.

    Returns:
        The blocks; their sorted hands, the numbers of these, and their sums if there are any.
    """
    import cupy

    count, sums = len(hands.words), hands.sets * set_words
    fitting = device.free_bytes() // 2 // (12 * count + 8 * sums)
    blocks = min(device.grid(kernel, items, OMAHA_THREADS)[0], max(1, fitting))
    scratch = [cupy.empty((blocks, count), np.uint64), cupy.empty((blocks, count), np.uint32)]
    if sums:
        scratch.append(cupy.empty((blocks, sums), np.uint64))
    return blocks, scratch


def kind_of(hands: HandList) -> str:
    """Return which of the kernels that do the same counts hands: their names end so."""
    if len(hands.weights):
        return "weighted"
    return "four" if hands.hole_cards == 4 else "many"


def _launch(
    hands: HandList,
    heroes: int,
    words: Any,
    weights: Any,
    boards: UInt8s,
    times: Ints,
    columns: int,
    step: int,
    sums: tuple[Any, Any, Any],
) -> None:
    """Count some boards on the current device, ``step`` in a launch if these fill it."""
    import cupy

    kind = kind_of(hands)
    kernel = device.kernel("omaha/showdowns", f"count_omaha_{kind}")
    blocks, scratch = new_scratch(kernel, hands, len(boards), WORDS_OF_SETS[kind])
    rows, factors = cupy.asarray(boards), cupy.asarray(times)
    by_hand, by_category, by_board = sums
    for begin, end in launches(0, len(boards), max(step, blocks)):
        sizes = end - begin, len(words), heroes, columns
        arrays = rows[begin:end], factors[begin:end], words, weights, category_ends()
        ranges = OMAHA_RANGES.pack(*arrays, *sizes)
        out = OMAHA_SUMS.pack(by_hand, by_category, by_board[begin:end])
        tables = packed_pairs(), packed_omaha_tables()
        arguments: tuple[Any, ...] = ranges, *tables, *scratch, out
        if kind != "four":
            size, num_sums = np.int32(hands.hole_cards), np.int64(scratch[-1].shape[1])
            arguments = ranges, size, *tables, *scratch, num_sums, out
        kernel((min(blocks, end - begin),), (OMAHA_THREADS,), arguments)
        if end < len(boards):  # so that a long count can be interrupted
            cupy.cuda.get_current_stream().synchronize()


def _share_columns(counts: Ints, low: bool) -> Ints:
    """Return the columns of ``OmahaShowdowns`` from counts (n, 3, 4 or 1)."""
    below, up_to, dealt = (counts[:, row] for row in range(ROWS))
    wins, ties = below[:, ANY_LOW], up_to[:, ANY_LOW] - below[:, ANY_LOW]
    if not low:
        return np.stack([wins, ties, dealt[:, ANY_LOW]], axis=1)
    plain_wins, plain_ties = below[:, NO_LOW], up_to[:, NO_LOW] - below[:, NO_LOW]
    # The other player wins both: a better high, and a better low or, against no low, any.
    beaten = dealt[:, ANY_LOW] - up_to[:, ANY_LOW] - dealt[:, UP_TO_LOW] + up_to[:, UP_TO_LOW]
    columns = (
        *(plain_wins, plain_ties, wins - plain_wins, ties - plain_ties),
        *(dealt[:, LOWER_LOW], dealt[:, UP_TO_LOW] - dealt[:, LOWER_LOW]),
        *(below[:, NO_LOW] + below[:, LOWER_LOW], beaten, dealt[:, ANY_LOW]),
    )
    return np.stack(columns, axis=1)
