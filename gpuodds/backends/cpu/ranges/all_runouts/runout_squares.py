"""Squares of hand ranks by the ranks of the two cards to come, and how often one beats another.

A square holds the hand ranks of two hole cards on all runouts of one kind. Row t, lane u is the runout
of a card of rank t and one of rank u; row 13 is the diagonal, two cards of rank t in lane t. With p[t]
and q[u] live cards there are p[t] q[u] such runouts and q[t] (q[t] - 1) / 2 pairs, so comparing two
hands on 1,176 runouts is 14 comparisons of vectors of 16 lanes. Where both cards to come are alike only
the lanes u < t and row 13 count, else both orders would; where one is of a suit and the other is not,
all lanes count but row 13. With one card to come only row 13 is filled, and lane t counts q[t] times.

A lane sums to no more than 1,326 runouts, and so does the whole: 16 bits hold it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from gpuodds.backends.cpu.compile.jit import bit_operation, compiled
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables

Int16s = npt.NDArray[np.int16]

RANKS, LANES = 13, 16
SQUARE = (RANKS + 1) * LANES
LOST = 21  # bits: comparisons give wins + (losses << LOST)


ALIKE, MIXED, ONE_CARD = range(3)  # which cards are to come


def _in_numpy(cards: int) -> Callable[..., Any]:
    """Return a comparison where nothing is compiled."""

    def compare(
        ours: Int16s, i: int, theirs: Int16s, k: int, live: Int16s, at: int, taken: Int16s, by: int
    ) -> int:
        x, y = ours[i : i + SQUARE].astype(int), theirs[k : k + SQUARE].astype(int)
        left = live[at : at + 2 * LANES].astype(int) - taken[by : by + 2 * LANES]
        p, q = left[:LANES], left[LANES:]
        rows = np.outer(p[:RANKS], q) * (cards != ONE_CARD)
        rows *= np.tri(RANKS, LANES, -1, int) if cards == ALIKE else 1
        last = (q * (q - 1) // 2, 0 * q, q)[cards]
        times = np.concatenate([rows.ravel(), last])
        return int(times @ (x > y)) + (int(times @ (y > x)) << LOST)

    return compare


def _comparison(cards: int) -> Callable[..., Any]:
    """Return the generator of a comparison."""

    def generator(
        typing_context: Any,
        ours: Any,
        i: Any,
        theirs: Any,
        k: Any,
        live: Any,
        at: Any,
        taken: Any,
        by: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lane, vector = ir.IntType(16), ir.VectorType(ir.IntType(16), LANES)
            zeros = ir.Constant(vector, [0] * LANES)
            ones = ir.Constant(vector, [1] * LANES)
            sums = [zeros, zeros]

            def load(array: int, more: int) -> Any:
                struct = context.make_array(signature.args[array])(context, builder, arguments[array])
                place = builder.add(arguments[array + 1], ir.Constant(ir.IntType(64), more * LANES))
                data = builder.gep(builder.bitcast(struct.data, lane.as_pointer()), [place])
                value = builder.load(builder.bitcast(data, vector.as_pointer()))
                value.align = 2
                return value

            def compare(row: int, times: Any) -> None:
                x, y = load(0, row), load(2, row)
                for way, (left, right) in enumerate(((x, y), (y, x))):
                    wins = builder.icmp_signed(">", left, right)
                    sums[way] = builder.add(sums[way], builder.select(wins, times, zeros))

            def total(row: Any) -> Any:
                kind = ir.FunctionType(lane, [vector])
                name = f"llvm.vector.reduce.add.v{LANES}i16"
                add = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
                return builder.zext(builder.call(add, [row]), ir.IntType(64))

            q = builder.sub(load(4, 1), load(6, 1))
            if cards == ONE_CARD:
                compare(RANKS, q)
            else:
                p = builder.sub(load(4, 0), load(6, 0))
                for row in range(RANKS):
                    all_of_row = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [row] * LANES)
                    times = builder.shuffle_vector(p, p, all_of_row)
                    if cards == ALIKE:
                        lower = [-1 if u < row else 0 for u in range(LANES)]
                        times = builder.and_(times, ir.Constant(vector, lower))
                    compare(row, times)
                sums[:] = [builder.mul(lane_sum, q) for lane_sum in sums]
            if cards == ALIKE:
                compare(RANKS, builder.lshr(builder.mul(q, builder.sub(q, ones)), ones))
            wins, losses = (total(row) for row in sums)
            return builder.add(wins, builder.shl(losses, ir.Constant(ir.IntType(64), LOST)))

        array, place = types.Array(types.int16, 1, "C"), types.int64
        return types.int64(*(array, place) * 4), generate

    return generator


compare_alike = bit_operation(_in_numpy(ALIKE))(_comparison(ALIKE))
compare_mixed = bit_operation(_in_numpy(MIXED))(_comparison(MIXED))
compare_one_card = bit_operation(_in_numpy(ONE_CARD))(_comparison(ONE_CARD))


@compiled
def fill_square(
    state: np.int64, flush_ranks: int, suited: int, to_come: int, tables: HandRankTables,
    out: Int16s, at: int,
) -> None:  # fmt: skip
    """Fill the square of two hole cards at ``out[at:]``, but for lanes past 12, which count 0 times.

    ``state`` is the automaton's after the board and hole cards, ``flush_ranks`` the mask of their ranks
    in a suit, 0 to leave flushes aside. ``suited`` is how many of the cards to come are of the suit:
    the first, if one of two is.
    """
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    last = at + RANKS * LANES
    if to_come == 1:
        six = state - SIX_CARDS
        for t in range(RANKS):
            best = flush[flush_ranks | (1 << t if suited else 0)] if flush_ranks else np.uint16(0)
            out[last + t] = max(rank_7[six, t], best)
        return
    for t in range(RANKS):
        six = np.int64(step[state, t]) - SIX_CARDS
        row = at + t * LANES
        if six < 0:  # a fifth card of a rank
            for u in range(RANKS):
                out[row + u] = 0
        else:
            for u in range(RANKS):
                out[row + u] = rank_7[six, u]
        if flush_ranks:
            in_suit = flush_ranks | (1 << t if suited else 0)
            if suited == 2:
                for u in range(t):
                    out[row + u] = max(out[row + u], np.int16(flush[in_suit | 1 << u]))
            else:
                best = np.int16(flush[in_suit])
                for u in range(RANKS):
                    out[row + u] = max(out[row + u], best)
        out[last + t] = out[row + t]
