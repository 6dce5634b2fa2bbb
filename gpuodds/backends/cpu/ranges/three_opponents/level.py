"""Count a hero's combos of a level: all those of one hand rank on a board."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
)
from gpuodds.backends.cpu.compile.lanes import number_at
from gpuodds.backends.cpu.ranges.combo_lists import Lists
from gpuodds.backends.cpu.ranges.three_opponents.closed_form import (
    count_three,
    count_two,
    find_three,
)
from gpuodds.backends.cpu.ranges.three_opponents.matchups import (
    LISTED,
    NUM_LISTED,
    PAIR,
    TRIPLE,
    Matchups,
)
from gpuodds.backends.cpu.ranges.three_opponents.sums import (
    WHOLE_DECK,
    OpponentSums,
    Sums,
    Total,
    row_length,
)
from gpuodds.backends.cpu.ranges.three_opponents.taken_out import (
    take_out,
    take_out_of_three,
    take_out_of_two,
)
from gpuodds.cards import DECK_SIZE

Ints = npt.NDArray[np.int64]


class Search(NamedTuple):
    """Scratch of a search through the combos of listed opponents, and what it finds.

    For each stage ``factor``, ``at`` and ``gone`` have the product of the weights so far, the place in
    the next opponent's list, and the cards taken out as bits. ``deals`` (heroes, m, masks) are what the
    combos of a level win or split.

    Of the level, ``sizes`` (2 x players,) are how many lower and how many tied combos the players have,
    ``viable`` (heroes,) the sets of opponents that can tie with a hero, a bit for each mask, and
    ``added`` (heroes,) the opponents whose tied combos are not listed but added, a mask.
    """

    factor: Sums
    at: Ints
    gone: Ints
    deals: Sums
    sizes: Ints
    viable: Ints
    added: Ints


class Part(NamedTuple):
    """A part of a board's work: of every ``parts`` combos of a hero the one of this number."""

    number: int
    parts: int


