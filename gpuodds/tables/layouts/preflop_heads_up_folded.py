"""The rows of ``preflop-heads-up-folded``: two starting hands, and a third that folded."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import example_combo, starting_hand, starting_hands
from gpuodds.tables.hands import Cards, Hand, Row
from gpuodds.tables.layouts.layout import Found, Layout, Rows, expect_no_board
from gpuodds.tables.layouts.starting_hand_places import (
    HANDS,
    expect_starting_hands,
    pair_place,
    places_of_names,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

BOARDS = comb(46, 5)
COUNTS = ("win_a", "win_b", "tie")
SWAPPED = {"hand_a": "hand_b", "hand_b": "hand_a", "win_a": "win_b", "win_b": "win_a"}


class PreflopHeadsUpFoldedLayout(Layout):
    """Two hands, of which the first is not after the second, have a row for each folded hand.

    Hands stand in the order of :func:`~gpuodds.games.holdem.starting_hands.starting_hands`.
    """

    name = "preflop-heads-up-folded"
    game = HOLDEM
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
        return rows if len(rows) == 1 else [_add_up([hand.name for hand in hands], rows)]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Name the two hands in the order in which they were asked for."""
        if row["hand_a"] == starting_hand((hands[0][0], hands[0][1])):
            return row
        return {name: row[SWAPPED.get(name, name)] for name in row}


def _add_up(names: list[str], rows: list[Row]) -> Row:
    """Return one row for several of three starting hands, with the number of deals it counts."""
    total: Row = dict(zip(("hand_a", "hand_b", "folded"), names, strict=True))
    counts = {name: sum(row.get(name, 0) for row in rows) for name in COUNTS}
    outcomes = sum(counts.values())
    return total | {"deals": outcomes // BOARDS} | counts if outcomes else total
