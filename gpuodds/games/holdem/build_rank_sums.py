"""Build the row offsets that ship with the package for :mod:`gpuodds.games.holdem.rank_sums`.

Run ``python -m gpuodds.games.holdem.build_rank_sums`` after changing that module. The tests compare the
file that it writes, ``gpuodds/games/holdem/data/rank_sums.npz``, with what this module finds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.rank_sums import COLUMN_BITS, SUM_BITS, ranks_by_sum, rows_and_columns

DATA_FILE = Path(__file__).parent / "data" / "rank_sums.npz"
MAX_ENTRIES = 1 << 16  # offsets have 16 bits


def list_rows(size: int) -> list[list[int]]:
    """Return the columns that the sums of ``size`` cards have in each row."""
    rows: list[list[int]] = [[] for _ in range(1 << SUM_BITS - COLUMN_BITS)]
    places = rows_and_columns(np.unique(ranks_by_sum(size, HOLDEM)[0]))
    for row, column in zip(*(part.tolist() for part in places), strict=True):
        rows[row].append(column)
    return rows


def place(rows: list[list[int]]) -> npt.NDArray[np.uint16]:
    """Return an offset for each row such that no two rows share an entry.

    First fit, the longest row first: it leaves 1 % of the list for seven cards empty.
    """
    offsets = np.zeros(len(rows), np.uint16)
    free = (1 << MAX_ENTRIES) - 1  # the list, bit by bit
    for row in sorted(range(len(rows)), key=lambda row: -len(rows[row])):
        fitting = free
        for column in rows[row]:
            fitting &= free >> column
        offset = (fitting & -fitting).bit_length() - 1
        free &= ~(sum(1 << column for column in rows[row]) << offset)
        offsets[row] = offset if rows[row] else 0
    return offsets


def build() -> dict[str, npt.NDArray[np.uint16]]:
    """Return the offsets for five, six and seven cards by their names in the file."""
    return {f"offsets_{size}": place(list_rows(size)) for size in (5, 6, 7)}


if __name__ == "__main__":
    np.savez_compressed(DATA_FILE, **build())  # type: ignore[arg-type]
