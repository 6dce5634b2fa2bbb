"""A bot that waits for good cards."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended, Move, Observation
from gpuodds.play.strength import place_of


@dataclass(frozen=True)
class Settings:
    """``plays`` is the best share of hands it plays before the flop, ``raises`` those it raises with.

    After the flop it bets from the equity ``bets`` on, against as many opponents with any cards.
    """

    plays: float = 0.15
    raises: float = 0.06
    bets: float = 0.65


class Tight:
    """Plays few hands, and plays them by equity against any cards and by pot odds."""

    def __init__(
        self, draw: Random, settings: Settings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Take where equities come from. Nothing is left to chance, so ``draw`` is not used."""
        self._settings, self._equities = settings or Settings(), equities

    def act(self, seen: Observation) -> Move:
        """Fold what is not good enough, raise what is."""
        settings = self._settings
        if seen.street == 0:
            place = place_of(seen.hand)
            if place <= settings.raises:
                return seen.raise_by_pot(1.0)
            return Move("call" if place <= settings.plays else "fold")
        share = self._equities.equity_of(seen.hand, seen.board, seen.opponents)
        if share >= settings.bets:
            return seen.raise_by_pot(0.75)
        odds = seen.to_call / (seen.winnable + seen.to_call)
        # Whoever bets has more than any cards: twice what the odds ask for.
        return Move("call" if share >= 2 * odds else "fold")

    def end(self, hand: Ended) -> None:
        """Learn nothing."""
