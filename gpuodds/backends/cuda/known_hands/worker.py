"""The matchings of spots on one device: pieces are classified, graphs solved once, then sums taken.

Pieces come one by one. Their board classes wait with the numbers of their graphs until all have come,
or the memory set aside for them is full; then new graphs are solved in a few launches. Against one or
two opponents one kernel does everything, where a spot has one known hand. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.known_hands.spots import Keys, Spots, group_keys, list_classes, spot_keys
from gpuodds.backends.cuda.known_hands.sums import add_groups
from gpuodds.backends.cuda.known_hands.threat_graphs import CLASS_BYTES, Graphs, Pairs
from gpuodds.backends.cuda.shared.device import free_bytes, is_out_of_memory, launch, release_memory
from gpuodds.backends.cuda.shared.layout import GRAPH_THREADS
from gpuodds.games.shared.rules import BOARD_CARDS

CLOSED_FORM = 2  # edges whose matchings need no solved graph
MAX_CLASSES = 1 << 23  # of a piece, after each of which work can be stopped; not yet timed on a GPU
WAITING_BYTES = 28  # of a class: its row, group and graph
WAITING_SHARE = 4  # classes that wait get a quarter of the memory that is free at the start

# Board classes of an item, by cards to come: an average of random hands, and what the worst hand has
# where a single spot can fill a piece.
CLASSES_PER_ITEM = (1.0, 2.0, 3.6, 7.0, 12.5, 16.0)
CLASSES_PER_SUM = (1, 4, 8, 8, 8, 8)
LANE_BITS = (0, 1, 2, 3, 4, 4)  # log2 of the threads that share an item's classes

# Called with the first spot, the one after the last, their groups and the sums of these.
Receive = Callable[[int, int, Keys, Any], None]


def max_classes(most: int, to_come: int) -> int:
    """Return the number of board classes that fit the current device's memory, with their sums.

    ``to_come`` is the number of cards to come: on a full board each class has a sum of its own.
    """
    sums = 16 * (most + 1) ** 2 / CLASSES_PER_SUM[to_come]
    fitting = int(free_bytes() // 2 / (CLASS_BYTES + sums))
    return max(1, min(fitting, MAX_CLASSES))


def max_items(most: int, on_board: int, players: int) -> int:
    """Return the number of items of a piece, for boards of ``on_board`` cards and known players."""
    to_come = BOARD_CARDS - on_board
    classes = MAX_CLASSES if _in_one_launch(most, players) else max_classes(most, to_come)
    return max(1, int(classes / CLASSES_PER_ITEM[to_come]))


def _in_one_launch(most: int, players: int) -> bool:
    """Return whether :func:`sum_pairs` counts, which keeps no classes."""
    return most <= CLOSED_FORM and players == 1


@dataclass(frozen=True)
class Piece:
    """Classes of the spots ``first`` to ``last`` that wait for their graphs: see ``add_groups``."""

    first: int
    last: int
    keys: Any
    classes: Any
    graphs: Any
    receive: Receive

    def halves(self) -> list[Piece]:
        """Part the piece between two spots."""
        import cupy

        middle = (self.first + self.last) // 2
        cut = int(cupy.searchsorted(self.keys, cupy.asarray(np.array([middle << 29]))).get()[0])
        lower, upper = slice(cut), slice(cut, None)
        return [
            Piece(begin, end, self.keys[at], self.classes[at], self.graphs[at], self.receive)
            for begin, end, at in ((self.first, middle, lower), (middle, self.last, upper))
        ]


class Worker:
    """The state of one device that counts matchings of spots, up to ``most`` edges."""

    def __init__(self, most: int) -> None:
        """Prepare on the current device."""
        self.most = most
        self.graphs = Graphs(most) if most > CLOSED_FORM else None
        self.waiting: list[Piece] = []
        self.max_waiting = free_bytes() // WAITING_SHARE // WAITING_BYTES if self.graphs else 0

    def add_items(self, spots: Spots, begin: int, end: int, receive: Receive) -> None:
        """Count matchings over the items ``begin`` to ``end``.

        ``receive`` is called now or by :meth:`finish`.
        """
        if self.graphs is None:
            sums = self._add_pairs(spots, begin, end)
            if sums is not None:
                receive(*spots.range_of(begin, end), *sums)
            return
        try:
            piece = self._classify(self.graphs, spots, begin, end, receive)
        except Exception as error:
            if not is_out_of_memory(error) or not self.waiting:
                raise
            release_memory()
            self.finish()  # what waits makes room
            piece = self._classify(self.graphs, spots, begin, end, receive)
        if piece is not None:
            self.waiting.append(piece)
        if sum(len(piece.keys) for piece in self.waiting) > self.max_waiting:
            self.finish()

    def finish(self) -> None:
        """Solve the graphs of all pieces that wait, and sum each piece."""
        if self.graphs is None:
            return
        self.graphs.solve()
        while self.waiting:
            self._sum(self.waiting[0], self.graphs)
            del self.waiting[0]

    def _sum(self, piece: Piece, graphs: Graphs) -> None:
        try:
            groups, sums = add_groups(piece.keys, piece.classes, piece.graphs, graphs)
            piece.receive(piece.first, piece.last, groups, sums)
        except Exception as error:
            if not is_out_of_memory(error) or piece.last - piece.first == 1:
                raise
            release_memory()
            for half in piece.halves():
                self._sum(half, graphs)

    def _classify(
        self, graphs: Graphs, spots: Spots, begin: int, end: int, receive: Receive
    ) -> Piece | None:
        classes = list_classes(spots, begin, end, max_classes(self.most, spots.to_come))
        if len(classes) == 0:  # dead cards can rule all boards of some items out
            return None
        numbers, decks = graphs.find(spots, begin, classes)
        keys = group_keys(spots, begin, classes, decks)
        return Piece(*spots.range_of(begin, end), keys, classes, numbers, receive)

    def _add_pairs(self, spots: Spots, begin: int, end: int) -> tuple[Keys, Any] | None:
        import cupy

        if _in_one_launch(self.most, spots.hands.shape[1]):
            return sum_pairs(spots, begin, end, self.most)
        classes = list_classes(spots, begin, end, max_classes(self.most, spots.to_come))
        if len(classes) == 0:
            return None
        decks = spots.deck[(classes[:, 0].astype(np.int64) + begin) // len(spots.runout_ranks)]
        numbers = cupy.arange(len(classes), dtype=np.int32)
        pairs = Pairs(spots, begin, classes, self.most)
        return add_groups(group_keys(spots, begin, classes, decks), classes, numbers, pairs)


def sum_pairs(spots: Spots, begin: int, end: int, most: int) -> tuple[Keys, Any]:
    """Sum the matchings of one or two edges over the items ``begin`` to ``end``, in one launch.

    The spots have one known hand each. Returns what ``add_groups`` does.
    """
    import cupy

    first, last = spots.range_of(begin, end)
    sums = cupy.zeros((last - first, most + 1, most + 1, 2), np.uint64)
    bits = LANE_BITS[spots.to_come]
    launch(
        "known_hands/sum_pairs",
        "sum_pairs",
        end - begin << bits,
        GRAPH_THREADS,
        (
            spots.packed,
            packed_tables(spots.game),
            np.int64(begin),
            np.int64(end - begin),
            np.int32(bits),
            np.int32(most + 1),
            sums,
        ),
    )
    return spot_keys(first, spots.decks[first:last]), sums
