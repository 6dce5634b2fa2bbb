"""Two holdings against each other on a GPU: by plain enumeration, and all against all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gpuodds.backends.cuda import device
from gpuodds.backends.cuda.pieces import share_out
from gpuodds.backends.cuda.ranks import packed_pairs, rank_combos, rank_tables
from gpuodds.backends.protocol import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.boards import check_cards
from gpuodds.games.holdem.combos import (
    COMBOS,
    Ints,
    average_over_suits,
    split_wins,
    suit_relabellings,
)
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.symmetry import suit_group, weighted_boards
from gpuodds.spots.spot import Spot

# The kernels are CUDA C++ through CuPy's RawModule rather than numba.cuda because the comparison keeps
# a square of sums in registers, which takes loops that are surely unrolled. Not yet measured on a GPU.

BYTES_A_BOARD = 2 * COMBOS  # its ranks; the rest is small
SHARE_OF_MEMORY = 0.5  # of what is free, for ranks
SQUARES = 21 * 21  # that a chunk of boards is compared in, of 64 x 64 pairs
CHUNK = 2048  # boards a square takes at a time
MOST_BOARDS = 32 * CHUNK  # of a piece: some tens of milliseconds, between which work can be stopped


def enumerate_heads_up(
    hero: tuple[int, int], board: Sequence[int] = (), dead: Sequence[int] = ()
) -> tuple[int, int, int]:
    """Count how a holding fares against a random one by ranking both on every board.

    ``hero`` are two card numbers, ``board`` 0 to 5 more that lie, ``dead`` more that are out of play.
    Returns the outcomes, boards times opponent's holdings, that hero wins, ties and loses. This is the
    plain way, the reference for faster ones.

    Raises:
        InputError: A number is no card, a card is given twice, or there are too few cards to go on.
    """
    import cupy

    spot = Spot((hero,), 1, tuple(board), tuple(dead))
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
        *rank_tables(),
        counts,
    )
    blocks = device.grid(spot.boards, 1)  # a block a board
    device.kernel("heads_up", "enumerate_heads_up")(blocks, (device.BLOCK,), arguments)
    wins, ties, losses = counts.get().tolist()
    return wins, ties, losses


def heads_up_matrix(
    board: Sequence[int] = (),
    dead: Sequence[int] = (),
    progress: Progress | None = None,
    devices: Sequence[int] = (0,),
) -> tuple[Ints, Ints]:
    """Count on how many boards each holding beats and ties each other one.

    ``board`` are 0 to 5 card numbers that lie, ``dead`` more that are out of play; the boards are all
    ways to fill up from the rest. Returns wins and ties, two NumPy arrays of shape (1326, 1326), dtype
    int64: entry [h, v] counts the full boards on which h beats v, or ties with it. It is 0 where h and
    v share a card with each other, the board or the dead cards. Holdings are numbered by
    :func:`gpuodds.games.holdem.combos.combo_index`. ``progress`` is told the share that is done.

    The boards are shared out to the devices in pieces that fit their free memory.

    Raises:
        InputError: There are more than five board cards, a number is no card, or a card is given twice.
    """
    import cupy

    check_cards(board, dead)
    group = suit_group(np.zeros((1, COMBOS)), board, dead)
    boards, sizes = weighted_boards(board, dead, group)
    weights = sizes.astype(np.uint16)
    tables: list[Any] = []

    def start() -> Callable[[int, int], None]:
        wins = cupy.zeros((COMBOS, COMBOS), np.uint64)
        tables.append(wins)
        compare = device.kernel("heads_up", "compare_holdings")

        def work(begin: int, end: int) -> None:
            # Only what comes before the comparison can run out of memory: a piece that is tried again
            # has not been counted.
            ranks = rank_combos(cupy.asarray(boards[begin:end]))
            weight = cupy.asarray(weights[begin:end])
            squares = SQUARES * -(-(end - begin) // CHUNK)
            blocks = device.grid(squares, 1)
            compare(blocks, (device.BLOCK,), (ranks, weight, np.int64(end - begin), wins))

        return work

    def most_boards() -> int:
        return max(1, min(MOST_BOARDS, int(SHARE_OF_MEMORY * device.free_bytes()) // BYTES_A_BOARD))

    share_out(devices, len(boards), start, most_boards, progress)
    with device.on(devices[0]):
        wins = tables[0]
        for table in tables[1:]:
            wins += cupy.asarray(cupy.asnumpy(table))
        counted = wins.astype(np.int64)
        counted = average_over_suits(counted, cupy.asarray(suit_relabellings()[group]))
        return split_wins(cupy.asnumpy(counted), board, dead)
