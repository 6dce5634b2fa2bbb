"""The best flush of two hole cards and three of the board."""

from __future__ import annotations

from gpuodds.backends.cpu.compile.jit import inlined, popcount
from gpuodds.games.shared.hand_ranks import UInt16s

WHEEL = 0b1_0000_0000_1111  # the ranks of 5-4-3-2-A
STRAIGHTS = 10


@inlined
def best_flush(hole: int, board: int, flush: UInt16s) -> int:
    """Return the rank of the best flush, or straight flush, of two hole cards and three of the board.

    Args:
        hole: The ranks of the hole cards of one suit, two or more, a mask (bit 0 the deuce).
        board: The ranks of the board's cards of that suit, three to five, a mask.
        flush: The table of :class:`~gpuodds.games.shared.hand_ranks.HandRankTables`.
    """
    two, three = hole, board  # the highest
    while popcount(two) > 2:
        two &= two - 1
    while popcount(three) > 3:
        three &= three - 1
    best = int(flush[two | three])
    for lowest in range(STRAIGHTS):
        straight = 31 << lowest if lowest < STRAIGHTS - 1 else WHEEL
        if popcount(straight & hole) == 2 and popcount(straight & board) == 3:
            best = max(best, int(flush[straight]))
    return best
