"""A bot that waits for good cards."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.strength import place_of
from gpuodds.play.turns import Move, Observation


@dataclass(frozen=True)
class TightSettings:
    """Constants of the bot.

    Attributes:
        plays: The share of hands, the best first, that it plays before the flop.
        raises: The share of hands that it raises with before the flop.
        bets: The equity against random cards from which it bets after the flop.
    """

    plays: float = 0.15
    raises: float = 0.06
    bets: float = 0.65


class Tight:
    """Plays few hands, by equity against random cards and by pot odds.

    Args:
        draw: Unused: the bot does not draw.
        settings: The constants of the bot, a :class:`gpuodds.play.bots.TightSettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    def __init__(
        self, draw: Random, settings: TightSettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Take the source of equities; ignore ``draw``: the bot does not draw."""
        self._settings, self._equities = settings or TightSettings(), equities

    def act(self, seen: Observation) -> Move:
        """Return a raise with the best hands, a call with good ones, a fold with the rest.

        Args:
            seen: What the player knows.
        """
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
        # An opponent who bets has better than random cards: ask for twice the pot odds.
        return Move("call" if share >= 2 * odds else "fold")

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
