"""Count the matchings of threat graphs by edges and ties: one sweep over the types.

A matching with j edges picks j dominating pairs, the hands of j opponents. The sweep takes the types
one by one, and of each type its cards one by one. A card is left unused, takes an earlier card as
partner, or is *open*: it waits for a later partner. Open cards with the same edges to all types still
to come form a *pool*; what matters is how many each pool holds. So the state is a small vector of pool
counts, and for each state the number of ways is kept by edges (j) and ties (t).

Numbers are kept modulo 2**64 in one limb where they cannot pass it, otherwise in two limbs, the lower
of 48 bits; both limbs go through the same multiplications by small integers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, inlined_without_refcounts, zeros
from gpuodds.backends.cpu.known_hands.elimination_order import (
    merge_pools,
    own_cards,
    sweep_order,
    unpack,
)
from gpuodds.backends.cpu.shared.intern_table import InternTable
from gpuodds.backends.graph_words import LIMB_BITS, TYPES

Ints = npt.NDArray[np.int64]
Counts = npt.NDArray[np.uint64]


@compiled
def carry(counts: Counts, begin: int, length: int) -> None:
    """Move what passes the lower limb's bits, ``length`` limbs from ``begin``, to the upper limb."""
    low, high = counts[begin : begin + length], counts[begin + length : begin + 2 * length]
    for x in range(length):
        high[x] += low[x] >> np.uint64(LIMB_BITS)
        low[x] &= np.uint64((1 << LIMB_BITS) - 1)


@compiled
def list_states(pools: int, cap: Ints, most: int, digits: npt.NDArray[np.int8], total: Ints) -> int:
    """List the pool counts with sum at most ``most``, first pool fastest; return how many.

    State s stands at its mixed-radix index; states past ``most`` are marked with total -1.
    """
    states = 1
    for q in range(pools):
        states *= cap[q] + 1
    digit = zeros(TYPES + 1, np.int64)
    sum_ = 0
    for s in range(states):
        total[s] = sum_ if sum_ <= most else -1
        for q in range(pools):
            digits[s, q] = digit[q]
        q = 0
        while q < pools:
            if digit[q] < cap[q]:
                digit[q] += 1
                sum_ += 1
                break
            sum_ -= digit[q]
            digit[q] = 0
            q += 1
    return states


@compiled
def copy_run(target: Counts, at: int, source: Counts, begin: int, length: int) -> None:
    """Copy a run of ``source`` over a run of ``target``."""
    for x in range(length):
        target[at + x] = source[begin + x]


# The loops below go through slices: there the compiler knows that no index is below zero, and takes
# several numbers at a time. A factor of 32 bits halves the multiplications.


@inlined
def begin_run(target: Counts, at: int, length: int, source: Counts, kept: int, opened: int) -> None:
    """Set a run of ``target`` to the ways that close no card.

    Args:
        target: The numbers after a card.
        at: Where the run begins.
        length: Of the run.
        source: The numbers before the card.
        kept: The card stays unused: so many numbers come from the same place.
        opened: The card is open: all numbers come from here as well; -1 if it cannot be.
    """
    to = target[at : at + length]
    if opened < 0:
        copied = source[at : at + kept]
        for x in range(kept):
            to[x] = copied[x]
        for x in range(kept, length):
            to[x] = 0
        return
    add = source[opened : opened + length]
    old = source[at : at + kept]
    for x in range(kept):
        to[x] = old[x] + add[x]
    for x in range(kept, length):
        to[x] = add[x]


@inlined
def add_scaled(target: Counts, at: int, source: Counts, begin: int, length: int, factor: int) -> None:
    """Add ``factor`` times a run of ``source`` to a run of ``target``."""
    times = np.uint64(np.uint32(factor))
    to, ways = target[at : at + length], source[begin : begin + length]
    for x in range(length):
        to[x] += times * ways[x]


