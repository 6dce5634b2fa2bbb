"""The odds of a spot: exact against opponents with any cards, and for ranges that contest one pot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gpuodds.api import equities_by_opponents, equity
from gpuodds.betting.cassandra import cassandra_odds
from gpuodds.betting.odds import NOBODY, Odds, Standing, standings
from gpuodds.betting.pots import Seats
from gpuodds.results.result import EquityResult
from gpuodds.spots.players import Player

NOISE = Fraction(1, 10**11)  # what sums of weights may be off


@dataclass(frozen=True)
class Spot:
    """The player's cards, the board and the dead cards; and where, and how long, to compute."""

    hand: tuple[int, int]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    backend: str = "auto"
    time_limit: float | None = None
    progress: Callable[[float], None] | None = None


@dataclass(frozen=True)
class Showdown:
    """The odds against m opponents, at place m, as far as they are known; and how they were found."""

    odds: tuple[Odds, ...]
    exact: bool
    method: str
    backend: str

    def joint(self, contesting: Sequence[Seats]) -> list[Standing]:
        """Return the standings of pots that these seats contest."""
        return standings(self.odds, [len(seats) for seats in contesting])


def against_any(spot: Spot, opponents: int, *, fewer: bool) -> Showdown:
    """Find the odds against opponents with any cards; against ``fewer``, too, if asked."""
    if fewer and (spot.board or spot.dead):
        results = equities_by_opponents(
            [spot.hand],
            opponents=opponents,
            board=spot.board,
            dead=spot.dead,
            backend=spot.backend,
            progress=spot.progress,
        )
    else:
        asked = range(1 if fewer else opponents, opponents + 1)
        results = [_equity(spot, [], number) for number in asked]
    return _showdown(opponents, results)


def against_ranges(spot: Spot, ranges: Sequence[Player]) -> Showdown:
    """Find the odds against all of some opponents, with ranges, who contest the same pots."""
    # A random opponent costs the engine far less than a range of every hand.
    held = [player for player in ranges if not _is_any(player)]
    return _showdown(len(ranges), [_equity(spot, held, len(ranges) - len(held))])


def as_cassandra(spot: Spot, opponents: int) -> Showdown:
    """Estimate the odds against opponents with any cards as Cassandra did."""
    result = _equity(spot, [], 1)
    player = result.players[0]
    wins, ties, showdowns = player.win_outcomes, player.tie_outcomes[0], int(result.outcomes)
    odds = [cassandra_odds(wins, ties, showdowns, number) for number in range(1, opponents + 1)]
    return Showdown((NOBODY, *odds), False, result.method, result.backend)


def _is_any(player: Player) -> bool:
    from gpuodds.spots.ranges import Range

    return (
        isinstance(player, Range) and player.weights[0] > 0 and len(set(player.weights.tolist())) == 1
    )


def _equity(spot: Spot, ranges: Sequence[Player], opponents: int) -> EquityResult:
    return equity(
        [spot.hand, *ranges],
        opponents=opponents,
        board=spot.board,
        dead=spot.dead,
        backend=spot.backend,
        time_limit=spot.time_limit,
        progress=spot.progress,
    )


def _showdown(opponents: int, results: Sequence[EquityResult]) -> Showdown:
    found = [_odds(result) for result in results]
    unknown = [NOBODY] * (opponents + 1 - len(found))
    last = results[-1]
    return Showdown((*unknown, *found), last.exact, last.method, last.backend)


def _odds(result: EquityResult) -> Odds:
    player = result.players[0]
    whole = Fraction(result.outcomes)
    split = [Fraction(count) / whole for count in (player.win_outcomes, *player.tie_outcomes)]
    kept = sum(split)
    if isinstance(result.outcomes, float) and kept and abs(1 - kept) < NOISE:
        split = [chance / kept for chance in split]  # weighted, and nothing is lost
    return Odds(tuple(split))
