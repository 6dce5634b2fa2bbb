"""A spot: players with hands or ranges, random opponents, board, dead cards and folded players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuodds.basics.choices import GameName
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import Cards, Hand, check_cards, read_cards
from gpuodds.spots.players import Player, read_folded, read_opponents, read_players

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.spots.ranges.range import Range


KEPT_NAMES = 2048  # of hands
FEW_COMBOS = 2000  # a row of weights for all takes less time than a list of those held
ARRAYS = frozenset(
    ("weights", "free", "all_weights", "folded_weights", "held", "held_by_folded", "held_by_all")
)
"""What a spot keeps of its ranges, and can find again: 20 KB and more of each."""


class HeldHands(NamedTuple):
    """The hands that a player may have.

    Attributes:
        cards: Shape (n, hole cards), uint8, ascending in each row.
        weights: Shape (n,), float64, above 0 and at most 1.
        numbers: Shape (n,), int64, ascending: the combos' numbers.
    """

    cards: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Spot:
    """A checked spot: no card is repeated, and the deck has cards for every player.

    Cards are numbers 4 x rank + suit, as ``gpuodds.cards`` defines them.

    Attributes:
        hands: The named players, 1 to 23 in hold'em: the card numbers of a hand or a
            :class:`gpuodds.Range` each.
        opponents: The number of further players, with random cards.
        board: The 0 to 5 cards on the board.
        dead: Cards out of play.
        game: The game, by keyword.
        folded: A hand or a range for each player who has folded: they hold cards of the deck and win
            nothing.

    Raises:
        InputError: A card is repeated or not in the game's deck, or the deck is too small.
        ImpossibleDeal: Every hand of a range has a board or dead card.

    Example:
        >>> Spot.of(["AsKs"], opponents=3).outcomes
        258861409884000
        >>> Spot.of(["QQ+", "AsKs"], board="QsJs2d").names
        ('QQ+', 'AsKs')
    """

    hands: tuple[Hand | Range, ...]
    opponents: int
    board: tuple[int, ...] = ()
    dead: tuple[int, ...] = ()
    game: Game = field(kw_only=True, repr=False)
    folded: tuple[Hand | Range, ...] = ()

    @staticmethod
    def of(
        hands: Player | Sequence[Player],
        *,
        opponents: int | None = None,
        board: Cards = "",
        dead: Cards = "",
        folded: Player | Sequence[Player] = (),
        game: GameName | Game = HOLDEM,
    ) -> Spot:
        """Return the spot of these arguments of :func:`gpuodds.equity`.

        Args:
            hands: A hand, a range, or a list of them.
            opponents: Further players with random cards. Default: 1 if there is one hand, else 0.
            board: 0 to 5 cards.
            dead: Cards out of play.
            folded: The hand or range of each player who has folded: one, or a list of them.
            game: The game, or its name.

        Raises:
            InputError: A text cannot be read, a card is repeated, or the deck is too small.
        """
        played = find_game(game)
        players = tuple(read_players(hands, played))
        opponents = read_opponents(opponents, len(players))
        out = tuple(read_folded(folded, played))
        return Spot(players, opponents, read_cards(board), read_cards(dead), out, game=played)

    def __post_init__(self) -> None:
        """Check the spot as a whole."""
        if self._is_plainly_right():
            return
        if not self.hands:
            raise InputError("no hand given: expected at least one, such as AsKs")
        self._check_players()
        check_cards(self.game, self.board, self.dead, self.known_hands, self.folded_hands)
        self._check_deck()
        if not self.is_known:
            self._check_ranges()

    def _is_plainly_right(self) -> bool:
        """Tell at once of known hands of a full deck that nothing is wrong; keep what follows for them.

        Most spots are such, and counting them takes microseconds: a check each would take as many.
        """
        hands, game = self.hands, self.game
        if self.folded or game.missing:
            return False
        cards = [*self.board, *self.dead]
        for hand in hands:
            if not isinstance(hand, tuple):
                return False
            cards += hand
        players, known = len(hands) + self.opponents, frozenset(cards)
        to_come, unseen = game.board_cards - len(self.board), DECK_SIZE - len(cards)
        if not (
            len(known) == len(cards)
            and len(hands) >= 1
            and self.opponents >= 0 <= to_come
            and 2 <= players <= game.max_players
            and to_come + game.hole_cards * self.opponents <= unseen
        ):
            return False
        vars(self).update(
            is_known=True,
            known_hands=hands,
            folded_hands=(),
            players=players,
            known=known,
            unseen=unseen,
            to_come=to_come,
            undealt=unseen - to_come,
        )
        return True

    def _check_players(self) -> None:
        named, random, most = len(self.hands), self.opponents, self.game.max_players
        if random < 0:
            raise InputError(f"opponents {random}: expected 0 to {most - 1}")
        if self.players + len(self.folded) > most:
            gone = f", {len(self.folded)} folded" if self.folded else ""
            raise InputError(
                f"{self.players + len(self.folded)} players ({named} known, {random} random{gone}): "
                f"a deck has cards for {most}"
            )
        if self.players < 2:
            raise InputError("one hand and no opponents: expected --opponents 1 or more")

    def _check_deck(self) -> None:
        ranges = sum(not isinstance(hand, tuple) for hand in (*self.hands, *self.folded))
        unnamed = self.opponents + ranges
        needed = self.to_come + self.game.hole_cards * unnamed
        if self.unseen < needed:
            who = "players" if ranges else "random opponents"
            raise InputError(
                f"{self.unseen} cards are left in the deck: {needed} are needed for the board and "
                f"{unnamed} {who}"
            )

    def _check_ranges(self) -> None:
        sizes = [*self._named_sizes, *(self._sizes(folded=True) if self.folded else ())]
        for hand, size in zip((*self.hands, *self.folded), sizes, strict=True):
            if isinstance(hand, tuple):
                continue
            if not hand:
                raise InputError(f"{hand.name}: the range has no hand of a weight above 0")
            if not size:
                raise ImpossibleDeal(
                    f"{hand.name}: every hand of the range has a card of the board or a dead card"
                )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the named players, their cards or the text of their range."""
        return tuple(map(_name, self.known_hands)) if self.is_known else _names(self.hands)

    @property
    def folded_names(self) -> tuple[str, ...]:
        """The names of the folded players' hands or ranges."""
        return _names(self.folded)

    @cached_property
    def is_known(self) -> bool:
        """Whether every named player has a hand, not a range, and no player has folded."""
        return not self.folded and all(isinstance(hand, tuple) for hand in self.hands)

    @property
    def is_dealt_in_pairs(self) -> bool:
        """Whether samples are pairs of deals, on boards that come in turn.

        Boards must be equally likely and tell nothing about hands beyond the cards they remove: every
        hand is known or random, at least one is random, and the board is not full.
        """
        return self.is_known and self.opponents > 0 and self.to_come > 0

    @cached_property
    def known_hands(self) -> tuple[Hand, ...]:
        """The hands of the named players who have a hand, not a range."""
        return tuple(hand for hand in self.hands if isinstance(hand, tuple))

    @cached_property
    def folded_hands(self) -> tuple[Hand, ...]:
        """The folded hands that are known, not a range."""
        return tuple(hand for hand in self.folded if isinstance(hand, tuple))

    @cached_property
    def players(self) -> int:
        """The number of players who can win, named and random."""
        return len(self.hands) + self.opponents

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """The cards of the full deck that are out of play, dead cards and those the game lacks."""
        return (*self.dead, *self.game.missing)

    @cached_property
    def known(self) -> frozenset[int]:
        """The cards of known hands, the board and :attr:`removed`; the deck has all others."""
        hands = (*self.known_hands, *self.folded_hands)
        return frozenset(chain(*hands, self.board, self.removed))

    @cached_property
    def unseen(self) -> int:
        """The number of cards in the deck."""
        return DECK_SIZE - len(self.known)

    @cached_property
    def to_come(self) -> int:
        """The number of board cards to come."""
        return self.game.board_cards - len(self.board)

    @cached_property
    def undealt(self) -> int:
        """The number of cards that are left for opponents once the board is full."""
        return self.unseen - self.to_come

    @cached_property
    def boards(self) -> int:
        """The number of ways to fill the board from the deck."""
        return comb(self.unseen, self.to_come)

    @cached_property
    def outcomes(self) -> int:
        """Boards times deals to the random opponents, their order ignored.

        Raises:
            InputError: A player has a range: only the answer has the number of outcomes.
        """
        if not self.is_known:
            names = ", ".join((*self.names, *self.folded_names))
            raise InputError(f"{names}: the answer has the number of outcomes of ranges")
        return self.boards * self.game.deals(self.undealt, self.opponents)

    @cached_property
    def held(self) -> tuple[HeldHands, ...]:
        """The hands of each named player, without those that have a board or dead card."""
        return tuple(self._held(hand) for hand in self.hands)

    @cached_property
    def held_by_folded(self) -> tuple[HeldHands, ...]:
        """The hands of each folded player, as :attr:`held`."""
        return tuple(self._held(hand) for hand in self.folded)

    @cached_property
    def held_by_all(self) -> tuple[HeldHands, ...]:
        """The hands of all who can win, random opponents last."""
        import numpy as np

        if not self.opponents:
            return self.held
        any_hand = self._not_out(np.arange(self.game.combos))
        return (*self.held, *[any_hand] * self.opponents)

    def _held(self, hand: Hand | Range) -> HeldHands:
        import numpy as np

        if isinstance(hand, tuple):
            number = np.array([self.game.combo_number(hand)])
            return HeldHands(np.array([sorted(hand)], np.uint8), np.ones(1), number)
        numbers = np.flatnonzero(hand.weights)
        hands_left = self._not_out(numbers)
        return hands_left._replace(weights=hand.weights[hands_left.numbers])

    def _not_out(self, numbers: npt.NDArray[np.int64]) -> HeldHands:
        """Return the combos without a board or dead card, each with the weight 1."""
        import numpy as np

        out = np.zeros(DECK_SIZE, bool)
        out[[*self.board, *self.removed]] = True
        cards = self.game.cards_of(numbers)
        left = ~out[cards].any(axis=1)
        return HeldHands(cards[left], np.ones(int(left.sum())), numbers[left])

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        """The named players' weights, shape (named, combos); 0 for combos with a board or dead card."""
        return self._weights(self.hands)

    @cached_property
    def folded_weights(self) -> npt.NDArray[np.float64]:
        """The folded players' weights, shape (folded players, combos), as :attr:`weights`."""
        return self._weights(self.folded)

    def _weights(self, hands: Sequence[Hand | Range]) -> npt.NDArray[np.float64]:
        import numpy as np

        rows = np.zeros((len(hands), self.game.combos))
        for row, hand in zip(rows, hands, strict=True):
            if isinstance(hand, tuple):
                row[self.game.combo_number(hand)] = 1.0
            else:
                np.multiply(hand.weights, self.free, out=row)
        rows.flags.writeable = False
        return rows

    @cached_property
    def free(self) -> npt.NDArray[np.bool_]:
        """Whether each combo is of the deck without board and dead cards, shape (combos,), bool."""
        free: npt.NDArray[np.bool_] = self.game.combo_masks() & self._out == 0
        return free

    @cached_property
    def _out(self) -> int:
        """The cards of the board and those out of play, a bit for each."""
        return sum([1 << card for card in (*self.board, *self.removed)])

    @cached_property
    def all_weights(self) -> npt.NDArray[np.float64]:
        """The weights of all who can win, random opponents last, shape (players, combos)."""
        if not self.opponents:
            return self.weights
        import numpy as np

        random = np.repeat(self.free[None].astype(np.float64), self.opponents, axis=0)
        return np.vstack([self.weights, random])

    @cached_property
    def sizes(self) -> list[int]:
        """How many combos each player may have, random opponents last."""
        left = DECK_SIZE - len({*self.board, *self.removed})
        return [*self._named_sizes, *[comb(left, self.game.hole_cards)] * self.opponents]

    @cached_property
    def _named_sizes(self) -> list[int]:
        return self._sizes()

    def _sizes(self, folded: bool = False) -> list[int]:
        """Count the combos that each named, or each folded, player may have."""
        if self.game.combos > FEW_COMBOS:
            hands = self.folded if folded else self.hands
            if all(self._has_every_combo(hand) for hand in hands if not isinstance(hand, tuple)):
                left = DECK_SIZE - len({*self.board, *self.removed})
                every = comb(left, self.game.hole_cards)
                return [1 if isinstance(hand, tuple) else every for hand in hands]
            return [len(held.numbers) for held in (self.held_by_folded if folded else self.held)]
        hands, out = self.folded if folded else self.hands, self._out
        return [1 if isinstance(hand, tuple) else hand.facts.size_without(out) for hand in hands]

    def _has_every_combo(self, hand: Range) -> bool:
        return hand.facts.size == self.game.dealt_combos

    @cached_property
    def has_integer_weights(self) -> bool:
        """Whether all weights are 0 or 1, so that counts are integers."""
        hands = [*self.hands, *self.folded]
        if all(isinstance(hand, tuple) or hand.facts.is_integer for hand in hands):
            return True
        return all(bool((held.weights == 1.0).all()) for held in (*self.held, *self.held_by_folded))

    @property
    def least_weights(self) -> list[float]:
        """The least weight of each named player, then of each folded one."""
        return [float(held.weights.min()) for held in (*self.held, *self.held_by_folded)]

    @cached_property
    def suit_group(self) -> list[int]:
        """The numbers of the suit renamings that keep all hands and ranges, board and dead cards."""
        from gpuodds.games.shared.symmetry import renamings_of_cards

        known = renamings_of_cards(self.board, self.removed, *self.known_hands, *self.folded_hands)
        held = (*self.hands, *self.folded)
        kept = [hand.facts.suit_group for hand in held if not isinstance(hand, tuple)]
        return [number for number in known if all(number in group for group in kept)]

    def forget(self) -> None:
        """Drop the arrays that can be computed again."""
        for name in ARRAYS:
            self.__dict__.pop(name, None)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ARRAYS}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on range texts that other programs read differently."""
        if self.is_known:
            return ()
        every = (*self.hands, *self.folded)
        notes: list[Any] = [hand.notes for hand in every if not isinstance(hand, tuple)]
        return tuple(dict.fromkeys(note for part in notes for note in part))


_name = lru_cache(KEPT_NAMES)(format_cards)


def _names(hands: Sequence[Hand | Range]) -> tuple[str, ...]:
    return tuple(_name(hand) if isinstance(hand, tuple) else hand.name for hand in hands)
