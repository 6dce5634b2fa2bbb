"""Rows of bets, five-card poker and bots."""

from __future__ import annotations

import random
from typing import Any

from bench.report import Bar, Figures
from bench.rows import Rows, time_runs

ROWS = Rows()
row = ROWS.row


@row("kelly flop", "the bet of a drawn hand on a drawn flop v 9 who may fold, warm", Bar(0.1, "s"))
def kelly_on_flops() -> Figures:
    from gpuodds.betting.advice import kelly_bet

    draw = random.Random(1)
    spots = iter([draw.sample(range(52), 5) for _ in range(101)])

    def work() -> object:
        cards = next(spots)
        return kelly_bet(
            cards[:2], board=cards[2:], opponents=9, bankroll=5000, pot=100, fold=0.3, backend="cpu"
        )

    return Figures(time_runs(work, 100))


@row("kelly preflop", "the bet of AsKs v 9 before the flop, from the table, warm", Bar(0.1, "s"))
def kelly_before_the_flop() -> Figures:
    from gpuodds.betting.advice import kelly_bet

    def work() -> object:
        return kelly_bet("AsKs", opponents=9, bankroll=5000, pot=100, fold=0.3)

    return Figures(time_runs(work, 50))


@row("five draw", "all 32 discards of drawn five-card hands v a pat hand, exact, warm", Bar(1, "s"))
def five_card_draws() -> Figures:
    from gpuodds.five_card import best_draw

    draw = random.Random(1)
    hands = iter([draw.sample(range(52), 5) for _ in range(11)])
    return Figures(time_runs(lambda: best_draw(next(hands)), 10))


@row("five ranks", "hands of each rank in drawn decks, 100 at once, warm", Bar(0.005, "s"))
def five_card_ranks() -> Figures:
    from gpuodds.five_card import count_hands

    draw = random.Random(1)
    decks = [sum(1 << card for card in draw.sample(range(52), 47)) for _ in range(100)]
    return Figures(time_runs(lambda: count_hands(decks), 50))


@row("bots", "1,000 hands of pokerbot v caller, 500 deals from both seats", Bar(60, "s"), slow=True)
def bots() -> Figures:
    from gpuodds.play.match import play_match

    return Figures(time_runs(lambda: play_match(["pokerbot", "caller"], hands=500), 1, warm=False))


@row(
    "bot simulating",
    "a decision of `simulating` at depth 2, facing a check-raise on a drawn flop, nothing kept before",
    Bar(2, "s"),
)
def simulating_on_flops() -> Figures:
    from gpuodds.play import Deal, Move, Rules, play_hand
    from gpuodds.play.bots import Simulating

    draw = random.Random(1)
    seen: list[Any] = []

    class Plain:
        """Learns nothing."""

        def end(self, hand: Any) -> None:
            pass

    class Caller(Plain):
        """Checks, raises once on the flop, then calls."""

        def act(self, turn: Any) -> Any:
            return turn.raise_by_pot(1.0) if turn.street == 1 and turn.to_call else Move("call")

    class Bettor(Plain):
        """Raises before the flop, bets it, and keeps what it saw then."""

        def act(self, turn: Any) -> Any:
            if turn.street == 1 and turn.to_call:
                seen.append(turn)
                return Move("fold")
            return turn.raise_by_pot(0.5)

    for _ in range(21):
        play_hand([Caller(), Bettor()], Rules(), Deal.drawn(2, draw))
    turns = iter(seen)
    return Figures(time_runs(lambda: Simulating(draw).act(next(turns)), 20))
