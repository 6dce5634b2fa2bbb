"""Rows of hand histories: reading them, the luck of all-ins, matches without luck."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.report import Bar, Figures
from bench.rows import SMALL, Rows, call, command, peak_memory, time_runs

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "helpers"))

import dealing

from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM

ROWS = Rows()
row = ROWS.row

DRAWN = 200 if SMALL else 10_000
HANDS = DRAWN if SMALL else 100_000
NAMES = [f"player {place}" for place in range(1, 10)]


def rank(hole: list[str], board: list[str]) -> int:
    """Return a hand rank."""
    return HOLDEM.rank_hand(parse_cards("".join(hole)), parse_cards("".join(board)))


@cache
def drawn() -> list[dealing.Dealt]:
    """Return drawn hands of 2 to 9 players with deep stacks: one in 50 is all-in early."""
    draw = random.Random(1)
    return [
        dealing.deal(draw, rank=rank, wild=0.15, tight=0.72, shove=0.02, deep=True)
        for _ in range(DRAWN)
    ]


@cache
def folder() -> TemporaryDirectory[str]:
    """The folder of this run's files."""
    return TemporaryDirectory()


@cache
def histories(kind: str, hands: int = HANDS) -> str:
    """Write hands into a file, the drawn ones again and again with new numbers; return its path."""
    path = Path(folder().name, f"{hands}.{kind}")
    with path.open("w") as file:
        for number in range(hands):
            hand = drawn()[number % DRAWN]
            names = NAMES[: hand.players]
            if kind == "phhs":
                file.write(f"[{number + 1}]\n{dealing.to_phh(hand, names=names, number=number + 1)}\n")
            else:
                file.write(dealing.to_stars(hand, number=number + 1, names=names))
    return str(path)


@row("ev phh", f"{HANDS:,} drawn hands from PHH, a new process", Bar(10_000, "hands/s"))
def from_phh() -> Figures:
    asked = command("ev", histories("phhs"), "--json")
    seconds = time_runs(lambda: call(asked), 3)
    return Figures(seconds, rate=HANDS / min(seconds))


@row("ev text", "the same hands from the text of PokerStars, a new process", Bar(3_000, "hands/s"))
def from_text() -> Figures:
    asked = command("ev", histories("txt"), "--json")
    seconds = time_runs(lambda: call(asked), 3)
    return Figures(seconds, rate=HANDS / min(seconds))


@row("ev memory", "peak of one process of ev phh", Bar(4e8, "bytes"))
def memory() -> Figures:
    asked = command("ev", histories("phhs"), "--json", "--workers", "1")
    few = peak_memory(command("ev", histories("phhs", DRAWN), "--json", "--workers", "1"))
    peaks: list[int] = []
    seconds = time_runs(lambda: peaks.append(peak_memory(asked)), 1, warm=False)
    note = f"With {DRAWN:,} hands the peak is {few / 1e6:.0f} MB."
    return Figures(seconds, peak_bytes=max(peaks), notes=[note])


@row(
    "ev all-ins",
    "a million drawn all-ins of 2 to 4 players, pots and streets, warm",
    Bar(1800, "s"),
    slow=True,
)
def all_ins() -> Figures:
    from gpuodds.histories import ledger_entries, read_text

    draw = random.Random(2)
    wanted = 100 if SMALL else 20_000
    hands = [
        dealing.deal(draw, players=2 + number % 3, rank=rank, wild=0.9, tight=0.02, shove=0.9)
        for number in range(wanted)
    ]
    text = "".join(f"[{at + 1}]\n{dealing.to_phh(hand)}\n" for at, hand in enumerate(hands))
    read = list(read_text(text, "all.phhs"))
    adjusted = 0

    def work() -> None:
        nonlocal adjusted
        adjusted = sum(entry.luck is not None for entry in ledger_entries(read))  # type: ignore[union-attr]

    seconds = time_runs(work, 1)
    note = f"{adjusted:,} all-ins were counted; the time is that of a million such."
    return Figures([one * 1e6 / max(adjusted, 1) for one in seconds], notes=[note])


def adjusted_match(*bots: str, deals: int, duplicate: bool) -> Figures:
    """Time a match without luck; its note is the share of hands."""
    from gpuodds.play.match import play_match

    found: list[float] = []

    def work() -> None:
        result = play_match(bots, hands=deals, duplicate=duplicate, luck_adjusted=True)
        found.append(result.share_of_hands(0))

    seconds = time_runs(work, 1, warm=False)
    note = f"{100 * found[-1]:.1f} % of the hands give an interval of the raw width."
    return Figures(seconds, notes=[note])


@row("luck all-in v caller", "2,000 hands, each deal once, adjusted", Bar(60, "s"))
def all_in_and_caller() -> Figures:
    return adjusted_match("all-in", "caller", deals=20 if SMALL else 2000, duplicate=False)


@row("luck pokerbot v adaptive", "2,000 hands, each deal once, adjusted", Bar(120, "s"), slow=True)
def pokerbot_and_adaptive() -> Figures:
    return adjusted_match("pokerbot", "adaptive", deals=20 if SMALL else 2000, duplicate=False)


@row("luck pokerbot v adaptive 2", "2,000 hands of 1,000 deals, adjusted", Bar(120, "s"), slow=True)
def pokerbot_and_adaptive_from_both_seats() -> Figures:
    return adjusted_match("pokerbot", "adaptive", deals=20 if SMALL else 1000, duplicate=True)
