"""Answer a spot: estimate what each method costs, and run the cheapest one that the options allow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.durations import format_duration
from gpuodds.errors import InputError
from gpuodds.methods import lookup
from gpuodds.methods.families import family_of
from gpuodds.methods.folded import reduce_folded
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, Options

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.spot import Spot

    OnEstimate = Callable[[EquityResult], None]

MONTE_CARLO = "monte-carlo"
MAX_SECONDS = 10.0  # "auto" counts at most this long, unless a time limit is given
MAX_SECONDS_COUNTED_ONLY = 120.0  # the same, where sampling cannot answer
SECONDS_WORTH_A_NOTE = 1.0  # answers that take longer have a note on their cost
# Before a count the planner samples estimates, for these seconds or this share of the count if longer.
ESTIMATE_SECONDS, ESTIMATE_SHARE = 0.02, 0.2


@dataclass(frozen=True)
class Plan:
    """The method that answers a spot.

    Attributes:
        method: One of the methods of :mod:`gpuodds.methods.costs`, or :data:`MONTE_CARLO`.
        seconds: Estimated seconds of counting; 0 for sampling.
        cpu_seconds: The same for the CPU, where a GPU counts.
        notes: Lines on the cost, for the answer.
    """

    method: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    notes: tuple[str, ...] = ()


def make_plan(spot: Spot, options: Options) -> Plan:
    """Choose the method that answers a spot.

    Raises:
        InputError: The method of the options cannot answer, or only counting can and would take too
            long.
    """
    spot = reduce_folded(spot).spot
    if options.method == "monte-carlo":
        if options.is_counted_only:
            what = _counted_only(options)
            raise InputError(f"method 'monte-carlo': {what}: counted, not sampled; use auto or exact")
        return Plan(MONTE_CARLO)
    family = family_of(spot.game)
    if family.is_in_table(spot, options):
        return Plan(lookup.TABLE)
    from gpuodds.backends.choice import goes_to_gpu  # a look-up needs no model
    from gpuodds.methods.costs import SHOWDOWNS, gpu_seconds

    costs = family.counting_seconds(spot, options)
    method = min(costs, key=lambda name: costs[name], default="")
    if method in family.ALWAYS:
        return Plan(method, costs[method], costs[method])
    if options.method == "exact" and not method:
        raise InputError(
            "method 'exact': no method counts this spot: too many players, or ranges that are too many "
            "or too wide; use auto or monte-carlo"
        )
    limit = _max_seconds(options)
    cpu_seconds = costs.get(method, 0.0)
    matters = cpu_seconds > min(limit, SECONDS_WORTH_A_NOTE)
    matters &= not (spot.folded and method == SHOWDOWNS)  # those stay on the CPU
    on_gpu = matters and goes_to_gpu(options.backend, cpu_seconds)
    seconds = gpu_seconds(cpu_seconds) if on_gpu else cpu_seconds
    if method and (options.method == "exact" or seconds <= limit):
        return Plan(method, seconds, cpu_seconds, _cost_notes(spot, options, seconds, on_gpu))
    about = f"about {format_duration(seconds)}"
    if options.is_counted_only:
        instead = "fewer players or narrower ranges"
        if method:
            why = f"counting takes {about}, {format_duration(limit)} at most"
            instead = f"method exact to wait, {instead}"
        else:
            why = "no method counts this spot"
            instead = f"known hands, {instead}" if options.made_hands else instead
        raise InputError(f"{_counted_only(options)}: counted, not sampled, and {why}: use {instead}")
    note = f"counting exactly would take {about}" if method else "no method counts this spot exactly"
    return Plan(MONTE_CARLO, notes=(f"sampling; {note}",))


def _counted_only(options: Options) -> str:
    return "made hands" if options.made_hands else "the equity of each hand"


def _max_seconds(options: Options) -> float:
    default = MAX_SECONDS_COUNTED_ONLY if options.is_counted_only else MAX_SECONDS
    limit, deadline = options.sampling.time_limit or default, options.sampling.deadline
    return limit if deadline is None else min(limit, deadline)


def _cost_notes(spot: Spot, options: Options, seconds: float, on_gpu: bool) -> tuple[str, ...]:
    if seconds < SECONDS_WORTH_A_NOTE:
        return ()
    where = ", predicted for a GPU with its start" if on_gpu else ""
    takes = f"counting exactly takes about {format_duration(seconds)}{where}"
    if options.is_counted_only:
        return (takes,)
    from gpuodds.methods.costs import sampling_seconds

    sampling, limit = sampling_seconds(spot, options.sampling), options.sampling.time_limit
    instead = format_duration(sampling if limit is None else min(sampling, limit))
    return (f"{takes}; sampling would take about {instead}",)


def note_seconds(seconds: float) -> None:
    """Say how long counting takes, where that is long enough to matter."""
    if seconds >= SECONDS_WORTH_A_NOTE:
        import logging

        about = format_duration(seconds)
        logging.getLogger("gpuodds").info("counting exactly takes about %s", about)


def answer(
    spot: Spot,
    options: Options,
    *,
    plan: Plan | None = None,
    progress: Progress | None = None,
    on_estimate: OnEstimate | None = None,
) -> EquityResult:
    """Answer a spot.

    Args:
        spot: The spot.
        options: Method, backend, detail and sampling limits.
        plan: The plan, if it is made.
        progress: Called with the fraction done, 0 to 1.
        on_estimate: Called with sampled estimates until the answer is computed, each better than the
            one before. The answer is exact or no worse than the last estimate.

    Returns:
        Each player's counts, the method and the backend, seconds and notes.

    Raises:
        InputError: As :func:`make_plan`. :class:`~gpuodds.errors.ImpossibleDeal` if the ranges cannot
            be dealt together.
    """
    begin = perf_counter()
    asked, reduced = spot, reduce_folded(spot)
    spot = reduced.spot
    plan = plan or make_plan(spot, options)
    if plan.notes:
        import logging  # a look-up needs none

        for note in plan.notes:
            logging.getLogger("gpuodds").info("%s", note)
    if plan.method == MONTE_CARLO:
        found = _sample(spot, options, progress, on_estimate, begin)
    else:
        if on_estimate is not None and plan.seconds > ESTIMATE_SECONDS:  # else the answer comes first
            show_estimates(spot, options, plan.seconds, progress, on_estimate)
        family = family_of(spot.game)
        found = family.count(plan.method, spot, options, progress, plan.cpu_seconds)
    if options.explain:
        from gpuodds.methods.explain import explain

        limit = _max_seconds(options)
        why = explain(asked, reduced, options, plan, limit, found.backend)
        found = replace(found, explanation=why)
    found = reduced.restore(found, asked)
    return replace(found, seconds=perf_counter() - begin, notes=(*asked.notes, *plan.notes))


def show_estimates(
    spot: Spot,
    options: Options,
    seconds: float,
    progress: Progress | None,
    on_estimate: OnEstimate,
) -> None:
    """Sample estimates briefly, before counting that takes about ``seconds``."""
    from gpuodds.methods.sampling import Sampling

    shown: list[EquityResult] = []

    def show(found: EquityResult) -> None:
        shown.append(found)
        on_estimate(found)

    def wait(share: float) -> None:
        if progress is not None:
            progress(0.0)  # the counting has not begun

    limit, deadline = max(ESTIMATE_SECONDS, ESTIMATE_SHARE * seconds), options.sampling.deadline
    if deadline is not None:
        limit = min(limit, deadline / 2)
    sampling = Sampling.of(spot, seed=options.sampling.seed or 0, backend=options.backend)
    found = sampling.run(time_limit=limit, progress=wait, on_estimate=show)
    if found not in shown:
        on_estimate(found)


def _sample(
    spot: Spot,
    options: Options,
    progress: Progress | None,
    on_estimate: OnEstimate | None,
    begin: float,
) -> EquityResult:
    from gpuodds.methods.sampling import Sampling

    wanted = options.sampling
    sampling = Sampling.of(spot, seed=wanted.seed or 0, backend=options.backend)
    standard_error, time_limit = wanted.standard_error, wanted.time_limit
    if not wanted.is_limited:
        standard_error, time_limit = DEFAULT_ERROR, DEFAULT_SECONDS
    if wanted.deadline is not None:
        left = max(wanted.deadline - (perf_counter() - begin), 0.001)
        time_limit = left if time_limit is None else min(time_limit, left)
    return sampling.run(
        samples=wanted.samples,
        standard_error=standard_error,
        time_limit=time_limit,
        progress=progress,
        on_estimate=on_estimate,
    )
