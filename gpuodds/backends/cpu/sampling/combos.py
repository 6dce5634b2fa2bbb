"""Combos of players with ranges on the CPU: see :mod:`gpuodds.games.shared.draws`.

All samples of a batch make an attempt together, table by table. Those in which two players share a
card are listed, and make another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, zeros
from gpuodds.backends.cpu.shared.random_words import HALF, LOW, TOP, fill_words, philox
from gpuodds.games.shared.draws import BLOCK_WORDS, COMBO_STREAM, Draws
from gpuodds.games.shared.rules import MAX_PLAYERS

UInt16s = npt.NDArray[np.uint16]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]
UInt32s = npt.NDArray[np.uint32]
UInt64s = npt.NDArray[np.uint64]

ONE, ALL, CARD = np.uint64(1), np.uint64((1 << 64) - 1), np.uint32(63)
EIGHT, SIXTEEN, TWENTY_FOUR = np.uint32(8), np.uint32(16), np.uint32(24)


class Tables(NamedTuple):
    """The alias tables of :class:`gpuodds.games.shared.draws.Draws`, with places for cards."""

    starts: Int32s
    holders: Int32s
    words: Int32s
    cards: UInt32s
    limits: UInt32s
    others: Int32s


@lru_cache(maxsize=4)  # draws are the same from piece to piece of a sampling
def place_draws(draws: Draws, places: bytes) -> Tables:
    """Return alias tables with the place of each card for the card."""
    cards = np.frombuffer(places, np.uint8)[draws.cards.view(np.uint8)].view(np.uint32)
    return Tables(draws.starts, draws.holders, draws.words, cards, draws.limits, draws.others)


class Combos(NamedTuple):
    """Scratch for the combos of a batch.

    Attributes:
        held: The cards drawn from each table, for each sample.
        again: The same of those samples that drew again, one after another.
        samples: Which these are.
        entries: The entries drawn from a table.
        gone: The cards drawn so far, as sets.
        clashes: Those that were drawn again; of samples that have to draw again not empty.
    """

    held: UInt32s
    again: UInt32s
    samples: UInt16s
    entries: UInt32s
    gone: UInt64s
    clashes: UInt64s


@compiled
def new_combos(samples: int) -> Combos:
    """Return scratch."""
    return Combos(
        zeros((MAX_PLAYERS, samples), np.uint32),
        empty((MAX_PLAYERS, samples), np.uint32),
        empty(samples, np.uint16),
        empty(samples, np.uint32),
        empty(samples, np.uint64),
        empty(samples, np.uint64),
    )


@compiled
def _fill_again(
    words: UInt64s, blocks: int, attempt: int, samples: UInt16s, size: int, first: int, seed: int
) -> None:
    """Write the words of a further attempt of some samples."""
    for block in range(blocks):
        w0, w1, w2, w3 = (
            words[BLOCK_WORDS * block],
            words[BLOCK_WORDS * block + 1],
            words[BLOCK_WORDS * block + 2],
            words[BLOCK_WORDS * block + 3],
        )
        for at in range(size):
            sample = first + samples[at]
            w0[at], w1[at], w2[at], w3[at] = philox(
                attempt * blocks + block, COMBO_STREAM, sample, seed
            )


@compiled
def _choose(
    words: UInt64s, row: int, size: int, draws: Tables, table: int, drawn: UInt32s, combos: Combos
) -> None:
    """Draw from a table."""
    begin, count = draws.starts[table], draws.starts[table + 1] - draws.starts[table]
    cards, entries, clashes = draws.cards, combos.entries, combos.clashes
    if draws.words[table] == 0:
        for at in range(size):
            drawn[at] = cards[begin]
        return
    word, wide, first = words[row], np.uint64(count), np.uint32(begin)
    least, borrows = np.uint64(1 << 32) % wide, np.uint64(0)
    for at in range(size):
        product = word[at] * wide
        entries[at] = np.uint32(np.uint32(product >> HALF) + first)
        borrows |= (product & LOW) - least
    if borrows >> TOP:
        for at in range(size):
            if word[at] * wide & LOW < least:
                clashes[at] = ALL  # to draw again for
    if draws.words[table] == 2:
        second, limits, others = words[row + 1], draws.limits, draws.others
        for at in range(size):
            entry = entries[at]
            other, limit = np.uint32(others[entry]), np.uint64(limits[entry])
            entries[at] = entry if second[at] < limit else other
    for at in range(size):
        drawn[at] = cards[entries[at]]


@compiled
def _find_clashes(drawn: UInt32s, size: int, combos: Combos) -> None:
    """Note the cards that are gone already in a sample, and add all to those gone."""
    gone, clashes = combos.gone, combos.clashes
    for at in range(size):
        cards = drawn[at]
        bits = ONE << np.uint64(cards & CARD) | ONE << np.uint64(cards >> EIGHT & CARD)
        bits |= ONE << np.uint64(cards >> SIXTEEN & CARD) | ONE << np.uint64(cards >> TWENTY_FOUR)
        clashes[at] |= gone[at] & bits
        gone[at] |= bits


@compiled
def _attempt(words: UInt64s, size: int, draws: Tables, drawn: UInt32s, combos: Combos) -> None:
    """Draw from every table."""
    gone, clashes = combos.gone, combos.clashes
    for at in range(size):
        gone[at] = 0
    for at in range(size):
        clashes[at] = 0
    row, tables = 0, draws.words.size
    for table in range(tables):
        _choose(words, row, size, draws, table, drawn[table], combos)
        row += draws.words[table]
        if tables > 1:
            _find_clashes(drawn[table], size, combos)


@compiled
def draw_combos(
    first: int, size: int, seed: int, draws: Tables, blocks: int, words: UInt64s, combos: Combos
) -> int:
    """Draw the combos of the samples from ``first`` on into ``combos.held``; return the attempts.

    ``blocks`` are those of an attempt. ``words`` has a row for each of their words, where those of the
    first attempt are left, and as many more.
    """
    held, again, samples, clashes, tables = (
        combos.held,
        combos.again,
        combos.samples,
        combos.clashes,
        draws.words.size,
    )
    fill_words(words, blocks, COMBO_STREAM, first, seed)
    _attempt(words, size, draws, held, combos)
    # Numbers without a sign: places in arrays that need no look whether they count from the end.
    left, attempt = np.uint64(0), 1
    for i in range(size):
        samples[left] = i
        left += np.uint64(clashes[i] > 0)
    tried, more = size, words[BLOCK_WORDS * blocks :]
    while left:
        _fill_again(more, blocks, attempt, samples, int(left), first, seed)
        _attempt(more, int(left), draws, again, combos)
        tried += int(left)
        attempt += 1
        for table in range(tables):
            of_table, drawn = held[table], again[table]
            for at in range(left):
                of_table[samples[at]] = drawn[at]
        last, left = left, np.uint64(0)
        for at in range(last):
            samples[left] = samples[at]
            left += np.uint64(clashes[at] > 0)
    return tried


@compiled
def _split(held: UInt32s, shift: int, low: UInt8s, high: UInt8s) -> None:
    one, two = np.uint32(shift), np.uint32(shift + 8)
    for i in range(held.size):
        low[i] = held[i] >> one & CARD
    for i in range(held.size):
        high[i] = held[i] >> two & CARD


@compiled
def hand_out(combos: Combos, draws: Tables, dealt: UInt8s) -> None:
    """Write the cards of each player into two rows of ``dealt``."""
    for table in range(draws.words.size):
        for place in range(2):
            player = draws.holders[table, place]
            if player >= 0:
                _split(combos.held[table], 16 * place, dealt[2 * player], dealt[2 * player + 1])
