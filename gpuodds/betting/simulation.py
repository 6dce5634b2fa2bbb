"""What a bet does to a bankroll in the long run, made again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.basics.arguments import as_seed, as_whole, shown
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.betting.kelly import Wager
    from gpuodds.betting.result import Advice

RUNS = 10_000
MAX_HANDS = 100_000
RUIN = 1e-3  # of the bankroll, all wealth: as good as nothing left


@dataclass(frozen=True)
class Run:
    """How a bankroll ends after many bets, each the same share of what there is then.

    Attributes:
        name: Which bet it is.
        fraction: The share of the bankroll that each bet puts in.
        hands: The number of bets.
        low: The bankroll that 5 of 100 runs end below, in chips.
        median: The bankroll that half of the runs end below.
        high: The bankroll that 95 of 100 runs end below.
        halved: The share of the runs that were at half of the bankroll, or less, at some time.
        ruined: The share of the runs that were at a thousandth of the bankroll, or less, at some time.
    """

    name: str
    fraction: float
    hands: int
    low: float
    median: float
    high: float
    halved: float
    ruined: float

    def to_dict(self) -> dict[str, Any]:
        """Return the run's part of the JSON object."""
        return dict(vars(self))


def simulate(advice: Advice, hands: int, *, runs: int = RUNS, seed: int | None = None) -> list[Run]:
    """Return how bankrolls end after many bets: the advised bet, the best, half and twice of it.

    Pot and stack are in the same proportion to the bankroll each time. All bets have the same draws.

    Args:
        advice: The advice, which holds the bet.
        hands: The number of bets in a run, 1 to 100,000.
        runs: The number of runs, 1 to 100,000.
        seed: Makes the draws repeatable; 0 or more.

    Returns:
        A run for each bet, with the chips that 5, 50 and 95 of 100 bankrolls end below.

    Raises:
        InputError: ``hands`` or ``runs`` is less than 1, or more than 100,000.

    Example:
        >>> from gpuodds.betting import kelly_bet
        >>> advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
        >>> half, best, twice = simulate(advice, hands=100, runs=1000, seed=1)
        >>> best.name, half.median < best.median, half.ruined < twice.ruined
        ('the best bet', True, True)
    """
    seed = as_seed(seed)
    hands, runs = as_whole("hands", hands), as_whole("runs", runs)
    for name, number in (("hands", hands), ("runs", runs)):
        if not 1 <= number <= MAX_HANDS:
            raise InputError(f"{name} {shown(number)}: expected 1 to {MAX_HANDS:,}")
    call = float(advice.stakes.call / advice.bankroll)
    most = float(advice.wager.most)
    best = advice.options[-1].fraction - call if advice.options[-1].action in ("bet", "raise") else 0.0
    shares = {"half of the best": best / 2, "the best bet": best, "twice the best": min(2 * best, most)}
    bets = [_Bet(name, advice.wager, share) for name, share in shares.items() if share]
    if advice.action in ("bet", "raise"):
        if not any(abs(share - (advice.fraction - call)) < 1e-12 for share in shares.values()):
            bets.insert(0, _Bet("advised", advice.wager, advice.fraction - call))
    elif advice.action != "fold":
        bets.insert(0, _Bet(advice.action, advice.stay, 0.0))
    by_bet = []
    for bet in bets:
        now, lowest = _play(bet, hands, runs, np.random.Generator(np.random.Philox(seed)))
        ends = np.quantile(now, [0.05, 0.5, 0.95], method="lower")
        low, median, high = (np.exp(ends) * float(advice.bankroll)).tolist()
        halved, ruined = float(np.mean(lowest <= np.log(0.5))), float(np.mean(lowest <= np.log(RUIN)))
        by_bet.append(Run(bet.name, call + bet.share, hands, low, median, high, halved, ruined))
    return by_bet


class _Bet(NamedTuple):
    name: str
    wager: Wager
    share: float  # of the bankroll, beyond a call


def _play(
    bet: _Bet, hands: int, runs: int, draw: np.random.Generator
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return each run's last and lowest bankroll, as a logarithm of its growth."""
    # Sorted by the bankroll they leave, so that the same draws are as lucky for every bet.
    ends = sorted(bet.wager.ends(bet.share), key=lambda end: end[1])
    chances = np.cumsum([chance for chance, _ in ends])
    with np.errstate(divide="ignore"):
        grows = np.log([max(end, 0.0) for _, end in ends])
    now = np.zeros(runs)
    lowest = np.zeros(runs)
    for _ in range(hands):
        drawn = np.searchsorted(chances, draw.random(runs) * chances[-1], side="right")
        now += grows[drawn.clip(max=len(ends) - 1)]
        np.minimum(lowest, now, out=lowest)
    return now, lowest
