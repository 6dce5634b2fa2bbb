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

from typing import NamedTuple

from gpuodds.backends.cpu.compile.jit import inlined_without_refcounts
from gpuodds.backends.cpu.compile.lanes import (
    add_products,
    lane_count,
    load_lanes,
    no_products,
    number_at,
    spread,
    store_lanes,
    sum_of,
)
from gpuodds.backends.cpu.ranges.three_opponents.matchups import TRIPLE_COLUMNS, Matchups
from gpuodds.backends.cpu.ranges.three_opponents.sums import OpponentSums, Total, row_length
from gpuodds.cards import DECK_SIZE


class Side(NamedTuple):
    """Two of three opponents, i and j with k the third: the places of what is kept of them at a stage.

    ``rows_i``, ``rows_j`` and ``rows_k`` are those of their first rows of W; ``cards_i`` and
    ``total_i`` of the row d and of s of i; ``both`` and ``pair`` of the row q and of E of the two;
    ``steps`` of the first row of M and ``reached`` of the row r.
    """

    rows_i: int
    rows_j: int
    rows_k: int
    cards_i: int
    total_i: int
    both: int
    pair: int
    steps: int
    reached: int


class Three(NamedTuple):
    """Three opponents at a stage: their sides (a, b), (b, c) and (c, a), and places of their own.

    ``closed`` is the number of all that three share, ``live`` the place of the row of cards left.
    """

    ab: Side
    bc: Side
    ca: Side
    closed: int
    live: int


@inlined_without_refcounts
def _find_side(stage: int, triple: int, turn: int, matchups: Matchups, sums: OpponentSums) -> Side:
    """Find a side of three opponents."""
    width, players = row_length(sums.rows), matchups.pair_of.shape[0]
    of_three, after, last = triple * TRIPLE_COLUMNS, (turn + 1) % 3, (turn + 2) % 3
    i, j, k = (
        number_at(matchups.triples, of_three + turn),
        number_at(matchups.triples, of_three + after),
        number_at(matchups.triples, of_three + last),
    )
    row, at = DECK_SIZE * width, stage * 2 * players
    pair = number_at(matchups.pair_of, i * players + j) + stage * sums.both.shape[1]
    arc = number_at(matchups.triples, of_three + 3 + turn)
    if stage:
        arc = matchups.arcs.shape[0] + 3 * (stage - 1) + turn
    return Side(
        i * row,
        j * row,
        k * row,
        (at + i) * width,
        at + i,
        pair * width,
        pair,
        arc * row,
        arc * width,
    )


@inlined_without_refcounts
def find_three(stage: int, triple: int, matchups: Matchups, sums: OpponentSums) -> Three:
    """Find what is counted of three opponents, all whose combos are lower ones, by their number."""
    return Three(
        _find_side(stage, triple, 0, matchups, sums),
        _find_side(stage, triple, 1, matchups, sums),
        _find_side(stage, triple, 2, matchups, sums),
        matchups.triples.shape[0] + stage - 1 if stage else triple,
        stage * row_length(sums.rows),
    )


