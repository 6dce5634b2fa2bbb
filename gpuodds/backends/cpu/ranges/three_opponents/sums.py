"""What is kept of the opponents' combos while a board's hand ranks are gone through.

Combos are edges between cards, a player's all of one colour. W_i are the weights of player i's lower
combos by two cards: symmetric, with zeros on the diagonal. For each player, and for some pairs (i, j)
and triples (i, j, k) of players, these are kept up to date while combos are added one by one:

    d_i(c)  = sum over x of W_i[c, x]               the combos with card c; half of all d_i is s_i
    M_ij    = W_i W_j                               a combo of i and one of j that meet at a card
    r_ij(c) = (W_j d_i)(c) = sum of W_j[c, x] d_i(x)        such steps that end with a combo of j at c
    q_ij(c) = M_ij[c, c]                            combos with card c that both have; half is E_ij
    e(c)                                            those that all three have; half is E
    Tr      = Tr(W_i W_j W_k)                       triangles of a combo of each

A combo (x, y) that is added changes two rows and two columns of each W and M: a change of rank two.

Of tied combos, those of the level that is open, only weights, d, s and q are kept. Integers are exact:
no d or q is above 51, no r above 51 x 51, and all fit int16.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
)
from gpuodds.backends.cpu.compile.lanes import (
    add_number,
    lane_count,
    load_lanes,
    number_at,
    put_number,
    spread,
    store_lanes,
)
from gpuodds.backends.cpu.ranges.combo_lists import Lists
from gpuodds.backends.cpu.ranges.three_opponents.matchups import TRIPLE_COLUMNS, Matchups
from gpuodds.cards import DECK_SIZE

Floats = npt.NDArray[np.float64]
UInt8s = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]  # int16 or float64
Sums = npt.NDArray[Any]  # int64 or float64
Total = Any  # of weights: int64 or float64

PARTNERS = 64  # of a card: at most 51, and in place 52 their number


class OpponentSums(NamedTuple):
    """The sums; a row of c numbers has a place for each card, and then zeros.

    Stage 0 is the board; at stage 1 a hero's combo is taken out, at the next that of a listed opponent.
    The number of a player's tied combos is his own plus that of the players. The combos that two have
    are the number of the pair if they are lower, plus that of the pairs if tied, plus twice that if
    one of the two ties and the other has folded. Behind the arcs and triples of the board stand three
    arcs and one triple for each more stage.

    ``rows`` (2 x players, 52, c) are W, ``partners`` (players, 52, 64) the cards where W is not 0.
    ``cards`` (stages, 2 x players, c) and ``totals`` (stages, 2 x players) are d and s, ``both``
    (stages, 3 x pairs, c) and ``both_totals`` (stages, 3 x pairs) q and E of two.

    ``steps`` (arcs, 52, c) are M and ``reached`` (arcs, c) r; ``all_three`` (triples, c),
    ``all_totals`` (triples,) and ``triangles`` (triples,) are e, E and Tr.

    ``live`` (stages, c) is 1 for the cards that are left, ``without`` (52, c) for all but one.
    """

    rows: Numbers
    partners: UInt8s
    cards: Numbers
    totals: Sums
    both: Numbers
    both_totals: Sums
    steps: Numbers
    reached: Numbers
    all_three: Numbers
    all_totals: Sums
    triangles: Sums
    live: Numbers
    without: Numbers


def new_opponent_sums(matchups: Matchups) -> OpponentSums:
    """Make sums of no combos."""
    players, _, width = matchups.weights.shape
    pairs, stages = players * (players - 1) // 2, players - 2
    arcs, triples = (
        len(rows) + more * (stages - 1) for rows, more in ((matchups.arcs, 3), (matchups.triples, 1))
    )
    number = matchups.weights.dtype
    total = np.dtype(np.int64 if number.kind == "i" else np.float64)
    every = (np.arange(width) < DECK_SIZE).astype(number)
    without = np.tile(every, (DECK_SIZE, 1))
    np.fill_diagonal(without, 0)
    return OpponentSums(
        np.zeros((2 * players, DECK_SIZE, width), number),
        np.zeros((players, DECK_SIZE, PARTNERS), np.uint8),
        np.zeros((stages, 2 * players, width), number),
        np.zeros((stages, 2 * players), total),
        np.zeros((stages, 3 * pairs, width), number),
        np.zeros((stages, 3 * pairs), total),
        np.zeros((arcs, DECK_SIZE, width), number),
        np.zeros((arcs, width), number),
        np.zeros((triples, width), number),
        np.zeros(triples, total),
        np.zeros(triples, total),
        np.tile(every, (stages, 1)),
        without,
    )


@inlined_without_refcounts
def row_length(array: Numbers) -> int:
    """Return how many numbers a row of the cards has: as many lanes as the cards need."""
    lanes: int = lane_count(array)
    return (DECK_SIZE + lanes - 1) // lanes * lanes


@compiled_without_refcounts
def clear(matchups: Matchups, sums: OpponentSums) -> None:
    """Forget all lower combos; no level is open."""
    arcs, triples = matchups.arcs.shape[0], matchups.triples.shape[0]
    sums.rows[:] = 0
    sums.partners[:, :, DECK_SIZE] = 0
    sums.cards[0] = 0
    sums.totals[0] = 0
    sums.both[0] = 0
    sums.both_totals[0] = 0
    sums.steps[:arcs] = 0
    sums.reached[:arcs] = 0
    sums.all_three[:triples] = 0
    sums.all_totals[:triples] = 0
    sums.triangles[:triples] = 0


@compiled_without_refcounts
def add_level(
    players: int, sign: int, only: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add the tied combos of a set of players to their lower ones; with a sign of -1 take them away.

    Those that were added last are taken away first. If ``only`` is not negative, sums of other triples
    than that one stay as they are.
    """
    num_arcs, num_triples = matchups.arcs.shape[0], matchups.triples.shape[0]
    if only >= 0:
        num_arcs, num_triples = 3, 1
    for i in range(lists.begins.size):
        if not players >> i & 1 or lists.begins[i] == lists.ends[i]:
            continue
        for number in range(num_arcs):
            arc = number
            if only >= 0:
                arc = number_at(matchups.triples, only * TRIPLE_COLUMNS + 3 + number)
            j, k = number_at(matchups.arcs, 2 * arc), number_at(matchups.arcs, 2 * arc + 1)
            if i == j:
                _add_beginnings(sign, i, arc, k, lists, matchups, sums)
            elif i == k:
                _add_ends(sign, i, arc, j, lists, matchups, sums)
        for number in range(num_triples):
            triple = only if only >= 0 else number
            for turn in range(3):
                # The arc from the next of the three to the one after it.
                if number_at(matchups.triples, triple * TRIPLE_COLUMNS + turn) == i:
                    after = turn + 1 if turn < 2 else 0
                    arc = number_at(matchups.triples, triple * TRIPLE_COLUMNS + 3 + after)
                    _add_to_three(sign, i, arc, triple, lists, matchups, sums)
        _add_to_pairs(sign, i, lists, matchups, sums)
        _add_to_rows(sign, i, lists, matchups, sums)


