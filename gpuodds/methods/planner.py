"""Choose the method that answers a spot: estimate what each one costs, take the cheapest allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from gpuodds.durations import format_duration
from gpuodds.errors import InputError
from gpuodds.methods import lookup
from gpuodds.methods.families import family_of
from gpuodds.methods.options import Options
from gpuodds.results.restored import SYMMETRY
from gpuodds.spots.normal_form import normal_form

if TYPE_CHECKING:
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot


MONTE_CARLO = "monte-carlo"
MAX_SECONDS = 10.0  # "auto" counts at most this long, unless a time limit is given
MAX_SECONDS_COUNTED_ONLY = 120.0  # the same, where sampling cannot answer
SECONDS_FOR_FIGURES = 1.0  # for counts of seats with any cards, beyond their share of the pot
SECONDS_WORTH_A_NOTE = 1.0  # answers that take longer have a note on their cost


@dataclass(frozen=True)
class Plan:
    """The method that answers a spot.

    Attributes:
        form: The normal form that it answers.
        method: One of the methods of :mod:`gpuodds.methods.costs`, :data:`SYMMETRY` or
            :data:`MONTE_CARLO`.
        seconds: Estimated seconds of counting; 0 for what is not counted.
        cpu_seconds: The same for the CPU, where a GPU counts.
        notes: Lines on the cost, for the answer.
    """

    form: NormalForm
    method: str
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    notes: tuple[str, ...] = ()


class Counting(NamedTuple):
    """A method that counts a normal form of a spot.

    Attributes:
        form: The normal form.
        method: The method.
        seconds: Estimated seconds on the CPU.
        is_always: Whether it is taken whatever it costs.
    """

    form: NormalForm
    method: str
    seconds: float
    is_always: bool


def make_plan(spot: Spot, options: Options) -> Plan:
    """Choose the method that answers a spot.

    Raises:
        InputError: The method of the options cannot answer, or only counting can and would take too
            long.
    """
    if options.method == "monte-carlo":
        if options.is_counted_only:
            what = _counted_only(options)
            raise InputError(f"method 'monte-carlo': {what}: counted, not sampled; use auto or exact")
        return Plan(normal_form(spot), MONTE_CARLO)
    limit = max_seconds(options)
    found = find_counting(spot, options, limit)
    if found is not None and found.method == lookup.TABLE:
        return Plan(found.form, found.method)
    from gpuodds.backends.choice import goes_to_gpu  # a look-up needs no model
    from gpuodds.methods.costs import SHOWDOWNS, gpu_seconds

    if found is not None and found.is_always:
        return Plan(found.form, found.method, found.seconds, found.seconds)
    form = normal_form(spot) if found is None else found.form
    if options.method == "exact" and found is None:
        instead = "fewer players or narrower ranges"
        instead = instead if options.is_counted_only else f"{instead}, or auto or monte-carlo"
        raise InputError(
            "method 'exact': no method counts this spot: too many players, or ranges that are too many "
            f"or too wide; use {instead}"
        )
    cpu_seconds = 0.0 if found is None else found.seconds
    matters = cpu_seconds > min(limit, SECONDS_WORTH_A_NOTE)
    if found is not None:  # folded players stay on the CPU
        matters &= not (form.spot.folded and found.method == SHOWDOWNS)
    on_gpu = matters and goes_to_gpu(options.backend, cpu_seconds)
    seconds = gpu_seconds(cpu_seconds) if on_gpu else cpu_seconds
    if found is not None and (options.method == "exact" or seconds <= limit):
        notes = _cost_notes(form, options, seconds, on_gpu)
        return Plan(form, found.method, seconds, cpu_seconds, notes)
    about = f"about {format_duration(seconds)}"
    if options.is_counted_only:
        instead = "fewer players or narrower ranges"
        if found is not None:
            why = f"counting takes {about}, {format_duration(limit)} at most"
            instead = f"method exact to wait, {instead}"
        else:
            why = "no method counts this spot"
            instead = f"known hands, {instead}" if options.made_hands else instead
        raise InputError(f"{_counted_only(options)}: counted, not sampled, and {why}: use {instead}")
    note = f"counting exactly would take {about}"
    if found is None:
        note = "no method counts this spot exactly"
    return Plan(form, MONTE_CARLO, notes=(f"sampling; {note}",))


def find_counting(
    spot: Spot, options: Options, limit: float, threads: int | None = None
) -> Counting | None:
    """Return the cheapest way to answer a spot exactly; None if there is none.

    Seats with any cards are counted as random opponents. Where that leaves them an equal share of the
    pot and no counts, one of them is counted as a named player instead, if it takes no longer than
    :data:`SECONDS_FOR_FIGURES`, or if only that gives what the options ask for. Likewise players who
    are all alike are counted if it takes no longer; else each has an equal share.

    Args:
        spot: The spot.
        options: The options of the answer; method and limits of sampling do not matter.
        limit: Seconds that counting may take.
        threads: Threads that count; default: those of this process.

    Raises:
        ImpossibleDeal: The cards that are known leave a player no hand.
    """
    form = normal_form(spot, by_hand=options.by_hand)
    if form.is_symmetric and not options.is_counted_only and not options.needs_counts:
        if form.random and spot.players == 2 and spot.game.has_low:
            # Both stay named players: one player's counts do not tell who wins each half.
            found = _cheapest([normal_form(spot, keep="all")], options, threads)
        else:
            found = _cheapest([form], options, threads)
        most = min(limit, SECONDS_FOR_FIGURES)
        return found if found and found.seconds <= most else Counting(form, SYMMETRY, 0.0, True)
    if None not in form.places:
        return _cheapest([form], options, threads)
    named = normal_form(spot, keep="one", by_hand=options.by_hand)
    if options.by_hand:
        return _cheapest([named], options, threads)
    if form.spot.opponents == 1 and not options.made_hands:
        return _cheapest([form, named], options, threads)
    every = _cheapest([named], options, threads)
    if options.needs_counts:
        return every
    most = limit if options.made_hands else min(limit, SECONDS_FOR_FIGURES)
    if every is not None and (every.method == lookup.TABLE or every.seconds <= most):
        return every
    return _cheapest([form], options, threads) or every


def options_of(form: NormalForm, options: Options) -> Options:
    """Return the options for a normal form: of known hands no equities by hand are needed."""
    if options.by_hand and all(isinstance(hand, tuple) for hand in form.spot.hands):
        return replace(options, by_hand=False)
    return options


def _cheapest(forms: Sequence[NormalForm], options: Options, threads: int | None) -> Counting | None:
    """Return a table that has one of some forms, what is always taken, or the quickest method."""
    family = family_of(forms[0].spot.game)
    for form in forms:
        if family.is_in_table(form.spot, options_of(form, options)):
            return Counting(form, lookup.TABLE, 0.0, True)
    found = []
    for form in forms[::-1]:  # of equal ones the form with more named players
        costs = family.counting_seconds(form.spot, options_of(form, options), threads)
        for method, seconds in costs.items():
            found.append(Counting(form, method, seconds, method in family.ALWAYS))
    return min(found, key=lambda one: (not one.is_always, one.seconds), default=None)


def _counted_only(options: Options) -> str:
    return "made hands" if options.made_hands else "the equity of each hand"


def max_seconds(options: Options) -> float:
    """Return how long counting may take under method ``auto``."""
    default = MAX_SECONDS_COUNTED_ONLY if options.is_counted_only else MAX_SECONDS
    limit, deadline = options.sampling.time_limit or default, options.sampling.deadline
    return limit if deadline is None else min(limit, deadline)


def _cost_notes(form: NormalForm, options: Options, seconds: float, on_gpu: bool) -> tuple[str, ...]:
    if seconds < SECONDS_WORTH_A_NOTE:
        return ()
    where = ", predicted for a GPU with its start" if on_gpu else ""
    takes = f"counting exactly takes about {format_duration(seconds)}{where}"
    if options.is_counted_only:
        return (takes,)
    from gpuodds.methods.costs import sampling_seconds

    spot = normal_form(form.asked, keep="all").spot
    sampling, limit = sampling_seconds(spot, options.sampling), options.sampling.time_limit
    instead = format_duration(sampling if limit is None else min(sampling, limit))
    return (f"{takes}; sampling would take about {instead}",)


def note_seconds(seconds: float) -> None:
    """Say how long counting takes, where that is long enough to matter."""
    if seconds >= SECONDS_WORTH_A_NOTE:
        import logging

        about = format_duration(seconds)
        logging.getLogger("gpuodds").info("counting exactly takes about %s", about)
