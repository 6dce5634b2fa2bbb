"""Showdowns of several players, or of one hero alone, where every weight is 0 or 1: counts of deals.

Going through a board's combos by ascending rank keeps every player's lower and equal combos up to date.
The pairs of a hero's two opponents with the widest ranges are then counted at once
(:mod:`gpuodds.backends.cpu.pair_counts`), for each choice of combos of the other opponents, which are
listed and taken out of the deck in turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled, uncounted, uncounted_inlined
from gpuodds.backends.cpu.pair_counts import (
    Four,
    Held,
    Two,
    add_up_level,
    clear,
    close_level,
    count_pairs,
    new_held,
    open_level,
    take_out,
)
from gpuodds.backends.cpu.showdown_sums import ShowdownSums, hand_category
from gpuodds.backends.cpu.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

WHOLE_DECK = (1 << DECK_SIZE) - 1


class Table(NamedTuple):
    """Who plays whom; a set of players or of opponents is a mask.

    ``combos`` (m,) are the cards of each combo, six bits each, and above them the players who have it.
    A hero is ``player`` (heroes,); the two opponents with the widest ranges are ``pair_of`` (heroes,)
    in ``pairs`` (n, 2), and ``bits`` (heroes, 2) are theirs in a set of his opponents. The others are
    ``listed`` (heroes, o), with ``listed_bits``; ``listed_cards`` (heroes,) are all cards of their
    combos, and ``is_listed`` is the set of players whom any hero lists.
    """

    combos: Ints
    player: Ints
    pair_of: Ints
    pairs: Ints
    bits: Ints
    listed: Ints
    listed_bits: Ints
    listed_cards: Ints
    is_listed: int


class _Order(NamedTuple):
    # By place in the order of ranks a combo, as Table has it. For each player who is listed, the places
    # of his combos (players, m), and how many they are (players,).
    combos: Ints
    places: Ints
    lengths: Ints


class _Search(NamedTuple):
    # Once the hero's combo and those of 0, 1, ... listed opponents are taken out: the live cards, the
    # set of those who tie, and where in the next opponent's list the search stands.
    live: Ints
    mask: Ints
    at: Ints


def arrange_table(ranges: Floats, pairs: Ints, heroes: Sequence[int]) -> Table:
    """Arrange each hero's opponents: the two widest, and those to be listed.

    ``ranges`` (players, m) are the weights of the combos whose cards are ``pairs`` (m, 2).
    """
    players = len(ranges)
    sizes = np.count_nonzero(ranges, axis=1)
    members = (1 << np.arange(players)) @ (ranges != 0.0)
    cards = np.bitwise_or.reduce(1 << pairs, axis=1)
    held = [int(np.bitwise_or.reduce(cards[row != 0.0], initial=0)) for row in ranges]
    widest, bits, listed, listed_bits = [], [], [], []
    for hero in heroes:
        others = [player for player in range(players) if player != hero]
        by_size = sorted(others, key=lambda player: int(sizes[player]))
        widest.append(tuple(sorted(by_size[-2:])))
        bits.append([1 << others.index(player) for player in widest[-1]])
        listed.append(by_size[:-2])
        listed_bits.append([1 << others.index(player) for player in by_size[:-2]])
    kinds = sorted(set(widest))
    shape = len(listed), players - 3
    return Table(
        pairs[:, 0] | pairs[:, 1] << 6 | members << 12,
        np.array(heroes, np.int64),
        np.array([kinds.index(pair) for pair in widest], np.int64),
        np.array(kinds, np.int64),
        np.array(bits, np.int64),
        np.array(listed, np.int64).reshape(shape),
        np.array(listed_bits, np.int64).reshape(shape),
        np.array([reduce(or_, (held[player] for player in row), 0) for row in listed], np.int64),
        reduce(or_, (1 << player for row in listed for player in row), 0),
    )


@compiled
def _new_order(players: int, combos: int) -> _Order:
    return _Order(
        np.zeros(combos, np.int64),
        np.zeros((players, combos), np.int64),
        np.zeros(players, np.int64),
    )


@compiled
def _new_search(listed: int) -> _Search:
    return _Search(
        np.zeros(listed + 1, np.int64), np.zeros(listed + 1, np.int64), np.zeros(listed + 1, np.int64)
    )


@uncounted_inlined
def _put_in_order(dealt: int, sorted_combos: SortedCombos, table: Table, order: _Order) -> None:
    """Fill ``order`` for a board whose combos are sorted."""
    combos, places, lengths = order
    for place in range(dealt):
        combos[place] = table.combos[sorted_combos.combos[place]]
    for p in range(lengths.size):
        if table.is_listed >> p & 1:
            length = 0
            for place in range(dealt):
                places[p, length] = place
                length += combos[place] >> 12 + p & 1
            lengths[p] = length


@uncounted_inlined
def _add_pairs(four: Four, one: int, other: int, split: int, found: Ints) -> None:
    """Add the pairs of the two widest opponents to ``found``, by who splits.

    ``one`` and ``other`` are their bits, ``split`` those of the listed opponents who do.
    """
    found[split] += four[0]
    found[split | one] += four[1]
    found[split | other] += four[2]
    found[split | one | other] += four[3]


@uncounted
def _count_listed(
    hero: int, u: int, v: int, first: int, last: int, order: _Order, table: Table, held: Held,
    search: _Search, found: Ints,
) -> None:  # fmt: skip
    """List the combos that the listed opponents can hold against a combo (u, v) of a hero.

    Those before place ``first`` in the order of ranks are lower, those from there to ``last`` equal.
    What the combo wins or splits is added to ``found``, by the mask of who splits.
    """
    live, mask, at = search
    combos, places, lengths = order
    pairs, listed, listed_bits = table.pairs, table.listed, table.listed_bits
    players, number = held.seen.size, pairs.shape[0]
    pair, wanted = table.pair_of[hero], table.listed_cards[hero]
    j, k = pairs[pair, 0], pairs[pair, 1]
    one, other = table.bits[hero, 0], table.bits[hero, 1]
    new = Two(j, k, players, players + 1, number)
    take_out(u, v, WHOLE_DECK, wanted, Two(j, k, j, k, pair), new, held)
    live[0] = WHOLE_DECK & ~(1 << u | 1 << v)
    mask[0], at[0], level = 0, 0, 0
    while level >= 0:
        player = listed[hero, level]
        if at[level] == lengths[player] or places[player, at[level]] >= last:
            level -= 1
            continue
        place = places[player, at[level]]
        at[level] += 1
        x, y = combos[place] & 63, combos[place] >> 6 & 63
        if not (live[level] >> x & live[level] >> y) & 1:
            continue
        split = mask[level] | (listed_bits[hero, level] if place >= first else 0)
        two = Two(j, k, players + 2 * level, players + 2 * level + 1, number + level)
        if level == listed.shape[1] - 1:
            four = count_pairs(x, y, live[level], two, held)
            _add_pairs(four, one, other, split, found)
            continue
        new = Two(j, k, two.of_j + 2, two.of_k + 2, two.at + 1)
        take_out(x, y, live[level], wanted, two, new, held)
        live[level + 1] = live[level] & ~(1 << x | 1 << y)
        mask[level + 1] = split
        level += 1
        at[level] = 0


@uncounted_inlined
def _count_combo(
    hero: int, u: int, v: int, first: int, last: int, order: _Order, table: Table, held: Held,
    search: _Search, found: Ints,
) -> None:  # fmt: skip
    """Write what a combo (u, v) of a hero wins or splits into ``found``."""
    found[:] = 0
    if table.listed.shape[1]:
        _count_listed(hero, u, v, first, last, order, table, held, search, found)
        return
    pair = table.pair_of[hero]
    j, k = table.pairs[pair, 0], table.pairs[pair, 1]
    four = count_pairs(u, v, WHOLE_DECK, Two(j, k, j, k, pair), held)
    _add_pairs(four, table.bits[hero, 0], table.bits[hero, 1], 0, found)


@uncounted_inlined
def _count_level(
    hero: int, first: int, last: int, times: np.int64, in_order: SortedCombos,
    order: _Order, table: Table, held: Held, search: _Search, found: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count a hero's combos at places ``first`` to ``last``, which have one rank."""
    exact, made = sums.exact, sums.made
    player = table.player[hero]
    for place in range(first, last):
        combo = order.combos[place]
        if not combo >> 12 + player & 1:
            continue
        _count_combo(hero, combo & 63, combo >> 6 & 63, first, last, order, table, held, search, found)
        h = in_order.combos[place]
        for mask in range(found.size):
            exact[hero, h, mask] += times * found[mask]
        if made.size:
            category = hand_category(in_order.ranks[first])
            for mask in range(found.size):
                made[hero, category, mask] += times * found[mask]


