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

from gpuodds.backends.cpu.jit import compiled, uncounted, uncounted_inlined, zeros
from gpuodds.backends.cpu.pair_counts import (
    ROW,
    Four,
    Held,
    Lists,
    add_up_level,
    clear,
    close_level,
    count_pairs,
    count_run,
    new_held,
    open_level,
    take_out,
    two_players,
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
    combos.
    """

    combos: Ints
    player: Ints
    pair_of: Ints
    pairs: Ints
    bits: Ints
    listed: Ints
    listed_bits: Ints
    listed_cards: Ints


class _Search(NamedTuple):
    # Once the hero's combo and those of 0, 1, ... listed opponents are taken out: the live cards, the
    # set of those who tie, and where in the next opponent's list the search stands. ``by_card`` is
    # scratch of count_run.
    live: Ints
    mask: Ints
    at: Ints
    by_card: Ints


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
    )


@compiled
def _new_lists(players: int, combos: int) -> Lists:
    return Lists(
        zeros((players, combos + 1), np.int64),
        zeros(players, np.int64),
        zeros(players, np.int64),
    )


@compiled
def _new_search(listed: int) -> _Search:
    return _Search(
        zeros(listed + 1, np.int64),
        zeros(listed + 1, np.int64),
        zeros(listed + 1, np.int64),
        zeros((2, ROW), np.int64),
    )


@uncounted_inlined
def _list_combos(dealt: int, in_order: SortedCombos, table: Table, lists: Lists) -> None:
    """List each player's combos with their places above the cards; an end of the deck follows."""
    combos, begins, ends = lists
    for p in range(begins.size):
        length = 0
        for place in range(dealt):
            combo = table.combos[in_order.combos[place]]
            combos[p, length] = place << 12 | combo & 0xFFF
            length += combo >> 12 + p & 1
        combos[p, length] = dealt << 12
        begins[p], ends[p] = 0, 0


@uncounted_inlined
def _find_level(last: int, lists: Lists) -> None:
    """Let the equal combos be those that follow the equal ones so far, to place ``last``."""
    combos, begins, ends = lists
    for p in range(begins.size):
        begins[p] = ends[p]
        while combos[p, ends[p]] >> 12 < last:
            ends[p] += 1


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
    hero: int, u: int, v: int, lists: Lists, table: Table, held: Held, search: _Search, found: Ints
) -> None:
    """List the lower and equal combos of the listed opponents, against a combo (u, v) of a hero.

    What the combo wins or splits is written into ``found``, by the mask of who splits.
    """
    found[:] = 0
    live, mask, at, _ = search
    combos, begins, ends = lists
    pairs, listed, listed_bits = table.pairs, table.listed, table.listed_bits
    players, number = held.seen.size, pairs.shape[0]
    pair, wanted = table.pair_of[hero], table.listed_cards[hero]
    j, k = pairs[pair, 0], pairs[pair, 1]
    one, other = table.bits[hero, 0], table.bits[hero, 1]
    two = two_players(j, k, j, k, pair, held)
    take_out(u, v, WHOLE_DECK, wanted, two, two_players(j, k, players, players + 1, number, held), held)
    live[0] = WHOLE_DECK & ~(1 << u | 1 << v)
    mask[0], at[0], level = 0, 0, 0
    while level >= 0:
        player, left = listed[hero, level], players + 2 * level
        two = two_players(j, k, left, left + 1, number + level, held)
        if level == listed.shape[1] - 1:
            first, last, splits = begins[player], ends[player], mask[level]
            four = count_run(0, first, combos[player], live[level], two, held, search.by_card)
            _add_pairs(four, one, other, splits, found)
            four = count_run(first, last, combos[player], live[level], two, held, search.by_card)
            _add_pairs(four, one, other, splits | listed_bits[hero, level], found)
            level -= 1
            continue
        if at[level] == ends[player]:
            level -= 1
            continue
        combo, is_equal = combos[player, at[level]], at[level] >= begins[player]
        at[level] += 1
        x, y = combo & 63, combo >> 6 & 63
        if not (live[level] >> x & live[level] >> y) & 1:
            continue
        new = two_players(j, k, left + 2, left + 3, number + level + 1, held)
        take_out(x, y, live[level], wanted, two, new, held)
        live[level + 1] = live[level] & ~(1 << x | 1 << y)
        mask[level + 1] = mask[level] | (listed_bits[hero, level] if is_equal else 0)
        level += 1
        at[level] = 0


