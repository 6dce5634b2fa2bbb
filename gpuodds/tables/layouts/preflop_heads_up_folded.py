"""The rows of ``preflop-heads-up-folded``: two starting hands, and a third that folded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
from gpuodds.tables.hands import Cards, Row
from gpuodds.tables.layouts.layout import Found, expect_no_board
from gpuodds.tables.layouts.three_hands import (
    BOARDS,
    HANDS,
    ThreeHandsLayout,
    pair_place,
    places_of_names,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

COUNTS = ("win_a", "win_b", "tie")
SWAPPED = {"hand_a": "hand_b", "hand_b": "hand_a", "win_a": "win_b", "win_b": "win_a"}


class PreflopHeadsUpFoldedLayout(ThreeHandsLayout):
    """Two hands, of which the first is not after the second, have a row for each folded hand."""

    name = "preflop-heads-up-folded"
    about = "every starting hand against every other, a third folded: 14,365 x 169"

    labels = ("hand_a", "hand_b", "folded")
    swaps: ClassVar = SWAPPED

    def shards(self, opponents: int) -> list[range]:
        """Return a shard for each first hand."""
        starts = [HANDS * pair_place(hand, hand) for hand in range(HANDS + 1)]
        return [range(starts[hand], starts[hand + 1]) for hand in range(HANDS)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of three starting hands, the last of them folded."""
        if len(hands) != 3 or board:
            raise InputError(f"table {self.name}: expected three hands, the last folded, and no board")
        names = starting_hands()
        first, second, folded = (names.index(starting_hand((hand[0], hand[1]))) for hand in hands)
        row = HANDS * pair_place(min(first, second), max(first, second)) + folded
        return range(row, row + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of three starting hands by name, (n, 3), the folded one last."""
        import numpy as np

        expect_no_board(self.name, boards)
        first, second, folded = places_of_names(hands, 3).T
        pairs = pair_place(np.minimum(first, second), np.maximum(first, second))
        return Found(HANDS * pairs + folded, first > second)

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts, which are 0 for what cannot be dealt."""
        return dict.fromkeys(COUNTS, "<i8")

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return one of the starting hands."""
        import numpy as np

        names = np.array(starting_hands())
        if column == "folded":
            return names[rows % HANDS]
        return names[np.triu_indices(HANDS)[column == "hand_b"][rows // HANDS]]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Name the two hands in the order in which they were asked for."""
        if row["hand_a"] == starting_hand((hands[0][0], hands[0][1])):
            return row
        return {name: row[SWAPPED.get(name, name)] for name in row}

    def add_up(self, rows: list[Row]) -> Row:
        """Return the counts of several rows together, with the deals."""
        counts = {name: sum(row.get(name, 0) for row in rows) for name in COUNTS}
        outcomes = sum(counts.values())
        return {"deals": outcomes // BOARDS} | counts if outcomes else {}
