"""Sort the combos of a board by hand rank: a counting sort, since there are 7,462 ranks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled,
    compiled_without_refcounts,
    inlined_without_refcounts,
    lowest_bit,
    zeros,
)
from gpuodds.backends.cpu.shared.board_ranks import FullBoard, ranks_in_suit, read_board
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

RANK_WORDS = 117  # of 64 bits: a bit for each hand rank


class SortedCombos(NamedTuple):
    """The combos of a board by ascending rank.

    Attributes:
        ranks: The ranks in that order, (n,), of which as many count as combos can be dealt.
        combos: The combos that have them, (n,).
        rank_of: Each combo's rank, 0 if it cannot be dealt, (n,).
    """

    ranks: Ints
    combos: Ints
    rank_of: Ints


class SortScratch(NamedTuple):
    """Scratch of the sort; ``places`` and ``present`` are zero between sorts.

    Attributes:
        rows: The rows of ``rank_7`` by the rank of a first hole card, (13,); the rank of the second is
            the column.
        places: How many combos have each rank, and then where the next one goes, (7488,).
        present: A bit for each rank that occurs, (117,).
    """

    rows: Ints
    places: npt.NDArray[np.int16]
    present: Ints


@compiled
def new_sorted(combos: int) -> SortedCombos:
    """Make the arrays that a sort of ``combos`` combos fills."""
    return SortedCombos(zeros(combos, np.int64), zeros(combos, np.int64), zeros(combos, np.int64))


@compiled
def new_sort_scratch() -> SortScratch:
    """Make the scratch of a sort."""
    return SortScratch(
        zeros(13, np.int64),
        zeros(64 * RANK_WORDS, np.int16),
        zeros(RANK_WORDS, np.int64),
    )


@compiled_without_refcounts
def sort_combos(
    board: UInt8s, pairs: Ints, tables: HandRankTables, scratch: SortScratch, order: SortedCombos
) -> int:
    """Sort the combos that can be dealt on a board by ascending rank; without a board all tie.

    ``board`` (5,) or (0,) are its cards, ``pairs`` (n, 2) the cards of the combos. Fills
    ``order``; returns how many combos can be dealt.
    """
    if board.size == 0:
        for h in range(pairs.shape[0]):
            order.ranks[h] = 1
            order.combos[h] = h
            order.rank_of[h] = 1
        return len(pairs)
    known = read_board(board, tables)
    rows = scratch.rows
    for first in range(13):
        rows[first] = np.int64(tables.step[known.state, first]) - SIX_CARDS
    dealt = _rank_combos(known, pairs, tables, scratch, order.rank_of)
    _find_places(scratch)
    for h in range(order.rank_of.size):
        rank = order.rank_of[h] & 0x1FFF
        if rank:
            place = scratch.places[rank] & 0x7FF
            order.ranks[place] = rank
            order.combos[place] = h
            scratch.places[rank] = np.int16(place + 1)
    for place in range(dealt):
        scratch.places[order.ranks[place] & 0x1FFF] = 0
    return dealt


@inlined_without_refcounts
def _rank_combos(
    known: FullBoard, pairs: Ints, tables: HandRankTables, scratch: SortScratch, rank_of: Ints
) -> int:
    """Fill ``rank_of``, count the combos of each rank; return how many can be dealt."""
    dealt = len(pairs)
    rows, places, present, flush = scratch.rows, scratch.places, scratch.present, tables.flush
    rank_7 = tables.rank_7
    for h in range(pairs.shape[0]):
        a, b = int(pairs[h, 0]) & 63, int(pairs[h, 1]) & 63
        if (known.dealt >> a | known.dealt >> b) & 1:
            rank_of[h] = 0
            dealt -= 1
            continue
        best = np.int64(rank_7[rows[a >> 2], b >> 2])
        if known.flush_suit >= 0:
            ranks = ranks_in_suit(a, b, known.flush_suit, known.flush_ranks)
            best = max(best, np.int64(flush[ranks]))
        rank_of[h] = best
        places[best] += np.int16(1)
        present[best >> 6] |= 1 << (best & 63)
    return dealt


@inlined_without_refcounts
def _find_places(scratch: SortScratch) -> None:
    """Turn the number of combos of each rank that occurs into the place of the first of them."""
    at = 0
    for word in range(RANK_WORDS):
        left = scratch.present[word]
        scratch.present[word] = 0
        while left:
            rank = word << 6 | lowest_bit(left)
            left &= left - 1
            count = scratch.places[rank]
            scratch.places[rank] = np.int16(at)
            at += count
