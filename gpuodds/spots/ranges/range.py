"""Ranges: a weight for each combo of a game, read from and written as text."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.arguments import as_number, listed, one_of, shown
from gpuodds.basics.choices import GameName
from gpuodds.cards import DECK_SIZE, format_card, format_cards
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.spots.hands import Cards, is_no_range, read_cards, read_hand
from gpuodds.spots.hints import hinted
from gpuodds.spots.notation.by_game import notation_of
from gpuodds.spots.notation.holdem.writing import DIALECTS as DIALECTS
from gpuodds.spots.notation.notation import ClassRow, Notation
from gpuodds.spots.ranges.facts import RangeFacts
from gpuodds.spots.ranges.names import NamedRange, find_named
from gpuodds.spots.ranges.rankings import EQUITY, Ranking, find_ranking
from gpuodds.spots.ranges.views import range_grid, range_html, range_object

Floats = npt.NDArray[np.float64]

KEPT_TEXTS, MAX_KEPT_TEXT = 256, 4096  # texts that are kept with their ranges, and their length
KEPT_WIDE_TEXTS, MAX_KEPT_COMBOS = 8, 500_000  # the same of ranges of more combos, 2 MB each in Omaha


class Range:
    """A range of hands of a game: a weight of 0 to 1 for each combo, of which hold'em has 1,326.

    Ranges are immutable, hashable, and equal if their games and weights are. A percentage means the
    fewest best starting hands that make up at least that share of all combos. ``a | b`` has the larger
    weight of each combo, ``a & b`` the smaller, ``a - b`` the combos of a that b lacks, ``~a`` one
    minus each weight; both ranges must be of one game. See ``gpuodds range --help`` for the syntax.

    Args:
        text: Text, a name such as ``"UTG"``, a list of texts or hands, weights by text, or a range.
        ranking: The order of hands for percentages; see :func:`gpuodds.register_ranking`.
        game: The game, or its name. Default: that of ``text`` if it is a range, else hold'em.

    Attributes:
        game: The game.
        weights: Shape (combos,), float64, 0 to 1, read-only. Combos are numbered by
            :meth:`gpuodds.games.Game.combo_number`. In short deck they are those of the full deck;
            combos with a card that is not in the deck have the weight 0.
        notes: Lines on items of the text that other programs, or readers, read differently.
        facts: What follows from the weights, for gpuodds' own use.

    Raises:
        InputError: The text is not a range; the message names the place, and what was expected.

    Example:
        >>> Range("QQ+,AK:0.5").weight
        26.0
        >>> str(Range("AK,AQs,QQ,AA,KK"))
        'QQ+,AK,AQs'
        >>> Range(["AA", "KK"]) == Range({"AA": 1, "KK": 1.0}) == Range("KK+")
        True
        >>> Range("76s+").notes
        ('76s+ is read as 76s alone; some solvers and charts mean 76s-AKs: write 76s or 76s-AKs',)
        >>> Range("AA:$ds,KKQQ", game="omaha").weight
        900.0
        >>> str(Range("UTG/9"))
        '77+,AJ+,KQ,ATs,A5s-A4s,KJs-KTs,QTs+,JTs'
    """

    __slots__ = ("_text", "facts", "game", "notes", "weights")
    game: Game
    weights: Floats
    facts: RangeFacts
    notes: tuple[str, ...]
    _text: str

    def __init__(
        self,
        text: str | Iterable[Any] | Mapping[Any, float] | Range,
        *,
        ranking: str = EQUITY,
        game: GameName | Game | None = None,
    ) -> None:
        """Read a range."""
        if isinstance(text, Range):
            played = text.game if game is None else find_game(game)
            find_ranking(ranking, played)
            if played is not text.game:
                raise InputError(f"{text.game.name}: this range is of another game than {played.name}")
            self._hold(text.facts, text._text, text.notes)
            return
        played = HOLDEM if game is None else find_game(game)
        order = find_ranking(ranking, played)
        name = written = text if isinstance(text, str) else _written(text, notation_of(played))
        if isinstance(text, Mapping):
            name = ""
        facts, notes = _read_text_or_name(written, played, order)
        for note in notes:
            logging.getLogger("gpuodds").info("%s", note)
        self._hold(facts, name, notes)

    @classmethod
    def of(cls, weights: Any, *, game: GameName | Game = HOLDEM) -> Range:
        """Return the range of the weights of all combos.

        Args:
            weights: Numbers 0 to 1, shape (combos,), (1326,) in hold'em, in the order of
                :meth:`gpuodds.games.Game.combo_number`. They are copied.
            game: The game, or its name.

        Raises:
            InputError: There are not as many weights as combos, one is not 0 to 1, or one is of a hand
                that the game's deck does not have.
        """
        played = find_game(game)
        try:
            array = np.array(weights, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"weights: expected {played.combos:,} numbers") from None
        if array.shape != (played.combos,):
            wanted = f"({played.combos},)"
            raise InputError(f"weights: expected the shape {wanted}, found {array.shape}")
        wrong = ~((array >= 0) & (array <= 1))
        if wrong.any():
            raise InputError(f"weights: expected 0 to 1, found {array[wrong][0]}")
        if played.missing and array[_with_a_card(played, played.missing)].any():
            card = format_card(played.missing[-1])
            raise InputError(f"weights: expected 0 for hands with cards up to {card} in {played.name}")
        # + 0.0 turns -0.0 into 0.0: equal ranges have equal bytes
        return cls._make(RangeFacts(array + 0.0, played))

    @classmethod
    def of_combos(
        cls, combos: Iterable[Cards], weight: float = 1.0, *, game: GameName | Game = HOLDEM
    ) -> Range:
        """Return the range of some combos, all with one weight.

        Args:
            combos: Combos of two cards each, in Omaha four, five or six, as text or as numbers.
            weight: 0 to 1.
            game: The game, or its name.

        Raises:
            InputError: A combo has a wrong number of cards or repeats one, or the weight is not 0 to 1.

        Example:
            >>> Range.of_combos(["AsKh", (0, 1)])
            Range('AsKh,2d2c')
            >>> Range.of_combos(["AsKhQd2c"], game="omaha")
            Range('AsKhQd2c', game='omaha')
        """
        played = find_game(game)
        weights = np.zeros(played.combos)
        weight = as_number("weight", weight)
        for combo in listed("combos", combos, "a list of hands"):
            weights[played.combo_number(_read_combo(combo, played))] = weight
        return cls.of(weights, game=played)

    @classmethod
    def _make(cls, facts: RangeFacts, text: str = "", notes: tuple[str, ...] = ()) -> Range:
        made = cls.__new__(cls)
        made._hold(facts, text, notes)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Range._make, (self.facts, self._text, self.notes)

    def _hold(self, facts: RangeFacts, text: str, notes: tuple[str, ...]) -> None:
        facts.weights.flags.writeable = False
        object.__setattr__(self, "game", facts.game)
        object.__setattr__(self, "weights", facts.weights)
        object.__setattr__(self, "facts", facts)
        object.__setattr__(self, "notes", notes)
        object.__setattr__(self, "_text", " ".join(text.split()))

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a range does not change."""
        raise AttributeError(f"a range does not change: {name}")

    @property
    def name(self) -> str:
        """The text that the range was read from, else :meth:`to_string`."""
        return self._text or str(self)

    @property
    def weight(self) -> float:
        """The sum of the weights, at most the number of combos of the game's deck."""
        return self.facts.total

    @property
    def num_combos(self) -> int:
        """The number of combos with a weight above 0."""
        return self.facts.size

    @property
    def percent(self) -> float:
        """The sum of the weights in percent of the combos of the game's deck."""
        return self.facts.percent

    @property
    def dialects(self) -> tuple[str, ...]:
        """The dialects of :meth:`to_string`, ``plain`` first."""
        return notation_of(self.game).dialects

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Range)
            and self.game is other.game
            and np.array_equal(self.weights, other.weights)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.weights.tobytes()))

    def __bool__(self) -> bool:
        return self.facts.total > 0

    def __len__(self) -> int:
        """Return the number of combos with a weight above 0."""
        return self.facts.size

    def __iter__(self) -> Iterator[str]:
        """Return an iterator over the combos with a weight above 0, as text, the highest cards first.

        Example:
            >>> list(Range("AA,KK:0.5"))[:7]
            ['AsAh', 'AsAd', 'AsAc', 'AhAd', 'AhAc', 'AdAc', 'KsKh']
        """
        numbers = np.flatnonzero(self.weights)[::-1]
        return (format_cards(cards[::-1]) for cards in self.game.cards_of(numbers).tolist())

    def __contains__(self, hand: object) -> bool:
        """Return whether all combos of a hand or a range are in this one, with a weight above 0.

        Args:
            hand: Cards (``"AsKs"``, or numbers), or a range (``"AKs"``) of the same game.

        Raises:
            InputError: It cannot be read.

        Example:
            >>> "AsKs" in Range("AK"), "AKs" in Range("AK"), "AQ" in Range("AK")
            (True, True, False)
        """
        other: Any = hand
        if isinstance(hand, str):
            other = Range(hand, game=self.game)
        elif not isinstance(hand, Range):
            other = Range.of_combos([other], game=self.game)
        self._refuse_another_game(other)
        return bool(other) and not (other.weights > 0)[self.weights == 0].any()

    def __or__(self, other: Range) -> Range:
        """Return the range with the larger weight of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        self._refuse_another_game(other)
        return Range.of(np.maximum(self.weights, other.weights), game=self.game)

    def __and__(self, other: Range) -> Range:
        """Return the range with the smaller weight of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        self._refuse_another_game(other)
        return Range.of(np.minimum(self.weights, other.weights), game=self.game)

    def __sub__(self, other: Range) -> Range:
        """Return the range without the combos of the other."""
        if not isinstance(other, Range):
            return NotImplemented
        self._refuse_another_game(other)
        return Range.of(np.where(other.weights > 0, 0.0, self.weights), game=self.game)

    def __invert__(self) -> Range:
        """Return the range with one minus each weight."""
        weights = 1.0 - self.weights
        if self.game.missing:
            weights[_with_a_card(self.game, self.game.missing)] = 0.0
        return Range.of(weights, game=self.game)

    def _refuse_another_game(self, other: Range) -> None:
        if self.game is not other.game:
            raise InputError(f"{self.game.name} and {other.game.name}: ranges of different games")

    def without(self, cards: Cards) -> Range:
        """Return the range without the combos that have one of some cards.

        Args:
            cards: The cards, as text or numbers.

        Raises:
            InputError: The cards cannot be read.

        Example:
            >>> Range("AA").without("As").weight
            3.0
        """
        held = _with_a_card(self.game, read_cards(cards))
        return Range.of(np.where(held, 0.0, self.weights), game=self.game)

    def grid(self) -> Floats:
        """Return the mean weight of each starting hand of two cards.

        Returns:
            Shape (13, 13), float64, 0 to 1, aces first; pairs are on the diagonal, suited hands above,
            offsuit hands below.

        Raises:
            InputError: The game is Omaha.
        """
        return range_grid(self.game, self.weights)

    def by_class(self) -> list[ClassRow]:
        """Return the starting hands of the range, or in Omaha its rank classes with suit patterns.

        Example:
            >>> [(row.ranks, row.suits, row.combos, row.mean) for row in Range("AA,AKs:0.5").by_class()]
            [('AA', '', 6, 1.0), ('AK', 's', 4, 0.5)]
            >>> Range("AAAA,AAAK:$ss", game="omaha").by_class()[1]
            ClassRow(ranks='AAAK', suits='ss', combos=12, weight=12.0)
        """
        return notation_of(self.game).by_class(self.weights)

    def to_string(self, dialect: str = "plain") -> str:
        """Return text that reads back as an equal range.

        A range without hands is ``0%``, or a hand of weight 0 in the dialects without percentages.

        Args:
            dialect: ``"plain"``, ``"pio"`` or ``"gto+"``; in Omaha ``"plain"`` alone.

        Raises:
            InputError: The dialect is unknown.

        Example:
            >>> Range("AK@50 QQ+").to_string("gto+")
            'QQ+,[50.0]AK[/50.0]'
        """
        notation = notation_of(self.game)
        return notation.write(self.weights, one_of("dialect", dialect, notation.dialects))

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        game = "" if self.game is HOLDEM else f", game={self.game.name!r}"
        return f"Range({self.to_string()!r}{game})"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.range/1``."""
        return range_object(self.facts, self.notes)

    def _repr_html_(self) -> str:
        return range_html(self.facts)


def _read_facts(text: str, game: Game, ranking: Ranking) -> tuple[RangeFacts, tuple[str, ...]]:
    """Return a text's range and notes."""
    weights, notes = notation_of(game).parse(text, ranking.order, ranking.by_equity)
    return RangeFacts(weights, game), notes


