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

from gpuodds.backends.cpu.jit import compiled, empty, inlined, lowest_bit, zeros
from gpuodds.backends.cpu.threads import thread_count, thread_pool
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.draws import CARD_STREAM, CARDS_A_WORD, COMBO_STREAM, Draws
from gpuodds.games.holdem.rank_sums import (
    COLUMN_BITS,
    SPREAD,
    SUM_BITS,
    RankSums,
    UInt16s,
    UInt32s,
    rank_sums,
)
from gpuodds.games.holdem.rules import BOARD_CARDS, MAX_PLAYERS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

BATCH = 256
FEW_SAMPLES = 1 << 15  # so few take less time than threads take to start
WORDS = 20  # five blocks of four: enough for 51 cards
MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
WEYL = (np.uint64(0x9E3779B9), np.uint64(0xBB67AE85))
LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)

ROWS, COLUMN, RANK_PART = 1 << SUM_BITS - COLUMN_BITS, (1 << COLUMN_BITS) - 1, (1 << SUM_BITS) - 1

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
def _add_boards(dealt: UInt8s, row: int, keys: UInt32s, boards: UInt32s) -> None:
    """Add up the keys of the board's cards, which are in the five rows from ``row`` on."""
    one, two, three = dealt[row], dealt[row + 1], dealt[row + 2]
    four, five = dealt[row + 3], dealt[row + 4]
    for i in range(BATCH):
        boards[i] = keys[one[i]] + keys[two[i]] + keys[three[i]] + keys[four[i]] + keys[five[i]]


@compiled
def _rank_flush(dealt: UInt8s, player: int, row: int, i: int, suit: int, flush: UInt16s) -> Any:
    """Return the rank of a player's flush, on the board in the five rows from ``row`` on."""
    ranks = np.int64(0)
    for number in range(2 + BOARD_CARDS):
        card = np.int64(dealt[2 * player + number if number < 2 else row + number - 2, i])
        if card & 3 == suit:
            ranks |= 1 << (card >> 2)
    return flush[ranks]


@compiled
def _rank(dealt: UInt8s, player: int, row: int, boards: UInt32s, sums: RankSums, rank: UInt16s) -> None:
    """Rank a player's hands, by the sums of their keys: see :mod:`gpuodds.games.holdem.rank_sums`."""
    keys, flush_suits, table, flush = sums
    one, two = dealt[2 * player], dealt[2 * player + 1]
    for i in range(BATCH):
        whole = np.int64(np.uint32(boards[i] + keys[one[i]] + keys[two[i]]))
        place = (whole * SPREAD & RANK_PART) >> COLUMN_BITS
        rank[i] = table[ROWS + np.int64(table[place]) + (whole & COLUMN)]
        suit = int(flush_suits[whole >> SUM_BITS])
        if suit:
            rank[i] = _rank_flush(dealt, player, row, i, suit - 1, flush)


@compiled
def _compare(
    ranks: UInt16s, players: int, live: int, folded: int, best: UInt16s, winners: UInt16s
) -> None:
    """Find the best rank of the players, and how many have it.

    The ``folded`` players after the first ``live`` ones have no part in it.
    """
    for i in range(BATCH):
        best[i] = ranks[0, i]
        winners[i] = 1
    for player in range(1, players):
        if live <= player < live + folded:
            continue
        rank = ranks[player]
        for i in range(BATCH):
            kept = winners[i] if rank[i] <= best[i] else np.uint16(0)
            winners[i] = kept + np.uint16(rank[i] >= best[i])
            best[i] = max(best[i], rank[i])


@compiled
def _count(rank: UInt16s, best: UInt16s, winners: UInt16s, size: int, counts: Ints) -> None:
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
    # that the combos took, then the sums of the boards' keys, the players' ranks, the best of them and
    # how many players have it.
    words: UInt64s
    places: UInt8s
    decks: UInt8s
    dealt: UInt8s
    taken: Ints
    boards: UInt32s
    ranks: UInt16s
    best: UInt16s
    winners: UInt16s


@compiled
def _new_batch() -> _Batch:
    return _Batch(
        empty((WORDS, BATCH), np.uint64),
        empty((DECK_SIZE + CARDS_A_WORD, BATCH), np.uint8),
        empty((DECK_SIZE, BATCH), np.uint8),
        zeros((2 * MAX_PLAYERS + BOARD_CARDS, BATCH), np.uint8),
        empty(BATCH, np.int64),
        empty(BATCH, np.uint32),
        empty((MAX_PLAYERS, BATCH), np.uint16),
        empty(BATCH, np.uint16),
        empty(BATCH, np.uint16),
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
    draws: Draws, sums: RankSums, counts: Ints, tried: Ints,
) -> None:  # fmt: skip
    """Draw samples ``begin`` to ``end`` and add what comes of them to ``counts`` and ``tried``.

    ``board`` are the cards given, ``known`` these and the dead ones as a set. The last ``folded``
    players of ``draws`` hold their cards, and are not compared.
    """
    starts, cards, limits, others = draws
    words, places, decks, dealt, taken, boards, ranks, best, winners = _new_batch()
    ranges = starts.size - 1
    players = ranges + opponents
    wanted = 2 * opponents + BOARD_CARDS - board.size
    for number in range(board.size):
        dealt[2 * ranges + wanted + number] = board[number]
    place, unknown = zeros(DECK_SIZE, np.uint8), empty(DECK_SIZE, np.uint8)
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
        _add_boards(dealt, 2 * players, sums.keys, boards)
        compared = ranges - folded
        for player in range(players):
            if not compared <= player < ranges:
                _rank(dealt, player, 2 * players, boards, sums, ranks[player])
        _compare(ranks, players, compared, folded, best, winners)
        for player in range(compared):
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
            rank_sums(2 + BOARD_CARDS),
            counts,
            tried,
        )
        parts.append((counts, int(tried[0])))

    with thread_pool(thread_count() if end - begin > FEW_SAMPLES else 1) as run:
        run(work, end - begin)
    total = sum((counts for counts, _ in parts), np.zeros(shape, np.int64))
    return total, sum(tried for _, tried in parts)
