"""Count one hand of Omaha against a random one on many boards that are not full.

How the opponent's hands compare depends on the class of a full board alone, and flops share classes.
So each class of full boards is counted once; each board then adds up those that it can become.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.known_hands.against_random import (
    Ints,
    add_classes,
    ranks_by_suit,
    scan_boards,
)
from gpuodds.backends.cpu.omaha.shared.pair_ranks import low_ranks, new_pair_ranks
from gpuodds.backends.cpu.shared.board_classes import (
    BOARDS,
    FLUSH_RANKS,
    RUNOUT,
    SUIT,
    BoardScan,
    board_classes,
)
from gpuodds.backends.cpu.shared.runouts import CHOOSE
from gpuodds.games.shared.hand_ranks import hand_rank_tables

SHARE_OF_CLASSES = 0.5  # of the time, for the progress
PIECES = 100  # of all classes, so that Ctrl-C does not wait for long

_RANK_COUNTS = 5 ** np.arange(13, dtype=np.int64)  # a multiset of ranks as a number: a digit a rank
_RANK_SETS = 1 << 13


def count_on_boards(
    hand: Sequence[int],
    board: Sequence[int],
    dead: Sequence[int],
    boards: npt.NDArray[np.uint8],
    low: bool,
    progress: Progress | None = None,
) -> Ints:
    """Count how a hand fares against one random hand, over all full boards that begin with each board.

    Args:
        hand: Its 4, 5 or 6 card numbers; the opponent gets as many cards.
        board: The card numbers that lie on all boards.
        dead: Card numbers out of play.
        boards: Shape (n, 3 to 5), uint8: boards without dead cards and cards of the hand.
        low: Whether the game has a low.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (n, 3, 4), int64: the counts of
        :func:`gpuodds.backends.cpu.omaha.known_hands.against_random.count_against_random` on each
        board.
    """
    known, tables = {*hand, *dead}, hand_rank_tables()
    scan = scan_boards(board, known | {*board}, hand)
    alike = _alike_suits(scan, hand)
    keys, deals = _count_classes(scan, alike, hand, low, progress)
    counts = np.zeros((len(boards), 3, 4), np.int64)
    for number, cards in enumerate(boards.tolist()):
        filled = scan_boards(cards, known | {*cards}, hand)
        classes = board_classes(filled, 0, len(filled.runout_ranks), tables)
        places = np.searchsorted(keys, _keys(filled, classes, alike))
        counts[number] = (classes[BOARDS] @ deals[places]).reshape(3, 4)
        if progress is not None:
            progress(SHARE_OF_CLASSES + (1 - SHARE_OF_CLASSES) * (number + 1) / len(boards))
    return counts


def _count_classes(
    scan: BoardScan, alike: Ints, hand: Sequence[int], low: bool, progress: Progress | None
) -> tuple[Ints, Ints]:
    """Return the keys of all classes, ascending, and the deals on a board of each (n, 12)."""
    tables, cards = hand_rank_tables(), np.array(hand, np.int64)
    keys: list[Ints] = []
    deals: list[Ints] = []

    def count_runouts(begin: int, end: int) -> None:
        classes = board_classes(scan, begin, end, tables)
        rows = np.arange(classes.shape[1])
        class_keys = _keys(scan, classes, alike)
        classes[BOARDS] = 1
        sums = np.zeros((len(rows), 1, 3, 4), np.int64)
        pairs = new_pair_ranks()
        add_classes(cards, scan, classes, rows, low, tables, low_ranks(), CHOOSE, pairs, sums)
        keys.append(class_keys)
        deals.append(sums.reshape(-1, 12))

    with thread_pool(thread_count(), part_of(progress, 0.0, SHARE_OF_CLASSES), PIECES) as run:
        run(count_runouts, len(scan.runout_ranks))
    all_keys = np.concatenate(keys)
    order = np.argsort(all_keys)
    return all_keys[order], np.concatenate(deals)[order]


def _alike_suits(scan: BoardScan, hand: Sequence[int]) -> Ints:
    """Return 0 for no suit, and for each suit the first, from 1, that no card tells apart from it."""
    masks = [*zip(scan.undealt.tolist(), scan.board.tolist(), ranks_by_suit(hand), strict=True)]
    return np.array([0, *(1 + masks.index(mask) for mask in masks)])


def _keys(scan: BoardScan, classes: Ints, alike: Ints) -> Ints:
    """Return a number for each class of full boards, the same for the same class of another scan."""
    ranks = _RANK_COUNTS[scan.runout_ranks].sum(axis=1)
    for mask in scan.board.tolist():
        ranks += sum(int(_RANK_COUNTS[rank]) for rank in range(13) if mask >> rank & 1)
    suits = alike[classes[SUIT] + 1]
    keys: Ints = (ranks[classes[RUNOUT]] * 5 + suits) * _RANK_SETS + classes[FLUSH_RANKS]
    return keys
