"""Answer a spot by the method that the planner chooses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.methods.families import family_of
from gpuodds.methods.options import Options
from gpuodds.methods.planner import MONTE_CARLO, Plan, make_plan, max_seconds, options_of
from gpuodds.results.restored import SYMMETRY, equal_shares, restore
from gpuodds.spots.normal_form import normal_form

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

    OnEstimate = Callable[[EquityResult], None]

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
    form, limit = plan.form, max_seconds(options)
    if plan.notes:
        import logging  # a look-up needs none

        for note in plan.notes:
            logging.getLogger("gpuodds").info("%s", note)
    if plan.method == MONTE_CARLO:
        found = _sample(spot, options, progress, on_estimate, begin)
    elif plan.method == SYMMETRY:
        found = _follow_from_symmetry(form)
    else:
        if on_estimate is not None and plan.seconds > ESTIMATE_SECONDS:  # else the answer comes first
            show_estimates(spot, options, plan.seconds, progress, on_estimate)
        family, own = family_of(spot.game), options_of(form, options)
        found = family.count(plan.method, form.spot, own, progress, plan.cpu_seconds)
        found = restore(found, form, by_hand=options.by_hand)
    if options.explain:
        from gpuodds.methods.explain import explain

        loading = perf_counter() - begin - plan.seconds
        is_loaded = is_first and "numba" in sys.modules and plan.method != MONTE_CARLO
        why = explain(plan, options, limit, found.backend, loading if is_loaded else 0.0)
        found = replace(found, explanation=why)
    return replace(found, seconds=perf_counter() - begin, notes=(*spot.notes, *plan.notes))


def _follow_from_symmetry(form: NormalForm) -> EquityResult:
    """Answer a spot whose players are all in the same position.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    from gpuodds.methods.samplers import sampler_of

    if len(form.random) < len(form.places):
        sampler_of(form.spot, 0)  # refuses what cannot be dealt
    return equal_shares(form.asked)


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
    form = normal_form(spot, keep="all")

    def show(found: EquityResult) -> None:
        shown.append(found)
        on_estimate(restore(found, form))

    def wait(share: float) -> None:
        if progress is not None:
            progress(0.0)  # the counting has not begun

    limit, deadline = max(ESTIMATE_SECONDS, ESTIMATE_SHARE * seconds), options.sampling.deadline
    half = None if deadline is None else deadline / 2
    sampling = Sampling.of(form.spot, seed=options.sampling.seed or 0, backend=options.backend)
    found = sampling.run(time_limit=limit, deadline=half, progress=wait, on_estimate=show)
    if found not in shown:
        show(found)


def _sample(
    spot: Spot,
    options: Options,
    progress: Progress | None,
    on_estimate: OnEstimate | None,
    begin: float,
) -> EquityResult:
    from gpuodds.methods.sampling import Sampling

    wanted, form = options.sampling, normal_form(spot, keep="all")
    sampling = Sampling.of(form.spot, seed=wanted.seed or 0, backend=options.backend)
    deadline = wanted.deadline
    if deadline is not None:
        deadline = max(deadline - (perf_counter() - begin), 0.001)

    found = sampling.run(
        samples=wanted.samples,
        standard_error=wanted.standard_error,
        time_limit=wanted.time_limit,
        deadline=deadline,
        progress=progress,
        on_estimate=None if on_estimate is None else lambda found: on_estimate(restore(found, form)),
    )
    wanted.check_answer(int(found.outcomes), max(one.standard_error or 0.0 for one in found.players))
    return restore(found, form)
