"""Random words on the CPU, and numbers and places below a bound: see :mod:`gpuodds.games.shared.draws`.

A row holds a word, or a place, of all samples of a batch: each step is a loop over them without a
branch, which the machine does for several samples at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined
from gpuodds.games.shared.draws import CARD_STREAM, CARDS_A_WORD, COMBO_STREAM

UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

BATCH = 1024  # at most; few samples are one batch of their own size
MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (np.uint64(0x9E3779B9), np.uint64(0xBB67AE85))
LOW = np.uint64(0xFFFFFFFF)
HALF, TOP = np.uint64(32), np.uint64(63)

# What is left of the words of a sample's combos: (next block, four words, how many of them are left).
# A tuple, so that all of it stays in registers.
State = tuple[int, Any, Any, Any, Any, int]


@inlined
def philox(block: int, stream: int, sample: int, seed: int) -> tuple[Any, Any, Any, Any]:
    """Return the four words of 32 bits that belong to a block of a sample's stream."""
    c0, c1 = np.uint64(block), np.uint64(stream)
    c2, c3 = np.uint64(sample) & LOW, np.uint64(sample) >> HALF
    k0, k1 = np.uint64(seed) & LOW, np.uint64(seed) >> HALF
    for _ in range(10):
        # The upper halves are left as they are until here, where the machine multiplies the lower ones.
        product_0 = (c0 & LOW) * MULTIPLIERS[0]
        product_2 = (c2 & LOW) * MULTIPLIERS[1]
        c0 = (product_2 >> HALF) ^ c1 ^ k0
        c1 = product_2
        c2 = (product_0 >> HALF) ^ c3 ^ k1
        c3 = product_0
        k0 = k0 + WEYL[0]
        k1 = k1 + WEYL[1]
    return c0 & LOW, c1 & LOW, c2 & LOW, c3 & LOW


@compiled
def fill_words(words: UInt64s, blocks: int, stream: int, first: int, seed: int) -> None:
    """Write the words of a stream: row w is word w of the samples from ``first`` on."""
    for block in range(blocks):
        for i in range(words.shape[1]):
            w0, w1, w2, w3 = philox(block, stream, first + i, seed)
            words[4 * block, i] = w0
            words[4 * block + 1, i] = w1
            words[4 * block + 2, i] = w2
            words[4 * block + 3, i] = w3


@inlined
def next_word(state: State, sample: int, seed: int) -> tuple[State, Any]:
    """Return the next word of a sample's combos."""
    block, w0, w1, w2, w3, left = state
    if left == 0:
        w0, w1, w2, w3 = philox(block, COMBO_STREAM, sample, seed)
        block += 1
        left = 4
    return (block, w1, w2, w3, w0, left - 1), w0


@inlined
def draw_below(state: State, sample: int, seed: int, count: int) -> tuple[State, Any]:
    """Return a random number from 0 to ``count`` - 1, all alike: Lemire's method."""
    product, wide = np.uint64(0), np.uint64(count)
    drawn = False
    while not drawn:
        state, word = next_word(state, sample, seed)
        product = word * wide
        low = product & LOW
        drawn = low >= wide or low >= (np.uint64(1 << 32) - wide) % wide
    return state, np.int64(product >> HALF)


@compiled
def _split(
    row: UInt64s, live: int, places_1: UInt8s, places_2: UInt8s, places_3: UInt8s
) -> tuple[Any, Any]:
    """Make a row of words places of three live cards; return whether one is too low, and its bound."""
    bound_1 = np.uint64(live)
    bound_2, bound_3 = np.uint64(live - 1 if live > 1 else 1), np.uint64(live - 2 if live > 2 else 1)
    ways, borrows = bound_1 * bound_2 * bound_3, np.uint64(0)
    for i in range(row.size):
        a = row[i] * bound_1
        b = (a & LOW) * bound_2
        c = (b & LOW) * bound_3
        places_1[i] = a >> HALF
        places_2[i] = b >> HALF
        places_3[i] = c >> HALF
        borrows |= (c & LOW) - ways
    return borrows >> TOP, ways


@compiled
def draw_places(
    words: UInt64s, places: UInt8s, begin: int, cards: int, wanted: int, first: int, seed: int
) -> None:
    """Draw at which places of ``cards`` live cards, one fewer each time, the ``wanted`` ones are.

    ``words`` are those of the card stream, which are taken from ``begin`` on. Three numbers come of a
    word: of the high halves of three products in a row. A word whose last low half is too low would
    favour some numbers, and is drawn again, as in Lemire's method
    (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024).
    """
    for number in range(words_for(wanted)):
        live = cards - CARDS_A_WORD * number
        row, place = words[begin + number], CARDS_A_WORD * number
        drawn = False
        while not drawn:
            low, ways = _split(row, live, places[place], places[place + 1], places[place + 2])
            drawn = not low
            if not drawn:
                least = (np.uint64(1 << 32) - ways) % ways
                drawn = True
                for i in range(row.size):
                    stream = CARD_STREAM
                    while row[i] * ways & LOW < least:
                        drawn = False
                        stream += 1
                        row[i] = _word(begin + number, stream, first + i, seed)


@inlined
def words_for(cards: int) -> int:
    """Return how many words give the places of some cards."""
    return (cards + CARDS_A_WORD - 1) // CARDS_A_WORD


@compiled
def _word(number: int, stream: int, sample: int, seed: int) -> Any:
    words = philox(number >> 2, stream, sample, seed)
    return words[number & 3]


@inlined
def draw_cards(deck: UInt8s, wanted: int, sample: int, seed: int) -> None:
    """Draw cards of one sample: they come to lie at the end of the deck, the first one last.

    :func:`draw_places` draws those of a batch.
    """
    live, drawn, number = len(deck), 0, 0
    w0, w1, w2, w3 = philox(0, CARD_STREAM, sample, seed)
    while drawn < wanted:
        if number and number & 3 == 0:
            w0, w1, w2, w3 = philox(number >> 2, CARD_STREAM, sample, seed)
        bound_1 = np.uint64(live)
        bound_2, bound_3 = np.uint64(max(live - 1, 1)), np.uint64(max(live - 2, 1))
        ways = bound_1 * bound_2 * bound_3
        word, stream = w0, CARD_STREAM
        while True:
            first = word * bound_1
            second = (first & LOW) * bound_2
            third = (second & LOW) * bound_3
            if third & LOW >= ways or third & LOW >= (np.uint64(1 << 32) - ways) % ways:
                break
            stream += 1  # a word that would favour some places
            word = _word(number, stream, sample, seed)
        for place in (np.int64(first >> HALF), np.int64(second >> HALF), np.int64(third >> HALF)):
            if drawn < wanted:
                live -= 1
                deck[place], deck[live] = deck[live], deck[place]
                drawn += 1
        w0, w1, w2, w3 = w1, w2, w3, w0
        number += 1
