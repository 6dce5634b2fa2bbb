"""What single acts cost one core, in seconds, where several operations or methods do them.

Other costs stand next to the operation or the method that has them. All are fitted to the measurements
of ``python bench/pricing.py``; estimates should be right within a factor of three.
"""

from __future__ import annotations

CALL, CALL_ALONE = 5e-4, 2e-4
"""A call of an operation that uses all threads, and of one that uses one."""
COUNTED_BOARD = 3e-7
"""To begin a full board on which ranges are compared."""
SORTED_COMBO = 1.3e-8
"""To rank a combo on a full board, and to sort it."""
COUNTED_COMBO = 3e-9
"""To sum up what a combo of a range beats and ties on a full board."""
ADDED_PAIR = 3e-9
"""To add a pair of combos of two ranges on a board."""
COMPARED_KINDS = 1e-8
"""To compare two kinds of combos on all runouts of a flop or turn together."""
KINDS = 338
"""Kinds of combos, at most."""
PAIR_OF_HANDS = (1.5e-4, 4e-5, 1e-5, 2e-6, 1e-6, 5e-7)
"""To count two known hands on all runouts, by the number of board cards."""
SUIT_RENAMINGS = 24
"""Renamings of the suits, so that many boards are alike where nothing names a suit."""
GPU_CORES = 100
"""Cores of a CPU that count as fast as a GPU: a prediction, low on purpose."""
