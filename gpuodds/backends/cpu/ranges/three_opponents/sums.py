"""What is kept of the opponents' combos while a board's hand ranks are gone through.

Combos are edges between cards, a player's all of one colour. W_i are the weights of player i's lower
combos by two cards: symmetric, with zeros on the diagonal. For each player, and for some pairs (i, j)
and triples (i, j, k) of players, these are kept:

    d_i(c)  = sum over x of W_i[c, x]               the combos with card c; half of all d_i is s_i
    M_ij    = W_i W_j                               a combo of i and one of j that meet at a card
    r_ij(c) = (W_j d_i)(c) = sum of W_j[c, x] d_i(x)        such steps that end with a combo of j at c
    q_ij(c) = M_ij[c, c]                            combos with card c that both have; half is E_ij
    e(c)                                            those that all three have; half is E
    Tr      = Tr(W_i W_j W_k)                       triangles of a combo of each

They are kept up to date by :mod:`gpuodds.backends.cpu.ranges.three_opponents.tied_combos`.

Of tied combos, those of the level that is open, only weights, d, s and q are kept. Integers are exact:
no d or q is above 51, no r above 51 x 51, and all fit int16.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import (
    compiled_without_refcounts,
    inlined_without_refcounts,
)
from gpuodds.backends.cpu.compile.lanes import lane_count, spread, store_lanes
from gpuodds.backends.cpu.ranges.three_opponents.matchups import Matchups
from gpuodds.cards import DECK_SIZE

Ints = npt.NDArray[np.int64]
Numbers = npt.NDArray[Any]  # int16 or float64
Sums = npt.NDArray[Any]  # int64 or float64
Total = Any  # of weights: int64 or float64

WHOLE_DECK = (1 << DECK_SIZE) - 1  # cards, a bit each


class OpponentSums(NamedTuple):
    """The sums; a row of c numbers has a place for each card, and then zeros.

    Stage 0 is the board; at stage 1 a hero's combo is taken out, at the next that of a listed opponent.
    The number of a player's tied combos is his own plus that of the players. The combos that two have
    are the number of the pair if they are lower, plus that of the pairs if tied, plus twice that if
    one of the two ties and the other has folded. Behind the arcs and triples of the board stand three
    arcs and one triple for each more stage.

    ``rows`` (2 x players, 52, c) are W, ``partners`` (2 x players, 52) the cards where W is not 0, a
    bit each, and ``held`` (2 x players,) the cards of tied combos; of lower ones it is 0.
    ``cards`` (stages, 2 x players, c) and ``totals`` (stages, 2 x players) are d and s, ``both``
    (stages, 3 x pairs, c) and ``both_totals`` (stages, 3 x pairs) q and E of two.

    ``steps`` (arcs, 52, c) are M and ``reached`` (arcs, c) r; ``all_three`` (triples, c),
    ``all_totals`` (triples,) and ``triangles`` (triples,) are e, E and Tr.

    ``live`` (stages, c) is 1 for the cards that are left, ``without`` (52, c) for all but one; ``left``
    (3, c) is scratch for d of three opponents once cards are out.
    """

    rows: Numbers
    partners: Ints
    held: Ints
    cards: Numbers
    totals: Sums
    both: Numbers
    both_totals: Sums
    steps: Numbers
    reached: Numbers
    all_three: Numbers
    all_totals: Sums
    triangles: Sums
    live: Numbers
    without: Numbers
    left: Numbers


def new_opponent_sums(matchups: Matchups) -> OpponentSums:
    """Make sums of no combos."""
    players, _, width = matchups.weights.shape
    pairs, stages = players * (players - 1) // 2, players - 2
    arcs, triples = (
        len(rows) + more * (stages - 1) for rows, more in ((matchups.arcs, 3), (matchups.triples, 1))
    )
    number = matchups.weights.dtype
    total = np.dtype(np.int64 if number.kind == "i" else np.float64)
    every = (np.arange(width) < DECK_SIZE).astype(number)
    without = np.tile(every, (DECK_SIZE, 1))
    np.fill_diagonal(without, 0)
    return OpponentSums(
        np.zeros((2 * players, DECK_SIZE, width), number),
        np.zeros((2 * players, DECK_SIZE), np.int64),
        np.zeros(2 * players, np.int64),
        np.zeros((stages, 2 * players, width), number),
        np.zeros((stages, 2 * players), total),
        np.zeros((stages, 3 * pairs, width), number),
        np.zeros((stages, 3 * pairs), total),
        np.zeros((arcs, DECK_SIZE, width), number),
        np.zeros((arcs, width), number),
        np.zeros((triples, width), number),
        np.zeros(triples, total),
        np.zeros(triples, total),
        np.tile(every, (stages, 1)),
        without,
        np.zeros((3, width), number),
    )


@inlined_without_refcounts
def row_length(array: Numbers) -> int:
    """Return how many numbers a row of the cards has: as many lanes as the cards need."""
    lanes: int = lane_count(array)
    return (DECK_SIZE + lanes - 1) // lanes * lanes


@inlined_without_refcounts
def is_weighted(array: Numbers) -> bool:
    """Return whether combos have weights, or each in a range counts as one."""
    lanes: int = lane_count(array)
    return lanes == 4


@inlined_without_refcounts
def clear_rows(array: Numbers, begin: int, end: int) -> None:
    """Make the numbers of whole rows 0, from one place to another, counted over all numbers."""
    nothing = spread(0, array)
    for at in range(begin, end, lane_count(array)):
        store_lanes(array, at, nothing)


@compiled_without_refcounts
def clear(matchups: Matchups, sums: OpponentSums) -> None:
    """Forget all lower combos; no level is open."""
    triples = matchups.triples.shape[0]
    width = row_length(sums.rows)
    clear_rows(sums.rows, 0, sums.rows.shape[0] * DECK_SIZE * width)
    clear_rows(sums.cards, 0, sums.cards.shape[1] * width)
    clear_rows(sums.both, 0, sums.both.shape[1] * width)
    clear_rows(sums.reached, 0, matchups.arcs.shape[0] * width)
    clear_rows(sums.all_three, 0, triples * width)
    sums.partners[:] = 0
    sums.totals[0] = 0
    sums.both_totals[0] = 0
    sums.all_totals[:triples] = 0
    sums.triangles[:triples] = 0
