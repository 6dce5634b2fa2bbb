"""Showdowns of three players, folded ones among them, where every weight is 0 or 1: counts of deals.

Going through a board's combos by ascending rank keeps every player's lower and equal combos up to date.
The pairs of a hero's two opponents are then counted at once
(:mod:`gpuodds.backends.cpu.ranges.opponent_pairs_exact`).

A player who has folded is one who always loses: all their combos are lower ones before the first level
of hand ranks, so that they leave the deck like any other player's and never win or tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    zeros,
)
from gpuodds.backends.cpu.ranges.combo_lists import (
    Lists,
    combos_with_players,
    find_level,
    list_combos,
    new_lists,
)
from gpuodds.backends.cpu.ranges.opponent_pairs_exact import (
    OpponentSums,
    add_up_level,
    clear,
    close_level,
    count_pairs,
    new_opponent_sums,
    open_level,
    opponent_pair,
)
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


class Matchups(NamedTuple):
    """Who plays whom; a set of players or of opponents is a mask.

    ``combos`` (m,) are the cards of each combo, six bits each, and above them the players who have it.
    A hero is ``player`` (heroes,); his two opponents are ``pair_of`` (heroes,) in ``pairs`` (n, 2).
    Players from ``active`` on have folded.
    """

    combos: Ints
    player: Ints
    pair_of: Ints
    pairs: Ints
    active: int


def arrange_matchups(ranges: Floats, pairs: Ints, heroes: Sequence[int], active: int) -> Matchups:
    """Arrange each hero's two opponents.

    ``ranges`` (3, m) are the weights of the combos whose cards are ``pairs`` (m, 2); players from
    ``active`` on have folded.
    """
    opponents = [tuple(player for player in range(len(ranges)) if player != hero) for hero in heroes]
    kinds = sorted(set(opponents))
    return Matchups(
        combos_with_players(ranges, pairs),
        np.array(heroes, np.int64),
        np.array([kinds.index(pair) for pair in opponents], np.int64),
        np.array(kinds, np.int64),
        active,
    )


@compiled_without_refcounts
def _count_board(
    dealt: int, times: np.int64, in_order: SortedCombos, lists: Lists, matchups: Matchups,
    opponents: OpponentSums, deals: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted.

    If some have folded, they alone are in a first level, below every hand rank. With hand categories,
    all combos are lower ones of a last level: that counts all deals.
    """
    exact, made = sums.exact, sums.made
    masks = exact.shape[2]
    list_combos(dealt, in_order, matchups.combos, lists)
    clear(opponents)
    last, folding = 0, matchups.active < lists.begins.size
    while folding or last < dealt or made.size:
        all_lower = last == dealt and not folding
        if folding:
            find_level(matchups.active, dealt, lists)
        else:
            if not all_lower:
                rank = in_order.ranks[last]
                while last < dealt and in_order.ranks[last] == rank:
                    last += 1
            find_level(0, last, lists)
        open_level(lists, opponents)
        add_up_level(matchups.pairs, matchups.active, lists, opponents)
        for hero in range(matchups.player.size):
            player, pair_number = matchups.player[hero] & 31, matchups.pair_of[hero]
            j, k = matchups.pairs[pair_number, 0], matchups.pairs[pair_number, 1]
            pair = opponent_pair(j, k, pair_number, opponents)
            begin = 0 if all_lower else lists.begins[player] & 0xFFFF
            for at in range(begin, lists.ends[player]):
                combo = lists.combos[player, at]
                u, v = combo & 63, combo >> 6 & 63
                deals[0], deals[1], deals[2], deals[3] = count_pairs(u, v, pair, opponents)
                place = combo >> 12 & 0xFFFF
                h, category = in_order.combos[place] & 0xFFFF, 0
                if made.size:
                    category = hand_category(in_order.ranks[place], sums.category_ends)
                if all_lower:
                    made[hero, category, masks] += times * deals[0]
                    continue
                for mask in range(masks):
                    exact[hero, h, mask] += times * deals[mask]
                    if made.size:
                        made[hero, category, mask] += times * deals[mask]
        close_level(matchups.pairs, lists, opponents)
        folding = False
        if all_lower:
            break


@compiled
def count_multiway_exact(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, matchups: Matchups, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, for each hero and combo, the deals that it wins or splits, by who splits.

    ``boards`` (n, 5) are full boards, ``times`` (n,) how often each counts; ``begin`` to ``end`` are
    visited. On a board of no cards, (1, 0), all tie: that counts the deals. ``pairs`` (m, 2) are the
    cards of the combos in any range. The numbers are added to ``sums``.
    """
    lists, opponents = new_lists(3, pairs.shape[0]), new_opponent_sums(3, matchups.pairs.shape[0])
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    deals = zeros(4, np.int64)  # of which a folded player, the second of a pair, leaves two
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], in_order, lists, matchups, opponents, deals, sums)
