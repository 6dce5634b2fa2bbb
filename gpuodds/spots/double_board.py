"""A spot with two boards, each for half of the pot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuodds.basics.choices import GameName
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE, format_card, format_cards
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import Cards, Hand, check_cards, read_cards
from gpuodds.spots.players import Players, read_players
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.spots.ranges.range import Range

MAX_HANDS = 6


@dataclass(frozen=True)
class DoubleBoardSpot:
    """A checked spot with two boards: no card is repeated, and the deck has cards for both.

    Attributes:
        hands: Two to six hands, the card numbers of each; or two players, one or both with a range.
        boards: The 0 to 5 cards on each board.
        dead: Cards out of play.
        game: The game, by keyword.

    Raises:
        InputError: A card is repeated, the players are too few or too many, or the game has low hands.
        ImpossibleDeal: Every hand of a range has a known card.

    Example:
        >>> DoubleBoardSpot.of(["AsKs", "QhQd"], board="2s7d9h", board2="KcTd3c").to_come
        (2, 2)
    """

    hands: tuple[Hand | Range, ...]
    boards: tuple[tuple[int, ...], tuple[int, ...]]
    dead: tuple[int, ...] = ()
    game: Game = field(kw_only=True, repr=False)

    @staticmethod
    def of(
        hands: Players,
        *,
        board: Cards = "",
        board2: Cards = "",
        dead: Cards = "",
        game: GameName | Game = HOLDEM,
    ) -> DoubleBoardSpot:
        """Return the spot of these arguments of :func:`gpuodds.double_board`.

        Args:
            hands: Two to six hands, or two players of whom one or both have a range.
            board: The cards on the first board.
            board2: The cards on the second board.
            dead: Cards out of play.
            game: The game, or its name.

        Raises:
            InputError: A text cannot be read, or the spot makes no sense.
        """
        played = find_game(game)
        boards = read_cards(board), read_cards(board2)
        return DoubleBoardSpot(
            tuple(read_players(hands, played)), boards, read_cards(dead), game=played
        )

    def __post_init__(self) -> None:
        """Check the spot as a whole."""
        if self.game.has_low:
            raise InputError(
                f"game {self.game.name}: two boards are counted where the best high hand takes a "
                "board's half; expected a game without low hands"
            )
        players = len(self.hands)
        if not 2 <= players <= MAX_HANDS:
            raise InputError(f"two boards: expected 2 to {MAX_HANDS} hands, found {players}")
        if players > 2 and not self.is_known:
            raise InputError(f"two boards: expected two players where one has a range, found {players}")
        for board in self.boards:
            check_cards(self.game, board, ())
        self._check_second_board()
        hands_left = sum(not isinstance(hand, tuple) for hand in self.hands) * self.game.hole_cards
        needed, left = sum(self.to_come) + hands_left, self.single[0].unseen
        if left < needed:  # the spots of the boards have checked hands, ranges, dead cards and boards
            raise InputError(f"two boards: {needed} cards are to be dealt, {left} are left")

    def _check_second_board(self) -> None:
        """Refuse cards of the second board that are elsewhere, too."""
        places = [("on both boards", self.boards[0]), ("on the second board and dead", self.dead)]
        for hand in self.hands:
            if isinstance(hand, tuple):
                places.append((f"in {format_cards(hand)} and on the second board", hand))
        for place, cards in places:
            if twice := {*cards} & {*self.boards[1]}:
                raise InputError(f"{format_card(min(twice))}: {place}")

    @cached_property
    def single(self) -> tuple[Spot, Spot]:
        """The spot of each board alone, the other one's cards being dead."""
        first, second = self.boards
        return (
            Spot(self.hands, 0, first, (*self.dead, *second), game=self.game),
            Spot(self.hands, 0, second, (*self.dead, *first), game=self.game),
        )

    @property
    def is_known(self) -> bool:
        """Whether every player has a hand, not a range."""
        return all(isinstance(hand, tuple) for hand in self.hands)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, their cards or the text of their range."""
        return self.single[0].names

    @property
    def to_come(self) -> tuple[int, int]:
        """How many cards are to come on each board."""
        first, second = (self.game.board_cards - len(board) for board in self.boards)
        return first, second

    def deck(self, hands: Sequence[int] = ()) -> tuple[int, ...]:
        """Return the cards that are left, ascending.

        Args:
            hands: The cards of the players' hands.
        """
        known = {*hands, *self.boards[0], *self.boards[1], *self.dead, *self.game.missing}
        return tuple(card for card in range(DECK_SIZE) if card not in known)
