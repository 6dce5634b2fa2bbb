"""The steps of sampling on the CPU: deal cards from decks, rank hands, compare them.

Samples are drawn and compared in batches: each step is a loop over the samples of a batch without a
branch, which the machine does for several samples at a time. A row is a card or a rank of all samples
of a batch.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty, lowest_bit, zeros
from gpuodds.backends.cpu.shared.board_ranks import has_flush, rank_of_sum
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.rank_sums import SUM_BITS, RankSums, UInt16s, UInt32s
from gpuodds.games.shared.draws import CARDS_A_WORD
from gpuodds.games.shared.rules import BOARD_CARDS, MAX_PLAYERS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]

# Twice twelve blocks of four: two words for each of 23 players' combos, of a first attempt and of a
# further one. Cards take fewer, 51 of a deal or twice 44 of a pair of deals.
WORDS = 96


class Batch(NamedTuple):
    """Scratch for a batch of samples, a column each.

    Attributes:
        words: Random words.
        places: Places of cards in the decks.
        decks: Decks, the live cards first.
        dealt: The cards of named players, of random ones and of the board, those given last.
        taken: The cards that the combos took, as sets.
        boards: The sums of the boards' keys.
        sums: The sums of a player's keys and those of the board.
        flushes: Who has a flush, a set of players; empty until players are ranked.
        with_flush: The samples in which someone has one, then any.
        ranks: The players' ranks.
        best: The best of the ranks.
        winners: How many players have it.
        ends: How each deal of a pair ends for each player: 0, or among how many winners they are.
    """

    words: UInt64s
    places: UInt8s
    decks: UInt8s
    dealt: UInt8s
    taken: Ints
    boards: UInt32s
    sums: UInt32s
    flushes: UInt32s
    with_flush: UInt16s
    ranks: UInt16s
    best: UInt16s
    winners: UInt8s
    ends: UInt8s


@compiled
def new_batch(samples: int) -> Batch:
    """Return scratch."""
    return Batch(
        empty((WORDS, samples), np.uint64),
        empty((DECK_SIZE + CARDS_A_WORD, samples), np.uint8),
        empty((DECK_SIZE, samples), np.uint8),
        zeros((2 * MAX_PLAYERS + BOARD_CARDS, samples), np.uint8),
        empty(samples, np.int64),
        empty(samples, np.uint32),
        empty(samples, np.uint32),
        zeros(samples, np.uint32),
        empty(samples, np.uint16),
        empty((MAX_PLAYERS, samples), np.uint16),
        empty(samples, np.uint16),
        empty(samples, np.uint8),
        zeros((2, MAX_PLAYERS, samples), np.uint8),
    )


@compiled
def lay_decks(decks: UInt8s, deck: UInt8s, place: UInt8s, known: int, taken: Ints, size: int) -> None:
    """Lay a deck for each sample, and take the cards out that its hands took.

    ``deck`` are the cards that are not known, the highest first, ``place`` where in it a card is. Cards
    leave in ascending order, so each is still at its place; the last live card comes into the gap.
    """
    for at in range(deck.size):
        row = decks[at]
        for i in range(row.size):
            row[i] = deck[at]
    for i in range(size):
        gone = taken[i] & ~known
        live = deck.size
        while gone:
            live -= 1
            decks[place[lowest_bit(gone)], i] = decks[live, i]
            gone &= gone - 1


@compiled
def sort_cards(dealt: UInt8s, count: int, rows: UInt8s) -> None:
    """Sort the cards of the first rows of each sample into ``rows``, the highest first."""
    for number in range(count):
        card = rows[number]
        for i in range(card.size):
            card[i] = dealt[number, i]
        for other in range(number):
            higher = rows[other]
            for i in range(card.size):
                one, two = higher[i], card[i]
                higher[i] = one if one > two else two
                card[i] = two if one > two else one


@compiled
def fill_gaps(gaps: UInt8s, fills: UInt8s, count: int, live: int) -> None:
    """Take the cards in ``gaps``, the highest place first, out of decks of ``live`` cards.

    A card is its place in a deck that nothing has left. ``fills`` receives what comes into each gap,
    the last live card.
    """
    for number in range(count):
        last, card = np.uint8(live - 1 - number), fills[number]
        for i in range(card.size):
            card[i] = last
        for before in range(number):
            gap, fill = gaps[before], fills[before]
            for i in range(card.size):
                own, filled = card[i], fill[i]  # both are read, or it would be a branch
                card[i] = filled if gap[i] == last else own


@compiled
def deal_from_gaps(
    places: UInt8s, gaps: UInt8s, fills: UInt8s, count: int, live: int, wanted: int,
    dealt: UInt8s, row: int,
) -> None:  # fmt: skip
    """Deal ``wanted`` cards into the rows from ``row`` on, from decks of ``live`` cards with gaps.

    Each leaves a gap, which the last live card fills. So a deck is what has left it, and to deal is to
    compare a place with all gaps before it, for which no memory is read at random.
    """
    for number in range(wanted):
        place, card, fill = places[number], dealt[row + number], fills[count + number]
        gap, last = gaps[count + number], np.uint8(live - 1 - number)
        for i in range(card.size):
            card[i] = gap[i] = place[i]
        for i in range(card.size):
            fill[i] = last
        for before in range(count + number):
            old_gap, old_fill = gaps[before], fills[before]
            for i in range(card.size):
                own, filled = card[i], old_fill[i]
                card[i] = filled if old_gap[i] == place[i] else own
            for i in range(card.size):
                own, filled = fill[i], old_fill[i]
                fill[i] = filled if old_gap[i] == last else own


@compiled
def deal(places: UInt8s, decks: UInt8s, live: int, wanted: int, dealt: UInt8s, row: int) -> None:
    """Deal ``wanted`` cards of the ``live`` ones that begin each deck into the rows from ``row`` on."""
    for number in range(wanted):
        place, card, last = places[number], dealt[row + number], decks[live - number - 1]
        for i in range(card.size):
            at = place[i]
            card[i] = decks[at, i]
            decks[at, i] = last[i]


@compiled
def add_boards(dealt: UInt8s, row: int, keys: UInt32s, boards: UInt32s) -> None:
    """Add up the keys of the board's cards, which are in the five rows from ``row`` on."""
    first, second, third = dealt[row], dealt[row + 1], dealt[row + 2]
    fourth, fifth = dealt[row + 3], dealt[row + 4]
    for i in range(boards.size):
        boards[i] = keys[first[i]] + keys[second[i]] + keys[third[i]] + keys[fourth[i]] + keys[fifth[i]]


