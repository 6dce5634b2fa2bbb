"""Count a hero's combos of a level: all those of one hand rank on a board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
    popcount,
)
from gpuodds.backends.cpu.compile.lanes import number_at
from gpuodds.backends.cpu.ranges.combo_lists import Lists
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
from gpuodds.backends.cpu.ranges.three_opponents.sums import OpponentSums, Sums, Total, row_length
from gpuodds.cards import DECK_SIZE

Ints = npt.NDArray[np.int64]

WHOLE_DECK = (1 << DECK_SIZE) - 1


class Search(NamedTuple):
    """Scratch of a search through the combos of listed opponents, and what it finds.

    For each stage ``factor``, ``at`` and ``gone`` have the product of the weights so far, the place in
    the next opponent's list, and the cards taken out as bits. ``deals`` (m, masks) are what the combos
    of a level win or split, ``viable`` (masks,) is 1 for the sets of opponents that can tie.
    """

    factor: Sums
    at: Ints
    gone: Ints
    deals: Sums
    viable: Ints


class Part(NamedTuple):
    """A part of a board's work: of every ``parts`` combos of a hero the one of this number."""

    number: int
    parts: int


@compiled_without_refcounts
def count_level(
    x: int, begin: int, end: int, tied: int, part: Part, ties: bool,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> None:  # fmt: skip
    """Count a hero's combos from place ``begin`` to ``end`` of his list, into ``search.deals``.

    If ``tied`` is not negative, the tied combos of that set of opponents are among the lower ones; see
    ``_count_sets`` in ``count.py``.
    """
    deals, viable = search.deals, search.viable
    hero, others, plans = matchups.heroes[x], matchups.opponents[x], matchups.plans[x]
    masks = deals.shape[1]
    included = 0  # the players whose tied combos are among the lower ones
    for o in range(others.size):
        if tied >= 0 and tied >> o & 1:
            included |= 1 << others[o]
    for number in range(begin, end):
        if number % part.parts != part.number:
            continue
        is_out = False  # whether the combo's cards are out of the first stage's sums
        for mask in range(masks):
            plan = plans[mask]
            if tied > 0 and not _is_base(mask, tied, included, plan, lists, matchups):
                continue
            if tied <= 0 and (not viable[mask] or (tied == 0 and plan[TRIPLE] < 0)):
                continue
            u, v = lists.combos[hero, number] & 63, lists.combos[hero, number] >> 6 & 63
            found = _count_plan(
                u,
                v,
                number,
                hero,
                others,
                plan,
                included,
                is_out,
                ties,
                lists,
                matchups,
                opponents,
                search,
            )
            is_out = is_out or plan[NUM_LISTED] > 0
            deals[number - begin, mask if tied < 0 else mask | tied] = found


@inlined_without_refcounts
def _count_plan(
    u: int, v: int, own_place: int, hero: int, others: Ints, plan: Ints, included: int, is_out: bool,
    ties: bool, lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> Total:  # fmt: skip
    """Count the deals of a set of tied opponents against a hero's combo (u, v), of a place in his list.

    The combos of the players ``included`` are lower ones also if they tie. The sums by card are as they
    must be for the combo if it ``is_out`` already.
    """
    factor, at, gone, _, _ = search
    players, width = lists.begins.size, row_length(opponents.rows)
    listed, triple = plan[NUM_LISTED], plan[TRIPLE]
    j, k = plan[PAIR], plan[PAIR + 1]
    stage = 0
    gone[0], factor[0], factor[1] = 0, 1, 1
    total = 0 * factor[0]
    while True:
        if stage < listed:
            slot = plan[LISTED + stage]
            if stage and triple < 0:
                take_out_of_two(u, v, stage, j, k, matchups, opponents)
            elif stage or not is_out:
                take_out(u, v, stage, others, ties, matchups, opponents)
            if triple >= 0:
                needed = _cards_of(slot, included, lists) if stage + 1 == listed else WHOLE_DECK
                take_out_of_three(u, v, stage, triple, needed, matchups, opponents)
            gone[stage + 1] = gone[stage] | 1 << u | 1 << v
            stage += 1
            at[stage] = _begin(plan[LISTED + stage - 1], lists)
        if stage == listed:
            player, first, last = hero, own_place, own_place + 1
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
    return total


@inlined_without_refcounts
def _is_base(mask: int, tied: int, included: int, plan: Ints, lists: Lists, matchups: Matchups) -> bool:
    """Return whether a set is counted while the combos of later tied opponents are lower ones."""
    triple = plan[TRIPLE]
    if not plan[WANTED] or triple < 0 or popcount(mask) < matchups.opponents.shape[1] - 3:
        return False
    if mask >= tied & -tied:
        return False
    for place in range(plan[NUM_LISTED]):
        if size_of(plan[LISTED + place], included, lists) == 0:
            return False
    least = 1
    for place in range(3):
        least = min(least, size_of(matchups.triples[triple, place], included, lists))
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
def size_of(slot: int, included: int, lists: Lists) -> int:
    """Return the number of a player's lower combos, or for a slot above the players, of his tied ones.

    The tied combos of the players in the mask ``included`` are among the lower ones.
    """
    return _end(slot, included, lists) - _begin(slot, lists)
