"""Samples of deals on the CPU: see :mod:`gpuodds.games.holdem.draws` for what is drawn.

Samples are drawn and compared in batches, step by step: each step is a loop over the samples of a
batch without a branch, which the machine does for several samples at a time. A row is a card or a rank
of all samples of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.jit import compiled, inlined, lowest_bit
from gpuodds.backends.cpu.threads import thread_count, thread_pool
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.draws import CARD_STREAM, CARDS_A_WORD, COMBO_STREAM, Draws
from gpuodds.games.holdem.hand_ranks import SIX_CARDS, HandRankTables, UInt16s, hand_rank_tables
from gpuodds.games.holdem.rules import BOARD_CARDS, MAX_PLAYERS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

BATCH = 256
WORDS = 20  # five blocks of four: enough for 51 cards
MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (np.uint64(0x9E3779B9), np.uint64(0xBB67AE85))
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)

# The cards of each suit on the board are counted in four bits each, from five up, so that a suit with
# three cards or more has its top bit set.
NO_SUITED_CARDS = np.uint16(0x5555)
THREE_SUITED_CARDS = np.uint16(0x8888)
NO_SUIT = 4

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
        one = c0 * MULTIPLIERS[0]
        two = c2 * MULTIPLIERS[1]
        c0 = (two >> HALF) ^ c1 ^ k0
        c1 = two & LOW
        c2 = (one >> HALF) ^ c3 ^ k1
        c3 = one & LOW
        k0 = (k0 + WEYL[0]) & LOW
        k1 = (k1 + WEYL[1]) & LOW
    return c0, c1, c2, c3


@compiled
def _fill(words: UInt64s, blocks: int, stream: int, first: int, seed: int) -> None:
    """Write the words of a stream: row w is word w of the samples from ``first`` on."""
    for block in range(blocks):
        for i in range(BATCH):
            one, two, three, four = philox(block, stream, first + i, seed)
            words[4 * block, i] = one
            words[4 * block + 1, i] = two
            words[4 * block + 2, i] = three
            words[4 * block + 3, i] = four


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
    state, word = next_word(state, sample, seed)
    product = word * np.uint64(count)
    if product & LOW < np.uint64(count):
        least = np.uint64(((1 << 32) - count) % count)
        while product & LOW < least:
            state, word = next_word(state, sample, seed)
            product = word * np.uint64(count)
    return state, np.int64(product >> HALF)


@compiled
def _draw_combos(
    words: UInt64s,
    first: int,
    size: int,
    seed: int,
    known: int,
    starts: npt.NDArray[np.int32],
    cards: UInt16s,
    limits: UInt64s,
    others: UInt16s,
    dealt: UInt8s,
    taken: Ints,
    tried: Ints,
) -> None:
    """Draw the combos of the players with ranges, and the set of cards that are then ``taken``."""
    _fill(words, 1, COMBO_STREAM, first, seed)
    ranges = starts.size - 1
    for i in range(size):
        sample = first + i
        state = (1, words[0, i], words[1, i], words[2, i], words[3, i], 4)
        drawn = False
        while not drawn:
            gone = known
            tried[0] += 1
            drawn = True
            for player in range(ranges):
                begin = np.int64(starts[player])
                count = starts[player + 1] - begin
                entry = begin
                pair = np.int64(cards[entry])
                if count > 1:
                    state, entry = draw_below(state, sample, seed, count)
                    entry += begin
                    pair = np.int64(cards[entry])
                    limit = limits[entry]
                    if limit <= LOW:
                        state, word = next_word(state, sample, seed)
                        if word >= limit:
                            pair = np.int64(others[entry])
                one, two = pair & 63, pair >> 8
                bits = 1 << one | 1 << two
                if gone & bits:
                    drawn = False
                    break
                gone |= int(bits)
                dealt[2 * player, i] = one
                dealt[2 * player + 1, i] = two
            taken[i] = gone


@compiled
def _lay_decks(decks: UInt8s, deck: UInt8s, place: UInt8s, known: int, taken: Ints, size: int) -> None:
    """Lay a deck for each sample, and take the cards out that its combos took.

    ``deck`` are the cards that are not known, the highest first, ``place`` where in it a card is. Cards
    leave in ascending order, so each is still at its place; the last live card comes into the gap.
    """
    for at in range(deck.size):
        row = decks[at]
        for i in range(BATCH):
            row[i] = deck[at]
    for i in range(size):
        gone = taken[i] & ~known
        live = deck.size
        while gone:
            live -= 1
            decks[place[lowest_bit(gone)], i] = decks[live, i]
            gone &= gone - 1


@compiled
def _split(
    row: UInt64s, live: int, places_1: UInt8s, places_2: UInt8s, places_3: UInt8s
) -> tuple[Any, Any]:
    """Make a row of words places of three live cards; return the lowest low half, and its bound."""
    one, two, three = np.uint64(live), np.uint64(max(1, live - 1)), np.uint64(max(1, live - 2))
    lowest = LOW
    for i in range(BATCH):
        a = row[i] * one
        b = (a & LOW) * two
        c = (b & LOW) * three
        places_1[i] = a >> HALF
        places_2[i] = b >> HALF
        places_3[i] = c >> HALF
        lowest = min(lowest, c & LOW)
    return lowest, one * two * three


@compiled
def _draw_places(
    words: UInt64s, places: UInt8s, cards: int, wanted: int, first: int, seed: int
) -> None:
    """Draw at which places of ``cards`` live cards, one fewer each time, the ``wanted`` ones are.

    Three numbers come of a word: of the high halves of three products in a row. A word whose last low
    half is too low would favour some numbers, and is drawn again, as in Lemire's method
    (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024).
    """
    used = (wanted + CARDS_A_WORD - 1) // CARDS_A_WORD
    _fill(words, (used + 3) // 4, CARD_STREAM, first, seed)
    for number in range(used):
        live = cards - CARDS_A_WORD * number
        row, place = words[number], CARDS_A_WORD * number
        lowest, ways = _split(row, live, places[place], places[place + 1], places[place + 2])
        if lowest < ways:
            least = (np.uint64(1 << 32) - ways) % ways
            for i in range(BATCH):
                stream = CARD_STREAM
                while row[i] * ways & LOW < least:
                    stream += 1
                    row[i] = _word(number, stream, first + i, seed)
            _split(row, live, places[place], places[place + 1], places[place + 2])


@compiled
def _word(number: int, stream: int, sample: int, seed: int) -> Any:
    words = philox(number >> 2, stream, sample, seed)
    return words[number & 3]


@compiled
def _deal(places: UInt8s, decks: UInt8s, live: int, wanted: int, dealt: UInt8s, row: int) -> None:
    """Deal ``wanted`` cards of the ``live`` ones that begin each deck into the rows from ``row`` on."""
    for number in range(wanted):
        place, card, last = places[number], dealt[row + number], decks[live - number - 1]
        for i in range(BATCH):
            at = place[i]
            card[i] = decks[at, i]
            decks[at, i] = last[i]


@compiled
def _rank_boards(
    dealt: UInt8s, row: int, step: UInt16s, states: UInt16s, suits: UInt8s, masks: UInt16s
) -> None:
    """Find the state of the board's ranks, the suit that makes flushes and the board's ranks in it.

    The board is in the five rows from ``row`` on. Without three cards of a suit the suit is
    ``NO_SUIT``, no card's, and the mask of its ranks is 0.
    """
    counted = np.empty(BATCH, np.uint16)
    for i in range(BATCH):
        states[i] = 0
        counted[i] = NO_SUITED_CARDS
        masks[i] = 0
    for number in range(BOARD_CARDS):
        cards = dealt[row + number]
        for i in range(BATCH):
            card = np.int64(cards[i])
            states[i] = step[states[i], card >> 2]
            counted[i] += np.uint16(1) << np.uint16(4 * (card & 3))
    for i in range(BATCH):
        many = counted[i] & THREE_SUITED_CARDS
        suit = NO_SUIT
        for other in range(4):
            suit = other if many == 8 << 4 * other else suit
        suits[i] = suit
    for number in range(BOARD_CARDS):
        cards = dealt[row + number]
        for i in range(BATCH):
            masks[i] |= np.uint16(suits[i] == cards[i] & 3) << np.uint16(cards[i] >> 2)


@compiled
def _compare(
    dealt: UInt8s,
    players: int,
    live: int,
    folded: int,
    states: UInt16s,
    suits: UInt8s,
    masks: UInt16s,
    step: UInt16s,
    rank_7: UInt16s,
    flush: UInt16s,
    ranks: UInt16s,
    best: UInt16s,
    winners: UInt8s,
) -> None:
    """Rank the players' hands, and find the best rank and how many have it.

    The ``folded`` players after the first ``live`` ones have no part in it.
    """
    for i in range(BATCH):
        best[i] = 0
        winners[i] = 0
    for player in range(players):
        if live <= player < live + folded:
            continue
        one, two, rank = dealt[2 * player], dealt[2 * player + 1], ranks[player]
        for i in range(BATCH):
            first, second = np.int64(one[i]), np.int64(two[i])
            six = np.int64(step[states[i], first >> 2]) - SIX_CARDS
            mask = masks[i]
            mask |= np.uint16(suits[i] == first & 3) << np.uint16(first >> 2)
            mask |= np.uint16(suits[i] == second & 3) << np.uint16(second >> 2)
            rank[i] = max(rank_7[six, second >> 2], flush[mask])
        for i in range(BATCH):
            more, same = rank[i] > best[i], rank[i] == best[i]
            winners[i] = 1 if more else winners[i] + np.uint8(same)
            best[i] = max(best[i], rank[i])


@compiled
def _count(rank: UInt16s, best: UInt16s, winners: UInt8s, size: int, counts: Ints) -> None:
    """Count in how many of ``size`` samples a player is one of m + 1 winners, at m."""
    left = 0
    for i in range(size):
        left += int(np.int64(rank[i] == best[i]))
    number = 0
    while left:
        number += 1
        found = 0
        for i in range(size):
            found += int(np.int64((rank[i] == best[i]) & (winners[i] == number)))
        counts[number - 1] += found
        left -= found


class _Batch(NamedTuple):
    # Of the samples of a batch: random words, places of cards in the decks, the decks, the cards dealt
    # (combos, the cards of random players and the board, the board cards that were given), the cards
    # that the combos took, then the board's state, flush suit and ranks in it, the players' ranks, the
    # best of them and how many players have it.
    words: UInt64s
    places: UInt8s
    decks: UInt8s
    dealt: UInt8s
    taken: Ints
    states: UInt16s
    suits: UInt8s
    masks: UInt16s
    ranks: UInt16s
    best: UInt16s
    winners: UInt8s


@compiled
def _new_batch() -> _Batch:
    return _Batch(
        np.empty((WORDS, BATCH), np.uint64),
        np.empty((DECK_SIZE + CARDS_A_WORD, BATCH), np.uint8),
        np.empty((DECK_SIZE, BATCH), np.uint8),
        np.zeros((2 * MAX_PLAYERS + BOARD_CARDS, BATCH), np.uint8),
        np.empty(BATCH, np.int64),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint8),
        np.empty(BATCH, np.uint16),
        np.empty((MAX_PLAYERS, BATCH), np.uint16),
        np.empty(BATCH, np.uint16),
        np.empty(BATCH, np.uint8),
    )


@compiled
def _list_unknown(known: int, deck: UInt8s, place: UInt8s) -> int:
    """Write the cards that are not known, the highest first, and where each stands; return how many."""
    size = 0
    for card in range(DECK_SIZE - 1, -1, -1):
        if not known >> card & 1:
            deck[size] = card
            place[card] = size
            size += 1
    return size


@compiled
def draw_samples(
    begin: int, end: int, seed: int, opponents: int, folded: int, board: Ints, known: int,
    draws: Draws, tables: HandRankTables, counts: Ints, tried: Ints,
) -> None:  # fmt: skip
    """Draw samples ``begin`` to ``end`` and add what comes of them to ``counts`` and ``tried``.

    ``board`` are the cards given, ``known`` these and the dead ones as a set. The last ``folded``
    players of ``draws`` hold their cards, and are not compared.
    """
    starts, cards, limits, others = draws
    words, places, decks, dealt, taken, states, suits, masks, ranks, best, winners = _new_batch()
    ranges = starts.size - 1
    players = ranges + opponents
    wanted = 2 * opponents + BOARD_CARDS - board.size
    for number in range(board.size):
        dealt[2 * ranges + wanted + number] = board[number]
    place, unknown = np.zeros(DECK_SIZE, np.uint8), np.empty(DECK_SIZE, np.uint8)
    deck = unknown[: _list_unknown(known, unknown, place)]
    for first in range(begin, end, BATCH):
        size = min(BATCH, end - first)
        if first == begin or cards.size > ranges:
            _draw_combos(
                words, first, size, seed, known, starts, cards, limits, others, dealt, taken, tried
            )
        else:
            # Every player has one combo, and it is there already.
            tried[0] += size
        _lay_decks(decks, deck, place, known, taken, size)
        live = deck.size - 2 * ranges
        _draw_places(words, places, live, wanted, first, seed)
        _deal(places, decks, live, wanted, dealt, 2 * ranges)
        _rank_boards(dealt, 2 * players, tables.step, states, suits, masks)
        _compare(
            dealt, players, ranges - folded, folded, states, suits, masks,
            tables.step, tables.rank_7, tables.flush, ranks, best, winners,
        )  # fmt: skip
        for player in range(ranges - folded):
            _count(ranks[player], best, winners, size, counts[player])


def sample_deals(
    draws: Draws,
    opponents: int,
    board: Sequence[int],
    dead: Sequence[int],
    seed: int,
    begin: int,
    end: int,
    folded: int = 0,
) -> tuple[Ints, int]:
    """Draw samples on every core; the last ``folded`` players do not compete: see the protocol."""
    live = draws.players - folded
    shape = live, live + opponents
    known = sum(1 << card for card in (*board, *dead))
    given = np.array(list(board), np.int64).reshape(len(board))
    assert len(given) <= BOARD_CARDS
    parts: list[tuple[Ints, int]] = []

    def work(first: int, last: int) -> None:
        counts = np.zeros(shape, np.int64)
        tried = np.zeros(1, np.int64)
        draw_samples(
            begin + first,
            begin + last,
            seed,
            opponents,
            folded,
            given,
            known,
            draws,
            hand_rank_tables(),
            counts,
            tried,
        )
        parts.append((counts, int(tried[0])))

    with thread_pool(thread_count()) as run:
        run(work, end - begin)
    total = sum((counts for counts, _ in parts), np.zeros(shape, np.int64))
    return total, sum(tried for _, tried in parts)
