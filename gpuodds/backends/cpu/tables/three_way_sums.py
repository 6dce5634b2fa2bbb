"""Sums over a hero's combos and boards of products of numbers of combos, for three starting hands.

What is multiplied: numbers of combos that the hero's combo beats, ties with, or leaves in the deck at
all (a folded player's).

Numbers of combos stand in 16-bit lanes. A card's combos have 32 of them, its *kinds*: lane r for the
suited combo with rank r, lane 16 + r for the offsuit ones, or the pair where r is the card's own rank.
Eight rows (hero combos on boards) are multiplied together, so that a sum is loaded and stored once for
eight products; a row adds at most 12 x 12 to a sum, and after 448 rows the sums move to 64 bits, times
how often these boards count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from gpuodds.backends.cpu.compile.jit import bit_operation, compiled, compiled_without_refcounts

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]
UInt16s = npt.NDArray[np.uint16]

RANKS, SUITS, PAIRS, CLASSES = 13, 4, 13, 169
LANES = 16
OF_SUIT = RANKS * LANES  # lanes of the cards of a suit
HALF = SUITS * OF_SUIT  # of all cards, for suited combos; as many for offsuit ones and pairs
KINDS = 2 * HALF
PLACES = 4 * HALF  # of combos with a card of each suit
WIDTH = 192  # a row of 169 classes, the number 1, and zeros to whole vectors
ONE = CLASSES
BLOCK = 8
MAX_ROWS = 448  # times 12 x 12 is below 2^16
ABSENT = 0x7FFF  # in place of a hand rank: neither lower than a rank nor equal to it


class Places(NamedTuple):
    """Where numbers stand.

    ``combos`` (PLACES,) are the combos of a card: those with a card of its own suit, then of the next
    suits in turn, each in the order of suit, rank and rank of the other card. ``real`` (PLACES,) are
    1 where there is such a combo. ``classes`` (169,) tell where, among the sums of a rank's four
    cards, the number of a class stands.
    """

    combos: UInt16s
    real: UInt16s
    classes: UInt16s


class Totals(NamedTuple):
    """Sums of products, int64: lower and lower, tied and lower, tied and tied.

    ``classes`` are (3, 169, 192), and ``kinds`` (3, 13, 32, 32): by the rank of a card that two combos
    share; both in one row of numbers.
    Lower with lower and tied with tied are symmetric: only c from b's pair of vectors on are summed
    among the classes, and among the kinds nothing for an offsuit one and a suited one.
    """

    classes: Ints
    kinds: Ints


class _Sums(NamedTuple):
    # The same in 16 bits, in rows one after another, until they are added to the totals.
    classes: UInt16s
    kinds: UInt16s


class _Block(NamedTuple):
    # Eight rows of numbers, and by kind whether any of them has one.
    kinds: UInt16s
    classes: UInt16s
    held: UInt16s


def find_places(class_of: Callable[[int, int], int]) -> Places:
    """Make the places.

    Args:
        class_of: Gives the class of two cards.
    """
    combos = np.zeros((SUITS, SUITS, RANKS, LANES), np.uint16)
    real = np.zeros(combos.shape, np.uint16)
    classes = np.zeros(CLASSES, np.uint16)
    for turn, suit, rank, other in np.ndindex(SUITS, SUITS, RANKS, RANKS):
        low, high = sorted((4 * rank + suit, 4 * other + (suit + turn) % SUITS))
        if low == high:
            continue
        combos[turn, suit, rank, other] = high * (high - 1) // 2 + low
        real[turn, suit, rank, other] = 1
        classes[class_of(low, high)] = (OF_SUIT if turn else 0) + rank * LANES + other
    return Places(combos.ravel(), real.ravel(), classes)


def find_lanes(class_number: Callable[[int, int, bool], int]) -> Ints:
    """Return the class of each lane among the sums of four cards, (416,), -1 for none.

    Args:
        class_number: Gives the class of two ranks, the higher first, suited or not.
    """
    lanes = np.full((2, RANKS, LANES), -1, np.int64)
    for half, rank, other in np.ndindex(2, RANKS, RANKS):
        if half or rank != other:
            lanes[half, rank, other] = class_number(max(rank, other), min(rank, other), half == 0)
    return lanes.ravel()


def _in_numpy(steps: list[tuple[int, int]], apart: int, vectors: int) -> Callable[..., Any]:
    """Return a multiplication where nothing is compiled."""

    def multiply(left: UInt16s, i: int, right: UInt16s, k: int, out: UInt16s, at: int) -> None:
        for left_place, other in steps:
            for vector in range(vectors):
                begin, to = k + other + vector * apart, at + vector * LANES
                out[to : to + LANES] += left[i + left_place] * right[begin : begin + LANES]

    return multiply


def _multiplication(steps: list[tuple[int, int]], apart: int, vectors: int) -> Callable[..., Any]:
    """Return the generator of a multiplication.

    It adds to ``vectors`` vectors of ``out`` the products of numbers of ``left`` and vectors of
    ``right``, which stand ``apart``: a product for each of the ``steps``, offsets in both.
    """

    def generator(typing_context: Any, left: Any, i: Any, right: Any, k: Any, out: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lane, word = ir.IntType(16), ir.IntType(64)
            vector = ir.VectorType(lane, LANES)
            nothing = ir.Constant(vector, ir.Undefined)
            everywhere = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)

            def address(array: int, more: int) -> Any:
                struct = context.make_array(signature.args[array])(context, builder, arguments[array])
                place = builder.add(arguments[array + 1], ir.Constant(word, more))
                return builder.gep(builder.bitcast(struct.data, lane.as_pointer()), [place])

            def whole(array: int, more: int) -> Any:
                return builder.bitcast(address(array, more), vector.as_pointer())

            def load(array: int, more: int) -> Any:
                value = builder.load(whole(array, more))
                value.align = 2
                return value

            sums = [load(4, LANES * number) for number in range(vectors)]
            for left_place, other in steps:
                first = builder.insert_element(
                    nothing, builder.load(address(0, left_place)), ir.Constant(ir.IntType(32), 0)
                )
                times = builder.shuffle_vector(first, nothing, everywhere)
                for number in range(vectors):
                    product = builder.mul(times, load(2, other + number * apart))
                    sums[number] = builder.add(sums[number], product)
            for number, value in enumerate(sums):
                builder.store(value, whole(4, LANES * number)).align = 2
            return context.get_dummy_value()

        array = types.Array(types.uint16, 1, "C")
        return types.none(*(array, types.int64) * 3), generate

    return generator


_BY_CLASS = [(row * WIDTH, row * WIDTH) for row in range(BLOCK)], LANES, 2
_BY_CARD = [(at, at) for row in range(BLOCK) for at in range(row * KINDS, row * KINDS + HALF, OF_SUIT)]
multiply_classes = bit_operation(_in_numpy(*_BY_CLASS))(_multiplication(*_BY_CLASS))
multiply_kinds = bit_operation(_in_numpy(_BY_CARD, HALF, 2))(_multiplication(_BY_CARD, HALF, 2))
multiply_half = bit_operation(_in_numpy(_BY_CARD, HALF, 1))(_multiplication(_BY_CARD, HALF, 1))


@compiled_without_refcounts
def _place_ranks(row: UInt16s, combos: UInt16s, ranks: Int16s) -> None:
    """Write the hand ranks of a board, less 1, where their combos stand."""
    for i in range(PLACES):
        # Rank 0, of a combo that is not dealt, becomes ABSENT.
        ranks[i] = (row[combos[i]] + ABSENT) & ABSENT


@compiled_without_refcounts
def _count_kinds(ranks: Int16s, blocked: Int16s, rank: np.int16, lower: UInt16s, tied: UInt16s) -> None:
    """Count by card and kind the combos that a rank beats, and those that tie with it."""
    for i in range(HALF):
        first = ranks[i] | blocked[i]
        second = ranks[HALF + i] | blocked[HALF + i]
        third = ranks[2 * HALF + i] | blocked[2 * HALF + i]
        fourth = ranks[3 * HALF + i] | blocked[3 * HALF + i]
        lower[i] = first < rank
        tied[i] = first == rank
        lower[HALF + i] = np.uint16(second < rank) + np.uint16(third < rank) + np.uint16(fourth < rank)
        tied[HALF + i] = (
            np.uint16(second == rank) + np.uint16(third == rank) + np.uint16(fourth == rank)
        )


@compiled_without_refcounts
def _count_any(ranks: Int16s, blocked: Int16s, undealt: UInt16s) -> None:
    """Count by card and kind the combos that a board and a hero's combo leave in the deck."""
    for i in range(HALF):
        first = ranks[i] | blocked[i]
        second = ranks[HALF + i] | blocked[HALF + i]
        third = ranks[2 * HALF + i] | blocked[2 * HALF + i]
        fourth = ranks[3 * HALF + i] | blocked[3 * HALF + i]
        undealt[i] = first != ABSENT
        undealt[HALF + i] = (
            np.uint16(second != ABSENT) + np.uint16(third != ABSENT) + np.uint16(fourth != ABSENT)
        )


