"""Plans of requests for equity: each is made once, where the request is read, and with it the cost."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from gpuodds.errors import InputError
from gpuodds.methods.method import Machine
from gpuodds.methods.options import Options, SamplingOptions
from gpuodds.methods.planner import NotCountedError, Plan, make_plan
from gpuodds.server.problems import Problem, as_problem
from gpuodds.server.reading.costs import Cost, equity_cost, equity_limits, not_counted
from gpuodds.server.reading.memory import check_hands
from gpuodds.server.reading.packed import Packed
from gpuodds.server.requests import EquityRequest
from gpuodds.server.settings import Settings
from gpuodds.spots.spot import Spot

# Kept back from the seconds that are left, to hand the answer over: a share of them, and at most this.
HANDOVER_SHARE, MAX_HANDOVER = 0.1, 0.5


class Planned(NamedTuple):
    """How a request for equity is answered, and what that costs.

    Attributes:
        plan: The plan, in the server as bytes if a worker has made it.
        cost: The cost.
    """

    plan: Plan | Packed[Plan]
    cost: Cost


class Refused(NamedTuple):
    """Why a request for equity is refused, unless the cache has the answer.

    Attributes:
        plan: What explains an answer in the cache; None if there can be none.
        problem: Why it is refused.
    """

    plan: Plan | Packed[Plan] | None
    problem: Problem


def plan_equity(
    body: EquityRequest, spot: Spot, settings: Settings, machine: Machine, *, stream: bool
) -> Planned | Refused:
    """Plan the answer to a request for equity.

    Args:
        body: The request.
        spot: Its spot.
        settings: The server's limits.
        machine: What a worker counts on.
        stream: Whether estimates are sent.
    """
    options = equity_options(body, settings)
    plan: Plan | None = None
    try:
        if body.counts_hands:
            check_hands(spot, is_listed=body.by_hand or body.blockers)
        plan = make_plan(spot, options, machine)
        return Planned(plan, equity_cost(body, plan, settings, machine.thread_count, stream=stream))
    except NotCountedError:
        return Refused(None, not_counted(body, settings))
    except Problem as problem:
        return Refused(plan, problem)
    except InputError as error:
        if body.explain and body.method == "auto":  # a request with more time may have been answered
            with suppress(NotCountedError):
                plan = make_plan(spot, replace(options, method="exact"), machine)
        return Refused(plan, as_problem(error))
    finally:
        for planned_spot in (spot, plan.form.spot, plan.counted.spot) if plan else (spot,):
            planned_spot.forget()


def equity_options(body: EquityRequest, settings: Settings) -> Options:
    """Return the options of an answer, for a worker that begins at once."""
    limit, deadline = equity_limits(body, settings)
    is_limited = body.method == "auto" or body.time_limit is not None
    sampling = SamplingOptions(
        body.samples,
        body.standard_error,
        limit if is_limited else None,
        body.seed,
        before_handover(deadline),
    )
    return Options(
        body.method,
        body.table,
        settings.backend,
        body.counts_hands,
        body.made_hands,
        sampling,
        body.explain,
    )


def before_handover(seconds: float) -> float:
    """Return the seconds to compute in, of those until the answer has to reach the client."""
    return seconds - min(MAX_HANDOVER, HANDOVER_SHARE * seconds)
