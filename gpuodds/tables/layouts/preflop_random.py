"""The rows of ``preflop-random``: each starting hand against each number of random opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError
from gpuodds.games.holdem.starting_hands import example_combo, starting_hand, starting_hands
from gpuodds.tables.hands import Cards, Hand, Row, add_random, combo_numbers, starting_hand_numbers
from gpuodds.tables.layouts.layout import Found, Layout, Rows, expect_no_board

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

HANDS = 169


class PreflopRandomLayout(Layout):
    """A starting hand has as many rows as there are numbers of opponents, the smallest first.

    Hands stand in the order of :func:`~gpuodds.games.holdem.starting_hands.starting_hands`.
    """

    name = "preflop-random"
    about = "169 starting hands against 1 to 22 random hands"
    max_opponents = 22
    default_opponents = 22
    hands_per_shard = 13
    labels = ("hand", "opponents")

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by hands: a hand's rows are in one shard."""
        step = self.hands_per_shard * opponents
        return [range(begin, begin + step) for begin in range(0, HANDS * opponents, step)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of one hand."""
        if len(hands) != 1 or board:
            raise self._expected()
        number = starting_hands().index(starting_hand((hands[0][0], hands[0][1])))
        return range(number * opponents, (number + 1) * opponents)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of hands (n, 2) against each number of opponents, (n, opponents)."""
        import numpy as np

        from gpuodds.backends.choice import choose_backend, refuse_repeated_rows
        from gpuodds.spots.arrays import as_hands_and_boards, on_host

        expect_no_board(self.name, boards)
        given, no_board = as_hands_and_boards(on_host(hands, "hands"))
        refuse_repeated_rows(choose_backend("cpu"), given, no_board, "hands")
        first = starting_hand_numbers()[combo_numbers(given)] * opponents
        return Found(first[:, None] + np.arange(opponents))

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts and equity."""
        ties = [f"tie_{ties}" for ties in range(1, opponents + 1)]
        return dict.fromkeys(["outcomes", "win", *ties], "(2,)<u8") | {"equity": "<f8"}

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return the starting hands, or the numbers of opponents."""
        import numpy as np

        if column == "opponents":
            return rows % opponents + 1
        return np.array(starting_hands())[rows // opponents]

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the rows of one starting hand, or the sums over AKs and AKo for AK."""
        if len(hands) != 1 or board:
            raise self._expected()
        return add_random(
            hands[0], lambda name: self.lookup_combos(table, [example_combo(name)], board)
        )

    def _expected(self) -> InputError:
        return InputError(f"table {self.name}: expected one hand and no board")
