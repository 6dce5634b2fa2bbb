"""The players of a spot as callers give them: hands, ranges, lists of them, texts of whole hands."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, Union

from gpuodds.basics.arguments import as_whole, listed
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.game import Game
from gpuodds.spots.hands import Cards, Hand, number_word, read_hand, read_text, split_hands

if TYPE_CHECKING:
    from gpuodds.spots.ranges.range import Range

Player = Union[Cards, Mapping[str, float], "Range"]
"""A player, as a hand in text or cards, a range as text, weights or :class:`gpuodds.Range`."""
Players: TypeAlias = "Player | Sequence[Player]"
"""A player, or several."""


def read_players(
    hands: Player | Sequence[Player], game: Game, name: str = "hands"
) -> list[Hand | Range]:
    """Return each player's hand or range.

    Args:
        hands: A player, a list of players, or a text of whole hands (``"AsKs QhQd"``).
        game: The game.
        name: The argument's name, for the error.

    Raises:
        InputError: A hand has a wrong number of cards, or a range cannot be read or is of another game.
    """
    players: list[Hand | Range] = []
    for hand in list_players(hands, game, name):
        if isinstance(hand, str):
            read = read_text(hand, game)
            if isinstance(read, tuple):
                players.append(read)
                continue
        else:
            read = hand
        if isinstance(read, (str, Mapping)):
            from gpuodds.spots.ranges.range import Range

            players.append(Range(read, game=game))
        elif _is_range(read):
            if read.game is not game:
                raise InputError(f"{excerpt(read.name)}: a range of {read.game.name}, not {game.name}")
            players.append(read)
        else:
            players.append(read_hand(read, game))
    if not players:
        raise InputError("no hand given: expected at least one, such as AsKs")
    return players


def read_folded(folded: Player | Sequence[Player] | None, game: Game) -> list[Hand | Range]:
    """Return the hand or range of each folded player, of none for None, an empty list or text.

    Raises:
        InputError: As :func:`read_players`.
    """
    if folded is None or (isinstance(folded, (tuple, str, Sequence)) and not folded):
        return []
    return read_players(folded, game, "folded")


def read_known_hands(hands: Cards | Sequence[Cards], game: Game) -> tuple[Hand, ...]:
    """Return each player's hand, where ranges are not allowed.

    Raises:
        InputError: As :func:`read_players`, or a player has a range.
    """
    known = []
    for hand in read_players(hands, game):
        if not isinstance(hand, tuple):
            number = number_word(game.hole_cards)
            raise InputError(f"{excerpt(hand.name)}: expected a hand of {number} named cards")
        known.append(hand)
    return tuple(known)


def list_players(hands: Any, game: Game, name: str = "hands") -> list[Any]:
    """Return the players of an argument: one player, a list of players, or a text of whole hands."""
    if isinstance(hands, str):
        return split_hands(hands, game) or [hands]
    if isinstance(hands, (list, tuple)):
        players = [*hands]
    elif _is_range(hands) or isinstance(hands, Mapping):
        return [hands]
    else:
        players = listed(name, hands, "a hand, a range, or a list of them")
    if players and _is_number(players[0]) and all(_is_number(player) for player in players):
        return [players]  # a list of cards: the hand of a single player
    return players


def read_opponents(opponents: Any, players: int) -> int:
    """Return the number of random opponents.

    Args:
        opponents: The number; None for the default, 1 for a single player, else 0.
        players: The number of named players.

    Raises:
        InputError: ``opponents`` is not a whole number.
    """
    if opponents is None:
        return 1 if players == 1 else 0
    return as_whole("opponents", opponents)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not getattr(value, "ndim", 0)


def _is_range(player: object) -> TypeGuard[Range]:
    # Look the module up instead of importing it: ranges need NumPy, known hands do not.
    # While another thread imports it, the module may be without the class, and nobody has a range.
    kind = getattr(sys.modules.get("gpuodds.spots.ranges.range"), "Range", None)
    return kind is not None and isinstance(player, kind)


def next_cards(
    game: Game, board: Sequence[int], dead: Sequence[int], players: Sequence[Hand | Range]
) -> list[int]:
    """Return the cards that may come next on a board, aces first.

    Args:
        game: The game.
        board: The cards on the board.
        dead: Cards out of play.
        players: All hands and ranges; the cards of hands cannot come.

    Raises:
        InputError: The board is full.
    """
    if len(board) >= game.board_cards:
        raise InputError(f"board {format_cards(board)}: no card is to come")
    hole_cards = (card for hand in players if isinstance(hand, tuple) for card in hand)
    known = {*board, *dead, *hole_cards, *game.missing}
    return [card for card in range(DECK_SIZE - 1, -1, -1) if card not in known]
