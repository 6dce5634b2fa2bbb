"""Whole tournaments of two players, all-in or fold: the chance to win from every stack.

Players post the small blind in turn, so a state is the stack of who posts it. Each hand is a game of
two whose payoffs are the chances to win the tournament from the stacks after it: a stochastic game. (P.
B. Miltersen, T. B. Sørensen, "A near-optimal strategy for a heads-up no-limit Texas hold'em poker
tournament", AAMAS 2007.)

The search alternates: each state's hand is solved for the chances so far; then the chances that these
strategies have follow from a system of linear equations. (M. A. Pollatschek, B. Avi-Itzhak, "Algorithms
for stochastic games with geometrical interpretation", Management Science 15, 1969.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from gpuodds.basics.amounts import Chips, read_amount
from gpuodds.basics.arguments import listed, shown
from gpuodds.errors import InputError
from gpuodds.short_stacks.certificate import ONE, in_millionths
from gpuodds.short_stacks.games.deals import two_hands
from gpuodds.short_stacks.games.two_handed import TwoHanded
from gpuodds.short_stacks.search.polish import polish
from gpuodds.short_stacks.search.solver import Floats, Found, Strategy, gain_of, iterate
from gpuodds.short_stacks.tournaments.bounds import certify_tournament
from gpuodds.short_stacks.tournaments.hands import Chances, TournamentHand, evaluate

SCHEMA = "gpuodds.push-fold-tournament/1"
MAX_STATES = 1000
ROUNDS = 30
CHANGE = 1e-12  # of chances between two rounds: that is all
TARGET = 1e-13  # of the gain in a state


@dataclass(frozen=True)
class TournamentState:
    """A stack in a tournament of two players.

    Attributes:
        stack: Chips.
        small_blind: The chance to win the tournament with this stack when posting the small blind.
        big_blind: The same when posting the big blind.
        all_in: The share of all combos that goes all-in from the small blind, in percent.
        call: The share with which the big blind calls: with the other player's stack, in percent.
    """

    stack: float
    small_blind: float
    big_blind: float
    all_in: float
    call: float

    def to_dict(self) -> dict[str, float]:
        """Return a JSON object."""
        return {
            "stack": self.stack,
            "small_blind": self.small_blind,
            "big_blind": self.big_blind,
            "all_in": self.all_in,
            "call": self.call,
        }


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """The chances of every stack, and the strategies that have them.

    Attributes:
        chips: All chips.
        blinds: The small and the big blind.
        states: A state for each stack, ascending.
        charts: The probability of all-in by stack of the small blind and starting hand.
        calls: The probability of a call by stack of the small blind and starting hand.
        gap: In each state the chance to win the tournament, both playing best, is between two bounds
            that these strategies guarantee: the largest difference of the bounds, exact.
        seconds: The time that the answer took.
    """

    chips: float
    blinds: tuple[float, float]
    states: tuple[TournamentState, ...]
    charts: dict[float, dict[str, float]]
    calls: dict[float, dict[str, float]]
    gap: Fraction
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.push-fold-tournament/1``."""
        return {
            "schema": SCHEMA,
            "chips": self.chips,
            "blinds": list(self.blinds),
            "states": [state.to_dict() for state in self.states],
            "certificate": {
                "exact": True,
                "gap": f"{self.gap.numerator}/{self.gap.denominator}",
                "gap_float": float(self.gap),
            },
            "charts": [
                {"stack": stack, "all_in": chart, "call": self.calls[stack]}
                for stack, chart in self.charts.items()
            ],
        }

    def plot(self, out: str | Path) -> None:
        """Write the curve of the chances by stack to a picture.

        Args:
            out: The file: .png, .svg or .pdf.

        Raises:
            InputError: matplotlib is not installed, the ending is unknown, or the file cannot be
                written.
        """
        from gpuodds.short_stacks.plot import plot_tournament

        plot_tournament(self, Path(out))


def heads_up_tournament(
    chips: Chips,
    blinds: tuple[Chips, Chips],
    *,
    step: Chips | None = None,
    progress: Callable[[float], None] | None = None,
) -> TournamentResult:
    """Return the chance to win a tournament of two players, all-in or fold, from every stack.

    Args:
        chips: All chips in play.
        blinds: The small and the big blind; players post them in turn.
        step: Stacks are multiples of this. Default: the largest number that divides chips and blinds.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A state for each stack, charts, and the certificate.

    Raises:
        InputError: A number cannot be read, the step does not divide chips and blinds, or there are
            more than 1,000 stacks.

    Example:
        >>> from gpuodds.short_stacks import heads_up_tournament
        >>> result = heads_up_tournament(8, (0.5, 1))
        >>> [round(state.small_blind, 4) for state in result.states if state.stack in (2, 4, 6)]
        [0.2492, 0.5053, 0.7489]
        >>> result.gap < 1e-8
        True
    """
    begin = monotonic()
    whole = read_amount("chips", chips)
    given = listed("blinds", blinds, "the small and the big blind")
    if len(given) != 2:
        raise InputError(f"blinds: expected two, the small and the big one, found {len(given)}")
    small, big = read_amount("small blind", given[0]), read_amount("big blind", given[1])
    if not 0 < small <= big:
        raise InputError(f"small blind {shown(given[0])}: expected above 0, and at most the big blind")
    if big > whole / 2:
        raise InputError(
            f"big blind {shown(given[1])}: expected half of the {shown(chips)} chips at most"
        )
    unit = _read_step(whole, small, big, step)
    stacks = [unit * number for number in range(1, int(whole / unit))]
    hands = [TournamentHand(whole, stack, small, big) for stack in stacks]
    strategies, found = _search(hands, stacks, unit, progress)
    gap = certify_tournament(hands, strategies, unit)
    return _result(whole, (small, big), stacks, hands, strategies, found, gap, monotonic() - begin)


