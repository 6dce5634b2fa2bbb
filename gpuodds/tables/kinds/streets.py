"""The tables ``flop-random``, ``turn-random`` and ``river-random``: a hand on a board v random hands.

Rows are those of :mod:`gpuodds.games.holdem.canonical`; a shard is some boards, all hands on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.protocol import Backend
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.boards import canonical_boards, canonical_index
from gpuodds.games.holdem.combos import combo_cards
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.streets import HALF_POTS, OPPONENTS
from gpuodds.tables.kinds.columns import (
    board_column,
    equity_of,
    hand_column,
    whole,
    wide_column,
)
from gpuodds.tables.kinds.kind import BuiltTable, Cards, Kind

Ints = npt.NDArray[np.int64]

HOLDINGS_ON_A_BOARD = 1081  # C(47, 2)
DECK_LEFT = 45
LONG = (1 << 63) - 1


class Street(Kind):
    """A table of a street: hands on boards of so many cards."""

    board_cards: ClassVar[int]
    boards_a_shard: ClassVar[int]
    most_opponents = 1
    usual_opponents = 1

    def shards(self, opponents: int) -> list[range]:
        """Cut the rows by boards."""
        _, offsets = canonical_index(self.board_cards)
        ends = [*range(self.boards_a_shard, len(offsets) - 1, self.boards_a_shard), len(offsets) - 1]
        begins = [0, *ends[:-1]]
        return [range(int(offsets[i]), int(offsets[j])) for i, j in zip(begins, ends, strict=True)]

    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the row of one hand on a board."""
        from gpuodds.games.holdem.canonical import canonical_row

        if len(hands) != 1 or len(board) != self.board_cards:
            raise InputError(
                f"table {self.name}: expected one hand and a board of {self.board_cards} cards"
            )
        hand = hands[0]
        if len({*hand, *board}) != 2 + len(board):
            raise InputError(f"{format_cards((*hand, *board))}: a card is given twice")
        keys, offsets = canonical_index(self.board_cards)
        row = int(canonical_row(_masks(hand), _masks(board), keys, offsets))
        return range(row, row + 1)

    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Rank every hand of every deal: nothing of the way that the table is built."""
        from gpuodds.tables.kinds.recount import count_alike, count_hand, rank_every_deal

        hand, board = self.cards_of(row["row"])
        win, tie, squares, histogram = rank_every_deal(hand, board)
        weight = {"deals": count_alike(hand, board)}
        if self.board_cards == BOARD_CARDS:
            return {"strength": 2 * win + tie} | weight
        if self.board_cards == 4:
            return {"win": win, "tie": tie} | weight
        found: dict[str, Any] = {"win_1": win, "tie_1_1": tie} | weight
        for k in range(2, opponents + 1):
            deals_by_ties = count_hand(hand, board, k)
            found |= {_name(k, ties): count for ties, count in enumerate(deals_by_ties)}
        return found | {"sum_of_squares": squares, "histogram": histogram}

    def cards_of(self, row: int) -> tuple[Cards, Cards]:
        """Return the hand and the board of a row."""
        from gpuodds.methods.canonical import canonical_cards

        hands, boards = canonical_cards([row], self.board_cards)
        return tuple(hands[0].tolist()), tuple(boards[0].tolist())

    def laws(self, table: BuiltTable) -> Iterator[str]:
        """Check that the rows stand for every deal of a hand and a board."""
        _, offsets = canonical_index(self.board_cards)
        boards = int(np.searchsorted(offsets, len(table)))
        wanted = int(canonical_boards(self.board_cards)[1][:boards].sum())
        wanted *= comb(DECK_SIZE - self.board_cards, 2)
        deals_ = 0
        for number in range(len(self.shards(table.opponents))):
            deals_ += int(table.read_shard(number)["deals"].to_numpy().sum())
        if deals_ != wanted:
            raise TableError(f"{table.folder}: the rows stand for {deals_} deals, expected {wanted}")
        yield f"deals over all rows: {wanted:,}"

    def deals(self, rows: range, backend: Backend) -> Ints:
        """Return how many of the deals of a hand and a board each row stands for.

        Args:
            rows: Rows of whole boards, such as those of a shard.
            backend: What numbers the hands.

        Returns:
            Shape (n,), int64: 24 divided by the ways to rename the suits that leave a row's cards.
        """
        return self._number(rows, self._boards(rows)[0], backend)[3]

    def _boards(self, rows: range) -> tuple[npt.NDArray[np.uint8], Ints]:
        # The boards of some rows, and where the rows of each begin among them.
        _, offsets = canonical_index(self.board_cards)
        first, last = np.searchsorted(offsets, [rows.start, rows.stop]).tolist()
        return canonical_boards(self.board_cards)[0][first:last], offsets[first:last] - rows.start

    def _number(
        self, rows: range, boards: npt.NDArray[np.uint8], backend: Backend
    ) -> tuple[Ints, Ints, Ints, Ints]:
        # Each hand on each board: its board, its holding and its row. And the deals of each row: hands
        # on its board times boards that only the names of the suits tell apart.
        cards = combo_cards().astype(np.int64)
        masks = 1 << cards[:, 0] | 1 << cards[:, 1]
        known = (1 << boards.astype(np.int64)).sum(axis=1)
        place, holding = np.nonzero((known[:, None] & masks) == 0)
        found = backend.canonical_rows(combo_cards()[holding], boards[place]) - rows.start
        _, offsets = canonical_index(self.board_cards)
        alike = canonical_boards(self.board_cards)[1][np.searchsorted(offsets, rows.start) :]
        deals_ = np.bincount(found, alike[place].astype(np.float64), len(rows)).astype(np.int64)
        return place, holding, found, deals_

    def _count(self, rows: range, backend: Backend, detail: bool) -> _Shard:
        boards, starts = self._boards(rows)
        counts = backend.against_random(boards, detail)
        arrays = [counts.wins, counts.ties] + ([counts.squares, counts.histogram] if detail else [])
        place, holding, found, deals_ = self._number(rows, boards, backend)
        gathered = []
        for array in arrays:
            values = array[place, holding]
            by_row = np.empty((len(rows), *values.shape[1:]), values.dtype)
            by_row[found] = values
            if not np.array_equal(by_row[found], values):
                raise TableError(f"{self.name}: hands that renaming the suits makes alike differ")
            gathered.append(by_row)
        weights = np.bincount(found, minlength=len(rows))
        # On each full board as many half pots are won as are played for.
        half_pots = np.add.reduceat(weights * (2 * gathered[0].astype(np.int64) + gathered[1]), starts)
        runouts = comb(DECK_SIZE - self.board_cards, BOARD_CARDS - self.board_cards)
        if not (half_pots == runouts * HOLDINGS_ON_A_BOARD * OPPONENTS).all():
            raise TableError(f"{self.name}: the pots of a board do not add up")
        return _Shard(boards, starts, weights, gathered, pa.array(deals_, pa.int32()))

    def _labels(self, rows: range, shard: _Shard, backend: Backend) -> dict[str, Any]:
        hands, _ = backend.canonical_situations(
            np.arange(rows.start, rows.stop, dtype=np.int64), self.board_cards
        )
        low, high = hands[:, 0].astype(np.int64), hands[:, 1].astype(np.int64)
        places = np.searchsorted(shard.starts, np.arange(len(rows)), "right") - 1
        return {
            "row": pa.array(np.arange(rows.start, rows.stop), pa.int32()),
            "hand": hand_column(high * (high - 1) // 2 + low),
            "board": board_column(places, shard.boards),
        }


class _Shard:
    # Boards, where the rows of each begin, holdings of each row, arrays by row, the column of deals.
    def __init__(
        self, boards: Any, starts: Ints, weights: Ints, arrays: list[Any], deals_: pa.Array
    ) -> None:
        self.boards = boards
        self.starts = starts
        self.weights = weights
        self.arrays = arrays
        self.deals = deals_


class RiverRandom(Street):
    """``river-random``: 2 x wins + ties against the 990 hands of one opponent."""

    name = "river-random"
    about = "a hand on a full board against a random hand: 123,156,254 situations"
    board_cards = 5
    boards_a_shard = 1000
    arrays: ClassVar = {"strength": "<u2"}

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count the hands on a thousand boards."""
        shard = self._count(rows, backend, False)
        wins, ties = shard.arrays
        columns = {
            "row": pa.array(np.arange(rows.start, rows.stop), pa.int32()),
            "strength": pa.array(2 * wins + ties, pa.uint16()),
            "deals": shard.deals,
        }
        return pa.table(columns)

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 17.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 2.9


