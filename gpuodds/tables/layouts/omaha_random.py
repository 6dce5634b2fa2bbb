"""The rows of ``omaha-preflop-random`` and its kin: each starting hand against one random hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.spots.spot import Spot
from gpuodds.tables.hands import Cards, Hand, Row
from gpuodds.tables.layouts.layout import Found, Layout, Rows, expect_no_board
from gpuodds.tables.omaha_hands import read_omaha_hand

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]

STARTING_HANDS = {4: 16_432, 5: 134_459}  # by hole cards
COUNTS = ("win", "tie")
HI_LO_COUNTS = (*COUNTS, "high_win", "high_tie", "no_low_win", "no_low_tie", "low_win", "low_tie")
PARTS = 4  # of the pot: every share of two players is a multiple


class OmahaRandomLayout(Layout):
    """A starting hand has one row, which counts the deals of one combo: ``combos`` is how many it has.

    Rows are in the order of :func:`gpuodds.games.omaha.starting_hands.starting_hands`. All are counted
    at once, so they are one shard.
    """

    labels = ("hand",)

    def __init__(self, game: Game) -> None:
        """Take a game of Omaha."""
        self.game = game
        self.name = f"{game.name}-preflop-random"
        self.hands = STARTING_HANDS[game.hole_cards]
        self.about = f"{self.hands:,} starting hands of {game.name} against a random hand"
        self.counts = HI_LO_COUNTS if game.has_low else COUNTS

    @property
    def outcomes(self) -> int:
        """The number of boards times hands of the opponent."""
        return Spot((tuple(range(self.game.hole_cards)),), 1, game=self.game).outcomes

    def shards(self, opponents: int) -> list[range]:
        """Return one shard."""
        return [range(self.hands)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of one hand."""
        self._check(hands, board)
        row = self._rows_of(hands)[0]
        return range(row, row + 1)

    def find_all(self, hands: Any, boards: Any, opponents: int) -> Found:
        """Return the rows of hands (n, hole cards)."""
        from gpuodds.backends.choice import refuse_repeated_rows
        from gpuodds.games.omaha.starting_hands import class_of
        from gpuodds.spots.arrays import as_cards, on_host

        expect_no_board(self.name, boards)
        cards = as_cards(on_host(hands, "hands"), "hands", (self.game.hole_cards,))
        refuse_repeated_rows(cards, cards[:, :0], "hands")
        return Found(class_of(cards))

    def arrays(self, opponents: int) -> dict[str, str]:
        """Return the dtypes of combos, counts and equity."""
        counts = dict.fromkeys(["outcomes", *self.counts], "<i8")
        return {"combos": "|u1", **counts, "equity": "<f8"}

    def label(self, column: str, rows: Ints, opponents: int) -> Any:
        """Return the names of the starting hands."""
        return hand_names(self.game.hole_cards)[rows]

    def read_hand(self, hand: Any) -> Hand:
        """Return a hand from cards, the name of a starting hand, or a rank class."""
        return read_omaha_hand(hand, self.game)

    def lookup(self, table: Rows, hands: list[Hand], board: Cards) -> list[Row]:
        """Return the row of one hand; for several starting hands the sums over all their combos."""
        self._check(hands, board)
        wanted = self._rows_of(hands[0].combos)
        rows = [row for number in wanted for row in table.rows(range(number, number + 1))]
        if len(rows) == 1:
            return rows
        row_of_class: Row = {"hand": hands[0].name, "combos": sum(row["combos"] for row in rows)}
        for name in ("outcomes", *self.counts):
            row_of_class[name] = sum(row["combos"] * row[name] for row in rows)
        return [row_of_class | {"equity": equity(row_of_class, row_of_class["outcomes"])}]

    def _rows_of(self, combos: Any) -> list[int]:
        import numpy as np

        from gpuodds.games.omaha.starting_hands import class_of

        numbers: list[int] = class_of(np.array(combos)).tolist()
        return numbers

    def _check(self, hands: Any, board: Cards) -> None:
        if len(hands) != 1 or board:
            raise InputError(f"table {self.name}: expected one hand and no board")


@lru_cache
def hand_names(size: int) -> Any:
    """Return the names of all starting hands of ``size`` cards, by row: an array of strings."""
    import numpy as np

    from gpuodds.games.omaha.starting_hands import class_names

    return np.array(class_names(size))


def pot(counts: Mapping[str, Any]) -> Any:
    """Return the shares of the pot of a row, or of all rows, in quarters.

    >>> pot({"win": 10, "tie": 3})
    46
    """
    if "low_win" not in counts:
        return 4 * counts["win"] + 2 * counts["tie"]
    wins = counts["high_win"] + counts["no_low_win"] + counts["low_win"]
    return 2 * wins + counts["high_tie"] + counts["no_low_tie"] + counts["low_tie"]


def equity(counts: Mapping[str, Any], outcomes: Any) -> Any:
    """Return the equity of a row, or of all rows: the float64 nearest to the exact share."""
    return pot(counts) / (PARTS * outcomes)
