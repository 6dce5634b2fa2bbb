"""Count the features of hands, by which abstractions tell them apart, on flops, turns and rivers."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import TableError
from gpuodds.games.holdem.clusters import CLUSTERS, opponent_clusters
from gpuodds.games.holdem.streets import BINS, HALF_POTS
from gpuodds.games.shared.combos import COMBOS
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.table_building.kinds.recount import rank_every_deal, recount_ochs
from gpuodds.table_building.kinds.street import Shard, Street, label_rows, number_rows
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import (
    RUNOUTS,
    FlopFeaturesLayout,
    RiverFeaturesLayout,
    TurnFeaturesLayout,
)

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

RIVER_CARDS = 46  # after a turn
TURN_CARDS = 47  # after a flop


class FlopCounts(NamedTuple):
    """Counts on flops by combo: see :class:`gpuodds.games.holdem.streets.StreetCounts`."""

    half_pots: Ints
    """2 wins + ties, (n, 1326)."""
    squares: Ints
    histogram: Ints
    turns: Ints
    """Turns by equity, in 50 bins, (n, 1326, 50)."""


class Features(Street):
    """A table of features: what it has in common with others is how hands fare against clusters."""

    def ochs(self, shard: Shard, backend: Backend) -> pa.Array:
        """Return the column ochs: the share of the pot against each cluster of opponents' hands.

        Raises:
            TableError: The pots against all clusters are not those against a random hand.
        """
        given = self.layout.game, shard.boards, opponent_clusters()
        counted = backend.count(AgainstClusters(*given)).counts
        half_pots, deals = (self.gather(array, shard.numbering) for array in counted)
        if not np.array_equal(half_pots.sum(axis=1), self.half_pots_of(shard)):
            raise TableError(f"{self.name}: the pots against clusters do not add up")
        shares = _shares(half_pots, deals)
        return pa.FixedSizeListArray.from_arrays(pa.array(shares.reshape(-1)), CLUSTERS)

    def half_pots_of(self, shard: Shard) -> Ints:
        """Return 2 wins + ties of each row against a random hand."""
        half_pots: Ints = 2 * shard.counts[0].astype(np.int64) + shard.counts[1]
        return half_pots

    def total(self) -> int:
        """Return the half pots that a row plays for against a random hand."""
        size = self.layout.board_cards
        return comb(DECK_SIZE - 2 - size, BOARD_CARDS - size) * HALF_POTS

    def half_pots(self, values: Mapping[str, Any]) -> Ints:
        """Return 2 x wins + ties, of which the equity is a share."""
        half_pots: Ints = np.rint(values["equity"] * self.total()).astype(np.int64)
        return half_pots

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check also the histograms, and that the mean over clusters is the equity."""
        super().check_counts(rows, opponents, part, values)
        for name, runouts in self.histograms().items():
            if (values[name].sum(axis=1, dtype=np.int64) != runouts).any():
                raise TableError(f"{self.name}: a {name} does not have all cards")

    def histograms(self) -> dict[str, int]:
        """Return how many runouts each histogram has, by column."""
        return {}

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every hand of every deal."""
        win, tie, squares, histogram = rank_every_deal(hand, board)
        runouts = self.total() // HALF_POTS
        return {
            "equity": (2 * win + tie) / self.total(),
            "strength_squared": squares / float(runouts * HALF_POTS**2),
            "histogram": histogram,
            "ochs": _shares(*recount_ochs(hand, board)).tolist(),
        }


class TurnFeatures(Features):
    """Strength, its square and its histogram over river cards, and clusters, of a hand on the turn."""

    layout = TurnFeaturesLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some boards."""
        shard = self.count(rows, backend, detail=True)
        squares, histogram = shard.counts[2], shard.counts[3]
        return pa.table(
            {
                **label_rows(rows, shard, self.situations(rows, backend)[0]),
                "equity": pa.array(self.half_pots_of(shard) / self.total()),
                "strength_squared": pa.array(squares / float(RIVER_CARDS * HALF_POTS**2)),
                "histogram": _lists(histogram, np.uint8),
                "ochs": self.ochs(shard, backend),
                "deals": shard.deals,
            }
        )

    def histograms(self) -> dict[str, int]:
        """Return how many rivers a histogram has."""
        return {"histogram": RIVER_CARDS}

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 35.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 18.0


