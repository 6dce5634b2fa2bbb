"""What is asked: stacks in order of action, blinds, antes, prizes and bounties."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gpuodds.basics.amounts import Chips, read_amount
from gpuodds.basics.arguments import listed, shown
from gpuodds.basics.lazy import cached_property
from gpuodds.errors import InputError, excerpt
from gpuodds.short_stacks.icm import read_payouts, read_stacks

MAX_PLAYERS = 9
NAMES = ("UTG", "UTG1", "UTG2", "LJ", "HJ", "CO", "BTN", "SB", "BB")

History = tuple[int, ...]
"""The players who are all-in, ascending in order of action."""


def position_names(players: int) -> tuple[str, ...]:
    """Return the names of the positions in order of action.

    >>> position_names(2), position_names(4), position_names(8)[:3]
    (('SB', 'BB'), ('CO', 'BTN', 'SB', 'BB'), ('UTG', 'UTG1', 'LJ'))
    """
    late = min(players, len(NAMES) - 3)
    return NAMES[: players - late] + NAMES[len(NAMES) - late :]


@dataclass(frozen=True)
class Posted:
    """What a player has posted before the cards are dealt, in chips.

    Attributes:
        ante: An ante of his own, which the others match by theirs.
        dead: The big blind's ante for all, which everyone contests.
        blind: The small or the big blind.
    """

    ante: Fraction
    dead: Fraction
    blind: Fraction


@dataclass(frozen=True)
class PushFoldSpot:
    """A hand that is played all-in or fold before the flop.

    Attributes:
        stacks: Chips of 2 to 9 players before blinds and antes, in order of action: the last two post
            the small and the big blind.
        small_blind: Chips.
        big_blind: Chips.
        ante: Chips that each player posts.
        bb_ante: Chips that the big blind posts for all.
        payouts: Prizes from the first place on; empty where chips are what counts.
        bounties: Prize money on each player's head; empty for none.
        progressive: Whether half of a bounty is paid and half goes on the winner's own head.
    """

    stacks: tuple[Fraction, ...]
    small_blind: Fraction = Fraction(1, 2)
    big_blind: Fraction = Fraction(1)
    ante: Fraction = Fraction(0)
    bb_ante: Fraction = Fraction(0)
    payouts: tuple[Fraction, ...] = ()
    bounties: tuple[Fraction, ...] = ()
    progressive: bool = False

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.stacks)

    @property
    def positions(self) -> tuple[str, ...]:
        """The names of the positions in order of action."""
        return position_names(self.players)

    @property
    def unit(self) -> str:
        """The unit of all values, ``"chips"`` or ``"prize"``."""
        return "prize" if self.payouts else "chips"

    @property
    def pool(self) -> Fraction:
        """All prizes with the bounties, or all chips."""
        return sum((*self.payouts, *self.bounties) if self.payouts else self.stacks, Fraction(0))

    @cached_property
    def posted(self) -> tuple[Posted, ...]:
        """What each player posts, antes before blinds, as far as his chips go."""
        posted = []
        for player, stack in enumerate(self.stacks):
            is_big_blind = player == self.players - 1
            ante = min(self.ante, stack)
            dead = min(self.bb_ante, stack - ante) if is_big_blind else Fraction(0)
            blinds = {self.players - 2: self.small_blind, self.players - 1: self.big_blind}
            blind = min(blinds.get(player, Fraction(0)), stack - ante - dead)
            posted.append(Posted(ante, dead, blind))
        return tuple(posted)

    @cached_property
    def bets(self) -> tuple[Fraction, ...]:
        """What each player bets when all-in, without antes."""
        pairs = zip(self.stacks, self.posted, strict=True)
        return tuple(stack - posted.ante - posted.dead for stack, posted in pairs)

    @cached_property
    def forced(self) -> tuple[bool, ...]:
        """Whether blinds and antes take all of a player's chips, so that he never folds."""
        pairs = zip(self.bets, self.posted, strict=True)
        return tuple(bet == posted.blind for bet, posted in pairs)

    def has_decision(self, player: int, history: History) -> bool:
        """Return whether a player has a choice after some players went all-in.

        The last player in a hand whom all others folded to has none, nor has who is all-in by force,
        nor who has already posted as much as anyone who is, or must be, all-in, with no one left to
        act who has a choice: to go on costs him nothing.

        Args:
            player: The player, 0 for the first to act.
            history: Who went all-in before.
        """
        later_forced = [p for p in range(player + 1, self.players) if self.forced[p]]
        if self.forced[player] or not (history or player < self.players - 1):
            return False
        if len(later_forced) < self.players - 1 - player:
            return True
        against = max(self.bets[other] for other in (*history, *later_forced))
        return against > self.posted[player].blind

    def can_occur(self, player: int, history: History) -> bool:
        """Return whether a history may precede a player's turn: it has all who are all-in by force.

        Args:
            player: The player, 0 for the first to act.
            history: Who is all-in before.
        """
        return all(other in history for other in range(player) if self.forced[other])

    @cached_property
    def histories(self) -> tuple[tuple[int, History], ...]:
        """Each player with each set of players who may be all-in before him, where he has a choice."""
        listed = []
        for player in range(self.players):
            for bits in range(1 << player):
                history = tuple(other for other in range(player) if bits >> other & 1)
                if self.can_occur(player, history) and self.has_decision(player, history):
                    listed.append((player, history))
        return tuple(listed)

    def describe(self, player: int, history: History) -> str:
        """Return the name of a position with its history, such as "BB:BTN,SB"; first in "BTN".

        Args:
            player: The player, 0 for the first to act.
            history: Who is all-in before.
        """
        name = self.positions[player]
        return f"{name}:{','.join(self.positions[other] for other in history)}" if history else name

    def read_place(self, text: str) -> tuple[int, History]:
        """Return a player and a history from text such as "BB:BTN,SB".

        Args:
            text: The position with its history.

        Raises:
            InputError: There is no such position, or the history is none that can precede it.
        """
        name, _, before = text.partition(":")
        player = self.read_position(name)
        others = [self.read_position(part) for part in before.split(",")] if before.strip() else []
        history = tuple(sorted(set(others)))
        if len(history) != len(others) or (history and history[-1] >= player):
            raise InputError(
                f"position {excerpt(text)}: expected players who act before {self.positions[player]}, "
                "each once"
            )
        return player, history

    def read_position(self, text: str) -> int:
        """Return the player of a position by its name.

        Args:
            text: The name, in letters of either case.

        Raises:
            InputError: There is no such position.
        """
        name = text.strip().upper().replace("+", "").replace(" ", "")
        if name not in self.positions:
            near = difflib.get_close_matches(name, self.positions, 1, 0.4)
            hint = f"; is {near[0]} meant?" if near else ""
            raise InputError(
                f"position {excerpt(text.strip())}: expected one of {', '.join(self.positions)}{hint}"
            )
        return self.positions.index(name)


