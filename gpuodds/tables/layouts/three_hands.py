"""Tables of three starting hands: what their layouts share."""

from __future__ import annotations

from abc import abstractmethod
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import example_combo, starting_hands
from gpuodds.tables.hands import Cards, Hand, Row
from gpuodds.tables.layouts.layout import Layout, Rows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

HANDS = 169
PAIRS = HANDS * (HANDS + 1) // 2  # of starting hands, in either order
BOARDS = comb(46, 5)


class ThreeHandsLayout(Layout):
    """The rows of three starting hands; what cannot be dealt together has no counts.

    Hands stand in the order of :func:`~gpuodds.games.holdem.starting_hands.starting_hands`.
    """

    game = HOLDEM

    def absent(self, column: str, rows: range, opponents: int) -> Any:
        """Rows of hands that cannot be dealt together have no counts."""
        return False if column in self.labels else None

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the row of three starting hands; AK stands for AKs and AKo."""
        expect_starting_hands(self.name, hands)
        rows: list[Row] = []
        for names in product(*(hand.classes for hand in hands)):
            combos: list[Cards] = [example_combo(name) for name in names]
            rows += self.lookup_combos(table, combos, board)
        if len(rows) == 1:
            return rows
        named: Row = dict(zip(self.labels, (hand.name for hand in hands), strict=True))
        return [named | self.add_up(rows)]

    @abstractmethod
    def add_up(self, rows: list[Row]) -> Row:
        """Return the counts of several rows together, with the deals; empty if there are no deals."""


def places_of_names(hands: Any, count: int) -> npt.NDArray[np.int64]:
    """Return the numbers of starting hands by name.

    Args:
        hands: Names such as AKs, (n, count).
        count: How many hands a situation has.

    Returns:
        Places in :func:`~gpuodds.games.holdem.starting_hands.starting_hands`, (n, count).

    Raises:
        InputError: The array has another shape or dtype, or a name is none of a starting hand.
    """
    import numpy as np

    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] != count or given.dtype.kind not in "UT":
        raise InputError(
            f"hands: expected an array of shape (n, {count}), of names of starting hands such as AKs, "
            f"found {given.dtype}, shape {given.shape}"
        )
    names = np.array(starting_hands())
    order = np.argsort(names)
    places = order[np.minimum(np.searchsorted(names[order], given), HANDS - 1)]
    wrong = names[places] != given
    if wrong.any():
        row = int(wrong.any(axis=1).argmax())
        name = excerpt(str(given[row][wrong[row]][0]))
        raise InputError(f"hands: row {row}: expected a starting hand, such as AKs, found {name}")
    return places


def pair_place(first: Any, second: Any) -> Any:
    """Return the number of a pair of starting hands, the first not after the second: 0 to 14,364."""
    return first * HANDS - first * (first - 1) // 2 + second - first


def expect_starting_hands(table: str, hands: list[Hand]) -> None:
    """Refuse single combos where a table has starting hands alone.

    Raises:
        InputError: A hand is no starting hand.
    """
    for hand in hands:
        if not hand.classes:
            raise InputError(
                f"hand {hand.name}: expected a starting hand, such as {hand.starting_hands()[0]}: "
                f"table {table} has no single combos"
            )
