"""Take a combo's cards out of the sums of opponents: those of a stage become those of the next.

How each sum changes is in :mod:`gpuodds.backends.cpu.ranges.three_opponents.closed_form`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
)
from gpuodds.backends.cpu.compile.lanes import (
    add_products,
    lane_count,
    load_lanes,
    no_products,
    number_at,
    put_number,
    spread,
    store_lanes,
    sum_of,
)
from gpuodds.backends.cpu.ranges.three_opponents.closed_form import number_of_pair
from gpuodds.backends.cpu.ranges.three_opponents.matchups import Matchups
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    Numbers,
    OpponentSums,
    Sums,
    Total,
    row_length,
)
from gpuodds.cards import DECK_SIZE

Ints = npt.NDArray[np.int64]


@inlined_without_refcounts
def _take_out_cards(u: int, v: int, stage: int, sums: OpponentSums) -> None:
    """Take u and v out of the deck."""
    width, live = row_length(sums.rows), sums.live
    for x in range(0, width, lane_count(live)):
        left = load_lanes(sums.without, u * width + x) * load_lanes(sums.without, v * width + x)
        store_lanes(live, (stage + 1) * width + x, load_lanes(live, stage * width + x) * left)


@compiled_without_refcounts
def _take_out_of_one(
    u: int, v: int, stage: int, j: int, rows: Numbers, cards: Numbers, totals: Sums, live: Numbers
) -> None:
    """Take u and v out of an opponent's sums by card; ``j`` is more than the players if he ties."""
    width, slots = row_length(rows), totals.shape[1]
    at, ju, jv = stage * slots + j, (j * DECK_SIZE + u) * width, (j * DECK_SIZE + v) * width
    to = at + slots
    left = number_at(cards, at * width + u) + number_at(cards, at * width + v) - number_at(rows, ju + v)
    put_number(totals, to, number_at(totals, at) - left)
    for x in range(0, width, lane_count(rows)):
        h = load_lanes(cards, at * width + x) - load_lanes(rows, ju + x) - load_lanes(rows, jv + x)
        store_lanes(cards, to * width + x, h * load_lanes(live, (stage + 1) * width + x))


@compiled_without_refcounts
def _take_out_of_both(
    u: int, v: int, stage: int, j: int, k: int, pair: int, rows: Numbers, both: Numbers, totals: Sums
) -> None:
    """Take u and v out of the combos that two opponents have, both lower or both tied."""
    width, pairs = row_length(rows), totals.shape[1]
    ju, jv = (j * DECK_SIZE + u) * width, (j * DECK_SIZE + v) * width
    ku, kv = (k * DECK_SIZE + u) * width, (k * DECK_SIZE + v) * width
    at = stage * pairs + pair
    less = number_at(both, at * width + u) + number_at(both, at * width + v)
    less -= number_at(rows, ju + v) * number_at(rows, ku + v)
    put_number(totals, at + pairs, number_at(totals, at) - less)
    for x in range(0, width, lane_count(rows)):
        q = load_lanes(both, at * width + x) - load_lanes(rows, ju + x) * load_lanes(rows, ku + x)
        q = q - load_lanes(rows, jv + x) * load_lanes(rows, kv + x)
        store_lanes(both, (at + pairs) * width + x, q)


@inlined_without_refcounts
def take_out(
    u: int, v: int, stage: int, opponents: Ints, ties: bool, matchups: Matchups, sums: OpponentSums
) -> None:
    """Take u and v out of the sums by card of a stage, into the next; of tied combos with ``ties``."""
    rows, cards, both, live = sums.rows, sums.cards, sums.both, sums.live
    players = matchups.pair_of.shape[0]
    _take_out_cards(u, v, stage, sums)
    for one in range(opponents.size):
        j = number_at(opponents, one)
        for kind in range(2 if ties else 1):
            _take_out_of_one(u, v, stage, j + kind * players, rows, cards, sums.totals, live)
        for other in range(one):
            k = number_at(opponents, other)
            for kind in range(3 if ties else 1):
                # Both lower, both tied; or one who has folded, a later player, and one who ties.
                of_j, of_k = j + (kind == 1) * players, k + (kind > 0) * players
                pair = number_of_pair(of_j, of_k, matchups)
                if pair >= 0:
                    _take_out_of_both(u, v, stage, of_j, of_k, pair, rows, both, sums.both_totals)


@inlined_without_refcounts
def take_out_of_two(
    u: int, v: int, stage: int, j: int, k: int, matchups: Matchups, sums: OpponentSums
) -> None:
    """Take u and v out of what :func:`count_two` needs of a stage, into the next."""
    rows = sums.rows
    _take_out_cards(u, v, stage, sums)
    _take_out_of_one(u, v, stage, j, rows, sums.cards, sums.totals, sums.live)
    _take_out_of_one(u, v, stage, k, rows, sums.cards, sums.totals, sums.live)
    pair = number_of_pair(j, k, matchups)
    if pair >= 0:
        _take_out_of_both(u, v, stage, j, k, pair, rows, sums.both, sums.both_totals)


