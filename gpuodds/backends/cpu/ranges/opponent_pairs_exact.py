"""Count pairs of disjoint combos of two players, in integers and without a loop over the cards.

A hand rank splits each player's combos into lower ones (L), equal ones (E) and higher ones. Say X are
one or the other of player j, Y of player k; X(c) and Y(c) are how many of them have the card c, x(c)
and y(c) the sets of cards that these have besides. Then X and Y without common cards number

    X Y - sum over cards c of X(c) Y(c) + (combos that are in X and in Y)        = X Y + R

and if a combo (u, v) leaves the deck, x' = 1 if it is in X and y' = 1 if it is in Y,

    (X - X(u) - X(v) + x') (Y - Y(u) - Y(v) + y') + R + F(u) + F(v) - |x(u) & y(v)| - |x(v) & y(u)|
        - x' (Y(u) + Y(v)) - y' (X(u) + X(v)) + 2 x' y' + (combos (u, v) that are in X and in Y)

    F(w) = X(w) Y(w) + sum over x(w) of Y(c) + sum over y(w) of X(c) - 2 (combos in X and Y with w).

R and F are linear in X and in Y: those of the lower combos of the next rank are the sums of the four.

Nothing overflows: a card is in at most 51 combos, so that 0 <= F(w) <= 3 x 51 x 51 = 7,803 fits int16;
R is at least -52 x 51 x 51, and no product exceeds 1326 x 1326.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.ranges.combo_lists import Lists

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt8s = npt.NDArray[np.uint8]

LOWER, EQUAL = 0, 1
FIRST_EQUAL, SECOND_EQUAL, BOTH_EQUAL = 1, 2, 3  # of X and Y; bit 0 is X's, bit 1 is Y's
CARD_SLOTS = 64  # entries by card, and zeros: whole vector registers

Four = tuple[int, int, int, int]


class OpponentSums(NamedTuple):
    """The lower and the equal combos of each player, and the sums of pairs of players.

    With a row for each player and L or E, ``totals`` are X, ``cards`` (rows, 64) X(c) and ``rows``
    (rows, 64) the sets x(c). With a row for each pair and which of X and Y are equal combos, ``rest``
    are R and ``sums`` (rows, 64) F. ``lower`` (64 for each player, 64) has x(c) of lower combos once
    more, a byte a card, and ``seen`` the cards of each player's equal combos as a set.
    """

    totals: Ints
    cards: Int16s
    rows: Ints
    lower: UInt8s
    seen: Ints
    rest: Ints
    sums: Int16s


@compiled
def new_opponent_sums(players: int, pairs: int) -> OpponentSums:
    """Make room for players without combos."""
    rows, kinds = 2 * players, 4 * pairs
    return OpponentSums(
        zeros(rows, np.int64),
        zeros((rows, CARD_SLOTS), np.int16),
        zeros((rows, CARD_SLOTS), np.int64),
        zeros((players * CARD_SLOTS, CARD_SLOTS), np.uint8),
        zeros(players, np.int64),
        zeros(kinds, np.int64),
        zeros((kinds, CARD_SLOTS), np.int16),
    )


@inlined_without_refcounts
def clear(opponents: OpponentSums) -> None:
    """Take all combos away."""
    opponents.totals[:] = 0
    opponents.cards[:] = 0
    opponents.rows[:] = 0
    opponents.lower[:] = 0
    opponents.rest[:] = 0
    opponents.sums[:] = 0


@inlined_without_refcounts
def open_level(lists: Lists, opponents: OpponentSums) -> None:
    """Add the equal combos of all players."""
    combos, begins, ends = lists
    totals, cards, rows, _, seen, _, _ = opponents
    for p in range(seen.size):
        row, together = p << 1 | EQUAL, 0
        for at in range(begins[p] & 0xFFFF, ends[p]):
            low, high = combos[p, at] & 63, combos[p, at] >> 6 & 63
            cards[row, low] += np.int16(1)
            cards[row, high] += np.int16(1)
            rows[row, low] |= 1 << high
            rows[row, high] |= 1 << low
            together |= 1 << low | 1 << high
        totals[row] = ends[p] - begins[p]
        seen[p] = together


@inlined_without_refcounts
def _multiply(row: int, other_row: int, to: int, cards: Int16s, sums: Int16s) -> int:
    """Write the products of two rows of cards into a row of sums; return what they add up to."""
    # A card is in at most 51 combos: a product is at most 2,601, within int16, and 52 of them 135,252.
    common = np.int32(0)
    for c in range(CARD_SLOTS):
        product = np.int16(cards[row, c] * cards[other_row, c])
        sums[to, c] = product
        common += np.int32(product)
    return int(common)


@inlined_without_refcounts
def _add_with(p: int, row: int, to: int, lists: Lists, cards: Int16s, sums: Int16s) -> None:
    """Add, for each equal combo of player ``p`` and each card of it, the entry of the other card."""
    for at in range(lists.begins[p] & 0xFFFF, lists.ends[p]):
        low, high = lists.combos[p, at] & 63, lists.combos[p, at] >> 6 & 63
        sums[to, low] += cards[row, high]
        sums[to, high] += cards[row, low]


@inlined_without_refcounts
def _add_common(p: int, row: int, to: int, lists: Lists, opponents: OpponentSums) -> None:
    """Give back the equal combos of player ``p`` that the other player has in a row of combos, too.

    By inclusion and exclusion a combo and itself were taken out once for each of its two cards.
    """
    for at in range(lists.begins[p] & 0xFFFF, lists.ends[p]):
        low, high = lists.combos[p, at] & 63, lists.combos[p, at] >> 6 & 63
        in_both = opponents.rows[row, low] >> high & 1
        opponents.rest[to] += in_both
        opponents.sums[to, low] -= np.int16(2 * in_both)
        opponents.sums[to, high] -= np.int16(2 * in_both)


@inlined_without_refcounts
def _add_mixed(
    p: int, q: int, to: int, has_folded: bool, lists: Lists, opponents: OpponentSums
) -> None:
    """Fill R and F, row ``to``, of the lower combos of player ``p`` and the equal ones of ``q``."""
    _, cards, _, lower, seen, rest, sums = opponents
    below, level = p << 1 | LOWER, q << 1 | EQUAL
    rest[to] = -_multiply(below, level, to, cards, sums)
    left = seen[q]
    while left:
        card = lowest_bit(left)
        left &= left - 1
        times = cards[level, card]
        for c in range(CARD_SLOTS):
            sums[to, c] += np.int16(np.int16(lower[p << 6 | card, c]) * times)
    # All at once, at the end: to read a register where an entry has just been written takes long.
    _add_with(q, below, to, lists, cards, sums)
    # A combo has one hand rank: only if it always loses is it a lower one of p and an equal one of q.
    if has_folded:
        _add_common(q, below, to, lists, opponents)


@inlined_without_refcounts
def _add_equal(j: int, k: int, to: int, lists: Lists, opponents: OpponentSums) -> None:
    """Fill R and F, row ``to``, of the equal combos of both players."""
    _, cards, _, _, _, rest, sums = opponents
    of_j, of_k = j << 1 | EQUAL, k << 1 | EQUAL
    rest[to] = -_multiply(of_j, of_k, to, cards, sums)
    _add_with(j, of_k, to, lists, cards, sums)
    _add_with(k, of_j, to, lists, cards, sums)
    _add_common(j, of_k, to, lists, opponents)


@inlined_without_refcounts
def add_up_level(pairs: Ints, active: int, lists: Lists, opponents: OpponentSums) -> None:
    """Fill R and F of equal combos; ``pairs`` (n, 2) are the players of each pair.

    Players from ``active`` on have folded.
    """
    for number in range(pairs.shape[0]):
        j, k = pairs[number, 0] & 31, pairs[number, 1] & 31
        of_j, of_k = opponents.seen[j] != 0, opponents.seen[k] != 0
        if of_j:
            _add_mixed(k, j, number << 2 | FIRST_EQUAL, k >= active, lists, opponents)
        if of_k:
            _add_mixed(j, k, number << 2 | SECOND_EQUAL, j >= active, lists, opponents)
        if of_j and of_k:
            _add_equal(j, k, number << 2 | BOTH_EQUAL, lists, opponents)


@inlined_without_refcounts
def close_level(pairs: Ints, lists: Lists, opponents: OpponentSums) -> None:
    """Make the equal combos lower ones; ``pairs`` (n, 2) are the players of each pair."""
    totals, cards, rows, lower, seen, rest, sums = opponents
    for number in range(pairs.shape[0]):
        of_j, of_k = seen[pairs[number, 0]] != 0, seen[pairs[number, 1]] != 0
        to = number << 2
        for kind in range(FIRST_EQUAL, BOTH_EQUAL + 1):
            if (kind == SECOND_EQUAL or of_j) and (kind == FIRST_EQUAL or of_k):
                rest[to] += rest[to | kind]
                for c in range(CARD_SLOTS):
                    sums[to, c] += sums[to | kind, c]
    for p in range(seen.size):
        if seen[p]:
            below, level = p << 1 | LOWER, p << 1 | EQUAL
            totals[below] += totals[level]
            totals[level] = 0
            seen[p] = 0
            for at in range(lists.begins[p] & 0xFFFF, lists.ends[p]):
                low, high = lists.combos[p, at] & 63, lists.combos[p, at] >> 6 & 63
                lower[p << 6 | low, high] = 1
                lower[p << 6 | high, low] = 1
            for c in range(CARD_SLOTS):
                cards[below, c] += cards[level, c]
                cards[level, c] = 0
            for c in range(CARD_SLOTS):
                rows[below, c] |= rows[level, c]
                rows[level, c] = 0


class OpponentPair(NamedTuple):
    """Two players, ``j`` and ``k``, and the number of their pair.

    ``ties_j`` and ``ties_k`` say whether there are equal combos of each.
    """

    j: int
    k: int
    number: int
    ties_j: bool
    ties_k: bool


@inlined_without_refcounts
def opponent_pair(j: int, k: int, number: int, opponents: OpponentSums) -> OpponentPair:
    """Return two players and whether they have equal combos."""
    # The compiler sees by the masks that no index is negative.
    j, k, totals = j & 31, k & 31, opponents.totals
    return OpponentPair(j, k, number & 63, totals[j << 1 | EQUAL] != 0, totals[k << 1 | EQUAL] != 0)


@inlined_without_refcounts
def _count_apart(u: int, v: int, pair: OpponentPair, x: int, y: int, opponents: OpponentSums) -> int:
    """Return the pairs of X and Y without u and v; ``x`` and ``y`` are L or E."""
    totals, cards, rows, _, _, rests, sums = opponents
    of_x, of_y, to = pair.j << 1 | x, pair.k << 1 | y, pair.number << 2 | x | y << 1
    with_x = np.int64(cards[of_x, u]) + np.int64(cards[of_x, v])
    with_y = np.int64(cards[of_y, u]) + np.int64(cards[of_y, v])
    x_u, x_v, y_u, y_v = rows[of_x, u], rows[of_x, v], rows[of_y, u], rows[of_y, v]
    in_x, in_y = x_u >> v & 1, y_u >> v & 1
    # Inclusion and exclusion over u, v and both: no loop over the cards is left.
    correction = rests[to] + sums[to, u] + sums[to, v] + 3 * in_x * in_y
    correction -= popcount(x_u & y_v) + popcount(x_v & y_u) + in_x * with_y + in_y * with_x
    pairs = (totals[of_x] - with_x + in_x) * (totals[of_y] - with_y + in_y)
    return int(pairs + correction)


@inlined_without_refcounts
def count_pairs(u: int, v: int, pair: OpponentPair, opponents: OpponentSums) -> Four:
    """Take (u, v) out and count the pairs of disjoint combos of two players.

    Returns:
        How many pairs are in (L, L), (E, L), (L, E) and (E, E).
    """
    first, second, both_equal = 0, 0, 0
    lower = _count_apart(u, v, pair, LOWER, LOWER, opponents)
    if pair.ties_j:
        first = _count_apart(u, v, pair, EQUAL, LOWER, opponents)
    if pair.ties_k:
        second = _count_apart(u, v, pair, LOWER, EQUAL, opponents)
    if pair.ties_j and pair.ties_k:
        both_equal = _count_apart(u, v, pair, EQUAL, EQUAL, opponents)
    return lower, first, second, both_equal
