"""Equity of ranges: from the shipped table, counted, or sampled; the cheapest way that does it.

Reading a question, choosing the way and making the result are here; the counting is in
:mod:`gpuodds.methods.range_counts`, the sampling in :mod:`gpuodds.methods.sampling`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import comb
from time import perf_counter

import numpy as np
import numpy.typing as npt

from gpuodds.backends.protocol import Progress
from gpuodds.cards import format_cards
from gpuodds.durations import format_duration
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.draws import DEFAULT_ERROR, EXPECTED_RATE
from gpuodds.games.holdem.hand_names import CATEGORIES
from gpuodds.methods.options import Limits
from gpuodds.methods.range_counts import RangeCounts, RangeQuestion, count, estimate_seconds
from gpuodds.results.result import EquityResult, HandEquity, MadeHand, PlayerEquity, name_winners
from gpuodds.spots.spot import RangeSpot

Floats = npt.NDArray[np.float64]

PATIENCE = 10.0  # seconds that "auto" lets an exact answer take, unless a time limit is given
COUNTED_ONLY_PATIENCE = 120.0  # ... where sampling cannot give what is asked for
WORTH_SAYING = 1.0  # seconds from which on the way that was chosen is told
# Seconds of sampling before an answer is counted, at least and as a share of the counting.
ESTIMATE_SECONDS, ESTIMATE_SHARE = 0.02, 0.2


def answer_ranges(
    names: Sequence[str],
    question: RangeQuestion,
    *,
    method: str,
    table: bool,
    backend: str,
    by_hand: bool,
    made_hands: bool,
    limits: Limits,
    progress: Progress | None,
    on_estimate: Callable[[EquityResult], None] | None = None,
) -> EquityResult:
    """Answer a question in the way that ``method`` allows and costs least."""
    begin = perf_counter()
    before_the_flop = len(question.weights) == 2 and not (
        question.opponents or question.board or question.dead
    )
    if method != "monte-carlo" and table and before_the_flop and not made_hands:
        counts = _look_up(question)
        return _result(names, question, counts, "table", "cpu", by_hand, (), begin)
    ways = estimate_seconds(question, by_hand, made_hands) if method != "monte-carlo" else {}
    way = min(ways, key=lambda name: ways[name], default="")
    if method == "exact" and not ways:
        raise InputError(
            "method 'exact': these ranges are too many or too wide to be counted; use auto or "
            "monte-carlo"
        )
    counted_only = by_hand or made_hands
    most = limits.time_limit or (COUNTED_ONLY_PATIENCE if counted_only else PATIENCE)
    if limits.deadline is not None:
        most = min(most, limits.deadline)
    sampling = _sampling_seconds(limits)
    if way and (method == "exact" or ways[way] <= most):
        notes: tuple[str, ...] = ()
        if ways[way] >= WORTH_SAYING:
            takes = f"counting exactly takes about {format_duration(ways[way])}"
            instead = "" if counted_only else f"; sampling would take about {format_duration(sampling)}"
            notes = (takes + instead,)
            logging.getLogger("gpuodds").info("%s", notes[0])
        if on_estimate is not None:
            show_estimates(names, question, ways[way], backend, limits, progress, on_estimate)
        counts, where = count(question, way, by_hand, backend, progress, made_hands)
        return _result(names, question, counts, "exact", where, by_hand, notes, begin)
    about = f"about {format_duration(ways[way])}" if way else "longer than can be told"
    if counted_only:
        what = "made hands" if made_hands else "the equity of each hand"
        if method == "monte-carlo":
            raise InputError(f"method 'monte-carlo': {what}: counted, not sampled; use auto or exact")
        wait = f", {format_duration(most)} at most: use method exact to wait" if way else ": use"
        raise InputError(
            f"{what}: counted, not sampled, and counting takes {about}{wait}, fewer players or "
            "narrower ranges"
        )
    notes = ()
    if method == "auto":
        notes = (f"sampling; counting exactly would take {about}",)
        logging.getLogger("gpuodds").info("%s", notes[0])
    found = _sample(names, question, backend, limits, progress, on_estimate, begin)
    return replace(found, notes=notes)


def _sampling_seconds(limits: Limits) -> float:
    if limits.samples is not None:
        return limits.samples / EXPECTED_RATE
    error = limits.standard_error or DEFAULT_ERROR
    seconds = 0.25 / error**2 / EXPECTED_RATE
    return seconds if limits.time_limit is None else min(seconds, limits.time_limit)


def _look_up(question: RangeQuestion) -> RangeCounts:
    from gpuodds.tables.shipped.preflop_heads_up import matrices

    wins, ties = matrices()
    integers = question.integers
    kind = np.int64 if integers else np.float64
    boards = comb(48, 5)
    active = [np.flatnonzero(row) for row in question.weights]
    rows = [row[hands].astype(kind) for row, hands in zip(question.weights, active, strict=True)]
    held = np.zeros((2, COMBOS, 2), kind)
    dealt = np.zeros((2, COMBOS), kind)
    shared = []
    for player in range(2):
        ours, theirs = active[player], active[1 - player]
        pairs = np.ix_(ours, theirs)
        won, lost, tied = wins[pairs], wins.T[pairs], ties[pairs]
        weights = rows[1 - player]
        held[player, ours, 0] = won @ weights
        held[player, ours, 1] = tied @ weights
        dealt[player, ours] = boards * ((won + lost + tied > 0) @ weights)
        shared.append([(rows[player] @ held[player, ours, others]).item() for others in range(2)])
    outcomes = (rows[0] @ dealt[0, active[0]]).item()
    winners = {1: shared[0][0], 2: shared[1][0], 3: shared[0][1]}
    return RangeCounts(outcomes, shared, {mask: n for mask, n in winners.items() if n}, held, dealt)


def _result(
    names: Sequence[str],
    question: RangeQuestion,
    counts: RangeCounts,
    method: str,
    backend: str,
    by_hand: bool,
    notes: tuple[str, ...],
    begin: float,
) -> EquityResult:
    if not counts.outcomes:
        raise ImpossibleDeal
    outcomes = counts.outcomes if isinstance(counts.outcomes, int) else float(counts.outcomes)
    kind = type(outcomes)
    players = tuple(
        PlayerEquity(name, outcomes, kind(row[0]), tuple(kind(count) for count in row[1:]))
        for name, row in zip(names, counts.shared, strict=True)
    )
    spot = RangeSpot(tuple(names), question.opponents, question.board, question.dead, outcomes)
    winners = None
    if counts.winners is not None:
        winners = name_winners({m: kind(n) for m, n in counts.winners.items()}, len(names))
    hands = _hands(question, counts) if by_hand else None
    seconds = perf_counter() - begin
    made = None if counts.made is None else tuple(_made_hands(rows) for rows in counts.made)
    return EquityResult(spot, players, method, backend, winners, seconds, True, hands, notes, made)


def _made_hands(rows: Floats) -> dict[str, MadeHand]:
    # Columns: won alone, split with one, two, ... others, all outcomes.
    won, split, every = rows[:, 0], rows[:, 1:-1].sum(axis=1), rows[:, -1]
    shares = [part / (part.sum() or 1.0) for part in (every, won, split)]
    return {
        name: MadeHand(*(float(share[place]) for share in shares))
        for place, name in enumerate(CATEGORIES)
        if every[place]
    }


def _hands(question: RangeQuestion, counts: RangeCounts) -> tuple[tuple[HandEquity, ...], ...]:
    cards = combo_cards().tolist()
    players = []
    for player, weights in enumerate(question.weights):
        hands = []
        for h in np.flatnonzero(weights).tolist():
            whole = float(counts.dealt[player, h])
            if whole == 0:
                continue  # the others leave no room for it
            counted = [float(value) for value in counts.by_combo[player, h]]
            shares = [value / whole for value in counted]
            # Divided once: counts of two players give the double that is nearest.
            equity = sum(value / (others + 1) for others, value in enumerate(counted)) / whole
            name = format_cards(reversed(cards[h]))
            hands.append(HandEquity(name, float(weights[h]), equity, shares[0], sum(shares[1:])))
        players.append(tuple(sorted(hands, key=lambda hand: -hand.equity)))
    return tuple(players)


def show_estimates(
    names: Sequence[str],
    question: RangeQuestion,
    seconds: float,
    backend: str,
    limits: Limits,
    progress: Progress | None,
    on_estimate: Callable[[EquityResult], None],
) -> None:
    """Sample for a while before the answer is counted, which takes about ``seconds``."""
    from gpuodds.methods.sampling import Sampling

    shown: list[EquityResult] = []

    def show(found: EquityResult) -> None:
        shown.append(found)
        on_estimate(found)

    def wait(share: float) -> None:
        if progress is not None:
            progress(0.0)  # the counting has not begun

    patience = max(ESTIMATE_SECONDS, ESTIMATE_SHARE * seconds)
    if limits.deadline is not None:
        patience = min(patience, limits.deadline / 2)
    sampling = Sampling.of(names, question, seed=limits.seed or 0, backend=backend)
    found = sampling.run(time_limit=patience, progress=wait, on_estimate=show)
    if found not in shown:
        on_estimate(found)


def _sample(
    names: Sequence[str],
    question: RangeQuestion,
    backend: str,
    limits: Limits,
    progress: Progress | None,
    on_estimate: Callable[[EquityResult], None] | None,
    begin: float,
) -> EquityResult:
    from gpuodds.methods.sampling import DEFAULT_SECONDS, Sampling

    sampling = Sampling.of(names, question, seed=limits.seed or 0, backend=backend)
    standard_error, time_limit = limits.standard_error, limits.time_limit
    if limits.samples is None and standard_error is None and time_limit is None:
        standard_error, time_limit = DEFAULT_ERROR, DEFAULT_SECONDS
    if limits.deadline is not None:
        left = max(limits.deadline - (perf_counter() - begin), 0.001)
        time_limit = left if time_limit is None else min(time_limit, left)
    found = sampling.run(
        samples=limits.samples,
        standard_error=standard_error,
        time_limit=time_limit,
        progress=progress,
        on_estimate=on_estimate,
    )
    return replace(found, seconds=perf_counter() - begin)
