"""How ``gpuodds equity --blockers`` prints what each hand takes out of the opponent's range."""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuodds.cards import parse_cards
from gpuodds.cli.output import console, fold, new_table, print_table

if TYPE_CHECKING:
    from gpuodds.results.blockers import HandBlockers
    from gpuodds.results.result import EquityResult

MOST_HANDS = 30  # in a list
MOST_CLASSES = 3  # of made hands, those of which most is blocked


def print_blockers(result: EquityResult, hands: Sequence[HandBlockers]) -> None:
    """Print the hands of the first player that leave the second one the weakest range first.

    Args:
        result: The answer.
        hands: The hands.
    """
    out, theirs = console(), result.players[1].hand
    out.print(fold(f"what hands of {result.players[0].hand} block of {theirs}", out.width))
    in_order = sorted(hands, key=lambda hand: (hand.change != hand.change, hand.change))
    has_made = any(hand.made for hand in hands)
    table = new_table(
        "hand", "combos", "blocked", "share", "its equity", "change", *["most of"] * has_made
    )
    for hand in in_order[:MOST_HANDS]:
        equity, change = f"{100 * hand.equity:.2f} %", f"{100 * hand.change:+.2f}"
        if hand.equity != hand.equity:  # nothing is left
            equity = change = ""
        most = sorted(hand.made.items(), key=lambda entry: -entry[1])[:MOST_CLASSES]
        made = [", ".join(f"{count:g} {name}" for name, count in most)] * has_made
        figures = f"{hand.weight:g}", f"{hand.blocked:g}", f"{100 * hand.share:.1f} %"
        table.add_row(hand.hand, *figures, equity, change, *made)
    print_table(out, table)
    if len(hands) > MOST_HANDS:
        out.print(f"and {len(hands) - MOST_HANDS:,} more; --json and --csv have every hand")
    against = f"what is left of {theirs} against all of {result.players[0].hand}"
    out.print(fold(f"its equity: {against}", out.width))


def mean_blockers(
    result: EquityResult, hands: Sequence[HandBlockers], by_combo: bool
) -> dict[str, list[float]]:
    """Return weighted means of blocked combos, their share, the equity of the rest and its change.

    Args:
        result: The answer.
        hands: The hands of the first player; those that leave the second one nothing are left out.
        by_combo: Whether by combo, or by starting hand, in Omaha ranks and suits.
    """
    sums: dict[str, list[float]] = {}
    for hand in hands:
        if hand.equity != hand.equity:
            continue
        name = hand.hand if by_combo else result.spot.game.hand_group(parse_cards(hand.hand))
        figures = hand.blocked, hand.share, hand.equity, hand.change
        before = sums.get(name, [0.0] * (1 + len(figures)))
        added = hand.weight, *(hand.weight * figure for figure in figures)
        sums[name] = [one + more for one, more in zip(before, added, strict=True)]
    return {name: [value / weight for value in row] for name, (weight, *row) in sums.items()}


def print_blockers_csv(hands: Sequence[HandBlockers]) -> None:
    """Print a row of CSV per hand, with a column for each made hand of which a combo is blocked.

    Args:
        hands: The hands.
    """
    made = list(dict.fromkeys(name for hand in hands for name in hand.made))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    columns = ["hand", "weight", "blocked", "share", "equity", "change"]
    writer.writerow([*columns, *(name.replace(" ", "_").replace("-", "_") for name in made)])
    for hand in hands:
        answer = hand.to_dict()
        writer.writerow([*(answer[column] for column in columns), *(hand.made.get(n, 0) for n in made)])
