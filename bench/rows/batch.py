"""Rows of many spots at once: batches and flop reports."""

from __future__ import annotations

import random
from itertools import cycle
from statistics import median
from typing import Any

import gpuodds
from bench import others
from bench.report import Bar, Figures
from bench.rows import SMALL, Rows, time_runs
from gpuodds.cards import format_cards
from gpuodds.games.holdem.starting_hands import starting_hands

ROWS = Rows()
row = ROWS.row

SPOTS = 20 if SMALL else 10_000
COMBOS = {"s": 4, "o": 12}  # of a starting hand by its last letter; a pair has six
REPORTED = ("KK+", "QQ") if SMALL else ("QQ+,AK", "22+,A2s+")


def two_hands_on_flops(batch: int = 0) -> tuple[Any, Any]:
    """Draw two hands on a flop: card numbers, (n, 2, 2) and (n, 3), others for each batch."""
    drawn = others.draw_hands(SPOTS, seed=batch)
    return drawn[:, :4].reshape(-1, 2, 2), drawn[:, 4:]


def time_batches(batches: list[tuple[Any, ...]]) -> tuple[list[float], Any]:
    """Time batches, each once, so that no answer or text is known from before.

    Returns:
        Seconds, with those of making the columns, and the columns of the last batch.
    """
    left, last = iter(batches), {}

    def work() -> None:
        last.update(gpuodds.equities(*next(left)).columns)

    seconds = time_runs(work, len(batches) - 1)
    assert last["exact"].all() and len(last["exact"]) == SPOTS
    return seconds, last


def ask_hands(batches: list[tuple[Any, ...]]) -> Figures:
    """Time batches of two hands on flops, and do the last one with each library."""
    seconds, columns = time_batches(batches)
    hands, flops = two_hands_on_flops(0 if SMALL else len(batches) - 1)
    return Figures(seconds, others=others.hands_on_flops(hands, flops, columns["equity_1"]))


@row("batch arrays", f"{SPOTS:,} drawn flops of two hands, arrays of cards", Bar(0.15, "s"))
def hands_in_arrays() -> Figures:
    return ask_hands([two_hands_on_flops(batch) for batch in range(11)])


def time_hands(players: int, hole_cards: int = 2, **options: Any) -> Figures:
    """Time batches of known hands on drawn flops, arrays of cards, each once."""
    size = players * hole_cards

    def spots(batch: int) -> tuple[Any, Any]:
        drawn = others.draw_cards(SPOTS, size + 3, seed=batch)
        return drawn[:, :size].reshape(-1, players, hole_cards), drawn[:, size:]

    left = iter([spots(batch) for batch in range(11)])
    seconds = time_runs(lambda: gpuodds.equities(*next(left), **options).columns, 10)
    return Figures(seconds, rate=SPOTS / median(seconds))


@row(
    "batch v random",
    f"{SPOTS:,} drawn flops of a hand v a random one, arrays of cards",
    Bar(40_000, "rows/s"),
)
def hands_against_random() -> Figures:
    return time_hands(1, opponents=1)


@row("batch three hands", f"{SPOTS:,} drawn flops of three hands, arrays of cards", Bar(2e5, "rows/s"))
def three_hands() -> Figures:
    return time_hands(3)


@row("batch omaha", f"{SPOTS:,} drawn flops of two hands of Omaha, arrays of cards", Bar(5e4, "rows/s"))
def hands_of_omaha() -> Figures:
    return time_hands(2, 4, game="omaha")


@row("batch text", f"{SPOTS:,} drawn flops of two hands, dicts of text", Bar(0.4, "s"))
def hands_in_text() -> Figures:
    def spots(batch: int) -> list[dict[str, Any]]:
        hands, flops = (cards.tolist() for cards in two_hands_on_flops(batch))
        return [
            {"hands": [format_cards(hand) for hand in pair], "board": format_cards(flop)}
            for pair, flop in zip(hands, flops, strict=True)
        ]

    return ask_hands([(spots(batch),) for batch in range(6)])


def draw_ranges(number: int, seed: int) -> list[str]:
    """Draw ranges of 3 to 15 % of all combos, as lists of starting hands."""
    draw, texts = random.Random(seed), []
    for _ in range(number):
        left, chosen = draw.uniform(0.03, 0.15) * 1326, []
        for name in draw.sample(starting_hands(), 60):
            size = COMBOS.get(name[2:], 6)
            if size <= left:
                chosen.append(name)
                left -= size
        texts.append(",".join(chosen))
    return texts


def ask_ranges(texts: int) -> Figures:
    """Time batches of two ranges on drawn flops; each batch has texts of its own."""

    def spots(batch: int) -> list[dict[str, Any]]:
        drawn = cycle(draw_ranges(texts, seed=batch))
        flops = two_hands_on_flops(batch)[1].tolist()
        return [{"hands": [next(drawn), next(drawn)], "board": format_cards(flop)} for flop in flops]

    seconds, columns = time_batches([(spots(batch),) for batch in range(4)])
    outcomes = int(sum(columns["outcomes"]))
    compared = others.enumerate_outcomes(outcomes, 2)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes, "both hands"))


@row(
    "batch ranges",
    f"{SPOTS:,} drawn flops of two ranges of 3 to 15 %, {2 * SPOTS:,} texts",
    Bar(5.0, "s"),
)
def distinct_ranges() -> Figures:
    return ask_ranges(2 * SPOTS)


@row("batch 200 ranges", f"{SPOTS:,} drawn flops of two of 200 such ranges", Bar(5.0, "s"))
def few_ranges() -> Figures:
    return ask_ranges(200)


@row("flop report", f"{REPORTED[0]} v {REPORTED[1]} on all flops, 1,755 rows", Bar(0.8, "s"))
def report_on_flops() -> Figures:
    def work() -> gpuodds.BoardReport:
        return gpuodds.flop_report(list(REPORTED))

    seconds = time_runs(work, 5)
    # One flop of each row: those that differ in suits alone need not be gone through.
    outcomes = sum(int(entry.outcomes) // entry.weight for entry in work().rows)
    compared = others.enumerate_outcomes(outcomes, 2)
    return Figures(seconds, others=compared, notes=others.by_outcome(outcomes, "both hands"))
