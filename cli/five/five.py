"""``gpuodds five``: five-card poker, its odds, the draw, and an opponent who counts cards."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import App, choice, completion
from gpuodds.cli.five.table import Explained, Person, play_hands, show_cards
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
    read_seed,
    show_notes,
)
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.five_card.decks import FiveCardOdds
    from gpuodds.five_card.draw import Draw, DrawResult
    from gpuodds.five_card.match import MatchResult

app = App(help="Five-card poker: odds on any deck, the best draw, matches, play.")
plots = App(help="Plot what the opponent bayes-regression learns of players.")
app.add_typer(plots, name="plot")

Hand = Annotated[list[str], typer.Argument(metavar="HAND", help="Five cards: 4h9d4c7dQs.")]
Seen = Annotated[str, typer.Option(metavar="CARDS", help="Further cards seen: out of play.")]
Banner = Annotated[bool, typer.Option("--banner", help="Draw the cards with letters.")]
SeedOption = Annotated[str | None, typer.Option(metavar="N", help="Makes what is drawn repeatable.")]


@app.command()
def odds(hand: Hand, seen: Seen = "", banner: Banner = False, as_json: AsJson = False) -> None:
    """Compare a hand with all five-card hands of the unseen deck, by category.

    Examples:
      gpuodds five odds 4h9d4c7dQs
      gpuodds five odds 4h 9d 4c 7d Qs --seen "As Ad" --banner
    """
    from gpuodds.five_card.decks import five_odds, read_hand

    show_notes()
    odds_of_hand = five_odds("".join(hand), seen=seen)
    if as_json:
        print_json(odds_of_hand.to_dict())
        return
    show_cards(read_hand("".join(hand)), banner)
    _print_odds(odds_of_hand)


def _print_odds(odds_of_hand: FiveCardOdds) -> None:
    from gpuodds.five_card.decks import read_hand
    from gpuodds.five_card.game import describe

    out = console()
    out.print(f"{odds_of_hand.hand}: {describe(read_hand(odds_of_hand.hand))}")
    table = new_table("of the unseen hands", "count", "share")
    for name, count in odds_of_hand.categories.items():
        share = f"{100 * count / odds_of_hand.outcomes:.4f} %"
        table.add_row(name.replace("_", " "), f"{count:,}", share)
    lose = odds_of_hand.outcomes - odds_of_hand.beat - odds_of_hand.tie
    for name, count in (
        ("beat it", odds_of_hand.beat),
        ("tie", odds_of_hand.tie),
        ("lose to it", lose),
    ):
        table.add_row(name, f"{count:,}", f"{100 * count / odds_of_hand.outcomes:.4f} %")
    table.add_row("all", f"{odds_of_hand.outcomes:,}", "")
    print_table(out, table, keep=("of the unseen hands", "count"))


@app.command()
def draw(
    hand: Hand,
    seen: Seen = "",
    max_discards: Annotated[
        str, typer.Option(metavar="N", help="The most cards that may be drawn, 0 to 5.")
    ] = "5",
    opponent: Annotated[
        str, choice("pat", "draws", help="pat: any five cards; draws: discards what is best for it.")
    ] = "pat",
    ranking: Annotated[
        str, choice("standard", "draw-chooser", help="Order of hands: the rules', or an old program's.")
    ] = "standard",
    method: Annotated[
        str | None, choice("exact", "monte-carlo", help="exact only against pat.")
    ] = None,
    runs: Annotated[
        str | None, typer.Option("--runs", "-n", metavar="RUNS", help="Sample this many deals.")
    ] = None,
    seed: SeedOption = None,
    verbose: Annotated[
        str, typer.Option("--verbose", "-v", metavar="0|1|2", help="1: every discard; 2: with counts.")
    ] = "0",
    banner: Banner = False,
    as_json: AsJson = False,
) -> None:
    """Find what to discard: the chances of each discard, best first.

    Examples:
      gpuodds five draw 4h9d4c7dQs
      gpuodds five draw 4h9d4c7dQs --max-discards 3 -v 1
      gpuodds five draw 4h9d4c7dQs --opponent draws -n 100000 --seed 1
    """
    from gpuodds.five_card.decks import read_hand
    from gpuodds.five_card.draw import best_draw

    verbosity = read_number("--verbose", verbose)
    if verbosity not in (0, 1, 2):
        raise InputError(f"--verbose {verbosity}: expected 0, 1 or 2")
    show_notes()
    cards = read_hand("".join(hand))
    with progress_bar("drawing") as progress:
        result = best_draw(
            cards,
            seen=seen,
            max_discards=read_number("--max-discards", max_discards),
            opponent=opponent,
            ranking=ranking,
            method=method,
            runs=None if runs is None else read_number("--runs", runs),
            seed=None if seed is None else read_seed("--seed", seed),
            progress=progress,
        )
    if as_json:
        print_json(result.to_dict())
        return
    show_cards(cards, banner)
    _print_draws(result, verbosity)


def _print_draws(result: DrawResult, verbosity: int) -> None:
    out, best = console(), result.best
    advice = f"discard {best.discard}" if best.discard else "stand pat"
    out.print(f"{result.hand}: {advice}, {_chances(best)}")
    if verbosity:
        table = new_table("discard", "equity", "win", "tie", "lose")
        if verbosity > 1:
            for column in ("wins", "ties", "outcomes"):
                table.add_column(column, justify="right")
        for draw_ in result.draws:
            lose = 1 - draw_.win - draw_.tie
            shares = [f"{100 * x:.4f} %" for x in (draw_.equity, draw_.win, draw_.tie, lose)]
            counts = [f"{n:,}" for n in (draw_.win_outcomes, draw_.tie_outcomes, draw_.outcomes)]
            table.add_row(draw_.discard or "none", *shares, *(counts if verbosity > 1 else []))
        print_table(out, table, keep=("discard", "equity"))
    against = (
        "an opponent who draws what is best for it" if result.opponent == "draws" else "a pat hand"
    )
    how = "exact" if result.method == "exact" else f"sampled, {best.outcomes:,} deals"
    ranked = "" if result.ranking == "standard" else ", ranked as the draw chooser does"
    out.print(f"against {against}, {how}{ranked}")


def _chances(draw_: Draw) -> str:
    error = draw_.standard_error
    shown = "" if error is None else f" {plus_minus()} {100 * error:.4f}"
    win, tie = f"win {100 * draw_.win:.4f} %", f"tie {100 * draw_.tie:.4f} %"
    return f"{win}, {tie}, equity {100 * draw_.equity:.4f}{shown} %"


def _match_players() -> list[str]:
    from gpuodds.five_card.match import BETTORS, DRAWERS

    return [*BETTORS, *DRAWERS]


@app.command()
def match(
    first: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="Who bet: bayes-regression, bayes, random; who draw: smart-draw, random-draw.",
            autocompletion=completion(_match_players),
        ),
    ],
    second: Annotated[
        str,
        typer.Argument(
            metavar="B", help="Who bets meets who bets.", autocompletion=completion(_match_players)
        ),
    ],
    hands: Annotated[
        str, typer.Option(metavar="N", help="Deals, each played from both seats.")
    ] = "1000",
    seed: Annotated[str, typer.Option(metavar="N", help="The deals follow from it.")] = "0",
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the running result.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let two players meet, every deal from both seats: dollars a hand, with a 95 % interval.

    Examples:
      gpuodds five match smart-draw random-draw --hands 20000
      gpuodds five match bayes bayes-regression --hands 1000 --plot match.png
    """
    from gpuodds.five_card.match import play_match

    show_notes()
    if plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(plot)
    deals = read_number("--hands", hands)
    with progress_bar(f"{first} against {second}") as progress, stop_on_interrupt() as stop:
        result = play_match(
            first,
            second,
            hands=deals,
            seed=read_seed("--seed", seed),
            progress=progress,
            stop=stop,
        )
    stopped = result.deals < deals
    if not result.deals:
        raise KeyboardInterrupt
    if plot is not None:
        from gpuodds.five_card.plot import plot_match

        plot_match(result, plot)
    if as_json:
        print_json(result.to_dict())
        end_match(stopped)
        return
    _print_match(result)
    end_match(stopped)


