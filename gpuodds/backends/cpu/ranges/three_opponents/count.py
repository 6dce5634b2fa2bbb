"""Showdowns against three to five opponents: go through a board's combos by ascending hand rank.

The sums of the lower combos of all players are kept up to date (``sums.py``, ``tied_combos.py``). A
hero's combo is then counted for each set of opponents who may tie with it, by a plan (``matchups.py``):
the combos of the listed opponents are taken out of the deck in turn (``level.py``, ``taken_out.py``),
and the two or three others are counted in closed form (``closed_form.py``).

Where a level has many tied combos, listing them is slow. Those of some opponents are then added to the
lower ones for a while, for all heroes at once: that counts the deals in which any of these opponents
tie, or none. The count of a set, less those of its subsets, is the number of deals in which the whole
set ties.

A player who has folded is one who always loses: all their combos are lower ones before the first level.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
)
from gpuodds.backends.cpu.ranges.combo_lists import Lists, find_level, list_combos, new_lists
from gpuodds.backends.cpu.ranges.three_opponents.level import (
    Part,
    Search,
    count_level,
    have_combos,
)
from gpuodds.backends.cpu.ranges.three_opponents.matchups import (
    LISTED,
    NUM_LISTED,
    TRIPLE,
    WANTED,
    Matchups,
)
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    WHOLE_DECK,
    OpponentSums,
    clear,
    new_opponent_sums,
)
from gpuodds.backends.cpu.ranges.three_opponents.tied_combos import (
    add_level,
    close_level,
    find_steps,
    open_level,
)
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, add_term, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

# About the time of a count of two and of one of three opponents, and to add a tied combo.
TWO, THREE, ADDED = 1.0, 4.5, 3.5

# For each number of elements, of up to four, a walk through all their sets from none to the whole, the
# shortest there is: an octal digit is the element that is added or taken away next, from 1, the last
# digit first.
WALKS = (0, 0o1, 0o1121, 0o2123121, 0o3121312142123121)


@inlined_without_refcounts
def _plan_level(all_lower: bool, parts: int, lists: Lists, matchups: Matchups, search: Search) -> int:
    """Plan how a level is counted: return the players to add in :func:`_count_sets`, -1 to list all."""
    players, sizes, among = lists.begins.size, search.sizes, 0
    listing, sets, adding = 0.0, 0.0, 0.0
    for player in range(players):
        sizes[player] = lists.begins[player]
        sizes[player + players] = lists.ends[player] - lists.begins[player]
    for x in range(matchups.heroes.size):
        hero = matchups.heroes[x]
        count = lists.ends[hero] if all_lower else sizes[hero + players]
        if count == 0:
            search.added[x] = 0
            continue
        search.deals[x, :count] = 0
        count //= parts
        listing += count * _cost_of_listing(x, matchups, search)
        if matchups.triples.size and not all_lower:
            sets += count * _cost_of_sets(x, matchups, search)
            for o in range(matchups.opponents.shape[1]):
                among |= (search.added[x] >> o & 1) << matchups.opponents[x, o]
    if all_lower or not matchups.triples.size:
        return -1
    for player in range(players):
        if among >> player & 1:
            adding = 2.0 * adding + ADDED * sizes[player + players]
    return among if sets + adding < listing else -1


@inlined_without_refcounts
def _cost_of_listing(x: int, matchups: Matchups, search: Search) -> float:
    """Find the sets of opponents who can tie with a hero; return what a combo costs by listing them."""
    viable, cost = 0, 0.0
    for mask in range(matchups.plans.shape[1]):
        plan = matchups.plans[x, mask]
        if plan[WANTED] and have_combos(plan, 0, matchups, search):
            viable |= 1 << mask
            each = THREE if plan[TRIPLE] >= 0 else TWO
            for place in range(plan[NUM_LISTED]):
                each *= search.sizes[plan[LISTED + place]]
            cost += each
    search.viable[x] = viable
    return cost


@inlined_without_refcounts
def _cost_of_sets(x: int, matchups: Matchups, search: Search) -> float:
    """Find whose tied combos are added for a hero; return what a combo costs by :func:`_count_sets`."""
    num_opponents, sizes, wanted, cost = matchups.opponents.shape[1], search.sizes, 0, 0.0
    fixed, players = num_opponents - 3, num_opponents + 1
    for mask in range(matchups.plans.shape[1]):
        if matchups.plans[x, mask, WANTED]:
            wanted |= mask
    for o in range(num_opponents):
        if sizes[matchups.opponents[x, o] + players] == 0:
            wanted &= ~(1 << o)
    for mask in range(matchups.plans.shape[1]):
        plan = matchups.plans[x, mask]
        is_viable = search.viable[x] >> mask & 1
        if not plan[WANTED] or mask & ~wanted or (plan[TRIPLE] >= 0 and not is_viable):
            continue
        each, listed = THREE, 0
        for o in range(num_opponents):
            if mask >> o & 1 and listed < fixed:
                each *= sizes[matchups.opponents[x, o] + players]
                listed += 1
        for place in range(listed, fixed):
            each *= sizes[plan[LISTED + place]]
        cost += each
    for _ in range(fixed):
        wanted &= wanted - 1
    search.added[x] = wanted
    return cost


@compiled_without_refcounts
def _count_sets(
    among: int, begun: int, part: Part,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> None:  # fmt: skip
    """Count the heroes' combos as :func:`count_level`, but for those with more tied than are listed.

    Of o opponents the first o - 3 that tie are listed, each combo once. The combos of others who tie,
    all of them later opponents, are added to the lower ones: that counts the deals in which any of
    these others tie, or none. What it counts for a set, less that for its parts, are the deals of it.

    So the tied combos of the players ``among`` are added and taken away, all sets of them in turn, and
    each time every hero is counted. In the end the combos of all players are lower ones.
    """
    deals, num_opponents = search.deals, matchups.opponents.shape[1]
    walk, included = WALKS[popcount(among)], 0
    while True:
        for x in range(matchups.heroes.size):
            hero, tied = matchups.heroes[x], 0
            for o in range(num_opponents):
                tied |= (included >> matchups.opponents[x, o] & 1) << o
            if tied & ~search.added[x] == 0 and included >> hero & 1 == 0:
                masks = _sets_with(x, tied, included, matchups, search)
                given = lists, matchups, opponents, search
                count_level(x, lists.begins[hero], masks, tied, included, part, False, *given)
        if walk == 0:
            break
        player = _nth_of(among, walk & 7)
        walk >>= 3
        sign = -1 if included >> player & 1 else 1
        add_level(1 << player, sign, begun, lists, matchups, opponents)
        included ^= 1 << player
    for x in range(matchups.heroes.size):
        size = search.sizes[matchups.heroes[x] + lists.begins.size]
        for o in range(num_opponents):
            if not search.added[x] >> o & 1:
                continue
            for mask in range(deals.shape[2]):
                if mask >> o & 1 and popcount(mask & (1 << o) - 1) >= num_opponents - 3:
                    for number in range(size):
                        deals[x, number, mask] -= deals[x, number, mask ^ 1 << o]
    add_level((1 << lists.begins.size) - 1 & ~included, 1, begun, lists, matchups, opponents)


@inlined_without_refcounts
def _sets_with(x: int, tied: int, included: int, matchups: Matchups, search: Search) -> int:
    """Return the sets counted while the combos of a set of tied opponents are lower ones, a bit each.

    They are all sets whose lower opponents are counted three at once, if the set is empty; else the
    sets of earlier opponents, as many as are listed.
    """
    masks, fixed = 0, matchups.opponents.shape[1] - 3
    for mask in range(matchups.plans.shape[1]):
        plan = matchups.plans[x, mask]
        if not plan[WANTED] or plan[TRIPLE] < 0:
            continue
        if tied and (mask >= tied & -tied or popcount(mask) < fixed):
            continue
        masks |= have_combos(plan, included, matchups, search) << mask
    return masks


@inlined_without_refcounts
def _nth_of(among: int, number: int) -> int:
    """Return an element of a set, by its number from 1."""
    for _ in range(1, number):
        among &= among - 1
    element: int = lowest_bit(among)
    return element


@inlined_without_refcounts
def _add_deals(
    x: int, begin: int, all_lower: bool, times: np.int64, part: Part, in_order: SortedCombos,
    lists: Lists, matchups: Matchups, search: Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Add what a hero's combos win or split to the sums, or with ``all_lower`` all deals."""
    exact, floats, errors, made, category_ends = sums
    deals, hero = search.deals, matchups.heroes[x]
    masks = deals.shape[2]
    for number in range(begin, lists.ends[hero]):
        if number % part.parts != part.number:
            continue
        place = lists.combos[hero, number] >> 12
        h, own, category = in_order.combos[place], 1.0, 0
        if made.size:
            u, v = lists.combos[hero, number] & 63, lists.combos[hero, number] >> 6 & 63
            own = matchups.weights[hero, u, v]
            category = hand_category(in_order.ranks[place], category_ends)
        for mask in range(masks):
            found = deals[x, number - begin, mask]
            if found == 0:
                continue
            if all_lower:
                made[x, category, masks] += times * own * found
                continue
            if exact.size:
                exact[x, h, mask] += times * np.int64(found)
            else:
                add_term(floats, errors, x, h, mask, times * found)
            if made.size:
                made[x, category, mask] += times * own * found


