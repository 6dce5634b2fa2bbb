"""Go through board classes and sort them by situation: threat graph, deck, known winners.

For one or two random opponents no graph has to be solved: the matchings with one and two edges follow
from the number of edges and the degrees.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import BOARDS, WINNERS, BoardScan
from gpuodds.backends.cpu.graphs import (
    Registry,
    card_degree,
    normal_form,
    register,
    remove_certain,
    size_of,
)
from gpuodds.backends.cpu.jit import compiled, lowest_bit
from gpuodds.backends.cpu.threats import ROW, TYPES, load_class
from gpuodds.games.holdem.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]

WINNER_BITS = 23  # at most 23 players fit a deck


@compiled
def collect_situations(
    scan: BoardScan,
    classes: Ints,
    deck: int,
    label: int,
    tables: HandRankTables,
    graphs: Registry,
    tags: npt.NDArray[np.int8],
    situations: Registry,
    boards: Ints,
) -> None:
    """Number the threat graphs of board classes, and count the boards of each situation.

    A situation is the words (graph, cards that can be dealt to opponents, ``label`` << 23 | winners);
    ``deck`` is the number of undealt cards on a full board. ``graphs``, ``tags``, ``situations`` and
    ``boards`` are added to; they must have room.
    """
    undealt, board, completions = scan.undealt, scan.board, scan.completions
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    holding_ranks = np.zeros((13, 13), np.int32)
    plain_rows = np.zeros(13, np.int64)
    shared = np.full(5, -1, np.int64)
    rows = np.zeros(TYPES, np.int64)
    key = np.zeros(TYPES, np.int64)
    key_tags = np.zeros(TYPES, np.int8)
    situation = np.zeros(3, np.int64)
    for c in range(classes.shape[1]):
        sizes = load_class(
            c,
            classes,
            undealt,
            board,
            completions,
            step,
            rank_7,
            flush,
            holding_ranks,
            plain_rows,
            shared,
            rows,
        )
        present, certain = remove_certain(rows, sizes)
        count = normal_form(present, sizes, rows, key, key_tags)
        known = graphs.used[0]
        number = register(graphs, key, count)
        if number == known:
            begin = graphs.start[number]
            for i in range(count):
                tags[begin + i] = key_tags[i]
        situation[0] = number
        situation[1] = deck - certain
        situation[2] = label << WINNER_BITS | classes[WINNERS, c]
        known = situations.used[0]
        entry = register(situations, situation, 3)
        if entry == known:
            boards[entry] = 0
        boards[entry] += classes[BOARDS, c]


@compiled
def count_pairs(
    scan: BoardScan,
    classes: Ints,
    most: int,
    tables: HandRankTables,
    winners: Registry,
    sums: Ints,
) -> None:
    """Sum the matchings with up to ``most`` (1 or 2) edges over board classes, by known winners.

    Row w of ``sums``, for entry w of ``winners``, gets boards times 1 (the empty matching), losses,
    ties, and pairs of disjoint edges with no, one and two ties among them: with d the degrees of the
    cards, C(L, 2) - sum C(d, 2) for the first and likewise for the others.
    """
    undealt, board, completions = scan.undealt, scan.board, scan.completions
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    holding_ranks = np.zeros((13, 13), np.int32)
    plain_rows = np.zeros(13, np.int64)
    shared = np.full(5, -1, np.int64)
    rows = np.zeros(TYPES, np.int64)
    key = np.zeros(1, np.int64)
    for c in range(classes.shape[1]):
        sizes = load_class(
            c,
            classes,
            undealt,
            board,
            completions,
            step,
            rank_7,
            flush,
            holding_ranks,
            plain_rows,
            shared,
            rows,
        )
        losses = 0
        ties = 0
        two_losses = 0
        loss_and_tie = 0
        two_ties = 0
        left = sizes[0] | sizes[1] | sizes[2]
        while left:
            i = lowest_bit(left)
            left &= left - 1
            row = rows[i]
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
        entry = register(winners, key, 1)
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
