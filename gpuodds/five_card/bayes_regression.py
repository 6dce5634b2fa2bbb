"""A card-counting opponent with heuristics: fold curves, a pseudo-posterior, raise rules.

The opponent counts the unseen hands that are ahead of its own, by category and high card. It estimates
by logistic regression how readily the player folds, and from the player having stayed in how likely the
player is ahead. The document that describes it (docs/history.md) leaves some choices open. Here they
are: p_0 is the sensible fold chance for an even hand, p_bluff = max(0, p_0 - p_fold), p_beat = 1 -
max(p_0, p_fold); the regression is drawn to the sensible curve until there are enough turns.

Every constant of the description is a field of :class:`RegressionSettings`, with its value there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from random import Random
from statistics import NormalDist
from typing import Literal

from gpuodds.basics.arguments import as_number, shown
from gpuodds.basics.logistic import Rows, covariance, fit_logistic, logistic
from gpuodds.errors import InputError
from gpuodds.five_card.decks import count_high_cards, deck_without, high_card
from gpuodds.five_card.game import Figure, Showdown, Turn, View
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import CATEGORY_RANKS
from gpuodds.methods.hands.evaluate import rank_hand


@dataclass(frozen=True)
class RegressionSettings:
    """The constants of the opponent.

    Attributes:
        steepness: w of the fold curves.
        weight: k of the beta distribution.
        memory: How many of the player's turns the regression uses.
        prior: How many turns the sensible curve counts for in the regression.
        looseness: The inverse regularisation of the regression.
        small_ratio: The ratio of the pot probability to the chance of losing above which the opponent
            raises by ``small_raise``.
        large_ratio: The ratio above which it raises by ``large_raise``.
        small_raise: A raise, in dollars.
        large_raise: A raise, in dollars.
        midpoint: The share of won showdowns at which it makes every second raise.
        no_showdown: That share before any showdown.
    """

    steepness: float = 5.0
    weight: float = 2.0
    memory: int = 100
    prior: float = 5.0
    looseness: float = 10.0
    small_ratio: float = 2.0
    large_ratio: float = 6.0
    small_raise: int = 5
    large_raise: int = 10
    midpoint: float = 0.75
    no_showdown: float = 0.5


DEFAULT_SETTINGS = RegressionSettings()


def pot_probability(pot: float, previous_bet: float, bet: float, raised: float = 0) -> float:
    """Return the chance of losing at which staying in breaks even: gain / (gain + loss).

    >>> pot_probability(20, 5, 5)
    0.6
    """
    return (pot - previous_bet) / (pot + bet + raised)


def sensible_fold(
    p_lose: float, p_pot: float, settings: RegressionSettings = DEFAULT_SETTINGS
) -> float:
    """Return how often a sensible player folds, by the chance to lose and the pot probability.

    >>> sensible_fold(0.6, 0.6)
    0.5
    """
    return logistic(settings.steepness * (p_lose - p_pot))


def posterior(p_pot: float, p_fold: float, settings: RegressionSettings = DEFAULT_SETTINGS) -> float:
    """Return how likely a player who did not fold has a hand that wins.

    >>> round(posterior(0.6, 0.2), 6)
    0.70036
    """
    even = sensible_fold(0.5, p_pot, settings)
    bluff, beat = max(0.0, even - p_fold), 1 - max(even, p_fold)
    ahead = (1 - p_pot) * beat
    whole = ahead + p_pot * bluff
    return ahead / whole if whole else 1 - p_pot


def final_chance(
    p_win: float, p_ahead: float, settings: RegressionSettings = DEFAULT_SETTINGS
) -> float:
    """Return how likely the player is ahead of the hand that ``p_ahead`` of all hands are ahead of.

    The player's strength is taken to follow Beta(k p, k (1 - p)) with p = ``p_win``.

    Raises:
        InputError: SciPy is not installed.

    >>> round(final_chance(0.70036, 179081 / 1533939), 5)
    0.34203
    """
    try:
        from scipy.special import betainc
    except ImportError:
        raise InputError("five-card: SciPy is not installed: pip install 'gpuodds[five]'") from None
    p = min(max(p_win, 1e-9), 1 - 1e-9)
    return float(1 - betainc(settings.weight * p, settings.weight * (1 - p), 1 - p_ahead))


def computer_wins(p_final: float, p_fold: float) -> float:
    """Return how likely the computer wins: the player is behind, or ahead and folds.

    >>> round(computer_wins(0.34203, 0.2), 6)
    0.726376
    """
    return p_final * p_fold + (1 - p_final)


def raise_frequency(won: float, settings: RegressionSettings = DEFAULT_SETTINGS) -> float:
    """Return how often to raise, by the share of showdowns won.

    >>> round(raise_frequency(0.5), 6)
    0.437823
    """
    return logistic(won - settings.midpoint)


Verdict = Literal["aggressive", "conservative", "no verdict yet"]

REACH = NormalDist().inv_cdf(0.975)  # standard errors on either side of a 95 % interval


class FoldModel:
    """How readily the player folds, by pot probability: a regression on the latest turns.

    ``settings.prior`` turns of the sensible curve are added to the player's, so that few turns, or
    turns of one kind, give a curve as well.

    Intervals come from the normal approximation: the inverse of the Hessian of the penalised
    log-likelihood, the sensible turns and the regularisation being a prior (C. M. Bishop, "Pattern
    Recognition and Machine Learning", 2006, section 4.5). So they exist with one turn, and with turns
    that separate perfectly. That of the inflection is Fieller's, as for a dose at which half respond
    (D. J. Finney, "Probit Analysis", 1971): all pot probabilities whose interval of the fold chance
    holds a half. The delta method would fail where the slope is uncertain.

    Args:
        settings: The constants of the regression.

    Example:
        >>> model = FoldModel()
        >>> for place in range(40):
        ...     model.learn(p_pot=place / 40, folded=place < 8)
        >>> round(model.inflection, 2), model.verdict
        (0.18, 'aggressive')
    """

    def __init__(self, settings: RegressionSettings = DEFAULT_SETTINGS) -> None:
        """Begin with nothing learned."""
        self._settings = settings
        self._turns: deque[tuple[float, bool]] = deque(maxlen=settings.memory)
        self._curve: tuple[float, float] | None = None
        self._covariance: tuple[float, float, float] | None = None

    @property
    def turns(self) -> int:
        """The number of the player's turns that the regression uses."""
        return len(self._turns)

    def learn(self, p_pot: float, folded: bool) -> None:
        """Take a turn of the player into account.

        Args:
            p_pot: The pot probability, 0 to 1.
            folded: Whether the player folded.

        Raises:
            InputError: The pot probability is not a number from 0 to 1.
        """
        if not 0 <= as_number("p_pot", p_pot) <= 1:
            raise InputError(f"p_pot {shown(p_pot)}: expected a number, 0 to 1")
        self._turns.append((p_pot, folded))
        self._curve = self._covariance = None

    def p_fold(self, p_pot: float) -> float:
        """Return how likely the player folds, 0 to 1.

        Args:
            p_pot: The pot probability, 0 to 1.

        Example:
            >>> model = FoldModel()
            >>> 0.4 < model.p_fold(0.5) < 0.6
            True
        """
        intercept, slope = self.curve
        return logistic(intercept + slope * p_pot)

    @property
    def inflection(self) -> float:
        """The pot probability at which the player folds every second time; aggressive below a half."""
        intercept, slope = self.curve
        return -intercept / slope if slope else 0.5

    def p_fold_interval(self, p_pot: float) -> tuple[float, float]:
        """Return the 95 % interval of the chance that the player folds.

        Args:
            p_pot: The pot probability, 0 to 1.

        Example:
            >>> low, high = FoldModel().p_fold_interval(0.5)
            >>> round(low, 2), round(high, 2)
            (0.09, 0.91)
        """
        intercept, slope = self.curve
        of_intercept, of_both, of_slope = self.covariance
        middle = intercept + slope * p_pot
        reach = REACH * sqrt(of_intercept + 2 * p_pot * of_both + p_pot**2 * of_slope)
        return logistic(middle - reach), logistic(middle + reach)

    @property
    def inflection_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the inflection; None where it is not bounded on both sides.

        It is not bounded as long as the slope may as well be 0.
        """
        intercept, slope = self.curve
        of_intercept, of_both, of_slope = self.covariance
        # The roots of (intercept + slope x)^2 = REACH^2 (its variance), a x^2 + 2 b x + c.
        a = slope**2 - REACH**2 * of_slope
        b = intercept * slope - REACH**2 * of_both
        c = intercept**2 - REACH**2 * of_intercept
        if slope >= 0 or a <= 0:
            return None
        root = sqrt(max(b * b - a * c, 0.0))
        return (-b - root) / a, (-b + root) / a

    @property
    def verdict(self) -> Verdict:
        """The player's style, aggressive for an inflection below a half, conservative well above.

        No verdict where the interval of the inflection reaches a half, as with few turns, or where the
        player folds more often the better the odds are.

        Example:
            >>> FoldModel().verdict
            'no verdict yet'
        """
        low, high = self.p_fold_interval(0.5)
        if self.curve[1] < 0 and high < 0.5:
            return "aggressive"
        if self.curve[1] < 0 and low > 0.5:
            return "conservative"
        return "no verdict yet"

    @property
    def covariance(self) -> tuple[float, float, float]:
        """The variance of the intercept, the covariance with the slope, and the slope's variance."""
        if self._covariance is None:
            self._covariance = covariance(self._rows(), self.curve, self._settings.looseness)
        return self._covariance

    @property
    def curve(self) -> tuple[float, float]:
        """Intercept and slope of the regression.

        Raises:
            InputError: The settings give no finite curve.
        """
        if self._curve is None:
            self._curve = self._fit()
        return self._curve

    def _fit(self) -> tuple[float, float]:
        if not self._turns:
            steepness = self._settings.steepness
            return steepness / 2, -steepness
        intercept, slope = fit_logistic(self._rows(), self._settings.looseness)
        if not (isfinite(intercept) and isfinite(slope)):
            raise InputError(f"{self._settings}: expected finite constants; no fold curve fits these")
        return intercept, slope

    def _rows(self) -> Rows:
        """Return pot probabilities, whether it was a fold, and weights: sensible turns, then actual."""
        grid = [place / 4 for place in range(5)]
        each = self._settings.prior / len(grid)
        rows = [(x, True, each * sensible_fold(0.5, x, self._settings)) for x in grid]
        rows += [(x, False, each * (1 - sensible_fold(0.5, x, self._settings))) for x in grid]
        return rows + [(x, folded, 1.0) for x, folded in self._turns]


class BayesRegression:
    """The opponent. ``explanation`` holds every number of its last decision."""

    def __init__(self, draw: Random, settings: RegressionSettings = DEFAULT_SETTINGS) -> None:
        """Draw by ``draw`` what is left to chance."""
        self._draw, self._settings = draw, settings
        self.folds = FoldModel(settings)
        self.showdowns, self.won = 0, 0
        self._stayed: float | None = None
        self.explanation: dict[str, Figure] = {}

    def act(self, view: View) -> Turn:
        """Fold, call or raise."""
        settings = self._settings
        p_ahead = share_ahead(view.hand, view.seen)
        size = min(settings.small_raise, view.most)
        p_pot = pot_probability(view.pot, view.bet, view.to_call, size)
        p_final, p_post = p_ahead, None
        if self._stayed is not None:
            p_post = posterior(self._stayed, self.folds.p_fold(self._stayed), settings)
            p_final = final_chance(p_post, p_ahead, settings)
        p_win = computer_wins(p_final, self.folds.p_fold(p_pot))
        ratio = p_pot / max(1 - p_win, 1e-12)
        p_give_up = sensible_fold(p_final, p_pot, settings)
        won = self.won / self.showdowns if self.showdowns else settings.no_showdown
        frequency = raise_frequency(won, settings)
        self.explanation = {
            "p_complose": p_ahead,
            "p_pot": p_pot,
            **self._explain_folds(p_pot),
            "p_win_post": p_post,
            "p_win_final": p_final,
            "p_compwin": p_win,
            "ratio": ratio,
            "p_compfold": p_give_up,
            "raise_frequency": frequency,
        }
        self._stayed = None
        return self._choose(view, ratio, p_give_up, frequency)

    def _explain_folds(self, p_pot: float) -> dict[str, Figure]:
        folds = self.folds
        low, high = folds.p_fold_interval(p_pot)
        between = folds.inflection_interval or (None, None)
        return {
            "p_fold": folds.p_fold(p_pot),
            "p_fold_low": low,
            "p_fold_high": high,
            "moves": folds.turns,
            "inflection": folds.inflection if folds.curve[1] < 0 else None,
            "inflection_low": between[0],
            "inflection_high": between[1],
            "verdict": folds.verdict,
        }

    def _choose(self, view: View, ratio: float, p_give_up: float, frequency: float) -> Turn:
        settings = self._settings
        wanted = 0
        if ratio > settings.large_ratio:
            wanted = settings.large_raise
        elif ratio > settings.small_ratio or (ratio > 1 and self._draw.random() < frequency):
            wanted = settings.small_raise
        if min(wanted, view.most):
            return Turn("raise", min(wanted, view.most))
        if wanted or not view.to_call:  # no money is left to raise with, or nothing to fold to
            return Turn("call")
        gives_up = ratio <= 1 or self._draw.random() < p_give_up
        return Turn("fold") if gives_up else Turn("call")

    def watch(self, turn: Turn, view: View) -> None:
        """Learn from a turn of the player."""
        p_pot = pot_probability(view.pot, view.bet, view.to_call, turn.amount)
        if view.to_call:
            self.folds.learn(p_pot, turn.action == "fold")
        if turn.action == "raise" or view.to_call:
            self._stayed = p_pot

    def end(self, showdown: Showdown) -> None:
        """Count showdowns won."""
        self._stayed = None
        if showdown.shown is not None:
            self.showdowns += 1
            self.won += showdown.won > 0


def share_ahead(hand: Sequence[int], seen: frozenset[int] | Sequence[int] = ()) -> float:
    """Return the share of the unseen hands that are ahead, by category and high card.

    >>> from gpuodds.cards import parse_cards
    >>> share_ahead(parse_cards("KsKh7d4c2c")) == 179081 / 1533939
    True
    """
    by_card = count_high_cards([deck_without([*hand, *seen])])[0]
    rank = rank_hand(hand, HOLDEM)
    category = next(place for place, ranks in enumerate(CATEGORY_RANKS) if rank in ranks)
    ahead = int(by_card[category + 1 :].sum()) + int(by_card[category, high_card(hand) + 1 :].sum())
    return ahead / int(by_card.sum())