@inlined_without_refcounts
def _tied_combo(
    sign: int, i: int, number: int, lists: Lists, matchups: Matchups
) -> tuple[int, int, Total]:
    """Return the cards of a player's tied combo and its weight; the last first to be taken away."""
    at = lists.begins[i] + number if sign > 0 else lists.ends[i] - 1 - number
    combo = number_at(lists.combos, i * lists.combos.shape[1] + at)
    x, y = combo & 63, combo >> 6 & 63
    place = (i * DECK_SIZE + x) * row_length(matchups.weights) + y
    return x, y, sign * number_at(matchups.weights, place)


@inlined_without_refcounts
def _add_beginnings(
    sign: int, i: int, arc: int, k: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add the steps of a tied combo of i, then a combo of k."""
    rows, steps, reached = sums.rows, sums.steps, sums.reached
    width = row_length(rows)
    of_arc, of_k = arc * DECK_SIZE * width, k * DECK_SIZE * width
    for number in range(lists.ends[i] - lists.begins[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        factor = spread(weight, rows)
        to_x, to_y, to = of_arc + x * width, of_arc + y * width, arc * width
        for c in range(0, width, lane_count(rows)):
            at_x = factor * load_lanes(rows, of_k + x * width + c)
            at_y = factor * load_lanes(rows, of_k + y * width + c)
            store_lanes(steps, to_x + c, load_lanes(steps, to_x + c) + at_y)
            store_lanes(steps, to_y + c, load_lanes(steps, to_y + c) + at_x)
            store_lanes(reached, to + c, load_lanes(reached, to + c) + at_x + at_y)


@inlined_without_refcounts
def _add_ends(
    sign: int, i: int, arc: int, j: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add the steps of a combo of j, then a tied combo of i."""
    rows, steps, reached, cards = sums.rows, sums.steps, sums.reached, sums.cards
    width = row_length(rows)
    of_arc = arc * DECK_SIZE * width
    for number in range(lists.ends[i] - lists.begins[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        for turn in range(2):
            of_x, to = j * DECK_SIZE + (y if turn else x), of_arc + (x if turn else y)
            for at in range(number_at(sums.partners, of_x * PARTNERS + DECK_SIZE)):
                c = number_at(sums.partners, of_x * PARTNERS + at)
                add_number(steps, to + c * width, weight * number_at(rows, of_x * width + c))
        add_number(reached, arc * width + x, weight * number_at(cards, j * width + y))
        add_number(reached, arc * width + y, weight * number_at(cards, j * width + x))


@inlined_without_refcounts
def _add_to_three(
    sign: int, i: int, arc: int, triple: int, lists: Lists, matchups: Matchups, sums: OpponentSums
) -> None:
    """Add tied combos to those that three have, and to their triangles: the others' are an arc's."""
    rows, steps = sums.rows, sums.steps
    width = row_length(rows)
    j, k = number_at(matchups.arcs, 2 * arc), number_at(matchups.arcs, 2 * arc + 1)
    of_j, of_k, of_arc = j * DECK_SIZE * width, k * DECK_SIZE * width, arc * DECK_SIZE * width
    for number in range(lists.ends[i] - lists.begins[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        xy, yx = x * width + y, y * width + x
        product = weight * number_at(rows, of_j + xy) * number_at(rows, of_k + xy)
        add_number(sums.all_three, triple * width + x, product)
        add_number(sums.all_three, triple * width + y, product)
        add_number(sums.all_totals, triple, product)
        closed = weight * (number_at(steps, of_arc + xy) + number_at(steps, of_arc + yx))
        add_number(sums.triangles, triple, closed)


@inlined_without_refcounts
def _add_to_pairs(sign: int, i: int, lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Add tied combos to those that two have."""
    rows, width, players = sums.rows, row_length(sums.rows), matchups.pair_of.shape[0]
    for number in range(lists.ends[i] - lists.begins[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        for j in range(players):
            product = weight * number_at(rows, (j * DECK_SIZE + x) * width + y)
            if product != 0 and j != i:
                _add_to_pair(number_at(matchups.pair_of, i * players + j), x, y, product, sums)


@inlined_without_refcounts
def _add_to_rows(sign: int, i: int, lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Add tied combos to a player's weights, their sums, and the partners of their cards."""
    rows, width, partners = sums.rows, row_length(sums.rows), sums.partners
    for number in range(lists.ends[i] - lists.begins[i]):
        x, y, weight = _tied_combo(sign, i, number, lists, matchups)
        for turn in range(2):
            one, other = (y, x) if turn else (x, y)
            add_number(rows, (i * DECK_SIZE + one) * width + other, weight)
            add_number(sums.cards, i * width + one, weight)
            at = (i * DECK_SIZE + one) * PARTNERS
            count = number_at(partners, at + DECK_SIZE)
            if sign > 0:
                put_number(partners, at + count, other)
            put_number(partners, at + DECK_SIZE, count + sign)
        add_number(sums.totals, i, weight)


@compiled_without_refcounts
def open_level(lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Fill the sums of the tied combos, which are zero."""
    rows, cards = sums.rows, sums.cards
    players = lists.begins.size
    pairs = players * (players - 1) >> 1
    for player in range(players):
        tied = player + players
        for at in range(lists.begins[player], lists.ends[player]):
            x, y = lists.combos[player, at] & 63, lists.combos[player, at] >> 6 & 63
            weight = matchups.weights[player, x, y]
            rows[tied, x, y] = weight
            rows[tied, y, x] = weight
            cards[0, tied, x] += weight
            cards[0, tied, y] += weight
            sums.totals[0, tied] += weight
            for other in range(player):
                product = weight * rows[other + players, x, y]
                if product != 0:
                    _add_to_pair(matchups.pair_of[player, other] + pairs, x, y, product, sums)
            for other in range(matchups.active, players):
                product = weight * rows[other, x, y]
                if product != 0:
                    _add_to_pair(matchups.pair_of[player, other] + 2 * pairs, x, y, product, sums)


@inlined_without_refcounts
def _add_to_pair(pair: int, x: int, y: int, product: float, sums: OpponentSums) -> None:
    """Add a combo that two players have."""
    width = row_length(sums.both)
    add_number(sums.both, pair * width + x, product)
    add_number(sums.both, pair * width + y, product)
    add_number(sums.both_totals, pair, product)


@compiled_without_refcounts
def close_level(lists: Lists, matchups: Matchups, sums: OpponentSums) -> None:
    """Make the sums of the tied combos zero."""
    rows, cards = sums.rows, sums.cards
    players = lists.begins.size
    pairs = players * (players - 1) >> 1
    for player in range(players):
        tied = player + players
        for at in range(lists.begins[player], lists.ends[player]):
            x, y = lists.combos[player, at] & 63, lists.combos[player, at] >> 6 & 63
            rows[tied, x, y] = 0
            rows[tied, y, x] = 0
            cards[0, tied, x] = 0
            cards[0, tied, y] = 0
            for pair in range(pairs, 3 * pairs):
                sums.both[0, pair, x] = 0
                sums.both[0, pair, y] = 0
        sums.totals[0, tied] = 0
    sums.both_totals[0, pairs:] = 0
