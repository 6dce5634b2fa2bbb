"""Rows of five to seven cards as words, a byte for each card: read, check, add up their keys.

Pads of zeros, which are 2c, follow the cards.

What follows is done for a batch of hands in loops without a branch, several hands at a time. Where the
machine looks up 32 bytes at once (AVX2), the keys are added up so; elsewhere one by one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import codegen, config
from numba.extending import overload
from numba.np.arrayobj import make_array

from gpuodds.backends.cpu.compile.jit import WORD, bit_operation, compiled, load_word
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rank_sums import RANK_KEYS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt32s = npt.NDArray[np.uint32]
UInt64s = npt.NDArray[np.uint64]

BATCH = 512  # hands
BYTE, TWO, SUIT, RANK = np.uint64(8), np.uint64(2), np.uint64(3), np.uint64(15)
ONES, HIGHEST = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
AFTER_DECK = np.uint64((128 - DECK_SIZE) * 0x0101010101010101)  # takes what is no card to 128
NO_BYTE = np.uint64(256)

# Counts of two suits each, four bits a count. With FEW added, five or more set its highest bit.
SUITS_1, SUITS_2 = (1, 16, 0, 0), (0, 0, 1, 16)
FEW, MANY = 0x33, 0x88
SUIT_OF = np.zeros(256, np.uint8)  # of the bits that a flush sets
SUIT_OF[[0x80, 0x04, 0x40]] = 1, 2, 3

KEYS = np.array((*RANK_KEYS, 0, 0, 0), np.uint32)
COUNTS_1, COUNTS_2 = np.array(SUITS_1, np.uint8), np.array(SUITS_2, np.uint8)


@compiled
def _read_bytes(cards: UInt8s, size: int, first: int, hands: int, words: UInt64s) -> bool:
    mask = (np.uint64(1) << np.uint64(8 * size)) - np.uint64(1)
    whole = min(hands, max(0, (cards.size - WORD) // size + 1 - first))
    for i in range(whole):  # where a word ends within the array
        words[i] = load_word(cards, (first + i) * size) & mask
    for i in range(whole, hands):
        word = np.uint64(0)
        for at in range(size):
            word |= np.uint64(cards[(first + i) * size + at]) << np.uint64(8 * at)
        words[i] = word
    return True


def _join_plainly(numbers: Ints, begin: int, size: int) -> tuple[Any, Any]:
    cards = numbers[begin : begin + size].astype(np.uint64)
    return np.bitwise_or.reduce(cards << BYTE * np.arange(size, dtype=np.uint64)), np.bitwise_or.reduce(
        cards
    )


@bit_operation(_join_plainly)
def _join(typing_context: Any, numbers: Any, begin: Any, size: Any) -> Any:
    """Return the numbers of a hand as a word, and the bits that they have."""
    word, lane = ir.IntType(64), ir.IntType(32)
    two, four = ir.VectorType(lane, 2), ir.VectorType(word, 4)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(signature.args[0])(context, builder, value=arguments[0])
        after = builder.sub(arguments[2], word(4))

        def load(at: Any) -> Any:
            place = builder.gep(array.data, [at])
            loaded = builder.load(builder.bitcast(place, four.as_pointer()))
            loaded.align = 8
            return loaded

        def join(parts: Any) -> Any:
            halves = [
                builder.shuffle_vector(parts, four(ir.Undefined), two([begin, begin + 1]))
                for begin in (0, 2)
            ]
            both = builder.or_(*halves)
            return builder.or_(*(builder.extract_element(both, lane(at)) for at in (0, 1)))

        first, last = load(arguments[1]), load(builder.add(arguments[1], after))
        moved = four(ir.Undefined)
        for at in range(4):
            shift = builder.shl(builder.add(after, word(at)), word(3))
            moved = builder.insert_element(moved, shift, lane(at))
        parts = builder.shl(first, four([8 * at for at in range(4)])), builder.shl(last, moved)
        joined = join(builder.or_(*parts)), join(builder.or_(first, last))
        return context.make_tuple(builder, signature.return_type, joined)

    return types.UniTuple(types.uint64, 2)(numbers, types.int64, types.int64), generate


@compiled
def _read_integers(cards: Ints, size: int, first: int, hands: int, words: UInt64s) -> bool:
    seen = np.uint64(0)
    for i in range(hands):
        words[i], bits = _join(cards, (first + i) * size, size)
        seen |= bits
    return bool(seen < NO_BYTE)


def read(cards: npt.NDArray[np.integer], size: int, first: int, hands: int, words: UInt64s) -> bool:
    """Read hands of ``size`` cards from number ``first`` on; return False if one is not in a byte.

    Args:
        cards: One hand after the other, bytes or int64.
        size: Cards of a hand.
        first: The number of the first hand.
        hands: How many of them.
        words: Gets a word for each.
    """
    work: Any = _read_bytes if cards.dtype == np.uint8 else _read_integers
    return bool(work(cards, size, first, hands, words))


@overload(read, strict=False)  # type: ignore[untyped-decorator]
def _read(cards: Any, size: Any, first: Any, hands: Any, words: Any) -> Any:
    work: Any = _read_bytes if cards.dtype == types.uint8 else _read_integers
    return lambda cards, size, first, hands, words: work(cards, size, first, hands, words)


@compiled
def fault(words: UInt64s, size: int, hands: int, missing: int) -> bool:
    """Return whether one of the ``hands`` words has a number that is no card, or a card twice.

    The ``missing`` lowest cards are not in the deck. A byte that equals another is zero in the
    difference of the word and itself turned by one, two or three cards.
    """
    cards = (np.uint64(1) << np.uint64(8 * size)) - np.uint64(1)
    around = np.uint64(8 * size)
    lowest = np.uint64(128 - missing) * ONES
    bad = np.uint64(0)
    for i in range(hands):
        word = words[i]
        bad |= word | (word + AFTER_DECK) | ~(word + lowest)
        for turn in range(1, 4):
            by = np.uint64(turn) * BYTE
            differs = word ^ ((word << by | word >> (around - by)) & cards)
            bad |= (differs - ONES) & ~differs
    return bool(bad & HIGHEST & cards)


@compiled
def _add_one_by_one(words: UInt64s, size: int, sums: UInt32s, flushes: UInt8s) -> None:
    """Add up each word's keys of ranks, and mark the suit of a flush: see ``SUIT_OF``."""
    pads = WORD - size
    for i in range(BATCH):
        word, total, first, second = words[i], np.uint32(0), np.uint32(FEW - pads), np.uint32(FEW)
        for _ in range(WORD):
            suit = word & SUIT
            total += KEYS[word >> TWO & RANK]
            first += np.uint32(COUNTS_1[suit])
            second += np.uint32(COUNTS_2[suit])
            word >>= BYTE
        sums[i] = total
        flushes[i] = np.uint8(first & np.uint32(MANY) | (second & np.uint32(MANY)) >> np.uint32(1))


