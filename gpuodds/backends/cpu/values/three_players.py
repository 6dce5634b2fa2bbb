"""Showdown values of three players on the CPU: see the operation.

Combos are taken from the weakest up. If ties were broken at random, a hand would win with the chance of
the share that it takes: against two others that it ties, 1/3. With L the others' weights below the hand
and E those of its ties, that is, for pairs of the others' hands,

    L L + (L E + E L) / 2 + E E / 3 = (L + E / 2) (L + E / 2) + E E / 12

The first product is a sum over pairs when half of the hand's group has been added
(:mod:`gpuodds.backends.cpu.values.pair_sums`), the second one over the group alone. Three times the sum
of both, less the sum over all pairs, is the value.

A player who has folded has hands that are weaker than all others: they are added from the beginning.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, zeros
from gpuodds.backends.cpu.compile.lanes import (
    load_lanes,
    number_at,
    put_number,
    store_lanes,
)
from gpuodds.backends.cpu.values.folds import sum_all_pairs
from gpuodds.backends.cpu.values.pair_sums import (
    ENTRY,
    LANES,
    PLAYERS,
    add_hand,
    read_weights,
    remove_hand,
    sum_pairs,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.rules import COMBOS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

FIRST, HALF, SECOND, TIED, WHOLE, TIMES = range(6)
"""Entries of parts: what is added of a hand when its group begins, what has been added of it by then,
what is added when the group ends, what counts as tied, all of it; and, for the players at the showdown,
by what their sums below and their sums of ties are multiplied."""


def parts_of_hands(folded: int) -> Floats:
    """Return the parts of weights (three players, 0) and products (three pairs, 0), shape (6, 8).

    Args:
        folded: The player who has folded, or -1.
    """
    parts = np.zeros((6, 2, 4))
    parts[:, 0, :PLAYERS] = np.array([0.5, 0.5, 0.5, 1, 1, 3])[:, None]
    parts[:, 1, :PLAYERS] = np.array([0.25, 0.25, 0.75, 1, 1, 0.25])[:, None]
    if folded >= 0:
        parts[:, 0, folded] = [0, 1, 0, 0, 1, 0]
        parts[TIMES, 1, folded] = 0
        for other in range(PLAYERS):
            if other != folded:  # the products of the folded player and one more
                parts[:TIMES, 1, other] = [0.5, 0.5, 0.5, 0, 1]
    return parts.reshape(6, ENTRY)


@compiled
def three_player_values(
    hands: UInt16s, starts: UInt16s, groups: Ints, own_cards: UInt8s, widths: UInt8s, cards: UInt8s,
    parts: Floats, folded: int, boards: Ints, items: Ints, begin: int, end: int, reach: Any, out: Any,
) -> None:  # fmt: skip
    """Write the values of some items.

    Args:
        hands: The combos of each board by strength: see ``StrengthOrders``.
        starts: Where groups of ties begin.
        groups: How many groups boards have.
        own_cards: The cards of combos, numbered within their groups.
        widths: How many cards groups have.
        cards: The two cards of each combo, shape (1326, 2).
        parts: The result of :func:`parts_of_hands`.
        folded: The player who has folded, or -1.
        boards: The board of each item.
        items: The items, those of a board side by side.
        begin: The place of the first item in ``items`` to do.
        end: The place after the last one.
        reach: Weights, shape (batch, 3, 1326), float32 or float64.
        out: Receives the values, of the shape and dtype of ``reach``.
    """
    live = np.int64(hands.shape[1])
    weights, values = empty((COMBOS, ENTRY), np.float64), empty((live, LANES), np.float64)
    all_pairs = empty((COMBOS, LANES), np.float64)
    rows = empty((PLAYERS, DECK_SIZE + 1, DECK_SIZE), np.float64)
    sums = empty((DECK_SIZE + 1, ENTRY), np.float64)
    tied_rows = zeros((PLAYERS, DECK_SIZE + 1, DECK_SIZE), np.float64)
    tied_sums = zeros((DECK_SIZE + 1, ENTRY), np.float64)
    quarter = load_lanes(parts, ENTRY * TIMES + LANES)
    for place in range(begin, end):
        item = items[place]
        board = boards[item]
        at, first, first_group = item * PLAYERS * COMBOS, board * live, board * (live + 1)
        weights[:] = 0.0
        for k in range(live):
            hand = number_at(hands, first + k)
            read_weights(reach, at, hand, weights, hand)
        sum_all_pairs(weights, parts, WHOLE, rows, sums, all_pairs)
        for k in range(live):  # from here on by strength, as they are met
            hand = number_at(hands, first + k)
            read_weights(reach, at, hand, weights, k)
            store_lanes(values, LANES * k, load_lanes(all_pairs, LANES * hand))
        for player in range(PLAYERS):
            if player != folded:
                rows[player] = 0.0
                sums[:, player] = 0.0
        sums[:, LANES:] = 0.0
        for group in range(groups[board]):
            low = number_at(starts, first_group + group)
            high = number_at(starts, first_group + group + 1)
            width = number_at(widths, first + group)
            for k in range(low, high):
                hand = number_at(hands, first + k)
                a, b = number_at(cards, 2 * hand), number_at(cards, 2 * hand + 1)
                add_hand(rows, sums, weights, k, a, b, parts, FIRST, HALF)
            for k in range(low, high):
                hand = number_at(hands, first + k)
                a, b = number_at(cards, 2 * hand), number_at(cards, 2 * hand + 1)
                won = sum_pairs(rows, sums, weights, k, a, b, parts, HALF, DECK_SIZE)
                value = won * load_lanes(parts, ENTRY * TIMES) - load_lanes(values, LANES * k)
                store_lanes(values, LANES * k, value)
            for k in range(low, high):
                hand = number_at(hands, first + k)
                a, b = number_at(cards, 2 * hand), number_at(cards, 2 * hand + 1)
                add_hand(rows, sums, weights, k, a, b, parts, SECOND, WHOLE)
            if width == 0:
                continue
            for k in range(low, high):
                own = 2 * (first + k)
                a, b = number_at(own_cards, own), number_at(own_cards, own + 1)
                add_hand(tied_rows, tied_sums, weights, k, a, b, parts, TIED, TIED)
            for k in range(low, high):
                own = 2 * (first + k)
                a, b = number_at(own_cards, own), number_at(own_cards, own + 1)
                tied = sum_pairs(tied_rows, tied_sums, weights, k, a, b, parts, TIED, width)
                store_lanes(values, LANES * k, load_lanes(values, LANES * k) + tied * quarter)
            for k in range(low, high):
                own = 2 * (first + k)
                a, b = number_at(own_cards, own), number_at(own_cards, own + 1)
                remove_hand(tied_rows, tied_sums, a, b)
        for player in range(PLAYERS):
            for hand in range(COMBOS):
                put_number(out, at + player * COMBOS + hand, 0.0)
            for k in range(live):
                hand = number_at(hands, first + k)
                value = number_at(values, LANES * k + player)
                put_number(out, at + player * COMBOS + hand, value)
