"""Columns of tables: exact counts as integers or decimals, cards as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gpuodds.cards import format_cards
from gpuodds.games.holdem.combos import combo_cards

UInt64s = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]

WIDE = pa.decimal128(38, 0)  # the largest count of any table has 36 digits


def wide_column(low: UInt64s, high: UInt64s) -> pa.Array:
    """Make a column of decimals from the lower and upper halves of integers below 10^38."""
    halves = np.stack([low, high], axis=1).astype("<u8")
    return pa.Array.from_buffers(WIDE, len(halves), [None, pa.py_buffer(halves.tobytes())])


def hand_column(holdings: npt.NDArray[Any]) -> pa.Array:
    """Make a column of hands, as text, from the numbers of holdings."""
    names = [format_cards((high, low)) for low, high in combo_cards().tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(holdings, pa.int16()), pa.array(names))


def board_column(places: npt.NDArray[Any], boards: npt.NDArray[np.uint8]) -> pa.Array:
    """Make a column of boards, as text, from their places in a list of boards."""
    names = [format_cards(board) for board in boards.tolist()]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(names))


def equity_of(low: UInt64s, high: UInt64s, outcomes: int) -> npt.NDArray[np.float64]:
    """Return equities (n,) from the halves (n, ties + 1) of deals by ties, as float64."""
    deals = low.astype(np.float64) + high.astype(np.float64) * 2.0**64
    shares = np.zeros(len(deals))
    for ties in range(deals.shape[1]):
        shares += deals[:, ties] / (ties + 1)
    equity: npt.NDArray[np.float64] = shares / float(outcomes)
    return equity


def whole(low: UInt64s, high: UInt64s) -> Any:
    """Return the integers that halves stand for, as Python's, in an array of objects."""
    return low.astype(object) + (high.astype(object) << 64)
