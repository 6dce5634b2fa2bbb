"""Showdowns against three to five opponents: go through a board's combos by ascending hand rank.

The sums of the lower combos of all players are kept up to date (``sums.py``). A hero's combo is then
counted for each set of opponents who may tie with it, by a plan (``matchups.py``): the combos of the
listed opponents are taken out of the deck in turn (``level.py``), and the two or three others are
counted in closed form (``closed_form.py``).

Where a level has many tied combos, listing them is slow. Those of some opponents are then added to the
lower ones for a while: that counts the deals in which any of these opponents tie, or none. The count of
a set, less those of its subsets, is the number of deals in which the whole set ties.

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
from gpuodds.backends.cpu.ranges.three_opponents.level import Part, Search, count_level, size_of
from gpuodds.backends.cpu.ranges.three_opponents.matchups import (
    LISTED,
    NUM_LISTED,
    PAIR,
    TRIPLE,
    WANTED,
    Matchups,
)
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    OpponentSums,
    add_level,
    clear,
    close_level,
    new_opponent_sums,
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


@inlined_without_refcounts
def _find_viable(x: int, lists: Lists, matchups: Matchups, search: Search) -> float:
    """Find the sets of opponents who can tie with a hero; return what a combo costs by listing them."""
    viable, cost = search.viable, 0.0
    for mask in range(viable.size):
        plan = matchups.plans[x, mask]
        viable[mask] = plan[WANTED]
        if not plan[WANTED]:
            continue
        each, least = 1.0, 1
        for place in range(plan[NUM_LISTED]):
            size = size_of(plan[LISTED + place], 0, lists)
            each *= size
            least = min(least, size)
        triple = plan[TRIPLE]
        if triple >= 0:
            for place in range(3):
                least = min(least, size_of(matchups.triples[triple, place], 0, lists))
        else:
            least = min(least, size_of(plan[PAIR], 0, lists), size_of(plan[PAIR + 1], 0, lists))
        viable[mask] = least > 0
        if least > 0:
            cost += each * (THREE if triple >= 0 else TWO)
    return cost


@inlined_without_refcounts
def _cost_of_sets(
    x: int, tied: int, lists: Lists, matchups: Matchups, search: Search
) -> tuple[float, float]:
    """Return the cost of a hero's combo by :func:`_count_sets`, and that of adding the tied ones."""
    cost, added, fixed = 0.0, 0.0, matchups.opponents.shape[1] - 3
    for mask in range(search.viable.size):
        plan = matchups.plans[x, mask]
        if not plan[WANTED] or mask & ~tied or (plan[TRIPLE] >= 0 and not search.viable[mask]):
            continue
        each, listed = THREE, 0
        for o in range(matchups.opponents.shape[1]):
            if mask >> o & 1 and listed < fixed:
                each *= size_of(matchups.opponents[x, o] + lists.begins.size, 0, lists)
                listed += 1
        for place in range(listed, fixed):
            each *= size_of(plan[LISTED + place], 0, lists)
        cost += each
    later = _later(tied, fixed)
    for o in range(matchups.opponents.shape[1]):
        if later >> o & 1:
            added = 2.0 * added + ADDED * size_of(
                matchups.opponents[x, o] + lists.begins.size, 0, lists
            )
    return cost, added


@inlined_without_refcounts
def _later(tied: int, fixed: int) -> int:
    """Return a set without its first opponents, as many as are ``fixed``."""
    for _ in range(fixed):
        tied &= tied - 1
    return tied


@inlined_without_refcounts
def _tied_opponents(x: int, lists: Lists, matchups: Matchups) -> int:
    """Return the opponents who have tied combos and whose ties with a hero are wanted, as a mask."""
    wanted = 0
    for mask in range(matchups.plans.shape[1]):
        if matchups.plans[x, mask, WANTED]:
            wanted |= mask
    for o in range(matchups.opponents.shape[1]):
        player = matchups.opponents[x, o]
        if lists.begins[player] == lists.ends[player]:
            wanted &= ~(1 << o)
    return wanted


