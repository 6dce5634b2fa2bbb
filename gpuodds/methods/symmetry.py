"""Answer spots whose players are all in the same position: each has the same share of the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.methods.method import Machine, Method, Run
from gpuodds.results.restored import SYMMETRY, equal_shares

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm


class Symmetry(Method):
    """All players are alike, and nothing is counted."""

    name = SYMMETRY
    is_always = True

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        if options.is_counted_only or options.needs_counts:
            return "gives equities alone"
        return "" if form.is_symmetric else "the players are not alike"

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Return 0."""
        return 0.0

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Share the pot; the answer is for the seats that were asked.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
        """
        from gpuodds.methods.sampling.samplers import sampler_of

        if len(form.random) < len(form.places):
            sampler_of(form.spot, 0)  # refuses what cannot be dealt
        return equal_shares(form.asked)

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen."""
        return "all players are alike, and each has the same share"