def _print_match(result: MatchResult) -> None:
    low, high = result.interval
    out = console()
    out.print(f"{result.first} against {result.second}: {result.mean:+.4f} dollars a hand")
    out.print(
        f"95 % interval {low:+.4f} to {high:+.4f}; {2 * result.deals:,} hands, seed {result.seed}"
    )
    if any(result.folded):
        out.print(f"folded: {result.folded[0]:,} and {result.folded[1]:,} times")


@plots.command()
def fold(out: Annotated[Path, typer.Option(metavar="FILE", help="A .png, .svg or .pdf.")]) -> None:
    """Draw how often players fold, by pot probability, as the opponent learns it.

    Examples:
      gpuodds five plot fold --out fold.png
    """
    _plot("fold", out)


@plots.command()
def posterior(out: Annotated[Path, typer.Option(metavar="FILE", help="A .png, .svg or .pdf.")]) -> None:
    """Draw how likely a player who stays in wins, by pot probability.

    Examples:
      gpuodds five plot posterior --out posterior.png
    """
    _plot("posterior", out)


def _plot(kind: str, out: Path) -> None:
    from gpuodds.five_card.plot import plot_regression

    plot_regression(kind, out)
    print(f"{out}: drawn")


@app.command()
def play(
    opponent: Annotated[
        str, choice("bayes-regression", "bayes", "random", help="Who plays against you.")
    ] = "bayes-regression",
    seed: SeedOption = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every number that the opponent uses.")
    ] = False,
    banner: Banner = False,
) -> None:
    """Play straight five-card poker against an opponent who counts cards: a hundred dollars each.

    Examples:
      gpuodds five play
      gpuodds five play --opponent bayes --explain --banner
    """
    from gpuodds.five_card.game import Shoe, Table
    from gpuodds.five_card.match import BETTORS

    if opponent not in BETTORS:
        raise InputError(f"opponent {excerpt(opponent)}: expected one of {', '.join(BETTORS)}")
    show_notes()
    number = None if seed is None else read_seed("--seed", seed)
    other = BETTORS[opponent](Random(number))
    table = Table([Person(banner), Explained(other) if explain else other])
    end_match(play_hands(table, Shoe(Random(number))))
