"""Plan the answer to a spot: ask each method of its family what it costs, take the cheapest allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from gpuodds.basics.durations import format_duration
from gpuodds.errors import InputError
from gpuodds.methods.families import SAMPLING, SYMMETRY, load_method, methods_of
from gpuodds.methods.method import HERE, MONTE_CARLO, SECONDS_WORTH_A_NOTE, Machine, Method
from gpuodds.methods.options import DEFAULT_OPTIONS
from gpuodds.spots.normal_form import normal_form, unchanged

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.methods.options import Options
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

MAX_PLANS = 1024  # that are kept, by the shape of a spot
MAX_SECONDS = 10.0  # "auto" counts at most this long, unless a time limit is given
MAX_SECONDS_COUNTED_ONLY = 120.0  # the same, where sampling cannot answer
SECONDS_FOR_FIGURES = 1.0  # for counts of seats with any cards, beyond their share of the pot


class NotCountedError(InputError):
    """No method counts a spot that is to be counted."""


class Said(NamedTuple):
    """What a method said of a spot.

    Attributes:
        method: The method.
        seconds: Estimated seconds on the CPU; None if it cannot answer.
        why_not: Why it cannot; empty if it can.
    """

    method: Method
    seconds: float | None
    why_not: str = ""


class Plan(NamedTuple):
    """How a spot is answered; whoever explains the answer, admits the request or counts, reads it here.

    Attributes:
        form: The spot in the form that is answered.
        method: The method that answers it.
        seconds: Estimated seconds of counting; 0 for what is not counted.
        cpu_seconds: The same for the CPU, where a GPU counts.
        limit: Seconds that counting may take under method ``auto``.
        notes: Lines on the cost, for the answer.
        counted: The form that methods were asked to count: that of the answer, unless it is sampled.
        said: What the methods said; all of them, if the options want an explanation.
    """

    form: NormalForm
    method: Method
    seconds: float
    cpu_seconds: float
    limit: float
    counted: NormalForm
    said: tuple[Said, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_sampled(self) -> bool:
        """Whether the answer is an estimate from samples."""
        return self.method.name == MONTE_CARLO


class Counting(NamedTuple):
    """A method that answers a normal form exactly.

    Attributes:
        form: The normal form.
        method: The method.
        seconds: Estimated seconds on the CPU.
        said: What the methods said that were asked.
    """

    form: NormalForm
    method: Method
    seconds: float
    said: tuple[Said, ...]


def make_plan(spot: Spot, options: Options, machine: Machine = HERE) -> Plan:
    """Choose the method that answers a spot.

    Args:
        spot: The spot.
        options: The options of the answer.
        machine: What counts.

    Raises:
        InputError: The method of the options cannot answer, or only counting can and would take too
            long.
        ImpossibleDeal: The cards that are known leave a player no hand.
    """
    if not (options is DEFAULT_OPTIONS and machine is HERE and spot.is_known):
        return _make_plan(spot, options, machine)
    # To plan takes longer than to count two hands on a flop, and goes by the numbers of cards alone.
    shape = spot.game, len(spot.hands), spot.opponents, len(spot.board), len(spot.dead)
    plan = _plans.get(shape)
    if plan is not None:
        form = unchanged(spot)
        return Plan(form, plan.method, plan.seconds, plan.cpu_seconds, plan.limit, form)
    plan = _make_plan(spot, options, machine)
    if plan.seconds < SECONDS_WORTH_A_NOTE and not plan.notes:
        if len(_plans) >= MAX_PLANS:
            _plans.clear()
        _plans[shape] = plan
    return plan


_plans: dict[tuple[Game, int, int, int, int], Plan] = {}


def _make_plan(spot: Spot, options: Options, machine: Machine) -> Plan:
    limit = max_seconds(options)
    if options.method == "monte-carlo":
        if options.is_counted_only:
            figures = _counted_only(options)
            raise InputError(
                f"method 'monte-carlo': {figures}: counted, not sampled; use auto or exact"
            )
        return _sampled(spot, None, options, machine, limit)
    counting = find_counting(spot, options, limit, machine)
    if counting is None:
        if options.method == "exact":
            instead = "fewer players or narrower ranges"
            instead = instead if options.is_counted_only else f"{instead}, or auto or monte-carlo"
            raise NotCountedError(
                "method 'exact': no method counts this spot: too many players, or ranges that are too "
                f"many or too wide; use {instead}"
            )
        if options.is_counted_only:
            instead = "fewer players or narrower ranges"
            instead = f"known hands, {instead}" if options.made_hands else instead
            raise _refusal(options, "no method counts this spot", instead)
        return _sampled(spot, None, options, machine, limit, "no method counts this spot exactly")
    if counting.method.is_always:
        return _counted(counting, counting.seconds, options, machine, limit)
    matters = counting.seconds > min(limit, SECONDS_WORTH_A_NOTE)
    on_gpu = matters and machine.goes_to_gpu(options.backend, counting.seconds)
    seconds = machine.gpu_seconds(counting.seconds) if on_gpu else counting.seconds
    if options.method == "exact" or seconds <= limit:
        notes = _cost_notes(counting.form, options, seconds, on_gpu, machine)
        return _counted(counting, seconds, options, machine, limit, notes)
    about = f"about {format_duration(seconds)}"
    if options.is_counted_only:
        raise _too_long(options, seconds, limit)
    return _sampled(spot, counting, options, machine, limit, f"counting exactly would take {about}")


def _counted(
    counting: Counting,
    seconds: float,
    options: Options,
    machine: Machine,
    limit: float,
    notes: tuple[str, ...] = (),
) -> Plan:
    """Return the plan to count."""
    form, said = counting.form, counting.said
    if options.explain:
        said = said or ask(form, options, machine)[0]
        said = (*said, *_say_others(form, options, machine))
    return Plan(form, counting.method, seconds, counting.seconds, limit, form, said, notes)


def _sampled(
    spot: Spot,
    counting: Counting | None,
    options: Options,
    machine: Machine,
    limit: float,
    note: str = "",
) -> Plan:
    """Return the plan to sample, whether something would count the spot or not."""
    form = counted = normal_form(spot, keep="all")
    said: tuple[Said, ...] = ()
    if options.explain:
        counted = counting.form if counting else normal_form(spot)
        said = counting.said if counting else ask(counted, options, machine)[0]
        said = (*said, *_say_others(counted, options, machine))
    notes = (f"sampling; {note}",) if note else ()
    return Plan(form, load_method(SAMPLING), 0.0, 0.0, limit, counted, said, notes)


def sampled_instead(plan: Plan, options: Options) -> Plan:
    """Return a plan for less time than it was made for: to sample, if it would count for too long.

    Args:
        plan: The plan.
        options: The options of the answer, with the seconds that are left.

    Raises:
        InputError: Only counting can answer, and would take too long.
    """
    limit = max_seconds(options)
    if options.method != "auto" or plan.method.is_always or plan.seconds <= limit:
        return plan
    if options.is_counted_only:
        raise _too_long(options, plan.seconds, limit)
    note = f"sampling; counting exactly would take about {format_duration(plan.seconds)}"
    form = normal_form(plan.form.asked, keep="all")
    return Plan(form, load_method(SAMPLING), 0.0, 0.0, limit, plan.counted, plan.said, (note,))


def find_counting(
    spot: Spot, options: Options, limit: float, machine: Machine = HERE
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
        machine: What counts.

    Raises:
        ImpossibleDeal: The cards that are known leave a player no hand.
    """
    form = normal_form(spot, by_hand=options.by_hand)
    if form.is_symmetric and not load_method(SYMMETRY).why_not(form, options):
        counted = form
        if form.random and spot.players == 2 and spot.game.has_low:
            # Both stay named players: one player's counts do not tell who wins each half.
            counted = normal_form(spot, keep="all")
        counting = _cheapest([counted], options, machine)
        if counting and counting.seconds <= min(limit, SECONDS_FOR_FIGURES):
            return counting
        return Counting(
            form, load_method(SYMMETRY), 0.0, counting.said if counting and counted is form else ()
        )
    if None not in form.places:
        return _cheapest([form], options, machine)
    named = normal_form(spot, keep="one", by_hand=options.by_hand)
    if options.by_hand:
        return _cheapest([named], options, machine)
    if form.spot.opponents == 1 and not options.made_hands:
        return _cheapest([form, named], options, machine)
    every = _cheapest([named], options, machine)
    if options.needs_counts:
        return every
    most = limit if options.made_hands else min(limit, SECONDS_FOR_FIGURES)
    if every is not None and (every.method.is_always or every.seconds <= most):
        return every
    return _cheapest([form], options, machine) or every


