"""What buckets tell hands apart by: each hand's coordinates, whole numbers, and their distance.

Coordinates are whole numbers so that sums and distances are exact, whatever counts them in whichever
order. The earth mover's distance of two histograms over equity is the sum of the differences of their
cumulative counts, times the width of a bin (Rubner, Tomasi and Guibas, "The earth mover's distance as a
metric for image retrieval", 2000; in one dimension it is that of Mallows).
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.against_clusters import AgainstClusters
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.canonical import CanonicalRows
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError, TableError
from gpuodds.games.holdem.clusters import CLUSTERS, opponent_clusters
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.streets import BINS, HALF_POTS
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.rules import BOARD_CARDS, STREETS
from gpuodds.table_building.kinds.recount import rank_every_deal, recount_ochs
from gpuodds.tables.files.clustering import is_squared
from gpuodds.tables.files.folder import read_file
from gpuodds.tables.files.locate import MANIFEST
from gpuodds.tables.files.origin import this_origin
from gpuodds.tables.hands import Cards
from gpuodds.tables.store import StoredTable

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

MAX_SUM = 1 << 20  # of the counts of a histogram, scaled, whose differences are added
MAX_SQUARED = 1 << 15  # of the same, whose squares are: two of them are below 2^31
STRENGTH_SCALE = 16  # a hand's strength is one number
OCHS_SCALE = (1 << 14) - 1  # of eight numbers, whose squares are added
EQUITY_SCALE = 1 << 20  # of the equities of the next street's buckets
STREET_NAMES = {size: name for name, size in STREETS.items()}


class Measured(NamedTuple):
    """All combos on b boards; those that share a card with their board have anything."""

    points: Int32s
    """Coordinates, (b, 1326, dimensions), int32."""
    half_pots: Ints
    """2 wins + ties against a random hand over all runouts, (b, 1326)."""


class Measure(ABC):
    """What a distance compares on a street."""

    dimensions: int
    """How many coordinates a hand has."""
    scale: int
    """The difference of coordinates that is a difference of one, as in
    :class:`gpuodds.tables.files.clustering.Clustering`."""
    over: str = ""
    """The SHA-256 of the manifest of the next street's buckets, if they are compared."""

    @abstractmethod
    def measure(self, boards: UInt8s, backend: Backend) -> Measured:
        """Return the coordinates of all combos on some boards."""

    @abstractmethod
    def recount(self, hand: Cards, board: Cards) -> list[int]:
        """Return the coordinates of one hand, by ranking every hand of every deal."""

    @abstractmethod
    def seconds_per_board(self) -> float:
        """Return about how long two cores take for a board."""


class Histograms(Measure):
    """The distribution of the strength at the river, over all runouts of a flop or turn, in 50 bins."""

    def __init__(self, board_cards: int, squared: bool) -> None:
        """Take the street; ``squared`` for bins, else their cumulative counts."""
        runouts = comb(DECK_SIZE - 2 - board_cards, BOARD_CARDS - board_cards)
        self._board_cards, self._squared = board_cards, squared
        self._factor = (MAX_SQUARED if squared else MAX_SUM) // runouts
        self.dimensions = BINS if squared else BINS - 1  # all have the same sum
        self.scale = self._factor * runouts * (1 if squared else BINS)

    def measure(self, boards: UInt8s, backend: Backend) -> Measured:
        """Count against a random hand, with histograms."""
        counted = backend.count(AgainstRandom(HOLDEM, boards, True)).counts
        half_pots = 2 * counted.wins.astype(np.int64) + counted.ties
        return Measured(self._points(counted.histogram), half_pots)

    def _points(self, histogram: Any) -> Int32s:
        counts = histogram.astype(np.int32) * np.int32(self._factor)
        points: Int32s = counts if self._squared else _cumulative(counts)
        return points

    def recount(self, hand: Cards, board: Cards) -> list[int]:
        """Rank every hand of every deal."""
        histogram = np.array(rank_every_deal(hand, board)[3])
        points: list[int] = self._points(histogram).tolist()
        return points

    def seconds_per_board(self) -> float:
        """Return what counting with histograms takes."""
        return {3: 12e-3, 4: 1e-3}[self._board_cards]


class Strength(Measure):
    """The strength at the river: one number."""

    dimensions = 1
    scale = STRENGTH_SCALE * HALF_POTS

    def measure(self, boards: UInt8s, backend: Backend) -> Measured:
        """Count against a random hand."""
        counted = backend.count(AgainstRandom(HOLDEM, boards, False)).counts
        half_pots = 2 * counted.wins.astype(np.int64) + counted.ties
        return Measured((STRENGTH_SCALE * half_pots).astype(np.int32)[..., None], half_pots)

    def recount(self, hand: Cards, board: Cards) -> list[int]:
        """Rank every opponent's hand."""
        wins, ties, _, _ = rank_every_deal(hand, board)
        return [STRENGTH_SCALE * (2 * wins + ties)]

    def seconds_per_board(self) -> float:
        """Return what counting takes."""
        return 6e-5


