"""Showdowns against three to five opponents: go through a board's combos by ascending hand rank.

The sums of the lower combos of all players are kept up to date (:mod:`..sums`). A hero's combo is then
counted for each set of opponents who tie with it, as its plan has it: the listed opponents' combos are
taken out of the deck in turn, and two or three opponents that are left are counted in closed form.

If so many tie that listing them is slow, the tied combos of some opponents are added to the lower ones
for a while: that counts the deals in which none but those tie, for each set of opponents. What it
counts for a set, less that for its parts, are the deals in which the whole set ties.

A player who has folded is one who always loses: all their combos are lower ones before the first level.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
)
from gpuodds.backends.cpu.compile.lanes import number_at
from gpuodds.backends.cpu.ranges.three_opponents.closed_form import (
    count_three,
    count_two,
    take_out,
    take_out_of_three,
    take_out_of_two,
)
from gpuodds.backends.cpu.ranges.three_opponents.matchups import (
    LISTED,
    NUM_LISTED,
    PAIR,
    TRIPLE,
    WANTED,
    Matchups,
)
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    Lists,
    OpponentSums,
    Sums,
    add_level,
    clear,
    close_level,
    new_opponent_sums,
    open_level,
    row_length,
)
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums, add_term, hand_category
from gpuodds.backends.cpu.shared.sorting import SortedCombos, new_sort_scratch, new_sorted, sort_combos
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

WHOLE_DECK = (1 << DECK_SIZE) - 1
# About the time of a count of two and of one of three opponents, and to add a tied combo.
TWO, THREE, ADDED = 1.0, 4.5, 3.5


class _Search(NamedTuple):
    # By stage: the product of the weights so far, where in the next opponent's list the search stands,
    # and the cards that are gone, as bits. ``deals`` (m, masks) are what the combos of a level win or
    # split, ``viable`` (masks,) the sets that can tie.
    factor: Sums
    at: Ints
    gone: Ints
    deals: Sums
    viable: Ints


class _Part(NamedTuple):
    # A part of a board's work: of each ``parts`` combos of a hero the one of this number is counted.
    number: int
    parts: int


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
def _find_level(first_player: int, last: int, lists: Lists) -> None:
    """Let the tied combos be those after the tied ones so far, to place ``last``, of some players."""
    combos, begins, ends = lists
    for p in range(begins.size):
        begins[p] = ends[p]
        if p >= first_player:
            while combos[p, ends[p]] >> 12 < last:
                ends[p] += 1


@compiled_without_refcounts
def _count_level(
    x: int, begin: int, end: int, tied: int, part: _Part, ties: bool,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: _Search,
) -> None:  # fmt: skip
    """Count a hero's combos from place ``begin`` to ``end`` of his list, into ``search.deals``.

    If ``tied`` is not negative, the tied combos of that set of opponents are among the lower ones; see
    :func:`_count_sets`.
    """
    factor, at, gone, deals, viable = search
    hero, others, plans = matchups.heroes[x], matchups.opponents[x], matchups.plans[x]
    players = lists.begins.size
    masks, width = deals.shape[1], row_length(opponents.rows)
    included = 0  # the players whose tied combos are among the lower ones
    for o in range(others.size):
        if tied >= 0 and tied >> o & 1:
            included |= 1 << others[o]
    for number in range(begin, end):
        if number % part.parts != part.number:
            continue
        u_hero, v_hero = lists.combos[hero, number] & 63, lists.combos[hero, number] >> 6 & 63
        is_out = False
        for mask in range(masks):
            plan = plans[mask]
            if tied > 0 and not _is_base(mask, tied, included, plan, lists, matchups):
                continue
            if tied <= 0 and (not viable[mask] or (tied == 0 and plan[TRIPLE] < 0)):
                continue
            listed, triple = plan[NUM_LISTED], plan[TRIPLE]
            j, k = plan[PAIR], plan[PAIR + 1]
            u, v, stage = u_hero, v_hero, 0
            gone[0], factor[0], factor[1] = 0, 1, 1
            total = 0 * factor[0]
            while True:
                if stage < listed:
                    slot = plan[LISTED + stage]
                    if stage and triple < 0:
                        take_out_of_two(u, v, stage, j, k, matchups, opponents)
                    elif stage or not is_out:
                        take_out(u, v, stage, others, ties, matchups, opponents)
                        is_out = True
                    if triple >= 0:
                        needed = _cards_of(slot, included, lists) if stage + 1 == listed else WHOLE_DECK
                        take_out_of_three(u, v, stage, triple, needed, matchups, opponents)
                    gone[stage + 1] = gone[stage] | 1 << u | 1 << v
                    stage += 1
                    at[stage] = _begin(plan[LISTED + stage - 1], lists)
                if stage == listed:
                    player, first, last = hero, number, number + 1
                    if listed:
                        slot = plan[LISTED + stage - 1]
                        player = slot % players
                        first, last = at[stage], _end(slot, included, lists)
                    of_player, of_weights = player * lists.combos.shape[1], player * DECK_SIZE * width
                    out, weight = gone[stage], factor[stage]
                    if triple >= 0:
                        for place in range(first, last):
                            combo = number_at(lists.combos, of_player + place)
                            u, v = combo & 63, combo >> 6 & 63
                            if (out >> u | out >> v) & 1:
                                continue
                            found = count_three(u, v, stage, triple, matchups, opponents)
                            if listed:
                                found *= number_at(matchups.weights, of_weights + u * width + v)
                            total += weight * found
                    else:
                        for place in range(first, last):
                            combo = number_at(lists.combos, of_player + place)
                            u, v = combo & 63, combo >> 6 & 63
                            if (out >> u | out >> v) & 1:
                                continue
                            found = count_two(u, v, stage, j, k, matchups, opponents)
                            if listed:
                                found *= number_at(matchups.weights, of_weights + u * width + v)
                            total += weight * found
                    stage -= 1
                while stage > 0:
                    slot = plan[LISTED + stage - 1]
                    player, place = slot % players, at[stage]
                    if place == _end(slot, included, lists):
                        stage -= 1
                        continue
                    at[stage] += 1
                    u, v = lists.combos[player, place] & 63, lists.combos[player, place] >> 6 & 63
                    if (gone[stage] >> u | gone[stage] >> v) & 1 == 0:
                        factor[stage + 1] = factor[stage] * matchups.weights[player, u, v]
                        break
                if stage <= 0:
                    break
            deals[number - begin, mask if tied < 0 else mask | tied] = total


@inlined_without_refcounts
def _is_base(mask: int, tied: int, included: int, plan: Ints, lists: Lists, matchups: Matchups) -> bool:
    """Return whether a set is counted while the combos of later tied opponents are lower ones."""
    triple = plan[TRIPLE]
    if not plan[WANTED] or triple < 0 or popcount(mask) < matchups.opponents.shape[1] - 3:
        return False
    if mask >= tied & -tied:
        return False
    for place in range(plan[NUM_LISTED]):
        if _size(plan[LISTED + place], included, lists) == 0:
            return False
    least = 1
    for place in range(3):
        least = min(least, _size(matchups.triples[triple, place], included, lists))
    return least > 0


@inlined_without_refcounts
def _begin(slot: int, lists: Lists) -> int:
    """Return the place of the first combo of a player, or of his first tied one."""
    players = lists.begins.size
    return lists.begins[slot - players] if slot >= players else 0


@inlined_without_refcounts
def _end(slot: int, included: int, lists: Lists) -> int:
    """Return the place after the last lower combo of a player, or after his last tied one."""
    player = slot % lists.begins.size
    if slot > player or included >> player & 1:
        return int(lists.ends[player])
    return int(lists.begins[player])


@inlined_without_refcounts
def _cards_of(slot: int, included: int, lists: Lists) -> int:
    """Return the cards of a player's lower or tied combos, a bit each."""
    cards, player = 0, slot % lists.begins.size
    for at in range(_begin(slot, lists), _end(slot, included, lists)):
        combo = number_at(lists.combos, player * lists.combos.shape[1] + at)
        cards |= 1 << (combo & 63) | 1 << (combo >> 6 & 63)
    return cards


