"""Straight five-card poker for two: antes, five cards each, one round of bets, no draw.

Both ante five dollars. Hands are dealt from one deck, ten cards each time, until fewer than ten are
left; then it is shuffled. The first to act changes from hand to hand. A player folds, calls (or
checks), or raises, at most by what the other can match. Cards are shown unless a player folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, TypeAlias

from gpuodds.cards import DECK_SIZE
from gpuodds.games.five_card import HAND_CARDS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.hand_names import hand_name
from gpuodds.methods.hands.evaluate import rank_hand

ANTE, STAKE = 5, 100
DEALT = 2 * HAND_CARDS


Figure: TypeAlias = float | str | None
"""A number or word of a player's explanation; None where it is not known."""


@dataclass(frozen=True)
class View:
    """What a player knows at a turn: nothing of the other's cards.

    Attributes:
        hand: The player's cards.
        seen: The cards that the player has held or been shown since the last shuffle.
        pot: All bets, in dollars.
        bet: The player's part of the pot.
        to_call: What a call adds.
        most: The largest raise.
        money: What the player has left.
    """

    hand: tuple[int, ...]
    seen: frozenset[int]
    pot: int
    bet: int
    to_call: int
    most: int
    money: int

    @property
    def legal_raises(self) -> list[int]:
        """The raises of the fixed sizes, 5 and 10, that can be made."""
        return [size for size in (5, 10) if size <= self.most]


@dataclass(frozen=True)
class Turn:
    """An action: "fold", "call" (or check), or "raise" by an amount beyond the call."""

    action: str
    amount: int = 0


@dataclass(frozen=True)
class Showdown:
    """How a hand ended, from one player's side. ``shown`` is the other's hand, if it was shown."""

    won: int
    hand: tuple[int, ...]
    shown: tuple[int, ...] | None


class Bettor(Protocol):
    """A player of straight poker."""

    def act(self, view: View) -> Turn:
        """Decide at a turn."""
        ...

    def watch(self, turn: Turn, view: View) -> None:
        """Learn what the other did; the view is the other's, without cards."""
        ...

    def end(self, showdown: Showdown) -> None:
        """Learn how the hand ended."""
        ...


@dataclass
class Result:
    """A hand that was played: what the first player won, and the turns, by player."""

    won: int
    turns: list[tuple[int, Turn]] = field(default_factory=list)
    shown: bool = False


class Shoe:
    """A deck that is dealt from until fewer than ten cards are left."""

    def __init__(self, draw: Random) -> None:
        """Shuffle by ``draw``."""
        self._draw = draw
        self._left: list[int] = []
        self.shuffled = False

    def deal(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Deal two hands; shuffle first, and set ``shuffled``, if too few cards are left."""
        self.shuffled = len(self._left) < DEALT
        if self.shuffled:
            self._left = list(range(DECK_SIZE))
            self._draw.shuffle(self._left)
        cards = [self._left.pop() for _ in range(DEALT)]
        return tuple(sorted(cards[:HAND_CARDS])), tuple(sorted(cards[HAND_CARDS:]))


class Table:
    """Two players at a table, and what each has seen."""

    def __init__(self, players: Sequence[Bettor]) -> None:
        """Seat two players."""
        self.players = players
        self.seen: list[set[int]] = [set(), set()]

    def play(
        self,
        hands: Sequence[tuple[int, ...]],
        first: int,
        *,
        money: Sequence[int] = (STAKE, STAKE),
        shuffled: bool = False,
    ) -> Result:
        """Play a hand and return it, with what player 0 won.

        Args:
            hands: Five cards for each player.
            first: Who acts first, 0 or 1.
            money: What each player has, at least the ante.
            shuffled: Whether the deck was shuffled before.
        """
        if shuffled:
            self.seen = [set(), set()]
        for player in range(2):
            self.seen[player] |= set(hands[player])
        bets, result = [ANTE, ANTE], Result(0)
        acting, acted = first, 0
        while acted < 2 or bets[0] != bets[1]:
            view = self._view(hands, bets, money, acting)
            turn = self.players[acting].act(view)
            _check(turn, view)
            result.turns.append((acting, turn))
            self.players[1 - acting].watch(turn, _blind(view))
            if turn.action == "fold":
                return self._end(result, hands, acting, -bets[acting], shown=False)
            bets[acting] += view.to_call + turn.amount
            acted += 1
            acting = 1 - acting
        ranks = [rank_hand(hand, HOLDEM) for hand in hands]
        won = bets[0] * ((ranks[0] > ranks[1]) - (ranks[0] < ranks[1]))
        return self._end(result, hands, 0, won, shown=True)

    def _view(
        self, hands: Sequence[tuple[int, ...]], bets: list[int], money: Sequence[int], player: int
    ) -> View:
        other = 1 - player
        to_call = max(bets) - bets[player]
        left = money[player] - bets[player]
        most = max(0, min(left - to_call, money[other] - max(bets)))
        seen = frozenset(self.seen[player])
        return View(hands[player], seen, sum(bets), bets[player], to_call, most, left)

    def _end(
        self, result: Result, hands: Sequence[tuple[int, ...]], player: int, won: int, *, shown: bool
    ) -> Result:
        for seat, sign in ((player, 1), (1 - player, -1)):
            other = hands[1 - seat] if shown else None
            if shown:
                self.seen[seat] |= set(hands[1 - seat])
            self.players[seat].end(Showdown(sign * won, hands[seat], other))
        result.won, result.shown = (won if player == 0 else -won), shown
        return result


class ExplainingBettor(Bettor, Protocol):
    """A player who can say why."""

    @property
    def explanation(self) -> Mapping[str, Figure]:
        """The figures of the last decision, by name."""
        ...


class RandomBettor:
    """Takes every legal action with the same chance."""

    def __init__(self, draw: Random) -> None:
        """Draw by ``draw``."""
        self._draw = draw
        self.explanation: dict[str, Figure] = {}

    def act(self, view: View) -> Turn:
        """Fold to a bet, call or raise, at random."""
        actions = [Turn("call"), *(Turn("raise", size) for size in view.legal_raises)]
        if view.to_call:
            actions.append(Turn("fold"))
        return self._draw.choice(actions)

    def watch(self, turn: Turn, view: View) -> None:
        """Learn nothing."""

    def end(self, showdown: Showdown) -> None:
        """Learn nothing."""


def describe(hand: tuple[int, ...]) -> str:
    """Return a hand's name.

    >>> from gpuodds.cards import parse_cards
    >>> describe(parse_cards("KsKh7d4c2c"))
    'pair of kings, seven four two kickers'
    """
    return hand_name(rank_hand(hand, HOLDEM))


def _check(turn: Turn, view: View) -> None:
    wrong = turn.action not in ("fold", "call", "raise")
    if wrong or (turn.action == "raise") != (0 < turn.amount <= view.most):
        raise ValueError(f"{turn}: cannot be done where a raise is {view.most} at most")


def _blind(view: View) -> View:
    return View((), frozenset(), view.pot, view.bet, view.to_call, view.most, view.money)
