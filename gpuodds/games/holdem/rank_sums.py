"""Hand ranks by the sum of the cards' keys: the tables of ``kernels/arrays/rank_sums.cuh``.

A card's key holds a number for its rank, such that sums tell multisets of ranks apart, and an octal
digit that counts its suit. The rank part of a sum has a row and a column. Each row has an offset into
one list of hand ranks; :mod:`gpuodds.games.holdem.build_rank_sums` finds offsets with which all rows
share the list without collision. Sums of five, six and seven cards have a list each.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, SIX_CARDS, hand_rank_tables

# Each the smallest number that keeps the sums of seven ranks, at most four of them the same, apart.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUM_BITS = 23  # of a sum of seven rank keys
SUIT_KEYS = (1, 8, 64, 0)  # an octal digit for each suit but the last
COLUMN_BITS = 10
ROWS = 1 << SUM_BITS - COLUMN_BITS  # offsets that begin the table
COLUMN, RANK_PART = (1 << COLUMN_BITS) - 1, (1 << SUM_BITS) - 1  # masks of a sum
SPREAD = 0x3779B1  # odd, so that a sum's row and column determine the sum
FLUSH_CARDS = 5
ALIGNMENT = 8  # entries of the table: kernels copy 16 bytes at a time

UInt16s = npt.NDArray[np.uint16]
UInt32s = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.int64]


class RankSums(NamedTuple):
    """The tables for hands of one size.

    Attributes:
        keys: (52,) uint32, the key of each card.
        flush_suits: (512,) uint8, by suit digits, 1 + the suit that has five cards, 0 if none has.
        table: uint16, the offset of each row, then hand ranks without a flush.
        flush: (8192,) uint16, the best flush of a set of ranks.
    """

    keys: UInt32s
    flush_suits: npt.NDArray[np.uint8]
    table: UInt16s
    flush: UInt16s


@lru_cache(maxsize=1)
def _state_sums() -> Ints:
    """Return the rank part of the sum of each state of the automaton, zero to six cards."""
    tables = hand_rank_tables()
    sums = np.zeros(SIX_CARDS + len(tables.rank_6), np.int64)
    level = np.zeros(1, np.int64)
    for _ in range(6):
        after = tables.step[level].astype(np.int64)
        able = after > 0  # state 0 stands for a fifth card of a rank
        sums[after[able]] = (sums[level][:, None] + RANK_KEYS)[able]
        level = np.unique(after[able])
    return sums


def ranks_by_sum(size: int, game: Holdem) -> tuple[Ints, UInt16s]:
    """Return the rank parts of the sums of ``size`` cards, each at least once, and their hand ranks."""
    tables, sums = game.hand_rank_tables, _state_sums()
    if size == 5:
        return sums[FIVE_CARDS:SIX_CARDS], tables.rank_5
    if size == 6:
        return sums[SIX_CARDS:], tables.rank_6
    able = tables.rank_7 > 0
    return (sums[SIX_CARDS:, None] + RANK_KEYS)[able], tables.rank_7[able]


def rows_and_columns(sums: Ints) -> tuple[Ints, Ints]:
    """Return the row and the column of the rank parts of sums."""
    return (sums * SPREAD & (1 << SUM_BITS) - 1) >> COLUMN_BITS, sums & (1 << COLUMN_BITS) - 1


def _flush_suits(size: int) -> npt.NDArray[np.uint8]:
    digits = np.arange(1 << 32 - SUM_BITS)
    counts = np.stack([digits & 7, digits >> 3 & 7, digits >> 6, np.zeros_like(digits)])
    counts[3] = size - counts.sum(axis=0)
    suited = counts >= FLUSH_CARDS
    return np.where(suited.any(axis=0), 1 + suited.argmax(axis=0), 0).astype(np.uint8)


@cache
def rank_sums(size: int, game: Holdem) -> RankSums:
    """Return a game's tables for hands of ``size`` cards, 5 to 7, made on the first call."""
    path = Path(__file__).parent / "data" / "rank_sums.npz"
    with np.load(path, allow_pickle=False) as data:
        offsets = data[f"offsets_{size}"].astype(np.int64)
    sums, ranks = ranks_by_sum(size, game)
    rows, columns = rows_and_columns(sums)
    # Any sum leads to an entry of the table, also one that no hand has.
    length = len(offsets) + int(offsets.max()) + (1 << COLUMN_BITS)
    table = np.zeros(-(-length // ALIGNMENT) * ALIGNMENT, np.uint16)
    table[: len(offsets)] = offsets
    table[len(offsets) + offsets[rows] + columns] = ranks
    keys = np.add.outer(RANK_KEYS, np.array(SUIT_KEYS) << SUM_BITS).ravel().astype(np.uint32)
    return RankSums(keys, _flush_suits(size), table, game.hand_rank_tables.flush)
