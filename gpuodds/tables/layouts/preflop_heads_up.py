"""The rows of ``preflop-heads-up``: each pair of disjoint hands, up to renaming the suits."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.rules import COMBOS
from gpuodds.tables.hands import Cards, Hand, Row, add_pairs, combo_names, combo_numbers
from gpuodds.tables.layouts.layout import Found, Layout, Rows, expect_no_board
from gpuodds.tables.shipped.preflop_heads_up import PAIRS, pair_index, read_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]


class PreflopHeadsUpLayout(Layout):
    """Rows are in the order of :func:`gpuodds.tables.shipped.preflop_heads_up.pair_index`."""

    name = "preflop-heads-up"
    game = HOLDEM
    about = "every hand against every hand before the flop: 47,008 pairs"

    labels = ("hand_a", "hand_b")
    swaps: ClassVar = {"win_a": "win_b", "win_b": "win_a"}

    def shards(self, opponents: int) -> list[range]:
        """Return one shard: all pairs are counted at once, in seconds."""
        return [range(PAIRS)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of two hands."""
        if len(hands) != 2 or board:
            raise InputError(f"table {self.name}: expected two hands and no board")
        row, _ = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        return range(row, row + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of pairs of hands, (n, 2, 2)."""
        from gpuodds.backends.choice import refuse_repeated_rows
        from gpuodds.spots.arrays import as_hand_tuples

        expect_no_board(self.name, boards)
        pairs = as_hand_tuples(hands, 2)
        cards = pairs.reshape(len(pairs), 4)
        refuse_repeated_rows(cards, cards[:, :0], "hands")
        first, second = combo_numbers(pairs[:, 0]), combo_numbers(pairs[:, 1])
        places = _places()[first, second]
        names = combo_names()
        return Found(
            places >> 1, (places & 1).astype(bool), {"hand_a": names[first], "hand_b": names[second]}
        )

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts."""
        return {"win_a": "<u4", "win_b": "<u4", "tie": "<u4", "pairs": "|u1"}

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return one hand of each row."""
        import numpy as np

        codes = np.asarray(read_table()[0], np.int64)[rows]
        return combo_names()[codes // COMBOS if column == "hand_a" else codes % COMBOS]

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the row of two combos, or the sums over the combos of starting hands."""
        if len(hands) != 2 or board or not any(hand.classes for hand in hands):
            return self.lookup_combos(table, [hand.combos[0] for hand in hands], board)

        def counts(first: Cards, second: Cards) -> tuple[int, int, int]:
            number, swapped = pair_index((first[0], first[1]), (second[0], second[1]))
            (row,) = table.rows(range(number, number + 1))
            return *_wins(row, swapped), row["tie"]

        return [add_pairs(hands[0], hands[1], counts)]

    def orient(self, row: Row, hands: list[Cards]) -> Row:
        """Name the hands as they were asked for."""
        _, swapped = pair_index((hands[0][0], hands[0][1]), (hands[1][0], hands[1][1]))
        names = [format_cards(sorted(hand, reverse=True)) for hand in hands]
        win_a, win_b = _wins(row, swapped)
        return row | {"hand_a": names[0], "hand_b": names[1], "win_a": win_a, "win_b": win_b}


def _wins(row: Row, swapped: bool) -> tuple[int, int]:
    return (row["win_b"], row["win_a"]) if swapped else (row["win_a"], row["win_b"])


@lru_cache(maxsize=1)
def _places() -> Ints:
    """Return twice the row of each pair of combos, plus 1 if the row has them swapped: (1326, 1326)."""
    import numpy as np

    from gpuodds.games.shared.combos import suit_relabellings

    codes = np.asarray(read_table()[0], np.int64)
    rows = 2 * np.arange(len(codes))
    places = np.zeros((COMBOS, COMBOS), np.int64)
    for order in suit_relabellings():
        first, second = order[codes // COMBOS], order[codes % COMBOS]
        places[second, first] = rows + 1
    for order in suit_relabellings():
        first, second = order[codes // COMBOS], order[codes % COMBOS]
        places[first, second] = rows
    return places
