"""Sums over pairs of others' hands that share no card with a hand or each other, for three players.

For a hand with the cards a and b, and vectors of weights x and y of the two others, the sum of x(g)
y(h) over hands g and h that meet neither a nor b nor each other is

    X Y - sum over cards c of X(c) Y(c) + sum over hands g of x(g) y(g)

of hands without a and b: all pairs, less those that share a card, and a pair of one hand, which
shares both, was taken away twice. X(c) is the sum over hands with c: that over all hands with c, less
the hands ac and bc. So with the weights of all pairs of cards as a matrix, X(c) of all c are one row
less two.

The three players' sums are made together. ``rows`` has shape (3, 53, 52): by player and card the
weights of the hands with each other card, and the sums of these rows by card last. ``sums`` has shape
(53, 8): by card, and in all, three players' weights and three products of weights, of the two players
who are not the first, the second, the third. ``weights`` has shape (1326, 8), the same by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import inlined
from gpuodds.backends.cpu.compile.lanes import (
    add_products,
    load_lanes,
    no_products,
    number_at,
    put_number,
    rotate_three,
    spread,
    store_lanes,
    sums_of_three,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import COMBOS

Floats = npt.NDArray[np.float64]

LANES = 4
PLAYERS = 3
SIZE = (DECK_SIZE + 1) * DECK_SIZE  # of a player's rows
SUMS = DECK_SIZE * DECK_SIZE  # where the sums of rows begin
ENTRY = 8  # numbers of a hand or a card: three weights, 0, three products, 0
ALL = DECK_SIZE * ENTRY  # where sums over all hands are


@inlined
def read_weights(reach: Any, begin: int, hand: int, weights: Floats, entry: int) -> None:
    """Put a hand's weights and products in their place; the players' vectors start at ``begin``."""
    first = number_at(reach, begin + hand)
    second = number_at(reach, begin + COMBOS + hand)
    third = number_at(reach, begin + 2 * COMBOS + hand)
    place = ENTRY * entry
    put_number(weights, place, first)
    put_number(weights, place + 1, second)
    put_number(weights, place + 2, third)
    put_number(weights, place + 4, second * third)
    put_number(weights, place + 5, third * first)
    put_number(weights, place + 6, first * second)


@inlined
def _add(sums: Floats, place: int, more: Any, products: Any) -> None:
    store_lanes(sums, place, load_lanes(sums, place) + more)
    store_lanes(sums, place + LANES, load_lanes(sums, place + LANES) + products)


@inlined
def add_hand(
    rows: Floats, sums: Floats, weights: Floats, hand: int, a: int, b: int, parts: Floats, step: int,
    so_far: int,
) -> None:  # fmt: skip
    """Add a part of a hand's weights and products, by player: the entry ``step`` of ``parts``.

    With what was added before, that makes the part of the entry ``so_far``.
    """
    more = load_lanes(weights, ENTRY * hand) * load_lanes(parts, ENTRY * step)
    products = load_lanes(weights, ENTRY * hand + LANES) * load_lanes(parts, ENTRY * step + LANES)
    _add(sums, ENTRY * a, more, products)
    _add(sums, ENTRY * b, more, products)
    _add(sums, ALL, more, products)
    for player in range(PLAYERS):
        row = player * SIZE
        weight = number_at(weights, ENTRY * hand + player) * number_at(parts, ENTRY * so_far + player)
        put_number(rows, row + a * DECK_SIZE + b, weight)
        put_number(rows, row + b * DECK_SIZE + a, weight)
        put_number(rows, row + SUMS + a, number_at(sums, ENTRY * a + player))
        put_number(rows, row + SUMS + b, number_at(sums, ENTRY * b + player))


@inlined
def _put(sums: Floats, place: int, lanes: Any) -> None:
    store_lanes(sums, place, lanes)
    store_lanes(sums, place + LANES, lanes)


@inlined
def remove_hand(rows: Floats, sums: Floats, a: int, b: int) -> None:
    """Set to 0 what a hand was added to, as if no hand had been."""
    none = spread(0.0, rows)
    _put(sums, ENTRY * a, none)
    _put(sums, ENTRY * b, none)
    _put(sums, ALL, none)
    for player in range(PLAYERS):
        row = player * SIZE
        put_number(rows, row + a * DECK_SIZE + b, 0.0)
        put_number(rows, row + b * DECK_SIZE + a, 0.0)
        put_number(rows, row + SUMS + a, 0.0)
        put_number(rows, row + SUMS + b, 0.0)


@inlined
def products_of_others(numbers: Any) -> Any:
    """Return, of three players' numbers, the products of the two that are not the player's."""
    others = rotate_three(numbers)
    return others * rotate_three(others)


@inlined
def sum_pairs(
    rows: Floats, sums: Floats, weights: Floats, hand: int, a: int, b: int,
    parts: Floats, step: int, columns: int,
) -> Any:  # fmt: skip
    """Return each player's sum over pairs of the others' hands, as lanes, for a hand that was added.

    Args:
        rows: See above; cards may be numbered in any way.
        sums: See above.
        weights: See above.
        hand: The number of the hand in ``weights``.
        a: The hand's first card.
        b: The hand's second card.
        parts: Parts of weights and products by player, shape (steps, 8).
        step: Which of them was added of the hand's own.
        columns: How many cards there are, a multiple of four.
    """
    first, second, third = no_products(rows), no_products(rows), no_products(rows)
    row_a, row_b = a * DECK_SIZE, b * DECK_SIZE
    for c in range(0, columns, LANES):
        one = load_lanes(rows, SUMS + c) - load_lanes(rows, row_a + c) - load_lanes(rows, row_b + c)
        two, three = c + SIZE, c + 2 * SIZE
        other = (
            load_lanes(rows, SUMS + two) - load_lanes(rows, row_a + two) - load_lanes(rows, row_b + two)
        )
        last = (
            load_lanes(rows, SUMS + three)
            - load_lanes(rows, row_a + three)
            - load_lanes(rows, row_b + three)
        )
        first = add_products(first, other, last)
        second = add_products(second, last, one)
        third = add_products(third, one, other)
    shared = sums_of_three(first, second, third)
    return close_sums(sums, weights, hand, a, b, parts, step, shared)


@inlined
def close_sums(
    sums: Floats, weights: Floats, hand: int, a: int, b: int, parts: Floats, step: int, shared: Any
) -> Any:
    """Return the sums over pairs, given those of X(c) Y(c) over all cards, a and b too."""
    own = load_lanes(weights, ENTRY * hand) * load_lanes(parts, ENTRY * step)
    with_a = load_lanes(sums, ENTRY * a) - own
    with_b = load_lanes(sums, ENTRY * b) - own
    without = load_lanes(sums, ALL) - own - with_a - with_b
    alike = (
        load_lanes(sums, ALL + LANES)
        - load_lanes(sums, ENTRY * a + LANES)
        - load_lanes(sums, ENTRY * b + LANES)
        + load_lanes(weights, ENTRY * hand + LANES) * load_lanes(parts, ENTRY * step + LANES)
    )
    # What the rows have at a and b, hands with a or b, is in ``shared`` and does not belong there.
    return (
        products_of_others(without)
        + products_of_others(with_a)
        + products_of_others(with_b)
        + alike
        - shared
    )