class Graph(NamedTuple):
    """A threat graph, as :func:`unpack` gives it, and the order in which its types are swept.

    Attributes:
        size: The cards of each type, (26,).
        loss: The types that each loses to, masks, (26,).
        tie: The types that each ties with, masks, (26,).
        order: The types in the order of the sweep, (26,).
    """

    size: Ints
    loss: Ints
    tie: Ints
    order: npt.NDArray[np.int8]


class Shape(NamedTuple):
    """The shape of a state's counts, (limbs, edges, ties), in matchings with up to ``most`` edges.

    They are the ways to choose j < ``edges`` disjoint edges of which t < ``ties`` are ties.

    Attributes:
        most: The most edges that are counted.
        limbs: Words of a number, 1 or 2.
        edges: One more than the most edges of a matching.
        ties: One more than the most ties of a matching.
    """

    most: int
    limbs: int
    edges: int
    ties: int


@inlined_without_refcounts
def _merged_state(
    digits: npt.NDArray[np.int8], own: int, pools: int, new_pools: int, becomes: Ints, cap: Ints,
    stride: Ints, merged: Ints,
) -> int:  # fmt: skip
    """Return the state that pool counts become when pools are merged; -1 if it cannot be.

    Args:
        digits: The open cards of each pool.
        own: Those of the type just swept, the pool after these.
        pools: How many pools there were, without it.
        new_pools: How many there are now.
        becomes: The new pool of each; -1 if it has no future, and must be empty.
        cap: The most open cards of each new pool.
        stride: What a card of each new pool adds to the state.
        merged: Scratch.
    """
    for p in range(new_pools):
        merged[p] = 0
    for q in range(pools + 1):
        digit = np.int64(digits[q]) if q < pools else np.int64(own)
        if becomes[q] >= 0:
            merged[becomes[q]] += digit
        elif digit:
            return -1
    state = 0
    for p in range(new_pools):
        if merged[p] > cap[p]:
            return -1
        state += merged[p] * stride[p]
    return state


