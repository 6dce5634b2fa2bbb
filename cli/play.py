"""``gpuodds play``: hold'em bots, their matches, and a table at the terminal."""

from __future__ import annotations

import csv
import os
import sys
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.app import App, words
from gpuodds.cli.interrupt import end_match, stop_on_interrupt
from gpuodds.cli.output import (
    console,
    new_table,
    plus_minus,
    print_json,
    print_table,
    progress_bar,
    read_number,
    read_seed,
    show_notes,
)
from gpuodds.client import ServerError
from gpuodds.errors import InputError
from gpuodds.files import open_output

if TYPE_CHECKING:
    from gpuodds.play.equities import Equities
    from gpuodds.play.game import Rules
    from gpuodds.play.match import MatchResult

app = App(help="No-limit hold'em: bots, matches, tournaments.")


def _bots() -> list[str]:
    from gpuodds.play.match import BOTS

    return list(BOTS)


Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT",
        help="2 to 10 of pokerbot, adaptive, kelly, tight, caller, random, all-in.",
        autocompletion=words(_bots),
    ),
]
Hands = Annotated[str, typer.Option(metavar="N", help="Deals; duplicate ones are played by all seats.")]
Seed = Annotated[str, typer.Option(metavar="N", help="All cards and draws follow from it.")]
Duplicate = Annotated[
    bool, typer.Option("--duplicate/--no-duplicate", help="Replay each deal with the seats rotated.")
]
Blinds = Annotated[str, typer.Option(metavar="S/B", help="Small and big blind.")]
Stack = Annotated[str, typer.Option(metavar="CHIPS", help="Everybody's chips at every hand.")]
Workers = Annotated[
    str,
    typer.Option(metavar="N", help="Processes that share the rotations, or the games of a freeze-out."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Server = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Take bots' equities from a running gpuodds serve."),
]


@app.command()
def match(
    bots: Bots,
    hands: Hands = "1000",
    seed: Seed = "0",
    duplicate: Duplicate = True,
    blinds: Blinds = "50/100",
    stack: Stack = "20000",
    workers: Workers = "1",
    server: Server = None,
    history: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the hands as .phhs.")
    ] = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write chips won, deal by deal.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the running result.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let bots play, every deal from all seats: thousandths of a big blind a hand, with an interval.

    Examples:
      gpuodds play match adaptive pokerbot --hands 500 --workers 2
      gpuodds play match tight random caller --hands 200 --history hands.phhs --plot match.png
    """
    from gpuodds.play.history import write_histories
    from gpuodds.play.match import play_match

    if plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(plot)
    show_notes()
    kept: list[Any] = []
    deals = read_number("--hands", hands)
    with progress_bar(" v ".join(bots)) as progress, stop_on_interrupt() as stop:
        result = play_match(
            bots,
            hands=deals,
            seed=read_seed("--seed", seed),
            duplicate=duplicate,
            rules=_rules(len(bots), blinds, stack),
            workers=read_number("--workers", workers),
            progress=progress,
            keep=None if history is None else kept.append,
            stop=stop,
            equities=_equities(server),
        )
    stopped = result.deals < deals
    if not result.deals:
        raise KeyboardInterrupt
    if history is not None:
        write_histories(history, kept)
    if csv_file is not None:
        _write_csv(csv_file, result)
    if plot is not None:
        from gpuodds.play.plot import plot_match

        plot_match(result, plot)
    if as_json:
        print_json(result.to_dict())
        end_match(stopped, result.failure)
        return
    table = new_table("player", "mbb a hand", "95 % interval", "folds", "calls", "raises")
    for place, name in enumerate(result.players):
        low, high = result.interval(place)
        counts = [f"{result.actions[place].get(kind, 0):,}" for kind in ("fold", "call", "raise")]
        table.add_row(name, f"{result.rate(place):+,.1f}", f"{low:+,.1f} to {high:+,.1f}", *counts)
    out = console()
    print_table(out, table, keep=("player", "mbb a hand"))
    out.print(
        f"{result.deals * result.rotations:,} hands of {result.deals:,} deals, seed {result.seed}"
    )
    end_match(stopped, result.failure)


@app.command()
def tournament(
    context: typer.Context,
    bots: Bots,
    hands: Hands = "200",
    seed: Seed = "0",
    duplicate: Duplicate = True,
    blinds: Blinds = "50/100",
    stack: Annotated[
        str,
        typer.Option(
            metavar="CHIPS", help="Everybody's chips at every hand, or as a freeze-out begins."
        ),
    ] = "20000",
    workers: Workers = "1",
    server: Server = None,
    freeze_out: Annotated[
        bool, typer.Option("--freeze-out", help="All at one table, until one has all chips.")
    ] = False,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Freeze-outs, each from every seating. Default: 10.")
    ] = None,
    levels: Annotated[
        str | None,
        typer.Option(
            metavar="LIST",
            help="Blinds and antes of a freeze-out: 50/100,75/150,100/200/10. Default: doubled.",
        ),
    ] = None,
    level_hands: Annotated[
        str | None, typer.Option(metavar="N", help="Hands that a level lasts. Default: 10.")
    ] = None,
    max_hands: Annotated[
        str | None, typer.Option(metavar="N", help="End a freeze-out after this many. Default: 1000.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Let every bot meet every other one, two at a time: a cross-table. Or all at once: a freeze-out.

    Examples:
      gpuodds play tournament tight caller random --hands 100
      gpuodds play tournament pokerbot adaptive kelly tight --workers 4
      gpuodds play tournament --freeze-out tight caller random --games 20
      gpuodds play tournament --freeze-out tight random --levels 50/100,100/200/10 --level-hands 8
    """
    of_freeze_outs = {
        "--games": games,
        "--levels": levels,
        "--level-hands": level_hands,
        "--max-hands": max_hands,
    }
    if freeze_out:
        if _is_given(context, "hands"):
            raise InputError(
                "--hands: a freeze-out ends with one player left; see --games, --max-hands"
            )
        if levels is not None and _is_given(context, "blinds"):
            raise InputError("--blinds and --levels: expected one of them")
        numbers = {
            option.removeprefix("--").replace("-", "_"): read_number(option, text)
            for option, text in of_freeze_outs.items()
            if text is not None and option != "--levels"
        }
        _freeze_out(bots, numbers, levels, seed, duplicate, blinds, stack, workers, server, as_json)
        return
    for option, text in of_freeze_outs.items():
        if text is not None:
            raise InputError(f"{option}: expected with --freeze-out")
    from gpuodds.play.match import play_pairs

    show_notes()
    number, rules = read_number("--hands", hands), _rules(2, blinds, stack)
    failure: list[ServerError] = []
    with progress_bar("all pairs") as progress, stop_on_interrupt() as stop:
        results = play_pairs(
            bots,
            hands=number,
            seed=read_seed("--seed", seed),
            duplicate=duplicate,
            rules=rules,
            workers=read_number("--workers", workers),
            progress=progress,
            stop=stop,
            equities=_equities(server),
            failed=failure.append,
        )
    found: dict[tuple[int, int], tuple[float, float]] = {}
    for (one, other), result in results.items():
        for place, pair in enumerate(((one, other), (other, one))):
            found[pair] = result.rate(place), 1.96 * result.standard_error(place)
    stopped = len(found) < len(bots) * (len(bots) - 1)
    if not found:
        raise KeyboardInterrupt
    if as_json:
        rows = [
            {"player": bots[a], "against": bots[b], "mbb_per_hand": rate, "reach": reach}
            for (a, b), (rate, reach) in sorted(found.items())
        ]
        print_json({"schema": "gpuodds.tournament/1", "deals": number, "results": rows})
        end_match(stopped, failure[0] if failure else None)
        return
    table = new_table("mbb a hand against", *bots, "mean")
    for one, name in enumerate(bots):
        met = {b: found[one, b] for b in range(len(bots)) if (one, b) in found}
        cells = [""] * len(bots)
        for b, (rate, reach) in met.items():
            cells[b] = f"{rate:+,.0f} {plus_minus()} {reach:,.0f}"
        mean = f"{fmean(rate for rate, _ in met.values()):+,.0f}" if met else ""
        table.add_row(name, *cells, mean)
    print_table(console(), table)
    end_match(stopped, failure[0] if failure else None)


def _is_given(context: typer.Context, name: str) -> bool:
    """Whether an option was typed, and is not its default."""
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _freeze_out(
    bots: list[str],
    numbers: dict[str, int],
    levels: str | None,
    seed: str,
    duplicate: bool,
    blinds: str,
    stack: str,
    workers: str,
    server: str | None,
    as_json: bool,
) -> None:
    from gpuodds.play.freeze_out import (
        DEFAULT_GAMES,
        doubling_levels,
        play_freeze_out,
        read_levels,
    )

    show_notes()
    if levels is None:
        rules = _rules(2, blinds, stack)
        chips = rules.stack * len(bots)
        rising = doubling_levels(rules.small_blind, rules.big_blind, chips)
    else:
        rising = read_levels(levels)
    with progress_bar(" v ".join(bots)) as progress, stop_on_interrupt() as stop:
        result = play_freeze_out(
            bots,
            **{"games": DEFAULT_GAMES, **numbers},
            stack=read_number("--stack", stack),
            levels=rising,
            duplicate=duplicate,
            seed=read_seed("--seed", seed),
            workers=read_number("--workers", workers),
            progress=progress,
            stop=stop,
            equities=_equities(server),
        )
    stopped = result.games < numbers.get("games", DEFAULT_GAMES)
    if not result.games:
        raise KeyboardInterrupt
    if as_json:
        print_json(result.to_dict())
        end_match(stopped, result.failure)
        return
    table = new_table("player", "games won", "95 % interval", "mean place")
    for place, name in enumerate(result.players):
        low, high = result.interval(place)
        won, span = f"{100 * result.share(place):.1f} %", f"{100 * low:.1f} to {100 * high:.1f} %"
        table.add_row(name, won, span, f"{result.mean_place(place):.2f}")
    out = console()
    print_table(out, table, keep=("player", "games won"))
    seatings = f" from {result.rotations} seatings each" if result.rotations > 1 else ""
    out.print(
        f"{result.games:,} games{seatings}, {result.mean_hands:,.1f} hands a game, seed {result.seed}"
    )
    if result.unfinished:
        out.print(f"{result.unfinished:,} ended after {result.max_hands:,} hands, placed by chips")
    end_match(stopped, result.failure)


def _equities(server: str | None) -> Equities | None:
    from gpuodds.play.equities import ServerEquities

    if server is None:
        return None
    equities = ServerEquities(server, token=os.environ.get("GPUODDS_TOKEN") or None)
    equities.check()
    return equities


def _rules(seats: int, blinds: str, stack: str) -> Rules:
    from gpuodds.play.game import Rules

    small, slash, big = blinds.partition("/")
    if not slash:
        raise InputError(f"--blinds {blinds}: expected two numbers, such as 50/100")
    return Rules(
        seats,
        read_number("--blinds", small),
        read_number("--blinds", big),
        stack=read_number("--stack", stack),
    )


def _write_csv(path: Path, result: MatchResult) -> None:
    text = StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(["deal", *(f"{name} ({place})" for place, name in enumerate(result.players))])
    rows.writerows([number, *won] for number, won in enumerate(result.won, 1))
    with open_output(path) as file:
        file.write(text.getvalue().encode())
    print(f"{path}: {result.deals:,} deals", file=sys.stderr)


@app.command()
def acpc(
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where the dealer is.")],
    port: Annotated[str, typer.Argument(metavar="PORT", help="The dealer's port for this player.")],
    bot: Annotated[
        str,
        typer.Option(
            metavar="BOT",
            help="pokerbot, adaptive, kelly, tight, caller, random or all-in.",
            autocompletion=words(_bots),
        ),
    ] = "pokerbot",
    definition: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The dealer's game definition file.")
    ] = None,
    blinds: Annotated[
        str | None,
        typer.Option(metavar="S/B", help="The dealer's small and big blind. Default: 50/100."),
    ] = None,
    stack: Annotated[
        str | None,
        typer.Option(metavar="CHIPS", help="The dealer's stacks at every hand. Default: 20000."),
    ] = None,
    seed: Seed = "0",
    timeout: Annotated[str, typer.Option(metavar="S", help="Seconds to wait for the dealer.")] = "600",
    server: Server = None,
) -> None:
    """Play heads-up no-limit for a dealer of the Annual Computer Poker Competition's protocol.

    The dealer never says its blinds and stacks: give its file, or both by hand.

    Examples:
      gpuodds play acpc localhost 18791 --bot adaptive
      gpuodds play acpc localhost 18791 --definition holdem.nolimit.2p.reverse_blinds.game
      gpuodds play acpc localhost 18791 --blinds 25/50 --stack 10000
    """
    from random import Random

    from gpuodds.play.acpc import play_acpc
    from gpuodds.play.match import find_bot

    show_notes()
    if definition is not None and (blinds is not None or stack is not None):
        raise InputError("--definition and --blinds or --stack: expected one of them")
    if definition is not None:
        rules = _read_definition(definition)
    else:
        rules = _rules(2, "50/100" if blinds is None else blinds, "20000" if stack is None else stack)
    player = find_bot(bot, _equities(server))(Random(read_seed("--seed", seed)))
    number = read_number("PORT", port)
    if not 0 < number < 1 << 16:
        raise InputError(f"PORT {port}: expected 1 to 65535")
    seconds = float(read_number("--timeout", timeout))
    hands, chips, stopped = 0, 0, False
    failure = None

    def report(played: int, won: int) -> None:
        nonlocal hands, chips
        hands, chips = played, won
        if sys.stderr.isatty():
            print(f"\r{hands:,} hands, {chips:+,} chips ", end="", file=sys.stderr)

    try:
        hands, chips = play_acpc(host, number, player, rules=rules, timeout=seconds, report=report)
    except KeyboardInterrupt:
        stopped = True
    except ServerError as error:
        failure = error
    rate = f", {1000 * chips / rules.big_blind / hands:+,.1f} mbb a hand" if hands else ""
    print(f"{hands:,} hands, {chips:+,} chips{rate}")
    end_match(stopped, failure)


