"""Showdowns of three players with any weights: a hero's two opponents' combos are counted in pairs.

Where all weights are 0 or 1, :mod:`gpuodds.backends.cpu.ranges.multiway_exact` counts faster.

Going through a board's combos by ascending rank keeps each hero's sums of lower and equal combos up to
date. The pairs of his two opponents are then counted at once
(:mod:`gpuodds.backends.cpu.ranges.opponent_pairs_weighted`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, zeros
from gpuodds.backends.cpu.ranges.opponent_pairs_weighted import EQUAL, LOWER, count_pairs_without
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, add_term, hand_category
from gpuodds.backends.cpu.shared.sorting import (
    SortedCombos,
    new_sort_scratch,
    new_sorted,
    sort_combos,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

ABOVE_ALL = 1e8  # above every hand rank
NOT_DEALT = 1e9  # above that


class Heroes(NamedTuple):
    """The players whose combos are counted, and their opponents.

    ``own`` (heroes, m) are a hero's weights. His two opponents have ``weights`` (heroes, 3, 52, 52):
    one's, the other's, their product.
    """

    own: Floats
    weights: Floats


class _Scratch(NamedTuple):
    # ``ranks`` (52, 52) by cards; each hero's sums of his opponents, as :func:`count_pairs_without`
    # takes them; ``deals`` (4,) what one combo wins or splits.
    ranks: Floats
    totals: Floats
    cards: Floats
    deals: Floats


def arrange_heroes(ranges: Floats, pairs: Ints, heroes: Sequence[int]) -> Heroes:
    """Arrange each hero's two opponents.

    ``ranges`` (3, m) are the weights of the combos whose cards are ``pairs`` (m, 2).
    """
    weights = np.zeros((len(heroes), 3, DECK_SIZE, DECK_SIZE), np.float64)
    for x, hero in enumerate(heroes):
        opponents = [player for player in range(len(ranges)) if player != hero]
        for place, player in enumerate(opponents):
            weights[x, place, pairs[:, 0], pairs[:, 1]] = ranges[player]
            weights[x, place, pairs[:, 1], pairs[:, 0]] = ranges[player]
        weights[x, 2] = weights[x, 0] * weights[x, 1]
    return Heroes(np.ascontiguousarray(ranges[list(heroes)]), weights)


@compiled
def _new_scratch(heroes: int) -> _Scratch:
    return _Scratch(
        np.full((DECK_SIZE, DECK_SIZE), NOT_DEALT),
        zeros((heroes, 3, 2), np.float64),
        zeros((heroes, 3, 2, DECK_SIZE), np.float64),
        zeros(4, np.float64),
    )


@compiled
def _add_class(
    begin: int, end: int, combos: Ints, pairs: Ints, weights: Floats,
    totals: Floats, cards: Floats, to: int,
) -> None:  # fmt: skip
    """Add the combos ``begin`` to ``end`` in the order of ranks to L or E (``to``) of every hero.

    ``weights`` (heroes, 3, 52, 52) are as in :class:`Heroes`. Combos that are added to L leave E.
    """
    for at in range(begin, end):
        h = combos[at]
        a, b = int(pairs[h, 0]), int(pairs[h, 1])
        for hero in range(weights.shape[0]):
            for p in range(3):
                weight = weights[hero, p, a, b]
                if weight != 0.0:
                    totals[hero, p, to] += weight
                    cards[hero, p, to, a] += weight
                    cards[hero, p, to, b] += weight
                    if to == LOWER:
                        totals[hero, p, EQUAL] = 0.0
                        cards[hero, p, EQUAL, a] = 0.0
                        cards[hero, p, EQUAL, b] = 0.0


@inlined
def _add_deals(
    deals: Floats, all_lower: bool, hero: int, h: int, category: int, own: float, times: np.int64,
    floats: Floats, errors: Floats, made: Floats,
) -> None:  # fmt: skip
    """Add what a combo of a hero wins or splits, or with ``all_lower`` the deals in which it is."""
    masks = deals.size
    if all_lower:
        made[hero, category, masks] += times * own * deals[0]
    else:
        if made.size:
            for mask in range(masks):
                made[hero, category, mask] += times * own * deals[mask]
        for mask in range(masks):
            if deals[mask] != 0.0:
                add_term(floats, errors, hero, h, mask, times * deals[mask])


@compiled
def _count_board(
    dealt: int, times: np.int64, order: SortedCombos, pairs: Ints,
    heroes: Heroes, scratch: _Scratch, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted."""
    in_order, combos, rank_of = order
    ranks, totals, cards, deals = scratch
    own, weights = heroes
    _, floats, errors, made, category_ends = sums
    totals[:] = 0.0
    cards[:] = 0.0
    category = 0
    first = 0
    while first < dealt or (first == dealt and made.size):
        # After the last class once more, with a rank above all: that counts all deals.
        all_lower = first == dealt
        rank = ABOVE_ALL if all_lower else float(in_order[first])
        last = first
        while last < dealt and in_order[last] == in_order[first]:
            last += 1
        _add_class(first, last, combos, pairs, weights, totals, cards, EQUAL)
        for place in range(0 if all_lower else first, last):
            h = combos[place]
            if made.size:
                category = hand_category(rank_of[h], category_ends)
            u, v = int(pairs[h, 0]), int(pairs[h, 1])
            for hero in range(own.shape[0]):
                if own[hero, h] == 0.0:
                    continue
                ties = totals[hero, 0, EQUAL] != 0.0 or totals[hero, 1, EQUAL] != 0.0
                count_pairs_without(
                    u, v, rank, ties, ranks, weights[hero], totals[hero], cards[hero], deals
                )
                _add_deals(
                    deals, all_lower, hero, h, category, own[hero, h], times,
                    floats, errors, made,
                )  # fmt: skip
        _add_class(first, last, combos, pairs, weights, totals, cards, LOWER)
        first = last + all_lower


@compiled
def count_multiway_weighted(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, heroes: Heroes, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each hero and combo, the deals that it wins or splits, by who splits.

    ``boards`` (n, 5) are full boards, ``times`` (n,) how often each counts; ``begin`` to ``end`` are
    visited. On a board of no cards, (1, 0), all tie: that counts the deals. ``pairs`` (m, 2) are the
    cards of the combos in any range. The numbers are weighted by the opponents' weights, not by hero's
    own, and added to ``sums``.
    """
    scratch = _new_scratch(heroes.own.shape[0])
    sort_scratch, order = new_sort_scratch(), new_sorted(pairs.shape[0])
    ranks, rank_of = scratch.ranks, order.rank_of
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, order)
        for h in range(pairs.shape[0]):
            a, b = pairs[h, 0], pairs[h, 1]
            rank = float(rank_of[h]) if rank_of[h] else NOT_DEALT
            ranks[a, b] = rank
            ranks[b, a] = rank
        _count_board(dealt, times[number], order, pairs, heroes, scratch, sums)
