"""The hands of a table look-up: two cards, or the name of a starting hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gpuodds.cards import DECK_SIZE, RANKS, format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import combinations, starting_hand
from gpuodds.tables.equities import equity_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

Cards = tuple[int, ...]
Row = dict[str, Any]

NAME = re.compile("([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True)
class Hand:
    """A hand to look up: one combo, or all combos of the starting hands ``classes``.

    ``classes`` has two names for ``AK``, suited and offsuit, and none for two cards.
    """

    name: str
    combos: tuple[Cards, ...]
    classes: tuple[str, ...] = ()

    def cards(self, table: str) -> Cards:
        """Return the two cards.

        Raises:
            InputError: The hand is a starting hand.
        """
        if self.classes:
            raise InputError(
                f"hand {self.name}: expected two cards, such as {format_cards(self.combos[0])}: "
                f"table {table} has no starting hands"
            )
        return self.combos[0]

    def starting_hands(self) -> tuple[str, ...]:
        """Return the starting hands by name: ``classes``, or the one of the two cards."""
        return self.classes or (starting_hand((self.combos[0][0], self.combos[0][1])),)


def read_hand(hand: Any) -> Hand:
    """Return a hand from its cards, as text or numbers, or from the name of a starting hand.

    Raises:
        InputError: The text is neither.

    Example:
        >>> read_hand("AK").classes, len(read_hand("AK").combos)
        (('AKs', 'AKo'), 16)
        >>> read_hand("KsAs").name
        'AsKs'
    """
    from gpuodds.spots import hands

    if isinstance(hand, str) and (named := NAME.fullmatch(hand.strip())):
        high, low = sorted(named.group(1, 2), key=lambda rank: RANKS.index(rank.upper()), reverse=True)
        ranks, suited = (high + low).upper(), named[3].lower()
        if ranks[0] != ranks[1] or not suited:
            kinds = (suited,) if suited or ranks[0] == ranks[1] else ("s", "o")
            classes = tuple(ranks + kind for kind in kinds)
            combos = tuple(combo for name in classes for combo in _combos(name))
            return Hand(ranks + suited, combos, classes)
    cards = hands.read_hand(hand, HOLDEM)
    return Hand(format_cards(sorted(cards, reverse=True)), (cards,))


def _combos(name: str) -> Iterable[Cards]:
    high, low = (4 * RANKS.index(rank) for rank in name[:2])
    for a in range(4):
        for b in range(4):
            if a > b if high == low else (a == b) == name.endswith("s"):
                yield high + a, low + b


def add_pairs(first: Hand, second: Hand, counts: Callable[[Cards, Cards], Iterable[int]]) -> Row:
    """Return a row of ``preflop-heads-up`` for starting hands: sums over all disjoint combos.

    Args:
        first: The first hand.
        second: The second hand.
        counts: Gives the boards that a combo wins against another, loses, and ties.

    Returns:
        ``hand_a, hand_b, win_a, win_b, tie``, and ``pairs``, the number of pairs of combos.
    """
    total, pairs = [0, 0, 0], 0
    for a in first.combos:
        for b in second.combos:
            if not {*a} & {*b}:
                total = [sum(both) for both in zip(total, counts(a, b), strict=True)]
                pairs += 1
    win_a, win_b, tie = total
    names = {"hand_a": first.name, "hand_b": second.name}
    return names | {"win_a": win_a, "win_b": win_b, "tie": tie, "pairs": pairs}


def add_random(hand: Hand, rows_of: Callable[[str], list[Row]]) -> list[Row]:
    """Return the rows of ``preflop-random`` for a hand; ``AK`` has the sums over AKs and AKo.

    Args:
        hand: The hand.
        rows_of: Gives the rows of a starting hand, one for each number of opponents.

    Returns:
        The rows of one starting hand as they are; sums also have ``combos``, the number of combos.
    """
    names = hand.starting_hands()
    if len(names) == 1:
        return rows_of(names[0])
    with_equity = []
    for rows in zip(*map(rows_of, names), strict=True):
        whole: Row = {"hand": hand.name, "opponents": rows[0]["opponents"], "combos": len(hand.combos)}
        outcomes, *by_ties = (name for name in rows[0] if name not in ("hand", "opponents", "equity"))
        for count in (outcomes, *by_ties):
            parts = zip(names, rows, strict=True)
            whole[count] = sum(combinations(name) * row[count] for name, row in parts)
        equity = equity_of([whole[name] for name in by_ties], whole[outcomes])
        with_equity.append(whole | {"equity": equity})
    return with_equity


def combo_numbers(hands: Any) -> Ints:
    """Return the numbers of combos, 0 to 1325, from their cards, (..., 2), in either order."""
    import numpy as np

    low, high = hands.min(axis=-1).astype(np.int64), hands.max(axis=-1).astype(np.int64)
    numbers: Ints = high * (high - 1) // 2 + low
    return numbers


@lru_cache(maxsize=1)
def combo_names() -> Any:
    """Return the text of each combo, its higher card first: an array of 1,326 strings."""
    import numpy as np

    return np.array([format_cards((high, low)) for high in range(DECK_SIZE) for low in range(high)])


@lru_cache(maxsize=2)
def starting_hand_numbers(names: tuple[str, ...]) -> Ints:
    """Return the place of each combo's starting hand in ``names``, (1326,), -1 for others."""
    import numpy as np

    places = {name: place for place, name in enumerate(names)}
    combos = [(low, high) for high in range(DECK_SIZE) for low in range(high)]
    return np.array([places.get(starting_hand(combo), -1) for combo in combos])
