"""Rank hands of five to seven cards on the CPU, and every hand of seven cards in order.

Drawn hands are ranked by the sums of their cards' keys (:mod:`gpuodds.games.holdem.rank_sums`), a batch
at a time.

The enumeration walks the automaton of :mod:`gpuodds.games.shared.hand_ranks` down six nested loops. The
seventh card then needs one look-up a rank: its suit matters only when four or more of the six cards
share one. Counting takes the two highest cards by their ranks, and then moves the flushes.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.arrays.words import (
    BATCH,
    BYTE,
    ONES,
    SUIT_OF,
    add_keys,
    fault,
    read,
)
from gpuodds.backends.cpu.compile.jit import (
    WORD,
    compiled,
    empty,
    inlined,
    load_word,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.shared.board_ranks import rank_of_sum
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.holdem.rank_sums import FLUSH_CARDS, RankSums, rank_sums
from gpuodds.games.shared.hand_ranks import SIX_CARDS, HandRankTables, UInt16s, hand_rank_tables

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt32s = npt.NDArray[np.uint32]
UInt64s = npt.NDArray[np.uint64]

FEW_HANDS = 100_000  # so few take less time than threads take to start
HIGHEST_RANK = 7462
SUIT_BITS = 16  # one suit's rank mask; four of them fit an int64, spades use its bits 48 to 60

# The cards of each suit are counted in four bits each, from four up, so that a suit with four
# cards or more has its top bit set.
NO_SUITED_CARDS = 0x4444
FOUR_SUITED_CARDS = 0x8888
ONE_EACH = 0x1111


class _Scratch(NamedTuple):
    """A batch of hands: see :mod:`gpuodds.backends.cpu.arrays.words`."""

    words: UInt64s
    sums: UInt32s
    flushes: UInt8s


@compiled
def _look_up(sums: UInt32s, hands: int, table: UInt16s, ranks: UInt16s, first: int) -> None:
    """Write the ranks of a batch without their flushes: see :mod:`gpuodds.games.holdem.rank_sums`."""
    for i in range(hands):
        ranks[first + i] = rank_of_sum(np.int64(sums[i]), table)


@compiled
def _put_flushes(
    batch: _Scratch, size: int, hands: int, flush: UInt16s, ranks: UInt16s, first: int
) -> None:
    """Write the ranks of the flushes of a batch: one hand in thirty, and no better hand has one."""
    cards_of_hand = (np.uint64(1) << np.uint64(8 * size)) - np.uint64(1)
    for group in range(0, hands, WORD):
        found = load_word(batch.flushes, group)
        while found:
            i = np.uint64(group + (lowest_bit(np.int64(found)) >> 3))
            found &= ~(np.uint64(255) << (i % np.uint64(WORD) * BYTE))
            cards = batch.words[i]
            others = cards ^ np.uint64(SUIT_OF[batch.flushes[i]]) * ONES
            suited = ~(others | others >> np.uint64(1)) & cards_of_hand
            held = np.uint64(0)
            for at in (0, 8, 16, 24, 32, 40, 48):
                rank = cards >> np.uint64(at + 2) & np.uint64(15)
                held |= (suited >> np.uint64(at) & np.uint64(1)) << rank
            ranks[first + i] = flush[held]


@compiled
def _rank_rows(
    cards: npt.NDArray[np.integer], size: int, missing: int, sums: RankSums, ranks: UInt16s,
    begin: int, end: int,
) -> bool:  # fmt: skip
    """Rank rows ``begin`` to ``end``; return whether all are hands."""
    batch = _Scratch(zeros(BATCH, np.uint64), empty(BATCH, np.uint32), empty(BATCH, np.uint8))
    for first in range(begin, end, BATCH):
        hands = min(BATCH, end - first)
        if not read(cards, size, first, hands, batch.words) or fault(batch.words, size, hands, missing):
            return False
        add_keys(batch.words, size, batch.sums, batch.flushes)
        batch.flushes[hands:] = 0
        _look_up(batch.sums, hands, sums.table, ranks, first)
        _put_flushes(batch, size, hands, sums.flush, ranks, first)
    return True


def rank_cards(cards: npt.NDArray[np.integer], game: Holdem) -> UInt16s:
    """Return the hand rank of each row of cards, on every core if there are many rows.

    Args:
        cards: Shape (n, 5), (n, 6) or (n, 7), any integers; bytes and int64 in order are read as they
            are.
        game: The game.

    Returns:
        Shape (n,).

    Raises:
        ValueError: A row has a number that is no card of the game, or a card twice.
    """
    hands, size = cards.shape
    kept = np.uint8 if cards.dtype == np.uint8 else np.int64
    numbers = np.require(cards, kept, ("C", "W")).reshape(-1)
    ranks = np.empty(hands, np.uint16)
    sums = rank_sums(size, game)
    good: list[bool] = []

    def work(begin: int, end: int) -> None:
        good.append(_rank_rows(numbers, size, len(game.missing), sums, ranks, begin, end))

    with thread_pool(thread_count() if hands > FEW_HANDS else 1) as run:
        run(work, hands)
    if not all(good):
        raise ValueError("a row is no hand of the game")
    return ranks


@compiled
def find_repeated_card(cards: npt.NDArray[np.uint8]) -> int:
    """Return the first row that holds a card twice, or -1.

    ``cards`` has shape (n, k), card numbers 0 to 51.
    """
    hands, size = cards.shape
    for hand in range(hands):
        seen = 0
        for i in range(size):
            seen |= 1 << cards[hand, i]
        if popcount(seen) != size:
            return hand
    return -1


@inlined
def _add_suited(suited: int, card: int) -> int:
    """Add a card to the four rank masks that ``suited`` packs."""
    return suited | 1 << (SUIT_BITS * (card & 3) + (card >> 2))


@inlined
def _add_count(counts: int, card: int) -> int:
    """Add a card to the four counts that ``counts`` packs."""
    return counts + (1 << 4 * (card & 3))


@inlined
def _rank_last_cards(
    six: int, suited: int, counts: int, sixth: int, tables: HandRankTables, out: UInt16s, end: int
) -> int:
    """Write the ranks of six given cards and each card after the sixth; return the new end."""
    many = counts & FOUR_SUITED_CARDS
    if many:
        suit = lowest_bit(many) >> 2
        mask = suited >> SUIT_BITS * suit & 0x1FFF
        for card in range(sixth + 1, 52):
            ranks = mask | (np.int64(card & 3 == suit) << (card >> 2))
            out[end] = max(tables.rank_7[six, card >> 2], tables.flush[ranks])
            end += 1
        return end
    rank = tables.rank_7[six, sixth >> 2]
    for _ in range(3 - (sixth & 3)):
        out[end] = rank
        end += 1
    for last in range((sixth >> 2) + 1, 13):
        rank = tables.rank_7[six, last]
        out[end] = rank
        out[end + 1] = rank
        out[end + 2] = rank
        out[end + 3] = rank
        end += 4
    return end


@compiled
def _rank_after_three(
    first: int, second: int, third: int, tables: HandRankTables, out: UInt16s, end: int
) -> int:
    """Write the ranks of the hands that begin with three given cards; return the new end."""
    suited = _add_suited(_add_suited(_add_suited(0, first), second), third)
    counts = _add_count(_add_count(_add_count(NO_SUITED_CARDS, first), second), third)
    state = tables.step[tables.step[tables.step[0, first >> 2], second >> 2], third >> 2]
    for fourth in range(third + 1, 49):
        suited_4 = _add_suited(suited, fourth)
        counts_4 = _add_count(counts, fourth)
        state_4 = tables.step[state, fourth >> 2]
        for fifth in range(fourth + 1, 50):
            suited_5 = _add_suited(suited_4, fifth)
            counts_5 = _add_count(counts_4, fifth)
            state_5 = tables.step[state_4, fifth >> 2]
            for sixth in range(fifth + 1, 51):
                suited_6 = _add_suited(suited_5, sixth)
                counts_6 = _add_count(counts_5, sixth)
                six = tables.step[state_5, sixth >> 2] - SIX_CARDS
                end = _rank_last_cards(six, suited_6, counts_6, sixth, tables, out, end)
    return end


@compiled
def _rank_after_two(first: int, second: int, tables: HandRankTables, out: UInt16s) -> int:
    end = 0
    for third in range(second + 1, 48):
        end = _rank_after_three(first, second, third, tables, out, end)
    return end


@inlined
def _rank_pair(five: int, first: int, second: int, tables: HandRankTables) -> int:
    """Return the rank of five given cards and two of some ranks, without a flush."""
    six = tables.step[five, first] - SIX_CARDS
    return int(tables.rank_7[six, second])


@inlined
def _count_by_ranks(five: int, fifth: int, tables: HandRankTables, out: Ints) -> None:
    """Count the hands of five given cards and each two after the fifth by rank, flushes left aside."""
    own, left = fifth >> 2, 3 - (fifth & 3)
    if left:
        six = tables.step[five, own] - SIX_CARDS
        out[0, tables.rank_7[six, own]] += left * (left - 1) // 2
        for last in range(own + 1, 13):
            out[last & 3, tables.rank_7[six, last]] += 4 * left
    for sixth in range(own + 1, 13):
        six = tables.step[five, sixth] - SIX_CARDS
        out[0, tables.rank_7[six, sixth]] += 6
        for last in range(sixth + 1, 13):
            out[last & 3, tables.rank_7[six, last]] += 16


@inlined
def _move_flushes(
    five: int, fifth: int, suit: int, mask: int, tables: HandRankTables, out: Ints
) -> None:
    """Count the flushes among the hands of :func:`_count_by_ranks` as such, as all of them rank higher.

    Of the five cards those of ``suit``, three or more, have the ranks ``mask``.
    """
    own, held = fifth >> 2, popcount(mask)
    above = np.int64(suit > fifth & 3)  # whether the suit's card of the fifth card's rank is after it
    beside = 3 - (fifth & 3) - above  # that rank's cards after it, of other suits
    others = beside + 3 * (12 - own)
    if held == FLUSH_CARDS:
        out[0, tables.flush[mask]] += others * (others - 1) // 2
        for first in range(own, 13):
            ways = beside if first == own else 3
            if ways > 1:
                out[0, _rank_pair(five, first, first, tables)] -= ways * (ways - 1) // 2
            for second in range(first + 1, 13 if ways else 0):
                out[0, _rank_pair(five, first, second, tables)] -= 3 * ways
    for card in range(own + 1 - above, 13):
        one = mask | 1 << card
        if held >= FLUSH_CARDS - 1:
            out[1, tables.flush[one]] += others
            for other in range(own, 13):
                ways = beside if other == own else 3
                if ways:
                    out[1, _rank_pair(five, card, other, tables)] -= ways
        for second in range(card + 1, 13):
            out[2, _rank_pair(five, card, second, tables)] -= 1
            out[3, tables.flush[one | 1 << second]] += 1


@compiled
def _count_after_two(first: int, second: int, tables: HandRankTables, out: Ints) -> None:
    suited_2, counts_2 = _add_suited(_add_suited(0, first), second), NO_SUITED_CARDS
    counts_2 = _add_count(_add_count(counts_2, first), second)
    state_2 = tables.step[tables.step[0, first >> 2], second >> 2]
    for third in range(second + 1, 48):
        suited_3, counts_3 = _add_suited(suited_2, third), _add_count(counts_2, third)
        state_3 = tables.step[state_2, third >> 2]
        for fourth in range(third + 1, 49):
            suited_4, counts_4 = _add_suited(suited_3, fourth), _add_count(counts_3, fourth)
            state_4 = tables.step[state_3, fourth >> 2]
            for fifth in range(fourth + 1, 50):
                five = tables.step[state_4, fifth >> 2]
                many = _add_count(counts_4, fifth) + ONE_EACH & FOUR_SUITED_CARDS
                _count_by_ranks(five, fifth, tables, out)
                if many:
                    suit = lowest_bit(many) >> 2
                    mask = _add_suited(suited_4, fifth) >> SUIT_BITS * suit & 0x1FFF
                    _move_flushes(five, fifth, suit, mask, tables, out)


@compiled
def _count_hands_by_rank(tables: HandRankTables, counts: Ints) -> None:
    for first in range(46):
        for second in range(first + 1, 47):
            _count_after_two(first, second, tables, counts)


def rank_all_seven(first: int, second: int) -> UInt16s:
    """Return the ranks of the seven-card hands whose two lowest cards are given.

    The hands are in lexicographic order of their ascending card numbers, 0 to 51; there are
    C(51 - second, 5) of them.

    >>> rank_all_seven(45, 46)
    array([7452], dtype=uint16)
    """
    ranks = np.empty(comb(51 - second, 5), np.uint16)
    _rank_after_two(first, second, hand_rank_tables(), ranks)
    return ranks


def count_all_seven() -> npt.NDArray[np.int64]:
    """Count how many of the 133,784,560 seven-card hands have each rank.

    The result has shape (7463,); entry r is the number of hands of rank r, entry 0 is 0.
    """
    counts = np.zeros((4, HIGHEST_RANK + 1), np.int64)
    _count_hands_by_rank(hand_rank_tables(), counts)
    totals: npt.NDArray[np.int64] = counts.sum(axis=0)
    return totals
