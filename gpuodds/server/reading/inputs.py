"""The input of a request that an error is about, so that a page can show the error there.

The library reads a request as a whole. Where it refuses one, its parts are read again one by one: the
first that is refused for the same reason is at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.server.problems import InputErrorAt
from gpuodds.spots.hands import Hand, check_cards, read_cards
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.players import read_players
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

Player = Hand | Range
T = TypeVar("T")
Given = TypeVar("Given")


@dataclass(frozen=True)
class Inputs:
    """The texts of a request, by the names of its inputs."""

    hands: dict[str, str]
    board: str = ""
    dead: str = ""
    folded: dict[str, str] = field(default_factory=dict)


def numbered(name: str, texts: Sequence[str]) -> dict[str, str]:
    """Return the texts of a list by name: ``hands.0``, ``hands.1``, ..."""
    return {f"{name}.{place}": text for place, text in enumerate(texts)}


def read_game(name: str) -> Game:
    """Return a game.

    Raises:
        InputErrorAt: There is no such game.
    """
    return read_input("game", find_game, name)


def read_input(name: str, read: Callable[[Given], T], given: Given) -> T:
    """Return what a function reads from one input.

    Raises:
        InputErrorAt: The function has raised InputError.
    """
    try:
        return read(given)
    except InputError as error:
        raise InputErrorAt(str(error), name) from None


@contextmanager
def located(inputs: Inputs, game: Game) -> Iterator[None]:
    """Add the input at fault to an error that is raised in the block, unless several are.

    Raises:
        InputErrorAt: The block has raised InputError, and one input is at fault.
    """
    try:
        yield
    except InputErrorAt:
        raise
    except InputError as error:
        place = _Search(inputs, game, str(error)).find()
        if place is None:
            raise
        raise InputErrorAt(str(error), place) from None


class _Search:
    """The search for the input that is refused with a message."""

    def __init__(self, inputs: Inputs, game: Game, message: str) -> None:
        self._inputs, self._game, self._message = inputs, game, message
        self._players: dict[str, Player] = {}
        self._cards: dict[str, tuple[int, ...]] = {}

    def find(self) -> str | None:
        """Return the name of the input; None if each alone is fine."""
        return self._unread() or self._with_wrong_cards() or self._without_a_hand()

    def _is_refused(self, read: Callable[..., object], *arguments: object) -> bool:
        """Return whether a function refuses its arguments with the message."""
        try:
            read(*arguments)
        except InputError as error:
            return str(error) == self._message
        return False

    def _unread(self) -> str | None:
        """Return the first text that cannot be read; keep what the others are."""
        inputs = self._inputs
        for name, text in (inputs.hands | inputs.folded).items():
            if self._is_refused(self._read_player, name, text):
                return name
        for name, text in (("board", inputs.board), ("dead", inputs.dead)):
            if self._is_refused(self._read_cards, name, text):
                return name
        return None

    def _read_player(self, name: str, text: str) -> None:
        (self._players[name],) = read_players([text], self._game)

    def _read_cards(self, name: str, text: str) -> None:
        self._cards[name] = read_cards(text)

    def _with_wrong_cards(self) -> str | None:
        """Return the first input with too many cards, a card of no deck, or one of an input before."""
        known = {name: hand for name, hand in self._players.items() if isinstance(hand, tuple)}
        cards = self._cards.get("board", ()), self._cards.get("dead", ())
        hands = [hand for name, hand in known.items() if name in self._inputs.hands]
        folded = [hand for name, hand in known.items() if name in self._inputs.folded]
        is_repeated = self._is_refused(check_cards, self._game, *cards, hands, folded)
        seen: set[int] = set()
        for name, input_cards in (known | dict(zip(("board", "dead"), cards, strict=True))).items():
            alone = (input_cards, ()) if name == "board" else ((), input_cards)
            if self._is_refused(check_cards, self._game, *alone) or (
                is_repeated and seen & {*input_cards}
            ):
                return name
            seen |= {*input_cards}
        return None

    def _without_a_hand(self) -> str | None:
        """Return the first range of which board, dead cards and known hands leave no hand."""
        for name, player in self._players.items():
            if self._is_refused(self._hold, player):
                return name
        hands = tuple(self._players[name] for name in self._inputs.hands if name in self._players)
        for name in self._inputs.folded:
            if name in self._players and self._is_refused(self._fold, hands, self._players[name]):
                return name
        return None

    def _hold(self, player: Player) -> None:
        cards = self._cards.get("board", ()), self._cards.get("dead", ())
        Spot((player,), 1, *cards, game=self._game)

    def _fold(self, hands: tuple[Player, ...], folded: Player) -> None:
        cards = self._cards.get("board", ()), self._cards.get("dead", ())
        normal_form(Spot(hands, int(len(hands) == 1), *cards, (folded,), game=self._game))
