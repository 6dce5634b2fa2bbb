"""A hand as it was played: who put in what, which cards were seen, who was paid."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from gpuodds.games.game import Game

BLIND, DEAD, PUT, FOLD = range(4)
"""What a move is: a blind, chips that are no bet, a check, call or bet, a fold."""


class Move(NamedTuple):
    """A move of a hand.

    Example:
        >>> Move(0, 3, 100_000_000, PUT).amount
        100000000
    """

    place: int
    """The player's place in the lists of the hand."""

    on_board: int
    """How many cards were on the board."""

    amount: int
    """What was put in, in parts of a chip."""

    what: int
    """BLIND, DEAD, PUT or FOLD."""


@dataclass(slots=True)
class Hand:
    """A hand of a history. Amounts are whole numbers of :data:`gpuodds.histories.PARTS` of a chip.

    Lists have an entry for each player who was dealt in, clockwise from the first after the button.

    Example:
        >>> from gpuodds.histories import EXAMPLE_HAND, read_text
        >>> hand = next(read_text(EXAMPLE_HAND))
        >>> hand.names, [won // 100_000_000 for won in hand.results()]
        (['Ann', 'Bob', 'Cem'], [-60, 66, -6])
    """

    site: str
    """Where it was played: ``"PokerStars"``; for PHH the venue, or ``""``."""

    number: str
    """The site's number of the hand, ``""`` if it has none."""

    file: str
    """The file it was read from."""

    line: int
    """The line in the file where it begins, from 1."""

    game: Game
    """What was played."""

    time: datetime | None
    """When it began, as the site's clock said."""

    table: str
    """The table's name."""

    tournament: str
    """The tournament's number or name; ``""`` for cash."""

    currency: str
    """The currency's sign or code, ``""`` for chips."""

    small_blind: int
    """The small blind of the stakes."""

    big_blind: int
    """The big blind of the stakes; in short deck, the button blind."""

    names: list[str]
    """The players."""

    stacks: list[int]
    """Their chips before the hand."""

    positions: list[str]
    """Their positions, as ``"BTN"``."""

    live: list[int]
    """What each bet and called, blinds included; bets that no one called are not counted."""

    dead: list[int]
    """What each put into the main pot whatever others bet: antes and dead blinds."""

    folded: list[bool]
    """Who folded, or mucked at the showdown without cards that are known."""

    cards: list[tuple[int, ...] | None]
    """Their hole cards, where they are known."""

    boards: list[tuple[int, ...]]
    """The board, or each of them if it was run more than once."""

    seen: int
    """How many cards were on the board when a player last had a decision."""

    put_at: list[int]
    """How many cards were on the board when each last put in chips."""

    collected: list[int]
    """What each took from the pots."""

    added: int = 0
    """Chips that the house put into the pot."""

    apart: list[Apart] = field(default_factory=list)
    """What changed hands outside the pots."""

    moves: list[Move] | None = None
    """The moves, in order; None unless they were asked for."""

    @property
    def pot(self) -> int:
        """All chips in the pots, before rake."""
        return sum(self.live) + sum(self.dead) + self.added

    @property
    def rake(self) -> int:
        """What the house took from the pots, fees included."""
        return self.pot - sum(self.collected)

    def results(self) -> list[int]:
        """Return what each player won, negative if lost: what came back less what was put in."""
        return [
            got - bet - ante
            for got, bet, ante in zip(self.collected, self.live, self.dead, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Apart:
    """Money that is no part of the pots: a cash-out, insurance, a bounty.

    Example:
        >>> Apart("cash-out", "Ann", 500_000_000).what
        'cash-out'
    """

    what: str
    """``"cash-out"``, ``"insurance"`` or ``"bounty"``."""

    player: str
    """Who received it, or paid it."""

    amount: int
    """What it was, negative if paid, in parts."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A hand, or another piece of a file, that could not be read.

    Example:
        >>> str(Skipped("a.txt", 7, "badugi is not a game of gpuodds"))
        'a.txt: line 7: badugi is not a game of gpuodds'
    """

    file: str
    """The file."""

    line: int
    """The line where the piece begins, from 1; 0 for the whole file."""

    reason: str
    """Why, in one line."""

    def __str__(self) -> str:
        """Return the file, the line and the reason."""
        return (
            f"{self.file}: line {self.line}: {self.reason}"
            if self.line
            else f"{self.file}: {self.reason}"
        )
