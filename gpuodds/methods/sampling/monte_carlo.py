"""Answer spots by samples, within the limits of the options."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.methods.method import MONTE_CARLO, Machine, Method, Run
from gpuodds.methods.options import DEFAULT_SECONDS, Options

if TYPE_CHECKING:
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm


class MonteCarlo(Method):
    """Deals are drawn, from a form in which every player of the spot stays named."""

    name = MONTE_CARLO

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        return (
            "samples give neither equities by hand nor final hands" if options.is_counted_only else ""
        )

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes."""
        from gpuodds.methods.sampling.costs import sampling_seconds

        sampling = options.sampling
        seconds = sampling_seconds(form.spot, sampling, machine.thread_count)
        limit = sampling.time_limit
        if limit is None and not sampling.is_limited:
            limit = DEFAULT_SECONDS
        return seconds if limit is None else min(seconds, limit)

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Sample until the first limit of the options is met.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
            NotEnoughSamples: Too few deals were drawn.
        """
        from gpuodds.methods.sampling.engine import Sampling

        begin, wanted = perf_counter(), options.sampling
        sampling = Sampling.of(form.spot, seed=wanted.seed or 0, backend=options.backend)
        deadline = wanted.deadline
        if deadline is not None:
            deadline = max(deadline - (perf_counter() - begin), 0.001)
        result = sampling.run(
            samples=wanted.samples,
            standard_error=wanted.standard_error,
            time_limit=wanted.time_limit,
            deadline=deadline,
            progress=run.progress,
            on_estimate=run.on_estimate,
        )
        errors = (player.standard_error or 0.0 for player in result.players)
        wanted.check_answer(int(result.outcomes), max(errors))
        return result

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen."""
        if options.method == MONTE_CARLO:
            return "method is monte-carlo"
        return f"no method counts within {limit}"
