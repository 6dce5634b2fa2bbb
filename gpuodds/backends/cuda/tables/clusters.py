"""Every combo against clusters of hands, over all runouts of boards, on GPUs.

CUDA C++ through CuPy: a block compares the combos of a full board in shared memory. Not yet measured
on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.tables.clusters import count_deals
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import launches, share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.clusters import CLUSTERS, ClusterCounts
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.boards import subsets
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS

UInt8s = npt.NDArray[np.uint8]

MAX_FULL_BOARDS = 1 << 15  # of a launch, boards x runouts; at least the runouts of one board
ITEMS_PER_BLOCK = 4  # so that blocks end at about the same time
MAX_BOARDS = 1 << 12  # of a batch: 42 kB each


def against_clusters(
    boards: Any, clusters: UInt8s, devices: Sequence[int], game: Holdem
) -> ClusterCounts:
    """Count how each combo fares on boards of three to five cards: see the operation."""
    import cupy

    size = boards.shape[1]
    runouts = subsets(DECK_SIZE - size, BOARD_CARDS - size)
    counts = np.zeros((len(boards), COMBOS, CLUSTERS), np.int32)
    order = np.argsort(clusters, kind="stable").astype(np.uint16)
    cards = combo_cards()[order].astype(np.uint16)
    ends = np.cumsum(np.bincount(clusters, minlength=CLUSTERS)).astype(np.int32)

    def start() -> Callable[[int, int], None]:
        # A full board has one runout of no cards; the kernel still takes an array.
        places = cupy.asarray(runouts if runouts.size else np.zeros((1, 1), np.uint8))
        hands = (cards[:, 0] | cards[:, 1] << 8, order, ends)
        pairs, combos, ends_of = (cupy.asarray(array) for array in hands)
        count = device.kernel("tables/against_clusters", "against_clusters")

        def work(begin: int, end: int) -> None:
            counted = cupy.zeros((end - begin, COMBOS, CLUSTERS), np.int32)
            on_device, num_runouts = cupy.asarray(boards[begin:end]), len(runouts)
            # As many runouts an item as leave every block that can run at once some items.
            most = ITEMS_PER_BLOCK * device.resident_blocks(count, THREADS)
            for first, last in launches(0, end - begin, MAX_FULL_BOARDS // num_runouts):
                share = max(1, (last - first) * num_runouts // most)
                arguments = (
                    on_device[first:last], np.int32(size), np.int64(last - first), places,
                    np.int32(num_runouts), np.int32(share), pairs, combos, ends_of,
                    packed_tables(game), counted[first:last],
                )  # fmt: skip
                count(((last - first) * -(-num_runouts // share),), (THREADS,), arguments)
            counts[begin:end] = cupy.asnumpy(counted)

        return work

    share_out(devices, len(boards), start, lambda: MAX_BOARDS, None)
    deals = count_deals(boards, clusters)
    counts += deals  # wins less losses, and wins, ties and losses, are 2 wins + ties
    return ClusterCounts(counts, deals)
