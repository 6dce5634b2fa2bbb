"""``gpuodds equity``: the equity of hands and ranges against each other and random opponents."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuodds.cli.app import Backend, Explain, GameName, choice, completion, range_names
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.equity.batch import answer_file, read_form, read_options, refuse_with_batch
from gpuodds.cli.equity.call import CallOptions, hands_above
from gpuodds.cli.equity.double_board import (
    count_double_board,
    print_double_board,
    refuse_with_two_boards,
)
from gpuodds.cli.equity.print_equity import Details, print_csv, print_tables, to_json
from gpuodds.cli.options import Board, Dead, Opponents, OutputOptions
from gpuodds.cli.output import print_json, progress_bar, read_number, show_notes
from gpuodds.errors import InputError
from gpuodds.machine.files import STDOUT

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.results.result import EquityResult

FLOP = 3  # cards

Hands = Annotated[
    list[str] | None,
    typer.Argument(
        help="Hands, AsKs QhQd or single cards 1s 13s, and ranges, QQ+,AK:0.5, 15%, UTG or @FILE.",
        metavar="HANDS",
        autocompletion=completion(range_names),
    ),
]


def _sampling(metavar: str, help: str) -> Any:
    return typer.Option(metavar=metavar, help=help, rich_help_panel="Sampled answers")


def _batch(name: str, metavar: str, help: str) -> Any:
    return typer.Option(name, metavar=metavar, help=help, rich_help_panel="Many spots")


@dataclass(frozen=True)
class SpotOptions:
    """What is known of the spot besides the hands."""

    opponents: Opponents = None
    board: Board = ""
    board2: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help='A second board, each for half of the pot; "" if none of its cards is dealt.',
        ),
    ] = None
    dead: Dead = ""
    folded: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RANGE",
            help="Range of a player who has folded: their cards are out of play. Repeat for several.",
            autocompletion=completion(range_names),
        ),
    ] = None

    def read(self, game: Game) -> dict[str, Any]:
        """Return the spot as arguments of :func:`gpuodds.equity`."""
        return {
            "opponents": None if self.opponents is None else read_number("--opponents", self.opponents),
            "board": self.board,
            "dead": self.dead,
            "folded": read_range_arguments(self.folded or [], game),
        }


@dataclass(frozen=True)
class MethodOptions:
    """How the answer is found, and where."""

    method: Annotated[
        str,
        choice(
            "auto", "exact", "monte-carlo", help="auto counts exactly where that takes some seconds."
        ),
    ] = "auto"
    no_table: Annotated[
        bool, typer.Option("--no-table", help="Compute the answer even if a shipped table has it.")
    ] = False
    backend: Backend = "auto"


@dataclass(frozen=True)
class SampleOptions:
    """When sampling ends; the fields are arguments of :func:`gpuodds.equity`."""

    samples: Annotated[int | None, _sampling("N", "Maximum number of samples.")] = None
    standard_error: Annotated[float | None, _sampling("E", "Sample until the standard error is E.")] = (
        None
    )
    time_limit: Annotated[float | None, _sampling("S", "Maximum time in seconds, once compiled.")] = (
        None
    )
    seed: Annotated[int | None, _sampling("N", "Same seed, same draws.")] = None

    def check(self) -> None:
        """Refuse options that contradict each other.

        Raises:
            InputError: There is a seed and a time limit.
        """
        if self.seed is not None and self.time_limit is not None:
            raise InputError(
                "--seed with --time-limit: the number of samples in that time differs from run to run; "
                "use --samples or --standard-error with a seed"
            )


@dataclass(frozen=True)
class DetailOptions:
    """What is shown besides each player's equity."""

    by_hand: Annotated[
        bool, typer.Option("--by-hand", help="Show the equity of each starting hand of each range.")
    ] = False
    by_combo: Annotated[
        bool, typer.Option("--by-combo", help="Show the equity of each combo of each range.")
    ] = False
    equity_graph: Annotated[
        bool, typer.Option("--equity-graph", help="Show the equity of each range's hands, best first.")
    ] = False
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Plot these equities, a curve per player: .png, .svg or .pdf."
        ),
    ] = None
    blockers: Annotated[
        bool,
        typer.Option(
            "--blockers",
            help="Show what each hand of the first player takes out of the second one's range.",
        ),
    ] = False
    made_hands: Annotated[
        bool,
        typer.Option("--made-hands", help="Show how often final hands are of each category, and win."),
    ] = False
    by_next_card: Annotated[
        bool, typer.Option("--by-next-card", help="Show the equities after each next board card.")
    ] = False
    explain: Explain = False

    @property
    def needs_hands(self) -> bool:
        """Whether the equities of single hands are needed."""
        return self.has_hands or self.has_graphs or self.blockers

    @property
    def has_hands(self) -> bool:
        """Whether the equities of single hands are shown as such."""
        return self.by_hand or self.by_combo

    @property
    def has_graphs(self) -> bool:
        """Whether the equities of single hands are shown as curves."""
        return self.equity_graph or self.plot is not None


