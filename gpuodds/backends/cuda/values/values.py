"""Showdown and fold values on a GPU: see the operations.

CUDA C++ through CuPy: a thread takes a hand, whose sums over cards it reads from rows that were added
up before. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.cuda.shared.pieces import launches, working_on
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.rules import COMBOS
from gpuodds.spots.arrays import device_of, is_on_device

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

FILE = "values/values"
MAX_ITEMS = 2048  # of a launch: sums of three players' items take 130 kB each
NOT_DEALT = 0xFFFF
NO_SHOWDOWN = -2  # in place of the player who has folded
NAMES = {2: ("sum_two_players", "two_player_values"), 3: ("sum_three_players", "three_player_values")}
VECTORS = {2: 2, 3: 6}


class BoardsOnDevice(NamedTuple):
    """The orders of boards on a device: see ``kernels/values/values.cu``."""

    hands: Any
    positions: Any
    groups: Any
    starts: Any
    below: Any
    cards: Any
    by_card: Any


def showdown_values(
    orders: StrengthOrders,
    boards: Ints,
    folded: int,
    reach: Any,
    out: Any,
    devices: Sequence[int],
) -> Any:
    """Write the values of items to ``out``: see the operation."""
    return _write(orders, boards, reach, out, folded, devices)


def fold_values(live: Bools, reach: Any, out: Any, devices: Sequence[int]) -> Any:
    """Write the values of items to ``out``: see the operation."""
    return _write(
        _one_group(live.tobytes()), np.zeros(len(reach), np.int64), reach, out, NO_SHOWDOWN, devices
    )


@lru_cache(maxsize=16)
def _one_group(live: bytes) -> StrengthOrders:
    """Return an order of the combos that can be dealt, as if all tied."""
    hands = np.flatnonzero(np.frombuffer(live, np.bool_)).astype(np.uint16)[None]
    count = hands.shape[1]
    starts = np.zeros((1, count + 1), np.uint16)
    starts[0, 1] = count
    nothing = np.zeros((1, count, 2), np.uint8)
    return StrengthOrders(hands, starts, np.ones(1, np.int64), nothing, nothing[:, :, 0])


def _write(
    orders: StrengthOrders, boards: Ints, reach: Any, out: Any, folded: int, devices: Sequence[int]
) -> Any:
    import cupy

    number = device_of(reach) if is_on_device(reach) else devices[0]
    with working_on(number):
        for begin, end in launches(0, len(reach), MAX_ITEMS):
            piece = cupy.asarray(reach[begin:end]).astype(np.float64, copy=False)
            values = _values(orders, cupy.asarray(boards[begin:end]), piece, folded, number)
            out[begin:end] = values if is_on_device(out) else cupy.asnumpy(values)
    return out


def _values(orders: StrengthOrders, boards: Any, reach: Any, folded: int, number: int) -> Any:
    import cupy

    given = _on_device(orders, number)
    items, players, live = np.int64(len(reach)), reach.shape[1], orders.hands.shape[1]
    sums = cupy.empty((len(reach), VECTORS[players], DECK_SIZE, DECK_SIZE), np.float64)
    values = cupy.zeros(reach.shape, np.float64)
    summing, writing = NAMES[players]
    rows = reach, boards, given.by_card, items, sums
    device.launch(FILE, summing, sums.size // DECK_SIZE, THREADS, rows)
    arguments = (reach, sums, boards, *given[:-1], items, np.int32(live), np.int32(folded), values)
    device.launch(FILE, writing, len(reach) * live, THREADS, arguments)
    return values


@lru_cache(maxsize=16)
def _on_device(orders: StrengthOrders, number: int) -> BoardsOnDevice:
    """Return the orders of boards on the current device, whose number this is."""
    import cupy

    boards, live = orders.hands.shape
    every = np.arange(boards)[:, None]
    positions = np.full((boards, COMBOS), NOT_DEALT, np.uint16)
    positions[every, orders.hands] = np.arange(live)
    begins = np.zeros((boards, live + 1), np.uint16)
    inside = np.arange(live + 1) < orders.groups[:, None]
    begins[np.broadcast_to(every, inside.shape)[inside], orders.starts[inside]] = 1
    groups = (np.cumsum(begins[:, :live], axis=1) - 1).astype(np.uint16)
    hands, starts, in_groups, cards = map(
        cupy.asarray, (orders.hands, orders.starts, groups, combo_cards())
    )
    by_card = cupy.empty((boards, DECK_SIZE, DECK_SIZE - 1), np.uint16)
    below = cupy.zeros((boards, live + 1, DECK_SIZE), np.uint8)
    listed = (hands, starts, in_groups, cards, np.int64(boards), np.int32(live), by_card, below)
    device.launch(FILE, "list_by_card", boards * DECK_SIZE, THREADS, listed)
    return BoardsOnDevice(hands, cupy.asarray(positions), in_groups, starts, below, cards, by_card)
