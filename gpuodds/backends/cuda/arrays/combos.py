"""Every combo against every other on GPUs.

CUDA C++ through CuPy: the comparison keeps a tile of sums in registers, which takes loops that are
certainly unrolled. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Any

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.backends.cuda.arrays.ranks import packed_pairs, rank_combos
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS, TILE, TILE_BOARDS
from gpuodds.backends.cuda.shared.pieces import share_out
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import Ints, suit_relabellings
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS, HOLE_CARDS
from gpuodds.games.shared.symmetry import renamings_of_cards, weighted_boards

BYTES_PER_BOARD = 2 * COMBOS  # its ranks; the rest is small
SHARE_OF_MEMORY = 0.5  # of what is free, for ranks
TILES = (-(-COMBOS // TILE)) ** 2  # of the matrix
MAX_BOARDS = 8 * TILE_BOARDS  # of a launch: see pieces.py; after each, work can be stopped


def heads_up_matrix(
    game: Holdem,
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    progress: Progress | None = None,
    devices: Sequence[int] = (0,),
) -> tuple[Ints, Ints]:
    """Count the boards on which each combo beats and ties each other one.

    The devices share the boards, in batches that fit their free memory.

    Args:
        game: The game.
        board: 0 to 5 board cards; the boards are all their runouts.
        dead: Cards out of play.
        progress: Called with the fraction done, 0 to 1.
        devices: Device numbers.

    Returns:
        Wins and ties, NumPy arrays (1326, 1326) int64: entry [h, v] counts the full boards on which h
        beats v, or ties with it, 0 where h and v share a card with each other, the board or the dead
        cards. Combos are numbered by :func:`gpuodds.games.shared.combos.combo_index`.
    """
    import cupy

    dead = (*dead, *game.missing)
    group = renamings_of_cards(board, dead)
    boards, sizes = weighted_boards(board, dead, group)
    weights = sizes.astype(np.uint8)  # a class has 24 boards at most
    tables: list[Any] = []

    def start() -> Callable[[int, int], None]:
        wins = cupy.zeros((COMBOS, COMBOS), np.uint64)
        tables.append(wins)
        compare = device.kernel("arrays/compare_combos", "compare_combos")

        def work(begin: int, end: int) -> None:
            # Only what precedes the comparison can run out of memory: a piece that is tried again has
            # not been counted.
            ranks = rank_combos(cupy.asarray(boards[begin:end]), game)
            weight = cupy.asarray(weights[begin:end])
            tiles = TILES * -(-(end - begin) // TILE_BOARDS)
            compare(
                device.grid(compare, tiles), (THREADS,), (ranks, weight, np.int64(end - begin), wins)
            )

        return work

    def max_boards() -> int:
        return max(1, min(MAX_BOARDS, int(SHARE_OF_MEMORY * device.free_bytes()) // BYTES_PER_BOARD))

    share_out(devices, len(boards), start, max_boards, progress)
    wins = tables[0]
    with device.on(wins.device.id):
        if len(tables) > 1:  # each on its device, and in no order
            wins = cupy.asarray(sum(cupy.asnumpy(table) for table in tables))
        return _split_wins(wins, group, board, dead)


def _split_wins(
    wins: Any, group: Sequence[int], board: Sequence[int], dead: Sequence[int]
) -> tuple[Ints, Ints]:
    """Return wins and ties on all boards, of wins on one board of each class under ``group``."""
    import cupy

    orders = cupy.asarray(suit_relabellings()[list(group)].astype(np.int32))
    unseen = DECK_SIZE - len(board) - len(dead) - 2 * HOLE_CARDS
    boards = comb(unseen, BOARD_CARDS - len(board)) if unseen >= 0 else 0
    known = sum(1 << card for card in (*board, *dead))
    won, tied = (cupy.empty((COMBOS, COMBOS), np.int64) for _ in range(2))
    where = packed_pairs(), np.uint64(known), np.int64(boards)
    arguments = (wins, orders, np.int32(len(orders)), *where, won, tied)
    device.launch("arrays/compare_combos", "split_wins", COMBOS**2, THREADS, arguments)
    return cupy.asnumpy(won), cupy.asnumpy(tied)
