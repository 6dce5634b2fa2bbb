"""Showdowns of two players: each combo against the other player's lower and equal ones.

Going through the combos by ascending rank, a combo (a, b) meets A - A(a) - A(b) of the other player's
lower ones. Among the equal ones it stands itself, with both cards, so its own weight is added back.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, zeros
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, add_term, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


@compiled
def _add_all_deals(
    dealt: int, times: np.int64, pairs: Ints, weights: Floats, order: SortedCombos,
    below_0: float, below_1: float, lower: Floats, made: Floats, category_ends: Ints,
) -> None:  # fmt: skip
    """Add the deals of a board to the last column of ``made``, once all combos are lower ones."""
    _, combos, rank_of = order
    for place in range(dealt):
        h = combos[place]
        a, b = pairs[h, 0], pairs[h, 1]
        category = hand_category(rank_of[h], category_ends)
        for hero in range(2):
            other = 1 - hero
            below = below_0 if hero else below_1
            deals = below - lower[other, a] - lower[other, b] + weights[other, h]
            made[hero, category, 2] += times * weights[hero, h] * deals


@compiled
def count_two(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, weights: Floats, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each combo of two players, the other's combos that it beats or ties.

    ``boards`` (n, 5) and ``times`` (n,), how often each counts, are visited from ``begin`` to ``end``.
    ``pairs`` (m, 2) are the cards of the combos in any range, ``weights`` (2, m) the players'. Added to
    are ``sums`` of two heroes, with two masks: wins and ties.
    """
    # Apart from the engines of three and more: one opponent needs a sum a card, no pairs of opponents.
    scratch, order = new_sort_scratch(), new_sorted(pairs.shape[0])
    low_cards, high_cards = pairs[:, 0].copy(), pairs[:, 1].copy()
    lower, equal = zeros((2, DECK_SIZE), np.float64), zeros((2, DECK_SIZE), np.float64)
    ranks, combos = order.ranks, order.combos
    exact, floats, errors, made, category_ends = sums
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, scratch, order)
        count = times[number]
        below_0, below_1 = 0.0, 0.0
        lower[:] = 0.0
        first = 0
        while first < dealt:
            last = first
            rank = ranks[first]
            category = hand_category(rank, category_ends) if made.size else 0
            level_0, level_1 = 0.0, 0.0
            while last < dealt and ranks[last] == rank:
                h = combos[last]
                a, b = low_cards[h], high_cards[h]
                level_0 += weights[0, h]
                level_1 += weights[1, h]
                for player in range(2):
                    equal[player, a] += weights[player, h]
                    equal[player, b] += weights[player, h]
                last += 1
            for place in range(first, last):
                h = combos[place]
                a, b = low_cards[h], high_cards[h]
                for hero in range(2):
                    weight = weights[hero, h]
                    if weight == 0.0:
                        continue
                    other = 1 - hero
                    below, level = (below_0, level_0) if hero else (below_1, level_1)
                    wins = below - lower[other, a] - lower[other, b]
                    ties = level - equal[other, a] - equal[other, b] + weights[other, h]
                    if exact.size:
                        exact[hero, h, 0] += count * np.int64(wins)
                        exact[hero, h, 1] += count * np.int64(ties)
                    else:
                        add_term(floats, errors, hero, h, 0, count * wins)
                        add_term(floats, errors, hero, h, 1, count * ties)
                    if made.size:
                        made[hero, category, 0] += count * weight * wins
                        made[hero, category, 1] += count * weight * ties
            below_0 += level_0
            below_1 += level_1
            for place in range(first, last):
                h = combos[place]
                a, b = low_cards[h], high_cards[h]
                for player in range(2):
                    lower[player, a] += weights[player, h]
                    lower[player, b] += weights[player, h]
                    equal[player, a] = 0.0
                    equal[player, b] = 0.0
            first = last
        if made.size:
            _add_all_deals(
                dealt, count, pairs, weights, order, below_0, below_1, lower, made, category_ends
            )