@compiled
def _rank_flush(
    dealt: UInt8s, player: int, row: int, i: int, suit: int, deck: UInt8s, flush: UInt16s
) -> Any:
    """Return the rank of a player's flush, on the board in the five rows from ``row`` on."""
    ranks = np.int64(0)
    for number in range(2 + BOARD_CARDS):
        card = np.int64(deck[dealt[2 * player + number if number < 2 else row + number - 2, i]])
        ranks |= np.int64(card & 3 == suit) << (card >> 2)
    return flush[ranks]


@compiled
def rank(dealt: UInt8s, player: int, batch: Batch, sums: RankSums) -> None:
    """Rank a player's hands, by the sums of their keys: see :mod:`gpuodds.games.holdem.rank_sums`.

    ``dealt`` has places in a deck, ``sums.keys`` the key of the card at each. Flushes are left aside,
    but noted in ``batch.flushes``, where the bit of each player who has one is set.
    """
    keys, table, boards, rank = sums.keys, sums.table, batch.boards, batch.ranks[player]
    first, second, wholes = dealt[2 * player], dealt[2 * player + 1], batch.sums
    for i in range(rank.size):
        wholes[i] = np.uint32(boards[i] + keys[first[i]] + keys[second[i]])
    for i in range(rank.size):
        rank[i] = rank_of_sum(np.int64(wholes[i]), table)
    flushes, own, none = batch.flushes, np.uint32(1 << player), np.uint32(0)
    for i in range(rank.size):
        flushes[i] = np.uint32(flushes[i] | (own if has_flush(wholes[i]) else none))


@compiled
def rank_flushes(dealt: UInt8s, row: int, deck: UInt8s, batch: Batch, sums: RankSums) -> None:
    """Rank the flushes that are noted in ``batch.flushes``, one deal in some; forget them.

    The boards are in the five rows of ``dealt`` from ``row`` on, places in ``deck``.
    """
    flushes, samples, keys, boards = batch.flushes, batch.with_flush, sums.keys, batch.boards
    found = np.uint64(0)
    for i in range(boards.size):
        samples[found] = i
        found += np.uint64(flushes[i] > 0)
    for number in range(found):
        i = samples[number]
        players = np.int64(flushes[i])
        flushes[i] = 0
        while players:
            player = lowest_bit(players)
            players &= players - 1
            first, second = dealt[2 * player, i], dealt[2 * player + 1, i]
            whole = np.uint32(boards[i] + keys[first] + keys[second])
            suit = int(sums.flush_suits[whole >> np.uint32(SUM_BITS)]) - 1
            batch.ranks[player, i] = _rank_flush(dealt, player, row, i, suit, deck, sums.flush)


@compiled
def compare(
    ranks: UInt16s, players: int, live: int, folded: int, best: UInt16s, winners: UInt8s, ends: UInt8s
) -> None:
    """Write into ``ends`` how a deal ends for each named player: 0, or among how many winners they are.

    The ``live`` named players come first; the ``folded`` ones after them have no part in it.
    """
    for i in range(best.size):
        best[i] = 0
    for i in range(best.size):
        winners[i] = 0
    for player in range(players):
        if not live <= player < live + folded:
            rank = ranks[player]
            for i in range(best.size):
                one, two = rank[i], best[i]
                best[i] = one if one > two else two
    for player in range(players):
        if not live <= player < live + folded:
            rank = ranks[player]
            for i in range(best.size):
                winners[i] += np.uint8(rank[i] == best[i])
    for player in range(live):
        rank, end = ranks[player], ends[player]
        for i in range(best.size):
            winning = winners[i]
            end[i] = winning if rank[i] == best[i] else np.uint8(0)


@compiled
def put_back(dealt: UInt8s, row: int, wanted: int, decks: UInt8s, live: int) -> None:
    """Put ``wanted`` cards that were dealt back at the ends of decks of ``live`` cards."""
    for number in range(wanted):
        card, place = dealt[row + number], decks[live - number - 1]
        for i in range(card.size):
            place[i] = card[i]


@compiled
def _count(end: UInt8s, wanted: int, size: int) -> int:
    total, value = 0, np.uint8(wanted)
    for begin in range(0, size, 128):
        part = end[begin : min(begin + 128, size)]
        number = np.uint8(0)  # 32 of which the machine adds at a time
        for i in range(part.size):
            number = np.uint8(number + np.uint8(part[i] == value))
        total += int(number)
    return total


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
