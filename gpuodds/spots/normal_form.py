"""The normal form of a spot: one spot for all spellings of a question.

``AsKs random`` and ``AsKs`` against one opponent are the same question; so are AA against three random
opponents and, six times, AcAd against them; so is a range of which the board leaves one hand. The
normal form says it in the way that is cheapest to count:

* a seat with one hand left has that hand; a folded one makes its cards dead;
* a seat with any two cards is a random opponent; a folded one is left out, because cards of a player
  who folds anything are like cards that stay in the deck;
* weights that are all the same are a factor;
* a range whose hands differ only by suits that nothing else names is one of these hands.

Each step multiplies or divides all counts by a number, :attr:`NormalForm.factor`, and leaves every
equity as it is. :mod:`gpuodds.results.restored` turns the answer into one for the seats asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

from gpuodds.basics.frozen import frozen
from gpuodds.basics.lazy import cached_property
from gpuodds.basics.present import present
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import ImpossibleDeal
from gpuodds.spots.hands import Hand, number_word
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gpuodds.spots.ranges.range import Range

MAX_ALIKE = 24  # hands that are alike: the renamings of four suits


@dataclass(frozen=True)
class NormalForm:
    """A spot in its normal form.

    Attributes:
        asked: The spot that was asked.
        spot: The spot to count.
        places: For each named player asked, the place among the named players of ``spot``; None for a
            random opponent of it. Seats with any cards may share a place: their figures are the same.
        random: Which of the named players asked may hold any cards, by place.
        factor: What all counts of ``spot`` are multiplied by; an integer unless weights are fractions.
        reasons: What was done, a line each.
    """

    asked: Spot
    spot: Spot
    places: tuple[int | None, ...]
    random: tuple[int, ...] = ()
    factor: Any = 1
    reasons: tuple[str, ...] = ()

    @cached_property
    def is_symmetric(self) -> bool:
        """Whether all who can win are in the same position, so that each has the same equity."""
        if len(self.random) == len(self.places):
            return True
        spot = self.spot
        if spot.opponents or self.random or any(isinstance(hand, tuple) for hand in spot.hands):
            return False
        first, *others = spot.hands
        if all(other is first for other in others):
            return True
        return len({*spot.sizes}) == 1 and _are_equal(spot)


class _Kind(NamedTuple):
    """What a player's cards come to in a spot.

    Attributes:
        name: ``"hand"`` for a known hand, ``"left"`` for a range of which one hand is left, ``"any"``
            for all hands with one weight, else ``"range"``.
        hand: The hand, if there is one.
        weight: The weight of the hand or hands; 1 for a range.
    """

    name: str
    hand: Hand | None = None
    weight: Any = 1


_RANGE = _Kind("range")


Keep = Literal["none", "one", "all"]


def normal_form(spot: Spot, *, keep: Keep = "none", by_hand: bool = False) -> NormalForm:
    """Return the normal form of a spot.

    Args:
        spot: The spot.
        keep: Which of the named players with any cards stay named players, so that an answer has
            counts for them. One does in any case if all named players are such. With ``"all"``
            ranges stay what they are, too, as samples need them.
        by_hand: Whether the equity of each hand of every range is wanted. Hands that are alike for
            themselves are not for the hands of another range.

    Raises:
        ImpossibleDeal: The cards that are known leave a player no hand.

    Example:
        >>> spot = Spot.of(["AsKs", "random", "AhAd,AhAc"], dead="Ac", folded=["2c2d"])
        >>> form = normal_form(spot)
        >>> form.spot.names, form.spot.opponents, sorted(form.spot.dead), form.places
        (('AsKs', 'AhAd'), 1, [0, 1, 48], (0, None, 1))
        >>> alike = normal_form(Spot.of("AKs", opponents=3))
        >>> alike.spot.names, alike.factor
        (('AsKs',), 4)
    """
    if spot.is_known or _is_plain(spot):
        return unchanged(spot)
    return _Reduction(spot).form(keep, by_hand)


def unchanged(spot: Spot) -> NormalForm:
    """Return a spot as it is, in place of its normal form."""
    return frozen(
        NormalForm,
        asked=spot,
        spot=spot,
        places=tuple(range(len(spot.hands))),
        random=(),
        factor=1,
        reasons=(),
    )


def _is_plain(spot: Spot) -> bool:
    """Tell quickly of several ranges whether there is nothing to do; False if that is not sure."""
    if spot.folded or spot.known_hands or len(spot.hands) == 1 or not spot.has_integer_weights:
        return False
    left = comb(DECK_SIZE - len({*spot.board, *spot.removed}), spot.game.hole_cards)
    return all(1 < size < left for size in spot.sizes[: len(spot.hands)])


class _Reduction:
    """The steps from a spot to its normal form."""

    def __init__(self, spot: Spot) -> None:
        self._asked, self._game = spot, spot.game
        self._hands: list[Hand | Range] = list(spot.hands)
        self._folded: list[Hand | Range] = list(spot.folded)
        self._dead = spot.dead
        self._factor: Any = 1
        self._reasons: list[str] = []

    def form(self, keep: Keep, by_hand: bool) -> NormalForm:
        """Return the normal form."""
        kinds, folded = self._take_hands_out()
        random = [place for place, kind in enumerate(kinds) if kind.name == "any"]
        ranges = [place for place, kind in enumerate(kinds) if kind.name == "range"]
        if keep == "all":
            ranges, random = [*ranges, *random], []
        kept = random[:1] if keep == "one" or len(random) == len(kinds) else []
        self._take_folded_out(folded, len(random) + len(ranges))
        for place in random:
            self._factor *= kinds[place].weight
        if keep != "all":
            if len(ranges) == 1 and not self._folded and not (by_hand and kept):
                self._take_one_of_alike(ranges[0])
            for place in ranges:
                self._drop_weight(place)
        return self._build(random, kept)

    def _take_hands_out(self) -> tuple[list[_Kind], list[_Kind]]:
        """Replace ranges of one hand until there is none; return what players have left."""
        dead_hands = 0
        while True:
            known = self._known()
            kinds = [self._kind(hand, known) for hand in self._hands]
            folded = [self._kind(hand, known, is_folded=True) for hand in self._folded]
            left = [(place, kind) for place, kind in enumerate(kinds) if kind.name == "left"]
            for place, kind in left:
                self._hands[place] = hand = present(kind.hand)
                self._factor *= kind.weight
                name = _name(self._asked.hands[place])
                self._reasons.append(f"{name}: one hand is left, {format_cards(hand)}")
            gone = [kind for kind in folded if kind.hand is not None]
            for kind in gone:
                self._dead += present(kind.hand)
                self._factor *= kind.weight
            self._folded = [
                hand for hand, kind in zip(self._folded, folded, strict=True) if kind.hand is None
            ]
            dead_hands += len(gone)
            self._refuse_repeats()
            if not (left or gone):
                break
        if dead_hands:
            self._reasons.append("folded players with one hand: their cards are dead cards")
        return kinds, folded

    def _refuse_repeats(self) -> None:
        hole_cards = [card for hand in self._hands if isinstance(hand, tuple) for card in hand]
        cards = [*hole_cards, *self._dead, *self._asked.board]
        if len({*cards}) < len(cards):
            raise ImpossibleDeal

    def _known(self) -> frozenset[int]:
        """Return the cards that no range can have."""
        hands = (*self._hands, *self._folded)
        hole_cards = (card for hand in hands if isinstance(hand, tuple) for card in hand)
        return frozenset([*hole_cards, *self._asked.board, *self._dead, *self._game.missing])

    def _kind(self, hand: Hand | Range, known: frozenset[int], *, is_folded: bool = False) -> _Kind:
        """Return what a player's hand or range comes to."""
        if isinstance(hand, tuple):
            return _Kind("hand", hand)
        if hand.facts.size == self._game.dealt_combos and hand.facts.only_weight is not None:
            return _Kind("any", None, _as_count(hand.facts.only_weight))
        left = comb(DECK_SIZE - len(known), self._game.hole_cards)
        if hand.facts.size < left and hand.facts.size - (self._game.combos - left) > 1:
            return _RANGE  # too few hands to be all, too many to be one
        numbers = self._numbers_left(hand, known)
        if not len(numbers):
            if not is_folded:
                raise ImpossibleDeal
            raise ImpossibleDeal(
                f"{hand.name}: every hand of the folded range has a card that is known"
            )
        weights = hand.weights[numbers]
        if len(numbers) == 1:
            (cards,) = self._game.cards_of(numbers).tolist()
            return _Kind("left", tuple(cards[::-1]), _as_count(weights[0]))
        if len(numbers) == left and bool((weights == weights[0]).all()):
            return _Kind("any", None, _as_count(weights[0]))
        return _RANGE

    def _numbers_left(self, hand: Range, known: frozenset[int]) -> npt.NDArray[np.int64]:
        """Return the numbers of a range's combos that have no known card."""
        import numpy as np

        numbers = np.flatnonzero(hand.weights)
        out = np.zeros(DECK_SIZE, bool)
        out[[*known]] = True
        left: npt.NDArray[np.int64] = numbers[~out[self._game.cards_of(numbers)].any(axis=1)]
        return left

    def _take_folded_out(self, kinds: Sequence[_Kind], live: int) -> None:
        """Leave out folded players with any cards, who multiply the ways to deal.

        Args:
            kinds: What the folded players have.
            live: The number of named players with ranges or any cards.
        """
        size = self._game.hole_cards
        anything = [kind for kind in kinds if kind.name == "any"]
        kept = [hand for hand, kind in zip(self._folded, kinds, strict=True) if kind.name != "any"]
        num_holding = self._asked.opponents + live + len(kept)
        left = DECK_SIZE - len(self._known()) - self._asked.to_come - size * num_holding
        for number, kind in enumerate(anything):
            self._factor *= kind.weight * comb(max(left - size * number, 0), size)
        self._folded = kept
        if not self._factor:
            raise ImpossibleDeal
        if anything:
            cards = number_word(size)
            self._reasons.append(f"folded players with any {cards} cards: they change no equity")

    def _take_one_of_alike(self, place: int) -> None:
        """Replace a range whose hands are alike, against hands and random players, by one hand."""
        hand = cast("Range", self._hands[place])
        known = self._known()
        gone = self._game.combos - comb(DECK_SIZE - len(known), self._game.hole_cards)
        if hand.facts.size - gone > MAX_ALIKE:
            return
        numbers = self._numbers_left(hand, known)
        weights = hand.weights[numbers]
        if len(numbers) > MAX_ALIKE or not bool((weights == weights[0]).all()):
            return
        from gpuodds.games.shared.combos import SUIT_NAMES
        from gpuodds.games.shared.symmetry import renamings_of_cards

        known_hands = [other for other in self._hands if isinstance(other, tuple)]
        removed = (*self._dead, *self._game.missing)
        cards = self._game.cards_of(numbers[-1:])[0].tolist()
        images = {
            self._game.combo_number([card & ~3 | int(SUIT_NAMES[renaming, card & 3]) for card in cards])
            for renaming in renamings_of_cards(self._asked.board, removed, *known_hands)
        }
        if images == {*numbers.tolist()}:
            least = tuple(cards[::-1])
            self._hands[place] = least
            self._factor *= len(numbers) * _as_count(weights[0])
            many = f"{len(numbers)} hands that are alike are counted as one, {format_cards(least)}"
            self._reasons.append(f"{hand.name}: {many}")

    def _drop_weight(self, place: int) -> None:
        """Replace a range whose weights are all the same, but not 1, by one with the weight 1."""
        hand = self._hands[place]
        if isinstance(hand, tuple) or hand.facts.is_integer or hand.facts.only_weight is None:
            return
        from gpuodds.spots.ranges.range import Range

        self._hands[place] = Range.of((hand.weights > 0).astype(float), game=self._game)
        self._factor *= hand.facts.only_weight
        self._reasons.append(f"{hand.name}: one weight for all hands is a factor")

    def _build(self, random: Sequence[int], kept: Sequence[int]) -> NormalForm:
        """Return the form, with random opponents for the seats with any cards that are not kept."""
        asked = self._asked
        named = [place for place in range(len(self._hands)) if place not in random or place in kept]
        where: dict[int, int | None] = {place: number for number, place in enumerate(named)}
        where |= {place: where[kept[0]] if kept else None for place in random}
        for place in kept:
            self._hands[place] = self._every_hand(place)
        hands = tuple(self._hands[place] for place in named)
        opponents, folded = asked.opponents + len(random) - len(kept), tuple(self._folded)
        spot = asked
        is_changed = any(new is not old for new, old in zip(hands, asked.hands, strict=False))
        if is_changed or (opponents, self._dead, folded) != (asked.opponents, asked.dead, asked.folded):
            spot = replace(asked, hands=hands, opponents=opponents, dead=self._dead, folded=folded)
        if len(random) > len(kept):
            cards, seats = number_word(self._game.hole_cards), len(random) - len(kept)
            who = f"{seats} seat{'s hold' if seats > 1 else ' holds'}"
            self._reasons.append(f"{who} any {cards} cards, as random opponents do")
        places = tuple(where[place] for place in range(len(asked.hands)))
        return NormalForm(asked, spot, places, tuple(random), self._factor, tuple(self._reasons))

    def _every_hand(self, place: int) -> Range:
        """Return the range of a seat with any cards, with the weight 1."""
        from gpuodds.spots.ranges.range import Range

        hand = cast("Range", self._hands[place])
        return hand if hand.facts.is_integer else Range("random", game=self._game)


def _are_equal(spot: Spot) -> bool:
    """Return whether all named players have the same hands with the same weights."""
    import numpy as np

    first, *others = spot.held
    return all(
        np.array_equal(first.numbers, other.numbers) and np.array_equal(first.weights, other.weights)
        for other in others
    )


def _as_count(weight: Any) -> Any:
    """Return a weight as a factor of counts, a weight of 1 as an integer, so that they stay such."""
    return 1 if weight == 1.0 else float(weight)


def _name(hand: Hand | Range) -> str:
    return format_cards(hand) if isinstance(hand, tuple) else hand.name
