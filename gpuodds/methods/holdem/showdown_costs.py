"""Estimate what showdowns of ranges cost, and choose how a spot's are counted."""

from __future__ import annotations

from functools import lru_cache
from math import comb, prod
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.backends.costs import CALL, CALL_ALONE, SUIT_RENAMINGS
from gpuodds.backends.operations.two_ranges import on_board_seconds, preflop_seconds, sweep_seconds
from gpuodds.backends.showdown_costs import board_seconds, sizes_of
from gpuodds.cards import DECK_SIZE

if TYPE_CHECKING:
    from gpuodds.methods.method import Machine
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot

MAX_SHOWDOWN_PLAYERS = 6
FLOP_CARDS = 3
SECONDS_WORTH_A_GROUP = 2e-3
# For each full board: to list it; to find its class under suit renamings (base, each one).
LISTED_BOARD, GROUPED_BOARD = 1e-8, (6e-8, 2e-8)


def showdown_seconds(spot: Spot, options: Options, machine: Machine) -> float:
    """Estimate how long showdowns take the CPU of a machine to count."""
    if is_two_ranges(spot, options):
        known = len({*spot.board, *spot.removed})
        return CALL_ALONE + _two_ranges(*spot.sizes, known, spot.to_come)[0]
    threads = machine.thread_count  # not asked above: it takes longer than two ranges on a board
    if is_two_ranges_preflop(spot):
        made = len(spot.hands) * options.made_hands
        return (
            CALL + preflop_seconds(np.count_nonzero(spot.all_weights, axis=1).tolist(), made) / threads
        )
    made_hands, by_combo = options.made_hands, options.by_hand
    heroes = counted_heroes(spot, options)
    sizes = sizes_of(spot.all_weights, spot.folded_weights, heroes, made_hands, by_combo)
    board = board_seconds(sizes)
    listing, boards = _listed_boards(spot)
    return CALL + listing + boards * board / threads


def why_no_showdowns(spot: Spot) -> str:
    """Return why showdowns cannot be counted; empty if they can."""
    if spot.players == 2 and not spot.folded:
        return ""
    if spot.players + len(spot.folded) > MAX_SHOWDOWN_PLAYERS:
        return f"more than {MAX_SHOWDOWN_PLAYERS} players"
    rows = np.vstack([spot.all_weights, spot.folded_weights])
    if not _fits(spot, sorted(int(size) for size in np.count_nonzero(rows, axis=1))):
        return "the ranges are too wide: counts could pass 63 bits"
    return ""


def counted_heroes(spot: Spot, options: Options) -> list[int]:
    """Return the players whose combos are counted, by place: the others' counts follow from theirs.

    Equal ranges have equal counts, and random opponents need none. Without these the widest range wins
    what no other wins or splits. Two players, if none has folded, are counted together.

    Args:
        spot: The spot.
        options: The options of the answer.
    """
    if spot.players == 2 and not spot.folded:
        return [0, 1]
    heroes = list(range(len(spot.hands)))
    if options.is_counted_only:
        return heroes
    equal = equal_to(spot)
    heroes = [hero for hero in heroes if equal[hero] == hero]
    if not spot.opponents:
        alone = [hero for hero in heroes if equal.count(hero) == 1]
        if alone and len(heroes) > 1:
            heroes.remove(max(alone, key=lambda hero: spot.sizes[hero]))
    return heroes


def equal_to(spot: Spot) -> list[int]:
    """Return for each named player the first one with the same range, by place."""
    rows = spot.weights
    firsts: list[int] = []
    for place, size in enumerate(spot.sizes[: len(rows)]):
        same = (
            other
            for other in dict.fromkeys(firsts)
            if spot.sizes[other] == size and bool((rows[other] == rows[place]).all())
        )
        firsts.append(next(same, place))
    return firsts


def is_two_ranges(spot: Spot, options: Options) -> bool:
    """Return whether a spot is best counted by pairs of combos: two players on a flop or later.

    No player has folded, and counts are integers. Two wide ranges may take less by a sweep over the
    runouts, where many of these are alike up to a renaming of the suits.

    Args:
        spot: The spot.
        options: The options of the answer.
    """
    has_board = spot.players == 2 and len(spot.board) >= FLOP_CARDS and not spot.folded
    if not has_board or options.made_hands or not spot.has_integer_weights:
        return False
    seconds, sweep = _two_ranges(*spot.sizes, len({*spot.board, *spot.removed}), spot.to_come)
    return seconds < SECONDS_WORTH_A_GROUP or seconds < sweep / len(spot.suit_group)


@lru_cache
def _two_ranges(first: int, second: int, known: int, to_come: int) -> tuple[float, float]:
    """Estimate the seconds for two ranges of so many combos, and those of a sweep over the runouts."""
    sizes, runouts = (first, second), comb(DECK_SIZE - known, to_come)
    return on_board_seconds(sizes, runouts, is_whole=True), sweep_seconds(sizes, runouts)


def is_two_ranges_preflop(spot: Spot) -> bool:
    """Return whether a spot is counted by types of hands: two players, and the full deck to come."""
    return spot.players == 2 and not (spot.board or spot.removed or spot.folded)


def _listed_boards(spot: Spot) -> tuple[float, float]:
    """Return the seconds to list the boards, and the number of their classes."""
    every, group = _runouts(spot), len(spot.suit_group)
    if group == SUIT_RENAMINGS and not spot.board and not spot.dead:
        return 0.0, every / group  # canonical_boards keeps this list
    each, renamed = GROUPED_BOARD if group > 1 else (0.0, 0.0)
    return every * (LISTED_BOARD + each + renamed * group), every / group


def _runouts(spot: Spot) -> int:
    return comb(DECK_SIZE - len({*spot.board, *spot.removed}), spot.to_come)


def _fits(spot: Spot, sizes: list[int]) -> bool:
    """Return whether a combo's counts over all boards fit 63 bits."""
    return prod(sizes[1:]) * _runouts(spot) < 1 << 63