@dataclass(frozen=True)
class PlayerOutput(OutputOptions):
    """How the answer is printed."""

    as_csv: Annotated[bool, typer.Option("--csv", help="Print a line of CSV per player.")] = False


@dataclass(frozen=True)
class BatchOptions:
    """A file of spots, and where its answers go."""

    batch: Annotated[
        str | None,
        _batch("--batch", "FILE", "Answer each row of FILE, CSV or JSON; - is standard input."),
    ] = None
    out: Annotated[
        str,
        _batch(
            "--out", "FILE", "Write the rows with their answers to FILE; its ending tells the format."
        ),
    ] = STDOUT
    form: Annotated[
        str | None,
        _batch("--format", "csv|jsonl|parquet", "Format of the rows. Default: as they come in."),
    ] = None
    resume: Annotated[
        bool, _batch("--resume", "", "Go on after the last whole row of --out FILE: CSV or JSON lines.")
    ] = False
    keep: Annotated[
        str | None,
        _batch(
            "--keep",
            "COLUMNS",
            "Columns of FILE to copy unread: id,note; all: those that are not known.",
        ),
    ] = None

    def refuse(self) -> None:
        """Refuse what has a meaning with ``--batch`` alone.

        Raises:
            InputError: It was given.
        """
        if self.form is not None or self.out != STDOUT or self.keep is not None or self.resume:
            raise InputError("--out, --format, --keep and --resume: expected with --batch FILE")


def equity(
    hands: Hands = None,
    *,
    spot: SpotOptions,
    how: MethodOptions,
    sampling: SampleOptions,
    details: DetailOptions,
    call: CallOptions,
    game: GameName = "holdem",
    output: PlayerOutput,
    rows: BatchOptions,
) -> None:
    """Find the equity of hands and ranges, exactly when feasible.

    Cards are rank and suit: As Td 10d 9c, or the ranks 1 (ace) to 13 (king): 1s 13s.
    See gpuodds range --help for the syntax of ranges.

    Examples:
      gpuodds equity 1s 13s --opponents 3
      gpuodds equity AsKs QhQd --board 2s7d9h
      gpuodds equity "QQ+,AK" "22+,A2s+" --by-hand
      gpuodds equity "A5s,KQs" "QQ+,AK" --board AdTs8s4c2h --blockers
      gpuodds equity AKs UTG --pot 1100 --to-call 1000
      gpuodds equity random 30% --above 47.6%
      gpuodds equity 15% 30% 60% random --standard-error 0.001 --seed 1
      gpuodds equity AsKs QhQd --folded "22+,A2s+" --folded 50%
      gpuodds equity AsAhKsKh 7c8c9dTd --game omaha
      gpuodds equity AsKs QhQd --board 2s7d9h --board2 KcTd3c
      gpuodds equity --batch spots.csv --keep id,note --out answers.csv
      gpuodds equity --batch spots.csv --keep id,note --out answers.csv --resume
    """
    from gpuodds.games.catalog import find_game

    output.check()
    sampling.check()
    played = find_game(game)
    show_notes()
    if rows.batch is not None:
        _refuse_with_batch(hands, spot, details, call)
        _answer_rows(rows.batch, rows, how, sampling, output, played)
        return
    rows.refuse()
    if not hands:
        raise InputError("expected HANDS, such as AsKs or AKs QQ+, or --batch FILE")
    if spot.board2 is not None:
        refuse_with_two_boards({**asdict(how), **asdict(details), **asdict(call)})
        asked = spot.read(played) | {"game": played}
        options = {"method": how.method, "backend": how.backend, **asdict(sampling)}
        print_double_board(count_double_board(hands, asked, spot.board2, options), output)
        return
    result, shown = _count_equities(hands, spot, how, sampling, details, call, played)
    if output.as_json:
        print_json(to_json(result, shown))
    elif output.as_csv:
        print_csv(result, shown)
    else:
        print_tables(result, shown)
        if details.plot is not None:
            print(details.plot)


