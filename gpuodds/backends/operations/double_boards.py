"""Two boards from one deck: how runouts share cards, and two players on two boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import CALL
from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

ADDED_SUBSET = 2.5e-9  # seconds to count a runout with one of its subsets
COMPARED = 0.35e-9  # seconds to compare two hands on a runout of a board


@dataclass(frozen=True, eq=False)
class SubsetCounts(Operation[Ints]):
    """Count the runouts of each label that contain each set of cards.

    Its counts: shape (C(n, 0) + C(n, 1) + ... + C(n, most), labels), int64. The sets are in the order
    of their size, those of a size in colexicographic order.

    Attributes:
        labels: The label of each runout, shape (C(n, size),), uint8, in colexicographic order.
        deck: The number n of cards in the deck, 52 at most.
        size: The cards of a runout, 0 to 5.
        most: The largest size of the sets, at most ``size``.
        kinds: The number of labels.
    """

    name: ClassVar[str] = "count_subsets"
    labels: UInt8s
    deck: int
    size: int
    most: int
    kinds: int

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return CALL + len(self.labels) * (1 << self.size) * ADDED_SUBSET

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.double_boards.subset_counts import count_subsets

        return count_subsets(self.labels, self.deck, self.size, self.most, self.kinds)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.double_boards.subset_counts import count_subsets

        return count_subsets(self.labels, self.deck, self.size, self.most, self.kinds, devices)


@dataclass(frozen=True, eq=False)
class PairsOnTwoBoards(Operation[Int32s]):
    """Count how two players' hands do on two boards from one deck, for each pair of hands.

    Its counts: shape (first hands, second hands, 8), int32, of the first player: wins and ties on the
    first board alone, the same on the second, and pairs of disjoint runouts that it wins on both, wins
    on the first and ties on the second, ties and wins, ties on both.

    Attributes:
        first: The ranks of the first player's hands on each board's runouts, shape (2, hands, m) with m
            = 1, n or n x n: no, one or two cards to come from a deck of n, a row for each card. 0 where
            a card is repeated.
        second: The same of the second player.
        deck: The number n of cards in the deck.
        size: The cards to come on each board, 0 to 2.
    """

    name: ClassVar[str] = "count_pairs_on_two_boards"
    first: UInt16s
    second: UInt16s
    deck: int
    size: int

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        pairs = self.first.shape[1] * self.second.shape[1]
        return CALL + float(pairs) * pair_seconds(self.deck, self.size) / threads

    def on_cpu(self, progress: Progress | None = None) -> Int32s:
        """Count on the CPU."""
        from gpuodds.backends.cpu.double_boards.pairs import count_pairs

        return count_pairs(self.first, self.second, self.deck, self.size, progress)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Int32s:
        """Count on GPUs."""
        from gpuodds.backends.cuda.double_boards.pairs import count_pairs

        return count_pairs(self.first, self.second, self.deck, self.size, progress, devices)


def pair_seconds(deck: int, size: int) -> float:
    """Estimate how long a thread of the CPU takes to compare two hands on two boards.

    Args:
        deck: The number of cards in the deck.
        size: The cards to come on each board.
    """
    return 2e-8 + 2 * float(deck**size) * COMPARED
