"""Showdown values of two players on the CPU: see the operation.

Combos are taken from the weakest up. A hand's value is the weight of what it beats less that of what
beats it: all weights begin as losses, and each counts once more when its group is reached, for ties,
and again when it is passed, for wins. Sums by card take away the combos that share a card with the
hand. Four vectors, the players of two items with one board, are lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined
from gpuodds.backends.cpu.compile.lanes import (
    load_lanes,
    number_at,
    put_number,
    spread,
    store_lanes,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import COMBOS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

LANES = 4


@inlined
def _add(sums: Any, cards: UInt8s, hand: int, more: Any) -> None:
    """Add to the sums of both cards of a hand."""
    a, b = LANES * number_at(cards, 2 * hand), LANES * number_at(cards, 2 * hand + 1)
    store_lanes(sums, a, load_lanes(sums, a) + more)
    store_lanes(sums, b, load_lanes(sums, b) + more)


@compiled
def two_player_values(
    hands: UInt16s, starts: UInt16s, groups: Ints, cards: UInt8s, boards: Ints, items: Ints,
    begin: int, end: int, reach: Any, out: Any,
) -> None:  # fmt: skip
    """Write the values of some items.

    Args:
        hands: The combos of each board by strength: see ``StrengthOrders``.
        starts: Where groups of ties begin.
        groups: How many groups boards have.
        cards: The two cards of each combo, shape (1326, 2).
        boards: The board of each item.
        items: The items, those of a board side by side.
        begin: The place of the first item in ``items`` to do.
        end: The place after the last one.
        reach: Weights, shape (batch, 2, 1326), float32 or float64.
        out: Receives the values, of the shape and dtype of ``reach``.
    """
    live = np.int64(hands.shape[1])
    weights, sums = empty((live, LANES), np.float64), empty((DECK_SIZE, LANES), np.float64)
    vectors = empty(LANES, np.int64)  # where they begin
    none = spread(0.0, weights)
    place = begin
    while place < end:
        item = items[place]
        board = boards[item]
        count = 2 if place + 1 < end and boards[items[place + 1]] == board else 1
        vectors[0] = 2 * item * COMBOS
        vectors[2] = 2 * items[place + count - 1] * COMBOS
        vectors[1], vectors[3] = vectors[0] + COMBOS, vectors[2] + COMBOS
        place += count
        first, first_group = board * live, board * (live + 1)
        sums[:] = 0.0
        total = none
        for k in range(live):
            hand = number_at(hands, first + k)
            for lane in range(LANES):
                put_number(weights, LANES * k + lane, number_at(reach, vectors[lane] + hand))
            more = none - load_lanes(weights, LANES * k)
            _add(sums, cards, hand, more)
            total = total + more
        for lane in range(2 * count):
            for combo in range(COMBOS):
                put_number(out, vectors[lane] + combo, 0.0)
        for group in range(groups[board]):
            low = number_at(starts, first_group + group)
            high = number_at(starts, first_group + group + 1)
            for k in range(low, high):
                hand = number_at(hands, first + k)
                more = load_lanes(weights, LANES * k)
                _add(sums, cards, hand, more)
                total = total + more
            for k in range(low, high):
                hand = number_at(hands, first + k)
                a, b = LANES * number_at(cards, 2 * hand), LANES * number_at(cards, 2 * hand + 1)
                more = load_lanes(weights, LANES * k)
                store_lanes(weights, LANES * k, total - load_lanes(sums, a) - load_lanes(sums, b))
                for lane in range(2 * count):  # what one player holds is the other's value
                    value = number_at(weights, LANES * k + lane)
                    put_number(out, vectors[lane ^ 1] + hand, value)
                store_lanes(weights, LANES * k, more)
            for k in range(low, high):
                hand = number_at(hands, first + k)
                more = load_lanes(weights, LANES * k)
                _add(sums, cards, hand, more)
                total = total + more
