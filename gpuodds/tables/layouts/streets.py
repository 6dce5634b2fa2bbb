"""The rows of tables of streets, such as ``flop-random`` and ``turn-features``: a hand on a board.

They are the rows of :mod:`gpuodds.games.holdem.canonical`: boards one after another, all hands on each.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.shared.rules import CARDS_LEFT
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.layout import Found, Layout, dtype_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

RUNOUTS = comb(47, 2)  # of a flop


class StreetLayout(Layout):
    """A shard is some boards, ``boards_per_shard`` of them, and all hands on each."""

    board_cards: ClassVar[int]
    boards_per_shard: ClassVar[int]
    game = HOLDEM
    max_opponents = 1
    default_opponents = 1

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by boards."""
        from gpuodds.games.shared.boards import canonical_index

        _, offsets = canonical_index(self.board_cards)
        boards = len(offsets) - 1
        ends = [*range(self.boards_per_shard, boards, self.boards_per_shard), boards]
        begins = [0, *ends[:-1]]
        return [range(int(offsets[i]), int(offsets[j])) for i, j in zip(begins, ends, strict=True)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of one hand on a board."""
        from gpuodds.games.holdem.canonical import canonical_row
        from gpuodds.games.shared.boards import canonical_index

        if len(hands) != 1 or len(board) != self.board_cards:
            raise InputError(
                f"table {self.name}: expected one hand and a board of {self.board_cards} cards"
            )
        hand = hands[0]
        if len({*hand, *board}) != 2 + len(board):
            raise InputError(f"{format_cards((*hand, *board))}: a card is given twice")
        keys, offsets = canonical_index(self.board_cards)
        row = int(canonical_row(suit_masks(hand), suit_masks(board), keys, offsets))
        return range(row, row + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of hands (n, 2) on boards (n, board_cards)."""
        from gpuodds.backends.choice import choose_backend, refuse_repeated_rows
        from gpuodds.backends.operations.canonical import CanonicalRows
        from gpuodds.spots.arrays import as_hands_and_boards, on_host

        in_hands, on_board = as_hands_and_boards(on_host(hands, "hands"), on_host(boards, "boards"))
        if on_board.shape[1] != self.board_cards:
            raise InputError(
                f"boards: expected an array of shape (n, {self.board_cards}) for table {self.name}, "
                f"found {on_board.shape}"
            )
        refuse_repeated_rows(in_hands, on_board, "hands and boards")
        return Found(choose_backend("cpu").count(CanonicalRows(in_hands, on_board)).counts)

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return the numbers, hands or boards of some rows."""
        if column == "row":
            return rows
        if column == "board":
            import numpy as np

            from gpuodds.games.shared.boards import canonical_index

            _, offsets = canonical_index(self.board_cards)
            return _board_names(self.board_cards)[np.searchsorted(offsets, rows, "right") - 1]
        from gpuodds.backends.choice import choose_backend
        from gpuodds.backends.operations.canonical import CanonicalSituations
        from gpuodds.tables.hands import combo_names, combo_numbers

        situations = CanonicalSituations(rows.ravel(), self.board_cards)
        hands, _ = choose_backend("cpu").count(situations).counts
        return combo_names()[combo_numbers(hands)].reshape(rows.shape)

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

        from gpuodds.games.shared.boards import canonical_boards, canonical_index

        _, offsets = canonical_index(self.board_cards)
        boards, sizes = canonical_boards(self.board_cards)
        first, last = np.searchsorted(offsets, [rows.start, rows.stop]).tolist()
        return boards[first:last], sizes[first:last], offsets[first:last] - rows.start


class Flops(StreetLayout):
    """All hands on all flops."""

    board_cards = 3
    boards_per_shard = 13
    labels = ("row", "hand", "board")


class Turns(StreetLayout):
    """All hands on all turns."""

    board_cards = 4
    boards_per_shard = 128
    labels = ("row", "hand", "board")


class Rivers(StreetLayout):
    """All hands on all full boards."""

    board_cards = 5
    boards_per_shard = 1000
    labels = ("row",)


class FlopLayout(Flops):
    """Hands on flops against 1 to 9 random hands."""

    name = "flop-random"
    about = "a hand on the flop against 1 to 9 random hands: 1,286,792 situations"
    max_opponents = 9
    default_opponents = 9

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts and equities by opponents, and of hand strength."""
        dtypes: dict[str, str] = {}
        for k in range(1, opponents + 1):
            counts = [f"win_{k}", *(f"tie_{k}_{ties}" for ties in range(1, k + 1))]
            dtypes |= dict.fromkeys(counts, dtype_of(RUNOUTS * deals(CARDS_LEFT, k)))
            dtypes[f"equity_{k}"] = "<f8"
        strength = {"sum_of_squares": "<i8", "strength_squared": "<f8", "histogram": "(50,)<u2"}
        return dtypes | strength | {"deals": "|u1"}


class TurnLayout(Turns):
    """Hands on turns against a random hand."""

    name = "turn-random"
    about = "a hand on the turn against a random hand: 13,960,050 situations"

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of counts, equity and deals."""
        return {"win": "<u2", "tie": "<u2", "equity": "<f8", "deals": "|u1"}


class RiverLayout(Rivers):
    """Hands on full boards against a random hand."""

    name = "river-random"
    about = "a hand on a full board against a random hand: 123,156,254 situations"

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of strength and deals."""
        return {"strength": "<u2", "deals": "|u1"}


class FlopFeaturesLayout(Flops):
    """All hands on all flops, as abstractions tell them apart."""

    name = "flop-features"
    about = "features of a hand on the flop: strength, histograms, clusters of opponents"

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of the features."""
        return {
            "equity": "<f8",
            "strength_squared": "<f8",
            "histogram": "(50,)<u2",
            "turn_histogram": "(50,)|u1",
            "ochs": "(8,)<f4",
            "deals": "|u1",
        }


class TurnFeaturesLayout(Turns):
    """All hands on all turns, as abstractions tell them apart."""

    name = "turn-features"
    about = "features of a hand on the turn: strength, a histogram, clusters of opponents"

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of the features."""
        return {
            "equity": "<f8",
            "strength_squared": "<f8",
            "histogram": "(50,)|u1",
            "ochs": "(8,)<f4",
            "deals": "|u1",
        }


class RiverFeaturesLayout(Rivers):
    """All hands on all full boards, as abstractions tell them apart."""

    name = "river-features"
    about = "features of a hand on a full board: strength, clusters of opponents"

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of the features."""
        return {"strength": "<u2", "ochs": "(8,)<f4", "deals": "|u1"}


class BucketsLayout(StreetLayout):
    """All hands on all boards of a street, by bucket."""

    has_buckets = True

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of buckets and deals."""
        return {"bucket": "<u2", "deals": "|u1"}


class FlopBucketsLayout(BucketsLayout, Flops):
    """All hands on all flops, by bucket."""

    name = "flop-buckets"
    about = "buckets of hands on the flop: gpuodds abstraction build --street flop"


class TurnBucketsLayout(BucketsLayout, Turns):
    """All hands on all turns, by bucket."""

    name = "turn-buckets"
    about = "buckets of hands on the turn: gpuodds abstraction build --street turn"


class RiverBucketsLayout(BucketsLayout, Rivers):
    """All hands on all full boards, by bucket."""

    name = "river-buckets"
    about = "buckets of hands on a full board: gpuodds abstraction build --street river"


@lru_cache
def _board_names(size: int) -> Any:
    import numpy as np

    from gpuodds.games.shared.boards import canonical_boards

    return np.array([format_cards(board) for board in canonical_boards(size)[0].tolist()])


def suit_masks(cards: Cards) -> int:
    """Return the masks of the ranks of cards, 16 bits a suit, as one number."""
    return sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards)
