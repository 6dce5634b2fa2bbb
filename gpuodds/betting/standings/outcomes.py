"""The outcomes of a showdown: counted, or sampled where counting takes too long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import isinf
from typing import TYPE_CHECKING

from gpuodds.api import equities_by_opponents, equity
from gpuodds.basics.durations import format_duration
from gpuodds.betting.cassandra import cassandra_odds
from gpuodds.betting.odds import NO_OPPONENTS, Odds, Standing, standings
from gpuodds.betting.pots import Joint, Seats, Stakes
from gpuodds.betting.question import (
    BetOptions,
    count_opponents,
    has_own_cards,
    own_cards,
    plain_spot,
)
from gpuodds.errors import InputError, NotEnoughSamples, excerpt
from gpuodds.games.game import HOLDEM_FAMILY
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.results.explanation import Considered, Explanation
from gpuodds.results.result import EquityResult
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.players import Player
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.betting.standings.uncertainty import Mixture

NOISE = Fraction(1, 10**11)  # what sums of weights may be off
COUNTING_SECONDS = 2.0  # that counting deals may be estimated at


@dataclass(frozen=True)
class Outcomes:
    """How a showdown can end, and how that was found.

    Attributes:
        joint: Returns the standings of pots that fewer and fewer seats contest.
        odds: The odds against all opponents.
        exact: Whether nothing was estimated.
        method: How the odds were found.
        backend: Where they were counted.
        mixture: The odds as a mean of others whose shares are uncertain; None unless they are sampled.
        explanation: The methods that could have found the odds; None unless requested.
    """

    joint: Joint
    odds: Odds
    exact: bool
    method: str
    backend: str
    mixture: Mixture | None = None
    explanation: Explanation | None = None


def find_outcomes(spot: Spot, stakes: Stakes, options: BetOptions) -> Outcomes:
    """Find how a showdown can end, exactly if that is feasible.

    Raises:
        InputError: The model cannot answer, or the ranges leave one another no cards.
    """
    spot, one_pot = plain_spot(spot), stakes.is_one_pot
    if options.model == "cassandra":
        if spot.game is not HOLDEM:
            raise InputError(f"game {spot.game.name}: the model cassandra is of hold'em; use exact")
        if len(spot.hands) > 1 or not has_own_cards(spot) or not one_pot or stakes.to_call:
            raise InputError(
                "model cassandra: expected no ranges, folds, stacks or side pots, and no bet to call"
            )
        return as_cassandra(spot, options)
    if len(spot.hands) == 1 and (one_pot or is_counted_by_number(spot)):
        return against_any(spot, options, fewer=not one_pot and spot.opponents > 1)
    if one_pot or count_opponents(spot) == 1:
        return against_ranges(spot, options)
    return of_deals(spot, stakes.order, options)


def against_any(spot: Spot, options: BetOptions, *, fewer: bool) -> Outcomes:
    """Find the outcomes against opponents with any cards; against fewer of them too, if asked."""
    opponents = count_opponents(spot)
    if fewer and (spot.board or spot.dead):
        results = equities_by_opponents(
            [own_cards(spot)],
            opponents=opponents,
            board=spot.board,
            dead=spot.dead,
            backend=options.backend,
            progress=options.progress,
            game=spot.game,
        )
        return _outcomes(opponents, results, _one_pass(spot) if options.explain else None)
    numbers = range(1 if fewer else opponents, opponents + 1)
    results = [_equity(spot, options, [], number) for number in numbers]
    why = results[-1].explanation
    if why is not None and len(results) > 1:
        each = f"1 to {opponents} opponents are answered one by one: these are the methods of the last"
        why = replace(why, assumed=(each, *why.assumed))
    return _outcomes(opponents, results, why)


def against_ranges(spot: Spot, options: BetOptions) -> Outcomes:
    """Find the outcomes against opponents with ranges who all contest the same pots."""
    plain = spot
    if has_own_cards(spot):
        plain = normal_form(spot).spot  # samples are quicker against random opponents
    result = _equity(plain, options, plain.hands[1:], plain.opponents)
    return _outcomes(count_opponents(spot), [result], result.explanation)


def of_deals(spot: Spot, order: Sequence[int], options: BetOptions) -> Outcomes:
    """Find the outcomes against opponents from deals, all of them or drawn ones.

    Args:
        spot: The hand and its opponents: hands and ranges, or any cards.
        order: The place of each seat among the opponents.
        options: How long counting may take, how many deals to draw, and by which seed.
    """
    from gpuodds.betting.standings.counted import COUNTED, count_deals, deal_counting_seconds
    from gpuodds.betting.standings.dealt import deal_batches, dealing_seconds, together
    from gpuodds.betting.standings.uncertainty import mixture_of_batches

    limit, seconds = deal_counting_limit(options.time_limit), deal_counting_seconds(spot)
    is_counted, why = seconds <= limit, None
    if options.explain:
        who = "ranges contest" if len(spot.hands) > 1 else "players contest"
        how = "all deals are counted" if is_counted else f"{options.samples:,} deals are drawn"
        chosen = f"{who} several pots: {how}"
        counting = chosen if is_counted else f"takes longer than {format_duration(limit)}"
        drawing = "an exact answer is to be had" if is_counted else chosen
        drawn = dealing_seconds(len(order), options.samples)
        methods = (
            Considered(COUNTED, None if isinf(seconds) else seconds, is_counted, counting),
            Considered("monte-carlo", drawn, not is_counted, drawing),
        )
        why = Explanation(methods, ("backend cpu",))
    if is_counted:
        deals = count_deals(spot, order, options.progress)
        return Outcomes(deals.joint, deals.odds(), True, COUNTED, "cpu", explanation=why)
    batches = deal_batches(spot, order, options)
    deals, mixture = together(batches), mixture_of_batches(batches)
    return Outcomes(deals.joint, deals.odds(), False, "monte-carlo", "cpu", mixture, why)


def deal_counting_limit(time_limit: float | None) -> float:
    """Return the estimated seconds up to which deals are counted, not drawn.

    Args:
        time_limit: The seconds that counting ranges may take, or None.
    """
    return COUNTING_SECONDS if time_limit is None else min(COUNTING_SECONDS, time_limit)


def as_cassandra(spot: Spot, options: BetOptions) -> Outcomes:
    """Estimate the outcomes against opponents with any cards as the program Cassandra does."""
    result = _equity(spot, options, [], 1)
    player = result.players[0]
    wins, ties, showdowns = player.win_outcomes, player.tie_outcomes[0], int(result.outcomes)
    numbers = range(1, count_opponents(spot) + 1)
    odds = [NO_OPPONENTS, *(cassandra_odds(wins, ties, showdowns, number) for number in numbers)]
    joint, why = partial(_joint, odds), result.explanation
    if why is not None:
        counted = "counted against 1 opponent; Cassandra estimates the others from that"
        why = replace(why, assumed=(counted, *why.assumed))
    return Outcomes(joint, odds[-1], False, result.method, result.backend, explanation=why)


def is_counted_by_number(spot: Spot) -> bool:
    """Return whether the odds against every number of opponents up to those of a spot are counted."""
    if not has_own_cards(spot):
        return spot.opponents == 1
    return spot.game.family == HOLDEM_FAMILY or spot.opponents == 1


def _equity(spot: Spot, options: BetOptions, ranges: Sequence[Player], opponents: int) -> EquityResult:
    try:
        return equity(
            [spot.hands[0], *ranges],
            opponents=opponents,
            board=spot.board,
            dead=spot.dead,
            game=spot.game,
            backend=options.backend,
            time_limit=options.time_limit,
            explain=options.explain,
            progress=options.progress,
        )
    except NotEnoughSamples as error:  # the samples of a bet are those of deals into several pots
        change = "raise time_limit, or use narrower ranges or fewer opponents"
        message = f"not enough samples: {error.drawn}: {change}"
        raise NotEnoughSamples(message, error.drawn) from None


def _one_pass(spot: Spot) -> Explanation:
    """Explain how the odds against every number of random opponents are found."""
    from gpuodds.backends.choice import thread_count
    from gpuodds.backends.operations.known_hands import known_hands_seconds
    from gpuodds.methods.holdem.known_hands import KnownHands

    seconds = known_hands_seconds(len(spot.board), count_opponents(spot), thread_count())
    reason = "one pass counts every number of opponents"
    return Explanation((Considered(KnownHands.name, seconds, True, reason),), ())


def _outcomes(
    opponents: int, results: Sequence[EquityResult], explanation: Explanation | None
) -> Outcomes:
    by_opponents = [_odds(result) for result in results]
    unknown = [NO_OPPONENTS] * (opponents + 1 - len(by_opponents))
    last = results[-1]

    def joint_of(odds: Odds) -> Joint:
        return partial(_joint, [*unknown, *by_opponents[:-1], odds])

    mixture, error = None, last.players[0].standard_error
    if error is not None:
        from gpuodds.betting.standings.uncertainty import mixture_of_counts

        mixture = mixture_of_counts(by_opponents[-1], error, last.outcomes, joint_of)
    how = last.exact, last.method, last.backend, mixture, explanation
    return Outcomes(joint_of(by_opponents[-1]), by_opponents[-1], *how)


def _joint(odds: Sequence[Odds], contesting: Sequence[Seats]) -> list[Standing]:
    return standings(odds, [len(seats) for seats in contesting])


def _odds(result: EquityResult) -> Odds:
    player = result.players[0]
    if player.win_outcomes is None:
        raise InputError(
            f"hand {excerpt(player.hand)}: any cards, as others have: all win alike, and how often "
            "they split is not counted; expected a hand or a narrower range"
        )
    whole = Fraction(result.outcomes)
    split = [Fraction(count) / whole for count in (player.win_outcomes, *player.tie_outcomes)]
    kept = sum(split)
    if isinstance(result.outcomes, float) and kept and abs(1 - kept) < NOISE:
        split = [chance / kept for chance in split]  # weighted, and nothing is lost
    return Odds(tuple(split))