@uncounted
def _count_all_deals(
    dealt: int, times: np.int64, in_order: SortedCombos, order: _Order, table: Table, held: Held,
    search: _Search, found: Ints, made: Floats,
) -> None:  # fmt: skip
    """Add the deals of a board to the last column of ``made``, once all combos are lower ones."""
    for hero in range(table.player.size):
        for place in range(dealt):
            combo = order.combos[place]
            if combo >> 12 + table.player[hero] & 1:
                _count_combo(
                    hero, combo & 63, combo >> 6 & 63, dealt, dealt, order, table, held, search, found
                )
                category = hand_category(in_order.ranks[place])
                made[hero, category, found.size] += times * found[0]


@uncounted
def _count_board(
    dealt: int, times: np.int64, in_order: SortedCombos, order: _Order, table: Table, held: Held,
    search: _Search, found: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted."""
    _put_in_order(dealt, in_order, table, order)
    clear(held)
    first = 0
    while first < dealt:
        last = first
        while last < dealt and in_order.ranks[last] == in_order.ranks[first]:
            last += 1
        open_level(first, last, order.combos, held)
        add_up_level(table.pairs, held)
        for hero in range(table.player.size):
            _count_level(hero, first, last, times, in_order, order, table, held, search, found, sums)
        close_level(table.pairs, held)
        first = last
    if sums.made.size:
        _count_all_deals(dealt, times, in_order, order, table, held, search, found, sums.made)


@compiled
def count_several_exact(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, table: Table, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each hero and combo, the deals that it wins or splits, by who splits.

    ``boards`` (n, 5) are full boards, ``times`` (n,) how often each counts; ``begin`` to ``end`` are
    visited. On a board of no cards, (1, 0), all tie: that counts the deals. ``pairs`` (m, 2) are the
    cards of the combos in any range. The numbers are added to ``sums``.
    """
    listed = table.listed.shape[1]
    order, search = _new_order(listed + 3, pairs.shape[0]), _new_search(listed)
    held = new_held(listed + 3, table.pairs.shape[0], listed + 1)
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    found = np.zeros(sums.exact.shape[2], np.int64)
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], in_order, order, table, held, search, found, sums)
