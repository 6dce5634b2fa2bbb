"""Rows of other games than Texas hold'em: Omaha, high and hi-lo, and short deck."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import gpuodds
from bench import others
from bench.report import Bar, Comparison, Figures
from bench.rows import SMALL, Rows, call, command, refuse_small, time_runs
from gpuodds.cards import DECK_SIZE, format_card
from gpuodds.games import find_game
from gpuodds.spots.notation.by_game import notation_of

ROWS = Rows()
row = ROWS.row
AAKK, RUNDOWN = "AsAhKsKh", "7c8c9dTd"
FLOP = "2s7d9h"
OMAHA5_TEXTS = ("h", "wxyz", "h!s", "AA:$ds", "RROO", "AxKyQz", "TT+", "15%")
BOARDS = comb(44, 5)  # full boards of two hands of Omaha
COMPARED = 1000 if SMALL else 10_000
RANKED = 10_000 if SMALL else 1_000_000
SAMPLES = 100_000 if SMALL else 5_000_000


@cache
def _omaha_rate() -> float | None:
    """Return how many hands of Omaha on full boards phevaluator ranks in a second."""
    try:
        from phevaluator import evaluate_omaha_cards
    except ImportError:
        return None
    names = [format_card(card) for card in range(DECK_SIZE)]
    deals = [[names[card] for card in cards] for cards in _nine_cards(COMPARED).tolist()]
    begin = perf_counter()
    for cards in deals:
        evaluate_omaha_cards(*cards)
    return len(deals) / (perf_counter() - begin)


def _nine_cards(count: int) -> Any:
    """Draw boards and hands, card numbers of shape (count, 9), the board first."""
    import numpy as np

    draw = np.random.default_rng(11)
    return draw.random((count, DECK_SIZE)).argpartition(9, axis=1)[:, :9].astype(np.uint8)


def _phevaluator(hands: float) -> list[Comparison]:
    """Say how long phevaluator would take to rank so many hands, one call each."""
    rate = _omaha_rate()
    if rate is None:
        return [others.missing("phevaluator")]
    note = f"one call a hand, {rate:,.0f} hands/s"
    return [Comparison("phevaluator", "extrapolated", hands / rate, note=note)]


@row("omaha known hands", f"{AAKK} v {RUNDOWN} preflop, all {BOARDS:,} boards, warm", Bar(0.02, "s"))
def known_hands() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity([AAKK, RUNDOWN], game="omaha")

    return Figures(time_runs(work, 20), others=_phevaluator(2 * BOARDS))


@row("omaha random hand", f"{AAKK} v a random hand of Omaha, computed, warm", Bar(8, "s"))
def random_hand() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(AAKK, game="omaha", table=False)

    return Figures(time_runs(work, 3), others=_phevaluator(work().outcomes))


@row("omaha table look-up", f"{AAKK} v a random hand of Omaha, from the table", Bar(0.001, "s"))
def look_up() -> Figures:
    return Figures(time_runs(lambda: gpuodds.equity(AAKK, game="omaha"), 50))


@row("omaha flop", f"{AAKK} on {FLOP} v a random hand of Omaha, warm", Bar(0.05, "s"))
def flop() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(AAKK, board=FLOP, game="omaha")

    return Figures(time_runs(work, 20), others=_phevaluator(work().outcomes))


@row("omaha ranges", f"AA** v 15% on {FLOP}, with every hand's equity, warm", Bar(1, "s"))
def ranges() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(["AA**", "15%"], board=FLOP, game="omaha", by_hand=True, method="exact")

    return Figures(time_runs(work, 3))


@row("omaha5 range text", f"{', '.join(OMAHA5_TEXTS)}: each read, warm", Bar(0.4, "s"))
def range_texts() -> Figures:
    notation = notation_of(find_game("omaha5"))

    def work() -> None:
        for text in OMAHA5_TEXTS:
            notation.parse(text, notation.equity_order(), True)

    return Figures(time_runs(work, 5))


@row("omaha samples", f"{AAKK} v 3 random hands of Omaha, sampled", Bar(5e6, "hands/s"))
def samples() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity(AAKK, opponents=3, game="omaha", samples=SAMPLES, seed=1)

    seconds = time_runs(work, 5)
    return Figures(seconds, rate=SAMPLES / sorted(seconds)[len(seconds) // 2], notes=["Rate: deals."])


@contextmanager
def _one_thread() -> Iterator[None]:
    before = os.environ.get("GPUODDS_THREADS")
    os.environ["GPUODDS_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["GPUODDS_THREADS"]
        else:
            os.environ["GPUODDS_THREADS"] = before


@row("omaha ranks", f"{RANKED:,} hands of Omaha on full boards, one thread", Bar(20e6, "hands/s"))
def ranks() -> Figures:
    cards = _nine_cards(RANKED)
    rows = cards[:, [5, 6, 7, 8, 0, 1, 2, 3, 4]]

    def work() -> Any:
        return gpuodds.rank_hands(rows, game="omaha")

    with _one_thread():
        seconds = time_runs(work, 5)
    rate = _omaha_rate()
    compared = (
        [others.missing("phevaluator")]
        if rate is None
        else [Comparison("phevaluator", "measured", rate=rate, note=f"{COMPARED:,} hands")]
    )
    return Figures(seconds, rate=RANKED / sorted(seconds)[len(seconds) // 2], others=compared)


def _table(name: str) -> Callable[[], Figures]:
    def measure() -> Figures:
        refuse_small()
        with TemporaryDirectory() as folder:

            def work() -> None:
                call([*command("table", "build", name), "--out", str(Path(folder, name))])

            seconds = time_runs(work, 1, warm=False)
        return Figures(seconds, notes=["Functions compiled before, or in part of this time."])

    return measure


row("build omaha", "omaha-preflop-random: 16,432 starting hands, a new process", Bar(480, "s"))(
    _table("omaha-preflop-random")
)
row(
    "build omaha hi-lo",
    "omaha-hi-lo-preflop-random: 16,432 starting hands, a new process",
    Bar(1500, "s"),
    slow=True,
)(_table("omaha-hi-lo-preflop-random"))


@row("short deck known hands", "AsKs v QhQd in short deck, all 201,376 boards, warm", Bar(2e-4, "s"))
def short_deck() -> Figures:
    return Figures(time_runs(lambda: gpuodds.equity(["AsKs", "QhQd"], game="short-deck"), 50))


@row("short deck k=3", "AsKs v 3 random hands of short deck, computed, warm", Bar(0.02, "s"))
def short_deck_random() -> Figures:
    def work() -> gpuodds.EquityResult:
        return gpuodds.equity("AsKs", opponents=3, game="short-deck", table=False)

    return Figures(time_runs(work, 20))
