"""Explain a plan: what each method would have cost, which was chosen and why, and what was assumed.

Everything here comes from the estimates of :mod:`gpuodds.methods.costs`: nothing is computed twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.durations import format_duration
from gpuodds.methods import costs, lookup
from gpuodds.methods.families import family_of
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, Options
from gpuodds.methods.planner import MONTE_CARLO, SECONDS_FOR_FIGURES, options_of
from gpuodds.results.explanation import Considered, Explanation
from gpuodds.results.restored import SYMMETRY
from gpuodds.spots.hands import number_word
from gpuodds.spots.normal_form import normal_form

if TYPE_CHECKING:
    from gpuodds.methods.planner import Plan
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

SECONDS_WORTH_A_LINE = 0.05  # of start-up


def explain(
    plan: Plan, options: Options, limit: float, backend: str, loading: float = 0.0
) -> Explanation:
    """Explain the answer to a spot.

    Args:
        plan: The method that answered, and the normal form of the spot.
        options: The options of the answer.
        limit: Seconds that counting may take under method ``auto``.
        backend: The name of the backend that answered.
        loading: Seconds beyond the estimate, where this process counts for the first time.
    """
    form, spot = plan.form, plan.form.spot
    found, cost = [], 0.0
    for method, (seconds, refusal) in _costs(form, options).items():
        chosen = method == plan.method
        if chosen and seconds is not None:
            cost = seconds
        reason = refusal or _reason(method, chosen, seconds, spot, options, plan, limit)
        found.append(Considered(method, seconds, chosen, reason))
    assumed = [
        *_about_methods(options, plan, limit),
        _about_backend(options, plan, cost, backend),
        *_about_start(loading),
        *_about_form(plan),
        *_about_samples(plan),
        *_about_players(form.asked),
        *_about_symmetry(spot, plan),
    ]
    return Explanation(tuple(found), tuple(assumed))


def _costs(form: NormalForm, options: Options) -> dict[str, tuple[float | None, str]]:
    """Return each method's estimated seconds, None with the reason if it cannot answer."""
    found: dict[str, tuple[float | None, str]] = {}
    spot, own = form.spot, options_of(form, options)
    family = family_of(spot.game)
    refusal = family.why_not_in_table(spot, own)
    found[lookup.TABLE] = (None, refusal) if refusal else (costs.SECONDS_PER_LOOK_UP, "")
    refusals = family.refusals(spot, own)
    every = family.all_counting_seconds(spot, own)
    for method in sorted({*every, *refusals}, key=costs.METHODS.index):
        found[method] = every.get(method), refusals.get(method, "")
    if options.is_counted_only:
        found[MONTE_CARLO] = None, "samples give neither equities by hand nor final hands"
    else:
        if form.is_symmetric:
            found[SYMMETRY] = 0.0, ""
        drawn = normal_form(form.asked, keep="all").spot
        seconds, limit = costs.sampling_seconds(drawn, options.sampling), options.sampling.time_limit
        if limit is None and not options.sampling.is_limited:
            limit = DEFAULT_SECONDS
        found[MONTE_CARLO] = seconds if limit is None else min(seconds, limit), ""
    return found


def _reason(
    method: str,
    chosen: bool,
    seconds: float | None,
    spot: Spot,
    options: Options,
    plan: Plan,
    limit: float,
) -> str:
    """Return why a method that can answer was chosen, or was not."""
    if not chosen:
        if options.method == MONTE_CARLO:
            return "method is monte-carlo"
        if plan.method == SYMMETRY and method != MONTE_CARLO:
            return f"takes longer than {format_duration(min(limit, SECONDS_FOR_FIGURES))}"
        if plan.method == MONTE_CARLO:
            return f"takes longer than {format_duration(limit)}"
        if method == SYMMETRY:
            return "counts give more figures"
        if method == MONTE_CARLO:
            return "an exact answer is to be had"
        if plan.method == costs.KNOWN_HANDS:
            return "known hands have a method of their own"
        return "a table has the answer" if plan.method == lookup.TABLE else "not the cheapest"
    if method == lookup.TABLE:
        table = family_of(spot.game).table_of(spot, options)
        return f"taken from the shipped table {table}"
    if method == SYMMETRY:
        return "all players are alike, and each has the same share"
    if method == MONTE_CARLO:
        if options.method == MONTE_CARLO:
            return "method is monte-carlo"
        return f"no method counts within {format_duration(limit)}"
    if method == costs.KNOWN_HANDS:
        return "known hands are always counted"
    if options.method == "exact":
        return "the cheapest that counts; method is exact"
    return f"the cheapest that counts, within {format_duration(limit)}"


def _about_methods(options: Options, plan: Plan, limit: float) -> list[str]:
    lines = [f"tables may {'' if options.table else 'not '}answer"]
    if options.method == "auto":
        lines.append(f"method auto: count what takes at most {format_duration(limit)}, else sample")
    else:
        lines.append(f"method {options.method}, as given")
    if plan.method == MONTE_CARLO:
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
    what = "each process loads numba and the compiled functions once"
    return [f"start-up: {format_duration(loading)} beyond these estimates; {what}"]


def _about_form(plan: Plan) -> list[str]:
    """Say how the spot was put into its normal form; samples are drawn for all seats as they are."""
    form = plan.form
    lines = [*form.reasons]
    if plan.method != MONTE_CARLO and None in form.places and form.spot.opponents > 1:
        lines.append("seats with any cards have an equal part each of what the others leave")
    shared = [place for place in form.places if place is not None]
    if len({*shared}) < len(shared):
        lines.append("seats with any cards have the same figures: one of them is counted")
    return lines


def _about_samples(plan: Plan) -> list[str]:
    if plan.method != MONTE_CARLO:
        return []
    if not normal_form(plan.form.asked, keep="all").spot.is_dealt_in_pairs:
        return ["each sample draws its own hands and board"]
    return [
        "boards come in a random order, all before any comes again, with two deals on each; only the "
        "hands of random opponents are drawn"
    ]


def _about_backend(options: Options, plan: Plan, cost: float, backend: str) -> str:
    from gpuodds.backends.choice import explain_choice, thread_count

    threads = thread_count()
    on = f", {threads} thread{'s' * (threads != 1)}" if backend == "cpu" else ""
    if plan.method == lookup.TABLE:
        return "no backend: a table is read"
    if plan.method == SYMMETRY:
        return "no backend: nothing is counted"
    return f"backend {backend}{on}: {explain_choice(options.backend, cost, backend)}"


def _about_players(spot: Spot) -> list[str]:
    lines = []
    ranges = [*spot.hands, *spot.folded]
    every = (*spot.held, *spot.held_by_folded)
    names = [*spot.names, *(f"folded {name}" for name in spot.folded_names)]
    for name, hand, own in zip(names, ranges, every, strict=True):
        if not isinstance(hand, tuple):
            held, left = hand.holdings, len(own.numbers)
            fewer = "" if left == held else f", {left:,} without the board and the dead cards"
            lines.append(f"{name}: a range of {held:,} combos, weighted as given{fewer}")
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


def _about_symmetry(spot: Spot, plan: Plan) -> list[str]:
    if plan.method not in (costs.SHOWDOWNS, costs.THREE_RANGES, costs.LISTED_HANDS):
        return []
    group = len(spot.suit_group)
    if group == 1:
        return ["each suit has a part of its own: no two boards are alike"]
    what = "hands" if plan.method == costs.LISTED_HANDS else "boards"
    return [f"{what} that differ by one of {group} renamings of the suits are counted once"]