@compiled_without_refcounts
def _count_sets(
    x: int, begin: int, end: int, tied: int, part: Part,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> None:  # fmt: skip
    """Count a hero's combos as :func:`count_level`, but for those with more tied than are listed.

    Of o opponents the first o - 3 that tie are listed, each combo once. The combos of others who tie,
    all of them later opponents, are added to the lower ones: that counts the deals in which any of
    these others tie, or none. What it counts for a set, less that for its parts, are the deals of it.
    """
    deals, others = search.deals, matchups.opponents[x]
    fixed = others.size - 3
    later, only = _later(tied, fixed), -1 if fixed else matchups.plans[x, 0, TRIPLE]
    now, step = 0, 0
    while True:
        count_level(x, begin, end, now, part, False, lists, matchups, opponents, search)
        if later == 0:
            break
        # The next set in the order of a Gray code: one opponent changes at a time. After the last,
        # which has but the last opponent, he is taken away.
        step += 1
        zeros, changed = lowest_bit(step), -1
        for o in range(others.size):
            if later >> o & 1 and zeros >= 0:
                changed, zeros = o, zeros - 1
        sign = -1 if now >> changed & 1 else 1
        add_level(1 << others[changed], sign, only, lists, matchups, opponents)
        now ^= 1 << changed
        if now == 0:
            break
    for o in range(others.size):
        if not later >> o & 1:
            continue
        for mask in range(deals.shape[1]):
            if mask >> o & 1 and popcount(mask & (1 << o) - 1) >= fixed:
                for number in range(end - begin):
                    deals[number, mask] -= deals[number, mask ^ 1 << o]


@inlined_without_refcounts
def _add_deals(
    x: int, begin: int, end: int, all_lower: bool, times: np.int64, part: Part, in_order: SortedCombos,
    lists: Lists, matchups: Matchups, search: Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Add what a hero's combos win or split to the sums, or with ``all_lower`` all deals."""
    exact, floats, errors, made, category_ends = sums
    deals, hero = search.deals, matchups.heroes[x]
    masks = deals.shape[1]
    for number in range(begin, end):
        if number % part.parts != part.number:
            continue
        place = lists.combos[hero, number] >> 12
        h, own, category = in_order.combos[place], 1.0, 0
        if made.size:
            u, v = lists.combos[hero, number] & 63, lists.combos[hero, number] >> 6 & 63
            own = matchups.weights[hero, u, v]
            category = hand_category(in_order.ranks[place], category_ends)
        for mask in range(masks):
            found = deals[number - begin, mask]
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
        add_level(everyone, 1, -1, lists, matchups, opponents)
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
        if who_tie > 2:
            open_level(lists, matchups, opponents)
        for x in range(matchups.heroes.size):
            hero = matchups.heroes[x]
            begin, end = (0 if all_lower else lists.begins[hero]), lists.ends[hero]
            if begin == end:
                continue
            search.deals[: end - begin] = 0
            tied = _tied_opponents(x, lists, matchups)
            each = _find_viable(x, lists, matchups, search)
            by_sets, added = _cost_of_sets(x, tied, lists, matchups, search)
            count = (end - begin) // part.parts
            if all_lower or not matchups.triples.size or count * each <= count * by_sets + added:
                count_level(x, begin, end, -1, part, who_tie > 2, lists, matchups, opponents, search)
            else:
                _count_sets(x, begin, end, tied, part, lists, matchups, opponents, search)
            _add_deals(x, begin, end, all_lower, times, part, in_order, lists, matchups, search, sums)
        if who_tie > 2:
            close_level(lists, matchups, opponents)
        add_level(everyone, 1, -1, lists, matchups, opponents)
        if all_lower:
            break


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
        np.zeros((len(pairs), masks), total),
        np.zeros(masks, np.int64),
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
