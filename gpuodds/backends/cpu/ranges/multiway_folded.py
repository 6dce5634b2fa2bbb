"""Showdowns of a hero against two with any weights, of whom some have folded: they win no share.

Where all weights are 0 or 1, :mod:`gpuodds.backends.cpu.ranges.multiway_exact` counts faster. This
stays apart from :mod:`gpuodds.backends.cpu.ranges.multiway_weighted` because it adds up in another
order: one engine for both would round the answers of one of them in another way.

A folded player is one whose every combo is lower than any hand. So the others are counted as there:
going through a board's combos by ascending rank keeps the sums of lower (L) and equal combos (E) of
the two up to date, whose pairs of disjoint combos are then counted at once. A folded player's combos
are all in L from the start.

For each of the two players and for L and E, A is the sum of weights a and A(c) that over the combos
with card c. Players j and k hold disjoint combos of X and of Y (each L or E) in

    A_j A_k - sum over cards c of A_j(c) A_k(c) + sum over combos e of a_j(e) a_k(e)

weighted ways, the last sum over the combos that are in X for j and in Y for k. Taking a combo (u, v)
out of the deck changes each sum by A' = A - A(u) - A(v) + a(uv) and A'(c) = A(c) - a(uc) - a(vc).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, vectorised, zeros
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, add_term, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

# Rows of sums: L and E of player j, L and E of player k, then products by where e is for j and for k.
# A row is the sums by card, and the whole sum in the last column.
SUMS, PRODUCTS = 8, 4
WHOLE = DECK_SIZE


class FoldedMatchup(NamedTuple):
    """The players against one hero.

    ``own`` (m,) are the hero's weights, ``weights`` (2, 52, 52) theirs by cards, one who has folded
    last; ``folded`` (2,) is 1 for a folded player, ``bits`` (2,) are theirs in a mask, 0 if folded.
    """

    own: Floats
    weights: Floats
    folded: Ints
    bits: Ints


def arrange_folded(
    weights: Floats, folded: Floats, heroes: Sequence[int], active: Ints
) -> list[FoldedMatchup]:
    """Arrange each hero's two opponents.

    Args:
        weights: (players, 1326), the weights of those who can win.
        folded: (folded players, 1326), those of the others.
        heroes: The players whose combos are counted.
        active: (m,) the combos of those who can win.
    """
    low, high = combo_cards().T
    matchups = []
    for hero in heroes:
        players = [player for player in range(len(weights)) if player != hero]
        by_cards = np.zeros((2, DECK_SIZE, DECK_SIZE))
        for matrix, row in zip(by_cards, [*weights[players], *folded], strict=True):
            matrix[low, high] = matrix[high, low] = row
        bits = np.array([*(1 << place for place in range(len(players))), *[0] * len(folded)], np.int64)
        own = np.ascontiguousarray(weights[hero, active])
        matchups.append(FoldedMatchup(own, by_cards, (bits == 0).astype(np.int64), bits))
    return matchups


class _Scratch(NamedTuple):
    # ``now`` (4, 52, 52): the weights of the combos that are in L and E of j, in L and E of k, by
    # cards; ``sums`` (8, 53) theirs. ``live`` (52,): 1 for the cards that are left. ``pairs`` (4,) and
    # ``deals`` (masks,): what one combo wins.
    now: Floats
    sums: Floats
    live: Floats
    pairs: Floats
    deals: Floats


@compiled
def _new_scratch(masks: int) -> _Scratch:
    return _Scratch(
        zeros((4, DECK_SIZE, DECK_SIZE), np.float64),
        zeros((SUMS, DECK_SIZE + 1), np.float64),
        np.ones(DECK_SIZE, np.float64),
        zeros(4, np.float64),
        zeros(masks, np.float64),
    )


@compiled
def _begin_board(matchup: FoldedMatchup, live: Floats, now: Floats, sums: Floats) -> None:
    """Put all combos of folded players that the ``live`` cards make in L, and no others anywhere."""
    now[:] = 0.0
    sums[:] = 0.0
    for p in range(2):
        if matchup.folded[p]:
            for low in range(DECK_SIZE):
                for high in range(DECK_SIZE):
                    now[2 * p, low, high] = matchup.weights[p, low, high] * live[low] * live[high]
            for card in range(DECK_SIZE):
                sums[2 * p, card] = now[2 * p, card].sum()
            sums[2 * p, WHOLE] = sums[2 * p, :WHOLE].sum() / 2
    if matchup.folded[0] and matchup.folded[1]:
        for card in range(DECK_SIZE):
            sums[PRODUCTS, card] = (now[0, card] * now[2, card]).sum()
        sums[PRODUCTS, WHOLE] = sums[PRODUCTS, :WHOLE].sum() / 2


@inlined
def _add(row: Floats, low: int, high: int, weight: float) -> None:
    row[low] += weight
    row[high] += weight
    row[WHOLE] += weight


@inlined
def _clear(row: Floats, low: int, high: int) -> None:
    row[low] = 0.0
    row[high] = 0.0
    row[WHOLE] = 0.0


@compiled
def _move_class(
    begin: int,
    end: int,
    to: int,
    combos: Ints,
    pairs: Ints,
    matchup: FoldedMatchup,
    now: Floats,
    sums: Floats,
) -> None:
    """Put the combos ``begin`` to ``end`` in the order of ranks in E (``to`` 1), or from E in L (0)."""
    for at in range(begin, end):
        h = combos[at]
        low, high = pairs[h, 0], pairs[h, 1]
        for p in range(2):
            weight = matchup.weights[p, low, high]
            if weight != 0.0 and not matchup.folded[p]:
                now[2 * p + to, low, high] = weight
                now[2 * p + to, high, low] = weight
                _add(sums[2 * p + to], low, high, weight)
                if to == 0:
                    now[2 * p + 1, low, high] = 0.0
                    now[2 * p + 1, high, low] = 0.0
                    _clear(sums[2 * p + 1], low, high)
        if matchup.folded[0] and matchup.folded[1]:
            continue
        if to == 0:
            for row in range(PRODUCTS + 1, SUMS):
                _clear(sums[row], low, high)
        for j in range(2):
            for k in range(2):
                # Products with E are those of this class; the one of L and L grows by it.
                weight = now[j, low, high] * now[2 + k, low, high]
                if weight != 0.0 and (j or k) == bool(to):
                    _add(sums[PRODUCTS + j + 2 * k], low, high, weight)


@vectorised
def _count_pairs(
    u: int, v: int, ties: bool, now: Floats, sums: Floats, live: Floats, out: Floats
) -> None:
    """Take (u, v) out and count the pairs of disjoint combos in (L, L), (E, L), (L, E) and (E, E).

    ``live`` is 0 for the cards that are gone, u and v among them. Without ``ties`` E is empty.
    """
    for number in range(4 if ties else 1):
        j, k = number & 1, 2 + (number >> 1)
        mine, its, product = sums[j], sums[k], sums[PRODUCTS + number]
        mine_u, mine_v, its_u, its_v = now[j, u], now[j, v], now[k, u], now[k, v]
        mine_left = mine[WHOLE] - mine[u] - mine[v] + mine_u[v]
        its_left = its[WHOLE] - its[u] - its[v] + its_u[v]
        out[number] = 0.0
        if mine_left == 0.0 or its_left == 0.0:
            continue
        shared = 0.0
        for c in range(DECK_SIZE):
            shared += live[c] * (mine[c] - mine_u[c] - mine_v[c]) * (its[c] - its_u[c] - its_v[c])
        both_cards = product[WHOLE] - product[u] - product[v] + mine_u[v] * its_u[v]
        out[number] = mine_left * its_left - shared + both_cards
    for number in range(4 if ties else 1, 4):
        out[number] = 0.0


@inlined
def _count_combo(u: int, v: int, ties: bool, matchup: FoldedMatchup, scratch: _Scratch) -> None:
    """Fill ``scratch.deals``: what the hero's combo (u, v) wins or splits, by who splits."""
    live, pairs, deals = scratch.live, scratch.pairs, scratch.deals
    deals[:] = 0.0
    live[u] = 0.0
    live[v] = 0.0
    _count_pairs(u, v, ties, scratch.now, scratch.sums, live, pairs)
    for number in range(4):
        if pairs[number] != 0.0:
            mask = (number & 1) * matchup.bits[0] | (number >> 1) * matchup.bits[1]
            deals[mask] += pairs[number]
    live[u] = 1.0
    live[v] = 1.0