def options_of(form: NormalForm, options: Options) -> Options:
    """Return the options for a normal form: of known hands no equities by hand are needed."""
    if options.by_hand and all(isinstance(hand, tuple) for hand in form.spot.hands):
        return replace(options, by_hand=False)
    return options


def _cheapest(forms: Sequence[NormalForm], options: Options, machine: Machine) -> Counting | None:
    """Return what is taken in any case of some forms, a table first of all, or what is quickest."""
    countings: list[Counting] = []
    for form in forms:
        said, able = ask(form, options, machine)
        here = [Counting(form, way.method, way.seconds or 0.0, said) for way in able]
        if here and here[0].method.is_always:
            return here[0]
        countings = here + countings  # of equal ones the form with more named players
    return min(countings, key=lambda counting: counting.seconds, default=None)


def ask(
    form: NormalForm, options: Options, machine: Machine = HERE
) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """Ask each method of the game about a form, once.

    Args:
        form: The form.
        options: The options of the answer.
        machine: What counts.

    Returns:
        What they said; and of those that can answer, the ones up to the first that is known to be
        cheaper than those after it. These are not asked, unless an explanation is wanted.
    """
    own, said, able = options_of(form, options), [], []
    is_settled = False
    for method in methods_of(form.spot.game):
        why_not = method.why_not(form, own)
        if why_not:
            said.append(Said(method, None, why_not))
            continue
        said.append(Said(method, method.seconds(form, own, machine)))
        if not is_settled:
            able.append(said[-1])
            is_settled = method.is_cheapest(form, own)
        if is_settled and not options.explain:
            break
    return tuple(said), tuple(able)