class OpponentClusters(Measure):
    """The equity against each of eight clusters of opponents' hands."""

    dimensions = CLUSTERS
    scale = OCHS_SCALE

    def __init__(self, board_cards: int) -> None:
        """Take the street."""
        self._board_cards = board_cards

    def measure(self, boards: UInt8s, backend: Backend) -> Measured:
        """Count against the clusters."""
        won, deals = backend.count(AgainstClusters(HOLDEM, boards, opponent_clusters())).counts
        played = 2 * np.maximum(deals, 1).astype(np.int64)
        points = (2 * OCHS_SCALE * won.astype(np.int64) + played) // (2 * played)  # rounded
        return Measured(points.astype(np.int32), won.sum(axis=2, dtype=np.int64))

    def recount(self, hand: Cards, board: Cards) -> list[int]:
        """Rank every hand of every deal."""
        won, deals = recount_ochs(hand, board)
        pairs = zip(won.tolist(), deals.tolist(), strict=True)
        return [(2 * OCHS_SCALE * w + 2 * d) // (4 * d) for w, d in pairs]

    def seconds_per_board(self) -> float:
        """Return what counting takes."""
        return {3: 9e-3, 4: 6e-4, 5: 9e-5}[self._board_cards]


class NextBuckets(Measure):
    """The distribution over the buckets of the next street, which lie along a line by their equity.

    The potential-aware distance (Ganzfried and Sandholm, "Potential-aware imperfect-recall abstraction
    with earth mover's distance in imperfect-information games", 2014), with the difference of their
    equities as the distance of two buckets of the next street.
    """

    def __init__(self, board_cards: int, folder: Path) -> None:
        """Open the buckets of the next street.

        Raises:
            InputError: The river has none.
            TableError: The folder holds another table, an unfinished one or one of another gpuodds.
        """
        if board_cards == BOARD_CARDS:
            raise InputError("buckets of the river: there is no next street to compare them by")
        table, wanted = StoredTable(folder), f"{STREET_NAMES[board_cards + 1]}-buckets"
        clustering = table.manifest.clustering
        if table.name != wanted or clustering is None:
            raise TableError(f"{folder}: it holds {table.name}, expected {wanted}")
        here = this_origin()
        if table.manifest.origin != here:
            raise TableError(f"{folder}: built by {table.manifest.origin}, this is {here}: build again")
        self._board_cards, self._table = board_cards, table
        self._buckets = table.array("bucket")
        self.over = hashlib.sha256(read_file(folder / MANIFEST)).hexdigest()
        # Buckets without hands come last: nothing falls to them.
        equities = np.nan_to_num(clustering.equities, nan=2.0)
        order = np.argsort(equities, kind="stable")
        self._places = np.empty(len(order), np.int64)
        self._places[order] = np.arange(len(order))
        units = np.rint(np.minimum(equities[order], 1.0) * EQUITY_SCALE).astype(np.int32)
        self._gaps = np.diff(units)
        self._cards = DECK_SIZE - 2 - board_cards  # that may come
        self.dimensions = max(len(self._gaps), 1)
        self.scale = EQUITY_SCALE * self._cards

    def measure(self, boards: UInt8s, backend: Backend) -> Measured:
        """Look up the bucket of each hand with each card to come."""
        counted = backend.count(AgainstRandom(HOLDEM, boards, False)).counts
        points = np.zeros((len(boards), COMBOS, self.dimensions), np.int32)
        for number, board in enumerate(boards):
            points[number] = self._on_board(board, backend)
        return Measured(points, 2 * counted.wins.astype(np.int64) + counted.ties)

    def _on_board(self, board: UInt8s, backend: Backend) -> Int32s:
        hands = combo_cards()
        later = np.setdiff1d(np.arange(DECK_SIZE, dtype=np.uint8), board)
        left = ~np.isin(hands, board).any(axis=1)
        dealt = left & (hands[None] != later[:, None, None]).all(axis=2)
        card, combo = np.nonzero(dealt)
        on_next = np.hstack([np.tile(board, (len(card), 1)), later[card][:, None]])
        rows = backend.count(CanonicalRows(hands[combo].astype(np.uint8), on_next)).counts
        return self._points(combo, self._buckets[rows])

    def _points(self, combo: Ints, buckets: Any) -> Int32s:
        # Of each combo, how many cards lead to each bucket or a weaker one, by the gap after it.
        size = len(self._places)
        counts = np.bincount(combo * size + self._places[buckets], minlength=COMBOS * size)
        if size == 1:
            return np.zeros((COMBOS, 1), np.int32)
        below = _cumulative(counts.reshape(COMBOS, size).astype(np.int32))
        weighed: Int32s = below * self._gaps
        return weighed

    def recount(self, hand: Cards, board: Cards) -> list[int]:
        """Look the hand up with each card to come, one by one."""
        layout = self._table.layout
        left = [card for card in range(DECK_SIZE) if card not in (*hand, *board)]
        rows = [layout.find([hand], (*board, card), 1).start for card in left]
        buckets = np.array([row["bucket"] for row in self._table.rows(rows)])
        points: list[int] = self._points(np.zeros(len(rows), np.int64), buckets)[0].tolist()
        return points

    def seconds_per_board(self) -> float:
        """Return what counting and looking up takes."""
        return {3: 22e-3, 4: 2e-2}[self._board_cards]


def _cumulative(counts: Int32s) -> Int32s:
    sums: Int32s = np.cumsum(counts, axis=-1, dtype=np.int32)[..., :-1]
    return sums


def make_measure(distance: str, board_cards: int, over: Path | None = None) -> Measure:
    """Return what a distance compares on a street.

    Args:
        distance: One of :data:`gpuodds.tables.files.clustering.DISTANCES`.
        board_cards: 3, 4 or 5.
        over: The folder of the buckets of the next street, to compare distributions over them.

    Raises:
        InputError: ``over`` is given with another distance than "emd", or on the river.
        TableError: The folder holds something else.
    """
    if over is not None:
        if distance != "emd":
            raise InputError(f"distance {distance}: expected emd for buckets of the next street")
        return NextBuckets(board_cards, over)
    if distance == "ochs":
        return OpponentClusters(board_cards)
    if board_cards == BOARD_CARDS:
        return Strength()
    return Histograms(board_cards, is_squared(distance))
