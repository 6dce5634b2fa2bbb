"""How far estimated odds may be off, and whether the advice would be another within that.

Estimated odds are a mixture of *parts*: what the advisor computes from odds, the chances of the
outcomes of a bet, is the mean of what it computes from the parts. The error of the odds is that of the
parts' shares.

Odds that :func:`gpuodds.equity` samples have a part for each result: to win alone, to split with 1, 2,
... others, to lose. The shares are the counts, which independent samples would make multinomial. Pairs
of deals on boards in turn are not independent, and their equity has a smaller error, which the answer
states. So the shares are taken to be those of as many independent samples as give the equity that
error. Deals that are drawn here come in batches of one size; each is a part.

The errors of a chance, of the equity and of the growth by a given bet follow from the shares'
covariance without an approximation, since these are means over the parts. The best bet and the action
are not. For them the shares are drawn, always from the same seed, from a Dirichlet distribution with
that covariance: unlike a normal one it has no chance below 0. One more sample, spread evenly over the
results of the first kind, stands for those that never came: a few deals that all end alike prove
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, nan, sqrt
from statistics import stdev
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.betting.kelly import Outcome, Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.pots import Joint, Stakes

if TYPE_CHECKING:
    from gpuodds.betting.standings.dealt import Deals

Floats = npt.NDArray[np.float64]

DRAWS = 200  # of the shares
RARE = DRAWS // 40  # an action in no more of them is beyond two standard errors
MAX_SIZE = 1e15  # samples: their error is that of a float
MAX_CHANCE_ERROR = 0.5  # as far as a chance can be off


class Part(NamedTuple):
    """Odds that estimated odds are a mean of, and their share in it."""

    joint: Joint
    odds: Odds
    share: float


@dataclass(frozen=True)
class Mixture:
    """Estimated odds as a mean of parts.

    Attributes:
        parts: The parts.
        size: The number of independent samples of one part each that makes the shares as uncertain.
        samples: The number of deals. The error of a chance is at least 2 / samples, because rarer
            results may be missing.
        unseen: The samples that stand for those that never came.
        equity_error: The standard error of the equity, if it is known.
    """

    parts: tuple[Part, ...]
    size: float
    samples: int
    unseen: float = 0.0
    equity_error: float | None = None

    def error(self, values: Sequence[float]) -> float:
        """Return the standard error of a mean over the parts; NaN if one of the values is infinite."""
        pairs = zip(self.parts, values, strict=True)
        some = [(part.share, value) for part, value in pairs if part.share]
        if not all(isfinite(value) for _, value in some):
            return nan
        mean = sum(share * value for share, value in some)
        return sqrt(sum(share * (value - mean) ** 2 for share, value in some) / self.size)

    def chance_error(self, chances: Sequence[Fraction]) -> float:
        """Return the standard error of a chance, from that in each part."""
        error = self.error([float(chance) for chance in chances])
        return min(MAX_CHANCE_ERROR, max(error, 2 / self.samples))

    def draws(self) -> Floats:
        """Return the parts' shares within their error, shape (200, parts), each row's sum 1."""
        shares = np.array([part.share for part in self.parts])
        expected = shares / shares.sum() * (self.size - 1) + self.unseen / len(shares)
        return np.random.Generator(np.random.Philox(0)).dirichlet(expected, DRAWS)


def mixture_of_counts(
    odds: Odds, equity_error: float, samples: int, joint_of: Callable[[Odds], Joint]
) -> Mixture:
    """Return sampled odds as a mixture of sure results.

    Args:
        odds: The odds, shares of the samples.
        equity_error: The standard error of the equity.
        samples: The number of samples.
        joint_of: Returns the standings of several pots by odds.
    """
    chances = [*odds.split, odds.lose]
    sure = [Odds(tuple(Fraction(i == j) for j in range(len(odds.split)))) for i in range(len(chances))]
    pairs = zip(sure, chances, strict=True)
    parts = tuple(Part(joint_of(sample), sample, float(chance)) for sample, chance in pairs)
    one_sample = Mixture(parts, 1.0, samples).error([float(sample.equity) for sample in sure])
    # Where all deals end alike the error is no measure of them.
    size = (one_sample / equity_error) ** 2 if one_sample else samples
    size = min(max(size, 1.0), MAX_SIZE)
    return Mixture(parts, size, samples, unseen=1.0, equity_error=float(equity_error))


def mixture_of_batches(batches: Sequence[Deals]) -> Mixture:
    """Return the odds of drawn deals as a mixture of those of batches of one size."""
    share, samples = 1 / len(batches), sum(sum(batch.states.values()) for batch in batches)
    parts = tuple(Part(batch.joint, batch.odds(), share) for batch in batches)
    return Mixture(parts, len(batches) - 1, samples)


def find_errors(
    stakes: Stakes,
    mixture: Mixture,
    action: str,
    more: Fraction,
    decide: Callable[[Wager, Wager], tuple[str, Fraction]],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return standard errors of advice, and the other actions that odds within two of them advise.

    Args:
        stakes: The chips that the bet is about.
        mixture: The odds.
        action: The action that is advised.
        more: What it bets or raises beyond a call, as a share of the bankroll, or 0.
        decide: Returns the action, and the bet that grows the bankroll most, by the outcomes of a check
            or call and by those of a bet.
    """
    parts = mixture.parts
    stays, bets = ([make(part.joint) for part in parts] for make in (stakes.stay, stakes.bet))
    mixed_stay, mixed_bet = _mixer(stays), _mixer(bets)
    drawn = [decide(mixed_stay(shares), mixed_bet(shares)) for shares in mixture.draws()]
    grown = [0.0] * len(parts)
    if action != "fold":
        grown = [wager.growth(more) for wager in (bets if more else stays)]
    odds = [part.odds for part in parts]
    equity = mixture.chance_error([odds_of.equity for odds_of in odds])
    opponents = range(1, odds[0].opponents + 1)
    times = Counter(name for name, _ in drawn).most_common()
    errors = {
        "win": mixture.chance_error([odds_of.win for odds_of in odds]),
        "split": [mixture.chance_error([odds_of.split[j] for odds_of in odds]) for j in opponents],
        "lose": mixture.chance_error([odds_of.lose for odds_of in odds]),
        "equity": equity if mixture.equity_error is None else mixture.equity_error,
        "fraction": stdev(float(best) for _, best in drawn),
        "growth": mixture.error(grown),
    }
    return errors, tuple(name for name, often in times if often > RARE and name != action)


def _mixer(wagers: Sequence[Wager]) -> Callable[[Floats], Wager]:
    """Return the function that makes one wager of the parts' wagers, by their shares."""
    cases = list(dict.fromkeys(_case_of(outcome) for wager in wagers for outcome in wager.outcomes))
    column = {case: place for place, case in enumerate(cases)}
    chances = np.zeros((len(wagers), len(cases)))
    for row, wager in zip(chances, wagers, strict=True):
        for outcome in wager.outcomes:
            row[column[_case_of(outcome)]] = float(outcome.chance)

    def mix(shares: Floats) -> Wager:
        mixed = zip((shares @ chances).tolist(), cases, strict=True)
        outcomes = tuple(Outcome(Fraction(chance), *case) for chance, case in mixed if chance)
        return Wager(outcomes, wagers[0].edges, wagers[0].replies)

    return mix


def _case_of(
    outcome: Outcome,
) -> tuple[Fraction, tuple[Fraction, ...], tuple[int, ...]]:
    return outcome.start, outcome.slopes, outcome.callers