def _refuse_with_batch(
    hands: list[str] | None, spot: SpotOptions, details: DetailOptions, call: CallOptions
) -> None:
    """Refuse what the columns of a file say, and what is shown of a single spot alone."""
    in_columns = {f"--{name}": value for name, value in asdict(spot).items()}
    in_columns |= {"--pot": call.pot, "--to-call": call.to_call}
    refuse_with_batch({"HANDS": hands} | in_columns, in_rows=True)
    alone = {f"--{name.replace('_', '-')}": value for name, value in asdict(details).items()}
    alone["--above"] = call.above
    refuse_with_batch(alone, in_rows=False)


def _answer_rows(
    path: str,
    rows: BatchOptions,
    how: MethodOptions,
    sampling: SampleOptions,
    output: PlayerOutput,
    game: Game,
) -> None:
    """Answer the rows of a file."""
    from gpuodds.spots.batches.row_names import Keep

    form = read_form(rows.form, output.as_json, output.as_csv)
    options = read_options(how.method, not how.no_table, how.backend, asdict(sampling))
    answer_file(path, rows.out, form, options, game, Keep.read_option(rows.keep), rows.resume)


def _note_short_board(board: str) -> None:
    """Note that a flop has three cards if a board has one or two."""
    from gpuodds.cards import parse_cards

    cards = parse_cards(board)
    if 0 < len(cards) < FLOP:
        missing = "third" if len(cards) == FLOP - 1 else "second and third"
        note = f"board {board}: a flop has three cards; the {missing} may be any, like turn and river"
        logging.getLogger("gpuodds").info("%s", note)


def _count_equities(
    hands: list[str],
    spot: SpotOptions,
    how: MethodOptions,
    sampling: SampleOptions,
    details: DetailOptions,
    call: CallOptions,
    game: Game,
) -> tuple[EquityResult, Details]:
    """Count the equities, and what else is shown; write the plot."""
    import gpuodds  # the engine is imported where it is needed: the help does without
    from gpuodds.spots.hands import read_texts
    from gpuodds.spots.spot import Spot

    call.read_price()
    above = call.read_above()
    known = read_texts(read_range_arguments(hands, game), game)
    _note_short_board(spot.board)
    arguments: dict[str, Any] = {**spot.read(game), **asdict(sampling), "game": game}
    arguments |= {"method": how.method, "table": not how.no_table, "backend": how.backend}
    if details.plot is not None:
        from gpuodds.plotting import new_picture

        new_picture(details.plot)  # refuses what could not be written, before the counting
    if details.blockers:
        from gpuodds.results.blockers import check_spot

        check_spot(Spot.of(known, **spot.read(game), game=game))
    with progress_bar("computing") as progress:
        result = gpuodds.equity(
            known,
            **arguments,
            by_hand=details.needs_hands or above is not None,
            made_hands=details.made_hands,
            explain=details.explain,
            pot=call.pot,
            to_call=call.to_call,
            progress=progress,
        )
        after = None
        if details.by_next_card:
            after = gpuodds.equities_by_next_card(known, **arguments, progress=progress)
    graphs: tuple[Any, ...] = ()
    if details.has_graphs:
        graphs = tuple(result.equity_graph(place) for place in range(len(result.players)))
    if details.plot is not None:
        from gpuodds.results.plot_equity import plot_graphs

        plot_graphs(result.spot.names, graphs, details.plot)
    named = None if above is None else hands_above(result, above)
    blockers = result.blockers() if details.blockers else None
    shown = Details(after, graphs if details.equity_graph else (), details.by_combo, named, blockers)
    return result if details.has_hands else replace(result, by_hand=None), shown
