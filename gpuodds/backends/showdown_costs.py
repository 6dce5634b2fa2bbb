"""What showdowns of ranges cost a thread of the CPU for each full board, in seconds.

Fitted to the measurements of ``python bench/pricing.py``, as :mod:`gpuodds.backends.costs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import COUNTED_BOARD, COUNTED_COMBO, SORTED_COMBO

Floats = npt.NDArray[np.float64]

# What made hands add to two players: a factor.
MADE_HANDS_FACTOR = 1.3
# With three players, by whether all weights are 0 or 1: to update a combo for a hero, to sum his two
# opponents.
HERO_COMBO, CLOSED_SUMS = (1.5e-8, 1e-8), (2.2e-7, 2e-8)
# With one of two opponents folded: for each hero; to move a combo from sum to sum; to sum two players,
# and two who have both folded. If all weights are 0 or 1, the CPU needs a fifth to two fifths of that.
FOLDED_BOARD, MOVED_COMBO, FOLDED_SUMS, BOTH_FOLDED_SUMS = 5e-6, 4e-8, 2.5e-7, 6e-8

# With three opponents and more, for each board; by whether all weights are 0 or 1: to count two of them
# and three; to take a combo out of the sums of three; to add a combo to sums of one player and of two,
# and for each arc and triple of the players.
BEGUN, TWO, THREE, TAKEN_OUT = 4e-6, (4e-8, 2e-8), (2.4e-7, 1e-7), (7e-7, 2e-7)
ADDED, ADDED_TO_THREE = 4e-8, (1.5e-8, 8e-9)
ARCS_AND_TRIPLES = (11, 25, 44)  # of four players and more
DEALT = 0.8  # of a range's combos on a board
TIED = 0.06  # of them tie with one of a similar range
ADDED_TIES = 0.75  # a factor: tied combos are added for a while where none is listed
MAX_PARTS, REPEATED = 8, 5  # of a board; times as long as what each of them repeats


@dataclass(frozen=True)
class Sizes:
    """The combos of the players on whom a cost depends.

    Attributes:
        players: Of each player who can win.
        folded: Of each who has folded.
        heroes: Of those who are counted.
        active: How many combos some player has.
        is_whole: Whether all weights are 0 or 1.
        made_hands: Whether made hands are counted.
        by_combo: Whether each combo's ties are counted, those of a set of players for each of them.
    """

    players: Sequence[int]
    folded: Sequence[int]
    heroes: Sequence[int]
    active: int
    is_whole: bool
    made_hands: bool
    by_combo: bool


def sizes_of(
    weights: Floats, folded: Floats, heroes: Sequence[int], made_hands: bool, by_combo: bool
) -> Sizes:
    """Return the sizes of ranges, of shapes (players, 1326) and (folded players, 1326)."""
    players, out = (np.count_nonzero(rows, axis=1).tolist() for rows in (weights, folded))
    is_whole = all(bool(((rows == 0.0) | (rows == 1.0)).all()) for rows in (weights, folded))
    active = int(np.count_nonzero(weights.any(axis=0)))
    counted = [players[hero] for hero in heroes]
    return Sizes(players, out, counted, active, is_whole, made_hands, by_combo)


def board_seconds(sizes: Sizes) -> float:
    """Estimate the seconds that a thread takes to compare ranges on a full board."""
    every = len(sizes.players) + len(sizes.folded)
    if every > 3:
        return COUNTED_BOARD + SORTED_COMBO * sizes.active + min(_by_two(sizes), _by_three(sizes))
    if every == 2:
        work = SORTED_COMBO * sizes.active + COUNTED_COMBO * sum(sizes.players)
        return COUNTED_BOARD + work * (MADE_HANDS_FACTOR if sizes.made_hands else 1.0)
    if sizes.folded and not sizes.is_whole:
        both_folded = len(sizes.folded) == 2
        each = (BOTH_FOLDED_SUMS if both_folded else FOLDED_SUMS) * (1 + sizes.made_hands)
        work = FOLDED_BOARD + MOVED_COMBO * sizes.active
        work = work * len(sizes.heroes) + each * sum(sizes.heroes)
        return COUNTED_BOARD + SORTED_COMBO * sizes.active + work
    work = (SORTED_COMBO + HERO_COMBO[sizes.is_whole] * len(sizes.heroes)) * sizes.active
    work += CLOSED_SUMS[sizes.is_whole] * sum(sizes.heroes) * (1 + sizes.made_hands)
    return COUNTED_BOARD + work


def is_by_three(sizes: Sizes) -> bool:
    """Return whether three or more opponents are counted three at once, and not two."""
    return _by_three(sizes) < _by_two(sizes)


def parts_of_a_board(sizes: Sizes) -> int:
    """Return in how many parts the heroes' combos of a board are worth counting.

    Each part goes through all combos of the board. There are three opponents or more.
    """
    repeated = BEGUN + _added(sizes)
    return max(1, min(MAX_PARTS, int(board_seconds(sizes) / (REPEATED * repeated))))


def _added(sizes: Sizes) -> float:
    """Estimate the seconds to add all combos to the sums of three."""
    every = (*sizes.players, *sizes.folded)
    arcs_and_triples = ARCS_AND_TRIPLES[min(len(every) - 4, 2)]
    return (ADDED + ADDED_TO_THREE[sizes.is_whole] * arcs_and_triples) * sum(every)


def _by_two(sizes: Sizes) -> float:
    """Estimate the seconds for three opponents and more if all but two are listed."""
    work = BEGUN + ADDED * sum((*sizes.players, *sizes.folded))
    for hero in sizes.heroes:
        listed = _opponents(sizes, hero)[:-2]
        visits = prod(1 + size / 2 for size in listed) + sizes.made_hands * prod(listed)
        work += hero * TWO[sizes.is_whole] * (2 + visits)
    return work


def _by_three(sizes: Sizes) -> float:
    """Estimate the seconds for three opponents and more if all but three are listed."""
    whole = sizes.is_whole
    work = BEGUN + _added(sizes)
    for place, hero in enumerate(sizes.heroes):
        opponents = _opponents(sizes, hero)
        listed = [DEALT * size for size in opponents[:-3]]
        # The listing visits only combos that do not beat the hero's: of n lists 1 / (n + 1) of the
        # tuples on average. Made hands visit all once more.
        lone = prod(listed) * (1 / (len(listed) + 1) + sizes.made_hands)
        can_tie = len(sizes.players) - 1 - (0 if sizes.by_combo else place)
        ties = ((1 << max(0, can_tie)) - 1) * prod(1 + TIED * size for size in listed)
        each = THREE[whole] * (lone + ties * (1.0 if listed else ADDED_TIES))
        if listed:
            each += TAKEN_OUT[whole] * (2 + can_tie) * prod(1 + size / 2 for size in listed[1:])
        work += DEALT * hero * each
    return work


def _opponents(sizes: Sizes, hero: int) -> list[int]:
    """Return the sizes of a hero's opponents, the narrowest first."""
    left = sorted((*sizes.players, *sizes.folded))
    left.remove(hero)
    return left
