"""The rows of ``preflop-three-way``: each starting hand against each two others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.tables.equities import equity_of
from gpuodds.tables.hands import Cards, Row
from gpuodds.tables.layouts.layout import Found, expect_no_board
from gpuodds.tables.layouts.three_hands import (
    BOARDS,
    HANDS,
    PAIRS,
    ThreeHandsLayout,
    pair_place,
    places_of_names,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

COUNTS = ("outcomes", "win", "tie_second", "tie_third", "tie_all")
SWAPPED = {"second": "third", "third": "second", "tie_second": "tie_third", "tie_third": "tie_second"}


class PreflopThreeWayLayout(ThreeHandsLayout):
    """A hero has a row for each two others, of which the second is not after the third."""

    name = "preflop-three-way"
    about = "every starting hand against every two others: 169 x 14,365"

    labels = ("hero", "second", "third")
    swaps: ClassVar = SWAPPED

    def shards(self, opponents: int) -> list[range]:
        """Return a shard for each hero."""
        return [range(PAIRS * hero, PAIRS * (hero + 1)) for hero in range(HANDS)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of three starting hands, the first of them the hero's."""
        if len(hands) != 3 or board:
            raise InputError(f"table {self.name}: expected three hands and no board")
        names = starting_hands()
        hero, *villains = (names.index(starting_hand((hand[0], hand[1]))) for hand in hands)
        b, c = sorted(villains)
        row = PAIRS * hero + pair_place(b, c)
        return range(row, row + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of three starting hands by name, (n, 3), the hero's first."""
        import numpy as np

        expect_no_board(self.name, boards)
        hero, second, third = places_of_names(hands, 3).T
        b, c = np.minimum(second, third), np.maximum(second, third)
        return Found(PAIRS * hero + pair_place(b, c), second > third)

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts and equity, which are 0 and NaN for what cannot be dealt."""
        return dict.fromkeys(COUNTS, "<i8") | {"equity": "<f8"}

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return the hero's starting hand, or one of the others'."""
        import numpy as np

        names = np.array(starting_hands())
        if column == "hero":
            return names[rows // PAIRS]
        return names[np.triu_indices(HANDS)[column == "third"][rows % PAIRS]]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Name the other hands in the order in which they were asked for."""
        second = starting_hand((hands[1][0], hands[1][1]))
        if row["second"] == second:
            return row
        return {name: row[SWAPPED.get(name, name)] for name in row}

    def add_up(self, rows: list[Row]) -> Row:
        """Return the counts of several rows together, with the deals and the equity."""
        counts = {name: sum(row.get(name, 0) for row in rows) for name in COUNTS}
        outcomes = counts["outcomes"]
        if not outcomes:
            return {}  # cannot be dealt: a row of the table has no counts then, either
        by_ties = [counts["win"], counts["tie_second"] + counts["tie_third"], counts["tie_all"]]
        return {"deals": outcomes // BOARDS} | counts | {"equity": equity_of(by_ties, outcomes)}
