"""Matchings with one and two edges by a closed formula: no graph has to be solved for them.

They follow from the number of edges and the degrees of the cards.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import BOARDS, WINNERS, BoardScan
from gpuodds.backends.cpu.graphs import card_degree, size_of
from gpuodds.backends.cpu.intern_table import InternTable, intern
from gpuodds.backends.cpu.jit import compiled, lowest_bit
from gpuodds.backends.cpu.threats import ROW, TYPES, load_class, new_class_scratch
from gpuodds.games.holdem.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]


@compiled
def count_pairs(
    scan: BoardScan,
    classes: Ints,
    most: int,
    tables: HandRankTables,
    winners: InternTable,
    sums: Ints,
) -> None:
    """Sum the matchings with up to ``most`` (1 or 2) edges over board classes, by known winners.

    Row w of ``sums``, for entry w of ``winners``, gets boards times 1 (the empty matching), losses,
    ties, and pairs of disjoint edges with no, one and two ties among them: with d the degrees of the
    cards, C(L, 2) - sum C(d, 2) for the first and likewise for the others.
    """
    undealt, board, completions = scan.undealt, scan.board, scan.completions
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    combo_ranks, plain_rows, shared, rows = new_class_scratch()
    key = np.zeros(1, np.int64)
    for c in range(classes.shape[1]):
        sizes = load_class(
            c, classes, undealt, board, completions, step, rank_7, flush,
            combo_ranks, plain_rows, shared, rows,
        )  # fmt: skip
        losses, ties = 0, 0
        two_losses, loss_and_tie, two_ties = 0, 0, 0
        left = sizes[0] | sizes[1] | sizes[2]
        while left:
            i = lowest_bit(left)
            left &= left - 1
            row = int(rows[i])
            if row == 0:
                continue
            cards = size_of(i, sizes)
            lose = card_degree(row & ROW, sizes) - (row >> i & 1)
            draw = 0
            if row >> TYPES:
                draw = card_degree(row >> TYPES, sizes) - (row >> i + TYPES & 1)
                ties += cards * draw
            losses += cards * lose
            if most > 1:
                two_losses -= cards * (lose * (lose - 1) // 2)
                loss_and_tie -= cards * lose * draw
                two_ties -= cards * (draw * (draw - 1) // 2)
        losses //= 2
        ties //= 2
        two_losses += losses * (losses - 1) // 2
        loss_and_tie += losses * ties
        two_ties += ties * (ties - 1) // 2
        key[0] = classes[WINNERS, c]
        known = winners.used[0]
        entry = intern(winners, key, 1)
        if entry == known:
            for column in range(sums.shape[1]):
                sums[entry, column] = 0
        boards = classes[BOARDS, c]
        sums[entry, 0] += boards
        sums[entry, 1] += boards * losses
        sums[entry, 2] += boards * ties
        sums[entry, 3] += boards * two_losses
        sums[entry, 4] += boards * loss_and_tie
        sums[entry, 5] += boards * two_ties
