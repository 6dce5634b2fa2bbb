"""Ranges: a weight for each of the 1,326 combos, read from and written as text."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.arguments import as_number, listed, one_of, shown
from gpuodds.cards import format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.combos import COMBOS, combo_cards, combo_index
from gpuodds.games.holdem.equity_order import equity_order
from gpuodds.games.holdem.grid_html import grid_html
from gpuodds.games.holdem.starting_hands import mean_by_starting_hand, starting_hands, to_grid
from gpuodds.spots.hands import Cards, read_cards, read_hand, refuse_several_hands
from gpuodds.spots.range_facts import RangeFacts
from gpuodds.spots.range_text import parse_range
from gpuodds.spots.range_writing import write_weights

Floats = npt.NDArray[np.float64]

DIALECTS = ("plain", "pio", "gto+")
EQUITY = "equity"

KEPT_TEXTS, MAX_KEPT_TEXT = 256, 4096  # texts that are kept with their ranges, and their length

_rankings: dict[str, tuple[str, ...]] = {}


def register_ranking(name: str, hands: Sequence[str]) -> None:
    """Register an order of the 169 starting hands by which percentages choose the best hands.

    Args:
        name: The name of the ranking. Registering a name again replaces its order.
        hands: The 169 starting hands (``"AA"``, ``"AKs"``, ``"AKo"``), best first.

    Raises:
        InputError: ``hands`` is not the 169 starting hands, each once, or the name is empty or
            ``equity``, the built-in ranking.

    Example:
        >>> register_ranking("worst first", equity_ranking()[::-1])
        >>> Range("0.9%", ranking="worst first")
        Range('32o')
    """
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"ranking {shown(name)}: expected a name")
    if name == EQUITY:
        raise InputError(f"ranking {EQUITY}: this ranking is built in; expected another name")
    order = listed("ranking", hands, "the 169 starting hands, each once")
    if len(order) != 169 or set(map(str, order)) != set(starting_hands()):
        raise InputError(f"ranking {excerpt(name)}: expected the 169 starting hands, each once")
    _rankings[name] = tuple(map(str, order))


def _find_ranking(name: str) -> tuple[str, ...]:
    if isinstance(name, str) and name == EQUITY:
        return equity_ranking()
    return _rankings[one_of("ranking", name, sorted({*_rankings, EQUITY}))]


def equity_ranking() -> tuple[str, ...]:
    """Return the starting hands by exact equity against one random hand, best first."""
    return equity_order()


class Range:
    """A range of hands: a weight of 0 to 1 for each of the 1,326 combos.

    Ranges are immutable, hashable, and equal if their weights are. A percentage means the fewest best
    starting hands that make up at least that share of all combos. ``a | b`` has the larger weight of
    each combo, ``a & b`` the smaller, ``a - b`` the combos of a that b lacks, ``~a`` one minus each
    weight.

    Args:
        text: Text in any dialect of :mod:`gpuodds.spots.range_text`; a list of such texts or of two
            cards each; a mapping from such texts to weights of 0 to 1; or a range.
        ranking: The order of hands for percentages; see :func:`register_ranking`.

    Attributes:
        weights: Shape (1326,), float64, 0 to 1, read-only. Combos are numbered by
            :func:`gpuodds.games.holdem.combos.combo_index`.
        notes: A line for each item of the text that other programs read differently.
        facts: What follows from the weights, found once.

    Raises:
        InputError: The text is not a range; the message names the place, and what was expected.

    Example:
        >>> Range("QQ+,AK:0.5").combos
        26.0
        >>> str(Range("AK,AQs,QQ,AA,KK"))
        'QQ+,AK,AQs'
        >>> Range(["AA", "KK"]) == Range({"AA": 1, "KK": 1.0}) == Range("KK+")
        True
        >>> Range("76s+").notes
        ('76s+ is read as 76s alone; some solvers and charts mean 76s-AKs: write 76s or 76s-AKs',)
    """

    __slots__ = ("_text", "facts", "notes", "weights")
    weights: Floats
    facts: RangeFacts
    notes: tuple[str, ...]
    _text: str

    def __init__(
        self, text: str | Iterable[Any] | Mapping[Any, float] | Range, *, ranking: str = EQUITY
    ) -> None:
        """Read a range."""
        order = _find_ranking(ranking)
        if isinstance(text, Range):
            self._hold(text.facts, text._text, text.notes)
            return
        name = written = text if isinstance(text, str) else _written(text)
        if isinstance(text, Mapping):
            name = ""
        read = _read_text if len(written) <= MAX_KEPT_TEXT else _read_text.__wrapped__
        facts, notes = read(written, order)
        for note in notes:
            logging.getLogger("gpuodds").info("%s", note)
        self._hold(facts, name, notes)

    @classmethod
    def of(cls, weights: Any) -> Range:
        """Return the range of 1,326 weights.

        Args:
            weights: Numbers 0 to 1, shape (1326,), in the order of
                :func:`gpuodds.games.holdem.combos.combo_index`. They are copied.

        Raises:
            InputError: There are not 1,326 weights, or one is not 0 to 1.
        """
        try:
            array = np.array(weights, np.float64)
        except (TypeError, ValueError):
            raise InputError("weights: expected 1,326 numbers") from None
        if array.shape != (COMBOS,):
            raise InputError(f"weights: expected the shape (1326,), found {array.shape}")
        wrong = ~((array >= 0) & (array <= 1))
        if wrong.any():
            raise InputError(f"weights: expected 0 to 1, found {array[wrong][0]}")
        return cls._make(array + 0.0, "")  # + 0.0 turns -0.0 into 0.0: equal ranges have equal bytes

    @classmethod
    def of_combos(cls, combos: Iterable[Cards], weight: float = 1.0) -> Range:
        """Return the range of some combos, all with one weight.

        Args:
            combos: Combos of two cards each, as text or as numbers.
            weight: 0 to 1.

        Raises:
            InputError: A combo is not two different cards, or the weight is not 0 to 1.

        Example:
            >>> Range.of_combos(["AsKh", (0, 1)])
            Range('AsKh,2d2c')
        """
        weights = np.zeros(COMBOS)
        weight = as_number("weight", weight)
        for combo in listed("combos", combos, "a list of hands of two cards"):
            weights[combo_index(*read_hand(combo))] = weight
        return cls.of(weights)

    @classmethod
    def of_holdings(cls, holdings: Iterable[Cards], weight: float = 1.0) -> Range:
        """Return the range of some combos: the old name of :meth:`of_combos`."""
        warnings.warn("Range.of_holdings is now Range.of_combos", DeprecationWarning, stacklevel=2)
        return cls.of_combos(holdings, weight)

    @classmethod
    def _make(cls, weights: Floats, text: str, notes: tuple[str, ...] = ()) -> Range:
        made = cls.__new__(cls)
        made._hold(RangeFacts(weights), text, notes)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Range._make, (self.weights, self._text, self.notes)

    def _hold(self, facts: RangeFacts, text: str, notes: tuple[str, ...]) -> None:
        facts.weights.flags.writeable = False
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
    def combos(self) -> float:
        """The sum of the weights, 0 to 1326."""
        return self.facts.total

    @property
    def holdings(self) -> int:
        """The number of combos with a weight above 0."""
        return int(np.count_nonzero(self.weights))

    @property
    def percent(self) -> float:
        """The sum of the weights in percent of 1,326."""
        return 100 * self.combos / COMBOS

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Range) and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash(self.weights.tobytes())

    def __bool__(self) -> bool:
        return self.facts.total > 0

    def __or__(self, other: Range) -> Range:
        """Return the range with the larger weight of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.of(np.maximum(self.weights, other.weights))

    def __and__(self, other: Range) -> Range:
        """Return the range with the smaller weight of each combo."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.of(np.minimum(self.weights, other.weights))

    def __sub__(self, other: Range) -> Range:
        """Return the range without the combos of the other."""
        if not isinstance(other, Range):
            return NotImplemented
        return Range.of(np.where(other.weights > 0, 0.0, self.weights))

    def __invert__(self) -> Range:
        """Return the range with one minus each weight."""
        return Range.of(1.0 - self.weights)

    def without(self, cards: Cards) -> Range:
        """Return the range without the combos that have one of some cards.

        Args:
            cards: The cards, as text or numbers.

        Raises:
            InputError: The cards cannot be read.

        Example:
            >>> Range("AA").without("As").combos
            3.0
        """
        held = np.isin(combo_cards(), read_cards(cards)).any(axis=1)
        return Range.of(np.where(held, 0.0, self.weights))

    def grid(self) -> Floats:
        """Return the mean weight of each starting hand.

        Returns:
            Shape (13, 13), float64, 0 to 1, aces first: pairs on the diagonal, suited hands above it,
            offsuit hands below it.
        """
        return np.array(to_grid(self._means(), 0.0))

    def _means(self) -> dict[str, float]:
        """Return the mean weight of each starting hand, by name."""
        combos = zip(combo_cards().tolist(), self.weights.tolist(), repeat(1.0))
        return mean_by_starting_hand(combos)

    def to_string(self, dialect: str = "plain") -> str:
        """Return text that reads back as an equal range.

        A range without hands is ``0%``, or a hand of weight 0 in the dialects without percentages.

        Args:
            dialect: ``"plain"``, ``"pio"`` or ``"gto+"``.

        Raises:
            InputError: The dialect is unknown.

        Example:
            >>> Range("AK@50 QQ+").to_string("gto+")
            'QQ+,[50.0]AK[/50.0]'
        """
        return write_weights(self.weights, one_of("dialect", dialect, DIALECTS))

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"Range({self.to_string()!r})"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.range/1``."""
        cards = combo_cards().tolist()
        found = {
            "schema": "gpuodds.range/1",
            "text": {dialect: self.to_string(dialect) for dialect in DIALECTS},
            "combos": self.combos,
            "holdings": self.holdings,
            "percent": self.percent,
            "grid": self.grid().tolist(),
            "weights": {
                format_cards(reversed(cards[h])): float(self.weights[h])
                for h in np.flatnonzero(self.weights)[::-1].tolist()
            },
        }
        return found | {"notes": list(self.notes)} if self.notes else found

    def _repr_html_(self) -> str:
        means = self._means()

        def cell(name: str) -> tuple[str, str]:
            blue = 255 - round(160 * means[name])
            return name, f"background:rgb({blue},{blue},255);color:black" if means[name] else ""

        return grid_html(f"{self.combos:g} combos, {self.percent:.2f} %", cell)


@lru_cache(KEPT_TEXTS)
def _read_text(text: str, order: tuple[str, ...]) -> tuple[RangeFacts, tuple[str, ...]]:
    """Return a text's range and notes, from memory if it was read before."""
    weights, notes = parse_range(text, order)
    weights.flags.writeable = False
    return RangeFacts(weights), notes


def _written(hands: Any) -> str:
    """Return the range text of a list of hands, or of weights by hand."""
    parts = []
    for hand in listed("range", hands, "a text, a list of hands, or weights by hand"):
        if isinstance(hand, str):
            refuse_several_hands(hand)
            part = hand
        elif isinstance(hand, Sequence) and len(hand) == 2:
            part = format_cards(read_cards(hand))
        else:
            raise InputError(
                f"range: {shown(hand)}: expected a hand as text or as two cards; for weights of all "
                "combos, gpuodds.Range.of"
            )
        if isinstance(hands, Mapping):
            weight = as_number(f"range: {part}: weight", hands[hand])
            if not 0 <= weight <= 1:
                raise InputError(f"range: {shown(part)}: weight {weight}: expected 0 to 1")
            part = f"({part}):{format(Decimal(repr(weight)), 'f')}"
        parts.append(part)
    return ",".join(parts)