@compiled
def count_matchings(count: int, graph: Graph, shape: Shape, result: Counts) -> None:
    """Count the matchings of a graph of ``count`` types with up to ``shape.most`` edges.

    ``result`` receives the counts of the one state that is left. One function, though a long one: its
    loops share a dozen arrays that grow, and a graph of a few types takes microseconds.
    """
    size, loss, tie, order = graph
    most, limbs, edges, ties = shape
    plane = edges * ties
    block = limbs * plane
    cap = zeros(TYPES + 1, np.int64)
    stride = zeros(TYPES + 2, np.int64)
    pool_size = zeros(TYPES + 1, np.int64)
    pool_loss = zeros(TYPES + 1, np.int64)
    pool_tie = zeros(TYPES + 1, np.int64)
    becomes = zeros(TYPES + 1, np.int64)
    shifts = zeros(TYPES + 1, np.int64)
    pools = 0
    states = 1
    done = 0
    types_left = (1 << count) - 1
    digits = zeros((64, TYPES + 1), np.int8)
    total = zeros(64, np.int64)
    now = zeros(64 * block, np.uint64)
    new = zeros(64 * block, np.uint64)
    now[0] = 1
    for at in range(count):
        i = int(order[at])
        types_left &= ~(1 << i)
        own_loss = loss[i] & types_left
        own_tie = tie[i] & types_left
        # An edge moves the counts by a row, and if it is a tie by one more.
        inside = 0
        if size[i] > 1:
            inside = (loss[i] >> i & 1) * ties + (tie[i] >> i & 1) * (ties + 1)
        for q in range(pools):
            shifts[q] = (pool_loss[q] >> i & 1) * ties + (pool_tie[q] >> i & 1) * (ties + 1)
        own_cap = own_cards(i, size, own_loss | own_tie, inside, most)
        if total.size < states:
            digits = zeros((2 * states, TYPES + 1), np.int8)
            total = zeros(2 * states, np.int64)
        list_states(pools, cap, most, digits, total)
        stride[0] = 1
        for q in range(pools):
            stride[q + 1] = stride[q] * (cap[q] + 1)
        needed = states * (own_cap + 1) * block
        if now.size < needed:
            grown = zeros(2 * needed, np.uint64)
            copy_run(grown, 0, now, 0, now.size)
            now = grown
        if new.size < needed:
            new = zeros(2 * needed, np.uint64)
        own_now = 0
        for card in range(size[i]):
            own_new = min(card + 1, own_cap)
            if not own_loss | own_tie:
                own_new = min(own_new, size[i] - 1 - card)
            for own in range(own_new + 1):
                for s in range(states):
                    open_cards = total[s] + own
                    if total[s] < 0 or open_cards > min(most, done + 1):
                        continue
                    high = min(most - open_cards, (done + 1 - open_cards) // 2, edges - 1)
                    here = (own * states + s) * block
                    length = (high + 1) * ties
                    for limb in range(limbs):
                        to = here + limb * plane
                        kept = 0
                        if own <= own_now and open_cards <= done:
                            kept = (min(high, (done - open_cards) // 2) + 1) * ties
                        opened = to - states * block if 0 < own <= own_now + 1 else -1
                        begin_run(new, to, length, now, kept, opened)
                        if high > 0 and own <= own_now:
                            for q in range(pools):
                                shift = shifts[q]
                                if shift and digits[s, q] < cap[q]:
                                    source = to + stride[q] * block
                                    times = digits[s, q] + 1
                                    add_scaled(new, to + shift, now, source, length - shift, times)
                            if inside and own < own_now:
                                source = to + states * block
                                add_scaled(new, to + inside, now, source, length - inside, own + 1)
                    if limbs == 2:
                        carry(new, here, plane)
            own_now = own_new
            done += 1
            now, new = new, now
        # Pools that look alike from here on become one; pools without a future must be empty.
        pool_size[pools] = size[i]
        pool_loss[pools] = own_loss
        pool_tie[pools] = own_tie
        new_pools = merge_pools(
            pools, types_left, most, size, cap, pool_size, pool_loss, pool_tie, becomes
        )
        stride[0] = 1
        for p in range(new_pools):
            stride[p + 1] = stride[p] * (cap[p] + 1)
        new_states = stride[new_pools]
        if new.size < new_states * block:
            new = zeros(2 * new_states * block, np.uint64)
        new[: new_states * block] = 0
        merged = zeros(TYPES + 1, np.int64)
        for own in range(own_now + 1):
            for s in range(states):
                open_cards = total[s] + own
                if total[s] < 0 or open_cards > min(most, done):
                    continue
                to = _merged_state(digits[s], own, pools, new_pools, becomes, cap, stride, merged)
                if to < 0:
                    continue
                high = min(most - open_cards, (done - open_cards) // 2, edges - 1)
                for limb in range(limbs):
                    add_scaled(
                        new,
                        to * block + limb * plane,
                        now,
                        (own * states + s) * block + limb * plane,
                        (high + 1) * ties,
                        1,
                    )
        if limbs == 2:
            for s in range(new_states):
                carry(new, s * block, plane)
        now, new = new, now
        pools = new_pools
        states = new_states
    copy_run(result, 0, now, 0, block)


@compiled
def solve_graphs(
    graphs: InternTable,
    tags: npt.NDArray[np.int8],
    begin: int,
    end: int,
    most: int,
    shape: npt.NDArray[np.int32],
    place: Ints,
    results: Counts,
) -> None:
    """Count the matchings of the graphs ``begin`` to ``end``, each into its place in ``results``."""
    size, loss, tie = zeros(TYPES, np.int64), zeros(TYPES, np.int64), zeros(TYPES, np.int64)
    order = zeros(TYPES, np.int8)
    for graph in range(begin, end):
        first, last = graphs.start[graph], graphs.start[graph + 1]
        unpack(graphs.words[first:last], last - first, size, loss, tie)
        sweep_order(last - first, size, loss, tie, tags[first:last], order)
        limbs, edges, ties = int(shape[graph, 0]), int(shape[graph, 1]), int(shape[graph, 2])
        count_matchings(
            last - first,
            Graph(size, loss, tie, order),
            Shape(min(most, edges - 1), limbs, edges, ties),  # each open card takes an edge later
            results[place[graph] : place[graph + 1]],
        )