def _read_text_or_name(text: str, game: Game, ranking: Ranking) -> tuple[RangeFacts, tuple[str, ...]]:
    """Return the range and notes of a text, or of the text that it names."""
    named = find_named(text, game) if is_no_range(text, game) else None
    try:
        return _read(text if named is None else named.text, game, ranking, named)
    except InputError as error:
        named = named or find_named(text, game)
        if named is not None:
            return _read(named.text, game, ranking, named)
        raise hinted(error, text, game) from None


def _read(
    text: str, game: Game, ranking: Ranking, named: NamedRange | None
) -> tuple[RangeFacts, tuple[str, ...]]:
    if len(text) > MAX_KEPT_TEXT or game.combos > MAX_KEPT_COMBOS:
        facts, notes = _read_facts(text, game, ranking)
    else:
        read = _read_text if game.combos <= HOLDEM.combos else _read_wide_text
        facts, notes = read(text, game, ranking)
    return facts, notes if named is None else (named.note, *notes)


_read_text = lru_cache(KEPT_TEXTS)(_read_facts)
_read_wide_text = lru_cache(KEPT_WIDE_TEXTS)(_read_facts)


def _with_a_card(game: Game, cards: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Return which combos have one of some cards, shape (combos,)."""
    wanted = np.zeros(DECK_SIZE, bool)
    wanted[list(cards)] = True
    has_a_card = np.zeros(game.combos, bool)
    for column in game.combo_cards().T:
        has_a_card |= wanted[column]
    return has_a_card


def _read_combo(combo: Cards, game: Game) -> tuple[int, ...]:
    """Return the cards of a hand of a game."""
    if game.family == HOLDEM_FAMILY:
        cards: tuple[int, ...] = read_hand(combo, game)
    else:
        cards = read_cards(combo)
        if len(cards) != game.hole_cards or len(set(cards)) < len(cards):
            wanted = f"a hand of {game.name} has {game.hole_cards} different cards"
            raise InputError(f"hand {format_cards(cards)}: {wanted}")
    for card in cards:
        if card in game.missing:
            raise InputError(f"{format_card(card)}: this card is not in the deck of {game.name}")
    return cards


def _written(hands: Any, notation: Notation) -> str:
    """Return the range text of a list of hands, or of weights by hand."""
    parts = []
    for hand in listed("range", hands, "a text, a list of hands, or weights by hand"):
        if isinstance(hand, str):
            notation.refuse_several_hands(hand)
            part = hand
        elif isinstance(hand, Sequence) and len(hand) == notation.game.hole_cards:
            part = format_cards(read_cards(hand))
        else:
            number = {2: "two", 4: "four", 5: "five", 6: "six"}[notation.game.hole_cards]
            raise InputError(
                f"range: {shown(hand)}: expected a hand as text or as {number} cards; for weights of "
                "all combos, gpuodds.Range.of"
            )
        if isinstance(hands, Mapping):
            weight = as_number(f"range: {part}: weight", hands[hand])
            if not 0 <= weight <= 1:
                raise InputError(f"range: {shown(part)}: weight {weight}: expected 0 to 1")
            part = notation.item(part, weight)
        parts.append(part)
    return ",".join(parts)
