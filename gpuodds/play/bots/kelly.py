"""The Kelly advisor as a player: it maximises the growth of its bankroll, by exact odds."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from gpuodds.betting.pots import Stakes
from gpuodds.betting.question import read_options
from gpuodds.betting.stakes import read_stakes
from gpuodds.play.equities import ENGINE, Equities
from gpuodds.play.game import Ended
from gpuodds.play.turns import Move, Observation

BUY_INS = 20


@dataclass(frozen=True)
class KellySettings:
    """Constants of the bot.

    Attributes:
        multiple: The bet, as a multiple of Kelly's.
        spread: The share of the growth to give up, so that bet sizes reveal less about the hand.
        buy_ins: The bankroll, in stacks at the start of a hand: one at the table, the others behind.
    """

    multiple: float = 0.5
    spread: float = 0.05
    buy_ins: float = BUY_INS


def stakes_of(seen: Observation, behind: float) -> Stakes:
    """Return the stakes of a turn, in chips.

    Args:
        seen: What the player knows.
        behind: The chips that the player owns in addition to those at the table.
    """
    stack, put = seen.stacks[seen.seat], seen.bets[seen.seat]
    level = max(seen.bets)
    faced = min(level, put + stack)
    opponents = [s for s, plays in enumerate(seen.playing) if plays and s != seen.seat]
    # Assume that opponents who have yet to match the bet do so, as far as they can.
    behind_bet = sum(max(min(faced - seen.bets[s], seen.stacks[s]), 0) for s in opponents)
    return read_stakes(
        len(opponents),
        bankroll=stack + behind,
        stack=stack,
        pot=seen.winnable + behind_bet,
        to_call=faced - put,
        stacks=[max(seen.stacks[s] - max(level - seen.bets[s], 0), 0) for s in opponents],
        minimum=max(seen.min_raise - level, 0),
    )


class Kelly:
    """Folds, calls or raises as :func:`gpuodds.betting.kelly_bet` advises against random cards.

    Args:
        draw: The source of the sizes of its bets.
        settings: The constants of the bot, a :class:`gpuodds.play.bots.KellySettings`.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
    """

    def __init__(
        self, draw: Random, settings: KellySettings | None = None, *, equities: Equities = ENGINE
    ) -> None:
        """Draw the size of bets by ``draw``; take the source of advice."""
        self._draw, self._settings, self._equities = draw, settings or KellySettings(), equities

    def act(self, seen: Observation) -> Move:
        """Return the advised move.

        Args:
            seen: What the player knows.
        """
        settings = self._settings
        action, chips = self._equities.bet(
            seen.hand,
            seen.board,
            stakes_of(seen, max(settings.buy_ins - 1, 0) * seen.rules.stack),
            read_options(
                multiple=settings.multiple,
                spread=settings.spread,
                seed=self._draw.randrange(1 << 30),
                backend="cpu",
            ),
        )
        if action == "fold":
            return Move("fold")
        if action in ("call", "check"):
            return Move("call")
        return seen.raise_to(seen.bets[seen.seat] + chips)

    def end(self, hand: Ended) -> None:
        """Learn nothing.

        Args:
            hand: What the player knows of it.
        """
