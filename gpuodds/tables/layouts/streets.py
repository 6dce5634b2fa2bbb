"""The rows of ``flop-random``, ``turn-random`` and ``river-random``: a hand on a board.

They are the rows of :mod:`gpuodds.games.holdem.canonical`: boards one after another, all hands on each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.layout import Layout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class StreetLayout(Layout):
    """A shard is some boards, ``boards_per_shard`` of them, and all hands on each."""

    board_cards: ClassVar[int]
    boards_per_shard: ClassVar[int]
    max_opponents = 1
    default_opponents = 1

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by boards."""
        from gpuodds.games.holdem.boards import canonical_index

        _, offsets = canonical_index(self.board_cards)
        boards = len(offsets) - 1
        ends = [*range(self.boards_per_shard, boards, self.boards_per_shard), boards]
        begins = [0, *ends[:-1]]
        return [range(int(offsets[i]), int(offsets[j])) for i, j in zip(begins, ends, strict=True)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of one hand on a board."""
        from gpuodds.games.holdem.boards import canonical_index
        from gpuodds.games.holdem.canonical import canonical_row

        if len(hands) != 1 or len(board) != self.board_cards:
            raise InputError(
                f"table {self.name}: expected one hand and a board of {self.board_cards} cards"
            )
        hand = hands[0]
        if len({*hand, *board}) != 2 + len(board):
            raise InputError(f"{format_cards((*hand, *board))}: a card is given twice")
        keys, offsets = canonical_index(self.board_cards)
        row = int(canonical_row(_suit_masks(hand), _suit_masks(board), keys, offsets))
        return range(row, row + 1)

    def boards_of(
        self, rows: range
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
        """Return the boards of some rows.

        Args:
            rows: All rows of some boards, such as those of a shard.

        Returns:
            The boards (n, board_cards), how many boards each stands for (n,), and where the rows of
            each begin (n,), counted from ``rows.start``.
        """
        import numpy as np

        from gpuodds.games.holdem.boards import canonical_boards, canonical_index

        _, offsets = canonical_index(self.board_cards)
        boards, sizes = canonical_boards(self.board_cards)
        first, last = np.searchsorted(offsets, [rows.start, rows.stop]).tolist()
        return boards[first:last], sizes[first:last], offsets[first:last] - rows.start


class FlopLayout(StreetLayout):
    """All hands on all flops."""

    name = "flop-random"
    about = "a hand on the flop against 1 to 9 random hands: 1,286,792 situations"
    board_cards = 3
    boards_per_shard = 13
    max_opponents = 9
    default_opponents = 9


class TurnLayout(StreetLayout):
    """All hands on all turns."""

    name = "turn-random"
    about = "a hand on the turn against a random hand: 13,960,050 situations"
    board_cards = 4
    boards_per_shard = 128


class RiverLayout(StreetLayout):
    """All hands on all full boards; their strengths are kept as a plain array, too."""

    name = "river-random"
    about = "a hand on a full board against a random hand: 123,156,254 situations"
    board_cards = 5
    boards_per_shard = 1000
    arrays: ClassVar = {"strength": "<u2"}


def _suit_masks(cards: Cards) -> int:
    return sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards)