def _say_others(form: NormalForm, options: Options, machine: Machine) -> list[Said]:
    """Return what the methods say that belong to no family: symmetry, where it can, and sampling."""
    symmetry, sampling = load_method(SYMMETRY), load_method(SAMPLING)
    said = []
    if form.is_symmetric and not symmetry.why_not(form, options):
        said.append(Said(symmetry, 0.0))
    why_not = sampling.why_not(form, options)
    drawn = normal_form(form.asked, keep="all")
    seconds = None if why_not else sampling.seconds(drawn, options, machine)
    return [*said, Said(sampling, seconds, why_not)]


def _counted_only(options: Options) -> str:
    return "made hands" if options.made_hands else "the equity of each hand"


def _refusal(options: Options, why: str, instead: str) -> InputError:
    figures = _counted_only(options)
    return InputError(f"{figures}: counted, not sampled, and {why}: use {instead}")


def _too_long(options: Options, seconds: float, limit: float) -> InputError:
    why = f"counting takes about {format_duration(seconds)}, {format_duration(limit)} at most"
    return _refusal(options, why, "method exact to wait, fewer players or narrower ranges")


def max_seconds(options: Options) -> float:
    """Return how long counting may take under method ``auto``."""
    default = MAX_SECONDS_COUNTED_ONLY if options.is_counted_only else MAX_SECONDS
    limit, deadline = options.sampling.time_limit or default, options.sampling.deadline
    return limit if deadline is None else min(limit, deadline)


def _cost_notes(
    form: NormalForm, options: Options, seconds: float, on_gpu: bool, machine: Machine
) -> tuple[str, ...]:
    if seconds < SECONDS_WORTH_A_NOTE:
        return ()
    where = ", predicted for a GPU with its start" if on_gpu else ""
    takes = f"counting exactly takes about {format_duration(seconds)}{where}"
    if options.is_counted_only:
        return (takes,)
    from gpuodds.methods.sampling.costs import sampling_seconds

    drawn, limit = normal_form(form.asked, keep="all").spot, options.sampling.time_limit
    sampling = sampling_seconds(drawn, options.sampling, machine.thread_count)
    instead = format_duration(sampling if limit is None else min(sampling, limit))
    return (f"{takes}; sampling would take about {instead}",)
