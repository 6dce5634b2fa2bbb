"""Rank combos on one full board: a look-up by the two ranks, and another where a flush is possible."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.np.arrayobj import make_array

from gpuodds.backends.cpu.compile.jit import bit_operation, inlined, popcount
from gpuodds.games.holdem.rank_sums import COLUMN, COLUMN_BITS, RANK_PART, ROWS, SPREAD, SUM_BITS
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

SUIT_BITS = 16  # of a suit's rank mask; four of them fit an int64


class FullBoard(NamedTuple):
    """Five board cards, as ranking combos needs them.

    Attributes:
        dealt: The set of cards, a mask.
        state: The automaton's state after their ranks.
        flush_suit: The suit with three cards or more, else -1.
        flush_ranks: The board's ranks of that suit, a mask.
    """

    dealt: int
    state: np.int64
    flush_suit: int
    flush_ranks: int


@inlined
def read_board(board: UInt8s, tables: HandRankTables) -> FullBoard:
    """Read five board cards."""
    dealt = 0
    suited = 0
    state = np.int64(0)
    for i in range(5):
        card = int(np.int64(board[i]))
        dealt |= 1 << card
        suited |= 1 << (SUIT_BITS * (card & 3) + (card >> 2))
        state = np.int64(tables.step[state, card >> 2])
    flush_suit = -1
    flush_ranks = 0
    for suit in range(4):
        ranks = suited >> SUIT_BITS * suit & 0x1FFF
        if popcount(ranks) >= 3:
            flush_suit = suit
            flush_ranks = ranks
    return FullBoard(dealt, state, flush_suit, flush_ranks)


@inlined
def rank_without_flush(
    state: np.int64, step: UInt16s, rank_7: UInt16s, plain: npt.NDArray[np.integer]
) -> None:
    """Fill ``plain`` (13, 13): the hand rank by the ranks of two hole cards, flushes left aside."""
    for first in range(13):
        six = np.int64(step[state, first]) - SIX_CARDS
        for second in range(13):
            plain[first, second] = rank_7[six, second] if six >= 0 else 0


@inlined
def ranks_in_suit(a: int, b: int, suit: int, ranks: int) -> int:
    """Add the ranks of the cards a and b that are of a suit to a mask of ranks."""
    return int(ranks | np.int64(a & 3 == suit) << (a >> 2) | np.int64(b & 3 == suit) << (b >> 2))


@inlined
def rank_of_sum(total: np.int64, table: UInt16s) -> Any:
    """Return the rank of a hand without a flush: see :mod:`gpuodds.games.holdem.rank_sums`."""
    place = (total * SPREAD & RANK_PART) >> COLUMN_BITS
    return table[ROWS + np.int64(table[place]) + (total & COLUMN)]


@inlined
def has_flush(total: np.uint32) -> Any:
    """Return whether a sum of seven keys has five cards of a suit; without a branch or a table.

    Its octal digits count three suits: of five, six or seven the highest bit is set and another one.
    The last suit has the other cards, five or more if the three have two or fewer. Each step is cut to
    32 bits, so that the machine does it for eight sums at a time, not for four.
    """
    bits = np.uint32
    digits = bits(total >> bits(SUM_BITS))
    lower = bits(bits(digits >> bits(1)) | digits)
    five = bits(bits(bits(digits >> bits(2)) & lower) & bits(0o111))
    others = bits(bits(digits & bits(7)) + bits(bits(digits >> bits(3)) & bits(7)))
    return five > bits(0) or bits(others + bits(digits >> bits(6))) <= bits(2)


def _compare_plainly(rank_7: UInt16s, row: int, limit: int) -> tuple[int, int]:
    ranks = rank_7[row]
    bits = 1 << np.arange(13)
    return int(bits[ranks > limit].sum()), int(bits[ranks == limit].sum())


@bit_operation(_compare_plainly)
def compare_row(typing_context: Any, rank_7: Any, row: Any, limit: Any) -> Any:
    """Return the ranks in a row of ``rank_7`` that are above a limit, and those equal to it, masks.

    Sixteen entries are compared at once: the row's are the last of them, but for the first row.
    """
    word, short = ir.IntType(64), ir.IntType(16)
    many = ir.VectorType(short, 16)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(signature.args[0])(context, builder, value=arguments[0])
        begin = builder.mul(arguments[1], word(13))
        before = builder.select(builder.icmp_signed("==", begin, word(0)), word(0), word(3))
        place = builder.gep(array.data, [builder.sub(begin, before)])
        ranks = builder.load(builder.bitcast(place, many.as_pointer()))
        ranks.align = 2
        one = builder.insert_element(
            many(ir.Undefined), builder.trunc(arguments[2], short), ir.IntType(32)(0)
        )
        limits = builder.shuffle_vector(one, one, ir.VectorType(ir.IntType(32), 16)([0] * 16))

        def mask(operator: str) -> Any:
            found = builder.bitcast(builder.icmp_signed(operator, ranks, limits), short)
            moved = builder.lshr(builder.zext(found, word), before)
            return builder.and_(moved, word(0x1FFF))

        return context.make_tuple(builder, signature.return_type, [mask(">"), mask("==")])

    return types.UniTuple(types.int64, 2)(rank_7, types.int64, types.int64), generate
