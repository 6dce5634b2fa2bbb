"""Showdowns of several players with any weights: the opponents' combos are counted in pairs.

Where all weights are 0 or 1, :mod:`gpuodds.backends.cpu.ranges.multiway_exact` counts faster.

Going through a board's combos by ascending rank keeps each hero's sums of lower and equal combos up to
date. The pairs of the two opponents with the widest ranges are then counted at once
(:mod:`gpuodds.backends.cpu.ranges.opponent_pairs_weighted`), for each choice of combos of the other
opponents, which are listed and taken out of the deck in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, zeros
from gpuodds.backends.cpu.ranges.opponent_pairs_weighted import (
    EQUAL,
    LOWER,
    count_pairs_without,
    take_out,
)
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
    """The players whose combos are counted, and their opponents. A set of opponents is a mask.

    ``own`` (heroes, m) are a hero's weights. The two opponents with the widest ranges have ``weights``
    (heroes, 3, 52, 52): one's, the other's, their product; ``bits`` (heroes, 2) are theirs in a mask.
    The others are listed: ``listed_weights`` (heroes, o, m) and ``listed_bits`` (heroes, o).
    """

    own: Floats
    weights: Floats
    bits: Ints
    listed_weights: Floats
    listed_bits: Ints


class _Lists(NamedTuple):
    # For each hero and listed opponent the places of his combos in the order of ranks (heroes, o, m),
    # and how many they are (heroes, o).
    places: Ints
    lengths: Ints


class _Levels(NamedTuple):
    # What is left once the combos of 0, 1, ... listed opponents are taken out, beside the hero's: the
    # sums of the two widest, the cards gone, the product of weights, the mask of those who tie, and
    # where in the next opponent's list the search stands.
    totals: Floats
    cards: Floats
    gone: Ints
    factor: Floats
    mask: Ints
    at: Ints


class _Scratch(NamedTuple):
    # ``ranks`` (52, 52) by cards; each hero's sums of the two widest opponents, as
    # :func:`count_pairs_without` takes them; ``pair_sums`` (4,) those pairs; ``deals`` (masks,) what
    # one combo wins or splits.
    ranks: Floats
    totals: Floats
    cards: Floats
    pair_sums: Floats
    deals: Floats


def arrange_heroes(ranges: Floats, pairs: Ints, heroes: Sequence[int]) -> Heroes:
    """Arrange each hero's opponents: the two widest, and those to be listed.

    ``ranges`` (players, m) are the weights of the combos whose cards are ``pairs`` (m, 2).
    """
    players = len(ranges)
    sizes = np.count_nonzero(ranges, axis=1)
    weights = np.zeros((len(heroes), 3, DECK_SIZE, DECK_SIZE), np.float64)
    bits = np.zeros((len(heroes), 2), np.int64)
    listed_bits = np.zeros((len(heroes), max(0, players - 3)), np.int64)
    listed_weights = np.zeros((*listed_bits.shape, ranges.shape[1]), np.float64)
    for x, hero in enumerate(heroes):
        opponents = [player for player in range(players) if player != hero]
        by_size = sorted(opponents, key=lambda player: int(sizes[player]))
        for place, player in enumerate(by_size[-2:]):
            weights[x, place, pairs[:, 0], pairs[:, 1]] = ranges[player]
            weights[x, place, pairs[:, 1], pairs[:, 0]] = ranges[player]
            bits[x, place] = 1 << opponents.index(player)
        weights[x, 2] = weights[x, 0] * weights[x, 1]
        for place, player in enumerate(by_size[:-2]):
            listed_bits[x, place] = 1 << opponents.index(player)
            listed_weights[x, place] = ranges[player]
    own = np.ascontiguousarray(ranges[list(heroes)])
    return Heroes(own, weights, bits, listed_weights, listed_bits)


@compiled
def _new_lists(heroes: int, listed: int, combos: int) -> _Lists:
    return _Lists(zeros((heroes, listed, combos), np.int64), zeros((heroes, listed), np.int64))


@compiled
def _new_levels(levels: int) -> _Levels:
    return _Levels(
        zeros((levels, 3, 2), np.float64),
        zeros((levels, 3, 2, DECK_SIZE), np.float64),
        zeros(levels, np.int64),
        zeros(levels, np.float64),
        zeros(levels, np.int64),
        zeros(levels, np.int64),
    )


@compiled
def _new_scratch(heroes: int, masks: int) -> _Scratch:
    return _Scratch(
        np.full((DECK_SIZE, DECK_SIZE), NOT_DEALT),
        zeros((heroes, 3, 2), np.float64),
        zeros((heroes, 3, 2, DECK_SIZE), np.float64),
        zeros(4, np.float64),
        zeros(masks, np.float64),
    )


@compiled
def _list_combos(dealt: int, order: SortedCombos, weights: Floats, lists: _Lists) -> None:
    """List the dealt combos of the listed opponents, whose ``weights`` are (heroes, o, m)."""
    places, lengths = lists
    combos = order.combos
    for hero in range(weights.shape[0]):
        for other in range(weights.shape[1]):
            length = 0
            for place in range(dealt):
                if weights[hero, other, combos[place]] != 0.0:
                    places[hero, other, length] = place
                    length += 1
            lengths[hero, other] = length


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
def _add_pair_sums(
    pair_sums: Floats, first_bit: int, second_bit: int, split: int, factor: float, deals: Floats
) -> None:
    """Add ``factor`` times the pairs of the two widest opponents to ``deals``, by who splits.

    ``first_bit`` and ``second_bit`` are theirs in a mask, ``split`` those of the listed who do.
    """
    for pair in range(4):
        mask = split | (pair & 1) * first_bit | (pair >> 1) * second_bit
        deals[mask] += factor * pair_sums[pair]


@compiled
def _count_listed(
    hero: int, h: int, first: int, last: int, rank: float, ties: bool, combos: Ints, pairs: Ints,
    heroes: Heroes, lists: _Lists, levels: _Levels, scratch: _Scratch,
) -> None:  # fmt: skip
    """List the combos that the listed opponents can hold against a combo ``h`` of a hero.

    Those before place ``first`` in the order of ranks are lower, those from there to ``last`` equal.
    What the combo wins or splits is added to ``scratch.deals``, by the mask of who splits.
    """
    ranks, pair_sums, deals = scratch.ranks, scratch.pair_sums, scratch.deals
    totals, cards, gone, factor, mask, at = levels
    places, lengths = lists.places[hero], lists.lengths[hero]
    weights, (first_bit, second_bit) = heroes.weights[hero], heroes.bits[hero]
    listed_weights, listed_bits = heroes.listed_weights[hero], heroes.listed_bits[hero]
    u, v = int(pairs[h, 0]), int(pairs[h, 1])
    of_hero = scratch.totals[hero], scratch.cards[hero]
    take_out(u, v, 0, rank, ranks, weights, of_hero[0], of_hero[1], totals[0], cards[0])
    gone[0] = 1 << u | 1 << v
    factor[0] = 1.0
    mask[0] = 0
    level = 0
    at[0] = 0
    while level >= 0:
        if at[level] == lengths[level] or places[level, at[level]] >= last:
            level -= 1
            continue
        place = places[level, at[level]]
        at[level] += 1
        g = combos[place]
        x, y = int(pairs[g, 0]), int(pairs[g, 1])
        if (gone[level] >> x | gone[level] >> y) & 1:
            continue
        weight = factor[level] * listed_weights[level, g]
        split = mask[level] | (listed_bits[level] if place >= first else 0)
        if level == lengths.size - 1:
            count_pairs_without(
                x, y, gone[level], rank, ties, ranks, weights, totals[level], cards[level], pair_sums
            )
            _add_pair_sums(pair_sums, first_bit, second_bit, split, weight, deals)
            continue
        take_out(
            x, y, gone[level], rank, ranks, weights,
            totals[level], cards[level], totals[level + 1], cards[level + 1],
        )  # fmt: skip
        gone[level + 1] = gone[level] | 1 << x | 1 << y
        factor[level + 1] = weight
        mask[level + 1] = split
        level += 1
        at[level] = 0


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
    heroes: Heroes, lists: _Lists, levels: _Levels, scratch: _Scratch, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted and listed."""
    in_order, combos, rank_of = order
    ranks, totals, cards, pair_sums, deals = scratch
    own, weights, bits = heroes.own, heroes.weights, heroes.bits
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
                deals[:] = 0.0
                ties = totals[hero, 0, EQUAL] != 0.0 or totals[hero, 1, EQUAL] != 0.0
                if levels.at.size == 1:
                    count_pairs_without(
                        u, v, 0, rank, ties, ranks, weights[hero], totals[hero], cards[hero], pair_sums
                    )
                    _add_pair_sums(pair_sums, bits[hero, 0], bits[hero, 1], 0, 1.0, deals)
                else:
                    _count_listed(
                        hero, h, first, last, rank, ties, combos, pairs, heroes, lists, levels, scratch
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
    count, listed = heroes.listed_bits.shape
    lists, levels = _new_lists(count, listed, pairs.shape[0]), _new_levels(listed + 1)
    scratch = _new_scratch(count, sums.sums.shape[2])
    sort_scratch, order = new_sort_scratch(), new_sorted(pairs.shape[0])
    ranks, rank_of = scratch.ranks, order.rank_of
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, order)
        for h in range(pairs.shape[0]):
            a, b = pairs[h, 0], pairs[h, 1]
            rank = float(rank_of[h]) if rank_of[h] else NOT_DEALT
            ranks[a, b] = rank
            ranks[b, a] = rank
        _list_combos(dealt, order, heroes.listed_weights, lists)
        _count_board(dealt, times[number], order, pairs, heroes, lists, levels, scratch, sums)
