"""Compare the hands of two players on two boards, pair by pair: see the operation.

Runouts of the two boards are disjoint. So from the product of the counts of both, those that share a
card are taken away, and those that share both cards, taken away twice, are added back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import compiled
from gpuodds.backends.cpu.compile.lanes import (
    add_products,
    is_equal,
    is_greater,
    lane_count,
    load_lanes,
    no_products,
    spread,
    sum_of,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool

Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
UInt16s = npt.NDArray[np.uint16]

WIDTH = 16  # lanes of int16: columns are a multiple of it
NEITHER, NOR = -1, (1 << 15) - 1
"""Ranks of the first and of the second player that neither beat nor equal any."""


def count_pairs(
    first: UInt16s, second: UInt16s, deck: int, size: int, progress: Progress | None
) -> Int32s:
    """Count on the CPU: see the operation."""
    counts = np.zeros((first.shape[1], second.shape[1], 8), np.int32)
    one, other = _padded(first, deck, size, NEITHER), _padded(second, deck, size, NOR)

    def work(begin: int, end: int) -> None:
        _count_pairs(one, other, size, begin, end, counts)

    with thread_pool(thread_count(), progress) as run:
        run(work, first.shape[1])
    return counts


def _padded(ranks: UInt16s, deck: int, size: int, none: int) -> Int16s:
    """Return ranks by board, hand, row and column; ``none`` for 0 and in further columns."""
    rows, columns = (deck, deck) if size == 2 else (1, deck**size)
    shape = (*ranks.shape[:2], rows)
    padded = np.full((*shape, -(-columns // WIDTH) * WIDTH), none, np.int16)
    dealt = ranks.reshape(*shape, columns).astype(np.int16)
    padded[..., :columns] = np.where(dealt == 0, none, dealt)
    return padded


@compiled
def _count_pairs(
    first: Int16s, second: Int16s, size: int, begin: int, end: int, counts: Int32s
) -> None:
    rows, columns = first.shape[2], first.shape[3]
    width = lane_count(first)
    board_1, board_2 = first.shape[1] * rows * columns, second.shape[1] * rows * columns
    none, ones = spread(0, first), spread(1, first)
    for h in range(begin, end):
        for o in range(second.shape[1]):
            at_1, at_2 = h * rows * columns, o * rows * columns
            # Sums over pairs of cards count each twice, as (c, d) and (d, c): the table is symmetric.
            wins, ties = no_products(first), no_products(first)
            wins_2, ties_2 = no_products(first), no_products(first)
            both_ww, both_wt = no_products(first), no_products(first)
            both_tw, both_tt = no_products(first), no_products(first)
            card_ww, card_wt = no_products(first), no_products(first)
            card_tw, card_tt = no_products(first), no_products(first)
            for column in range(0, columns, width):
                w, t, w_2, t_2 = none, none, none, none
                ww, wt, tw, tt = none, none, none, none
                for row in range(rows):
                    place = row * columns + column
                    a, b = load_lanes(first, at_1 + place), load_lanes(second, at_2 + place)
                    win, tie = is_greater(a, b), is_equal(a, b)
                    a = load_lanes(first, board_1 + at_1 + place)
                    b = load_lanes(second, board_2 + at_2 + place)
                    win_2, tie_2 = is_greater(a, b), is_equal(a, b)
                    w, t, w_2, t_2 = w + win, t + tie, w_2 + win_2, t_2 + tie_2
                    ww, wt = ww + (win & win_2), wt + (win & tie_2)
                    tw, tt = tw + (tie & win_2), tt + (tie & tie_2)
                wins, ties = add_products(wins, w, ones), add_products(ties, t, ones)
                wins_2, ties_2 = add_products(wins_2, w_2, ones), add_products(ties_2, t_2, ones)
                both_ww, both_wt = add_products(both_ww, ww, ones), add_products(both_wt, wt, ones)
                both_tw, both_tt = add_products(both_tw, tw, ones), add_products(both_tt, tt, ones)
                card_ww, card_wt = add_products(card_ww, w, w_2), add_products(card_wt, w, t_2)
                card_tw, card_tt = add_products(card_tw, t, w_2), add_products(card_tt, t, t_2)
            won, tied, won_2, tied_2 = sum_of(wins), sum_of(ties), sum_of(wins_2), sum_of(ties_2)
            ww_all, wt_all = sum_of(both_ww), sum_of(both_wt)
            tw_all, tt_all = sum_of(both_tw), sum_of(both_tt)
            if size == 2:
                won, tied, won_2, tied_2 = won // 2, tied // 2, won_2 // 2, tied_2 // 2
                ww_all, wt_all = sum_of(card_ww) - ww_all // 2, sum_of(card_wt) - wt_all // 2
                tw_all, tt_all = sum_of(card_tw) - tw_all // 2, sum_of(card_tt) - tt_all // 2
            elif size == 0:
                ww_all, wt_all, tw_all, tt_all = 0, 0, 0, 0
            out = counts[h, o]
            out[0], out[1], out[2], out[3] = won, tied, won_2, tied_2
            out[4] = won * won_2 - ww_all
            out[5] = won * tied_2 - wt_all
            out[6] = tied * won_2 - tw_all
            out[7] = tied * tied_2 - tt_all