class RiverFeatures(Features):
    """Strength, and clusters of opponents, of a hand on a full board."""

    layout = RiverFeaturesLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some boards."""
        shard = self.count(rows, backend, detail=False)
        return pa.table(
            {
                "row": number_rows(rows),
                "strength": pa.array(self.half_pots_of(shard), pa.uint16()),
                "ochs": self.ochs(shard, backend),
                "deals": shard.deals,
            }
        )

    def half_pots(self, values: Mapping[str, Any]) -> Ints:
        """Return the strength."""
        strength: Ints = values["strength"].astype(np.int64)
        return strength

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 52.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 3.3

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every opponent's hand."""
        win, tie, _, _ = rank_every_deal(hand, board)
        return {"strength": 2 * win + tie, "ochs": _shares(*recount_ochs(hand, board)).tolist()}


class FlopFeatures(Features):
    """Strength, histograms over full boards and turn cards, and clusters, of a hand on the flop."""

    layout = FlopFeaturesLayout()

    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the hands on some flops, turn by turn."""
        boards, _, _ = self.layout.boards_of(rows)
        counted = self._count_turns(boards, backend, progress)
        numbering = self.number(rows, backend)
        half_pots, squares, histogram, turns = (self.gather(array, numbering) for array in counted)
        shard = self.shard_of(rows, numbering, [half_pots // 2, half_pots % 2])
        return pa.table(
            {
                **label_rows(rows, shard, self.situations(rows, backend)[0]),
                "equity": pa.array(half_pots / self.total()),
                "strength_squared": pa.array(squares / float(RUNOUTS * HALF_POTS**2)),
                "histogram": _lists(histogram, np.uint16),
                "turn_histogram": _lists(turns, np.uint8),
                "ochs": self.ochs(shard, backend),
                "deals": shard.deals,
            }
        )

    def _count_turns(self, boards: UInt8s, backend: Backend, progress: Progress | None) -> FlopCounts:
        # Each full board is met twice, once by either of its cards as the turn.
        shape = len(boards), COMBOS
        half_pots, squares = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        histogram, turns = (np.zeros((*shape, BINS), np.int32) for _ in range(2))
        every = np.arange(COMBOS)
        for number, board in enumerate(boards):
            later = np.setdiff1d(np.arange(DECK_SIZE, dtype=np.uint8), board)
            on_turns = np.concatenate([np.tile(board, (len(later), 1)), later[:, None]], axis=1)
            counted = backend.count(AgainstRandom(self.layout.game, on_turns, True)).counts
            won = 2 * counted.wins.astype(np.int64) + counted.ties
            half_pots[number] = won.sum(axis=0) // 2
            squares[number] = counted.squares.sum(axis=0) // 2
            histogram[number] = counted.histogram.sum(axis=0) // 2
            bins = np.minimum(won * BINS // (RIVER_CARDS * HALF_POTS), BINS - 1)
            dealt: npt.NDArray[np.bool_] = np.asarray(counted.histogram.any(axis=2))
            for turn in range(len(later)):
                has = dealt[turn]
                turns[number, every[has], bins[turn][has]] += 1
            if progress is not None:
                progress((number + 1) / len(boards))
        return FlopCounts(half_pots, squares, histogram.astype(np.int64), turns.astype(np.int64))

    def histograms(self) -> dict[str, int]:
        """Return how many full boards and turns the histograms have."""
        return {"histogram": RUNOUTS, "turn_histogram": TURN_CARDS}

    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes."""
        return 85.0

    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""
        return 65.0

    def recount_deals(self, hand: Cards, board: Cards, opponents: int) -> dict[str, Any]:
        """Rank every hand of every deal, on each turn too."""
        turns = [0] * BINS
        for card in range(DECK_SIZE):
            if card not in (*hand, *board):
                win, tie, _, _ = rank_every_deal(hand, (*board, card))
                turns[min((2 * win + tie) * BINS // (RIVER_CARDS * HALF_POTS), BINS - 1)] += 1
        return super().recount_deals(hand, board, opponents) | {"turn_histogram": turns}


def _lists(numbers: Any, dtype: Any) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(pa.array(numbers.astype(dtype).reshape(-1)), BINS)


def _shares(half_pots: Any, deals: Any) -> npt.NDArray[np.float32]:
    shares: npt.NDArray[np.float32] = (half_pots / (2.0 * deals)).astype(np.float32)
    return shares
