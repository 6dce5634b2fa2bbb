"""The answer to a spot with two boards: counted where that takes seconds, else sampled."""

from __future__ import annotations

from time import monotonic

from gpuodds.backends.counts import Progress
from gpuodds.errors import InputError
from gpuodds.methods.answering import answer
from gpuodds.methods.double_boards.known_hands import count_known, known_seconds
from gpuodds.methods.double_boards.sampling import sample_deals
from gpuodds.methods.double_boards.two_ranges import count_ranges, seconds_of
from gpuodds.methods.method import HERE
from gpuodds.methods.options import Options
from gpuodds.methods.planner import max_seconds
from gpuodds.results.double_board import DoubleBoardResult, by_players
from gpuodds.spots.double_board import DoubleBoardSpot

EXACT, SAMPLED = "exact", "monte-carlo"


def answer_double_board(
    spot: DoubleBoardSpot, options: Options, progress: Progress | None = None
) -> DoubleBoardResult:
    """Return what each player wins on two boards.

    Args:
        spot: The spot.
        options: Method, backend and limits of sampling.
        progress: Called with the fraction done, 0 to 1.

    Raises:
        InputError: The method is ``"exact"``, and the spot is not counted.
    """
    begun = monotonic()
    limit = max_seconds(options)
    seconds = _seconds(spot, limit)
    if options.method == EXACT and seconds is None:
        raise InputError(
            "method exact: two boards of ranges are counted from the flop on, or before it for few "
            "pairs of hands; expected auto or monte-carlo"
        )
    if options.method == SAMPLED:
        drawn = sample_deals(spot, options.sampling, options.backend, progress)
        first, second = drawn.boards(spot.names)
        players = by_players(spot.names, (first, second), drawn.winners, drawn.samples, True)
        return DoubleBoardResult(spot, players, SAMPLED, drawn.backend, monotonic() - begun)
    boards = tuple(answer(one, options).players for one in spot.single)
    if options.method == EXACT or (seconds is not None and seconds <= limit):
        if spot.is_known:
            known = spot.single[0].known_hands
            deck = spot.deck([card for hand in known for card in hand])
            winners, name = count_known(spot.game, known, spot.boards, deck, options.backend, progress)
            outcomes = sum(winners.values())
        else:
            winners, outcomes, name = count_ranges(spot, options.backend, progress)
        players = by_players(spot.names, (boards[0], boards[1]), winners, outcomes)
        return DoubleBoardResult(spot, players, EXACT, name, monotonic() - begun)
    drawn = sample_deals(spot, options.sampling, options.backend, progress)
    players = by_players(spot.names, (boards[0], boards[1]), drawn.winners, drawn.samples, True)
    return DoubleBoardResult(spot, players, SAMPLED, drawn.backend, monotonic() - begun)


def _seconds(spot: DoubleBoardSpot, limit: float) -> float | None:
    """Estimate how long this machine takes, beyond a limit at least; None if it is not counted."""
    if spot.is_known:
        cards = sum(len(hand) for hand in spot.hands)
        left = len(spot.deck()) - cards
        return known_seconds(spot.game, len(spot.hands), left, spot.to_come)
    return seconds_of(spot, HERE.thread_count, limit)
