"""``gpuodds play tournament``: a cross-table of all pairs of bots, or freeze-outs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.interrupt import end_match, stop_on_interrupt
from gpuodds.cli.options import AsJson
from gpuodds.cli.output import (
    console,
    new_table,
    plus_minus,
    print_json,
    print_table,
    progress_bar,
    read_number,
    show_notes,
)
from gpuodds.cli.play.freeze_out import FreezeOutOptions, show_freeze_out
from gpuodds.cli.play.options import Bots, Hands, LuckAdjusted, MatchOptions, read_rules, with_depth
from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.play.failure import Failure
    from gpuodds.play.match import MatchResult

KEYS = ("mbb_per_hand", "reach")
FREEZE_OUT_ONLY = ("games", "levels", "level_hands", "max_hands", "payouts")


@dataclass(frozen=True)
class TournamentOptions(MatchOptions):
    """The options of a match, for fewer deals, with the stack of a freeze-out."""

    hands: Hands = "200"
    stack: Annotated[
        str,
        typer.Option(
            metavar="CHIPS",
            help="Chips of every player at every hand, or at the start of a freeze-out.",
        ),
    ] = "20000"


def tournament(
    context: typer.Context,
    bots: Bots,
    *,
    options: TournamentOptions,
    freeze_outs: FreezeOutOptions,
    luck_adjusted: LuckAdjusted = False,
    as_json: AsJson = False,
) -> None:
    """Let every bot meet every other one, two at a time: a cross-table. Or all at once: a freeze-out.

    Examples:
      gpuodds play tournament tight caller random --hands 100
      gpuodds play tournament pokerbot adaptive kelly tight --workers 4
      gpuodds play tournament --freeze-out tight caller random --games 20
      gpuodds play tournament --freeze-out tight random --levels 50/100,100/200/10 --level-hands 8
    """
    _refuse_options(context, freeze_outs.freeze_out)
    show_notes()
    bots = with_depth(bots, options.depth)
    if freeze_outs.freeze_out:
        settings = freeze_outs.read(len(bots), options) | {"luck_adjusted": luck_adjusted}
        show_freeze_out(bots, settings, as_json)
    else:
        deals, rules = (
            read_number("--hands", options.hands),
            read_rules(2, options.blinds, options.stack),
        )
        settings = {"hands": deals, "rules": rules, "luck_adjusted": luck_adjusted}
        _show_cross_table(bots, settings | options.read(), as_json)


def _refuse_options(context: typer.Context, freeze_out: bool) -> None:
    """Refuse options that this kind of tournament does not have."""
    if not freeze_out:
        for name in FREEZE_OUT_ONLY:
            if _is_given(context, name):
                raise InputError(f"--{name.replace('_', '-')}: expected with --freeze-out")
        return
    if _is_given(context, "hands"):
        raise InputError("--hands: a freeze-out ends with one player left; see --games, --max-hands")
    if _is_given(context, "levels") and _is_given(context, "blinds"):
        raise InputError("--blinds and --levels: expected one of them")


def _is_given(context: typer.Context, name: str) -> bool:
    """Return whether an option is on the command line, even with its default value."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _show_cross_table(bots: list[str], settings: dict[str, Any], as_json: bool) -> None:
    """Play all pairs, and print the cross-table."""
    from gpuodds.play.match import play_pairs

    failures: list[Failure] = []
    with progress_bar("all pairs") as progress, stop_on_interrupt() as stop:
        results = play_pairs(bots, **settings, progress=progress, stop=stop, failed=failures.append)
    if not results:
        raise KeyboardInterrupt
    rates = _rates(results)
    without = _rates(results, adjusted=True) if settings["luck_adjusted"] else {}
    if as_json:
        rows = [
            {"player": bots[a], "against": bots[b], "mbb_per_hand": rate, "reach": reach}
            | ({"luck_adjusted": dict(zip(KEYS, without[a, b], strict=True))} if without else {})
            for (a, b), (rate, reach) in sorted(rates.items())
        ]
        print_json({"schema": "gpuodds.tournament/1", "deals": settings["hands"], "results": rows})
    else:
        _print_cross_table(bots, rates, "mbb a hand against")
        if without:
            _print_cross_table(bots, without, "without luck")
    stopped = len(rates) < len(bots) * (len(bots) - 1)
    end_match(stopped, failures[0] if failures else None)


def _rates(
    results: Mapping[tuple[int, int], MatchResult], *, adjusted: bool = False
) -> dict[tuple[int, int], tuple[float, float]]:
    """Return the rate of each bot against each other one, and half the width of its 95 % interval."""
    rates = {}
    for (first, second), result in results.items():
        for place, pair in enumerate(((first, second), (second, first))):
            if adjusted:
                low, high = result.adjusted_interval(place)
                rates[pair] = result.adjusted_rate(place), (high - low) / 2
            else:
                rates[pair] = result.rate(place), 1.96 * result.standard_error(place)
    return rates


def _print_cross_table(
    bots: list[str], rates: Mapping[tuple[int, int], tuple[float, float]], title: str
) -> None:
    table = new_table(title, *bots, "mean")
    for row, name in enumerate(bots):
        met = {other: rates[row, other] for other in range(len(bots)) if (row, other) in rates}
        cells = [""] * len(bots)
        for other, (rate, reach) in met.items():
            cells[other] = f"{rate:+,.0f} {plus_minus()} {reach:,.0f}"
        mean = f"{fmean(rate for rate, _ in met.values()):+,.0f}" if met else ""
        table.add_row(name, *cells, mean)
    print_table(console(), table)