@inlined_without_refcounts
def _size(slot: int, included: int, lists: Lists) -> int:
    return _end(slot, included, lists) - _begin(slot, lists)


@inlined_without_refcounts
def _find_viable(x: int, lists: Lists, matchups: Matchups, search: _Search) -> float:
    """Find the sets of opponents who can tie with a hero; return what a combo costs by listing them."""
    viable, cost = search.viable, 0.0
    for mask in range(viable.size):
        plan = matchups.plans[x, mask]
        viable[mask] = plan[WANTED]
        if not plan[WANTED]:
            continue
        each, least = 1.0, 1
        for place in range(plan[NUM_LISTED]):
            size = _size(plan[LISTED + place], 0, lists)
            each *= size
            least = min(least, size)
        triple = plan[TRIPLE]
        if triple >= 0:
            for place in range(3):
                least = min(least, _size(matchups.triples[triple, place], 0, lists))
        else:
            least = min(least, _size(plan[PAIR], 0, lists), _size(plan[PAIR + 1], 0, lists))
        viable[mask] = least > 0
        if least > 0:
            cost += each * (THREE if triple >= 0 else TWO)
    return cost


@inlined_without_refcounts
def _cost_of_sets(
    x: int, tied: int, lists: Lists, matchups: Matchups, search: _Search
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
                each *= _size(matchups.opponents[x, o] + lists.begins.size, 0, lists)
                listed += 1
        for place in range(listed, fixed):
            each *= _size(plan[LISTED + place], 0, lists)
        cost += each
    later = _later(tied, fixed)
    for o in range(matchups.opponents.shape[1]):
        if later >> o & 1:
            added = 2.0 * added + ADDED * _size(matchups.opponents[x, o] + lists.begins.size, 0, lists)
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
    x: int, begin: int, end: int, tied: int, part: _Part,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: _Search,
) -> None:  # fmt: skip
    """Count a hero's combos as :func:`_count_level`, but for those with more tied than are listed.

    Of o opponents the first o - 3 that tie are listed, each combo once. The combos of others who tie,
    all of them later opponents, are added to the lower ones: that counts the deals in which any of
    these others tie, or none. What it counts for a set, less that for its parts, are the deals of it.
    """
    deals, others = search.deals, matchups.opponents[x]
    fixed = others.size - 3
    later, only = _later(tied, fixed), -1 if fixed else matchups.plans[x, 0, TRIPLE]
    now, step = 0, 0
    while True:
        _count_level(x, begin, end, now, part, False, lists, matchups, opponents, search)
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
    x: int, begin: int, end: int, all_lower: bool, times: np.int64, part: _Part, in_order: SortedCombos,
    lists: Lists, matchups: Matchups, search: _Search, sums: ShowdownSums,
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
    dealt: int, times: np.int64, part: _Part, in_order: SortedCombos, lists: Lists, matchups: Matchups,
    opponents: OpponentSums, search: _Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count the combos of each hero on a board, whose ``dealt`` combos are sorted.

    If some have folded, they alone are in a first level, below every hand rank. With hand categories,
    all combos are lower ones of a last level: that counts all deals.
    """
    players = lists.begins.size
    _list_combos(dealt, in_order, matchups, lists)
    clear(matchups, opponents)
    last, everyone = 0, (1 << players) - 1
    if matchups.active < players:
        _find_level(matchups.active, dealt, lists)
        add_level(everyone, 1, -1, lists, matchups, opponents)
    while last < dealt or sums.made.size:
        all_lower = last == dealt
        if not all_lower:
            rank = in_order.ranks[last]
            while last < dealt and in_order.ranks[last] == rank:
                last += 1
        _find_level(0, last, lists)
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
                _count_level(x, begin, end, -1, part, who_tie > 2, lists, matchups, opponents, search)
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
    ints = np.zeros(players, np.int64)
    lists = Lists(np.zeros((players, len(pairs) + 1), np.int64), ints, ints.copy())
    search = _Search(
        np.zeros(players, total),
        ints.copy(),
        ints.copy(),
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
        _Part(part, parts),
        lists,
        matchups,
        opponents,
        search,
        sums,
    )


@compiled
def _count_boards(
    boards: UInt8s, times: Ints, begin: int, end: int, pairs: Ints, tables: HandRankTables, part: _Part,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: _Search, sums: ShowdownSums,
) -> None:  # fmt: skip
    """Count, board by board."""
    sort_scratch, in_order = new_sort_scratch(), new_sorted(pairs.shape[0])
    for number in range(begin, end):
        dealt = sort_combos(boards[number], pairs, tables, sort_scratch, in_order)
        _count_board(dealt, times[number], part, in_order, lists, matchups, opponents, search, sums)
