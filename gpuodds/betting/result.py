"""What the advisor answers: every action that is possible, what it does, and the one to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any

from gpuodds.basics.amounts import Number, read_amount
from gpuodds.basics.arguments import shown
from gpuodds.betting.kelly import Wager
from gpuodds.betting.odds import Odds
from gpuodds.betting.pots import Stakes
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.results.explanation import Explanation

SCHEMA = "gpuodds.kelly/1"


@dataclass(frozen=True)
class Option:
    """An action that is possible, and what it does to the bankroll.

    Attributes:
        action: "fold", "check", "call", "bet" or "raise".
        chips: The chips to put in, a call included.
        fraction: The same as a share of the bankroll, which is all wealth.
        growth: The mean logarithm of the factor by which the bankroll grows.
        expected_value: The mean gain in chips, with what is won of the pot.
        loss: The chance that the bankroll gets smaller.
        pot_odds: The equity that breaks even if all call; 0 for a fold, which needs none.
    """

    action: str
    chips: float
    fraction: float
    growth: float
    expected_value: float
    loss: float
    pot_odds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the option's part of the JSON object; a growth of minus infinity is None."""
        return {**vars(self), "growth": _finite(self.growth)}


@dataclass(frozen=True)
class Advice:
    """What to do with a hand, and why.

    Attributes:
        hand: The cards that are bet on, or the range, as text.
        board: The board, as text.
        dead: The cards out of play, as text.
        game: The game.
        against: A hand or range for each opponent, as text; empty if all hold any cards.
        model: "exact" or "cassandra".
        multiple: The share of Kelly's bet to make.
        stakes: The chips that the bet is about.
        odds: The odds of a showdown with all opponents, by the model.
        stay: The outcomes of a check or call.
        wager: The outcomes of a bet or raise of any size.
        options: Every action, the bet or raise at the size that grows the bankroll most.
        advised: The action to take.
        bet_chips: Its whole chips: rounded down, above Kelly's bet only where the least bet is.
        exact: Whether nothing was estimated.
        method: How the odds were found.
        backend: Where they were counted.
        standard_error: Where odds are sampled or deals drawn, those of "win", "lose" and "equity", a
            list "split" of those with 1, 2, ... others, that of the "fraction" of the best bet or raise
            beyond a call, and that of the "growth" by the advised action. Else None.
        other_actions: Where there are such errors, the actions other than the advised one that would be
            advised for odds within two of them.
        explanation: How the odds were found, and what other methods would cost; None unless requested.
    """

    hand: str
    board: str
    dead: str
    game: Game
    against: tuple[str, ...]
    model: str
    multiple: float
    stakes: Stakes = field(repr=False)
    odds: Odds = field(repr=False)
    stay: Wager = field(repr=False)
    wager: Wager = field(repr=False)
    options: tuple[Option, ...]
    advised: Option
    bet_chips: int
    exact: bool
    method: str
    backend: str
    standard_error: dict[str, Any] | None = None
    other_actions: tuple[str, ...] = ()
    explanation: Explanation | None = None

    @property
    def opponents(self) -> int:
        """The number of opponents."""
        return len(self.stakes.stacks)

    @property
    def bankroll(self) -> Fraction:
        """All that the player owns, in chips."""
        return self.stakes.bankroll

    @property
    def stack(self) -> Fraction:
        """The player's chips at the table, the most that can be bet."""
        return self.stakes.stack

    @property
    def action(self) -> str:
        """The action to take, ``"fold"``, ``"check"``, ``"call"``, ``"bet"`` or ``"raise"``."""
        return self.advised.action

    @property
    def fraction(self) -> float:
        """The share of the bankroll to put in, a call included."""
        return self.advised.fraction

    @property
    def bet(self) -> float:
        """The chips to put in, a call included, before they are rounded."""
        return self.advised.chips

    @property
    def growth(self) -> float:
        """The mean logarithm of the factor by which the bankroll grows."""
        return self.advised.growth

    @property
    def expected_value(self) -> float:
        """The mean gain in chips."""
        return self.advised.expected_value

    @property
    def fold_chances(self) -> tuple[float, ...] | None:
        """The chance that each opponent folds to the advised bet or raise, by the curve of folds.

        None without a curve. Opponents are in the order in which they were given.
        """
        replies = self.wager.replies
        if replies is None:
            return None
        more = self.fraction - float(self.stakes.call / self.bankroll)
        is_bet = self.action in ("bet", "raise")
        chances = replies.fold_chances(more) if is_bet else [0.0] * len(replies.groups)
        by_seat = [
            float(chance)
            for (seats, _), chance in zip(replies.groups, chances, strict=True)
            for _ in range(seats)
        ]
        return tuple(by_seat[self.stakes.order.index(place)] for place in range(len(by_seat)))

    @property
    def pot_odds(self) -> float:
        """The equity that breaks even if all call, for what is advised; for a call if it is a fold."""
        return (self.options[1] if self.action == "fold" else self.advised).pot_odds

    @property
    def advice_changes(self) -> bool | None:
        """Whether another action would be advised for odds within two standard errors.

        None if no odds are sampled.
        """
        return None if self.standard_error is None else bool(self.other_actions)

    def option(self, chips: Number) -> Option:
        """Return what a bet or raise of another size would do.

        Args:
            chips: The chips to put in, a call included.

        Raises:
            InputError: It is less than the call, or more than the stack.
        """
        amount, stakes = read_amount("bet", chips), self.stakes
        if not stakes.call <= amount <= stakes.stack:
            least, most = float(stakes.call), float(stakes.stack)
            raise InputError(f"bet {shown(chips)}: expected {least:g} to {most:g}")
        more = (amount - stakes.call) / stakes.bankroll
        return bet_option(stakes, self.wager, more) if more else stay_option(stakes, self.stay)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds kelly --json`` prints."""
        stakes, advised = self.stakes, self.advised
        return {
            "schema": SCHEMA,
            "game": self.game.name,
            "model": self.model,
            "hand": self.hand,
            "board": self.board,
            "dead": self.dead,
            "opponents": self.opponents,
            "against": list(self.against),
            "bankroll": float(self.bankroll),
            "stack": float(self.stack),
            "pot": float(stakes.pot),
            "side_pots": [
                [float(side.chips), side.seats, float(side.call)] for side in stakes.side_pots
            ],
            "to_call": float(stakes.to_call),
            "stacks": [None if stack is None else float(stack) for stack in stakes.stacks],
            "fold": [float(chance) for chance in stakes.folds],
            "fold_curve": None if stakes.curve is None else [stakes.curve.level, stakes.curve.slope],
            "callers": None if stakes.callers is None else [float(p) for p in stakes.callers],
            "fold_chances": None if self.fold_chances is None else list(self.fold_chances),
            "multiple": self.multiple,
            "action": advised.action,
            "fraction": advised.fraction,
            "bet": advised.chips,
            "bet_chips": self.bet_chips,
            "win": float(self.odds.win),
            "split": [float(chance) for chance in self.odds.split[1:]],
            "lose": float(self.odds.lose),
            "equity": float(self.odds.equity),
            "pot_odds": self.pot_odds,
            "expected_value": advised.expected_value,
            "growth": _finite(advised.growth),
            "loss": advised.loss,
            "options": [option.to_dict() for option in self.options],
            "exact": self.exact,
            "method": self.method,
            "backend": self.backend,
            "standard_error": self.standard_error
            and {**self.standard_error, "growth": _finite(self.standard_error["growth"])},
            "advice_changes": self.advice_changes,
            "other_actions": list(self.other_actions),
            **({} if self.explanation is None else self.explanation.to_dict()),
        }


def stay_option(stakes: Stakes, stay: Wager) -> Option:
    """Return what a check or a call does."""
    return _option(stakes, "call" if stakes.to_call else "check", stay, Fraction(0))


def bet_option(stakes: Stakes, wager: Wager, more: Fraction) -> Option:
    """Return what a bet or raise does, by the share of the bankroll that it adds beyond a call."""
    return _option(stakes, "raise" if stakes.to_call else "bet", wager, more)


def passive_options(stakes: Stakes, stay: Wager) -> list[Option]:
    """Return what can be done without a bet: fold and call, or check."""
    option = stay_option(stakes, stay)
    return [Option("fold", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), option] if stakes.to_call else [option]


def _option(stakes: Stakes, action: str, wager: Wager, more: Fraction) -> Option:
    chips = stakes.call + more * stakes.bankroll
    # What is bet beyond the deepest stack comes back.
    matched = min(more, wager.most) * stakes.bankroll
    pot = stakes.whole_pot + stakes.call + matched
    pot += sum((matched if s is None else min(matched, s) for s in stakes.stacks), Fraction(0))
    return Option(
        action=action,
        chips=float(chips),
        fraction=float(chips / stakes.bankroll),
        growth=wager.growth(more),
        expected_value=wager.value(more) * float(stakes.bankroll),
        loss=wager.loss(more),
        pot_odds=float((stakes.call + matched) / pot) if pot else 0.0,
    )


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
