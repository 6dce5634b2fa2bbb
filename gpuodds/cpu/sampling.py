"""Samples of deals on the CPU: see :mod:`gpuodds.holdem.sampling` for what is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.cpu.jit import compiled, inlined, popcount
from gpuodds.cpu.workers import thread_count, workers
from gpuodds.holdem.hand_ranks import SIX_CARDS, HandRankTables, UInt16s, hand_rank_tables
from gpuodds.holdem.sampling import plan_draws
from gpuodds.spot import BOARD

Ints = npt.NDArray[np.int64]
UInt64s = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
MASK = 0xFFFFFFFF
PIECE_BITS = 6  # of which a card is drawn; ten pieces of 64 bits are used
PIECES = 10

# What is left of the generator's words while a sample is drawn: (next block, four words, how many of
# them are left, the bits of which cards are drawn, how many pieces they still have). A tuple, so that
# all of it stays in registers.
State = tuple[int, int, int, int, int, int, int, int]


@inlined
def philox(block: int, sample: int, seed: int) -> tuple[Any, Any, Any, Any]:
    """Return the four words of 32 bits that belong to a block of a sample."""
    c0, c1 = np.uint64(block), np.uint64(0)
    c2, c3 = np.uint64(sample & MASK), np.uint64(sample >> 32 & MASK)
    k0, k1 = np.uint64(seed & MASK), np.uint64(seed >> 32 & MASK)
    low, half = np.uint64(MASK), np.uint64(32)
    for _ in range(10):
        one = c0 * np.uint64(MULTIPLIERS[0])
        two = c2 * np.uint64(MULTIPLIERS[1])
        c0 = (two >> half) ^ c1 ^ k0
        c1 = two & low
        c2 = (one >> half) ^ c3 ^ k1
        c3 = one & low
        k0 = (k0 + np.uint64(WEYL[0])) & low
        k1 = (k1 + np.uint64(WEYL[1])) & low
    return np.int64(c0), np.int64(c1), np.int64(c2), np.int64(c3)


@inlined
def next_word(state: State, sample: int, seed: int) -> tuple[State, int]:
    """Return 32 random bits."""
    block, w0, w1, w2, w3, left, bits, pieces = state
    if left == 0:
        w0, w1, w2, w3 = philox(block, sample, seed)
        block += 1
        left = 4
    return (block, w1, w2, w3, w0, left - 1, bits, pieces), w0


@inlined
def draw_below(state: State, sample: int, seed: int, count: int) -> tuple[State, int]:
    """Return a random number from 0 to ``count`` - 1, all alike: Lemire's method."""
    state, word = next_word(state, sample, seed)
    product = word * count
    if product & MASK < count:
        least = ((1 << 32) - count) % count
        while product & MASK < least:
            state, word = next_word(state, sample, seed)
            product = word * count
    return state, product >> 32


@inlined
def draw_card(state: State, sample: int, seed: int, taken: int) -> tuple[State, int]:
    """Return a random card that is not in ``taken``, a set of bits."""
    block, w0, w1, w2, w3, left, bits, pieces = state
    while True:
        if pieces == 0:
            if left < 2:
                w0, w1, w2, w3 = philox(block, sample, seed)
                block += 1
                left = 4
            bits = w1 << 32 | w0
            w0, w1, w2, w3 = w2, w3, w0, w1
            left -= 2
            pieces = PIECES
        card = bits & 63
        bits >>= PIECE_BITS
        pieces -= 1
        if card < 52 and not taken >> card & 1:
            return (block, w0, w1, w2, w3, left, bits, pieces), card