@compiled_without_refcounts
def _count_classes(
    kinds: UInt16s, places: UInt16s, sums: UInt16s, held: UInt16s, classes: UInt16s
) -> None:
    """Count combos by class from their numbers by card and kind."""
    for half in range(2):
        for i in range(OF_SUIT):
            at = half * HALF + i
            number = kinds[at] + kinds[at + OF_SUIT] + kinds[at + 2 * OF_SUIT] + kinds[at + 3 * OF_SUIT]
            sums[half * OF_SUIT + i] = number
            held[half * OF_SUIT + i] |= np.uint16(number)
    for i in range(CLASSES):
        classes[i] = sums[places[i]]
    for i in range(PAIRS):
        classes[i] >>= 1  # once for each of its cards


@compiled_without_refcounts
def _add_block(left: _Block, right: _Block, same: bool, places: UInt16s, sums: _Sums, at: int) -> None:
    """Add the products of eight rows to the table ``at``; ``same``: its sides are the same."""
    table = at * CLASSES * WIDTH
    for b in range(CLASSES):
        if left.held[places[b]]:
            for c in range(b & ~31 if same else 0, WIDTH, 2 * LANES):
                to = table + b * WIDTH + c
                multiply_classes(left.classes, b, right.classes, c, sums.classes, to)
    table = at * RANKS * 4 * LANES * LANES
    for rank in range(RANKS):
        for kind in range(2 * LANES):
            half, lane = kind // LANES, rank * LANES + kind % LANES
            if left.held[half * OF_SUIT + lane]:
                here, to = half * HALF + lane, table + (rank * 2 * LANES + kind) * 2 * LANES
                base = rank * LANES
                if same and half:
                    multiply_half(left.kinds, here, right.kinds, base + HALF, sums.kinds, to + LANES)
                else:
                    multiply_kinds(left.kinds, here, right.kinds, base, sums.kinds, to)


