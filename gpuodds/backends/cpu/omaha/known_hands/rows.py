"""Many rows of known hands of Omaha, each on its board: who has the best high and the best low."""

from __future__ import annotations

from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined_without_refcounts, popcount, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.known_hands.known_hands import KnownSpot, add_boards
from gpuodds.backends.cpu.shared.runouts import CHOOSE, read_suits
from gpuodds.games.omaha.low_ranks import LOW_BITS, LOW_SETS, best_lows
from gpuodds.games.omaha.plain_ranks import plain_ranks
from gpuodds.games.shared.hand_ranks import ALL_RANKS, HandRankTables, UInt16s, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

SUITS = 4
ON_BOARD, IN_HAND = 3, 2  # cards of a flush


@compiled
def _new_spot(players: int, hole_cards: int, board_cards: int, low_bits: Ints) -> KnownSpot:
    """Return room for a row."""
    pairs = players * hole_cards * (hole_cards - 1) // 2
    return KnownSpot(
        empty(SUITS, np.int64), empty(SUITS, np.int64), empty(board_cards, np.int64),
        empty(pairs, np.int64), empty(players, np.int64), empty(SUITS, np.int64),
        empty(SUITS, np.int64), empty(SUITS * players, np.int64), empty(SUITS * players, np.int64),
        empty(SUITS, np.int64), low_bits, zeros(LOW_SETS, np.int64),
    )  # fmt: skip


@inlined_without_refcounts
def _read_cards(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, row: int, spot: KnownSpot, held: Ints
) -> None:
    """Fill the cards by suit, ``held`` (players, 4) those of the hands, and the pairs of ranks."""
    pairs, pair_ends = spot.pairs, spot.pair_ends
    read_suits(hands, boards, dead, row, ALL_RANKS, spot.undealt, spot.board, held)
    for i in range(boards.shape[1]):
        spot.board_ranks[i] = boards[row, i] >> 2
    number = 0
    for player in range(held.shape[0]):
        for i in range(hands.shape[2]):
            rank = np.int64(hands[row, player, i]) >> 2
            for j in range(i):
                other = np.int64(hands[row, player, j]) >> 2
                high, low = max(rank, other), min(rank, other)
                pairs[number] = high * (high + 1) // 2 + low
                number += 1
        pair_ends[player] = number


@inlined_without_refcounts
def _find_suits(to_come: int, spot: KnownSpot, held: Ints) -> tuple[int, int]:
    """Fill the suits that count and their holders; return how many there are of each."""
    undealt, board, suits, copies = spot.undealt, spot.board, spot.suits, spot.copies
    kinds, holders = 0, 0
    for suit in range(SUITS):
        most = 0
        for player in range(held.shape[0]):
            most = max(most, popcount(held[player, suit]))
        to_fill = min(to_come, popcount(undealt[suit]))
        if most < IN_HAND or popcount(board[suit]) + to_fill < ON_BOARD:
            continue
        known, found = 0, False
        while known < kinds and not found:
            other = suits[known]
            found = undealt[suit] == undealt[other] and board[suit] == board[other]
            for player in range(held.shape[0]):
                found = found and held[player, suit] == held[player, other]
            known += not found
        if found:
            copies[known] += 1
            continue
        suits[kinds], copies[kinds] = suit, 1
        for player in range(held.shape[0]):
            if popcount(held[player, suit]) >= IN_HAND:
                spot.flush_ranks[holders], spot.flush_players[holders] = held[player, suit], player
                holders += 1
        spot.flush_ends[kinds] = holders
        kinds += 1
    return kinds, holders


@inlined_without_refcounts
def _read_lows(
    hands: UInt8s, row: int, lows: UInt8s, low_bits: Ints, low_rows: Ints, sets: Ints
) -> None:
    """Fill, for each low set of a board, the players who share the best low, a mask."""
    for player in range(sets.size):
        sets[player] = 0
        for i in range(hands.shape[2]):
            sets[player] |= low_bits[np.int64(hands[row, player, i]) >> 2]
    for of_board in range(LOW_SETS):
        best, mask = 0, 0
        for player in range(sets.size):
            rank = int(np.int64(lows[of_board, sets[player]]))
            if rank > best:
                best, mask = rank, 0
            mask |= int(rank == best and rank > 0) << player
        low_rows[of_board] = mask


@compiled
def _first(spot: KnownSpot, kinds: int, holders: int) -> KnownSpot:
    """Return a spot with the first of its suits and holders."""
    (
        undealt, board, board_ranks, pairs, pair_ends, suits, copies, flush_ranks, flush_players,
        flush_ends, low_bits, low_rows,
    ) = spot  # fmt: skip
    return KnownSpot(
        undealt, board, board_ranks, pairs, pair_ends, suits[:kinds], copies[:kinds],
        flush_ranks[:holders], flush_players[:holders], flush_ends[:kinds], low_bits, low_rows,
    )  # fmt: skip


@compiled
def _count_rows(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, begin: int, end: int, multisets: int,
    tables: HandRankTables, plain: UInt16s, binomials: Ints, lows: UInt8s, low_bits: Ints, out: Int32s,
) -> None:  # fmt: skip
    players, to_come = hands.shape[1], BOARD_CARDS - boards.shape[1]
    spot = _new_spot(players, hands.shape[2], boards.shape[1], low_bits)
    held, low_sets = empty((players, SUITS), np.int64), empty(players, np.int64)
    totals = zeros((out.shape[1], out.shape[2]), np.int64)
    for row in range(begin, end):
        _read_cards(hands, boards, dead, row, spot, held)
        kinds, holders = _find_suits(to_come, spot, held)
        if out.shape[1] > 1:
            _read_lows(hands, row, lows, low_bits, spot.low_rows, low_sets)
        add_boards(_first(spot, kinds, holders), tables, plain, binomials, multisets, totals)
        for low in range(out.shape[1]):
            for high in range(out.shape[2]):
                out[row, low, high] = totals[low, high]
                totals[low, high] = 0


def count_rows(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, low: bool, progress: Progress | None = None
) -> Int32s:
    """Count boards: see :class:`gpuodds.backends.operations.omaha.known_hands.OmahaHandRows`."""
    sets = 1 << hands.shape[1]
    out = np.empty((len(hands), sets if low else 1, sets), np.int32)
    to_come = BOARD_CARDS - boards.shape[1]
    given = hand_rank_tables(), plain_ranks(), CHOOSE, best_lows(), np.array(LOW_BITS, np.int64)

    def work(begin: int, end: int) -> None:
        _count_rows(hands, boards, dead, begin, end, comb(12 + to_come, to_come), *given, out)

    with thread_pool(thread_count(), progress) as run:
        run(work, len(hands))
    return out
