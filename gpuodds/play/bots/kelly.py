"""The Kelly advisor as a player: it does what grows its stack most, by exact odds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gpuodds.betting.advice import kelly_bet
from gpuodds.play.game import Ended, Move, Observation


@dataclass(frozen=True)
class Settings:
    """``multiple`` of Kelly's bet is made, and ``spread`` of its growth given up to hide the hand."""

    multiple: float = 0.5
    spread: float = 0.05


class Kelly:
    """Folds, calls or raises as :func:`gpuodds.betting.kelly_bet` says; opponents have any cards."""

    def __init__(self, draw: Random, settings: Settings | None = None) -> None:
        """Draw the size of bets by ``draw``."""
        self._draw, self._settings = draw, settings or Settings()

    def act(self, seen: Observation) -> Move:
        """Take the advice."""
        bankroll = seen.stacks[seen.seat]
        level = max(seen.bets)
        others = [s for s, plays in enumerate(seen.playing) if plays and s != seen.seat]
        # Opponents who have yet to match the bet are taken to do so, as far as they can.
        behind = sum(min(level - seen.bets[s], seen.stacks[s]) for s in others)
        stacks = [max(seen.stacks[s] - (level - seen.bets[s]), 0) for s in others]
        advice = kelly_bet(
            seen.hand,
            opponents=len(others),
            bankroll=bankroll,
            pot=seen.pot + behind,
            to_call=min(seen.to_call, bankroll),
            board=seen.board,
            stacks=stacks,
            multiple=self._settings.multiple,
            spread=self._settings.spread,
            minimum=max(seen.least - level, 0),
            seed=self._draw.randrange(1 << 30),
            backend="cpu",
        )
        if advice.action == "fold":
            return Move("fold")
        if advice.action in ("call", "check"):
            return Move("call")
        return seen.raise_to(seen.bets[seen.seat] + advice.bet_chips)

    def end(self, hand: Ended) -> None:
        """Learn nothing."""
