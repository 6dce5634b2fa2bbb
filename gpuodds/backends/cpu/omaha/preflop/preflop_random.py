"""Count every hand of Omaha against one random hand before the flop, all hands at once.

Hands are taken by type (see :mod:`gpuodds.backends.cpu.omaha.preflop.type_multisets`), boards by class.
On the boards of a class hands are sorted by rank. The hands below a rank that are disjoint from a hand
h follow by inclusion and exclusion: the sum over the subsets S of h's cards of (-1)^|S| n(S), where
n(S) is the number of hands below the rank that contain S. It depends on the types in S alone. Each
subset of the cards of a type w adds to n(S), where its own types are those of S, the number of hands of
type w divided by the number of sets of cards with these types. All is counted 12^(cards - 1) times
over, so that these shares are integers.

All boards of five ranks are taken without a flush first. Then, for each suit, those with three cards of
it or more once more: the deals with flushes are added, and those without are taken off. All suits are
alike, so this is counted for one and read for each.

With a low, hands are taken by low too, from none upwards: in turn those at or below each low are swept
in order of their high ranks.
"""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import compiled, inlined, popcount, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.preflop.type_multisets import (
    TypeHands,
    hand_rank_multisets,
    hands_with_suit,
    hands_without_suit,
    suit_keys,
)
from gpuodds.backends.cpu.omaha.preflop.type_sweeps import (
    ANY_LOW,
    LOWER,
    NO_LOW,
    NOT_HIGHER,
    SHARES,
    SweepScratch,
    count_class,
    new_sweep_scratch,
)
from gpuodds.backends.cpu.omaha.shared.pair_ranks import (
    LOW_LEVELS,
    PairRanks,
    low_ranks,
    new_pair_ranks,
    rank_low_pairs,
    rank_plain_pairs,
    rank_suited_pairs,
)
from gpuodds.backends.cpu.shared.runouts import CHOOSE
from gpuodds.games.shared.boards import board_ranks
from gpuodds.games.shared.hand_ranks import HandRankTables, hand_rank_tables

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt8s = npt.NDArray[np.uint8]

PIECES = 250  # of all boards: each takes seconds at most, so that Ctrl-C does not wait for long


@inlined
def _fill_levels(rows: UInt8s, pairs: PairRanks, lows: bool, scratch: SweepScratch) -> int:
    """Fill ``best`` and ``level``; return the highest level."""
    best, low, level = scratch.best, scratch.low, scratch.level
    occurs = zeros(LOW_LEVELS, np.int64)
    occurs[0] = 1
    for number in range(rows.shape[0]):
        highest = lowest = np.int16(0)
        for i in range(rows.shape[1]):
            for j in range(i):
                first, second = rows[number, i], rows[number, j]
                highest = max(highest, pairs.plain[first, second])
                lowest = max(lowest, pairs.low[first, second])
        best[number] = highest
        low[number] = lowest if lows else np.int16(0)
        occurs[low[number]] = 1
    last = -1
    for rank in range(LOW_LEVELS):
        last += occurs[rank]
        occurs[rank] = last
    for number in range(rows.shape[0]):
        level[number] = occurs[low[number]]
    return int(last)


@compiled
def _count_boards(
    boards: Ints, begin: int, end: int, rows: UInt8s, plain: TypeHands, suited: TypeHands, low: bool,
    tables: HandRankTables, low_of: Int16s, pairs: PairRanks, choose: Ints, share_of: Ints,
    scratch: SweepScratch, sums: Ints,
) -> None:  # fmt: skip
    """Add the boards of the ranks ``boards[begin:end]``."""
    cards = rows.shape[1]
    counts = zeros(13, np.int64)
    own = -1
    for _ in range(cards - 1):
        own *= SHARES
    if cards % 2 == 0:
        own = -own
    for number in range(begin, end):
        board = boards[number]
        counts[:] = 0
        different = 0
        for i in range(5):
            counts[board[i]] += 1
            different |= 1 << board[i]
        rank_plain_pairs(board, tables, pairs.plain)
        lows = low and rank_low_pairs(different, low_of, pairs.low)
        last = _fill_levels(rows, pairs, lows, scratch)
        scratch.plain[:] = 0
        count_class(
            0, counts, 4, cards, last, own, 0, plain, pairs, choose, share_of, scratch, sums
        )  # fmt: skip
        inside = different
        while inside:
            if popcount(inside) >= 3:
                most = np.int64(0)
                for rank in range(13):
                    counts[rank] -= inside >> rank & 1
                    most = max(most, counts[rank])
                if most <= 3:
                    rank_suited_pairs(inside, tables, pairs.suited)
                    count_class(
                        inside, counts, 3, cards, last, own, len(plain.keys), suited, pairs, choose,
                        share_of, scratch, sums,
                    )  # fmt: skip
                for rank in range(13):
                    counts[rank] += inside >> rank & 1
            inside = (inside - 1) & different


