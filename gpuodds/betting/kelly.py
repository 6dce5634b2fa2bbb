"""The Kelly bet: the share of the bankroll that makes it grow most.

Kelly, "A new interpretation of information rate" (1956), carried to several outcomes. A player with the
bankroll B bets the fraction x of it; n opponents call, all reach the showdown, and the pot P is there
already. With c = P / B and p_j the probability of winning together with exactly j others (p_0 alone), q
that of losing, the bankroll grows by

    G(x) = sum over j of p_j log(1 + ((1 + n) x + c) / (1 + j) - x) + q log(1 - x)

on average, as a logarithm. G is concave, so its maximum on [0, 1] is at 0 if G'(0) <= 0, at 1 if no
outcome loses, and else at the only root of G' between them. What is in the pot is won without a bet
too: it makes the best bet smaller, not larger.

Where opponents have fewer chips than the bet, or fold, the bankroll after each outcome is a function of
x that is straight between the *edges*, the stacks of the opponents (:mod:`.pots`). G is concave from
edge to edge, but not across them: a player who loses to a short stack may win the side pot. So each
stretch has one best bet, and the best of these is the answer. Whether it is an end of the stretch is
decided in rational numbers, and bets are rational numbers, so that one at an end is that end to the
chip.

The bankroll is all wealth. The chips at the table may be less: that only limits the bet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import inf, log

from gpuodds.betting.folding import Replies
from gpuodds.betting.odds import Odds
from gpuodds.errors import InputError

# A root this near to a fraction of small terms may be that fraction: it is tested.
NEAR, MAX_DENOMINATOR = 1e-12, 100_000


@dataclass(frozen=True)
class Outcome:
    """One outcome of a bet.

    Attributes:
        chance: How likely it is.
        start: The bankroll after it without a bet, as a multiple of the bankroll before.
        slopes: What each chip that is bet adds, from edge to edge.
        callers: Where opponents reply by the size of the bet, how many of each group go on: the chance
            is then that of the outcome if they do.
    """

    chance: Fraction
    start: Fraction
    slopes: tuple[Fraction, ...]
    callers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Wager:
    """A bet of any size. Amounts are shares of the bankroll.

    Attributes:
        outcomes: What can come of it; their chances add up to 1.
        edges: The ends of the stretches on which outcomes are straight, from 0 to the largest bet.
        replies: How opponents answer by the size of the bet; None if it does not matter to them.
    """

    outcomes: tuple[Outcome, ...]
    edges: tuple[Fraction, ...]
    replies: Replies | None = None

    @classmethod
    def of(cls, odds: Odds, pot_share: Fraction = Fraction(0)) -> Wager:
        """Return the bet that all opponents call, whatever its size.

        Args:
            odds: The odds of the showdown.
            pot_share: The pot before the bet, as a share of the bankroll.

        Example:
            >>> Wager.of(Odds((Fraction(3, 5), Fraction(0)))).best()  # 60 % at evens
            Fraction(1, 5)
        """
        n = odds.opponents
        outcomes = [
            Outcome(chance, 1 + pot_share / (1 + j), (Fraction(1 + n, 1 + j) - 1,))
            for j, chance in enumerate(odds.split)
            if chance
        ]
        if odds.lose:
            outcomes.append(Outcome(odds.lose, Fraction(1), (Fraction(-1),)))
        return cls(tuple(outcomes), (Fraction(0), Fraction(1)))

    @property
    def most(self) -> Fraction:
        """The largest bet."""
        return self.edges[-1]

    def ends(self, bet: float | Fraction) -> list[tuple[float, float]]:
        """Return the chance of each outcome of a bet, and the bankroll after it.

        Args:
            bet: The bet, as a share of the bankroll.
        """
        chips, edges = float(bet), [float(edge) for edge in self.edges]
        spans = [min(max(chips - low, 0.0), high - low) for low, high in pairwise(edges)]
        ends = []
        weights = self._weights(chips)
        for outcome in self.outcomes:
            end = float(outcome.start)
            for slope, span in zip(outcome.slopes, spans, strict=True):
                end += float(slope) * span
            if end < NEAR:  # nothing left, or almost: rounding must not decide
                end = float(self._exact_end(outcome, Fraction(bet)))
            weight = weights[outcome.callers] if weights else 1.0
            ends.append((weight * float(outcome.chance), end))
        return ends

    def _weights(self, bet: float) -> dict[tuple[int, ...], float]:
        """Return how likely each number of callers is; nothing where it does not depend on the bet."""
        if self.replies is None:
            return {}
        folds = self.replies.fold_chances(bet)
        return {
            callers: float(self.replies.chance(callers, folds))
            for callers in {outcome.callers for outcome in self.outcomes}
        }

    def growth(self, bet: float | Fraction) -> float:
        """Return G: the mean logarithm of the bankroll after a bet; -inf if it can be 0.

        Args:
            bet: The bet, as a share of the bankroll.

        Example:
            >>> Wager.of(Odds((Fraction(1, 2), Fraction(0)))).growth(1.0)
            -inf
        """
        return sum(chance * (log(end) if end > 0 else -inf) for chance, end in self.ends(bet) if chance)

    def value(self, bet: float | Fraction) -> float:
        """Return the mean gain of a bet, as a share of the bankroll.

        Args:
            bet: The bet, as a share of the bankroll.
        """
        return sum(chance * (end - 1) for chance, end in self.ends(bet))

    def loss(self, bet: float | Fraction) -> float:
        """Return the chance that a bet makes the bankroll smaller, 0 to 1.

        Args:
            bet: The bet, as a share of the bankroll.
        """
        return sum(chance for chance, end in self.ends(bet) if end < 1 - 1e-12)

    def best(self, least: Fraction = Fraction(0)) -> Fraction:
        """Return the bet that makes the bankroll grow most; the smallest of equals.

        Where opponents reply by its size it is searched, see ``search.py``. Else it is exact at an end
        of a stretch and where it is a fraction of small terms, and otherwise as near as a float can be.

        Args:
            least: The least bet, as a share of the bankroll.

        Raises:
            InputError: SciPy is not installed.
        """
        if self.replies is not None:
            from gpuodds.betting.search import search_bet

            return search_bet(self, self.replies, least)
        peaks = [
            self._peak(stretch, max(low, least), high)
            for stretch, (low, high) in enumerate(pairwise(self.edges))
            if high > least
        ]
        # The first of equals; one stretch needs no comparison, which would round.
        return max(peaks, key=self.growth, default=least) if len(peaks) != 1 else peaks[0]

    def as_good_from(self, bet: float, growth: float) -> float:
        """Return the least bet from which on, up to ``bet``, the bankroll grows as much as ``growth``.

        Args:
            bet: The largest bet. The search ends at the edge below it.
            growth: A mean logarithm, at most that of ``bet``.
        """
        if self.replies is not None:
            from gpuodds.betting.search import search_as_good

            return search_as_good(self, self.replies, bet, growth)
        low = max((float(edge) for edge in self.edges if edge < bet), default=bet)
        if self.growth(low) >= growth:
            return low
        return find_root(lambda x: self.growth(x) - growth, low, bet)

    def _peak(self, stretch: int, low: Fraction, high: Fraction) -> Fraction:
        """Return the best bet from one edge to the next."""
        if self._slope(stretch, low) <= 0:
            return low
        if self._slope(stretch, high) >= 0:
            return high
        lines = []
        for outcome in self.outcomes:
            slope = outcome.slopes[stretch]
            if slope:
                # In the logarithm's derivative, chance / (end / slope) is chance / (x + offset).
                offset = self._end(outcome, stretch, low) / slope - low
                lines.append((float(outcome.chance), float(offset)))

        def derivative(x: float) -> float:
            return sum(chance / (x + offset) for chance, offset in lines)

        left, right = float(low), float(high)
        gap = (right - left) / 2
        while derivative(right - gap) > 0 and right - gap / 2 < right:
            gap /= 2
        root = Fraction(find_root(derivative, left, right - gap))
        simple = root.limit_denominator(MAX_DENOMINATOR)
        if abs(simple - root) < NEAR and low < simple < high and self._slope(stretch, simple) == 0:
            return simple
        return min(max(root, low), high)

    def _slope(self, stretch: int, bet: Fraction) -> Fraction | float:
        """Return the derivative of G at a bet of this stretch, its sign exact."""
        terms = []
        for outcome in self.outcomes:
            slope, end = outcome.slopes[stretch], self._end(outcome, stretch, bet)
            if slope and end <= 0:
                return -inf
            if slope:
                terms.append((outcome.chance * slope, end))
        rounded = [float(weight) / float(end) for weight, end in terms]
        if abs(sum(rounded)) > 1e-9 * sum(map(abs, rounded)):
            return sum(rounded)
        return sum((weight / end for weight, end in terms), Fraction(0))

    def _exact_end(self, outcome: Outcome, bet: Fraction) -> Fraction:
        end = outcome.start
        for slope, (low, high) in zip(outcome.slopes, pairwise(self.edges), strict=True):
            end += slope * min(max(bet - low, Fraction(0)), high - low)
        return end

    def _end(self, outcome: Outcome, stretch: int, bet: Fraction) -> Fraction:
        end = outcome.start + outcome.slopes[stretch] * (bet - self.edges[stretch])
        for before in range(stretch):
            end += outcome.slopes[before] * (self.edges[before + 1] - self.edges[before])
        return end


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function of different signs at two ends is 0.

    Raises:
        InputError: SciPy is not installed.
    """
    try:
        from scipy.optimize import brentq
    except ImportError:
        raise InputError("betting: SciPy is not installed: pip install 'gpuodds[betting]'") from None
    if function(low) * function(high) > 0:  # they differ by a rounding: the root is an end
        return low if abs(function(low)) < abs(function(high)) else high
    return float(brentq(function, low, high, xtol=1e-15, rtol=1e-14))
