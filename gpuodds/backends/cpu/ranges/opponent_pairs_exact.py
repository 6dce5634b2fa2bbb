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

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt8s = npt.NDArray[np.uint8]

LOWER, EQUAL = 0, 1
BOTH_LOWER, FIRST_EQUAL, SECOND_EQUAL, BOTH_EQUAL = 0, 1, 2, 3  # X and Y; bit 0 is X's, bit 1 is Y's
HALVES = 0xFFFF_0000_FFFF  # two numbers of 16 bits, with room for their sums
CARD_SLOTS = 64  # entries by card, and zeros: whole vector registers

Four = tuple[int, int, int, int]


class Lists(NamedTuple):
    """The combos of each player on a board, in the order of ranks, and which of them are equal ones.

    ``combos`` (players, m) are two cards of six bits each, and above them what the caller likes; those
    from ``begins`` (players,) to ``ends`` (players,) are equal ones.
    """

    combos: Ints
    begins: Ints
    ends: Ints


class OpponentSums(NamedTuple):
    """The lower and the equal combos of each player, and the sums of pairs of players.

    What is left of two players once combos are taken out stands behind the players and the pairs.

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
def new_opponent_sums(players: int, pairs: int, taken: int) -> OpponentSums:
    """Make room for players without combos, and for two of them after ``taken`` combos."""
    rows, kinds = 2 * (players + 2 * taken), 4 * (pairs + taken)
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
    """Two players: ``j`` and ``k``, where the rest of their combos stands, and where their sums do.

    ``ties_j`` and ``ties_k`` say whether there are equal combos of each.
    """

    j: int
    k: int
    of_j: int
    of_k: int
    at: int
    ties_j: bool
    ties_k: bool


@inlined_without_refcounts
def opponent_pair(
    j: int, k: int, of_j: int, of_k: int, at: int, opponents: OpponentSums
) -> OpponentPair:
    """Return two players of whom what is left stands at some places."""
    # The compiler sees by the masks that no index is negative.
    j, k, of_j, of_k, at = j & 31, k & 31, of_j & 63, of_k & 63, at & 63
    totals = opponents.totals
    ties_j, ties_k = totals[of_j << 1 | EQUAL] != 0, totals[of_k << 1 | EQUAL] != 0
    return OpponentPair(j, k, of_j, of_k, at, ties_j, ties_k)


@inlined_without_refcounts
def _count_apart(
    u: int, v: int, live: int, pair: OpponentPair, x: int, y: int, opponents: OpponentSums
) -> tuple[int, int]:
    """Return the pairs of X and Y without u and v, and R; ``x`` and ``y`` are L or E."""
    totals, cards, rows, _, _, rests, sums = opponents
    of_x, of_y, to = pair.of_j << 1 | x, pair.of_k << 1 | y, pair.at << 2 | x | y << 1
    row_x, row_y = pair.j << 1 | x, pair.k << 1 | y
    with_x = np.int64(cards[of_x, u]) + np.int64(cards[of_x, v])
    with_y = np.int64(cards[of_y, u]) + np.int64(cards[of_y, v])
    x_u, x_v = rows[row_x, u] & live, rows[row_x, v] & live
    y_u, y_v = rows[row_y, u], rows[row_y, v]
    in_x, in_y = x_u >> v & 1, y_u >> v & 1
    # Inclusion and exclusion over u, v and both: no loop over the cards is left.
    correction = rests[to] + sums[to, u] + sums[to, v] + 3 * in_x * in_y
    correction -= popcount(x_u & y_v) + popcount(x_v & y_u) + in_x * with_y + in_y * with_x
    return (totals[of_x] - with_x + in_x) * (totals[of_y] - with_y + in_y) + correction, correction


@inlined_without_refcounts
def count_pairs(u: int, v: int, live: int, pair: OpponentPair, opponents: OpponentSums) -> Four:
    """Take (u, v) out and count the pairs of disjoint combos of two players.

    Args:
        u: One card.
        v: The other.
        live: The cards that are in the deck, as a set; u and v are among them.
        pair: The two players.
        opponents: Their combos and sums.

    Returns:
        How many pairs are in (L, L), (E, L), (L, E) and (E, E).
    """
    first, second, both_equal = 0, 0, 0
    lower, _ = _count_apart(u, v, live, pair, LOWER, LOWER, opponents)
    if pair.ties_j:
        first, _ = _count_apart(u, v, live, pair, EQUAL, LOWER, opponents)
    if pair.ties_k:
        second, _ = _count_apart(u, v, live, pair, LOWER, EQUAL, opponents)
    if pair.ties_j and pair.ties_k:
        both_equal, _ = _count_apart(u, v, live, pair, EQUAL, EQUAL, opponents)
    return lower, first, second, both_equal


@inlined_without_refcounts
def count_runs(
    combos: Ints, middle: int, end: int, live: int, pair: OpponentPair, opponents: OpponentSums,
    by_card: Ints, runs: Ints,
) -> None:  # fmt: skip
    """Sum :func:`count_pairs` over the lower combos of another player, and over the equal ones.

    Args:
        combos: Two cards of six bits each, and above them what the caller likes.
        middle: The place of the first equal combo.
        end: The place after the last.
        live: The cards that are in the deck, as a set; combos with others are left out.
        pair: The two players.
        opponents: Their combos and sums.
        by_card: (2, 64), as :func:`take_out` has just filled it.
        runs: (2, 4), filled: how many triples of combos are in (L, L), (E, L), (L, E) and (E, E).
    """
    totals, _, rows, _, _, rests, _ = opponents
    of_j, of_k, at = pair.of_j << 1, pair.of_k << 1, pair.at << 2
    row_j, row_k = pair.j << 1, pair.k << 1
    has_j, has_k = (-1 if pair.ties_j else 0), (-1 if pair.ties_k else 0)
    whole_j, whole_k = totals[of_j], totals[of_k]
    level_j, level_k = totals[of_j | EQUAL], totals[of_k | EQUAL]
    for is_equal in range(runs.shape[0]):
        lower, first, second, both_equal = 0, 0, 0, 0
        number, sum_j, sum_k, sums_0, sums_1 = 0, 0, 0, 0, 0
        for place in range(middle & 0xFFFF if is_equal else 0, end if is_equal else middle):
            u, v = combos[place] & 63, combos[place] >> 6 & 63
            if not (live >> u & live >> v) & 1:
                continue
            by_both, more = by_card[0, u] + by_card[0, v], by_card[1, u] + by_card[1, v]
            j_u, j_v = rows[row_j, u] & live, rows[row_j, v] & live
            k_u, k_v = rows[row_k, u], rows[row_k, v]
            in_j, in_k = j_u >> v & 1, k_u >> v & 1
            with_j, with_k = by_both & 0xFFFF, by_both >> 16 & 0xFFFF
            left_j, left_k = whole_j - with_j + in_j, whole_k - with_k + in_k
            lower += left_j * left_k + 3 * in_j * in_k - in_j * with_k - in_k * with_j
            lower -= popcount(j_u & k_v) + popcount(j_v & k_u)
            number += 1
            sum_j += left_j
            sum_k += left_k
            # Two sums a word: an F is below 2^13 and combos are below 2^11, so 32 bits hold a sum.
            sums_0 += more & HALVES
            sums_1 += more >> 16 & HALVES
            if by_both >> 32:
                # Some of the equal combos have one of the cards.
                ej_u, ej_v = rows[row_j | EQUAL, u] & live, rows[row_j | EQUAL, v] & live
                ek_u, ek_v = rows[row_k | EQUAL, u], rows[row_k | EQUAL, v]
                level_in_j, level_in_k = ej_u >> v & 1, ek_u >> v & 1
                out_j, out_k = by_both >> 32 & 0xFFFF, by_both >> 48 & 0xFFFF
                less_j, less_k = level_in_j - out_j, level_in_k - out_k
                first += less_j * left_k - popcount(ej_u & k_v) - popcount(ej_v & k_u)
                first += 3 * level_in_j * in_k - level_in_j * with_k - in_k * out_j
                second += left_j * less_k - popcount(j_u & ek_v) - popcount(j_v & ek_u)
                second += 3 * in_j * level_in_k - in_j * out_k - level_in_k * with_j
                both_equal += less_j * level_k + level_j * less_k + less_j * less_k
                both_equal += 3 * level_in_j * level_in_k - level_in_j * out_k - level_in_k * out_j
                both_equal -= popcount(ej_u & ek_v) + popcount(ej_v & ek_u)
        # What needs no look at the single combos: level_j * left_k + R + F(u) + F(v), and so on.
        lower += number * rests[at] + (sums_0 & 0xFFFFFFFF)
        first += level_j * sum_k + number * (rests[at | FIRST_EQUAL] & has_j) + (sums_1 & 0xFFFFFFFF)
        second += level_k * sum_j + number * (rests[at | SECOND_EQUAL] & has_k) + (sums_0 >> 32)
        correction = level_j * level_k + (rests[at | BOTH_EQUAL] & has_j & has_k)
        both_equal += number * correction + (sums_1 >> 32)
        runs[is_equal, BOTH_LOWER], runs[is_equal, FIRST_EQUAL] = lower, first
        runs[is_equal, SECOND_EQUAL], runs[is_equal, BOTH_EQUAL] = second, both_equal


@inlined_without_refcounts
def _take_out_of_one(
    u: int, v: int, row: int, old: int, new: int, shift: int, opponents: OpponentSums, by_card: Ints
) -> None:
    """Write the total and the entries by card of a player's lower or equal combos without (u, v)."""
    totals, cards, rows, _, _, _, _ = opponents
    totals[new] = totals[old] - cards[old, u] - cards[old, v] + (rows[row, u] >> v & 1)
    for w in range(CARD_SLOTS):
        combos = rows[row, w]
        left = np.int64(cards[old, w]) - (combos >> u & 1) - (combos >> v & 1)
        cards[new, w] = left
        by_card[0, w] |= left << shift


