"""Estimated costs decide between counting, sampling and refusal."""

from __future__ import annotations

from typing import Any

import pytest

from gpuodds.methods.method import Machine
from gpuodds.server.dispatch.computations import read_bet
from gpuodds.server.problems import Problem
from gpuodds.server.reading.costs import Cost, board_cost
from gpuodds.server.reading.parsed import ParsedRequest
from gpuodds.server.reading.plans import Refused, plan_equity
from gpuodds.server.requests import EquityRequest, KellyRequest
from gpuodds.server.settings import Settings

SETTINGS = Settings(time_limit=1.0)
ONE_THREAD = Machine(1, has_gpu=False)


def cost(hands: list[str], *, stream: bool = False, **options: Any) -> Cost:
    request = ParsedRequest(EquityRequest(hands=hands, **options))
    found = plan_equity(request.body, request.spot, SETTINGS, ONE_THREAD, stream=stream)
    if isinstance(found, Refused):
        raise found.problem
    return found.cost


def refused(detail: str, estimate: Any) -> Problem:
    with pytest.raises(Problem, match=detail) as raised:
        estimate()
    problem = raised.value
    assert (problem.status, problem.name, problem.members["limit_seconds"]) == (422, "too-expensive", 1)
    return problem


def test_counting_needs_all_of_its_seconds() -> None:
    found = cost(["AsKs"], opponents=3, board="2s7d9h")
    assert 0 < found.min_seconds == found.seconds < 1 and found.deadline == 12
    # More threads, fewer cards to come and fewer opponents cost less.
    assert cost(["AsKs"], opponents=3, board="2s7d9hTc").seconds < found.seconds
    assert cost(["AsKs"], opponents=2, board="2s7d9h").seconds < found.seconds


def test_sampling_needs_a_part_of_its_seconds() -> None:
    found = cost([*["60%"] * 5, "50%"], board="2s7d9h")
    assert found.seconds == pytest.approx(1, abs=0.01) and found.time_limit == 1
    assert found.min_seconds <= found.deadline / 10 + 0.01
    assert cost([*["60%"] * 5, "50%"], board="2s7d9h", deadline=3).deadline == 3
    assert (
        cost([*["60%"] * 5, "50%"], board="2s7d9h", time_limit=100).time_limit == 60
    )  # at most_seconds


def test_expensive_requests_are_refused() -> None:
    problem = refused(
        "counting would take about .* s, the limit is 1 s: raise time_limit, or let method be auto",
        lambda: cost(["60%", "70%", "80%", "90%"], board="2s7d9h", method="exact"),
    )
    assert problem.members["estimate_seconds"] > 1
    refused(
        "sampling would take about .* s, the limit is 1 s",
        lambda: cost(["AA", "KK"], method="monte-carlo", samples=10**9),
    )
    bet = KellyRequest(hand="JdJs", opponents=["60%"] * 9, bankroll=1000, board="2s7d9h", fold=0.3)
    refused("give fewer opponents with ranges", lambda: bet_cost(bet, SETTINGS))


def bet_cost(request: KellyRequest, settings: Settings) -> Cost:
    return read_bet(request, settings, ONE_THREAD, is_here=True).cost


def bet(opponents: list[str], board: str = "2s7d9h", limit: float = 1.0) -> Cost:
    """Return the cost of a bet to which opponents may fold."""
    request = KellyRequest(hand="JdJs", opponents=opponents, bankroll=1000, board=board, fold=0.3)
    return bet_cost(request, Settings(time_limit=limit))


def test_bets_on_several_pots_cost_what_their_deals_cost() -> None:
    known = ["QcQd", "7c7h", "2d2h", "3c4c", "5c6c", "8d9d", "TcTh"]
    # All deals of known hands are counted, however many; drawn ones would be refused.
    assert bet(known).seconds < bet(known, "").seconds < 1
    assert bet(["60%", "70%"]).seconds < 1
    # Beyond two seconds, or the limit, deals are drawn: that takes as long for any ranges.
    drawn = bet(["60%", "70%", "80%"])
    assert drawn == bet(["70%", "60%", "90%"]) and drawn.seconds < 1
    assert bet(["60%", "70%"], limit=0.6).seconds == bet(["QQ+", "70%"], "", limit=0.6).seconds
    assert bet(["60%", "70%"]).seconds != bet(["60%", "70%"], limit=0.6).seconds


def test_boards_are_refused_by_the_number_of_opponents() -> None:
    assert board_cost(3, 1, SETTINGS, 1).seconds < 1
    problem = refused(
        "counting would take about .* s, the limit is 1 s",
        lambda: board_cost(3, 22, SETTINGS, 1),
    )
    assert problem.members["estimate_seconds"] > 1
