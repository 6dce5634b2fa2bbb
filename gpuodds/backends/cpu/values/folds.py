"""Values without a showdown: what others hold that shares no card with a hand. See the operation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, inlined, zeros
from gpuodds.backends.cpu.compile.lanes import (
    add_products,
    load_lanes,
    no_products,
    number_at,
    put_number,
    spread,
    store_lanes,
    sums_of_three,
)
from gpuodds.backends.cpu.values.pair_sums import (
    ALL,
    ENTRY,
    LANES,
    PLAYERS,
    SIZE,
    SUMS,
    close_sums,
    read_weights,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import COMBOS

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


@compiled
def two_player_folds(live: Bools, begin: int, end: int, reach: Any, out: Any) -> None:
    """Write the values of the items ``begin`` to ``end``.

    Args:
        live: Which combos can be dealt, shape (1326,).
        begin: The first item.
        end: The item after the last.
        reach: Weights, shape (batch, 2, 1326), float32 or float64.
        out: Receives the values, of the shape and dtype of ``reach``.
    """
    weights, sums = empty((2, COMBOS), np.float64), empty(DECK_SIZE, np.float64)
    for item in range(begin, end):
        for hand in range(COMBOS):
            dealt = live[hand]
            weights[0, hand] = reach[item, 0, hand] if dealt else 0.0
            weights[1, hand] = reach[item, 1, hand] if dealt else 0.0
        for player in range(2):
            theirs = weights[1 - player]
            sums[:] = 0.0
            total = 0.0
            first = 0
            for b in range(1, DECK_SIZE):
                row = 0.0
                for a in range(b):
                    sums[a] += theirs[first + a]
                    row += theirs[first + a]
                sums[b] += row
                total += row
                first += b
            first = 0
            for b in range(1, DECK_SIZE):
                rest = total - sums[b]
                for a in range(b):
                    hand = first + a
                    value = rest - sums[a] + theirs[hand]
                    out[item, player, hand] = value if live[hand] else 0.0
                first += b


@compiled
def three_player_folds(live: Bools, begin: int, end: int, reach: Any, out: Any) -> None:
    """Write the values of the items ``begin`` to ``end``: as :func:`two_player_folds`."""
    whole = empty((1, ENTRY), np.float64)
    whole[:] = 1.0
    weights = zeros((COMBOS, ENTRY), np.float64)
    rows, sums = (
        zeros((PLAYERS, DECK_SIZE + 1, DECK_SIZE), np.float64),
        zeros((DECK_SIZE + 1, ENTRY), np.float64),
    )
    values = empty((COMBOS, LANES), np.float64)
    for item in range(begin, end):
        at = item * PLAYERS * COMBOS
        for hand in range(COMBOS):
            if live[hand]:
                read_weights(reach, at, hand, weights, hand)
        sum_all_pairs(weights, whole, 0, rows, sums, values)
        for player in range(PLAYERS):
            for hand in range(COMBOS):
                value = number_at(values, LANES * hand + player)
                put_number(out, at + player * COMBOS + hand, value if live[hand] else 0.0)


@inlined
def sum_all_pairs(
    weights: Floats, parts: Floats, step: int, rows: Floats, sums: Floats, values: Floats
) -> None:
    """Write each player's sums over all pairs of others' hands, shape (1326, 4), 0 last.

    ``weights``, ``rows`` and ``sums`` are those of :mod:`gpuodds.backends.cpu.values.pair_sums`; the
    latter two are made anew. The entry ``step`` of ``parts`` is 1.
    """
    sums[:] = 0.0
    rest = empty((PLAYERS, DECK_SIZE), np.float64)
    total, all_products = spread(0.0, weights), spread(0.0, weights)
    hand = 0
    for b in range(DECK_SIZE):
        with_b, products_b = load_lanes(sums, ENTRY * b), load_lanes(sums, ENTRY * b + LANES)
        for player in range(PLAYERS):
            put_number(rows, player * SIZE + b * DECK_SIZE + b, 0.0)
        for a in range(b):
            weight, product = (
                load_lanes(weights, ENTRY * hand),
                load_lanes(weights, ENTRY * hand + LANES),
            )
            for player in range(PLAYERS):
                number, place = number_at(weights, ENTRY * hand + player), player * SIZE
                put_number(rows, place + a * DECK_SIZE + b, number)
                put_number(rows, place + b * DECK_SIZE + a, number)
            store_lanes(sums, ENTRY * a, load_lanes(sums, ENTRY * a) + weight)
            store_lanes(sums, ENTRY * a + LANES, load_lanes(sums, ENTRY * a + LANES) + product)
            with_b, products_b = with_b + weight, products_b + product
            total, all_products = total + weight, all_products + product
            hand += 1
        store_lanes(sums, ENTRY * b, with_b)
        store_lanes(sums, ENTRY * b + LANES, products_b)
    store_lanes(sums, ALL, total)
    store_lanes(sums, ALL + LANES, all_products)
    for card in range(DECK_SIZE):
        for player in range(PLAYERS):
            put_number(rows, player * SIZE + SUMS + card, number_at(sums, ENTRY * card + player))
    hand = 0
    for b in range(1, DECK_SIZE):
        row = b * DECK_SIZE
        for c in range(0, DECK_SIZE, LANES):
            for player in range(PLAYERS):
                place = player * SIZE + c
                left = load_lanes(rows, place + SUMS) - load_lanes(rows, place + row)
                store_lanes(rest, player * DECK_SIZE + c, left)
        for a in range(b):
            first, second, third = no_products(rows), no_products(rows), no_products(rows)
            for c in range(0, DECK_SIZE, LANES):
                place = a * DECK_SIZE + c
                one = load_lanes(rest, c) - load_lanes(rows, place)
                other = load_lanes(rest, DECK_SIZE + c) - load_lanes(rows, SIZE + place)
                last = load_lanes(rest, 2 * DECK_SIZE + c) - load_lanes(rows, 2 * SIZE + place)
                first = add_products(first, other, last)
                second = add_products(second, last, one)
                third = add_products(third, one, other)
            shared = sums_of_three(first, second, third)
            value = close_sums(sums, weights, hand, a, b, parts, step, shared)
            store_lanes(values, LANES * hand, value)
            hand += 1
