"""Count pairs of combos of two players that share no card, by inclusion and exclusion.

A rank splits each player's combos into lower ones (L), equal ones (E) and higher ones. With A the sum
of a player's weights a over L or E, and A(c) that over the combos with card c, players j and k hold
disjoint combos in

    A_j A_k - sum over cards c of A_j(c) A_k(c) + sum over combos e of a_j(e) a_k(e)

weighted ways, and taking a combo (u, v) out of the deck changes the sums by

    A' = A - A(u) - A(v) + a(uv)        A'(c) = A(c) - a(uc) - a(vc)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import lowest_bit, vectorised, vectorised_inlined
from gpuodds.cards import DECK_SIZE

Floats = npt.NDArray[np.float64]

LOWER, EQUAL = 0, 1


@vectorised_inlined
def lower_left(
    lower: float, weight_u: float, weight_v: float, rank_u: float, rank_v: float, rank: float
) -> float:
    """Return A'(c) of L from A(c), and from weights and ranks of the combos (u, c) and (v, c)."""
    return lower - (weight_u if rank_u < rank else 0.0) - (weight_v if rank_v < rank else 0.0)


@vectorised_inlined
def equal_left(
    equal: float, weight_u: float, weight_v: float, rank_u: float, rank_v: float, rank: float
) -> float:
    """Return A'(c) of E: as :func:`lower_left`."""
    return equal - (weight_u if rank_u == rank else 0.0) - (weight_v if rank_v == rank else 0.0)


@vectorised_inlined
def _share_lower(u: int, v: int, rank: float, ranks: Floats, weights: Floats, cards: Floats) -> float:
    """Sum A'_j(c) A'_k(c) of L and L over the cards that are left."""
    ju, jv, ku, kv = weights[0, u], weights[0, v], weights[1, u], weights[1, v]
    ru, rv = ranks[u], ranks[v]
    lower_j, lower_k = cards[0, LOWER], cards[1, LOWER]
    shared = 0.0
    for c in range(DECK_SIZE):
        left_j = lower_left(lower_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        left_k = lower_left(lower_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        shared += left_j * left_k
    left = 1 << u | 1 << v
    while left:
        c = lowest_bit(left)
        left &= left - 1
        left_j = lower_left(lower_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        left_k = lower_left(lower_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        shared -= left_j * left_k
    return shared


@vectorised_inlined
def _share_equal(
    u: int, v: int, rank: float, ranks: Floats, weights: Floats, cards: Floats
) -> tuple[float, float, float]:
    """Sum A'_j(c) A'_k(c) of (E, L), (L, E) and (E, E) over the cards that are left."""
    ju, jv, ku, kv = weights[0, u], weights[0, v], weights[1, u], weights[1, v]
    ru, rv = ranks[u], ranks[v]
    lower_j, lower_k = cards[0, LOWER], cards[1, LOWER]
    equal_j, equal_k = cards[0, EQUAL], cards[1, EQUAL]
    lower_equal, equal_lower, equal_equal = 0.0, 0.0, 0.0
    for c in range(DECK_SIZE):
        lj = lower_left(lower_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        lk = lower_left(lower_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        ej = equal_left(equal_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        ek = equal_left(equal_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        lower_equal += lj * ek
        equal_lower += ej * lk
        equal_equal += ej * ek
    left = 1 << u | 1 << v
    while left:
        c = lowest_bit(left)
        left &= left - 1
        lj = lower_left(lower_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        lk = lower_left(lower_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        ej = equal_left(equal_j[c], ju[c], jv[c], ru[c], rv[c], rank)
        ek = equal_left(equal_k[c], ku[c], kv[c], ru[c], rv[c], rank)
        lower_equal -= lj * ek
        equal_lower -= ej * lk
        equal_equal -= ej * ek
    return equal_lower, lower_equal, equal_equal


@vectorised
def count_pairs_without(
    u: int, v: int, rank: float, ties: bool,
    ranks: Floats, weights: Floats, totals: Floats, cards: Floats, out: Floats,
) -> None:  # fmt: skip
    """Take (u, v) out and count the pairs of disjoint combos of two players.

    Args:
        u: One card.
        v: The other.
        rank: The rank that splits combos into L and E.
        ties: Whether E has combos.
        ranks: (52, 52), the ranks of all combos by their cards.
        weights: (3, 52, 52), a_j, a_k and a_j a_k by cards.
        totals: (3, 2), A of player j, of player k and of both at once (a_j a_k), for L and for E.
        cards: (3, 2, 52), A(c) likewise.
        out: (4,) receives the numbers for j and k in (L, L), (E, L), (L, E) and (E, E).
    """
    below = 1.0 if ranks[u, v] < rank else 0.0
    lower_j = totals[0, 0] - cards[0, 0, u] - cards[0, 0, v] + weights[0, u, v] * below
    lower_k = totals[1, 0] - cards[1, 0, u] - cards[1, 0, v] + weights[1, u, v] * below
    same_combo = totals[2, 0] - cards[2, 0, u] - cards[2, 0, v] + weights[2, u, v] * below
    out[0] = lower_j * lower_k - _share_lower(u, v, rank, ranks, weights, cards) + same_combo
    out[1] = 0.0
    out[2] = 0.0
    out[3] = 0.0
    if not ties:
        return
    level = 1.0 if ranks[u, v] == rank else 0.0
    equal_j = totals[0, 1] - cards[0, 1, u] - cards[0, 1, v] + weights[0, u, v] * level
    equal_k = totals[1, 1] - cards[1, 1, u] - cards[1, 1, v] + weights[1, u, v] * level
    if equal_j == 0.0 and equal_k == 0.0:
        return
    same_combo = totals[2, 1] - cards[2, 1, u] - cards[2, 1, v] + weights[2, u, v] * level
    equal_lower, lower_equal, equal_equal = _share_equal(u, v, rank, ranks, weights, cards)
    out[1] = equal_j * lower_k - equal_lower
    out[2] = lower_j * equal_k - lower_equal
    out[3] = equal_j * equal_k - equal_equal + same_combo