@compiled
def _count_board(
    hero: int, dealt: int, times: np.int64, order: SortedCombos, pairs: Ints,
    matchup: FoldedMatchup, scratch: _Scratch, counted: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of a hero on a board, whose ``dealt`` combos are sorted."""
    in_order, combos, rank_of = order
    own, now, sums, deals = matchup.own, scratch.now, scratch.sums, scratch.deals
    _, floats, errors, made, category_ends = counted
    masks = deals.size
    first = 0
    while first < dealt:
        last = first
        while last < dealt and in_order[last] == in_order[first]:
            last += 1
        _move_class(first, last, 1, combos, pairs, matchup, now, sums)
        ties = sums[1, WHOLE] != 0.0 or sums[3, WHOLE] != 0.0
        for place in range(first, last):
            h = combos[place]
            if own[h] == 0.0:
                continue
            rank = in_order[place]
            _count_combo(pairs[h, 0], pairs[h, 1], ties, matchup, scratch)
            category = hand_category(rank, category_ends) if made.size else 0
            for mask in range(masks):
                if deals[mask] != 0.0:
                    add_term(floats, errors, hero, h, mask, times * deals[mask])
                    if made.size:
                        made[hero, category, mask] += times * own[h] * deals[mask]
        _move_class(first, last, 0, combos, pairs, matchup, now, sums)
        first = last
    if made.size:
        # All combos are in L now, so that these count all deals.
        for place in range(dealt):
            h = combos[place]
            if own[h] != 0.0:
                _count_combo(pairs[h, 0], pairs[h, 1], False, matchup, scratch)
                category = hand_category(rank_of[h], category_ends)
                made[hero, category, masks] += times * own[h] * deals[0]


def count_multiway_folded(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, matchups: Sequence[FoldedMatchup], counted: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each hero and combo, the deals that it wins or splits, by who splits.

    Arguments are as in :func:`gpuodds.backends.cpu.ranges.multiway_weighted.count_multiway_weighted`.
    """
    for hero, matchup in enumerate(matchups):
        _count_hero(boards, times, begin, end, hero, pairs, tables, matchup, counted)


@compiled
def _count_hero(
    boards: UInt8s, times: Ints, begin: int, end: int, hero: int,
    pairs: Ints, tables: HandRankTables, matchup: FoldedMatchup, counted: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each combo of one hero, the deals that it wins or splits, by who splits."""
    scratch = _new_scratch(counted.sums.shape[2])
    sort_scratch, order = new_sort_scratch(), new_sorted(pairs.shape[0])
    live = scratch.live
    for number in range(begin, end):
        board = boards[number]
        live[:] = 1.0
        for card in board:
            live[card] = 0.0
        dealt = sort_combos(board, pairs, tables, sort_scratch, order)
        _begin_board(matchup, live, scratch.now, scratch.sums)
        _count_board(hero, dealt, times[number], order, pairs, matchup, scratch, counted)
