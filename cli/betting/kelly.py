"""``gpuodds kelly``: how much to bet on a hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuodds.cli.app import Backend, Explain, GameName, choice, completion, range_names
from gpuodds.cli.arguments import read_range_arguments
from gpuodds.cli.betting.print_kelly import print_advice, print_runs, to_dict
from gpuodds.cli.options import AsJson, Board, Dead
from gpuodds.cli.output import (
    console,
    print_json,
    read_number,
    show_notes,
)
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.betting.pots import SidePot, Stakes
    from gpuodds.betting.question import BetOptions
    from gpuodds.games.game import Game
    from gpuodds.spots.spot import Spot


@dataclass(frozen=True)
class ChipOptions:
    """The chips of who bets."""

    bankroll: Annotated[str, typer.Option(metavar="CHIPS", help="All that you own.")]
    stack: Annotated[
        str | None, typer.Option(metavar="CHIPS", help="Your chips at the table. Default: all you own.")
    ] = None


@dataclass(frozen=True)
class OpponentOptions:
    """The opponents, by their number or by their ranges."""

    opponents: Annotated[
        str | None, typer.Option("--opponents", "-k", metavar="N", help="1 to 22, with any cards.")
    ] = None
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RANGE",
            help="An opponent's hand or range, once for each.",
            autocompletion=completion(range_names),
        ),
    ] = None

    def read(self, game: Game) -> int | list[str]:
        """Return the number of opponents, or their ranges.

        Raises:
            InputError: Both were given, or neither.
        """
        if self.opponents is not None and self.against is None:
            return read_number("--opponents", self.opponents)
        if self.opponents is None and self.against is not None:
            return read_range_arguments(self.against, game)
        raise InputError("expected --opponents N, or --against RANGE once for each")


@dataclass(frozen=True)
class PotOptions:
    """What can be won, and the bet to call."""

    pot: Annotated[
        str,
        typer.Option(
            metavar="CHIPS",
            help="Chips in the pot before your bet; 30x3: your 30, called by 3.",
        ),
    ] = "0"
    pot_mode: Annotated[
        str,
        choice("full", "cassandra", help="Of 30x3: full counts your own 30, cassandra does not."),
    ] = "full"
    side_pot: Annotated[
        list[str] | None,
        typer.Option(metavar="CHIPS:N", help="A pot that only the N deepest stacks can win (:CALL)."),
    ] = None
    to_call: Annotated[
        str, typer.Option(metavar="CHIPS", help="A bet to call; the pot holds it, from all N.")
    ] = "0"


@dataclass(frozen=True)
class ReplyOptions:
    """What opponents do about a bet."""

    stacks: Annotated[
        str, typer.Option(metavar="LIST", help="What each can add: 0,300,- (- is plenty).")
    ] = ""
    fold: Annotated[
        str, typer.Option(metavar="P", help="Chance to fold to a bet, of all or each: 0.3,0.5.")
    ] = ""
    fold_curve: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Chance to fold by the price of the call: 1 / (1 + exp(-(A + B price))).",
        ),
    ] = ""
    callers: Annotated[
        str,
        typer.Option(metavar="LIST", help="How many go on: 2, or chances of 0,1,2...: 0.2,0.5,0.3."),
    ] = ""


@dataclass(frozen=True)
class SizeOptions:
    """The size of the bet."""

    multiple: Annotated[str, typer.Option(metavar="M", help="Bet M of Kelly's bet, 0 to 1.")] = "1"
    minimum: Annotated[str, typer.Option(metavar="CHIPS", help="The least bet or raise.")] = "0"
    spread: Annotated[
        str, typer.Option(metavar="S", help="Draw a bet that gives up at most S of the growth.")
    ] = "0"
    bet: Annotated[str | None, typer.Option(metavar="CHIPS", help="Judge this bet too.")] = None
    simulate: Annotated[
        str | None, typer.Option(metavar="N", help="Make N such bets in a row, 10,000 times.")
    ] = None


@dataclass(frozen=True)
class OddsOptions:
    """How the odds are found, and where."""

    model: Annotated[
        str, choice("exact", "cassandra", help="Odds and bet: exact, or as Cassandra estimated.")
    ] = "exact"
    samples: Annotated[
        str | None, typer.Option(metavar="N", help="Deals, where several ranges need them.")
    ] = None
    seed: Annotated[str | None, typer.Option(metavar="N", help="Makes what is drawn repeatable.")] = (
        None
    )
    time_limit: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds to count ranges, else to sample them.")
    ] = None
    backend: Backend = "auto"


def kelly(
    hand: Annotated[
        list[str],
        typer.Argument(metavar="HAND", help="Its cards, AsKs or 12d 3h; or a range."),
    ],
    *,
    chips: ChipOptions,
    opponents: OpponentOptions,
    pots: PotOptions,
    board: Board = "",
    dead: Dead = "",
    game: GameName = "holdem",
    replies: ReplyOptions,
    size: SizeOptions,
    odds: OddsOptions,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the growth into a .png, .svg or .pdf.")
    ] = None,
    explain: Explain = False,
    as_json: AsJson = False,
) -> None:
    """Find how much to bet so that the bankroll grows most: Kelly's bet on exact odds.

    All opponents call and see the showdown, unless --fold, --fold-curve or --callers is given.

    Examples:
      gpuodds kelly QdQs -k 2 --bankroll 5000 --pot 100 --board 2s7d9h
      gpuodds kelly AhAd -k 1 --bankroll 20000 --stack 1000 --pot 1050 --to-call 1000
      gpuodds kelly AsKs --against "QQ+,AK" --against 22+ --bankroll 1000 --pot 90
      gpuodds kelly "AKs,QQ+" --against BTN --bankroll 10000 --pot 150
      gpuodds kelly 7c6c -k 2 --bankroll 2000 --pot 100 --board As8d2h --fold-curve -1,4
      gpuodds kelly AsAhKsKh -k 1 --bankroll 1000 --pot 90 --board 2s7d9h --game omaha
    """
    from gpuodds.betting.advice import advise
    from gpuodds.betting.question import read_spot
    from gpuodds.betting.simulation import simulate
    from gpuodds.games.catalog import find_game

    if plot is not None:
        from gpuodds.plotting import check_picture

        check_picture(plot)
    show_notes()
    options = _read_options(odds, size, explain)
    spot = read_spot("".join(hand), opponents.read(find_game(game)), board, dead, game)
    advice = advise(spot, _read_stakes(spot, chips, pots, replies, size), options)
    judged = None if size.bet is None else advice.option(_chips("--bet", size.bet))
    runs = None
    if size.simulate is not None:
        runs = simulate(advice, read_number("--simulate", size.simulate), seed=options.seed)
    if plot is not None:
        from gpuodds.betting.plot import plot_growth

        plot_growth(advice, plot)
    if as_json:
        print_json(to_dict(advice, judged, runs))
        return
    print_advice(advice, judged)
    if runs:
        print_runs(runs)
    if advice.explanation is not None:
        from gpuodds.cli.equity.print_equity import print_explanation

        print_explanation(console(), advice.explanation)


def _read_options(odds: OddsOptions, size: SizeOptions, explain: bool) -> BetOptions:
    from gpuodds.betting.question import DEFAULT_SAMPLES, read_options

    return read_options(
        model=odds.model,
        multiple=_share("--multiple", size.multiple, "0 to 1"),
        spread=_share("--spread", size.spread, "at least 0 and less than 1"),
        samples=DEFAULT_SAMPLES if odds.samples is None else read_number("--samples", odds.samples),
        seed=None if odds.seed is None else read_number("--seed", odds.seed),
        time_limit=odds.time_limit,
        backend=odds.backend,
        explain=explain,
    )


def _read_stakes(
    spot: Spot, chips: ChipOptions, pots: PotOptions, replies: ReplyOptions, size: SizeOptions
) -> Stakes:
    from gpuodds.betting.advisor.opening_pot import read_pot
    from gpuodds.betting.question import are_alike, count_opponents
    from gpuodds.betting.stakes import read_stakes

    return read_stakes(
        count_opponents(spot),
        bankroll=_chips("--bankroll", chips.bankroll),
        stack=None if chips.stack is None else _stack(chips.stack),
        pot=read_pot(pots.pot, pots.pot_mode),
        to_call=_chips("--to-call", pots.to_call),
        side_pots=[_side_pot(text) for text in pots.side_pot or []],
        stacks=_stacks(replies.stacks) if replies.stacks else None,
        fold=_folds(replies.fold) if replies.fold else 0,
        callers=_callers(replies.callers) if replies.callers else None,
        fold_curve=read_curve(replies.fold_curve) if replies.fold_curve else None,
        minimum=_chips("--minimum", size.minimum),
        alike=are_alike(spot),
    )


def _chips(option: str, text: str) -> Fraction:
    from gpuodds.basics.amounts import read_amount

    return read_amount(option, text)


def _fraction(option: str, text: str, expected: str) -> Fraction:
    from gpuodds.basics.amounts import read_fraction

    return read_fraction(option, text, expected)


def _share(option: str, text: str, expected: str) -> float:
    _fraction(option, text, expected)
    return float(text)


def _stack(text: str) -> Fraction:
    if "," in text:
        hint = "expected your own chips; those of opponents are --stacks"
        raise InputError(f"--stack {excerpt(text)}: {hint}")
    return _chips("--stack", text)


def _callers(text: str) -> int | list[Fraction]:
    if "," not in text:
        return read_number("--callers", text)
    return [_fraction("--callers", share, "a chance, 0 to 1") for share in text.split(",")]


def _stacks(text: str) -> list[Fraction | None]:
    return [None if part.strip() == "-" else _chips("--stacks", part) for part in text.split(",")]


def _folds(text: str) -> Fraction | list[Fraction]:
    shares = [_fraction("--fold", share, "a chance, 0 to 1") for share in text.split(",")]
    return shares[0] if len(shares) == 1 else shares


def read_curve(text: str) -> tuple[float, float]:
    """Read A and B of a curve of folds.

    Raises:
        InputError: They are not two numbers.
    """
    from gpuodds.betting.folding import FoldCurve

    parts = text.split(",")
    if len(parts) != 2:
        raise InputError(f"--fold-curve {excerpt(text)}: expected two numbers, A,B: -2,6")
    numbers = [float(_fraction("--fold-curve", part.strip(), "a number")) for part in parts]
    curve = FoldCurve.read(numbers)
    return curve.level, curve.slope


def _side_pot(text: str) -> SidePot:
    from gpuodds.betting.pots import SidePot

    parts = text.split(":")
    if not 2 <= len(parts) <= 3:
        raise InputError(
            f"--side-pot {excerpt(text)}: expected CHIPS:N, such as 200:2, or CHIPS:N:CALL"
        )
    call = _chips("--side-pot", parts[2]) if len(parts) == 3 else Fraction(0)
    return SidePot(_chips("--side-pot", parts[0]), read_number("--side-pot", parts[1]), call)
