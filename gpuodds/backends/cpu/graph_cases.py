"""Sort board classes into graph cases: those with equal threat graph, deck and known winners.

The matchings of a case are counted once, and count as often as there are boards of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import BOARDS, WINNERS, BoardScan
from gpuodds.backends.cpu.graphs import normal_form, remove_certain
from gpuodds.backends.cpu.intern_table import InternTable, intern
from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.threats import TYPES, load_class, new_class_scratch
from gpuodds.games.holdem.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]

WINNER_BITS = 23  # at most 23 players fit a deck


@compiled
def collect_cases(
    scan: BoardScan,
    classes: Ints,
    deck: int,
    label: int,
    tables: HandRankTables,
    graphs: InternTable,
    tags: npt.NDArray[np.int8],
    cases: InternTable,
    boards: Ints,
) -> None:
    """Number the threat graphs of board classes, and count the boards of each case.

    A case is the words (graph, cards that can be dealt to opponents, ``label`` << 23 | winners);
    ``deck`` is the number of undealt cards on a full board. ``graphs``, ``tags``, ``cases`` and
    ``boards`` are added to; they must be large enough.
    """
    undealt, board, completions = scan.undealt, scan.board, scan.completions
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    combo_ranks, plain_rows, shared, rows = new_class_scratch()
    key = np.zeros(TYPES, np.int64)
    key_tags = np.zeros(TYPES, np.int8)
    case = np.zeros(3, np.int64)
    for c in range(classes.shape[1]):
        sizes = load_class(
            c, classes, undealt, board, completions, step, rank_7, flush,
            combo_ranks, plain_rows, shared, rows,
        )  # fmt: skip
        present, certain = remove_certain(rows, sizes)
        count = normal_form(present, sizes, rows, key, key_tags)
        known = graphs.used[0]
        number = intern(graphs, key, count)
        if number == known:
            begin = graphs.start[number]
            for i in range(count):
                tags[begin + i] = key_tags[i]
        case[0] = number
        case[1] = deck - certain
        case[2] = label << WINNER_BITS | classes[WINNERS, c]
        known = cases.used[0]
        entry = intern(cases, case, 3)
        if entry == known:
            boards[entry] = 0
        boards[entry] += classes[BOARDS, c]
