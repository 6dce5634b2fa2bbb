"""Arrow columns of tables: exact counts as integers or decimals, cards as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.cards import format_cards
from gpuodds.games.shared.combos import combo_cards

UInt64s = npt.NDArray[np.uint64]

WIDE = pa.decimal128(38, 0)  # the largest count of any table has 36 digits


def wide_column(low: UInt64s, high: UInt64s) -> pa.Array:
    """Return a column of decimals from the lower and upper halves of integers below 10^38."""
    halves = np.stack([low, high], axis=1).astype("<u8")
    return pa.Array.from_buffers(WIDE, len(halves), [None, pa.py_buffer(halves.tobytes())])


def hand_column(combos: npt.NDArray[Any]) -> pa.Array:
    """Return a column of hands, as text, from the numbers of combos."""
    names = [format_cards((high, low)) for low, high in combo_cards().tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(combos, pa.int16()), pa.array(names))


def board_column(places: npt.NDArray[Any], boards: npt.NDArray[np.uint8]) -> pa.Array:
    """Return a column of boards, as text, from their places in a list of boards."""
    names = [format_cards(board) for board in boards.tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(names))


def to_floats(low: UInt64s, high: UInt64s) -> npt.NDArray[np.float64]:
    """Return the float64 nearest to the integers of lower and upper halves, each half rounded."""
    floats: npt.NDArray[np.float64] = low.astype(np.float64) + high.astype(np.float64) * 2.0**64
    return floats


def to_integers(low: UInt64s, high: UInt64s) -> npt.NDArray[np.object_]:
    """Return the integers of lower and upper halves, as Python's, in an array of objects."""
    integers: npt.NDArray[np.object_] = np.add(low.astype(object), high.astype(object) << 64)
    return integers