@uncounted_inlined
def _count_three(
    hero: int, times: np.int64, in_order: SortedCombos, lists: Lists, table: Table, held: Held,
    sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count a hero's combos among the equal ones against his two opponents."""
    exact, made = sums.exact, sums.made
    player, pair = table.player[hero] & 15, table.pair_of[hero]
    j, k = table.pairs[pair, 0], table.pairs[pair, 1]
    two = two_players(j, k, j, k, pair, held)
    for at in range(lists.begins[player] & 0xFFFF, lists.ends[player]):
        combo = lists.combos[player, at]
        four = count_pairs(combo & 63, combo >> 6 & 63, WHOLE_DECK, two, held)
        h = in_order.combos[combo >> 12 & 0xFFFF] & 0xFFFF
        for mask in range(4):
            exact[hero, h, mask] += times * four[mask]
        if made.size:
            category = hand_category(in_order.ranks[combo >> 12])
            for mask in range(4):
                made[hero, category, mask] += times * four[mask]


@uncounted_inlined
def _count_more(
    hero: int, times: np.int64, in_order: SortedCombos, lists: Lists, table: Table, held: Held,
    search: _Search, found: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count a hero's combos among the equal ones against more opponents than two."""
    exact, made = sums.exact, sums.made
    player = table.player[hero] & 15
    for at in range(lists.begins[player] & 0xFFFF, lists.ends[player]):
        combo = lists.combos[player, at]
        _count_listed(hero, combo & 63, combo >> 6 & 63, lists, table, held, search, found)
        h = in_order.combos[combo >> 12]
        for mask in range(found.size):
            exact[hero, h, mask] += times * found[mask]
        if made.size:
            category = hand_category(in_order.ranks[combo >> 12])
            for mask in range(found.size):
                made[hero, category, mask] += times * found[mask]


@uncounted
def _count_all_deals(
    times: np.int64, in_order: SortedCombos, lists: Lists, table: Table, held: Held,
    search: _Search, found: Ints, made: Floats,
) -> None:  # fmt: skip
    """Add the deals of a board to the last column of ``made``, once all combos are lower ones."""
    for p in range(lists.begins.size):
        lists.begins[p] = lists.ends[p]
    for hero in range(table.player.size):
        player, pair = table.player[hero], table.pair_of[hero]
        j, k = table.pairs[pair, 0], table.pairs[pair, 1]
        two = two_players(j, k, j, k, pair, held)
        for at in range(lists.ends[player]):
            combo = lists.combos[player, at]
            u, v = combo & 63, combo >> 6 & 63
            if table.listed.shape[1]:
                _count_listed(hero, u, v, lists, table, held, search, found)
                deals = found[0]
            else:
                deals, _, _, _ = count_pairs(u, v, WHOLE_DECK, two, held)
            made[hero, hand_category(in_order.ranks[combo >> 12]), found.size] += times * deals


@uncounted
def _count_board(
    dealt: int, times: np.int64, in_order: SortedCombos, lists: Lists, table: Table, held: Held,
    search: _Search, found: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted."""
    _list_combos(dealt, in_order, table, lists)
    clear(held)
    last = 0
    while last < dealt:
        rank = in_order.ranks[last]
        while last < dealt and in_order.ranks[last] == rank:
            last += 1
        _find_level(last, lists)
        open_level(lists, held)
        add_up_level(table.pairs, lists, held)
        for hero in range(table.player.size):
            if table.listed.shape[1]:
                _count_more(hero, times, in_order, lists, table, held, search, found, sums)
            else:
                _count_three(hero, times, in_order, lists, table, held, sums)
        close_level(table.pairs, lists, held)
    if sums.made.size:
        _count_all_deals(times, in_order, lists, table, held, search, found, sums.made)


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
    lists, search = _new_lists(listed + 3, pairs.shape[0]), _new_search(listed)
    held = new_held(listed + 3, table.pairs.shape[0], listed + 1)
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    found = zeros(sums.exact.shape[2], np.int64)
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], in_order, lists, table, held, search, found, sums)
