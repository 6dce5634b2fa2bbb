"""What solving a threat graph takes: its types unpacked, their order, the room for the counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.cpu.graphs import SIZE_SHIFT, Registry
from gpuodds.cpu.jit import compiled, lowest_bit
from gpuodds.cpu.threats import ROW, TYPES

Ints = npt.NDArray[np.int64]


@compiled
def cards_in(row: int, size: Ints) -> int:
    """Count the cards of the types in ``row``."""
    cards = 0
    while row:
        cards += size[lowest_bit(row)]
        row &= row - 1
    return cards


@compiled
def sweep_order(count: int, size: Ints, reach: Ints, tags: npt.NDArray[np.int8], order: Ints) -> None:
    """Order the types so that few cards are ever open.

    Types of one card rank stay together; the next rank is the one after which the fewest cards have
    an edge to what is left.
    """
    left = (1 << count) - 1
    done = 0
    at = 0
    while left:
        best = np.int64(1 << 60)
        chosen = 0
        candidates = left
        while candidates:
            tag = tags[lowest_bit(candidates)]
            group = 0
            row = candidates
            while row:
                i = lowest_bit(row)
                row &= row - 1
                if tags[i] == tag:
                    group |= 1 << i
            candidates &= ~group
            rest = left & ~group
            open_cards = 0
            row = done | group
            while row:
                i = lowest_bit(row)
                row &= row - 1
                if reach[i] & rest:
                    open_cards += size[i]
            if open_cards < best:
                best = open_cards
                chosen = group
        left &= ~chosen
        done |= chosen
        # Several cards of a type first: the single card of the flush suit then closes with them.
        for several in range(2):
            row = chosen
            while row:
                i = lowest_bit(row)
                row &= row - 1
                if (size[i] > 1) == (several == 0):
                    order[at] = i
                    at += 1


@compiled
def read_graph(registry: Registry, graph: int, size: Ints, loss: Ints, tie: Ints) -> int:
    """Unpack a graph of the registry; return how many types it has."""
    begin = registry.start[graph]
    count = registry.start[graph + 1] - begin
    for i in range(count):
        word = registry.words[begin + i]
        size[i] = word >> SIZE_SHIFT
        loss[i] = word & ROW
        tie[i] = word >> TYPES & ROW
    return count


@compiled
def measure(graphs: Registry, most: int, one_limb: Ints, shape: Ints) -> None:
    """Find the shape (limbs, edges + 1, ties + 1) of each graph's counts, up to ``most`` edges.

    ``one_limb[k]`` is the largest number of cards whose k-matchings always fit 64 bits.
    """
    size = np.zeros(TYPES, np.int64)
    loss = np.zeros(TYPES, np.int64)
    tie = np.zeros(TYPES, np.int64)
    for graph in range(graphs.used[0]):
        count = read_graph(graphs, graph, size, loss, tie)
        cards = 0
        tied = 0
        for i in range(count):
            cards += size[i]
            if tie[i]:
                tied += size[i]
        edges = min(most, cards // 2)
        shape[graph, 0] = 1 if cards <= one_limb[edges] else 2
        shape[graph, 1] = edges + 1
        shape[graph, 2] = min(edges, tied // 2) + 1
