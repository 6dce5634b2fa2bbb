"""Hands of no-limit hold'em, played by pokerkit's rules between bots or people.

Seats are in the order of the blinds: seat 0 has the small blind, seat 1 the big one, the last seat
the button; with two players the button, seat 1, has the small blind and seat 0 the big one. A player
sees nothing but an :class:`Observation`: what is public, and its own cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol

from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

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
    """

    street: int
    seat: int
    kind: Kind
    to: int
    to_call: int
    pot: int


@dataclass(frozen=True)
class Observation:
    """What a player knows at a turn.

    Attributes:
        seat: The player's seat.
        rules: Blinds and stacks.
        hand: The player's cards.
        board: The cards on the board.
        street: 0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        pot: All chips in the middle, bets of this street included.
        bets: The bets of this street, by seat.
        stacks: The chips left, by seat.
        to_call: The chips that a call takes.
        min_raise: The smallest raise, as a whole bet of the street; 0 if no raise is possible.
        max_raise: The largest one; likewise.
        playing: By seat, whether the player has not folded.
        moves: All moves of the hand so far.
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
    min_raise: int
    max_raise: int
    playing: tuple[bool, ...]
    moves: tuple[Played, ...]

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
class Deal:
    """All cards of a hand.

    Attributes:
        hands: Two card numbers for each seat.
        board: The five card numbers of the board.

    Example:
        >>> from random import Random
        >>> deal = Deal.drawn(2, Random(1))
        >>> len(deal.hands), len(deal.board)
        (2, 5)
    """

    hands: tuple[tuple[int, int], ...]
    board: tuple[int, ...]

    @classmethod
    def drawn(cls, seats: int, draw: Random) -> Deal:
        """Return a deal with drawn cards.

        Args:
            seats: The number of players.
            draw: The source of the cards.
        """
        num_hole = HOLE_CARDS * seats
        cards = draw.sample(range(DECK_SIZE), num_hole + BOARD_CARDS)
        hands = tuple(zip(cards[:num_hole:2], cards[1:num_hole:2], strict=True))
        return cls(hands, tuple(cards[num_hole:]))


@dataclass(frozen=True)
class Ended:
    """How a hand ended, as a player sees it.

    Attributes:
        rules: Blinds and stacks.
        seat: The player's seat.
        hand: The player's cards.
        board: The cards on the board.
        moves: All moves.
        shown: By seat, the cards that were shown.
        won: By seat, the chips won; negative if lost.
    """

    rules: Rules
    seat: int
    hand: tuple[int, int]
    board: tuple[int, ...]
    moves: tuple[Played, ...]
    shown: dict[int, tuple[int, int]]
    won: tuple[int, ...]


@dataclass
class HandResult:
    """A hand that was played.

    Attributes:
        won: By seat, the chips won; negative if lost.
        moves: All moves.
        shown: By seat, the cards that were shown.
        history: The hand as a pokerkit history.
    """

    won: tuple[int, ...]
    moves: tuple[Played, ...] = ()
    shown: dict[int, tuple[int, int]] = field(default_factory=dict)
    history: Any = None


class Player(Protocol):
    """A bot or a person.

    A class of your own plays by its name, ``gpuodds play match bot.py:PotOdds tight``. Its constructor
    takes nothing or the source of the bot's draws, a ``random.Random``; if it has a parameter
    ``equities``, too, it gets :class:`gpuodds.play.ServerEquities` or those of this process. The
    method ``end`` may be missing.

    Example:
        >>> class Cautious:
        ...     def act(self, seen):
        ...         return Move("fold" if seen.to_call > seen.pot / 3 else "call")
        >>> from gpuodds.play import play_match
        >>> result = play_match([Cautious, "all-in"], hands=100, seed=1)
        >>> result.chips(0)
        -20000
    """

    def act(self, seen: Observation) -> Move:
        """Return the move at a turn.

        Args:
            seen: What the player knows.
        """
        ...

    def end(self, hand: Ended) -> None:
        """Learn how a hand ended.

        Args:
            hand: What the player knows of it.
        """
        ...


def play_hand(
    players: Sequence[Player], rules: Rules, deal: Deal, *, stacks: Sequence[int] | None = None
) -> HandResult:
    """Play a hand to its end.

    A move that the rules forbid becomes the nearest one that they allow: a fold with nothing to call
    is a check, a raise is clipped to its bounds.

    Args:
        players: The players, by seat.
        rules: Blinds and stacks.
        deal: All cards.
        stacks: The chips of each seat. Default: ``rules.stack`` for all.

    Returns:
        The chips that each seat won, the moves, the cards shown and the history of the hand.

    Raises:
        InputError: pokerkit is not installed, or the stacks are not one per seat and above 0.

    Example:
        >>> from random import Random
        >>> from gpuodds.play.bots import AllIn, Caller
        >>> draw = Random(1)
        >>> result = play_hand([Caller(draw), AllIn(draw)], Rules(), Deal.drawn(2, draw))
        >>> sorted(result.won), [move.kind for move in result.moves]
        ([-20000, 20000], ['raise', 'call'])
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
    """Begin a hand.

    Args:
        rules: Blinds and stacks.
        hands: The cards of each seat as text; ???? is unknown.
        stacks: The chips of each seat. Default: ``rules.stack`` for all.

    Returns:
        pokerkit's game, and its state with the hands dealt.

    Raises:
        InputError: pokerkit is not installed, or the stacks are not one per seat and above 0.
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
    """Deal the board up to the current street; return whether a player can act.

    It returns False, too, if the board has too few cards for the street.
    """
    while state.status:
        if state.can_burn_card():
            state.burn_card("??")  # no player sees it
        elif state.can_deal_board():
            due = CARDS_BY_STREET[state.street_index]
            if due > len(board):
                return False
            state.deal_board(format_cards(board[_dealt(state) : due]))
        else:
            return state.actor_index is not None
    return True


def make(state: Any, seen: Observation, move: Move) -> Played:
    """Make an allowed move; return its record."""
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
    """Return what the player in turn knows: its ``hand``, and what is public."""
    min_raise = state.min_completion_betting_or_raising_to_amount
    max_raise = state.max_completion_betting_or_raising_to_amount
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
        min_raise=int(min_raise or 0) if max_raise else 0,
        max_raise=int(max_raise or 0),
        playing=tuple(bool(status) for status in state.statuses),
        moves=moves,
    )


def allowed(move: Move, seen: Observation) -> Move:
    """Return the move if the rules allow it, else the nearest allowed one."""
    if move.kind == "raise":
        return seen.raise_to(move.to)
    if move.kind == "fold" and not seen.to_call:
        return Move("call")
    return move


def _shown(state: Any, deal: Deal) -> dict[int, tuple[int, int]]:
    """Return the hands that were shown, by seat."""
    kit = _pokerkit()
    shown = {}
    for operation in state.operations:
        if isinstance(operation, kit.HoleCardsShowingOrMucking) and operation.hole_cards:
            shown[operation.player_index] = deal.hands[operation.player_index]
    return shown


def _history(game: Any, state: Any) -> Any:
    history = _pokerkit().HandHistory.from_game_state(game, state)
    history.ante_trimming_status = True  # as the game above
    return history