@compiled_without_refcounts
def _count_board(
    dealt: int, times: np.int64, part: Part, in_order: SortedCombos, lists: Lists, matchups: Matchups,
    opponents: OpponentSums, search: Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted.

    If some have folded, they alone are in a first level, below every hand rank. With hand categories,
    all combos are lower ones of a last level: that counts all deals.
    """
    players = lists.begins.size
    list_combos(dealt, in_order, matchups.combos, lists)
    clear(matchups, opponents)
    last, everyone = 0, (1 << players) - 1
    if matchups.active < players:
        find_level(matchups.active, dealt, lists)
        open_level(False, lists, matchups, opponents)
        find_steps(WHOLE_DECK, matchups, opponents)
        add_level(everyone, 1, WHOLE_DECK, lists, matchups, opponents)
        close_level(False, lists, opponents)
    while last < dealt or sums.made.size:
        all_lower = last == dealt
        if not all_lower:
            rank = in_order.ranks[last]
            while last < dealt and in_order.ranks[last] == rank:
                last += 1
        find_level(0, last, lists)
        who_tie = 0
        for player in range(matchups.active):
            who_tie += lists.begins[player] < lists.ends[player]
        among = _plan_level(all_lower, part.parts, lists, matchups, search)
        ties = among < 0 and who_tie > 2
        open_level(ties, lists, matchups, opponents)
        begun = WHOLE_DECK
        if matchups.opponents.shape[1] == 3 and not all_lower:
            begun = _tied_cards(opponents)
        find_steps(begun, matchups, opponents)
        if among >= 0:
            _count_sets(among, begun, part, lists, matchups, opponents, search)
        else:
            for x in range(matchups.heroes.size):
                begin = 0 if all_lower else lists.begins[matchups.heroes[x]]
                given = lists, matchups, opponents, search
                count_level(x, begin, search.viable[x], 0, 0, part, ties, *given)
            add_level(everyone, 1, begun, lists, matchups, opponents)
        close_level(ties, lists, opponents)
        for x in range(matchups.heroes.size):
            begin = 0 if all_lower else lists.begins[matchups.heroes[x]]
            _add_deals(x, begin, all_lower, times, part, in_order, lists, matchups, search, sums)
        if all_lower:
            break


@inlined_without_refcounts
def _tied_cards(opponents: OpponentSums) -> int:
    """Return the cards of all tied combos, a bit each."""
    cards = 0
    for held in opponents.held:
        cards |= held
    return cards


def count_against_three(
    boards: UInt8s, times: Ints, begin: int, end: int,
    pairs: Ints, tables: HandRankTables, matchups: Matchups, sums: ShowdownSums,
    part: int = 0, parts: int = 1,
) -> None:  # fmt: skip
    """Count, for each hero and combo, the deals that it wins or splits, by who splits.

    ``boards`` (n, 5) are full boards, ``times`` (n,) how often each counts; ``begin`` to ``end`` are
    visited. On a board of no cards, (1, 0), all tie: that counts the deals. ``pairs`` (m, 2) are the
    cards of the combos in any range. The numbers are added to ``sums``. Of a hero's combos on a board
    only every one in ``parts`` is counted.
    """
    players, masks = len(matchups.weights), matchups.plans.shape[1]
    opponents = new_opponent_sums(matchups)
    total = opponents.totals.dtype
    lists = new_lists(players, len(pairs))
    search = Search(
        np.zeros(players, total),
        np.zeros(players, np.int64),
        np.zeros(players, np.int64),
        np.zeros((len(matchups.heroes), len(pairs), masks), total),
        np.zeros(2 * players, np.int64),
        np.zeros(len(matchups.heroes), np.int64),
        np.zeros(len(matchups.heroes), np.int64),
    )
    _count_boards(
        boards,
        times,
        begin,
        end,
        pairs,
        tables,
        Part(part, parts),
        lists,
        matchups,
        opponents,
        search,
        sums,
    )


@compiled
def _count_boards(
    boards: UInt8s, times: Ints, begin: int, end: int, pairs: Ints, tables: HandRankTables, part: Part,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, board by board."""
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], part, in_order, lists, matchups, opponents, search, sums)