@compiled_without_refcounts
def count_level(
    x: int, begin: int, masks: int, tied: int, included: int, part: Part, ties: bool,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> None:  # fmt: skip
    """Count a hero's combos from place ``begin`` of his list to the end of the level.

    The deals of some sets of tied opponents are counted, a bit of ``masks`` for each. The tied combos
    of opponents ``tied``, who are the players ``included``, are among the lower ones: in these deals
    they tie or not. With ``ties`` the sums of tied combos are counted from, too.
    """
    deals, plans, hero = search.deals, matchups.plans[x], matchups.heroes[x]
    end, of_hero = lists.ends[hero], hero * lists.combos.shape[1]
    first = begin + (part.number - begin) % part.parts
    if masks & 1 and plans[0, NUM_LISTED] == 0:
        masks &= ~1
        three = find_three(0, plans[0, TRIPLE], matchups, opponents)
        for number in range(first, end, part.parts):
            combo = number_at(lists.combos, of_hero + number)
            deals[x, number - begin, tied] = count_three(combo & 63, combo >> 6 & 63, three, opponents)
    if masks == 0:
        return
    for number in range(first, end, part.parts):
        combo, is_out, left = number_at(lists.combos, of_hero + number), False, masks
        while left:
            mask = lowest_bit(left)
            left &= left - 1
            deals[x, number - begin, mask | tied] = _count_plan(
                combo & 63, combo >> 6 & 63, matchups.opponents[x], plans[mask], included, is_out, ties,
                lists, matchups, opponents, search,
            )  # fmt: skip
            is_out = True


@inlined_without_refcounts
def _count_plan(
    u: int, v: int, others: Ints, plan: Ints, included: int, is_out: bool, ties: bool,
    lists: Lists, matchups: Matchups, opponents: OpponentSums, search: Search,
) -> Total:  # fmt: skip
    """Count the deals of a set of tied opponents against a hero's combo (u, v); some are listed.

    The combos of the players ``included`` are lower ones also if they tie. The sums by card are as they
    must be for the combo if it ``is_out`` already.
    """
    factor, at, gone = search.factor, search.at, search.gone
    players, width = lists.begins.size, row_length(opponents.rows)
    listed, triple = plan[NUM_LISTED], plan[TRIPLE]
    j, k = plan[PAIR], plan[PAIR + 1]
    stage = 0
    gone[0], factor[1] = 0, 1
    total = 0 * factor[1]
    while True:
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
        at[stage] = _begin(slot, lists)
        if stage == listed:
            first, last = at[stage], _end(slot, included, lists)
            player = _player(slot, players)
            of_player, of_weights = player * lists.combos.shape[1], player * DECK_SIZE * width
            out, weight = gone[stage], factor[stage]
            if triple >= 0:
                three = find_three(stage, triple, matchups, opponents)
                for place in range(first, last):
                    combo = number_at(lists.combos, of_player + place)
                    u, v = combo & 63, combo >> 6 & 63
                    if (out >> u | out >> v) & 1 == 0:
                        found = count_three(u, v, three, opponents)
                        found *= number_at(matchups.weights, of_weights + u * width + v)
                        total += weight * found
            else:
                for place in range(first, last):
                    combo = number_at(lists.combos, of_player + place)
                    u, v = combo & 63, combo >> 6 & 63
                    if (out >> u | out >> v) & 1 == 0:
                        found = count_two(u, v, stage, j, k, matchups, opponents)
                        found *= number_at(matchups.weights, of_weights + u * width + v)
                        total += weight * found
            stage -= 1
        while stage > 0:
            slot = plan[LISTED + stage - 1]
            player, place = _player(slot, players), at[stage]
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
def have_combos(plan: Ints, included: int, matchups: Matchups, search: Search) -> bool:
    """Return whether all opponents of a plan have combos, lower or tied ones as it says.

    The tied combos of the players ``included`` are among the lower ones.
    """
    triple = plan[TRIPLE]
    for place in range(plan[NUM_LISTED]):
        if _size_of(plan[LISTED + place], included, search) == 0:
            return False
    if triple < 0:
        pair = _size_of(plan[PAIR], included, search), _size_of(plan[PAIR + 1], included, search)
        return min(pair) > 0
    have_none = 0
    for place in range(3):
        have_none += _size_of(matchups.triples[triple, place], included, search) == 0
    return have_none == 0


@inlined_without_refcounts
def _size_of(slot: int, included: int, search: Search) -> int:
    """Return the number of a player's lower combos, or for a slot above the players, of his tied ones.

    The tied combos of the players in the mask ``included`` are among the lower ones.
    """
    size: int = number_at(search.sizes, slot)
    if included >> slot & 1:
        size += number_at(search.sizes, slot + (search.sizes.size >> 1))
    return size


@inlined_without_refcounts
def _player(slot: int, players: int) -> int:
    """Return the player of a slot: that of his tied combos is above the players."""
    return slot - players if slot >= players else slot


@inlined_without_refcounts
def _begin(slot: int, lists: Lists) -> int:
    """Return the place of the first combo of a player, or of his first tied one."""
    players = lists.begins.size
    return lists.begins[slot - players] if slot >= players else 0


@inlined_without_refcounts
def _end(slot: int, included: int, lists: Lists) -> int:
    """Return the place after the last lower combo of a player, or after his last tied one."""
    player = _player(slot, lists.begins.size)
    if slot > player or included >> player & 1:
        return int(lists.ends[player])
    return int(lists.begins[player])


@inlined_without_refcounts
def _cards_of(slot: int, included: int, lists: Lists) -> int:
    """Return the cards of a player's lower or tied combos, a bit each."""
    cards, player = 0, _player(slot, lists.begins.size)
    for at in range(_begin(slot, lists), _end(slot, included, lists)):
        combo = number_at(lists.combos, player * lists.combos.shape[1] + at)
        cards |= 1 << (combo & 63) | 1 << (combo >> 6 & 63)
    return cards
