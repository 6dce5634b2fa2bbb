"""How ``gpuodds kelly`` prints advice: tables and JSON."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gpuodds.cli.output import console, new_table, plus_minus, print_table
from gpuodds.games.holdem.game import HOLDEM

if TYPE_CHECKING:
    from gpuodds.betting.result import Advice, Option
    from gpuodds.betting.simulation import Run


def to_dict(advice: Advice, judged: Option | None, runs: list[Run] | None) -> dict[str, Any]:
    """Return the JSON object, with what was judged and simulated."""
    answer = advice.to_dict()
    if judged is not None:
        answer["judged"] = judged.to_dict()
    if runs is not None:
        answer["simulated"] = [run.to_dict() for run in runs]
    return answer


def print_advice(advice: Advice, judged: Option | None) -> None:
    """Print the advice, its odds and the actions."""
    out = console()
    of_game = "" if advice.game is HOLDEM else f"{advice.game.title}: "
    where = f" on {advice.board}" if advice.board else " before the flop"
    opponents = "1 opponent" if advice.opponents == 1 else f"{advice.opponents} opponents"
    against = ", ".join(advice.against) or opponents
    action = advice.action + (f" {advice.bet_chips:,} chips" if advice.bet_chips else "")
    out.print(f"{of_game}{advice.hand}{where} against {against}: {action}")
    _print_odds(advice)
    _print_options(advice, judged)
    if advice.model != "exact":
        out.print("estimated as Cassandra did")
    elif advice.standard_error:
        error, sign = advice.standard_error, plus_minus()
        out.print(
            f"sampled: fraction {sign} {100 * error['fraction']:.4f} %, growth {sign} "
            f"{error['growth']:.6f} (one standard error)"
        )
        actions = ", ".join(advice.other_actions)
        within = f"may be another: {actions}" if actions else "is the same"
        out.print(f"within two standard errors the advice {within}")


def _print_odds(advice: Advice) -> None:
    odds = advice.odds
    error = advice.standard_error
    errors: dict[str, float] = {}
    if error is not None:
        errors = {name: error[name] for name in ("win", "lose", "equity")}
        errors |= {_split_name(j): share for j, share in enumerate(error["split"], 1)}
    needed = "equity a call needs" if advice.action == "fold" else "equity that breaks even"
    rows: list[tuple[str, float | Fraction]] = [
        ("of the bankroll", advice.fraction),
        ("win", odds.win),
        *((_split_name(j), chance) for j, chance in enumerate(odds.split[1:], 1) if chance),
        ("lose", odds.lose),
        ("equity", odds.equity),
        (needed, advice.pot_odds),
        ("chance of a loss", advice.advised.loss),
    ]
    if advice.fold_chances is not None and advice.action in ("bet", "raise"):
        folds = dict.fromkeys(advice.fold_chances)
        rows += [("chance that an opponent folds", fold) for fold in folds]
    table = new_table("", "", "") if errors else new_table("", "")
    table.show_header = False
    for name, share in rows:
        figures = [f"{100 * float(share):.4f} %"]
        if errors:
            sign = f"{plus_minus()} "
            figures.append(f"{sign}{100 * errors[name]:.4f} %" if name in errors else "")
        table.add_row(name, *figures)
    print_table(console(), table)


def _split_name(others: int) -> str:
    return f"split with {others}"


def _print_options(advice: Advice, judged: Option | None) -> None:
    rows = [(option.action, option) for option in advice.options]
    if advice.advised not in advice.options:
        rows.append(("advised", advice.advised))
    if judged is not None:
        rows.append(("yours", judged))
    table = new_table("", "chips", "gain, chips", "growth, mean logarithm")
    for name, option in rows:
        value, growth = f"{option.expected_value:,.2f}", f"{option.growth:.6f}"
        table.add_row(name, f"{option.chips:,.2f}", value, growth)
    print_table(console(), table, keep=("", "chips", "growth, mean logarithm"))


def print_runs(runs: list[Run]) -> None:
    """Print what simulated bets came to."""
    out = console()
    table = new_table(
        f"after {runs[0].hands:,} bets",
        "5 of 100 end below",
        "half",
        "5 of 100 above",
        "lost half",
        "ruined",
    )
    for run in runs:
        ends = [f"{chips:,.4g}" for chips in (run.low, run.median, run.high)]
        table.add_row(run.name, *ends, f"{100 * run.halved:.1f} %", f"{100 * run.ruined:.1f} %")
    print_table(out, table, keep=(str(table.columns[0].header), "half"))