@inlined_without_refcounts
def count_three(u: int, v: int, three: Three, sums: OpponentSums) -> Total:
    """Count disjoint combos of three opponents once the cards of a stage and u and v are out."""
    ab, bc, ca, closed, live = three
    rows, left, width = sums.rows, sums.left, row_length(sums.rows)
    of_u, of_v = u * width, v * width
    for x in range(0, width, lane_count(rows)):
        alive = load_lanes(sums.without, of_u + x) * load_lanes(sums.without, of_v + x)
        alive = alive * load_lanes(sums.live, live + x)
        one = load_lanes(sums.cards, ab.cards_i + x) - load_lanes(rows, ab.rows_i + of_u + x)
        store_lanes(left, x, (one - load_lanes(rows, ab.rows_i + of_v + x)) * alive)
        one = load_lanes(sums.cards, bc.cards_i + x) - load_lanes(rows, bc.rows_i + of_u + x)
        store_lanes(left, width + x, (one - load_lanes(rows, bc.rows_i + of_v + x)) * alive)
        one = load_lanes(sums.cards, ca.cards_i + x) - load_lanes(rows, ca.rows_i + of_u + x)
        store_lanes(left, 2 * width + x, (one - load_lanes(rows, ca.rows_i + of_v + x)) * alive)
    w_a = number_at(rows, ab.rows_i + of_u + v)
    w_b = number_at(rows, bc.rows_i + of_u + v)
    w_c = number_at(rows, ca.rows_i + of_u + v)
    s_a = _count_left(u, v, w_a, ab, sums)
    s_b = _count_left(u, v, w_b, bc, sums)
    s_c = _count_left(u, v, w_c, ca, sums)
    found = s_a * s_b * s_c
    found += _count_side(u, v, w_a, w_b, w_c, s_c, ab, 0, width, 2 * width, sums)
    found += _count_side(u, v, w_b, w_c, w_a, s_a, bc, width, 2 * width, 0, sums)
    found += _count_side(u, v, w_c, w_a, w_b, s_b, ca, 2 * width, 0, width, sums)
    of_all = closed * width
    every = number_at(sums.all_totals, closed) - number_at(sums.all_three, of_all + u)
    every += w_a * w_b * w_c - number_at(sums.all_three, of_all + v)
    shared = no_products(rows)
    for x in range(0, width, lane_count(rows)):
        both = load_lanes(left, x) * load_lanes(left, width + x)
        shared = add_products(shared, both, load_lanes(left, 2 * width + x))
    return found + 2 * sum_of(shared) + 4 * every - number_at(sums.triangles, closed)


@inlined_without_refcounts
def _count_left(u: int, v: int, weight: Total, side: Side, sums: OpponentSums) -> Total:
    """Count the combos of the first of two opponents."""
    out = number_at(sums.cards, side.cards_i + u) + number_at(sums.cards, side.cards_i + v)
    return number_at(sums.totals, side.total_i) - out + weight


@inlined_without_refcounts
def _count_side(
    u: int, v: int, w_i: Total, w_j: Total, w_k: Total, s_k: Total, side: Side,
    left_i: int, left_j: int, left_k: int, sums: OpponentSums,
) -> Total:  # fmt: skip
    """Count the terms of two of three opponents."""
    rows, steps, left, width = sums.rows, sums.steps, sums.left, row_length(sums.rows)
    iu, iv = side.rows_i + u * width, side.rows_i + v * width
    ju, jv = side.rows_j + u * width, side.rows_j + v * width
    ku, kv = side.rows_k + u * width, side.rows_k + v * width
    mu, mv = side.steps + u * width, side.steps + v * width
    g_u = spread(number_at(sums.cards, side.cards_i + u) - w_i, rows)
    g_v = spread(number_at(sums.cards, side.cards_i + v) - w_i, rows)
    shared, rest = no_products(rows), no_products(rows)
    for x in range(0, width, lane_count(rows)):
        i_u, i_v = load_lanes(rows, iu + x), load_lanes(rows, iv + x)
        j_u, j_v = load_lanes(rows, ju + x), load_lanes(rows, jv + x)
        h_k = load_lanes(left, left_k + x)
        shared = add_products(shared, load_lanes(left, left_i + x), load_lanes(left, left_j + x))
        ends = load_lanes(sums.reached, side.reached + x) - load_lanes(sums.both, side.both + x)
        ends = ends - load_lanes(sums.both, side.both + x)
        ends = ends + (i_u + i_u - g_u) * j_u + (i_v + i_v - g_v) * j_v
        rest = add_products(rest, h_k, ends)
        rest = add_products(rest, load_lanes(steps, mu + x), load_lanes(rows, ku + x) - h_k)
        rest = add_products(rest, load_lanes(steps, mv + x), load_lanes(rows, kv + x) - h_k)
    both, at = sums.both, side.both
    e = number_at(sums.both_totals, side.pair) - number_at(both, at + u) - number_at(both, at + v)
    found = sum_of(rest) - s_k * (sum_of(shared) - e - w_i * w_j)
    if w_k != 0:
        found -= w_k * (number_at(steps, mu + v) + number_at(steps, mv + u))
    return found


@inlined_without_refcounts
def number_of_pair(j: int, k: int, matchups: Matchups) -> int:
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
    pair = number_of_pair(j, k, matchups)
    if pair >= 0:
        pair += stage * both.shape[1]
        found += number_at(sums.both_totals, pair) + w_j * w_k
        found -= number_at(both, pair * width + u) + number_at(both, pair * width + v)
    return found
