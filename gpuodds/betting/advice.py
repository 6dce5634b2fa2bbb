"""How much to bet on a hand, and why: Kelly's bet on the exact odds of a spot."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

from gpuodds.betting.kelly import (
    MODELS,
    Odds,
    cassandra_fraction,
    cassandra_odds,
    growth,
    kelly_fraction,
)
from gpuodds.cards import format_cards
from gpuodds.engine import Player, equity
from gpuodds.errors import InputError, excerpt
from gpuodds.spot import Cards, read_cards

SCHEMA = "gpuodds.kelly/1"


@dataclass(frozen=True)
class Advice:
    """A bet, and what speaks for it. Amounts are chips; ``odds`` are those of ``model``.

    ``fraction`` of the bankroll is bet, ``multiple`` times Kelly's; ``bet`` is that in chips and
    ``bet_chips`` the whole chips of it, 0 where they are fewer than the least bet. ``expected_value``
    is what ``bet`` gains on average, the pot included, if all opponents call it; ``growth`` is the mean
    logarithm of what it makes of the bankroll.
    """

    hand: str
    board: str
    dead: str
    opponents: int
    bankroll: Fraction
    pot: Fraction
    model: str
    odds: Odds
    multiple: float
    fraction: float
    bet: float
    bet_chips: int
    backend: str
    method: str

    @property
    def expected_value(self) -> float:
        """What the bet gains on average."""
        return self.value_of(self.bet)

    @property
    def growth(self) -> float:
        """The mean logarithm of what the bet makes of the bankroll."""
        return growth(self.odds, self.fraction, float(self.pot / self.bankroll))

    @property
    def pot_odds(self) -> float:
        """The equity at which the bet breaks even: its share of the pot that it makes."""
        whole = (1 + self.opponents) * self.bet + float(self.pot)
        return self.bet / whole if whole else 0.0

    def value_of(self, bet: float) -> float:
        """Return what a bet of so many chips, called by all, gains on average."""
        whole = (1 + self.opponents) * bet + float(self.pot)
        return float(self.odds.equity) * whole - bet

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds kelly --json`` prints."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "hand": self.hand,
            "board": self.board,
            "dead": self.dead,
            "opponents": self.opponents,
            "bankroll": float(self.bankroll),
            "pot": float(self.pot),
            "multiple": self.multiple,
            "fraction": self.fraction,
            "bet": self.bet,
            "bet_chips": self.bet_chips,
            "win": float(self.odds.win),
            "split": [float(chance) for chance in self.odds.split[1:]],
            "lose": float(self.odds.lose),
            "equity": float(self.odds.equity),
            "pot_odds": self.pot_odds,
            "expected_value": self.expected_value,
            "growth": self.growth,
            "exact": self.model == "exact",
            "method": self.method,
            "backend": self.backend,
        }


def kelly_bet(
    hand: Cards,
    *,
    opponents: int,
    bankroll: float | Fraction,
    pot: float | Fraction = 0,
    board: Cards = "",
    dead: Cards = "",
    model: str = "exact",
    multiple: float = 1.0,
    minimum: int = 0,
    backend: str = "auto",
) -> Advice:
    """Find how much to bet on a hand against opponents with any cards, all of whom call.

    ``bankroll`` are the chips that can be bet, ``pot`` those that are won beside the bets. ``multiple``
    of Kelly's bet is advised, 0 to 1: half of it grows three quarters as fast and swings half as much.
    ``minimum`` is the least bet that can be made. The model "cassandra" estimates the odds and finds
    the bet as the program of that name did.

    Raises:
        InputError: A card, an amount or the model makes no sense, or SciPy is not installed.

    >>> advice = kelly_bet("QdQs", board="2s7d9h", opponents=2, bankroll=5000, pot=100)
    >>> round(advice.fraction, 8), advice.bet_chips
    (0.50290334, 2514)
    """
    if model not in MODELS:
        raise InputError(f"model {excerpt(model)}: expected one of {', '.join(MODELS)}")
    if opponents < 1:
        raise InputError(f"opponents {opponents}: expected at least 1, somebody to bet with")
    chips, there = _amount("bankroll", bankroll), _amount("pot", pot)
    if chips <= 0:
        raise InputError(f"bankroll {bankroll}: expected more than 0")
    if not 0 <= multiple <= 1:
        raise InputError(f"multiple {multiple}: expected 0 to 1")
    cards = read_cards(hand)
    given: Player = cards
    against = opponents if model == "exact" else 1
    result = equity([given], opponents=against, board=board, dead=dead, backend=backend)
    player, outcomes = result.players[0], int(result.outcomes)
    counts = int(player.win_outcomes), *(int(ties) for ties in player.tie_outcomes)
    if model == "exact":
        odds = Odds(tuple(Fraction(count, outcomes) for count in counts))
        best = kelly_fraction(odds, there / chips)
    else:
        odds = cassandra_odds(counts[0], counts[1], outcomes, opponents)
        best = cassandra_fraction(odds, float(there / chips))
    fraction = multiple * best
    bet = fraction * float(chips)
    whole = min(floor(bet), floor(chips))
    return Advice(
        hand=format_cards(cards),
        board=format_cards(read_cards(board)),
        dead=format_cards(read_cards(dead)),
        opponents=opponents,
        bankroll=chips,
        pot=there,
        model=model,
        odds=odds,
        multiple=multiple,
        fraction=fraction,
        bet=bet,
        bet_chips=whole if whole >= minimum else 0,
        backend=result.backend,
        method=result.method,
    )


def _amount(name: str, value: float | Fraction) -> Fraction:
    try:
        amount = Fraction(value) if not isinstance(value, float) else Fraction(str(value))
    except (ValueError, TypeError, OverflowError):
        raise InputError(f"{name} {value}: expected a number of chips") from None
    if amount < 0:
        raise InputError(f"{name} {value}: expected at least 0")
    return amount