@inlined_without_refcounts
def take_out(
    u: int,
    v: int,
    live: int,
    pair: OpponentPair,
    new: OpponentPair,
    opponents: OpponentSums,
    by_card: Ints,
) -> None:
    """Take (u, v) out of the combos of two players, and write what is left where ``new`` says.

    ``by_card`` (2, 64) is filled with what is left of X(c) and F(c), 16 bits for each kind: none is
    negative, nor more than half of that. Entries of cards that are not in the deck mean nothing.
    """
    _, cards, rows, _, _, rest, sums = opponents
    by_card[:] = 0
    for turn in range(4):
        kind = 3 * turn & 3  # both lower, both equal, and then one lower and the other equal
        x, y = kind & 1, kind >> 1
        of_x, of_y = pair.of_j << 1 | x, pair.of_k << 1 | y
        new_x, new_y = new.of_j << 1 | x, new.of_k << 1 | y
        row_x, row_y = pair.j << 1 | x, pair.k << 1 | y
        if x == y:
            _take_out_of_one(u, v, row_x, of_x, new_x, 32 * x, opponents, by_card)
            _take_out_of_one(u, v, row_y, of_y, new_y, 32 * y + 16, opponents, by_card)
        if (x and not pair.ties_j) or (y and not pair.ties_k):
            continue
        at, to = pair.at << 2 | kind, new.at << 2 | kind
        _, rest[to] = _count_apart(u, v, live, pair, x, y, opponents)
        x_u, x_v, y_u, y_v = rows[row_x, u], rows[row_x, v], rows[row_y, u], rows[row_y, v]
        in_x, in_y = x_u >> v & 1, y_u >> v & 1
        x_with_u, x_with_v = np.int64(cards[of_x, u]) - in_x, np.int64(cards[of_x, v]) - in_x
        y_with_u, y_with_v = np.int64(cards[of_y, u]) - in_y, np.int64(cards[of_y, v]) - in_y
        for w in range(CARD_SLOTS):
            x_w, y_w = rows[row_x, w] & live, rows[row_y, w] & live
            xu, xv, yu, yv = x_w >> u & 1, x_w >> v & 1, y_w >> u & 1, y_w >> v & 1
            left = np.int64(sums[at, w]) - np.int64(cards[of_x, w]) * np.int64(cards[of_y, w])
            left += np.int64(cards[new_x, w]) * np.int64(cards[new_y, w])
            left += 2 * (xu * yu + xv * yv)
            left -= xu * y_with_u + xv * y_with_v + yu * x_with_u + yv * x_with_v
            left -= popcount(x_w & y_u) + popcount(x_w & y_v)
            left -= popcount(y_w & x_u) + popcount(y_w & x_v)
            sums[to, w] = left
            by_card[1, w] |= left << 16 * kind
