"""Solve a spot: the game by its number of players, the search, the certificate, the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.short_stacks.certificate import ONE, certify, in_millionths
from gpuodds.short_stacks.games.deals import ThreeHands, TwoHands, three_hands, two_hands
from gpuodds.short_stacks.games.many_handed import ManyChances, ManyHanded
from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.games.samples import draw_samples
from gpuodds.short_stacks.games.three_handed import ThreeChances, ThreeHanded
from gpuodds.short_stacks.games.two_handed import TwoHanded
from gpuodds.short_stacks.outcomes import Outcomes, Worth
from gpuodds.short_stacks.result import Certificate, PushFoldResult, place_name
from gpuodds.short_stacks.search.polish import polish
from gpuodds.short_stacks.search.solver import Floats, Found, Strategy, iterate
from gpuodds.short_stacks.spot import PushFoldSpot

if TYPE_CHECKING:
    from gpuodds.short_stacks.spot import History

FIRST_ITERATIONS = {2: 100, 3: 60}
MAX_ITERATIONS = 2000
EVERY = 20


@dataclass(frozen=True)
class SearchState:
    """How far a search is.

    Attributes:
        iterations: How often the players have learnt.
        gain: What best responses gain against the best strategies so far, added up, as a float.
        share_of_pool: The gain over all prizes and bounties, or all chips.
        seconds: The time so far.
    """

    iterations: int
    gain: float
    share_of_pool: float
    seconds: float


OnState = Callable[[SearchState], None]


@lru_cache(maxsize=1)
def _three_counts() -> ThreeHands:
    return three_hands()


@lru_cache(maxsize=1)
def _three_chances() -> ThreeChances:
    return ThreeChances.of(_three_counts())


@lru_cache(maxsize=1)
def _many_chances(players: int) -> ManyChances:
    return ManyChances.of(two_hands(), three_hands(), draw_samples(players))


def counts_of(players: int) -> TwoHands | ThreeHands:
    """Return the counts of as many hands as there are players: two or three."""
    return two_hands() if players == 2 else _three_counts()


def make_game(spot: PushFoldSpot, worth: Worth | None = None) -> TwoHanded | ThreeHanded | ManyHanded:
    """Return the game of a spot.

    Args:
        spot: The spot.
        worth: What its endings are worth. Default: what they are in its unit.

    Raises:
        TableError: There are three players or more, and the tables are not built.
    """
    outcomes = worth or Outcomes(spot)
    if spot.players == 2:
        return TwoHanded(spot, two_hands(), outcomes)
    if spot.players == 3:
        return ThreeHanded(spot, _three_chances(), outcomes)
    return ManyHanded(spot, _many_chances(spot.players), outcomes)


def solve(
    spot: PushFoldSpot,
    *,
    locked: Mapping[int, Floats],
    target: float,
    time_limit: float | None,
    on_state: OnState | None,
    stopped: Callable[[], bool],
) -> PushFoldResult:
    """Search for an equilibrium and certify what was found.

    Args:
        spot: The spot.
        locked: The probabilities of all-in of decisions that are given, by row.
        target: The share of the pool that best responses may gain.
        time_limit: Seconds after which the best so far is the answer; None for no limit.
        on_state: Called with each new certificate.
        stopped: Called often; True ends the search with the best so far.

    Raises:
        TableError: There are three players or more, and the tables are not built.
    """
    begin = monotonic()
    game = make_game(spot)
    rows, pool = Rows(spot), float(spot.pool)
    free = np.array([row not in locked for row in range(game.shape[0])], bool)
    start = np.full(game.shape, 0.5)
    for row, chances in locked.items():
        start[row] = chances
    iterations, is_over = 0, False

    def ended(best: Found) -> bool:
        nonlocal is_over
        seconds = monotonic() - begin
        if on_state is not None:
            on_state(SearchState(iterations, best.gain, best.gain / pool, seconds))
        is_over = stopped() or (time_limit is not None and seconds >= time_limit)
        return is_over or best.gain <= target * pool

    def look(done: int, best: Found) -> bool:
        nonlocal iterations
        iterations = done
        return ended(best)

    found = Found(start, 0.0)
    if free.any():
        most = FIRST_ITERATIONS.get(spot.players, MAX_ITERATIONS)
        found = iterate(game, start, iterations=most, every=EVERY, free=free, stop=look)
        if not (is_over or isinstance(game, ManyHanded)):
            unit = float(spot.big_blind) * (pool / float(sum(spot.stacks)) if spot.payouts else 1.0)
            found = polish(game, found, free, target * pool, unit, ended)
    return _answer(spot, rows, game, found.strategy, free, iterations, begin)


def _answer(
    spot: PushFoldSpot,
    rows: Rows,
    game: Any,
    strategy: Strategy,
    free: npt.NDArray[np.bool_],
    iterations: int,
    begin: float,
) -> PushFoldResult:
    millionths = in_millionths(strategy)
    pool = float(spot.pool)
    exact_values: tuple[Fraction, ...] | None = None
    if isinstance(game, ManyHanded):
        printed = millionths / ONE
        evaluated = game.evaluate(printed, precise=True)
        gains = np.maximum(evaluated.advantages, 0) - printed * evaluated.advantages
        gain = float(gains[free].sum())
        values = tuple(evaluated.values.tolist())
        certificate = Certificate(False, gain, gain / pool)
    else:
        certified = certify(spot, counts_of(spot.players), millionths, free)
        exact_values = certified.values
        values = tuple(float(value) for value in exact_values)
        certificate = Certificate(True, certified.gain, float(certified.gain / spot.pool))
    locked = tuple(spot.describe(*rows.histories[row]) for row in np.flatnonzero(~free))
    return PushFoldResult(
        spot,
        _charts(spot, rows, millionths),
        values,
        certificate,
        iterations,
        monotonic() - begin,
        locked,
        exact_values,
    )


def _charts(
    spot: PushFoldSpot, rows: Rows, millionths: npt.NDArray[np.int64]
) -> dict[str, dict[str, dict[str, float]]]:
    names = starting_hands()
    charts: dict[str, dict[str, dict[str, float]]] = {}
    for player, position in enumerate(spot.positions):
        of_position: dict[str, dict[str, float]] = {}
        for bits in range(1 << player):
            history: History = tuple(other for other in range(player) if bits >> other & 1)
            row = rows.row_of.get((player, history))
            is_walk = not history and player == spot.players - 1
            if is_walk or not spot.can_occur(player, history):
                continue
            chances = np.full(len(names), ONE) if row is None else millionths[row]
            of_position[place_name(spot.positions, history)] = {
                name: int(chance) / ONE for name, chance in zip(names, chances, strict=True)
            }
        charts[position] = of_position
    return charts


def strategy_of(result: PushFoldResult) -> Strategy:
    """Return the strategies of an answer as an array, (rows, hands)."""
    spot, names = result.spot, starting_hands()
    rows = Rows(spot)
    found = np.zeros((len(rows.histories), len(names)))
    for row, (player, history) in enumerate(rows.histories):
        chart = result.strategies[spot.positions[player]][place_name(spot.positions, history)]
        found[row] = [chart[name] for name in names]
    return found
