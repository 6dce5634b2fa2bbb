"""Explain a plan: what each method would have cost, which was chosen and why, and what was assumed.

Everything here is read from the plan: nothing is estimated again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.durations import format_duration
from gpuodds.methods.method import MONTE_CARLO
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, Options
from gpuodds.methods.planner import SECONDS_FOR_FIGURES
from gpuodds.results.explanation import Considered, Explanation
from gpuodds.results.restored import SYMMETRY
from gpuodds.spots.hands import number_word

if TYPE_CHECKING:
    from gpuodds.methods.method import Method
    from gpuodds.methods.planner import Plan
    from gpuodds.spots.spot import Spot

SECONDS_WORTH_A_LINE = 0.05  # of start-up


def explain(plan: Plan, options: Options, backend: str, loading: float = 0.0) -> Explanation:
    """Explain the answer to a spot.

    Args:
        plan: The plan, made with options that want an explanation.
        options: The options of the answer.
        backend: The name of the backend that answered.
        loading: Seconds beyond the estimate, where this process counts for the first time.
    """
    considered, cost = [], 0.0
    for method, seconds, why_not in plan.said:
        chosen = method == plan.method
        if chosen and seconds is not None:
            cost = seconds
        reason = why_not or _reason(method, plan, options)
        considered.append(Considered(method.name, seconds, chosen, reason))
    assumed = [
        *_about_methods(options, plan),
        _about_backend(options, plan, cost, backend),
        *_about_start(loading),
        *_about_form(plan),
        *_about_samples(plan),
        *_about_players(plan.form.asked),
        *_about_symmetry(plan),
    ]
    return Explanation(tuple(considered), tuple(assumed))


def _reason(method: Method, plan: Plan, options: Options) -> str:
    """Return why a method that can answer was chosen, or was not."""
    limit = format_duration(plan.limit)
    if method == plan.method:
        return method.why(plan.form, options, limit)
    if options.method == MONTE_CARLO:
        return "method is monte-carlo"
    if plan.method.name == SYMMETRY and method.name != MONTE_CARLO:
        return f"takes longer than {format_duration(min(plan.limit, SECONDS_FOR_FIGURES))}"
    if plan.is_sampled:
        return f"takes longer than {limit}"
    if method.name == SYMMETRY:
        return "counts give more figures"
    if method.name == MONTE_CARLO:
        return "an exact answer is to be had"
    if plan.method.is_table:
        return "a table has the answer"
    return "known hands have a method of their own" if plan.method.is_always else "not the cheapest"


def _about_methods(options: Options, plan: Plan) -> list[str]:
    lines = [f"tables may {'' if options.table else 'not '}answer"]
    if options.method == "auto":
        lines.append(
            f"method auto: count what takes at most {format_duration(plan.limit)}, else sample"
        )
    else:
        lines.append(f"method {options.method}, as given")
    if plan.is_sampled:
        sampling = options.sampling
        wanted: list[str] = []
        if sampling.samples is not None:
            wanted.append(f"{sampling.samples:,} samples")
        if sampling.standard_error is not None:
            wanted.append(f"a standard error of {sampling.standard_error:g}")
        if sampling.time_limit is not None:
            wanted.append(format_duration(sampling.time_limit))
        default = f"a standard error of {DEFAULT_ERROR:g} or {format_duration(DEFAULT_SECONDS)}"
        lines.append(f"samples of seed {sampling.seed or 0} until {' or '.join(wanted) or default}")
    return lines


def _about_start(loading: float) -> list[str]:
    if loading < SECONDS_WORTH_A_LINE:
        return []
    loaded = "each process loads numba and the compiled functions once"
    return [f"start-up: {format_duration(loading)} beyond these estimates; {loaded}"]


def _about_form(plan: Plan) -> list[str]:
    """Say how the spot was put into its normal form; samples are drawn for all seats as they are."""
    form = plan.counted
    lines = [*form.reasons]
    if not plan.is_sampled and None in form.places and form.spot.opponents > 1:
        lines.append("seats with any cards have an equal part each of what the others leave")
    shared = [place for place in form.places if place is not None]
    if len({*shared}) < len(shared):
        lines.append("seats with any cards have the same figures: one of them is counted")
    return lines


def _about_samples(plan: Plan) -> list[str]:
    if not plan.is_sampled:
        return []
    if not plan.form.spot.is_dealt_in_pairs:
        return ["each sample draws its own hands and board"]
    return [
        "boards come in a random order, all before any comes again, with two deals on each; only the "
        "hands of random opponents are drawn"
    ]


def _about_backend(options: Options, plan: Plan, cost: float, backend: str) -> str:
    from gpuodds.backends.choice import explain_choice, thread_count

    threads = thread_count()
    on = f", {threads} thread{'s' * (threads != 1)}" if backend == "cpu" else ""
    if plan.method.is_table:
        return "no backend: a table is read"
    if plan.method.name == SYMMETRY:
        return "no backend: nothing is counted"
    return f"backend {backend}{on}: {explain_choice(options.backend, cost, backend)}"


def _about_players(spot: Spot) -> list[str]:
    lines = []
    ranges = [*spot.hands, *spot.folded]
    every = (*spot.held, *spot.held_by_folded)
    names = [*spot.names, *(f"folded {name}" for name in spot.folded_names)]
    for name, hand, own in zip(names, ranges, every, strict=True):
        if not isinstance(hand, tuple):
            num_combos, left = hand.num_combos, len(own.numbers)
            fewer = "" if left == num_combos else f", {left:,} without the board and the dead cards"
            lines.append(f"{name}: a range of {num_combos:,} combos, weighted as given{fewer}")
    if spot.opponents:
        who = (
            "1 random opponent holds"
            if spot.opponents == 1
            else f"{spot.opponents} random opponents hold"
        )
        cards = number_word(spot.game.hole_cards)
        lines.append(f"{who} any {cards} cards with the same chance; their order is ignored")
    if spot.folded:
        lines.append("folded players hold cards of their ranges and win nothing")
    return lines


def _about_symmetry(plan: Plan) -> list[str]:
    alike, group = plan.method.alike, len(plan.form.spot.suit_group)
    if not alike:
        return []
    if group == 1:
        return ["each suit has a part of its own: no two boards are alike"]
    return [f"{alike} that differ by one of {group} renamings of the suits are counted once"]
