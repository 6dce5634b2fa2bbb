"""Read range text of Omaha with four, five or six cards: the conventions of ProPokerTools and PQL.

A text is a list of items, separated by commas, semicolons or line ends. Each names hands, and may give
them a weight; a later item replaces an earlier one for the same combo. Cards that an item does not name
are any cards.

``AA``, ``AKQJ``
    at least two aces; one each of ace, king, queen and jack
``AA**``, ``A*``, ``*``
    the same with ``*`` for any card; ``*`` alone, or ``random``, is every hand
``AsKhQd2c``, ``As``, ``ss``
    these cards; any hand with this card; any hand with two spades
``AwKwQxJx``, ``AxAyxy``
    suit variables w, x, y, z, also without a rank: the same letter is the same suit, different letters
    are different suits, and none is a suit that the item names (in ``AsKx`` the king is no spade)
``RROO``, ``RRON``
    rank variables R, O, N, P, G: two pairs; one pair and two cards of other ranks. Different letters
    are different ranks, and none is a rank that the item names
``[A-T]``, ``[AKQ]``, ``[T+]``, ``[9-]``, ``[A,5-2]``, ``[As,h]``
    one card of several
``$R$R``
    cards of named sets: $R is A-T, $N K-9, $F K-J, $Z 6-2, $W A,5-2, $B A-J, $M T-7
``KK-99``, ``JT98-7654``, ``AK-AT``
    all between, in either order: the ranks that differ move together
``TT+``, ``9-``, ``8765+``
    all above or below: a rank, or three and more ranks together
``15%``, ``10%-20%``
    the best starting hands of a ranking, or those between
``$ds``, ``$ss``, ``$ts``, ``$rb``, ``$ms``
    a suit pattern, the numbers of cards of a hand's suits: 2-2, 2-1-1, 3-1, 1-1-1-1, 4. Hands of five
    and six cards have others: :data:`gpuodds.games.omaha.starting_hands.SUIT_PATTERNS`
``$np``, ``$op``, ``$tp``, ``$nt``
    no pair, one pair, two pairs, no three of a rank
``AA:xxyy``, ``JJ!JJJ``, ``(AA,KK):$ds``
    ``:`` is and, ``!`` without, from left to right, both before the comma; parentheses group
``AA@50``, ``AA@50%``, ``(AA,KK)@50``
    a weight in percent

What programs read in two ways is refused, with both readings, or read with a note: percentages (ours
go by exact equity against one random hand), ``:ds`` (a diamond and a spade), ``$B`` and ``$M``, and
combos that two items give different weights, and percentages of 1 or less (``AA@0.5``), where a share
can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.stopping import may_stop
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.omaha.patterns import ANY_CARD, Place
from gpuodds.games.omaha.starting_hands import SUIT_PATTERNS, starting_hands
from gpuodds.spots.hands import refuse_several_hands
from gpuodds.spots.notation.faults import DECIMAL, fault, is_small_percentage, percent_note
from gpuodds.spots.notation.generic import READINGS as SET_READINGS
from gpuodds.spots.notation.generic import read_patterns
from gpuodds.spots.notation.omaha.grammar import PAIR_NAMES, range_parser, refusal
from gpuodds.spots.notation.omaha.items import give_plain_items, places_that_count
from gpuodds.spots.notation.omaha.sets import (
    HandSet,
    Weights,
    of_classes,
    of_combos,
    of_numbers,
    of_pattern,
    union,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

LONGEST = 100_000  # characters, of text that is no list of plain items
DEEPEST = 20  # levels of nested brackets
KEPT_SETS = 8  # of hands that a text names; as large as its weights

_WEIGHTS = re.compile(rf"@\s*({DECIMAL})(%?)", re.A)

PERCENT_NOTE = (
    "percentages go by exact equity against one random hand; ProPokerTools has an order of its own"
)
LOWERED_NOTE = (
    "a hand that several items name has the weight of the last; ProPokerTools gives it the largest"
)
READINGS = {
    "ss": "ss is read as two spades, as in ProPokerTools: single-suited is $ss",
    "ds": "ds is read as a diamond and a spade, as in ProPokerTools: double-suited is $ds",
    **SET_READINGS,
}


def parse_omaha_range(
    text: str, size: int, order: Ints | None, game: str, by_equity: bool
) -> tuple[Floats, tuple[str, ...]]:
    """Return the weights that a text gives to the combos, and notes on how it was read.

    Args:
        text: The range.
        size: The number of cards of a hand.
        order: The numbers of the starting hands, best first, for percentages; None if there is none.
        game: The name of the game, for errors.
        by_equity: Whether the order is by equity against one random hand.

    Returns:
        Weights, float64 of shape (combos,), and a note for each thing that other programs read
        differently.

    Raises:
        InputError: The text is not a range; the message names the place, and what was expected.
    """
    notes: dict[str, None] = {}
    reader = _Reader(size, order, game, notes, by_equity)
    weights = Weights(size)
    try:
        whole = not give_plain_items(text, weights, partial(reader.give, weights))
    except InputError:
        whole = True  # the parser of the whole text names the place
    if whole:
        weights = Weights(size)
        notes.clear()
        reader.give(weights, text)
    by_combo = weights.finish()
    if weights.lowered:
        notes[LOWERED_NOTE] = None
    notes |= dict.fromkeys(_percent_notes(text))
    return by_combo, tuple(notes)


def _percent_notes(text: str) -> list[str]:
    """Return a note if weights in percent, without a percent sign, can be meant as shares."""
    small = [
        match for match in _WEIGHTS.finditer(text) if not match[2] and is_small_percentage(match[1])
    ]
    if not small:
        return []
    at, digits = small[0].start(), small[0][1]
    begin, depth = at, 0
    while begin > 0:  # the item begins after a separator, or a bracket that is open
        before = text[begin - 1]
        depth += (before in ")]") - (before in "([")
        if depth < 0 or (depth == 0 and before in ",;\n"):
            break
        begin -= 1
    hands = excerpt(text[begin:at].strip())
    share = format((Decimal(digits) * 100).normalize(), "f")
    explicit = f"{hands}@{digits}%"
    return [percent_note(f"{hands}@{digits}", digits, explicit, f"{hands}@{share}", len(small) - 1)]


class _Reader:
    """Reads texts, and notes what other programs read differently."""

    def __init__(
        self, size: int, order: Ints | None, game: str, notes: dict[str, None], by_equity: bool
    ) -> None:
        self.text, self.size, self.order, self.game = "", size, order, game
        self.notes, self.by_equity = notes, by_equity
        # Of hands and runs, by text; those of the longest ago go first.
        self.kept: dict[tuple[str, ...], HandSet] = {}

    def give(self, weights: Weights, text: str) -> None:
        """Give the hands of a list their weights."""
        self.text = text
        items = list(self._items(self._parse(), 1.0))
        written = [(self._written(expression), weight) for expression, weight in items]
        alike = len({weight for _, weight in items}) == 1
        for place in places_that_count(written, alike=alike):
            expression, weight = items[place]
            weights.give(self._hands(expression), weight)

    def _parse(self) -> Any:
        """Return the list of items."""
        from lark.exceptions import UnexpectedInput

        text = self.text
        if len(text) > LONGEST:
            raise InputError(f"{excerpt(text)}: {len(text)} characters: expected at most {LONGEST}")
        depth = 0
        for bracket in re.finditer(r"[()]", text):
            depth += 1 if bracket[0] == "(" else -1
            if depth > DEEPEST:
                raise fault(text, bracket.start(), f"expected at most {DEEPEST} levels of brackets")
        try:
            return range_parser().parse(text).children[0]
        except UnexpectedInput as error:
            refuse_several_hands(text, find_game(self.game))
            raise refusal(text, error) from None

    def _items(self, tree: Any, factor: float) -> Iterator[tuple[Any, float]]:
        """Yield the tree and the weight of each item, in order."""
        for item in tree.children:
            if getattr(item, "data", None) != "item":
                continue
            expression, *numbers = item.children
            weight = factor * self._weight(numbers[0]) if numbers else factor
            if expression.data == "group":
                yield from self._items(expression.children[0], weight)
            else:
                yield expression, weight

    def _written(self, tree: Any) -> str:
        return self.text[tree.meta.start_pos : tree.meta.end_pos]

    def _weight(self, token: Any) -> float:
        # Decimals, so that 13.7 percent is the same float as 0.137.
        value = Decimal(token.partition("%")[0].rstrip())
        if value > 100:
            raise fault(self.text, token.start_pos, "expected a weight of 0 to 100", str(token))
        return float(value / 100)

    def _hands(self, tree: Any) -> HandSet:
        # A long list of : and ! is a tree as deep: no recursion into its first operand.
        operands = []
        while tree.data in ("both", "without"):
            tree, other = tree.children[0], (tree.data, tree.children[1])
            operands.append(other)
        result = self._operand(tree)
        for kind, other in reversed(operands):
            hands = self._operand(other)
            result = result.both(hands) if kind == "both" else result.without(hands)
        return result

    def _operand(self, tree: Any) -> HandSet:
        may_stop()
        if tree.data == "group":
            return self._union(tree.children[0])
        key = (tree.data, *map(str, tree.children))
        hands = self.kept.pop(key, None)
        if hands is None:
            hands = self._single(tree.data, tree.children)
            if len(self.kept) == KEPT_SETS:
                del self.kept[next(iter(self.kept))]
        self.kept[key] = hands
        return hands

    def _single(self, kind: str, inside: list[Any]) -> HandSet:
        first = inside[0]
        if kind == "every":
            return self._every()
        if kind == "named":
            return self._named(first)
        if kind in ("best", "between"):
            shares = [self._share(token) for token in inside]
            best = self._best(first, max(shares))
            return best.without(self._best(first, min(shares))) if kind == "between" else best
        self._note_readings(inside)
        patterns = read_patterns(self.text, kind, inside, self.size)
        return union(self.size, (of_pattern(self.size, pattern) for pattern in patterns))

    def _union(self, tree: Any) -> HandSet:
        expressions: dict[str, Any] = {}
        for item in tree.children:
            if getattr(item, "data", None) == "item":
                expression, *numbers = item.children
                if numbers:
                    wanted = "expected hands without weights before or after : and !"
                    raise fault(self.text, self.text.rindex("@", 0, numbers[0].start_pos), wanted, "@")
                expressions.setdefault(self._written(expression), expression)
        return union(self.size, map(self._hands, expressions.values()))

    def _named(self, token: Any) -> HandSet:
        name = str(token)[1:]
        if name in PAIR_NAMES:
            return self._paired(name)
        patterns = SUIT_PATTERNS[self.size]
        if name not in patterns:
            known = ", ".join("$" + each for each in (*patterns, *PAIR_NAMES))
            wanted = f"expected a name for {self.size} cards: {known}"
            raise fault(self.text, token.start_pos, wanted, str(token))
        if self.size > 4 and name in ("ds", "ss"):
            counts = "-".join(map(str, patterns[name]))
            letters = {"ds": "xxyy", "ss": "xx"}[name]
            self.notes[f"{token} is read as suits of {counts} cards: write {letters} for at least"] = (
                None
            )
        suits = zip("wxyz", patterns[name], strict=False)
        letters = "".join(letter * count for letter, count in suits)
        return of_pattern(self.size, [Place(ANY_CARD, suit=letter) for letter in letters])

    def _paired(self, name: str) -> HandSet:
        """Return the hands with pairs as named."""

        def equal(ranks: str) -> HandSet:
            return of_pattern(self.size, [Place(ANY_CARD, rank=letter) for letter in ranks])

        if name == "nt":
            return self._every().without(equal("RRR"))
        if name == "np":
            return self._every().without(equal("RR"))
        pairs, more = ("RR", "RROO") if name == "op" else ("RROO", "RROONN")
        hands = equal(pairs).without(equal("RRR"))
        return hands.without(equal(more)) if len(more) <= self.size else hands

    def _every(self) -> HandSet:
        return of_combos(self.size, np.ones(comb(DECK_SIZE, self.size), bool))

    def _share(self, token: Any) -> float:
        value = float(token.partition("%")[0])
        if value > 100:
            wanted = "expected a percentage of 0% to 100%"
            raise fault(self.text, token.start_pos, wanted, str(token))
        return value

    def _best(self, token: Any, percent: float) -> HandSet:
        """Return the fewest of the best hands that make up at least ``percent`` of all combos."""
        if percent == 0.0:
            return of_numbers(self.size, np.zeros(0, np.int64))
        if percent == 100.0:
            return self._every()
        if self.order is None:
            wanted = f"no ranking of {self.game} is shipped, gpuodds.register_ranking adds one"
            raise fault(self.text, token.start_pos, f"expected hands: {wanted}", str(token))
        if self.by_equity:
            self.notes[PERCENT_NOTE] = None
        sizes = starting_hands(self.size).sizes
        combos_so_far = np.cumsum(sizes[self.order])
        # As in hold'em, allow a millionth of a combo.
        number = int(np.searchsorted(combos_so_far, percent * combos_so_far[-1] / 100 - 1e-6)) + 1
        chosen = np.zeros(len(sizes), bool)
        chosen[self.order[:number]] = True
        return of_classes(self.size, chosen)

    def _note_readings(self, tokens: list[Any]) -> None:
        for token in tokens:
            if reading := READINGS.get(str(token).lower()):
                self.notes[reading] = None
            for macro in re.findall(r"\$[BM]", str(token)):
                self.notes[READINGS[macro]] = None
