"""Answer a spot by the method that the planner chooses."""

from __future__ import annotations

import sys
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.basics.frozen import frozen
from gpuodds.methods.method import Run
from gpuodds.methods.options import Options
from gpuodds.methods.planner import Plan, make_plan, options_of
from gpuodds.results.restored import restore
from gpuodds.results.result import EquityResult
from gpuodds.spots.normal_form import normal_form

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress
    from gpuodds.methods.method import OnEstimate
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

# Before a count estimates are sampled, for these seconds or this share of the count if longer.
ESTIMATE_SECONDS, ESTIMATE_SHARE = 0.02, 0.2


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
            be dealt together, :class:`~gpuodds.errors.NotEnoughSamples` if too few deals were drawn.
    """
    begin, is_first = perf_counter(), "numba" not in sys.modules
    plan = plan or make_plan(spot, options)
    form, method = plan.form, plan.method
    if plan.notes:
        import logging  # a look-up needs none

        for note in plan.notes:
            logging.getLogger("gpuodds").info("%s", note)
    shown, sampling = None, options.sampling
    if on_estimate is not None:
        # A counted answer that comes at once needs no estimates.
        shown = _restored(on_estimate, normal_form(spot, keep="all"))
        if not plan.is_sampled and plan.seconds > ESTIMATE_SECONDS:
            show_estimates(spot, options, plan.seconds, progress, shown)
    own = options_of(form, options)
    if sampling.deadline is not None:
        left = max(sampling.deadline - (perf_counter() - begin), 0.001)
        own = replace(own, sampling=replace(sampling, deadline=left))
    result = method.count(form, own, Run(plan.cpu_seconds, progress, shown))
    result = restore(result, form, by_hand=options.by_hand)
    if options.explain:
        from gpuodds.methods.explain import explain

        loading = perf_counter() - begin - plan.seconds
        is_loaded = is_first and "numba" in sys.modules and not plan.is_sampled
        why = explain(plan, options, result.backend, loading if is_loaded else 0.0)
        result = replace(result, explanation=why)
    # ``replace`` takes as long as to plan a look-up. Estimates that were shown stay as they were.
    answered = result if on_estimate is None else frozen(EquityResult, **vars(result))
    vars(answered).update(seconds=perf_counter() - begin, notes=(*spot.notes, *plan.notes))
    return answered


def _restored(on_estimate: OnEstimate, form: NormalForm) -> OnEstimate:
    """Return what is called with estimates of a form, for the spot that was asked."""
    return lambda estimate: on_estimate(restore(estimate, form))


def show_estimates(
    spot: Spot,
    options: Options,
    seconds: float,
    progress: Progress | None,
    show: OnEstimate,
) -> None:
    """Sample estimates briefly, before counting that takes about ``seconds``.

    Args:
        spot: The spot.
        options: The options of the answer.
        seconds: About how long counting takes.
        progress: Called with 0, since the counting has not begun.
        show: Called with estimates of the spot with all players named.
    """
    from gpuodds.methods.sampling.engine import Sampling

    shown: list[EquityResult] = []

    def keep(estimate: EquityResult) -> None:
        shown.append(estimate)
        show(estimate)

    def wait(share: float) -> None:
        if progress is not None:
            progress(0.0)

    limit, deadline = max(ESTIMATE_SECONDS, ESTIMATE_SHARE * seconds), options.sampling.deadline
    half = None if deadline is None else deadline / 2
    named = normal_form(spot, keep="all").spot
    sampling = Sampling.of(named, seed=options.sampling.seed or 0, backend=options.backend)
    estimate = sampling.run(time_limit=limit, deadline=half, progress=wait, on_estimate=keep)
    if estimate not in shown:
        keep(estimate)
