"""Every holding against one random opponent, over all ways to fill a board up."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled
from gpuodds.backends.cpu.showdowns import RANK_WORDS, sort_holdings
from gpuodds.backends.cpu.threads import thread_count, workers
from gpuodds.games.holdem.combos import COMBOS, combo_cards
from gpuodds.games.holdem.hand_ranks import HandRankTables, hand_rank_tables
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.streets import BINS, HALF_POTS, StreetCounts

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

CARDS = 52


@compiled
def _add_board(
    board: UInt8s,
    pairs: Ints,
    tables: HandRankTables,
    plain: Ints,
    room: Ints,
    order: Ints,
    low_cards: Int32s,
    high_cards: Int32s,
    wins: Int32s,
    ties: Int32s,
    squares: Ints,
    histogram: Int32s,
) -> None:
    dealt = sort_holdings(board, pairs, tables, plain, room, order)
    ranks, holdings = order[0], order[1]
    lower = np.zeros(CARDS, np.int32)
    equal = np.zeros(CARDS, np.int32)
    first = 0
    while first < dealt:
        rank = ranks[first]
        last = first
        while last < dealt and ranks[last] == rank:
            h = holdings[last]
            equal[low_cards[h]] += 1
            equal[high_cards[h]] += 1
            last += 1
        for place in range(first, last):
            h = holdings[place]
            a, b = low_cards[h], high_cards[h]
            # Holdings that share a card are no opponents; its own shares two.
            won = first - lower[a] - lower[b]
            tied = last - first - equal[a] - equal[b] + 1
            wins[h] += won
            ties[h] += tied
            if squares.size:
                strength = 2 * won + tied
                squares[h] += strength * strength
                histogram[h, min(strength * BINS // HALF_POTS, BINS - 1)] += 1
        for place in range(first, last):
            h = holdings[place]
            a, b = low_cards[h], high_cards[h]
            lower[a] += 1
            lower[b] += 1
            equal[a] = 0
            equal[b] = 0
        first = last


@compiled
def _count(
    boards: UInt8s,
    pairs: Ints,
    tables: HandRankTables,
    begin: int,
    end: int,
    wins: Int32s,
    ties: Int32s,
    squares: Ints,
    histogram: Int32s,
) -> None:
    plain = np.zeros((13, 13), np.int64)
    order = np.zeros((3, pairs.shape[0]), np.int64)
    room = np.zeros(RANK_WORDS * 65, np.int64)
    low_cards, high_cards = pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32)
    size = boards.shape[1]
    full = np.zeros(BOARD_CARDS, np.uint8)
    no_squares = np.zeros(0, np.int64)
    no_histogram = np.zeros((0, BINS), np.int32)
    for number in range(begin, end):
        known = 0
        for i in range(size):
            full[i] = boards[number, i]
            known |= 1 << np.int64(boards[number, i])
        of_squares = squares[number] if squares.size else no_squares
        of_histogram = histogram[number] if squares.size else no_histogram
        # The cards to come, ascending: none, one or two.
        for turn in range(CARDS if size < 4 else 1):
            if size < 4:
                if known >> turn & 1:
                    continue
                full[size] = turn
            for river in range(turn + 1 if size < 4 else 0, CARDS if size < 5 else 1):
                if size < 5:
                    if known >> river & 1:
                        continue
                    full[4] = river
                _add_board(
                    full, pairs, tables, plain, room, order, low_cards, high_cards,
                    wins[number], ties[number], of_squares, of_histogram,
                )  # fmt: skip


def against_random(boards: Any, detail: bool) -> StreetCounts:
    """Count how each holding fares on boards of three to five cards: see the protocol."""
    shape = len(boards), COMBOS
    wins, ties = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    few = shape if detail else (0, COMBOS)
    squares, histogram = np.zeros(few, np.int64), np.zeros((*few, BINS), np.int32)
    pairs = combo_cards().astype(np.int64)

    def work(begin: int, end: int) -> None:
        _count(boards, pairs, hand_rank_tables(), begin, end, wins, ties, squares, histogram)

    with workers(thread_count()) as run:
        run(work, len(boards))
    return StreetCounts(wins, ties, squares, histogram)
