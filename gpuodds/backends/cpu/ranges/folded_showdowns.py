"""Count showdowns while players have folded, on every core; see the operation.

Sums are float64, as in :mod:`gpuodds.backends.cpu.ranges.showdowns`: with weights 0 and 1 all numbers
of one board are integers below 2**53, so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.ranges.multiway_folded import Others, count_with_folded
from gpuodds.backends.cpu.shared.showdown_sums import Totals, count_pieces, new_sums
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

MIN_PIECE = 20_000  # boards x combos


def count_folded_showdowns(
    weights: Floats,
    folded: Floats,
    boards: UInt8s,
    times: Ints,
    heroes: Sequence[int],
    tables: HandRankTables,
    progress: Progress | None = None,
    by_category: bool = False,
) -> tuple[Any, Any]:
    """Count the deals that each combo of some players wins or splits, by who splits.

    Args:
        weights: (players, 1326) float64, the weight of each combo in each player's range.
        folded: (folded players, 1326) float64, theirs, at least one.
        boards: (n, 5) uint8 full boards, or (1, 0): no board, on which all tie.
        times: (n,) int64, how often each board counts.
        heroes: The players whose combos are counted.
        tables: The game's hand ranks.
        progress: Called with the fraction done, 0 to 1.
        by_category: Whether to count by the category of the hero's hand, too.

    Returns:
        As :func:`gpuodds.backends.cpu.ranges.showdowns.count_showdowns`.
    """
    active = np.flatnonzero(weights.any(axis=0))
    pairs = combo_cards()[active].astype(np.int64)
    integers = all(bool(((rows == 0.0) | (rows == 1.0)).all()) for rows in (weights, folded))
    masks = 1 << len(weights) - 1
    against = [_others(weights, folded, hero, active) for hero in heroes]
    listed = sum(prod(int(np.count_nonzero(row)) // 2 for row in others.listed) for others in against)
    pieces = count_pieces(len(boards), len(active), MIN_PIECE, listed)
    totals = Totals(integers)

    def work(begin: int, end: int) -> None:
        for piece in range(begin, end):
            sums = new_sums(
                len(heroes), len(active), masks, integers, by_category, tables.category_ends
            )
            first, last = (len(boards) * (piece + more) // pieces for more in range(2))
            for place, others in enumerate(against):
                count_with_folded(boards, times, first, last, place, pairs, tables, others, sums)
            totals.add(piece, sums)

    # The pieces do not depend on the number of threads: so neither does how sums are rounded.
    with thread_pool(thread_count() if pieces > 1 else 1, progress, pieces) as run:
        run(work, pieces)
    whole = np.zeros((len(heroes), COMBOS, masks), totals.counted.dtype)
    whole[:, active] = totals.counted
    return whole, totals.made


def _others(weights: Floats, folded: Floats, hero: int, active: Any) -> Others:
    """Arrange the players against a hero: the two that cost most to list, and those to be listed."""
    players = [player for player in range(len(weights)) if player != hero]
    bits = [1 << place for place in range(len(players))] + [0] * len(folded)
    rows = [*weights[players], *folded]
    sizes = [int(np.count_nonzero(row)) for row in rows]
    # Listing half of the combos of one who can win, those not above the hero's, leaves fewer ties.
    order = sorted(range(len(rows)), key=lambda place: sizes[place] / (4 if bits[place] else 1))
    low, high = combo_cards().T
    by_cards = np.zeros((len(rows), DECK_SIZE, DECK_SIZE))
    for matrix, place in zip(by_cards, order, strict=True):
        matrix[low, high] = matrix[high, low] = rows[place]
    is_folded = np.array([int(bits[place] == 0) for place in order], np.int64)
    masks = np.array([bits[place] for place in order], np.int64)
    own = np.ascontiguousarray(weights[hero, active])
    return Others(
        own, by_cards[-2:], is_folded[-2:], masks[-2:], by_cards[:-2], is_folded[:-2], masks[:-2]
    )
