"""Count disjoint combos of two or three opponents once cards are out of the deck, in closed form.

Of three opponents 1, 2, 3 with combos as in :mod:`gpuodds.backends.cpu.ranges.three_opponents.sums`,
disjoint combos are

    N = s1 s2 s3 - sum_k s_k (d_i . d_j - E_ij) + 2 sum_c d1 d2 d3 + sum_k d_i . W_k d_j
        - 2 sum_k q_ij . d_k + 4 E - Tr

with k the third beside i and j. If the cards u and v leave the deck, these sums become

    h_i   = d_i - W_i[u] - W_i[v], and 0 at u and v        s_i - d_i(u) - d_i(v) + W_i[u, v]
    q_ij  - W_i[u] W_j[u] - W_i[v] W_j[v]                  E_ij - q_ij(u) - q_ij(v) + W_i W_j[u, v]
    W_k h_j = r_jk - M_jk[u] - M_jk[v] - g_j(u) W_k[u] - g_j(v) W_k[v]          g_j = d_j - W_j[u, v]
    E - e(u) - e(v) + W_1 W_2 W_3[u, v]
    Tr - t(u) - t(v) + sum_k W_k[u, v] (M_ij[u, v] + M_ij[v, u])        t = sum_k M_ij[u] . W_k[u]

Of two opponents they are s_i s_j - d_i . d_j + E_ij.
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
from gpuodds.backends.cpu.ranges.three_opponents.matchups import TRIPLE_COLUMNS, Matchups
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
def count_three(
    u: int, v: int, stage: int, triple: int, matchups: Matchups, sums: OpponentSums
) -> Total:
    """Count disjoint combos of three opponents once the cards of a stage and u and v are out.

    ``triple`` is the number of the opponents, all whose combos are lower ones.
    """
    rows, cards, steps, both = sums.rows, sums.cards, sums.steps, sums.both
    width, players = row_length(rows), matchups.pair_of.shape[0]
    row, three, at = DECK_SIZE * width, triple * TRIPLE_COLUMNS, stage * 2 * players
    a, b, c = (
        number_at(matchups.triples, three),
        number_at(matchups.triples, three + 1),
        number_at(matchups.triples, three + 2),
    )
    pair_ab, pair_bc, pair_ca = (
        number_at(matchups.pair_of, a * players + b) + stage * both.shape[1],
        number_at(matchups.pair_of, b * players + c) + stage * both.shape[1],
        number_at(matchups.pair_of, c * players + a) + stage * both.shape[1],
    )
    ab, bc, ca, closed = (
        number_at(matchups.triples, three + 3),
        number_at(matchups.triples, three + 4),
        number_at(matchups.triples, three + 5),
        triple,
    )
    if stage:
        ab = matchups.arcs.shape[0] + 3 * (stage - 1)
        bc, ca = ab + 1, ab + 2
        closed = matchups.triples.shape[0] + stage - 1
    # Where the rows begin: of W and M of u and of v, of d, q and r.
    au, bu, cu = a * row + u * width, b * row + u * width, c * row + u * width
    av, bv, cv = a * row + v * width, b * row + v * width, c * row + v * width
    ab_u, bc_u, ca_u = ab * row + u * width, bc * row + u * width, ca * row + u * width
    ab_v, bc_v, ca_v = ab * row + v * width, bc * row + v * width, ca * row + v * width
    of_a, of_b, of_c = (at + a) * width, (at + b) * width, (at + c) * width
    of_ab, of_bc, of_ca = pair_ab * width, pair_bc * width, pair_ca * width
    r_ab, r_bc, r_ca, of_all = ab * width, bc * width, ca * width, closed * width
    w_a, w_b, w_c = number_at(rows, au + v), number_at(rows, bu + v), number_at(rows, cu + v)
    d_au, d_av = number_at(cards, of_a + u), number_at(cards, of_a + v)
    d_bu, d_bv = number_at(cards, of_b + u), number_at(cards, of_b + v)
    d_cu, d_cv = number_at(cards, of_c + u), number_at(cards, of_c + v)
    g_au, g_bu, g_cu = spread(d_au - w_a, rows), spread(d_bu - w_b, rows), spread(d_cu - w_c, rows)
    g_av, g_bv, g_cv = spread(d_av - w_a, rows), spread(d_bv - w_b, rows), spread(d_cv - w_c, rows)
    shared_ab, shared_bc, shared_ca = no_products(rows), no_products(rows), no_products(rows)
    rest = no_products(rows)
    for x in range(0, width, lane_count(rows)):
        w_au, w_av = load_lanes(rows, au + x), load_lanes(rows, av + x)
        w_bu, w_bv = load_lanes(rows, bu + x), load_lanes(rows, bv + x)
        w_cu, w_cv = load_lanes(rows, cu + x), load_lanes(rows, cv + x)
        live = load_lanes(sums.live, stage * width + x)
        live = live * load_lanes(sums.without, u * width + x) * load_lanes(sums.without, v * width + x)
        h_a = (load_lanes(cards, of_a + x) - w_au - w_av) * live
        h_b = (load_lanes(cards, of_b + x) - w_bu - w_bv) * live
        h_c = (load_lanes(cards, of_c + x) - w_cu - w_cv) * live
        shared_ab = add_products(shared_ab, h_a, h_b)
        shared_bc = add_products(shared_bc, h_b, h_c)
        shared_ca = add_products(shared_ca, h_c, h_a)
        # 2 d1 d2 d3 + d_i . W_k d_j - 2 q_ij . d_k: what stands beside each h.
        q = load_lanes(both, of_ab + x) - w_au * w_bu - w_av * w_bv - h_a * h_b
        m_u, m_v = load_lanes(steps, ab_u + x), load_lanes(steps, ab_v + x)
        ends = load_lanes(sums.reached, r_ab + x) - m_u - m_v
        rest = add_products(rest, h_c, ends - g_au * w_bu - g_av * w_bv - q - q)
        rest = add_products(add_products(rest, m_u, w_cu), m_v, w_cv)
        q = load_lanes(both, of_bc + x) - w_bu * w_cu - w_bv * w_cv
        m_u, m_v = load_lanes(steps, bc_u + x), load_lanes(steps, bc_v + x)
        ends = load_lanes(sums.reached, r_bc + x) - m_u - m_v
        rest = add_products(rest, h_a, ends - g_bu * w_cu - g_bv * w_cv - q - q)
        rest = add_products(add_products(rest, m_u, w_au), m_v, w_av)
        q = load_lanes(both, of_ca + x) - w_cu * w_au - w_cv * w_av
        m_u, m_v = load_lanes(steps, ca_u + x), load_lanes(steps, ca_v + x)
        ends = load_lanes(sums.reached, r_ca + x) - m_u - m_v
        rest = add_products(rest, h_b, ends - g_cu * w_au - g_cv * w_av - q - q)
        rest = add_products(add_products(rest, m_u, w_bu), m_v, w_bv)
    s_a = number_at(sums.totals, at + a) - d_au - d_av + w_a
    s_b = number_at(sums.totals, at + b) - d_bu - d_bv + w_b
    s_c = number_at(sums.totals, at + c) - d_cu - d_cv + w_c
    e_ab = number_at(sums.both_totals, pair_ab) - number_at(both, of_ab + u)
    e_bc = number_at(sums.both_totals, pair_bc) - number_at(both, of_bc + u)
    e_ca = number_at(sums.both_totals, pair_ca) - number_at(both, of_ca + u)
    e_ab += w_a * w_b - number_at(both, of_ab + v)
    e_bc += w_b * w_c - number_at(both, of_bc + v)
    e_ca += w_c * w_a - number_at(both, of_ca + v)
    every = number_at(sums.all_totals, closed) - number_at(sums.all_three, of_all + u)
    every += w_a * w_b * w_c - number_at(sums.all_three, of_all + v)
    closed_left = number_at(sums.triangles, closed)
    if w_a != 0 or w_b != 0 or w_c != 0:
        closed_left += w_c * (number_at(steps, ab_u + v) + number_at(steps, ab_v + u))
        closed_left += w_a * (number_at(steps, bc_u + v) + number_at(steps, bc_v + u))
        closed_left += w_b * (number_at(steps, ca_u + v) + number_at(steps, ca_v + u))
    found = s_a * s_b * s_c + sum_of(rest) + 4 * every - closed_left
    found -= s_c * (sum_of(shared_ab) - e_ab) + s_a * (sum_of(shared_bc) - e_bc)
    return found - s_b * (sum_of(shared_ca) - e_ca)


@inlined_without_refcounts
def _number_of_pair(j: int, k: int, matchups: Matchups) -> int:
    """Return the number of two opponents among those who may have the same combo; -1 if they have none.

    A number of a player's tied combos is more than the players. Those that tie are no lower ones, but
    for one who has folded.
    """
    players: int = matchups.pair_of.shape[0]
    of_j, of_k = j - (j >= players) * players, k - (k >= players) * players
    pair: int = number_at(matchups.pair_of, of_j * players + of_k)
    if j < players and k < players:
        return pair
    pairs = players * (players - 1) >> 1
    if j >= players and k >= players:
        return pair + pairs
    if min(j, k) >= matchups.active:
        return pair + 2 * pairs
    return -1


@inlined_without_refcounts
def count_two(
    u: int, v: int, stage: int, j: int, k: int, matchups: Matchups, sums: OpponentSums
) -> Total:
    """Count disjoint combos of two opponents once the cards of a stage and u and v are out.

    ``j`` and ``k`` are more than the players if the opponent's combos are the tied ones.
    """
    rows, cards, both, players = sums.rows, sums.cards, sums.both, matchups.pair_of.shape[0]
    width = row_length(rows)
    ju, jv = (j * DECK_SIZE + u) * width, (j * DECK_SIZE + v) * width
    ku, kv = (k * DECK_SIZE + u) * width, (k * DECK_SIZE + v) * width
    of_j, of_k = 2 * players * stage + j, 2 * players * stage + k
    w_j, w_k, at_j, at_k = number_at(rows, ju + v), number_at(rows, ku + v), of_j * width, of_k * width
    j_u, j_v = number_at(cards, at_j + u) - w_j, number_at(cards, at_j + v) - w_j
    k_u, k_v = number_at(cards, at_k + u) - w_k, number_at(cards, at_k + v) - w_k
    s_j, s_k = number_at(sums.totals, of_j) - j_u - j_v, number_at(sums.totals, of_k) - k_u - k_v
    shared = no_products(rows)
    for x in range(0, width, lane_count(rows)):
        h_j = load_lanes(cards, at_j + x) - load_lanes(rows, ju + x) - load_lanes(rows, jv + x)
        h_k = load_lanes(cards, at_k + x) - load_lanes(rows, ku + x) - load_lanes(rows, kv + x)
        shared = add_products(shared, h_j * load_lanes(sums.live, stage * width + x), h_k)
    found = (s_j - w_j) * (s_k - w_k) - sum_of(shared) + j_u * k_u + j_v * k_v
    pair = _number_of_pair(j, k, matchups)
    if pair >= 0:
        pair += stage * both.shape[1]
        found += number_at(sums.both_totals, pair) + w_j * w_k
        found -= number_at(both, pair * width + u) + number_at(both, pair * width + v)
    return found


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
                pair = _number_of_pair(of_j, of_k, matchups)
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
    pair = _number_of_pair(j, k, matchups)
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