@bit_operation(lambda words, at, few, sums, flushes: None)
def _add_four(typing_context: Any, words: Any, at: Any, few: Any, sums: Any, flushes: Any) -> Any:
    """Write code that does what :func:`_add_one_by_one` does, for four words from ``at`` on."""
    byte, word, lane = ir.IntType(8), ir.IntType(64), ir.IntType(32)
    all_bytes, all_words = ir.VectorType(byte, 32), ir.VectorType(word, 4)

    def every(number: int) -> Any:
        return all_words([number] * 4)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def place(which: int, kind: Any) -> Any:
            array = make_array(signature.args[which])(context, builder, value=arguments[which])
            return builder.bitcast(builder.gep(array.data, [arguments[1]]), kind.as_pointer())

        def operation(name: str, result: Any) -> Any:
            kind = ir.FunctionType(result, [all_bytes, all_bytes])
            return builder.module.declare_intrinsic(name, (), kind)

        look_up = operation("llvm.x86.avx2.pshuf.b", all_bytes)
        add_bytes = operation("llvm.x86.avx2.psad.bw", all_words)
        nothing = all_bytes([0] * 32)

        def total(numbers: Any, places: Any) -> Any:
            padded = [number & 0xFF for number in numbers] + [0] * (16 - len(numbers))
            found = builder.call(look_up, [all_bytes(padded * 2), places])
            return builder.call(add_bytes, [found, nothing])

        def store(numbers: Any, bits: int, which: int) -> None:
            kind = ir.VectorType(ir.IntType(bits), 4)
            builder.store(builder.trunc(numbers, kind), place(which, kind)).align = 1

        cards = builder.load(place(0, all_words))
        cards.align = 8
        ranks = builder.and_(builder.lshr(cards, every(2)), every(0x0F0F0F0F0F0F0F0F))
        ranks = builder.bitcast(ranks, all_bytes)
        suits = builder.bitcast(builder.and_(cards, every(0x0303030303030303)), all_bytes)
        keys = total(RANK_KEYS, ranks)
        for shift in (8, 16):
            part = total([key >> shift for key in RANK_KEYS], ranks)
            keys = builder.add(keys, builder.shl(part, every(shift)))
        store(keys, 32, 3)
        few = all_words(ir.Undefined)
        for at in range(4):
            few = builder.insert_element(few, arguments[2], lane(at))
        first = builder.and_(builder.add(total(SUITS_1, suits), few), every(MANY))
        second = builder.and_(builder.add(total(SUITS_2, suits), every(FEW)), every(MANY))
        store(builder.or_(first, builder.lshr(second, every(1))), 8, 4)
        return context.get_dummy_value()

    return types.void(words, types.int64, types.int64, sums, flushes), generate


def _has_avx2() -> bool:
    """Return whether what numba compiles may use AVX2."""
    if config.DISABLE_JIT or config.CPU_NAME == "generic":
        return False
    chosen = config.CPU_FEATURES
    features: str = codegen.get_host_cpu_features() if chosen is None else chosen
    return "+avx2" in features.split(",")


@compiled
def _add_by_fours(words: UInt64s, size: int, sums: UInt32s, flushes: UInt8s) -> None:
    """Do what :func:`_add_one_by_one` does, with AVX2."""
    for i in range(0, BATCH, 4):
        _add_four(words, i, FEW + size - WORD, sums, flushes)


add_keys = _add_by_fours if _has_avx2() else _add_one_by_one
