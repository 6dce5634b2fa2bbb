"""``gpuodds play tournament --freeze-out``: its options, and how its result is printed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.interrupt import end_match, stop_on_interrupt
from gpuodds.cli.output import console, new_table, print_json, print_table, progress_bar, read_number
from gpuodds.cli.play.options import MatchOptions, read_rules
from gpuodds.cli.short_stacks.options import read_list

if TYPE_CHECKING:
    from gpuodds.play.tournaments.freeze_out import FreezeOutResult


@dataclass(frozen=True)
class FreezeOutOptions:
    """The options of freeze-outs."""

    freeze_out: Annotated[
        bool, typer.Option("--freeze-out", help="All at one table, until one has all chips.")
    ] = False
    games: Annotated[
        str | None,
        typer.Option(metavar="N", help="Number of freeze-outs, each from every seating. Default: 10."),
    ] = None
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Blinds and antes of a freeze-out: 50/100,75/150,100/200/10. Default: doubled.",
        ),
    ] = None
    level_hands: Annotated[
        str | None, typer.Option(metavar="N", help="Hands per level. Default: 10.")
    ] = None
    max_hands: Annotated[
        str | None, typer.Option(metavar="N", help="Maximum hands of a freeze-out. Default: 1000.")
    ] = None

    payouts: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Prizes of a freeze-out, from the first place on: 50,30,20."),
    ] = None

    def read(self, seats: int, options: MatchOptions) -> dict[str, Any]:
        """Return arguments of :func:`gpuodds.play.tournaments.freeze_out.play_freeze_out`.

        Args:
            seats: The number of bots.
            options: The blinds, which double until one is all chips if there are no levels, the chips
                at the start, and what matches and freeze-outs share.
        """
        from gpuodds.play.tournaments.freeze_out import DEFAULT_GAMES, doubling_levels, read_levels

        settings: dict[str, Any] = {"games": DEFAULT_GAMES}
        for name in ("games", "level_hands", "max_hands"):
            text = getattr(self, name)
            if text is not None:
                settings[name] = read_number(f"--{name.replace('_', '-')}", text)
        if self.levels is None:
            rules = read_rules(2, options.blinds, options.stack)
            rising = doubling_levels(rules.small_blind, rules.big_blind, rules.stack * seats)
        else:
            rising = read_levels(self.levels)
        if self.payouts is not None:
            settings["payouts"] = read_list("--payouts", self.payouts)
        stack = read_number("--stack", options.stack)
        return settings | {"stack": stack, "levels": rising} | options.read()


def show_freeze_out(bots: list[str], settings: dict[str, Any], as_json: bool) -> None:
    """Play freeze-outs, and print who won how many."""
    from gpuodds.play.tournaments.freeze_out import play_freeze_out

    with progress_bar(" v ".join(bots)) as progress, stop_on_interrupt() as stop:
        result = play_freeze_out(bots, **settings, progress=progress, stop=stop)
    if not result.games:
        raise KeyboardInterrupt
    if as_json:
        print_json(result.to_dict())
    else:
        _print_freeze_out(result)
    end_match(result.games < settings["games"], result.failure)


def _print_freeze_out(result: FreezeOutResult) -> None:
    prizes = ["mean prize"] if result.payouts else []
    table = new_table("player", "games won", "95 % interval", "mean place", *prizes)
    for place, name in enumerate(result.players):
        low, high = result.interval(place)
        won, span = f"{100 * result.share(place):.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
        prize = [f"{result.prize(place):,.2f}"] if prizes else []
        table.add_row(name, won, span, f"{result.mean_place(place):.2f}", *prize)
    out = console()
    print_table(out, table, keep=("player", "games won"))
    if result.luck is not None:
        _print_adjusted(result)
    seatings = f" from {result.rotations} seatings each" if result.rotations > 1 else ""
    out.print(
        f"{result.games:,} games{seatings}, {result.mean_hands:,.1f} hands a game, seed {result.seed}"
    )
    if result.unfinished:
        out.print(f"{result.unfinished:,} ended after {result.max_hands:,} hands, placed by chips")


def _print_adjusted(result: FreezeOutResult) -> None:
    what = "mean prize" if result.payouts else "games won"
    times, unit = (1, "") if result.payouts else (100, " %")
    table = new_table("without luck", what, "95 % interval", "share of games")
    for place, name in enumerate(result.players):
        low, high = (times * end for end in result.adjusted_interval(place))
        table.add_row(
            name,
            f"{times * float(result.adjusted(place).mean()):.1f}{unit}",
            f"{low:.1f} to {high:.1f}{unit}",
            f"{100 * result.share_of_games(place):.1f} %",
        )
    out = console()
    print_table(out, table)
    out.print("share of games: of those above, as many give an interval of the raw width")
