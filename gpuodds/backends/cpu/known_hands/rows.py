"""Rows of known hands, many on boards of their own: one against a random opponent, or all together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined_without_refcounts, popcount
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.known_hands.one_opponent import add_boards, new_flushes
from gpuodds.backends.cpu.shared.board_classes import BoardScan, rank_multisets
from gpuodds.backends.cpu.shared.runouts import CHOOSE, read_suits
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.hand_ranks import HandRankTables
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

SUITS = 4
FLUSH_ON_BOARD = 3


@compiled
def _new_scan(players: int, runout_ranks: Ints) -> BoardScan:
    """Return room for a spot of known hands."""
    return BoardScan(
        empty(SUITS, np.int64), empty(SUITS, np.int64), empty((players, SUITS), np.int64),
        empty((players, 2), np.int64), runout_ranks, empty(SUITS, np.int64), empty(SUITS, np.int64),
    )  # fmt: skip


@inlined_without_refcounts
def _are_alike(one: int, other: int, scan: BoardScan) -> bool:
    """Return whether no card tells two suits apart."""
    alike = scan.undealt[one] == scan.undealt[other] and scan.board[one] == scan.board[other]
    for player in range(scan.hands.shape[0]):
        alike = alike and scan.hands[player, one] == scan.hands[player, other]
    return bool(alike)


@inlined_without_refcounts
def _read_row(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, row: int, ranks: int, scan: BoardScan
) -> int:
    """Read a row; return how many suits, the first of ``suits``, the known cards tell apart."""
    on_board = scan.board
    read_suits(hands, boards, dead, row, ranks, scan.undealt, on_board, scan.hands)
    for player in range(hands.shape[1]):
        for i in range(2):
            scan.hole_ranks[player, i] = hands[row, player, i] >> 2
    kinds = 0
    for suit in range(SUITS):
        if popcount(on_board[suit]) + BOARD_CARDS - boards.shape[1] < FLUSH_ON_BOARD:
            continue
        known = 0
        while known < kinds and not _are_alike(suit, int(scan.suits[known]), scan):
            known += 1
        if known == kinds:
            scan.suits[kinds], scan.copies[kinds] = suit, 0
            kinds += 1
        scan.copies[known] += 1
    return kinds


@compiled
def _of_kinds(scan: BoardScan, kinds: int) -> BoardScan:
    """Return a spot with the first of its suits."""
    undealt, board, hands, hole_ranks, runout_ranks, suits, copies = scan
    return BoardScan(undealt, board, hands, hole_ranks, runout_ranks, suits[:kinds], copies[:kinds])


@compiled
def _count_one_opponent(
    hands: UInt8s, boards: UInt8s, begin: int, end: int, runout_ranks: Ints, tables: HandRankTables,
    binomials: Ints, out: Ints,
) -> None:  # fmt: skip
    scan, flushes = _new_scan(1, runout_ranks), new_flushes(SUITS)
    none = empty((0, 0), np.uint8)
    for row in range(begin, end):
        kinds = _read_row(hands, boards, none, row, tables.ranks, scan)
        flushes.threshold[:] = 0  # they are of other cards
        of_row, sums = _of_kinds(scan, kinds), out[row]
        add_boards(of_row, 0, len(runout_ranks), tables, binomials, flushes, sums)


def count_one_opponent(
    hands: UInt8s, boards: UInt8s, game: Holdem, progress: Progress | None = None
) -> Ints:
    """Count, for many hands, boards and the opponents' hands that beat and tie, summed over these.

    Args:
        hands: Shape (n, 2).
        boards: Shape (n, 0..5).
        game: The game.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (n, 3): boards, hands that beat, hands that tie.
    """
    out = np.zeros((len(hands), 3), np.int64)
    tables, known = game.hand_rank_tables, hands.reshape(-1, 1, HOLE_CARDS)
    runout_ranks = _runouts(boards, game)

    def work(begin: int, end: int) -> None:
        _count_one_opponent(known, boards, begin, end, runout_ranks, tables, CHOOSE, out)

    with thread_pool(thread_count(), progress) as run:
        run(work, len(hands))
    return out


def _runouts(boards: UInt8s, game: Holdem) -> Ints:
    return rank_multisets(BOARD_CARDS - boards.shape[1], game.hand_rank_tables.ranks)