@compiled_without_refcounts
def _flush(sums: _Sums, times: int, totals: Totals) -> None:
    weight = np.int64(times)
    for i in range(len(sums.classes)):
        totals.classes[i] += weight * np.int64(sums.classes[i])
        sums.classes[i] = 0
    for i in range(len(sums.kinds)):
        totals.kinds[i] += weight * np.int64(sums.kinds[i])
        sums.kinds[i] = 0


@compiled_without_refcounts
def _fill_row(
    ranks: Int16s, blocked: Int16s, rank: np.int16, places: Places, row: int, kind_sums: UInt16s,
    lower: _Block, tied: _Block,
) -> None:  # fmt: skip
    """Fill a row of both blocks."""
    at = row * KINDS
    _count_kinds(ranks, blocked, rank, lower.kinds[at : at + KINDS], tied.kinds[at : at + KINDS])
    for block in (lower, tied):
        classes = block.classes[row * WIDTH : row * WIDTH + CLASSES]
        _count_classes(block.kinds[at : at + KINDS], places.classes, kind_sums, block.held, classes)


@compiled
def _new_block() -> _Block:
    classes = np.zeros(BLOCK * WIDTH, np.uint16)
    classes[ONE::WIDTH] = 1
    return _Block(np.zeros(BLOCK * KINDS, np.uint16), classes, np.zeros(2 * OF_SUIT, np.uint16))


@compiled_without_refcounts
def _clear_rows(block: _Block, first: int) -> None:
    for i in range(first * KINDS, BLOCK * KINDS):
        block.kinds[i] = 0
    for row in range(first, BLOCK):
        for i in range(CLASSES):
            block.classes[row * WIDTH + i] = 0


@compiled_without_refcounts
def _multiply(lower: _Block, tied: _Block, places: UInt16s, sums: _Sums) -> None:
    """Add the products of eight rows, and begin the next eight."""
    _add_block(lower, lower, True, places, sums, 0)
    _add_block(tied, lower, False, places, sums, 1)
    _add_block(tied, tied, True, places, sums, 2)
    for i in range(2 * OF_SUIT):
        lower.held[i] = tied.held[i] = 0


@compiled_without_refcounts
def _multiply_folded(
    lower: _Block, tied: _Block, undealt: _Block, wanted: UInt16s, places: UInt16s, sums: _Sums
) -> None:
    """Add the products of eight rows with those of a folded player, and begin the next eight."""
    for i in range(2 * OF_SUIT):
        lower.held[i] *= wanted[i]
        tied.held[i] *= wanted[i]
    _add_block(lower, undealt, False, places, sums, 0)
    _add_block(tied, undealt, False, places, sums, 1)
    for i in range(2 * OF_SUIT):
        lower.held[i] = tied.held[i] = 0