def _share_table() -> Ints:
    """Return SHARES^k / C(m, k) at [m, k], shape (5, 5), 0 where nothing can be chosen."""
    return np.array([[SHARES**k // comb(m, k) if k <= m else 0 for k in range(5)] for m in range(5)])


def count_boards(cards: int, low: bool, ranks: range, progress: Progress | None = None) -> Ints:
    """Count how all hands fare against one random hand on a part of all boards.

    Args:
        cards: Cards of a hand, 4 to 6.
        low: Whether the game has a low.
        ranks: Which ranks the boards have, rows of :func:`gpuodds.games.shared.boards.board_ranks`.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (3, 4 or, without a low, 1, hands by type), int64, for :func:`read_hands`: sums that add
        up over parts. They fit: with six cards the 6 x 10^12 deals of a hand, 12^5 times over, are
        1.6 x 10^18; what flushes change is less.
    """
    plain, suited = hands_without_suit(cards), hands_with_suit(cards)
    boards = board_ranks()[list(ranks)].astype(np.int64)
    rows, columns = hand_rank_multisets(cards), 4 if low else 1
    shape = 3, columns, len(plain.keys) + len(suited.keys)
    threads = thread_count()
    free = [
        (new_pair_ranks(), new_sweep_scratch(cards, columns), np.zeros(shape, np.int64))
        for _ in range(threads)
    ]

    def count(begin: int, end: int) -> None:
        own = pairs, scratch, sums = free.pop()
        _count_boards(
            boards, begin, end, rows, plain, suited, low, hand_rank_tables(), low_ranks(), pairs,
            CHOOSE, _share_table(), scratch, sums,
        )  # fmt: skip
        free.append(own)

    with thread_pool(threads, progress, PIECES) as run:
        run(count, len(ranks))
    total: Ints = sum((sums for _, _, sums in free[1:]), free[0][2])
    return total


def read_hands(hands: npt.NDArray[np.uint8], sums: Ints) -> Ints:
    """Return the counts of some hands from the sums of all boards.

    Args:
        hands: Shape (n, cards), card numbers.
        sums: What :func:`count_boards` returns for all boards, or the sum of that over parts.

    Returns:
        Shape (n, 3, 4), int64: for each hand the counts of
        :func:`gpuodds.backends.cpu.omaha.known_hands.against_random.count_against_random` on these
        boards, all categories together.
    """
    cards = hands.shape[1]
    plain, suited = hands_without_suit(cards), hands_with_suit(cards)
    totals = sums[:, :, np.searchsorted(plain.keys, suit_keys(hands, -1))]
    for suit in range(4):
        places = np.searchsorted(suited.keys, suit_keys(hands, suit))
        totals = totals + sums[:, :, len(plain.keys) + places]
    totals //= SHARES ** (cards - 1)
    out = np.zeros((3, 4, len(hands)), np.int64)
    if totals.shape[1] == 1:
        out[:, 0] = totals[:, ANY_LOW]
    else:
        out[:, 0] = totals[:, NO_LOW]
        out[:, 1] = totals[:, LOWER]
        out[:, 2] = totals[:, NOT_HIGHER] - totals[:, LOWER]
        out[:, 3] = totals[:, ANY_LOW] - totals[:, NO_LOW] - totals[:, NOT_HIGHER]
    return np.ascontiguousarray(np.diff(out, axis=0, prepend=0).transpose(2, 0, 1))