class TurnRandom(Street):
    """``turn-random``: wins and ties against one random hand, over all river cards."""

    name = "turn-random"
    about = "a hand on the turn against a random hand: 13,960,050 situations"
    board_cards = 4
    boards_a_shard = 128

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count the hands on some boards."""
        shard = self._count(rows, backend, False)
        wins, ties = shard.arrays
        outcomes = 46 * OPPONENTS
        columns = {
            **self._labels(rows, shard, backend),
            "win": pa.array(wins, pa.int32()),
            "tie": pa.array(ties, pa.int32()),
            "equity": pa.array((2 * wins + ties) / (2 * outcomes), pa.float64()),
            "deals": shard.deals,
        }
        return pa.table(columns)

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 11.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 5.5


def _masks(cards: Cards) -> int:
    return sum(1 << (16 * (card & 3) + (card >> 2)) for card in cards)


def _name(opponents: int, ties: int) -> str:
    return f"tie_{opponents}_{ties}" if ties else f"win_{opponents}"


class FlopRandom(Street):
    """``flop-random``: deals by ties against 1 to 9 random hands; hand strength against one."""

    name = "flop-random"
    about = "a hand on the flop against 1 to 9 random hands: 1,286,792 situations"
    board_cards = 3
    boards_a_shard = 13
    most_opponents = 9
    usual_opponents = 9

    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count the hands on some flops."""
        shard = self._count(rows, backend, True)
        wins, ties, squares, histogram = shard.arrays
        labels = self._labels(rows, shard, backend)
        runouts = comb(47, 2)
        columns = dict(labels)
        if opponents > 1:
            numbers = np.arange(rows.start, rows.stop, dtype=np.int64)
            hands, boards = backend.canonical_situations(numbers, self.board_cards)
            counted = backend.unbeaten_deals(hands, boards, opponents, None)
            if not (counted[:, 0, :2, 0] == np.stack([wins, ties], axis=1).astype(np.uint64)).all():
                raise TableError(f"{self.name}: two ways to count one opponent differ")
        else:
            counted = np.zeros((len(rows), 1, 2, 2), np.uint64)
            counted[:, 0, 0, 0], counted[:, 0, 1, 0] = wins, ties
        for k in range(1, opponents + 1):
            low, high = counted[:, k - 1, : k + 1, 0], counted[:, k - 1, : k + 1, 1]
            outcomes = runouts * deals(DECK_LEFT, k)
            self._check_pots(shard, low, high, k)
            for t in range(k + 1):
                name = _name(k, t)
                if outcomes <= LONG:
                    columns[name] = pa.array(low[:, t].astype(np.int64), pa.int64())
                else:
                    columns[name] = wide_column(low[:, t], high[:, t])
            columns[f"equity_{k}"] = pa.array(equity_of(low, high, outcomes))
        columns["sum_of_squares"] = pa.array(squares, pa.int64())
        columns["strength_squared"] = pa.array(squares / float(runouts * HALF_POTS**2))
        bins = pa.array(histogram.astype(np.uint16).reshape(-1))
        columns["histogram"] = pa.FixedSizeListArray.from_arrays(bins, histogram.shape[1])
        columns["deals"] = shard.deals
        return pa.table(columns)

    def _check_pots(self, shard: _Shard, low: Any, high: Any, opponents: int) -> None:
        # Over all hands, each of the players wins as much as the others.
        pots = Fraction(0)
        for ties in range(opponents + 1):
            held = whole(low[:, ties], high[:, ties]) * shard.weights
            pots += Fraction(int(held.sum()), ties + 1)
        full = len(shard.boards) * comb(49, 2) * HOLDINGS_ON_A_BOARD
        if pots != Fraction(full * deals(DECK_LEFT, opponents), opponents + 1):
            raise TableError(f"{self.name}: the pots against {opponents} do not add up")

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 30.0 if opponents == 1 else 200.0 + 8.5 * opponents

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes."""
        return 40.0 + 15.0 * opponents + 2.05 * opponents**2
