"""What a player sees at a turn, and what it can do."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from gpuodds.errors import InputError

Kind = Literal["fold", "call", "raise"]
MAX_SEATS = 10
CARDS_BY_STREET = (0, 3, 4, 5)  # cards on the board before the flop, on flop, turn and river


@dataclass(frozen=True)
class Rules:
    """The chips of a hand: blinds, ante, and the stack of every seat.

    Attributes:
        seats: The number of players, 2 to 10.
        small_blind: Chips, above 0.
        big_blind: Chips, at least the small blind.
        ante: The chips that every player pays, 0 or more.
        stack: The chips of each player at the start of a hand, above 0.

    Raises:
        InputError: A number is out of bounds.
    """

    seats: int = 2
    small_blind: int = 50
    big_blind: int = 100
    ante: int = 0
    stack: int = 20_000

    def __post_init__(self) -> None:
        """Check seats, blinds, ante and stack."""
        if not 2 <= self.seats <= MAX_SEATS:
            raise InputError(f"seats {self.seats}: expected 2 to {MAX_SEATS}")
        if not 0 < self.small_blind <= self.big_blind:
            raise InputError(f"blinds {self.small_blind}/{self.big_blind}: expected 0 < small <= big")
        if self.ante < 0 or self.stack <= 0:
            raise InputError(f"ante {self.ante}, stack {self.stack}: expected chips")


@dataclass(frozen=True)
class Move:
    """A player's decision.

    Attributes:
        kind: ``"fold"``, ``"call"`` (or check), or ``"raise"`` (or bet).
        to: Of a raise, the player's whole bet on the street, in chips.
    """

    kind: Kind
    to: int = 0


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What is public at a turn.

    Attributes:
        seat: The seat of the player in turn.
        street: 0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        pot: All chips in the middle, bets of this street included.
        bets: The bets of this street, by seat.
        stacks: The chips left, by seat.
        to_call: The chips that a call takes.
        min_raise: The smallest raise, as a whole bet of the street; 0 if no raise is possible.
        max_raise: The largest one; likewise.
        playing: By seat, whether the player has not folded.
    """

    seat: int
    street: int
    pot: int
    bets: tuple[int, ...]
    stacks: tuple[int, ...]
    to_call: int
    min_raise: int
    max_raise: int
    playing: tuple[bool, ...]

    @property
    def opponents(self) -> int:
        """The number of others who have not folded."""
        return sum(self.playing) - 1

    @property
    def winnable(self) -> int:
        """The chips that the player can win; bets count up to what the player can match."""
        reach = self.bets[self.seat] + self.stacks[self.seat]
        return self.pot - sum(max(bet - reach, 0) for bet in self.bets)

    def raise_to(self, chips: float) -> Move:
        """Return the possible raise nearest to a whole bet; a call if none is possible.

        Args:
            chips: The player's whole bet on the street, in chips.
        """
        if not self.max_raise:
            return Move("call")
        return Move("raise", min(max(int(chips), self.min_raise), self.max_raise))

    def raise_by_pot(self, share: float) -> Move:
        """Return a raise by a share of the pot.

        Args:
            share: The raise beyond the call, as a share of the pot after the call; 1 is the pot.
        """
        after = self.pot + self.to_call
        return self.raise_to(self.bets[self.seat] + self.to_call + share * after)


@dataclass(frozen=True)
class Played:
    """A move that was made.

    Attributes:
        street: 0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        seat: The player's seat.
        kind: ``"fold"``, ``"call"`` (or check), or ``"raise"`` (or bet).
        to: The player's whole bet on the street after it, in chips.
        to_call: The chips to call before it.
        pot: The chips in the pot before it.
        turn: The table before it; None if it was not kept.
    """

    street: int
    seat: int
    kind: Kind
    to: int
    to_call: int
    pot: int
    turn: Turn | None = None


@dataclass(frozen=True, kw_only=True)
class Observation(Turn):
    """What a player knows at a turn: what is public, and its own cards.

    Attributes:
        rules: Blinds and stacks.
        hand: The player's cards.
        board: The cards on the board.
        moves: All moves of the hand so far.
    """

    rules: Rules
    hand: tuple[int, int]
    board: tuple[int, ...]
    moves: tuple[Played, ...]

    @property
    def turn(self) -> Turn:
        """What is public of it, without the cards and the moves."""
        return Turn(**{field.name: getattr(self, field.name) for field in fields(Turn)})
