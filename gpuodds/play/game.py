"""Hands of no-limit hold'em, played by pokerkit's rules between bots or people.

Seats are in the order of the blinds: seat 0 has the small blind, seat 1 the big one, the last seat
the button; with two players the button, seat 1, has the small blind and seat 0 the big one. A player
sees an :class:`Observation`: what is public, and the own cards. Nothing else ever reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol

from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError

Kind = Literal["fold", "call", "raise"]
MOST_SEATS = 10
BOARD_CARDS = (0, 3, 4, 5)  # on each street


@dataclass(frozen=True)
class Rules:
    """What a hand is played for: chips of the blinds and antes, and the stacks, seat by seat."""

    seats: int = 2
    small_blind: int = 50
    big_blind: int = 100
    ante: int = 0
    stack: int = 20_000

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 2 <= self.seats <= MOST_SEATS:
            raise InputError(f"seats {self.seats}: expected 2 to {MOST_SEATS}")
        if not 0 < self.small_blind <= self.big_blind:
            raise InputError(f"blinds {self.small_blind}/{self.big_blind}: expected 0 < small <= big")
        if self.ante < 0 or self.stack <= 0:
            raise InputError(f"ante {self.ante}, stack {self.stack}: expected chips")


@dataclass(frozen=True)
class Move:
    """What a player does: "fold", "call" (or check), or "raise" (or bet) ``to`` so many chips.

    ``to`` is the player's whole bet of the street.
    """

    kind: Kind
    to: int = 0


@dataclass(frozen=True)
class Played:
    """A move that was made, with what was in the middle before it."""

    street: int
    seat: int
    kind: Kind
    to: int
    to_call: int
    pot: int


@dataclass(frozen=True)
class Observation:
    """What a player knows at a turn.

    ``pot`` holds all chips in the middle, bets of this street included; ``bets`` are those, by seat.
    ``stacks`` are what is left. ``least`` and ``most`` are the raises that can be made, as whole bets
    of the street; both are 0 where none can. ``playing`` says who has not folded.
    """

    seat: int
    rules: Rules
    hand: tuple[int, int]
    board: tuple[int, ...]
    street: int
    pot: int
    bets: tuple[int, ...]
    stacks: tuple[int, ...]
    to_call: int
    least: int
    most: int
    playing: tuple[bool, ...]
    moves: tuple[Played, ...]

    @property
    def opponents(self) -> int:
        """How many others have not folded."""
        return sum(self.playing) - 1

    @property
    def winnable(self) -> int:
        """The pot, without what others bet beyond all the chips that the player has."""
        reach = self.bets[self.seat] + self.stacks[self.seat]
        return self.pot - sum(max(bet - reach, 0) for bet in self.bets)

    def raise_to(self, chips: float) -> Move:
        """Return the raise nearest to a whole bet of so many chips; a call where none can be made."""
        if not self.most:
            return Move("call")
        return Move("raise", min(max(int(chips), self.least), self.most))

    def raise_by_pot(self, share: float) -> Move:
        """Return a raise by a share of the pot as it is after a call."""
        after = self.pot + self.to_call
        return self.raise_to(self.bets[self.seat] + self.to_call + share * after)


@dataclass(frozen=True)
class Deal:
    """All cards of a hand: two for each seat, and five for the board."""

    hands: tuple[tuple[int, int], ...]
    board: tuple[int, ...]

    @classmethod
    def drawn(cls, seats: int, draw: Random) -> Deal:
        """Draw the cards of a hand."""
        cards = draw.sample(range(DECK_SIZE), 2 * seats + 5)
        hands = tuple((cards[2 * seat], cards[2 * seat + 1]) for seat in range(seats))
        return cls(hands, tuple(cards[2 * seats :]))


@dataclass(frozen=True)
class Ended:
    """How a hand ended, as everybody sees it: ``shown`` has the cards of those who had to show them."""

    rules: Rules
    seat: int
    hand: tuple[int, int]
    board: tuple[int, ...]
    moves: tuple[Played, ...]
    shown: dict[int, tuple[int, int]]
    won: tuple[int, ...]


@dataclass
class HandResult:
    """A hand that was played: what each seat won or lost, the moves, and its history."""

    won: tuple[int, ...]
    moves: tuple[Played, ...] = ()
    shown: dict[int, tuple[int, int]] = field(default_factory=dict)
    history: Any = None


class Player(Protocol):
    """A bot or a person. Constants of a bot are its fields; it keeps what it learns to itself."""

    def act(self, seen: Observation) -> Move:
        """Decide at a turn."""

    def end(self, hand: Ended) -> None:
        """Learn how a hand ended."""


def play_hand(
    players: Sequence[Player], rules: Rules, deal: Deal, *, stacks: Sequence[int] | None = None
) -> HandResult:
    """Play a hand to its end.

    A move that the rules do not allow becomes the nearest one that they do: a fold where nothing is to
    call is a check, a raise is kept within its bounds.

    Raises:
        InputError: pokerkit is not installed, or the stacks do not fit.
    """
    game, state = begin(rules, [format_cards(hand) for hand in deal.hands], stacks)
    moves: list[Played] = []
    while deal_street(state, deal.board) and state.status:
        seat = state.actor_index
        seen = observe(state, rules, deal.hands[seat], deal.board, tuple(moves))
        moves.append(make(state, seen, allowed(players[seat].act(seen), seen)))
    won = tuple(int(chips) for chips in state.payoffs)
    shown = _shown(state, deal)
    board = deal.board[: _dealt(state)]
    for seat, player in enumerate(players):
        player.end(Ended(rules, seat, deal.hands[seat], board, tuple(moves), shown, won))
    return HandResult(won, tuple(moves), shown, _history(game, state))


def _pokerkit() -> Any:
    try:
        import pokerkit
    except ImportError:
        raise InputError("play: pokerkit is not installed: pip install 'gpuodds[play]'") from None
    return pokerkit


def begin(rules: Rules, hands: Sequence[str], stacks: Sequence[int] | None = None) -> tuple[Any, Any]:
    """Begin a hand by pokerkit: its game, and a state with the cards dealt; ???? is not known.

    Raises:
        InputError: pokerkit is not installed, or the stacks do not fit.
    """
    kit = _pokerkit()
    automation = kit.Automation
    game = kit.NoLimitTexasHoldem(
        (
            automation.ANTE_POSTING,
            automation.BET_COLLECTION,
            automation.BLIND_OR_STRADDLE_POSTING,
            automation.HOLE_CARDS_SHOWING_OR_MUCKING,
            automation.HAND_KILLING,
            automation.RUNOUT_COUNT_SELECTION,
            automation.CHIPS_PUSHING,
            automation.CHIPS_PULLING,
        ),
        True,
        rules.ante,
        (rules.small_blind, rules.big_blind),
        rules.big_blind,
        mode=kit.Mode.CASH_GAME,
    )
    has = [rules.stack] * rules.seats if stacks is None else list(stacks)
    if len(has) != rules.seats or any(chips <= 0 for chips in has):
        raise InputError(f"stacks {has}: expected chips for each of {rules.seats} seats")
    state = game(has, rules.seats)
    for hand in hands:
        state.deal_hole(hand)
    return game, state


def deal_street(state: Any, board: Sequence[int]) -> bool:
    """Deal what is due of a board; return False if it does not go so far, and no player can act."""
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")  # a card that no player sees
        elif state.can_deal_board():
            due = BOARD_CARDS[state.street_index]
            if due > len(board):
                return False
            state.deal_board(format_cards(board[_dealt(state) : due]))
        else:
            return state.actor_index is not None
    return True


def make(state: Any, seen: Observation, move: Move) -> Played:
    """Make a move that the rules allow; return it as it will be remembered."""
    to = move.to if move.kind == "raise" else seen.bets[seen.seat] + seen.to_call
    if move.kind == "fold":
        state.fold()
    elif move.kind == "call":
        state.check_or_call()
    else:
        state.complete_bet_or_raise_to(move.to)
    return Played(seen.street, seen.seat, move.kind, to, seen.to_call, seen.pot)


def _dealt(state: Any) -> int:
    return sum(len(cards) for cards in state.board_cards)


def observe(
    state: Any,
    rules: Rules,
    hand: tuple[int, int],
    board: Sequence[int],
    moves: tuple[Played, ...],
) -> Observation:
    """Return what the player whose turn it is knows: the cards it holds, and what is public."""
    least = state.min_completion_betting_or_raising_to_amount
    most = state.max_completion_betting_or_raising_to_amount
    return Observation(
        seat=state.actor_index,
        rules=rules,
        hand=hand,
        board=tuple(board[: _dealt(state)]),
        street=state.street_index,
        pot=int(state.total_pot_amount),
        bets=tuple(int(bet) for bet in state.bets),
        stacks=tuple(int(stack) for stack in state.stacks),
        to_call=int(state.checking_or_calling_amount or 0),
        least=int(least or 0) if most else 0,
        most=int(most or 0),
        playing=tuple(bool(status) for status in state.statuses),
        moves=moves,
    )


def allowed(move: Move, seen: Observation) -> Move:
    """Return the move, or the nearest one that the rules allow."""
    if move.kind == "raise":
        return seen.raise_to(move.to)
    if move.kind == "fold" and not seen.to_call:
        return Move("call")
    return move


def _shown(state: Any, deal: Deal) -> dict[int, tuple[int, int]]:
    """Return the hands that were laid open at the showdown."""
    kit = _pokerkit()
    found = {}
    for operation in state.operations:
        if isinstance(operation, kit.HoleCardsShowingOrMucking) and operation.hole_cards:
            found[operation.player_index] = deal.hands[operation.player_index]
    return found


def _history(game: Any, state: Any) -> Any:
    return _pokerkit().HandHistory.from_game_state(game, state)
