"""What a way of betting does to a bankroll in the long run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.arguments import as_seed, as_whole, shown
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

    ``low``, ``median`` and ``high`` are the ends that 5, 50 and 95 of 100 runs stay below, in chips;
    ``halved`` and ``ruined`` the shares of the runs that were at half of the bankroll, or at a
    thousandth of it, at some time.
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
    """Make the same bet again and again and see how bankrolls end.

    Pot and stack are in the same proportion to the bankroll each time. Compares what was advised with
    the best bet, half of it and twice of it, each by the same draws.

    Raises:
        InputError: ``hands`` or ``runs`` is less than 1, or more than 100,000.
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
    ways: list[tuple[str, Wager, float]] = [
        (name, advice.wager, share) for name, share in shares.items() if share
    ]
    if advice.action in ("bet", "raise"):
        if not any(abs(share - (advice.fraction - call)) < 1e-12 for share in shares.values()):
            ways.insert(0, ("advised", advice.wager, advice.fraction - call))
    elif advice.action != "fold":
        ways.insert(0, (advice.action, advice.stay, 0.0))
    bankroll = float(advice.bankroll)
    return [_run(name, wager, share, call, hands, runs, seed, bankroll) for name, wager, share in ways]


def _run(
    name: str,
    wager: Wager,
    share: float,
    call: float,
    hands: int,
    runs: int,
    seed: int | None,
    bankroll: float,
) -> Run:
    draw = np.random.Generator(np.random.Philox(seed))
    # By what each run of luck makes of the bankroll, so that the same draws serve every bet.
    ends = sorted(wager.ends(share), key=lambda end: end[1])
    chances = np.cumsum([chance for chance, _ in ends])
    with np.errstate(divide="ignore"):
        grows = np.log([max(end, 0.0) for _, end in ends])
    now = np.zeros(runs)
    lowest = np.zeros(runs)
    for _ in range(hands):
        drawn = np.searchsorted(chances, draw.random(runs) * chances[-1], side="right")
        now += grows[drawn.clip(max=len(ends) - 1)]
        np.minimum(lowest, now, out=lowest)
    low, median, high = np.exp(np.quantile(now, [0.05, 0.5, 0.95], method="lower")) * bankroll
    halved, ruined = np.mean(lowest <= np.log(0.5)), np.mean(lowest <= np.log(RUIN))
    return Run(
        name, call + share, hands, float(low), float(median), float(high), float(halved), float(ruined)
    )
