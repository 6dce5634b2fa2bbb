"""``gpuodds ev --fit-folds``: how often players fold by the size of the bet."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from gpuodds.cli.interrupt import exit_code, stop_on_interrupt
from gpuodds.cli.output import console, new_table, print_json, print_table, progress_bar
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.betting.folding import FoldFit
    from gpuodds.cli.options import OutputOptions
    from gpuodds.histories.folds import FoldFits


def show_fold_fits(files: Sequence[str], player: str | None, output: OutputOptions) -> None:
    """Fit the curves and print them.

    Args:
        files: Files, folders or patterns.
        player: Whose opponents decided.
        output: The form.

    Raises:
        InputError: No hand could be read, or the player is in none.
    """
    from gpuodds.histories.folds import fit_folds

    stopped = False
    with progress_bar("hands") as progress, stop_on_interrupt() as stop:

        def stops() -> bool:
            nonlocal stopped
            stopped = stop()
            return stopped

        try:
            found = fit_folds(files, player=player, progress=progress, stop=stops)
        except InputError as error:
            if player is not None and str(error).startswith("player "):
                raise InputError(f"--player {excerpt(player)}: in no hand") from None
            raise
    if output.as_json:
        print_json(found.to_dict())
    elif output.as_csv:
        _print_csv(found)
    else:
        _print_tables(found)
    if found.skipped:
        first = found.skipped[0]
        print(f"{len(found.skipped):,} pieces not read, the first: {first}", file=sys.stderr)
    if stopped:
        print("gpuodds: interrupted; this is of what was read", file=sys.stderr)
        raise typer.Exit(exit_code())


def _print_tables(found: FoldFits) -> None:
    from gpuodds.histories.folds import GROUPS, PRICES

    out = console()
    who = "all players" if found.player is None else f"opponents of {found.player}"
    out.print(f"chance of a fold by the price of the call, {who}, {found.hands:,} hands")
    names = ["half pot", "pot", "two pots"]
    table = new_table("street", "decisions", "folds", "A", "B", *names)
    for group in GROUPS:
        fit = found.fits.get(group)
        if fit is None:
            table.add_row(group, found.reasons[group].partition(":")[0].partition(" ")[0])
            continue
        figures = [_of(fit.curve.level, fit.level_interval), _of(fit.curve.slope, fit.slope_interval)]
        chances = [_chance(fit, price) for price in PRICES.values()]
        table.add_row(group, f"{fit.decisions:,}", f"{fit.folds:,}", *figures, *chances)
    print_table(out, table, keep=("street", "decisions", "A", "B"))
    out.print("in brackets 95 % intervals; fewer than 100 decisions are not fitted")
    if fit := next(iter(found.fits.values()), None):
        level, slope = fit.curve.level, fit.curve.slope
        out.print(f"gpuodds kelly ... --fold-curve={level:.3f},{slope:.3f}")


def _of(value: float, interval: tuple[float, float]) -> str:
    return f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"


def _chance(fit: FoldFit, price: float) -> str:
    low, high = fit.interval(price)
    return f"{100 * fit.curve.chance(price):.0f} % [{100 * low:.0f}, {100 * high:.0f}]"


def _print_csv(found: FoldFits) -> None:
    from gpuodds.histories.folds import GROUPS, PRICES

    writer = csv.writer(sys.stdout, lineterminator="\n")
    ends = ["level_low", "level_high", "slope_low", "slope_high"]
    writer.writerow(["street", "decisions", "folds", "level", "slope", *ends, *PRICES])
    for group in GROUPS:
        if fit := found.fits.get(group):
            chances = [fit.curve.chance(price) for price in PRICES.values()]
            counts = group, fit.decisions, fit.folds, fit.curve.level, fit.curve.slope
            writer.writerow([*counts, *fit.level_interval, *fit.slope_interval, *chances])
