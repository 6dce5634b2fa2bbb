"""Opponents one by one on a GPU: the reference for faster methods, and the plain row of the benchmark.

CUDA C++ through CuPy, on the headers of kernels/. Nothing in the package uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gpuodds.backends.cuda.arrays.ranks import packed_pairs, packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.boards import UInt8s
from gpuodds.games.shared.combos import Ints
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.spots.spot import Spot

COLUMNS = 4  # ties of the kernel's output: 0 to 3
FEW_THREADS = 64  # each repeats a board's preparation, which takes as long as ten showdowns


@cache
def kernel(name: str) -> Any:
    """Return the kernel of ``<name>.cu`` in this folder."""
    import cupy

    code = device.expand(Path(__file__).with_name(f"{name}.cu").read_text("utf-8"))
    return cupy.RawModule(code=code, options=device.OPTIONS).get_function(name)


def enumerate_heads_up(
    hero: tuple[int, int], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> tuple[int, int, int]:
    """Count how a hand fares against a random one by ranking both on every board.

    Args:
        hero: Two card numbers.
        board: 0 to 5 board cards.
        dead: Cards out of play.

    Returns:
        The outcomes, boards times opponent's combos, that hero wins, ties and loses.
    """
    import cupy

    spot = Spot((hero,), 1, tuple(board), tuple(dead), game=HOLDEM)
    deck = np.array([card for card in range(DECK_SIZE) if card not in spot.known], np.uint8)
    known = np.array([*spot.board, *[0] * (BOARD_CARDS - len(board))], np.uint8)
    counts = cupy.zeros(3, np.uint64)
    arguments = (
        np.int32(hero[0]),
        np.int32(hero[1]),
        cupy.asarray(deck),
        np.int32(len(deck)),
        cupy.asarray(known),
        np.int32(BOARD_CARDS - len(board)),
        packed_pairs(),
        packed_tables(HOLDEM),
        counts,
    )
    launch = kernel("enumerate_heads_up")
    grid = device.grid(launch, spot.boards, FEW_THREADS)  # a block a board at most
    launch(grid, (FEW_THREADS,), arguments)
    wins, ties, losses = counts.get().tolist()
    return wins, ties, losses


def enumerate_deals(
    hero: tuple[int, int], boards: UInt8s, opponents: int, dead: Sequence[int] = ()
) -> Ints:
    """Count on each board the deals of random opponents that do not beat a hand, by ties.

    Args:
        hero: Two card numbers.
        boards: (n, 5) uint8, full boards; not checked.
        opponents: 2 or 3.
        dead: Cards out of play.

    Returns:
        (n, opponents + 1) int64: entry [b, t] counts the sets of disjoint opponents' combos on board b
        of which none beats ``hero`` and exactly t tie with it.

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
        packed_tables(HOLDEM),
        deals,
    )
    launch = kernel("enumerate_deals")
    launch(device.grid(launch, len(boards)), (THREADS,), arguments)
    counts: Ints = deals.get().astype(np.int64)[:, : opponents + 1]
    return counts
