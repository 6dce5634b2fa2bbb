"""Every combo against one random opponent, over all ways to fill a board up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.shared.sorting import (
    SortedCombos,
    new_sort_scratch,
    new_sorted,
    sort_combos,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.streets import BINS, HALF_POTS, StreetCounts
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]


class _Counts(NamedTuple):
    # Of one board, by combo: see gpuodds.games.holdem.streets. The last two may have no entries.
    wins: Int32s
    ties: Int32s
    squares: Ints
    histogram: Int32s


@compiled
def _add_board(
    dealt: int, order: SortedCombos, low_cards: Int32s, high_cards: Int32s, counts: _Counts
) -> None:
    """Add how the ``dealt`` combos fare on a full board, given in the order of their ranks."""
    # Apart from `count_two` of ranges: all combos count once, so 32-bit sums are enough.
    ranks, combos = order.ranks, order.combos
    lower = zeros(DECK_SIZE, np.int32)
    equal = zeros(DECK_SIZE, np.int32)
    first = 0
    while first < dealt:
        rank = ranks[first]
        last = first
        while last < dealt and ranks[last] == rank:
            h = combos[last]
            equal[low_cards[h]] += 1
            equal[high_cards[h]] += 1
            last += 1
        for place in range(first, last):
            h = combos[place]
            a, b = low_cards[h], high_cards[h]
            # Combos that share a card are no opponents; its own shares two.
            won = first - lower[a] - lower[b]
            tied = last - first - equal[a] - equal[b] + 1
            counts.wins[h] += won
            counts.ties[h] += tied
            if counts.squares.size:
                strength = 2 * won + tied
                counts.squares[h] += strength * strength
                counts.histogram[h, min(strength * BINS // HALF_POTS, BINS - 1)] += 1
        for place in range(first, last):
            h = combos[place]
            a, b = low_cards[h], high_cards[h]
            lower[a] += 1
            lower[b] += 1
            equal[a] = 0
            equal[b] = 0
        first = last


@compiled
def _count_boards(
    boards: UInt8s, pairs: Ints, missing: int, tables: HandRankTables, begin: int, end: int,
    counts: _Counts,
) -> None:  # fmt: skip
    """Count the boards ``begin`` to ``end``, each filled up in every way; ``counts`` by board.

    ``missing`` is the set of cards that are not in the deck, ``pairs`` are the combos of the others.
    """
    scratch, order = new_sort_scratch(), new_sorted(pairs.shape[0])
    low_cards, high_cards = pairs[:, 0].astype(np.int32), pairs[:, 1].astype(np.int32)
    size = boards.shape[1]
    full = zeros(BOARD_CARDS, np.uint8)
    for number in range(begin, end):
        known = missing
        for i in range(size):
            full[i] = boards[number, i]
            known |= 1 << int(np.int64(boards[number, i]))
        detail = number if counts.squares.size else 0
        of_board = _Counts(
            counts.wins[number], counts.ties[number], counts.squares[detail], counts.histogram[detail]
        )
        # The cards to come, ascending: none, one or two.
        for turn in range(DECK_SIZE if size < 4 else 1):
            if size < 4:
                if known >> turn & 1:
                    continue
                full[size] = turn
            for river in range(turn + 1 if size < 4 else 0, DECK_SIZE if size < 5 else 1):
                if size < 5:
                    if known >> river & 1:
                        continue
                    full[4] = river
                dealt = sort_combos(full, pairs, tables, scratch, order)
                _add_board(dealt, order, low_cards, high_cards, of_board)


def against_random(boards: Any, detail: bool, game: Holdem) -> StreetCounts:
    """Count how each combo fares on boards of three to five cards: see the operation."""
    missing = sum(1 << card for card in game.missing)
    in_deck = np.flatnonzero(game.combo_masks() & missing == 0)
    shape = len(boards), len(in_deck)
    wins, ties = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    # Without detail: a row of no combos, so that every board has one.
    few = shape if detail else (1, 0)
    counts = _Counts(wins, ties, np.zeros(few, np.int64), np.zeros((*few, BINS), np.int32))
    pairs = combo_cards()[in_deck].astype(np.int64)

    def work(begin: int, end: int) -> None:
        _count_boards(boards, pairs, missing, game.hand_rank_tables, begin, end, counts)

    with thread_pool(thread_count()) as run:
        run(work, len(boards))
    if not detail:
        counts = counts._replace(
            squares=np.zeros((0, COMBOS), np.int64), histogram=np.zeros((0, COMBOS, BINS), np.int32)
        )
    if len(in_deck) == COMBOS:
        return StreetCounts(*counts)
    return StreetCounts(*(_widen(counted, in_deck) for counted in counts))


def _widen(counts: Any, in_deck: Ints) -> Any:
    """Return counts by combo of the deck as counts by combo, 0 for all others."""
    if counts.shape[1] == COMBOS:
        return counts
    whole = np.zeros((len(counts), COMBOS, *counts.shape[2:]), counts.dtype)
    whole[:, in_deck] = counts
    return whole
