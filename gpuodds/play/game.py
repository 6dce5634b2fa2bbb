"""Hands of no-limit hold'em, played by pokerkit's rules between bots or people.

Seats are in the order of the blinds: seat 0 has the small blind, seat 1 the big one, the last seat
the button; with two players the button, seat 1, has the small blind and seat 0 the big one. A player
sees nothing but an :class:`.Observation`: what is public, and its own cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS
from gpuodds.play.turns import CARDS_BY_STREET, Move, Observation, Played, Rules


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
    return Played(seen.street, seen.seat, move.kind, to, seen.to_call, seen.pot, seen.turn)


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