def _read_definition(path: Path) -> Rules:
    from gpuodds.play.acpc_definition import LONGEST_FILE, read_definition

    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if len(content) > LONGEST_FILE:
        raise InputError(f"{path}: expected a game definition of at most {LONGEST_FILE:,} bytes")
    try:
        return read_definition(content.decode(errors="replace"))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


@app.command()
def table(
    seat: Annotated[
        str, typer.Option(metavar="LIST", help="Who plays: me and bots, in order: me,pokerbot,tight.")
    ] = "me,pokerbot",
    hints: Annotated[
        bool, typer.Option("--hints", help="Show pot odds, exact equity and Kelly's advice.")
    ] = False,
    bankroll: Annotated[
        str | None, typer.Option(metavar="CHIPS", help="All you own, for hints. Default: 20 stacks.")
    ] = None,
    hands: Annotated[str | None, typer.Option(metavar="N", help="End after so many hands.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="N", help="Makes the cards repeatable.")] = None,
    blinds: Blinds = "50/100",
    stack: Stack = "10000",
    history: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the hands as .phhs at the end.")
    ] = None,
    server: Server = None,
) -> None:
    """Sit down with bots at the terminal.

    Examples:
      gpuodds play table --hints
      gpuodds play table --seat me,pokerbot,tight --stack 5000 --seed 1
    """
    from gpuodds.cli.table_play import play_table
    from gpuodds.play.history import write_histories

    show_notes()
    names = [name.strip() for name in seat.split(",")]
    most = None if hands is None else read_number("--hands", hands)
    if most is not None and most < 1:
        raise InputError(f"--hands {most}: expected 1 or more")
    played, won, interrupted, failure = play_table(
        names,
        _rules(len(names), blinds, stack),
        seed=None if seed is None else read_seed("--seed", seed),
        hints=hints,
        hands=most,
        bankroll=None if bankroll is None else read_number("--bankroll", bankroll),
        equities=_equities(server),
    )
    if history is not None:
        write_histories(history, played)
    print(f"{len(played):,} hands, {won:+,} chips")
    end_match(interrupted, failure)