def _read_step(chips: Fraction, small: Fraction, big: Fraction, step: Chips | None) -> Fraction:
    scale = lcm(chips.denominator, small.denominator, big.denominator)
    largest = Fraction(gcd(*(int(amount * scale) for amount in (chips, small, big))), scale)
    unit = largest if step is None else read_amount("step", step)
    if unit == 0 or any(amount % unit for amount in (chips, small, big)):
        raise InputError(f"step {shown(step)}: expected a number that divides chips and blinds")
    if chips / unit > MAX_STATES + 1:
        raise InputError(
            f"step {float(unit):g}: {int(chips / unit) - 1:,} stacks, expected {MAX_STATES:,} at most: "
            "blinds with a larger common divisor, or a larger step"
        )
    return unit


def _at(after: Fraction, unit: Fraction, chances: Floats) -> float:
    """Return the chance of who has so many chips and posts the big blind next."""
    number = int(after / unit)
    if number == 0:
        return 0.0
    if number > len(chances):
        return 1.0
    return 1 - float(chances[len(chances) - number])


def _search(
    hands: list[TournamentHand],
    stacks: list[Fraction],
    unit: Fraction,
    progress: Callable[[float], None] | None,
) -> tuple[list[Strategy], Floats]:
    """Return the strategies of all states, and the small blind's chances under them."""
    deals = two_hands()
    chances = np.array([float(stack / (unit * (len(stacks) + 1))) for stack in stacks])
    strategies: list[Strategy | None] = [None] * len(hands)
    for round_number in range(ROUNDS):
        for number, hand in enumerate(hands):
            worth = {key: _at(after, unit, chances) for key, after in hand.left.items()}
            strategies[number] = _solve(TwoHanded(hand.spot, deals, Chances(worth)), strategies[number])
            if progress is not None:
                done = (round_number + number / len(hands)) / 8
                progress(min(done, 0.95))
        before = chances
        chances = evaluate(hands, [s for s in strategies if s is not None], unit, deals)
        if np.abs(chances - before).max() < CHANGE:
            break
    printed = [in_millionths(s) / ONE for s in strategies if s is not None]
    return printed, evaluate(hands, printed, unit, deals)


def _solve(game: TwoHanded, start: Strategy | None) -> Strategy:
    free = np.ones(game.shape[0], bool)
    if not free.any():
        return np.zeros(game.shape)
    if start is None:
        half = np.full(game.shape, 0.5)
        found = iterate(game, half, iterations=100, every=50, free=free, stop=lambda done, best: False)
    else:
        found = Found(start, gain_of(game, start, free))
    return polish(game, found, free, TARGET, 0.05, lambda best: False).strategy


def _result(
    chips: Fraction,
    blinds: tuple[Fraction, Fraction],
    stacks: list[Fraction],
    hands: list[TournamentHand],
    strategies: list[Strategy],
    found: Floats,
    gap: Fraction,
    seconds: float,
) -> TournamentResult:
    from gpuodds.games.holdem.starting_hands import combinations, starting_hands

    names = list(starting_hands())
    weights = np.array([combinations(name) for name in names]) / 13.26
    states: list[TournamentState] = []
    charts: dict[float, dict[str, float]] = {}
    calls: dict[float, dict[str, float]] = {}
    for number, (stack, hand, strategy) in enumerate(zip(stacks, hands, strategies, strict=True)):
        rows = hand.rows.row_of
        first, second = (
            strategy[rows[place]] if place in rows else np.ones(len(names))
            for place in ((0, ()), (1, (0,)))
        )
        opposite = len(stacks) - 1 - number
        own = float(stack)
        states.append(
            TournamentState(
                own,
                float(found[number]),
                1 - float(found[opposite]),
                float(first @ weights),
                float(second @ weights),
            )
        )
        charts[own] = dict(zip(names, first.tolist(), strict=True))
        calls[own] = dict(zip(names, second.tolist(), strict=True))
    return TournamentResult(
        float(chips),
        (float(blinds[0]), float(blinds[1])),
        tuple(states),
        charts,
        calls,
        gap,
        seconds,
    )
