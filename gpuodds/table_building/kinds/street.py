"""What the tables of streets share: count all hands on the boards of a shard, and check the counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.choice import choose_backend
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.canonical import CanonicalRows, CanonicalSituations
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import TableError
from gpuodds.games.holdem.streets import OPPONENTS
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.recount import count_alike
from gpuodds.tables.columns import board_column, hand_column
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import StreetLayout
from gpuodds.tables.store import StoredTable

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

COMBOS_ON_BOARD = comb(47, 2)  # that a full board leaves


class Numbering(NamedTuple):
    """Every combo that the boards of a shard leave, and its row; several combos may share a row."""

    place: Ints
    """Its place in an array (boards, 1326), flattened, (n,)."""
    row: Ints
    """Its row on its board, (n,), counted from the first of the shard."""
    combos: Ints
    """How many combos share each row, (rows,)."""


class Shard(NamedTuple):
    """The rows of a shard: which combos and how many deals each stands for, and its counts."""

    boards: UInt8s
    """The boards, (b, cards)."""
    starts: Ints
    """Where the rows of each board begin, (b,)."""
    numbering: Numbering
    """Every combo that the boards leave, and its row."""
    deals: pa.Array
    """How many deals of a hand and a board a row stands for, (rows,)."""
    counts: list[npt.NDArray[Any]]
    """By row: wins, ties, and with ``detail`` squares and histogram, as the backend counts them."""


class Street(Kind):
    """A table of a street: all hands on all boards of one size."""

    layout: StreetLayout

    @abstractmethod
    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Count the columns of counts again, by ranking every hand of every deal."""

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Rank every hand of every deal, and rename the suits in every way."""
        hand, board = self.cards_of(row["row"])
        return self.recount_deals(hand, board, opponents) | {"deals": count_alike(hand, board)}

    def cards_of(self, row: int) -> tuple[Cards, Cards]:
        """Return the hand and the board of a row."""
        from gpuodds.methods.hands.canonical import canonical_cards

        hands, boards = canonical_cards([row], self.layout.board_cards)
        return tuple(hands[0].tolist()), tuple(boards[0].tolist())

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check that the rows stand for every deal of a hand and a board."""
        _, sizes, _ = self.layout.boards_of(range(len(table)))
        wanted = int(sizes.sum()) * comb(DECK_SIZE - self.layout.board_cards, 2)
        num_deals = 0
        for number in range(len(table.shards)):
            num_deals += int(table.read_shard(number)["deals"].to_numpy().sum())
        if num_deals != wanted:
            raise TableError(f"{table.folder}: the rows stand for {num_deals} deals, expected {wanted}")
        yield f"deals over all rows: {wanted:,}"

    def deals(self, rows: range, backend: Backend) -> Ints:
        """Return how many of the deals of a hand and a board each row stands for.

        Args:
            rows: All rows of some boards, such as those of a shard.
            backend: What numbers the hands.

        Returns:
            Shape (n,), int64: 24 divided by the ways to rename the suits that leave a row's cards.
        """
        return self._deals(rows, self.number(rows, backend))

    def situations(self, rows: range, backend: Backend) -> tuple[UInt8s, UInt8s]:
        """Return the canonical hands (n, 2) and boards (n, cards) of rows, cards ascending."""
        numbers = np.arange(rows.start, rows.stop, dtype=np.int64)
        return backend.count(CanonicalSituations(numbers, self.layout.board_cards)).counts

    def number(self, rows: range, backend: Backend) -> Numbering:
        """Return the rows of all combos on the boards of some rows."""
        boards, _, _ = self.layout.boards_of(rows)
        place = np.flatnonzero(~_combos_with()[boards].any(axis=1))
        each = len(place) // len(boards)  # as many combos on every board
        combo = place - np.repeat(np.arange(len(boards)) * COMBOS, each)
        on_board = np.repeat(boards, each, axis=0)
        numbers = backend.count(CanonicalRows(combo_cards().take(combo, axis=0), on_board)).counts
        places = numbers - rows.start
        return Numbering(place, places, np.bincount(places, minlength=len(rows)))

    def _deals(self, rows: range, numbering: Numbering) -> Ints:
        # Each combo of a row, on each board that only the names of the suits tell from its own.
        _, sizes, starts = self.layout.boards_of(rows)
        return numbering.combos * np.repeat(sizes, np.diff(starts, append=len(rows)))

    def count(self, rows: range, backend: Backend, detail: bool) -> Shard:
        """Count the rows of a shard against one random hand.

        Raises:
            TableError: Combos that share a row differ, or the pots of a board do not add up.
        """
        boards, _, _ = self.layout.boards_of(rows)
        counted = backend.count(AgainstRandom(self.layout.game, boards, detail)).counts
        arrays = [counted.wins, counted.ties]
        arrays += [counted.squares, counted.histogram] if detail else []
        numbering = self.number(rows, backend)
        by_row = [self.gather(array, numbering) for array in arrays]
        return self.shard_of(rows, numbering, by_row)

    def shard_of(self, rows: range, numbering: Numbering, counts: list[npt.NDArray[Any]]) -> Shard:
        """Return a shard of counts by row.

        Raises:
            TableError: The pots of a board do not add up.
        """
        boards, _, starts = self.layout.boards_of(rows)
        half_pots = 2 * counts[0].astype(np.int64) + counts[1]
        self._check_half_pots(half_pots, numbering.combos, starts)
        deals = pa.array(self._deals(rows, numbering), pa.int32())
        return Shard(boards, starts, numbering, deals, counts)

    def _check_half_pots(self, half_pots: Ints, combos: Ints, starts: Ints) -> None:
        # On each full board as many half pots are won as are played for.
        to_come = BOARD_CARDS - self.layout.board_cards
        runouts = comb(DECK_SIZE - self.layout.board_cards, to_come)
        won = np.add.reduceat(combos * half_pots, starts)
        if not (won == runouts * COMBOS_ON_BOARD * OPPONENTS).all():
            raise TableError(f"{self.name}: the pots of a board do not add up")

    def half_pots(self, values: Mapping[str, Any]) -> Ints | None:
        """Return the half pots that each row wins against one opponent, None if no column has them."""
        return None

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check the deals of each row, and the pots of each board."""
        numbering = self.number(rows, choose_backend("cpu"))
        if not np.array_equal(values["deals"], self._deals(rows, numbering)):
            raise TableError(f"{self.name}: column deals: those of other rows")
        _, _, starts = self.layout.boards_of(rows)
        half_pots = self.half_pots(values)
        if half_pots is not None:
            self._check_half_pots(half_pots, numbering.combos, starts)

    def gather(self, array: Any, numbering: Numbering) -> npt.NDArray[Any]:
        """Return an array (boards, 1326, ...) by row.

        Raises:
            TableError: Combos that share a row differ.
        """
        values = array.reshape(-1, *array.shape[2:]).take(numbering.place, axis=0)
        by_row = np.empty((len(numbering.combos), *values.shape[1:]), values.dtype)
        by_row[numbering.row] = values
        if not np.array_equal(by_row.take(numbering.row, axis=0), values):
            raise TableError(f"{self.name}: hands that differ only by the names of the suits differ")
        return by_row


@lru_cache
def _combos_with() -> npt.NDArray[np.bool_]:
    # Whether a combo has a card, (52, 1326).
    has_card: npt.NDArray[np.bool_] = (np.arange(DECK_SIZE)[:, None, None] == combo_cards()).any(axis=2)
    return has_card


def label_rows(rows: range, shard: Shard, hands: UInt8s) -> dict[str, pa.Array]:
    """Return the columns row, hand and board.

    Args:
        rows: The rows of the shard.
        shard: Their boards.
        hands: The canonical hand of each row, (n, 2), cards ascending.
    """
    low, high = hands[:, 0].astype(np.int64), hands[:, 1].astype(np.int64)
    places = np.searchsorted(shard.starts, np.arange(len(rows)), "right") - 1
    return {
        "row": number_rows(rows),
        "hand": hand_column(high * (high - 1) // 2 + low),
        "board": board_column(places, shard.boards),
    }


def number_rows(rows: range) -> pa.Array:
    """Return the column row."""
    return pa.array(np.arange(rows.start, rows.stop), pa.int32())
