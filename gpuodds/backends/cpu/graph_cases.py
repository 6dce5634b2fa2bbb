"""Sort board classes into graph cases: those with equal threat graph, deck and known winners.

The matchings of a case are counted once, and count as often as there are boards of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.boards import BOARDS, WINNERS, BoardScan
from gpuodds.backends.cpu.class_keys import slot_of_key
from gpuodds.backends.cpu.graphs import normal_form, remove_certain
from gpuodds.backends.cpu.intern_table import InternTable, intern
from gpuodds.backends.cpu.jit import compiled, zeros
from gpuodds.backends.cpu.threats import TYPES, load_class, new_class_scratch
from gpuodds.games.holdem.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]

WINNER_BITS = 23  # at most 23 players fit a deck
CERTAIN_BITS = 6  # at most 52 cards beat the threshold with any partner
NONE = -1 << 62  # no case: no graph has a number as low


@compiled
def collect_cases(
    scan: BoardScan,
    classes: Ints,
    class_keys: Ints,
    known: Ints,
    found: Ints,
    deck: int,
    label: int,
    tables: HandRankTables,
    graphs: InternTable,
    tags: npt.NDArray[np.int8],
    cases: InternTable,
    boards: Ints,
) -> int:
    """Number the threat graphs of board classes, and count the boards of each case.

    A case is the words (graph, cards that can be dealt to opponents, ``label`` << 23 | winners);
    ``deck`` is the number of undealt cards on a full board. ``graphs``, ``tags``, ``cases`` and
    ``boards`` are added to; they must be large enough.

    ``known`` and ``found`` are tables of :mod:`gpuodds.backends.cpu.class_keys` that hold graph << 6 |
    certain cards. Graphs of ``known`` have numbers of their own; where it is given, the graphs numbered
    here count down from -1. ``class_keys`` may give the key of each class, else it is empty: a class
    that either table holds is not looked at again, and ``found`` receives the others.

    Returns:
        How many keys ``found`` has received.
    """
    added = 0
    undealt, board, completions = scan.undealt, scan.board, scan.completions
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    combo_ranks, plain_rows, shared, rows = new_class_scratch()
    key = zeros(TYPES, np.int64)
    key_tags = zeros(TYPES, np.int8)
    case = zeros(3, np.int64)
    for c in range(classes.shape[1]):
        held, slot = np.int64(NONE), 0
        if class_keys.size:
            slot = slot_of_key(known, class_keys[c])
            if known[slot, 0]:
                held = known[slot, 1]
            else:
                slot = slot_of_key(found, class_keys[c])
                if found[slot, 0]:
                    held = found[slot, 1]
        if held == NONE:
            sizes = load_class(
                c, classes, undealt, board, completions, step, rank_7, flush,
                combo_ranks, plain_rows, shared, rows,
            )  # fmt: skip
            present, certain = remove_certain(rows, sizes)
            count = normal_form(present, sizes, rows, key, key_tags)
            new = graphs.used[0]
            number = intern(graphs, key, count)
            if number == new:
                begin = graphs.start[number]
                for i in range(count):
                    tags[begin + i] = key_tags[i]
            if len(known):
                number = -1 - number
            held = np.int64(number << CERTAIN_BITS | certain)
            if class_keys.size:
                found[slot, 0], found[slot, 1] = class_keys[c], held
                added += 1
        case[0] = held >> CERTAIN_BITS
        case[1] = deck - (held & (1 << CERTAIN_BITS) - 1)
        case[2] = label << WINNER_BITS | classes[WINNERS, c]
        new = cases.used[0]
        entry = intern(cases, case, 3)
        if entry == new:
            boards[entry] = 0
        boards[entry] += classes[BOARDS, c]
    return added
