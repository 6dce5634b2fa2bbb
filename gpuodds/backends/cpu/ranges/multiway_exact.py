"""Showdowns of several players, folded ones among them, where every weight is 0 or 1: counts of deals.

Going through a board's combos by ascending rank keeps every player's lower and equal combos up to date.
The pairs of a hero's two opponents with the widest ranges are then counted at once
(:mod:`gpuodds.backends.cpu.ranges.opponent_pairs_exact`), for each choice of combos of the other
opponents, which are listed and taken out of the deck in turn.

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
    inlined_without_refcounts,
    zeros,
)
from gpuodds.backends.cpu.ranges.opponent_pairs_exact import (
    BOTH_EQUAL,
    BOTH_LOWER,
    CARD_SLOTS,
    FIRST_EQUAL,
    SECOND_EQUAL,
    Lists,
    OpponentSums,
    add_up_level,
    clear,
    close_level,
    count_pairs,
    count_runs,
    new_opponent_sums,
    open_level,
    opponent_pair,
    take_out,
)
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

WHOLE_DECK = (1 << DECK_SIZE) - 1


class Matchups(NamedTuple):
    """Who plays whom; a set of players or of opponents is a mask.

    ``combos`` (m,) are the cards of each combo, six bits each, and above them the players who have it.
    A hero is ``player`` (heroes,); the two opponents with the widest ranges are ``pair_of`` (heroes,)
    in ``pairs`` (n, 2), and ``bits`` (heroes, 2) are theirs in a set of his opponents. The others are
    ``listed`` (heroes, o), with ``listed_bits``. Players from ``active`` on have folded: their bits
    are 0.
    """

    combos: Ints
    player: Ints
    pair_of: Ints
    pairs: Ints
    bits: Ints
    listed: Ints
    listed_bits: Ints
    active: int


class _Search(NamedTuple):
    # By how many combos are taken out, the hero's first: the live cards, the set of those who tie, and
    # where in the next opponent's list the search stands. Then what take_out and count_runs fill.
    live: Ints
    mask: Ints
    at: Ints
    by_card: Ints
    runs: Ints


def arrange_matchups(ranges: Floats, pairs: Ints, heroes: Sequence[int], active: int) -> Matchups:
    """Arrange each hero's opponents: the two widest, and those to be listed.

    ``ranges`` (players, m) are the weights of the combos whose cards are ``pairs`` (m, 2); players from
    ``active`` on have folded.
    """
    players = len(ranges)
    # The search of a player who can win visits the combos that do not beat the hero's: a share of them.
    visits = np.count_nonzero(ranges, axis=1) * np.where(np.arange(players) < active, 1, 4)
    members = (1 << np.arange(players)) @ (ranges != 0.0)
    widest, bits, listed, listed_bits = [], [], [], []
    for hero in heroes:
        opponents = [player for player in range(players) if player != hero]
        bit_of = {
            player: 1 << place if player < active else 0 for place, player in enumerate(opponents)
        }
        by_visits = sorted(opponents, key=lambda player: int(visits[player]))
        widest.append(tuple(sorted(by_visits[-2:])))
        bits.append([bit_of[player] for player in widest[-1]])
        listed.append(by_visits[:-2])
        listed_bits.append([bit_of[player] for player in by_visits[:-2]])
    kinds = sorted(set(widest))
    shape = len(listed), players - 3
    return Matchups(
        pairs[:, 0] | pairs[:, 1] << 6 | members << 12,
        np.array(heroes, np.int64),
        np.array([kinds.index(pair) for pair in widest], np.int64),
        np.array(kinds, np.int64),
        np.array(bits, np.int64),
        np.array(listed, np.int64).reshape(shape),
        np.array(listed_bits, np.int64).reshape(shape),
        active,
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
        zeros((2, CARD_SLOTS), np.int64),
        zeros((2, 4), np.int64),
    )


@inlined_without_refcounts
def _list_combos(dealt: int, in_order: SortedCombos, matchups: Matchups, lists: Lists) -> None:
    """List each player's combos with their places above the cards; an end of the deck follows."""
    combos, begins, ends = lists
    for p in range(begins.size):
        length = 0
        for place in range(dealt):
            combo = matchups.combos[in_order.combos[place]]
            combos[p, length] = place << 12 | combo & 0xFFF
            length += combo >> 12 + p & 1
        combos[p, length] = dealt << 12
        begins[p], ends[p] = 0, 0


@inlined_without_refcounts
def _find_folded(dealt: int, active: int, lists: Lists) -> None:
    """Let the equal combos be all those of the players who have folded: from ``active`` on."""
    combos, begins, ends = lists
    for p in range(active, begins.size):
        while combos[p, ends[p]] >> 12 < dealt:
            ends[p] += 1


@inlined_without_refcounts
def _find_level(last: int, lists: Lists) -> None:
    """Let the equal combos be those that follow the equal ones so far, to place ``last``."""
    combos, begins, ends = lists
    for p in range(begins.size):
        begins[p] = ends[p]
        while combos[p, ends[p]] >> 12 < last:
            ends[p] += 1


