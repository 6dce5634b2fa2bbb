"""The steps of sampling on the CPU: deal cards from decks, rank hands, compare them.

Samples are drawn and compared in batches: each step is a loop over the samples of a batch without a
branch, which the machine does for several samples at a time. A row is a card or a rank of all samples
of a batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import WORD, compiled, empty, load_word, lowest_bit, zeros
from gpuodds.backends.cpu.shared.board_ranks import rank_of_sum
from gpuodds.backends.cpu.shared.random_words import BATCH
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rank_sums import SUM_BITS, RankSums, UInt16s, UInt32s
from gpuodds.games.shared.draws import CARDS_A_WORD
from gpuodds.games.shared.rules import BOARD_CARDS, MAX_PLAYERS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

WORDS = 32  # eight blocks of four: enough for 51 cards of a deal, or twice 44 of a pair of deals


class Batch(NamedTuple):
    """Scratch for a batch of samples, a column each.

    Attributes:
        words: Random words.
        places: Places of cards in the decks.
        decks: Decks, the live cards first.
        dealt: The cards of named players, of random ones and of the board, those given last.
        taken: The cards that the combos took, as sets.
        boards: The sums of the boards' keys.
        ranks: The players' ranks.
        best: The best of the ranks.
        winners: How many players have it.
        ends: How each deal of a pair ends for each player: 0, or among how many winners they are.
        suits: Of a player's flushes.
    """

    words: UInt64s
    places: UInt8s
    decks: UInt8s
    dealt: UInt8s
    taken: Ints
    boards: UInt32s
    ranks: UInt16s
    best: UInt16s
    winners: UInt16s
    ends: UInt8s
    suits: UInt8s


@compiled
def new_batch() -> Batch:
    """Return scratch."""
    return Batch(
        empty((WORDS, BATCH), np.uint64),
        empty((DECK_SIZE + CARDS_A_WORD, BATCH), np.uint8),
        empty((DECK_SIZE, BATCH), np.uint8),
        zeros((2 * MAX_PLAYERS + BOARD_CARDS, BATCH), np.uint8),
        empty(BATCH, np.int64),
        empty(BATCH, np.uint32),
        empty((MAX_PLAYERS, BATCH), np.uint16),
        empty(BATCH, np.uint16),
        empty(BATCH, np.uint16),
        zeros((2, MAX_PLAYERS, BATCH), np.uint8),
        empty(BATCH, np.uint8),
    )


@compiled
def lay_decks(decks: UInt8s, deck: UInt8s, place: UInt8s, known: int, taken: Ints, size: int) -> None:
    """Lay a deck for each sample, and take the cards out that its hands took.

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
def deal(places: UInt8s, decks: UInt8s, live: int, wanted: int, dealt: UInt8s, row: int) -> None:
    """Deal ``wanted`` cards of the ``live`` ones that begin each deck into the rows from ``row`` on."""
    for number in range(wanted):
        place, card, last = places[number], dealt[row + number], decks[live - number - 1]
        for i in range(BATCH):
            at = place[i]
            card[i] = decks[at, i]
            decks[at, i] = last[i]


@compiled
def add_boards(dealt: UInt8s, row: int, keys: UInt32s, boards: UInt32s) -> None:
    """Add up the keys of the board's cards, which are in the five rows from ``row`` on."""
    first, second, third = dealt[row], dealt[row + 1], dealt[row + 2]
    fourth, fifth = dealt[row + 3], dealt[row + 4]
    for i in range(BATCH):
        boards[i] = keys[first[i]] + keys[second[i]] + keys[third[i]] + keys[fourth[i]] + keys[fifth[i]]


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
def rank(
    dealt: UInt8s, player: int, row: int, boards: UInt32s, sums: RankSums, rank: UInt16s, suits: UInt8s
) -> None:
    """Rank a player's hands, by the sums of their keys: see :mod:`gpuodds.games.holdem.rank_sums`.

    ``suits`` is scratch: 1 + the suit of each hand's flush, 0 for none. So one hand in thirty has.
    """
    keys, flush_suits, table, flush = sums
    first, second = dealt[2 * player], dealt[2 * player + 1]
    for i in range(BATCH):
        whole = np.int64(np.uint32(boards[i] + keys[first[i]] + keys[second[i]]))
        rank[i] = rank_of_sum(whole, table)
        suits[i] = flush_suits[whole >> SUM_BITS]
    for group in range(0, BATCH, WORD):
        found = load_word(suits, group)
        while found:
            i = group + (lowest_bit(np.int64(found)) >> 3)
            found &= ~(np.uint64(255) << np.uint64(i % WORD * 8))
            rank[i] = _rank_flush(dealt, player, row, i, int(suits[i]) - 1, flush)


@compiled
def compare(
    ranks: UInt16s, players: int, live: int, folded: int, best: UInt16s, winners: UInt16s, ends: UInt8s
) -> None:
    """Write into ``ends`` how a deal ends for each named player: 0, or among how many winners they are.

    The ``live`` named players come first; the ``folded`` ones after them have no part in it.
    """
    for i in range(BATCH):
        best[i] = winners[i] = 0
    for player in range(players):
        if not live <= player < live + folded:
            for i in range(BATCH):
                best[i] = max(best[i], ranks[player, i])
    for player in range(players):
        if not live <= player < live + folded:
            for i in range(BATCH):
                winners[i] += np.uint16(ranks[player, i] == best[i])
    for player in range(live):
        for i in range(BATCH):
            ends[player, i] = winners[i] if ranks[player, i] == best[i] else 0


@compiled
def put_back(dealt: UInt8s, row: int, wanted: int, decks: UInt8s, live: int) -> None:
    """Put ``wanted`` cards that were dealt back at the ends of decks of ``live`` cards."""
    for number in range(wanted):
        card, place = dealt[row + number], decks[live - number - 1]
        for i in range(BATCH):
            place[i] = card[i]


@compiled
def _count(end: UInt8s, wanted: int, size: int) -> int:
    number, value = 0, np.uint8(wanted)
    for i in range(size):
        number += end[i] == value
    return number


@compiled
def count_ends(ends: UInt8s, players: int, size: int, counts: Ints) -> None:
    """Count how the deals end for each player; pairs of deals, if ``counts`` has columns for both.

    ``ends`` is (2, players, samples), ``counts`` (players, ends, 1 or ends).
    """
    for player in range(players):
        first, second, counts_of_player = ends[0, player], ends[1, player], counts[player]
        if counts_of_player.shape[1] == 1:
            for end in range(counts_of_player.shape[0]):
                counts_of_player[end, 0] += _count(first, end, size)
            continue
        for i in range(size):
            counts_of_player[first[i], second[i]] += 1
