"""Two or three random opponents on a GPU by plain enumeration: the reference for the exact engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpuodds.backends.cuda import device
from gpuodds.backends.cuda.ranks import packed_pairs, rank_tables
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.holdem.boards import UInt8s
from gpuodds.games.holdem.combos import Ints

# The kernel is CUDA C++ through CuPy's RawModule rather than numba.cuda because it shares its look-ups
# with the other kernels through a header. Not yet measured on a GPU.

COLUMNS = 4  # ties of the kernel's output: 0 to 3


def enumerate_deals(
    hero: tuple[int, int], boards: UInt8s, opponents: int, dead: Sequence[int] = ()
) -> Ints:
    """Count on each board the deals of random opponents that do not beat a holding, by ties.

    ``hero`` are two card numbers; ``boards`` has shape (n, 5), dtype uint8, card numbers of full
    boards; ``opponents`` is 2 or 3; ``dead`` are cards that are out of play. All cards of a board,
    ``hero`` and ``dead`` are different; that is not checked. The result is a NumPy array of shape
    (n, opponents + 1), dtype int64: entry [b, t] counts the sets of disjoint opponents' holdings on
    board b of which none beats ``hero`` and exactly t tie with it. The order of the opponents does not
    matter.

    Raises:
        InputError: ``opponents`` is not 2 or 3.
    """
    import cupy

    if opponents not in (2, 3):
        raise InputError(f"opponents {opponents}: plain enumeration takes 2 or 3")
    undealt = (1 << DECK_SIZE) - 1 - sum(1 << card for card in (*hero, *dead))
    deals = cupy.empty((len(boards), COLUMNS), np.uint64)
    arguments = (
        np.int32(hero[0]),
        np.int32(hero[1]),
        cupy.ascontiguousarray(cupy.asarray(boards, np.uint8)),
        np.int64(len(boards)),
        np.uint64(undealt),
        np.int32(opponents),
        packed_pairs(),
        *rank_tables(),
        deals,
    )
    blocks = device.grid(len(boards), 1)  # a block a board
    device.kernel("enumerate_deals", "enumerate_deals")(blocks, (device.BLOCK,), arguments)
    counts: Ints = deals.get().astype(np.int64)[:, : opponents + 1]
    return counts
