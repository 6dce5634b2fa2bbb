"""Sort board classes into graph cases: those with equal threat graph, deck and known winners.

The matchings of a case are counted once, and count as often as there are boards of it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, compiled_without_refcounts, zeros
from gpuodds.backends.cpu.known_hands.threat_graphs.normal_form import (
    SCRATCH_ROWS,
    normal_form,
    remove_certain,
)
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import (
    ClassScratch,
    load_class,
    new_class_scratch,
)
from gpuodds.backends.cpu.shared.board_classes import BOARDS, WINNERS, BoardScan
from gpuodds.backends.cpu.shared.intern_table import InternTable, intern
from gpuodds.backends.graph_words import TYPES
from gpuodds.games.shared.hand_ranks import HandRankTables

Ints = npt.NDArray[np.int64]
Tags = npt.NDArray[np.int8]

WINNER_BITS = 23  # at most 23 players fit a deck
CERTAIN_BITS = 6  # at most 52 cards beat the threshold with any partner


class GraphScratch(NamedTuple):
    """Scratch of :func:`find_graph`.

    Attributes:
        of_class: Scratch of a board class.
        of_form: Scratch of the normal form, (6, 26).
        key: The graph, a word a type, (26,).
        tags: The card rank of each type, (26,).
    """

    of_class: ClassScratch
    of_form: Ints
    key: Ints
    tags: Tags


@compiled
def new_graph_scratch() -> GraphScratch:
    """Make the scratch."""
    return GraphScratch(
        new_class_scratch(),
        zeros((SCRATCH_ROWS, TYPES), np.int64),
        zeros(TYPES, np.int64),
        zeros(TYPES, np.int8),
    )


@compiled_without_refcounts
def find_graph(
    c: int,
    classes: Ints,
    scan: BoardScan,
    tables: HandRankTables,
    scratch: GraphScratch,
    graphs: InternTable,
    tags: Tags,
) -> int:
    """Return the number of the threat graph of board class ``c`` << 6 | its certain cards.

    ``graphs`` and ``tags`` are added to if the graph is new; they must be large enough. Call it for one
    spot after another only with ``scratch.of_class.shared`` set to -1 in between.
    """
    combo_ranks, plain_rows, shared, rows = scratch.of_class
    sizes = load_class(
        c, classes, scan.undealt, scan.board, scan.runout_ranks, tables.step, tables.rank_7,
        tables.flush, tables.lowest_flush, tables.flushes_end, combo_ranks, plain_rows, shared, rows,
    )  # fmt: skip
    present, certain = remove_certain(rows, sizes)
    count = normal_form(present, sizes, rows, scratch.of_form, scratch.key, scratch.tags)
    new = graphs.used[0]
    number = intern(graphs, scratch.key, count)
    if number == new:
        begin = graphs.start[number]
        for i in range(count):
            tags[begin + i] = scratch.tags[i]
    return number << CERTAIN_BITS | certain


@compiled
def collect_cases(
    scan: BoardScan,
    classes: Ints,
    deck: int,
    label: int,
    tables: HandRankTables,
    graphs: InternTable,
    tags: Tags,
    cases: InternTable,
    boards: Ints,
) -> None:
    """Number the threat graphs of board classes, and count the boards of each case.

    A case is the words (graph, cards that can be dealt to opponents, ``label`` << 23 | winners);
    ``deck`` is the number of undealt cards on a full board. ``graphs``, ``tags``, ``cases`` and
    ``boards`` are added to; they must be large enough.
    """
    scratch = new_graph_scratch()
    case = zeros(3, np.int64)
    for c in range(classes.shape[1]):
        packed = find_graph(c, classes, scan, tables, scratch, graphs, tags)
        case[0] = packed >> CERTAIN_BITS
        case[1] = deck - (packed & (1 << CERTAIN_BITS) - 1)
        case[2] = label << WINNER_BITS | classes[WINNERS, c]
        new = cases.used[0]
        entry = intern(cases, case, 3)
        if entry == new:
            boards[entry] = 0
        boards[entry] += classes[BOARDS, c]