@inlined_without_refcounts
def take_out_of_three(
    u: int, v: int, stage: int, triple: int, needed: int, matchups: Matchups, sums: OpponentSums
) -> None:
    """Take u and v out of the other sums of three opponents of a stage, into those of the next.

    Those by card must have been taken out. Of the steps only those that begin at a ``needed`` card, a
    bit each, are counted on.
    """
    rows, steps, all_three = sums.rows, sums.steps, sums.all_three
    width, to = row_length(rows), matchups.triples.shape[0] + stage
    closed = to - 1 if stage else triple
    three = matchups.triples[triple]
    triangles, every = number_at(sums.triangles, closed), 1
    for turn in range(3):
        j, k, other = three[turn], three[(turn + 1) % 3], three[(turn + 2) % 3]
        arc, to_arc = three[3 + turn], matchups.arcs.shape[0] + 3 * stage + turn
        if stage:
            arc = to_arc - 3
        at_u, at_v = (arc * DECK_SIZE + u) * width, (arc * DECK_SIZE + v) * width
        weight = number_at(rows, (other * DECK_SIZE + u) * width + v)
        triangles += weight * (number_at(steps, at_u + v) + number_at(steps, at_v + u))
        triangles -= _closed_at(at_u, other, u, sums) + _closed_at(at_v, other, v, sums)
        every *= weight
        _take_out_of_steps(u, v, j, k, stage, arc, to_arc, needed, sums)
    put_number(sums.triangles, to, triangles)
    of_all = closed * width
    every -= number_at(all_three, of_all + u) + number_at(all_three, of_all + v)
    put_number(sums.all_totals, to, number_at(sums.all_totals, closed) + every)
    a_u, b_u, c_u = (
        (three[0] * DECK_SIZE + u) * width, (three[1] * DECK_SIZE + u) * width,
        (three[2] * DECK_SIZE + u) * width,
    )  # fmt: skip
    more = (v - u) * width
    for x in range(0, width, lane_count(rows)):
        left = load_lanes(all_three, of_all + x)
        left = left - load_lanes(rows, a_u + x) * load_lanes(rows, b_u + x) * load_lanes(rows, c_u + x)
        of_v = load_lanes(rows, a_u + more + x) * load_lanes(rows, b_u + more + x)
        store_lanes(all_three, to * width + x, left - of_v * load_lanes(rows, c_u + more + x))


@inlined_without_refcounts
def _closed_at(at: int, k: int, card: int, sums: OpponentSums) -> Total:
    """Return the triangles of a combo of k with a card and two steps, whose row begins at a place."""
    rows, found = sums.rows, no_products(sums.rows)
    of_card = (k * DECK_SIZE + card) * row_length(rows)
    for x in range(0, row_length(rows), lane_count(rows)):
        found = add_products(found, load_lanes(sums.steps, at + x), load_lanes(rows, of_card + x))
    return sum_of(found)


@inlined_without_refcounts
def _take_out_of_steps(
    u: int, v: int, j: int, k: int, stage: int, arc: int, to_arc: int, needed: int, sums: OpponentSums
) -> None:
    """Take u and v out of the steps of a combo of j, then one of k."""
    rows, steps, reached, cards = sums.rows, sums.steps, sums.reached, sums.cards
    width = row_length(rows)
    ku, kv = (k * DECK_SIZE + u) * width, (k * DECK_SIZE + v) * width
    from_row, to_row, of_j = arc * DECK_SIZE * width, to_arc * DECK_SIZE * width, j * DECK_SIZE * width
    weight, live = number_at(rows, of_j + u * width + v), (stage + 1) * width
    at = (stage * sums.cards.shape[1] + j) * width
    g_u = spread(number_at(cards, at + u) - weight, rows)
    g_v = spread(number_at(cards, at + v) - weight, rows)
    for x in range(0, width, lane_count(rows)):
        left = load_lanes(reached, arc * width + x) - load_lanes(steps, from_row + u * width + x)
        left = left - load_lanes(steps, from_row + v * width + x)
        left = left - g_u * load_lanes(rows, ku + x) - g_v * load_lanes(rows, kv + x)
        store_lanes(reached, to_arc * width + x, left)
    while needed:
        at = lowest_bit(needed) * width
        needed &= needed - 1
        by_u = spread(number_at(rows, of_j + at + u), rows)
        by_v = spread(number_at(rows, of_j + at + v), rows)
        for x in range(0, width, lane_count(rows)):
            left = load_lanes(steps, from_row + at + x)
            left = left - by_u * load_lanes(rows, ku + x) - by_v * load_lanes(rows, kv + x)
            # 0 at cards that are gone: triangles are counted from these rows.
            store_lanes(steps, to_row + at + x, left * load_lanes(sums.live, live + x))
