"""The rows of ``preflop-random``: each starting hand against each number of random opponents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.cards import RANKS, format_cards
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.holdem.starting_hands import example_combo, starting_hand, starting_hands
from gpuodds.spots.hands import check_cards
from gpuodds.tables.hands import Cards, Hand, Row, add_random, combo_numbers, starting_hand_numbers
from gpuodds.tables.layouts.layout import Found, Layout, Rows, expect_no_board

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]


SUITS = 4


class PreflopRandomLayout(Layout):
    """A starting hand has as many rows as there are numbers of opponents, the smallest first.

    Hands stand in the order of :func:`~gpuodds.games.holdem.starting_hands.starting_hands`.
    """

    labels = ("hand", "opponents")

    def __init__(self, name: str, game: Game) -> None:
        """Take the table's name and its game, one of hold'em's family."""
        lowest = len(game.missing) // SUITS
        self.name, self.game, self.hands = name, game, starting_hands(lowest)
        self.max_opponents = self.default_opponents = game.max_players - 1
        self.about = f"{len(self.hands)} starting hands against 1 to {self.max_opponents} random hands"
        self._hands_per_shard = len(RANKS) - lowest

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by hands: a hand's rows are in one shard."""
        step = self._hands_per_shard * opponents
        return [range(begin, begin + step) for begin in range(0, len(self.hands) * opponents, step)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of one hand."""
        if len(hands) != 1 or board:
            raise self._expected()
        number = self.hands.index(starting_hand((hands[0][0], hands[0][1])))
        return range(number * opponents, (number + 1) * opponents)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of hands (n, 2) against each number of opponents, (n, opponents)."""
        import numpy as np

        from gpuodds.backends.choice import refuse_repeated_rows
        from gpuodds.spots.arrays import as_hands_and_boards, on_host

        expect_no_board(self.name, boards)
        cards, no_board = as_hands_and_boards(on_host(hands, "hands"))
        refuse_repeated_rows(cards, no_board, "hands")
        absent = np.isin(cards, self.game.missing).any(axis=1)
        if absent.any():
            row = int(absent.argmax())
            raise InputError(
                f"hands: row {row}: {self.game.name} has no {format_cards(cards[row].tolist())}"
            )
        first = starting_hand_numbers(tuple(self.hands))[combo_numbers(cards)] * opponents
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
        return np.array(self.hands)[rows // opponents]

    def absent(self, column: str, rows: range, opponents: int) -> Any:
        """Ties with more opponents than a row has are absent."""
        import numpy as np

        if not column.startswith("tie_"):
            return False
        return np.arange(rows.start, rows.stop) % opponents + 1 < int(column.removeprefix("tie_"))

    def read_hand(self, hand: Any) -> Hand:
        """Return a hand of the game's deck."""
        named = super().read_hand(hand)
        check_cards(self.game, (), (), named.combos[:1])
        return named

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the rows of one starting hand, or the sums over AKs and AKo for AK."""
        if len(hands) != 1 or board:
            raise self._expected()
        return add_random(
            hands[0], lambda name: self.lookup_combos(table, [example_combo(name)], board)
        )

    def _expected(self) -> InputError:
        return InputError(f"table {self.name}: expected one hand and no board")