def read_spot(
    stacks: Sequence[Chips],
    *,
    blinds: Sequence[Chips] = (0.5, 1),
    ante: Chips = 0,
    bb_ante: Chips = 0,
    payouts: Sequence[Chips] | None = None,
    bounties: Sequence[Chips] | None = None,
    progressive: bool = False,
) -> PushFoldSpot:
    """Return a spot from what a caller gives.

    Raises:
        InputError: A number cannot be read, a stack or blind is not above 0, the small blind is larger
            than the big one, payouts rise or outnumber the players, or bounties come without payouts or
            are not one a player.
    """
    chips = read_stacks(stacks, MAX_PLAYERS, 2)
    given = listed("blinds", blinds, "the small and the big blind")
    if len(given) != 2:
        raise InputError(f"blinds: expected two, the small and the big one, found {len(given)}")
    small, big = (
        read_amount(f"{size} blind", blind) for size, blind in zip(("small", "big"), given, strict=True)
    )
    if big == 0:
        raise InputError(f"big blind {shown(given[1])}: expected above 0")
    if small > big:
        raise InputError(
            f"small blind {shown(given[0])}: expected {shown(given[1])} at most, the big blind"
        )
    prizes = read_payouts(payouts, len(chips)) if payouts is not None else ()
    heads: tuple[Fraction, ...] = ()
    if bounties is not None:
        if not prizes:
            raise InputError("bounties: expected with payouts, in the same money")
        each = listed("bounties", bounties, "a bounty a player")
        if len(each) != len(chips):
            raise InputError(f"bounties: expected {len(chips)}, one a player, found {len(each)}")
        heads = tuple(read_amount(f"bounty {number}", head) for number, head in enumerate(each, 1))
    elif progressive:
        raise InputError("progressive: expected with bounties")
    antes = read_amount("ante", ante), read_amount("bb_ante", bb_ante)
    return PushFoldSpot(chips, small, big, *antes, prizes, heads, progressive)