@compiled
def add_boards_folded(
    heroes: Ints, blocked: Int16s, all_ranks: UInt16s, times: UInt16s, begin: int, end: int,
    places: Places, wanted: UInt16s, totals: Totals,
) -> None:  # fmt: skip
    """Add what some combos make of the boards ``begin`` to ``end`` against one hand, with one folded.

    Products are lower and undealt, tied and undealt; the first class is the opponent's, the second the
    folded player's.

    Args:
        heroes: As in :func:`add_boards`, like all that are not listed here.
        blocked: Likewise.
        all_ranks: Likewise.
        times: Likewise.
        begin: Likewise.
        end: Likewise.
        places: Likewise.
        wanted: 1 for the lanes of :func:`find_lanes` of the opponents' classes that are wanted, (416,):
            other classes' products are left out.
        totals: What is added to: two products.
    """
    ranks, kind_sums = np.empty(PLACES, np.int16), np.empty(2 * OF_SUIT, np.uint16)
    lower, tied, undealt = _new_block(), _new_block(), _new_block()
    sums = _Sums(np.zeros(totals.classes.size, np.uint16), np.zeros(totals.kinds.size, np.uint16))
    filled = rows = 0
    for board in range(begin, end):
        _place_ranks(all_ranks[board], places.combos, ranks)
        for number in range(len(heroes)):
            rank = all_ranks[board, heroes[number]]
            if rank == 0:
                continue
            row = blocked[number]
            _fill_row(ranks, row, np.int16(rank - 1), places, filled, kind_sums, lower, tied)
            at = filled * KINDS
            _count_any(ranks, row, undealt.kinds[at : at + KINDS])
            classes = undealt.classes[filled * WIDTH : filled * WIDTH + CLASSES]
            of_row = undealt.kinds[at : at + KINDS]
            _count_classes(of_row, places.classes, kind_sums, undealt.held, classes)
            filled += 1
            if filled == BLOCK:
                _multiply_folded(lower, tied, undealt, wanted, places.classes, sums)
                filled = 0
                rows += BLOCK
                if rows == MAX_ROWS:
                    _flush(sums, times[board], totals)
                    rows = 0
        if board + 1 == end or times[board + 1] != times[board]:
            _clear_rows(lower, filled)
            _clear_rows(tied, filled)
            _multiply_folded(lower, tied, undealt, wanted, places.classes, sums)
            _flush(sums, times[board], totals)
            filled = rows = 0


@compiled
def add_boards(
    heroes: Ints, blocked: Int16s, all_ranks: UInt16s, times: UInt16s, begin: int, end: int,
    places: Places, totals: Totals,
) -> None:  # fmt: skip
    """Add what some combos make of the boards ``begin`` to ``end``.

    Args:
        heroes: The combos, (n,).
        blocked: For each, ABSENT at the places of combos that it leaves no card, else 0: (n, PLACES).
        all_ranks: Hand ranks (boards, 1326), 0 for combos that share a card with the board.
        times: How often a board counts. Boards that count alike should follow one another.
        begin: The first board.
        end: The board after the last.
        places: Where numbers stand.
        totals: What is added to.
    """
    ranks, kind_sums = np.empty(PLACES, np.int16), np.empty(2 * OF_SUIT, np.uint16)
    lower, tied = _new_block(), _new_block()
    sums = _Sums(np.zeros(totals.classes.size, np.uint16), np.zeros(totals.kinds.size, np.uint16))
    filled = rows = 0
    # Apart from the sweeps by rank: rows of all combos are multiplied, eight at a time.
    for board in range(begin, end):
        _place_ranks(all_ranks[board], places.combos, ranks)
        for number in range(len(heroes)):
            rank = all_ranks[board, heroes[number]]
            if rank == 0:
                continue
            _fill_row(
                ranks, blocked[number], np.int16(rank - 1), places, filled, kind_sums, lower, tied
            )
            filled += 1
            if filled == BLOCK:
                _multiply(lower, tied, places.classes, sums)
                filled = 0
                rows += BLOCK
                if rows == MAX_ROWS:
                    _flush(sums, times[board], totals)
                    rows = 0
        if board + 1 == end or times[board + 1] != times[board]:
            _clear_rows(lower, filled)
            _clear_rows(tied, filled)
            _multiply(lower, tied, places.classes, sums)
            _flush(sums, times[board], totals)
            filled = rows = 0
