"""``gpuodds equity``: the equity of hands and ranges against each other and random opponents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuodds.cli.app import Backend, Explain, GameName, choice
from gpuodds.cli.batch import answer_file, read_form, read_options, refuse_with_batch
from gpuodds.cli.output import print_json, progress_bar, read_number, show_notes
from gpuodds.cli.print_equity import Details, print_csv, print_tables, to_json
from gpuodds.cli.words import read_range_words
from gpuodds.errors import InputError
from gpuodds.machine.files import STDOUT

Hands = Annotated[
    list[str] | None,
    typer.Argument(
        help="Hands, AsKs QhQd or single cards 1s 13s, and ranges, QQ+,AK:0.5, 15% or @FILE.",
        metavar="HANDS",
    ),
]
Opponents = Annotated[
    str | None,
    typer.Option(
        "--opponents",
        "-k",
        metavar="K",
        help="Players with random cards, 0 to 22 in hold'em. Default: 1 for a single hand, else 0.",
    ),
]
Board = Annotated[str, typer.Option(metavar="CARDS", help="Board, 0 to 5 cards.")]
Dead = Annotated[str, typer.Option(metavar="CARDS", help="Cards out of play.")]
Folded = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RANGE",
        help="Range of a player who has folded: their cards are out of play. Repeat for several.",
    ),
]
Method = Annotated[
    str,
    choice("auto", "exact", "monte-carlo", help="auto counts exactly where that takes some seconds."),
]
NoTable = Annotated[
    bool, typer.Option("--no-table", help="Compute the answer even if a shipped table has it.")
]


def _sampling(metavar: str, help: str) -> Any:
    return typer.Option(metavar=metavar, help=help, rich_help_panel="Sampled answers")


Samples = Annotated[int | None, _sampling("N", "Maximum number of samples.")]
StandardError = Annotated[float | None, _sampling("E", "Sample until the standard error is E.")]
TimeLimit = Annotated[float | None, _sampling("S", "Maximum time in seconds, once compiled.")]
Seed = Annotated[int | None, _sampling("N", "Same seed, same draws.")]
ByHand = Annotated[bool, typer.Option("--by-hand", help="Show the equity of each hand of each range.")]
MadeHands = Annotated[
    bool,
    typer.Option("--made-hands", help="Show how often final hands are of each category, and win."),
]
EquityGraph = Annotated[
    bool, typer.Option("--equity-graph", help="Show the equity of each range's hands, best first.")
]
Plot = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Plot these equities, a curve per player: .png, .svg or .pdf."),
]
ByNextCard = Annotated[
    bool, typer.Option("--by-next-card", help="Show the equities after each next board card.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print a line of CSV per player.")]


def _batch(name: str, metavar: str, help: str) -> Any:
    return typer.Option(name, metavar=metavar, help=help, rich_help_panel="Many spots")


Batch = Annotated[
    str | None,
    _batch("--batch", "FILE", "Answer each row of FILE, CSV or JSON; - is standard input."),
]
Out = Annotated[
    str,
    _batch("--out", "FILE", "Write the rows with their answers to FILE; its ending tells the format."),
]
Format = Annotated[
    str | None, _batch("--format", "csv|jsonl|parquet", "Format of the rows. Default: as they come in.")
]

Resume = Annotated[
    bool, _batch("--resume", "", "Go on after the last whole row of --out FILE: CSV or JSON lines.")
]
Columns = Annotated[
    str | None,
    _batch(
        "--keep", "COLUMNS", "Columns of FILE to copy unread: id,note; all: those that are not known."
    ),
]


def equity(
    hands: Hands = None,
    opponents: Opponents = None,
    board: Board = "",
    dead: Dead = "",
    folded: Folded = None,
    method: Method = "auto",
    no_table: NoTable = False,
    backend: Backend = "auto",
    samples: Samples = None,
    standard_error: StandardError = None,
    time_limit: TimeLimit = None,
    seed: Seed = None,
    by_hand: ByHand = False,
    equity_graph: EquityGraph = False,
    plot: Plot = None,
    made_hands: MadeHands = False,
    by_next_card: ByNextCard = False,
    explain: Explain = False,
    game: GameName = "holdem",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    batch: Batch = None,
    out: Out = "-",
    form: Format = None,
    resume: Resume = False,
    keep: Columns = None,
) -> None:
    """Find the equity of hands and ranges, exactly when feasible.

    Cards are rank and suit: As Td 10d 9c, or the ranks 1 (ace) to 13 (king): 1s 13s.
    See gpuodds range --help for the syntax of ranges.

    Examples:
      gpuodds equity 1s 13s --opponents 3
      gpuodds equity AsKs QhQd --board 2s7d9h
      gpuodds equity "QQ+,AK" "22+,A2s+" --by-hand
      gpuodds equity 15% 30% 60% random --standard-error 0.001 --seed 1
      gpuodds equity AsKs QhQd --folded "22+,A2s+" --folded 50%
      gpuodds equity AsAhKsKh 7c8c9dTd --game omaha
      gpuodds equity --batch spots.csv --keep id,note --out answers.csv
      gpuodds equity --batch spots.csv --keep id,note --out answers.csv --resume
    """
    import gpuodds  # the engine is imported where it is needed: the help does without
    from gpuodds.games.catalog import find_game
    from gpuodds.spots.batches.row_names import Keep
    from gpuodds.spots.hands import read_words

    if as_json and as_csv:
        raise InputError("--json and --csv: expected one of them")
    sampling = _read_sampling(samples, standard_error, time_limit, seed)
    played = find_game(game)
    show_notes()
    if batch is not None:
        given = {"HANDS": hands, "--opponents": opponents, "--board": board, "--dead": dead}
        refuse_with_batch(given | {"--folded": folded}, in_rows=True)
        alone: dict[str, Any] = {
            "--by-hand": by_hand,
            "--equity-graph": equity_graph,
            "--plot": plot,
            "--made-hands": made_hands,
            "--by-next-card": by_next_card,
        }
        alone["--explain"] = explain
        refuse_with_batch(alone, in_rows=False)
        form = read_form(form, as_json, as_csv)
        options = read_options(method, not no_table, backend, sampling)
        answer_file(batch, out, form, options, played, Keep.read_option(keep), resume)
        return
    if form is not None or out != STDOUT or keep is not None or resume:
        raise InputError("--out, --format, --keep and --resume: expected with --batch FILE")
    if not hands:
        raise InputError("Missing argument 'HANDS'.")
    known = read_words(read_range_words(hands), played)
    random_players = None if opponents is None else read_number("--opponents", opponents)
    gone = read_range_words(folded or [])
    spot: dict[str, Any] = {"opponents": random_players, "board": board, "dead": dead, "folded": gone}
    how: dict[str, Any] = {"method": method, "table": not no_table, "backend": backend, **sampling}
    how["game"] = played
    has_graphs = equity_graph or plot is not None
    if plot is not None:
        from gpuodds.plotting import new_picture

        new_picture(plot)  # refuses what could not be written, before the counting
    with progress_bar("computing") as progress:
        result = gpuodds.equity(
            known,
            **spot,
            **how,
            by_hand=by_hand or has_graphs,
            made_hands=made_hands,
            explain=explain,
            progress=progress,
        )
        after = None
        if by_next_card:
            after = gpuodds.equities_by_next_card(known, **spot, **how, progress=progress)
    graphs: tuple[Any, ...] = ()
    if has_graphs:
        graphs = tuple(result.equity_graph(place) for place in range(len(result.players)))
    if plot is not None:
        from gpuodds.results.plot_equity import plot_graphs

        plot_graphs(result.spot.names, graphs, plot)
    details = Details(after, graphs if equity_graph else ())
    result = result if by_hand else replace(result, by_hand=None)
    if as_json:
        print_json(to_json(result, details))
    elif as_csv:
        print_csv(result, details)
    else:
        print_tables(result, details)
        if plot is not None:
            print(plot)


def _read_sampling(
    samples: int | None, standard_error: float | None, time_limit: float | None, seed: int | None
) -> dict[str, Any]:
    """Return the options of sampled answers, as arguments of :func:`gpuodds.equity`.

    Raises:
        InputError: There is a seed and a time limit.
    """
    if seed is not None and time_limit is not None:
        raise InputError(
            "--seed with --time-limit: the number of samples in that time differs from run to run; "
            "use --samples or --standard-error with a seed"
        )
    return {
        "samples": samples,
        "standard_error": standard_error,
        "time_limit": time_limit,
        "seed": seed,
    }