@compiled
def draw_samples(
    begin: int,
    end: int,
    seed: int,
    opponents: int,
    board: Ints,
    known: int,
    starts: npt.NDArray[np.int32],
    cards: UInt16s,
    limits: UInt64s,
    others: UInt16s,
    tables: HandRankTables,
    counts: Ints,
    tried: Ints,
) -> None:
    """Draw samples ``begin`` to ``end`` and add what comes of them to ``counts`` and ``tried``.

    ``board`` are the cards that lie, ``known`` these and the dead ones as a set; ``starts``, ``cards``,
    ``limits`` and ``others`` are :class:`~gpuodds.holdem.sampling.Draws`.
    """
    ranges = starts.size - 1
    players = ranges + opponents
    held = np.zeros((players, 2), np.int64)
    ranks = np.zeros(players, np.int64)
    step, rank_7, flush = tables.step, tables.rank_7, tables.flush
    given = 0
    given_suited = 0
    for card in board:
        given = np.int64(step[given, card >> 2])
        given_suited |= 1 << (16 * (card & 3) + (card >> 2))
    for sample in range(begin, end):
        state = (0, 0, 0, 0, 0, 0, 0, 0)
        taken = known
        drawn = False
        while not drawn:
            taken = known
            tried[0] += 1
            drawn = True
            for player in range(ranges):
                first = np.int64(starts[player])
                count = starts[player + 1] - first
                entry = first
                pair = np.int64(cards[entry])
                if count > 1:
                    state, entry = draw_below(state, sample, seed, count)
                    entry += first
                    pair = np.int64(cards[entry])
                    limit = np.int64(limits[entry])
                    if limit <= MASK:
                        state, word = next_word(state, sample, seed)
                        if word >= limit:
                            pair = np.int64(others[entry])
                one, two = pair & 63, pair >> 8
                bits = 1 << one | 1 << two
                if taken & bits:
                    drawn = False
                    break
                taken |= bits
                held[player, 0] = one
                held[player, 1] = two
        for player in range(ranges, players):
            for place in range(2):
                state, card = draw_card(state, sample, seed, taken)
                taken |= 1 << card
                held[player, place] = card
        board_state = given
        suited = given_suited
        for _ in range(5 - board.size):
            state, card = draw_card(state, sample, seed, taken)
            taken |= 1 << card
            board_state = np.int64(step[board_state, card >> 2])
            suited |= 1 << (16 * (card & 3) + (card >> 2))
        flush_suit = -1
        for suit in range(4):
            if popcount(suited >> 16 * suit & 0x1FFF) >= 3:
                flush_suit = suit
        on_board = suited >> 16 * flush_suit & 0x1FFF if flush_suit >= 0 else 0
        best = 0
        winners = 0
        for player in range(players):
            one, two = held[player, 0], held[player, 1]
            six = np.int64(step[board_state, one >> 2]) - SIX_CARDS
            rank = np.int64(rank_7[six, two >> 2])
            if flush_suit >= 0:
                mask = on_board
                mask |= np.int64(one & 3 == flush_suit) << (one >> 2)
                mask |= np.int64(two & 3 == flush_suit) << (two >> 2)
                rank = max(rank, np.int64(flush[mask]))
            ranks[player] = rank
            if rank > best:
                best = rank
                winners = 1
            elif rank == best:
                winners += 1
        for player in range(ranges):
            if ranks[player] == best:
                counts[player, winners - 1] += 1


def sample_deals(
    weights: Floats,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
) -> tuple[Ints, int]:
    """Draw samples on every core: see the protocol."""
    draws = plan_draws(weights)
    shape = len(weights), len(weights) + opponents
    known = sum(1 << card for card in (*board, *dead))
    given = np.array(list(board), np.int64).reshape(len(board))
    assert len(given) <= BOARD
    parts: list[tuple[Ints, int]] = []

    def work(first: int, last: int) -> None:
        counts = np.zeros(shape, np.int64)
        tried = np.zeros(1, np.int64)
        draw_samples(
            begin + first,
            begin + last,
            seed,
            opponents,
            given,
            known,
            *draws,
            hand_rank_tables(),
            counts,
            tried,
        )
        parts.append((counts, int(tried[0])))

    with workers(thread_count()) as run:
        run(work, end - begin)
    total = sum((counts for counts, _ in parts), np.zeros(shape, np.int64))
    return total, sum(tried for _, tried in parts)
