"""What the sweep over a threat graph needs: its types unpacked, their elimination order, shapes.

On a GPU, `kernels/known_hands/elimination_orders.cu` finds the same orders, number for number.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, lowest_bit, zeros
from gpuodds.backends.cpu.known_hands.threat_graphs.threats import ROW
from gpuodds.backends.cpu.shared.intern_table import InternTable
from gpuodds.backends.graph_words import SIZE_SHIFT, TYPES

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
def sweep_order(
    count: int,
    size: Ints,
    loss: Ints,
    tie: Ints,
    tags: npt.NDArray[np.int8],
    order: npt.NDArray[np.int8],
) -> None:
    """Order the types so that few cards are ever open.

    Types of one card rank stay together; the next rank is the one after which the fewest cards have
    an edge to what is left.
    """
    left = (1 << count) - 1
    done = 0
    at = 0
    while left:
        best = 1 << 60
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
            left_after = left & ~group
            open_cards = 0
            row = done | group
            while row:
                i = lowest_bit(row)
                row &= row - 1
                if (loss[i] | tie[i]) & left_after:
                    open_cards += int(size[i])
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
def unpack(words: Ints, count: int, size: Ints, loss: Ints, tie: Ints) -> None:
    """Unpack the words of a graph of ``count`` types."""
    for i in range(count):
        size[i] = words[i] >> SIZE_SHIFT
        loss[i] = words[i] & ROW
        tie[i] = words[i] >> TYPES & ROW


@compiled
def bound_matchings(count: int, size: Ints, first_rows: Ints, second_rows: Ints) -> int:
    """Return a number of edges that no matching passes, close to the largest.

    The edges are those of ``first_rows`` and ``second_rows``. Types are covered one by one, those with
    most neighbours first, until each edge left is inside a type. A matching has at most one edge for
    each covered card, and one for every two cards of each type left.
    """
    left = (1 << count) - 1
    bound = 0
    while True:
        chosen, most = -1, 0
        for i in range(count):
            if left >> i & 1:
                around = cards_in((first_rows[i] | second_rows[i]) & left & ~(1 << i), size)
                if around > most or (around == most and chosen >= 0 and size[i] < size[chosen]):
                    chosen, most = i, around
        if chosen < 0:
            break
        left &= ~(1 << chosen)
        bound += size[chosen]
    for i in range(count):
        if (first_rows[i] | second_rows[i]) & left & 1 << i:
            bound += size[i] // 2
    return bound


@compiled
def shape_counts(
    count: int, size: Ints, tie: Ints, most: int, one_limb: Ints, shape: npt.NDArray[np.int32]
) -> None:
    """Find the shape (limbs, edges + 1, ties + 1) of a graph's counts, up to ``most`` edges.

    ``one_limb[k]`` is the largest number of cards whose k-matchings always fit 64 bits.
    """
    cards = 0
    tied = 0
    for i in range(count):
        cards += size[i]
        if tie[i]:
            tied += size[i]
    edges = min(most, cards // 2)
    shape[0] = 1 if cards <= one_limb[edges] else 2
    shape[1] = edges + 1
    shape[2] = min(edges, tied // 2) + 1


@compiled
def tighten_shape(
    count: int, size: Ints, loss: Ints, tie: Ints, one_limb: Ints, shape: npt.NDArray[np.int32]
) -> None:
    """Leave out of a shape edges and ties that no matching of the graph has."""
    edges = min(shape[1] - 1, bound_matchings(count, size, loss, tie))
    cards = 0
    for i in range(count):
        cards += size[i]
    shape[0] = 1 if cards <= one_limb[edges] else 2
    shape[1] = edges + 1
    shape[2] = min(edges, shape[2] - 1, bound_matchings(count, size, tie, tie)) + 1


@compiled
def own_cards(card_type: int, size: Ints, ahead: int, inside: int, most: int) -> int:
    """Return how many cards of a type can be open at once: ``ahead`` are the types to come it joins."""
    if ahead:
        return min(int(size[card_type]), most)
    return int(size[card_type]) // 2 if inside else 0


@compiled
def merge_pools(
    pools: int, types_left: int, most: int, size: Ints, cap: Ints, pool_size: Ints, pool_loss: Ints,
    pool_tie: Ints, becomes: Ints,
) -> int:  # fmt: skip
    """Make one pool of those that look alike to the types ``types_left``; return how many there are.

    Pools 0 to ``pools`` become, in place, pools without repetition; ``becomes`` says which, or -1 for
    those that have no edge any more. ``cap`` receives the most cards of each that can be closed.
    """
    new_pools = 0
    for q in range(pools + 1):
        ahead_loss = pool_loss[q] & types_left
        ahead_tie = pool_tie[q] & types_left
        cards = pool_size[q]
        becomes[q] = -1
        if ahead_loss | ahead_tie:
            p = 0
            while p < new_pools and (pool_loss[p] != ahead_loss or pool_tie[p] != ahead_tie):
                p += 1
            if p == new_pools:
                pool_loss[p] = ahead_loss
                pool_tie[p] = ahead_tie
                pool_size[p] = 0
                new_pools += 1
            pool_size[p] += cards
            becomes[q] = p
    for p in range(new_pools):
        ahead = cards_in(pool_loss[p] | pool_tie[p], size)
        cap[p] = min(min(pool_size[p], most), ahead)
    return new_pools


@compiled
def count_states(
    count: int,
    most: int,
    size: Ints,
    loss: Ints,
    tie: Ints,
    order: npt.NDArray[np.int8],
    pool_size: Ints,
    pool_loss: Ints,
    pool_tie: Ints,
    cap: Ints,
    becomes: Ints,
) -> tuple[int, int]:
    """Go through the pools of a sweep without counting; return the most states and the most pools.

    The last five arrays, of ``TYPES`` + 1 numbers, are for the pools.
    """
    most_states = 1
    most_pools = 0
    pools = 0
    states = 1
    types_left = (1 << count) - 1
    for at in range(count):
        i = int(order[at])
        types_left &= ~(1 << i)
        inside = 0
        if size[i] > 1:
            inside = (loss[i] | tie[i]) >> i & 1
        own_cap = own_cards(i, size, (loss[i] | tie[i]) & types_left, inside, most)
        most_states = max(most_states, states * (own_cap + 1))
        pool_size[pools] = size[i]
        pool_loss[pools] = loss[i]
        pool_tie[pools] = tie[i]
        pools = merge_pools(pools, types_left, most, size, cap, pool_size, pool_loss, pool_tie, becomes)
        states = 1
        for p in range(pools):
            states *= cap[p] + 1
        most_states = max(most_states, states)
        most_pools = max(most_pools, pools)
    return most_states, most_pools


@compiled
def measure(
    graphs: InternTable, begin: int, most: int, one_limb: Ints, shape: npt.NDArray[np.int32]
) -> None:
    """Find the shapes of the counts of an intern table's graphs from ``begin`` on."""
    size = zeros(TYPES, np.int64)
    loss = zeros(TYPES, np.int64)
    tie = zeros(TYPES, np.int64)
    for graph in range(begin, graphs.used[0]):
        first, last = graphs.start[graph], graphs.start[graph + 1]
        unpack(graphs.words[first:last], last - first, size, loss, tie)
        shape_counts(last - first, size, tie, most, one_limb, shape[graph])
        tighten_shape(last - first, size, loss, tie, one_limb, shape[graph])