@compiled_without_refcounts
def _count_listed(
    hero: int,
    u: int,
    v: int,
    lists: Lists,
    matchups: Matchups,
    opponents: OpponentSums,
    search: _Search,
    deals: Ints,
) -> None:
    """List the lower and equal combos of the listed opponents, against a combo (u, v) of a hero.

    What the combo wins or splits is written into ``deals``, by the mask of who splits.
    """
    deals[:] = 0
    live, mask, at, by_card, runs = search
    combos, begins, ends = lists
    listed, listed_bits = matchups.listed, matchups.listed_bits
    players, num_pairs, last_stage = opponents.seen.size, matchups.pairs.shape[0], listed.shape[1]
    pair_number = matchups.pair_of[hero]
    j, k = matchups.pairs[pair_number, 0], matchups.pairs[pair_number, 1]
    first_bit, second_bit = matchups.bits[hero, 0], matchups.bits[hero, 1]
    live[0], mask[0], bit, stage = WHOLE_DECK, 0, 0, 0
    pair = opponent_pair(j, k, j, k, pair_number, opponents)
    while True:
        # Inclusion and exclusion, combo by combo: the sums of the two widest opponents without (u, v)
        # stand behind those from which as many combos are gone as the stage says.
        left = players + 2 * stage
        if stage:
            pair = opponent_pair(j, k, left - 2, left - 1, num_pairs + stage - 1, opponents)
        new = opponent_pair(j, k, left, left + 1, num_pairs + stage, opponents)
        take_out(u, v, live[stage], pair, new, opponents, by_card)
        live[stage + 1] = live[stage] & ~(1 << u | 1 << v)
        mask[stage + 1] = mask[stage] | bit
        stage += 1
        at[stage] = 0
        if stage == last_stage:
            player = listed[hero, stage - 1]
            new = opponent_pair(j, k, left, left + 1, num_pairs + stage - 1, opponents)
            middle, end = begins[player], ends[player]
            count_runs(combos[player], middle, end, live[stage], new, opponents, by_card, runs)
            for is_equal in range(2):
                split = mask[stage] | listed_bits[hero, stage - 1] * is_equal
                deals[split] += runs[is_equal, BOTH_LOWER]
                deals[split | first_bit] += runs[is_equal, FIRST_EQUAL]
                deals[split | second_bit] += runs[is_equal, SECOND_EQUAL]
                deals[split | first_bit | second_bit] += runs[is_equal, BOTH_EQUAL]
            stage -= 1
        # Find the next combo to go, back where the last one went if all have gone.
        while stage > 0:
            player, place = listed[hero, stage - 1], at[stage]
            if place == ends[player]:
                stage -= 1
                continue
            at[stage] += 1
            bit = listed_bits[hero, stage - 1] if place >= begins[player] else 0
            u, v = combos[player, place] & 63, combos[player, place] >> 6 & 63
            if (live[stage] >> u & live[stage] >> v) & 1:
                break
        if stage == 0:
            break


@compiled_without_refcounts
def _count_board(
    dealt: int, times: np.int64, in_order: SortedCombos, lists: Lists, matchups: Matchups,
    opponents: OpponentSums, search: _Search, deals: Ints, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted.

    If some have folded, they alone are in a first level, below every hand rank. With hand categories,
    all combos are lower ones of a last level: that counts all deals.
    """
    exact, made = sums.exact, sums.made
    masks = exact.shape[2]
    _list_combos(dealt, in_order, matchups, lists)
    clear(opponents)
    last, folding = 0, matchups.active < lists.begins.size
    while folding or last < dealt or made.size:
        all_lower = last == dealt and not folding
        if folding:
            _find_folded(dealt, matchups.active, lists)
        else:
            if not all_lower:
                rank = in_order.ranks[last]
                while last < dealt and in_order.ranks[last] == rank:
                    last += 1
            _find_level(last, lists)
        open_level(lists, opponents)
        add_up_level(matchups.pairs, matchups.active, lists, opponents)
        for hero in range(matchups.player.size):
            player, pair_number = matchups.player[hero] & 31, matchups.pair_of[hero]
            j, k = matchups.pairs[pair_number, 0], matchups.pairs[pair_number, 1]
            pair = opponent_pair(j, k, j, k, pair_number, opponents)
            begin = 0 if all_lower else lists.begins[player] & 0xFFFF
            for at in range(begin, lists.ends[player]):
                combo = lists.combos[player, at]
                u, v = combo & 63, combo >> 6 & 63
                if matchups.listed.shape[1]:
                    _count_listed(hero, u, v, lists, matchups, opponents, search, deals)
                else:
                    deals[0], deals[1], deals[2], deals[3] = count_pairs(
                        u, v, WHOLE_DECK, pair, opponents
                    )
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
    listed = matchups.listed.shape[1]
    lists, search = _new_lists(listed + 3, pairs.shape[0]), _new_search(listed)
    opponents = new_opponent_sums(listed + 3, matchups.pairs.shape[0], listed)
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    # Four even where a folded player leaves fewer masks: the first of a pair has the lower bit, if any.
    deals = zeros(max(4, sums.exact.shape[2]), np.int64)
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], in_order, lists, matchups, opponents, search, deals, sums)
