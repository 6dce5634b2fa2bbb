"""Estimate what showdowns of ranges cost; :mod:`gpuodds.methods.costs` has the other methods.

The constants are seconds of one core, likewise.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING

from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rules import COMBOS
from gpuodds.methods.options import Options

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

MAX_SHOWDOWN_PLAYERS = 6
SUIT_RENAMINGS = 24
FLOP_CARDS = 3

SECONDS_PER_CALL = 5e-4
# Showdowns, for each full board: to list it; to find its class under suit renamings (base, each one).
LISTED_BOARD, GROUPED_BOARD = 1e-8, (6e-8, 2e-8)
COUNTED_BOARD = 3e-7
# With two players, for each board: to rank and sort a combo; to count a combo against a range.
SORTED_COMBO_OF_TWO, COUNTED_COMBO_OF_TWO = 1.5e-8, 3e-9
MADE_HANDS_FACTOR = 1.3
# With two players, weights 0 or 1 and a board: one call; for each pair of combos, with cards to come.
CALL_OF_TWO, PAIR_OF_COMBOS = 2e-4, 1e-8
SECONDS_WORTH_A_GROUP = 2e-3
# Two ranges before the flop: base; a type of hands; a type of the first range; a pair of types. With
# made hands each range comes first once. Types by combos: at least, more per combo, at most.
PREFLOP_TYPES, PREFLOP_MADE_TYPES = (3e-3, 8e-5, 8e-4, 9e-6), (3e-3, 8e-5, 2e-3, 1.5e-5)
TYPES_OF_COMBOS = (3, 1 / 3, 338)
# With more players, for each board: to sort a combo; then by whether all weights are 0 or 1: to update
# it for a hero; to take a hero's combo out of the sums, if opponents beyond two are listed; to sum the
# two widest opponents.
SORTED_COMBO = 1.2e-8
HERO_COMBO, TAKEN_OUT, CLOSED_SUMS = (1.5e-8, 1e-8), (2e-7, 4e-7), (2.2e-7, 2e-8)
# With folded players: for each board and hero; to move a combo from sum to sum; to sum two players, and
# two who have both folded.
FOLDED_BOARD, MOVED_COMBO, FOLDED_SUMS, BOTH_FOLDED_SUMS = 5e-6, 4e-8, 2.5e-7, 6e-8


def showdown_seconds(spot: Spot, options: Options, threads: int) -> float | None:
    """Estimate how long showdowns take to count; None if they cannot be counted."""
    import numpy as np

    if why_no_showdowns(spot):
        return None
    if is_two_ranges(spot, options):
        return CALL_OF_TWO + two_ranges_seconds(spot)
    weights = spot.all_weights
    sizes = sorted(spot.sizes)
    if spot.folded:
        return _folded_showdown_seconds(spot, options, sizes, threads)
    if is_two_ranges_preflop(spot):
        return SECONDS_PER_CALL + _preflop_seconds(spot, options.made_hands) / threads
    active = int(np.count_nonzero(weights.any(axis=0)))
    listing, boards = _board_seconds(spot)
    if spot.players == 2:
        work = SORTED_COMBO_OF_TWO * active + COUNTED_COMBO_OF_TWO * sum(sizes)
        work *= MADE_HANDS_FACTOR if options.made_hands else 1.0
    else:
        heroes = [spot.sizes[hero] for hero in counted_heroes(spot, options)]
        whole = spot.has_integer_weights
        work = (SORTED_COMBO + HERO_COMBO[whole] * len(heroes)) * active
        work += sum(_hero_seconds(sizes, size, whole, options.made_hands) for size in heroes)
    return SECONDS_PER_CALL + listing + boards * (COUNTED_BOARD + work) / threads


def why_no_showdowns(spot: Spot) -> str:
    """Return why showdowns cannot be counted; empty if they can."""
    import numpy as np

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
    found: list[int] = []
    for place, size in enumerate(spot.sizes[: len(rows)]):
        same = (
            other
            for other in dict.fromkeys(found)
            if spot.sizes[other] == size and bool((rows[other] == rows[place]).all())
        )
        found.append(next(same, place))
    return found


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
    seconds = two_ranges_seconds(spot)
    return seconds < SECONDS_WORTH_A_GROUP or seconds < _sweep_seconds(spot) / len(spot.suit_group)


def is_two_ranges_preflop(spot: Spot) -> bool:
    """Return whether a spot is counted by types of hands: two players, and the full deck to come."""
    return spot.players == 2 and not (spot.board or spot.removed or spot.folded)


def two_ranges_seconds(spot: Spot) -> float:
    """Estimate the smaller cost of a sweep over the runouts and of going through pairs of combos."""
    sweep = _sweep_seconds(spot)
    return min(sweep, PAIR_OF_COMBOS * prod(spot.sizes)) if spot.to_come else sweep


def _sweep_seconds(spot: Spot) -> float:
    combos = min(sum(spot.sizes), COMBOS)
    return _runouts(spot) * (COUNTED_BOARD + SORTED_COMBO_OF_TWO * combos)


def _preflop_seconds(spot: Spot, made_hands: bool) -> float:
    least, each, most = TYPES_OF_COMBOS
    first, second = (min(least + each * int(size), most) for size in (spot.all_weights > 0).sum(axis=1))
    base, a_type, row, pair = PREFLOP_MADE_TYPES if made_hands else PREFLOP_TYPES
    once = base + a_type * (first + second) + pair * first * second
    if not made_hands:
        return (once + row * min(first, second)) / (2 if first == second else 1)
    if len(spot.hands) == 1 or first == second:
        return once + row * first
    return 2 * once + row * (first + second)


def _folded_showdown_seconds(spot: Spot, options: Options, sizes: list[int], threads: int) -> float:
    import numpy as np

    gone = np.count_nonzero(spot.folded_weights, axis=1).tolist()
    listing, boards = _board_seconds(spot)
    heroes = [spot.sizes[hero] for hero in counted_heroes(spot, options)]
    active = int(np.count_nonzero(spot.all_weights.any(axis=0)))
    work = FOLDED_BOARD * len(heroes) + SORTED_COMBO * active
    for size in heroes:
        work += MOVED_COMBO * active
        against = sizes.copy()
        against.remove(size)
        # As the backend has it, the last two are summed. Of a player who can win the listing visits
        # the combos that do not beat the hero's.
        every = sorted([(n / 4, n / 2, n) for n in against] + [(n, n, n) for n in gone])
        visits = prod(half for _, half, _ in every[:-2])
        visits += prod(n for _, _, n in every[:-2]) * options.made_hands
        both_folded = every[-2][0] == every[-2][2]
        work += size * (BOTH_FOLDED_SUMS if both_folded else FOLDED_SUMS) * visits
    return SECONDS_PER_CALL + listing + boards * (COUNTED_BOARD + work) / threads


def _hero_seconds(sizes: list[int], size: int, whole: bool, made_hands: bool) -> float:
    # The listing visits only combos that do not beat the hero's: of n lists 1 / (n + 1) of the tuples
    # on average. Made hands visit all tuples once more.
    others = sizes.copy()
    others.remove(size)
    lists = others[:-2]
    visits = (1 / (len(lists) + 1) + made_hands) * prod(lists)
    return size * (TAKEN_OUT[whole] * bool(lists) + CLOSED_SUMS[whole] * visits)


def _board_seconds(spot: Spot) -> tuple[float, float]:
    """Return the seconds to list the boards, and the number of their classes."""
    every, group = _runouts(spot), len(spot.suit_group)
    if group == SUIT_RENAMINGS and not spot.board and not spot.dead:
        return 0.0, every / group  # canonical_boards keeps this list
    each, renamed = GROUPED_BOARD if group > 1 else (0.0, 0.0)
    return every * (LISTED_BOARD + each + renamed * group), every / group


def _runouts(spot: Spot) -> int:
    return comb(DECK_SIZE - len({*spot.board, *spot.removed}), spot.to_come)


def _fits(spot: Spot, sizes: list[int]) -> bool:
    """Return whether a combo's counts over all boards fit 63 bits, and those of one board 53 bits."""
    tuples = prod(sizes[1:])
    return tuples < 1 << 53 and tuples * _runouts(spot) < 1 << 63
