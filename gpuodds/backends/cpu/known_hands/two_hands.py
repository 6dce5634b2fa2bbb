"""Count the boards that one known hand wins against another.

Five rounds add up to the answer. The last leaves flushes aside: the boards are multisets of ranks, each
with the number of ways to deal it. The others, one for each suit, put right the boards that give a hand
a flush of that suit: they go through the sets of cards of the suit that do, and fill each up with ranks
of the other suits, counting who wins with the flush less who wins without.

:mod:`gpuodds.backends.cpu.known_hands.hands_together` counts more hands in the same way. Two have loops
of their own, which take half the time, because one number is all that they add up.

One number holds the boards that each hand wins: those of the second 32 bits higher. A pair has at most
C(48, 5) = 1,712,304 boards, and no round takes away or adds more, so neither half passes 31 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.costs import PAIR_OF_HANDS
from gpuodds.backends.cpu.compile.jit import (
    compiled,
    empty,
    inlined,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.shared.board_classes import rank_multisets
from gpuodds.backends.cpu.shared.runouts import CHOOSE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.hand_ranks import SIX_CARDS, UInt16s
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

SECOND = 32  # bits by which boards that the second hand wins are shifted
FLUSH_CARDS = 5
SUITS = 4
WORTH_THREADS = 2e-3  # seconds

# Rows of the scratch array, (10, 13):
COUNT = 0  # undealt cards by rank
FILLING = 1  # the same, those of the round's suit left out
UNDEALT, ON_BOARD, ONE, TWO = 2, 3, 4, 5  # masks of ranks by suit: undealt, of the board, of the hands
# By number of cards of the suit that are chosen: ranks that can still be, those chosen and those of the
# board, and the automaton's states of the hands.
LEFT, CHOSEN, STATE_ONE, STATE_TWO = 6, 7, 8, 9


@inlined
def _winner(rank_one: Any, rank_two: Any) -> int:
    """Return one board for the hand that has the better rank, 0 if they tie."""
    return int(rank_one > rank_two) | int(rank_one < rank_two) << SECOND


@inlined
def _read_row(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, row: int, ranks: int, step: UInt16s, scratch: Ints
) -> None:
    """Fill the rows COUNT and UNDEALT to TWO of the scratch, and the states without a chosen card.

    ``ranks`` are those of the deck, a mask.
    """
    for suit in range(SUITS):
        scratch[UNDEALT, suit] = ranks
        for kind in range(ON_BOARD, TWO + 1):
            scratch[kind, suit] = 0
    for i in range(dead.shape[1]):
        card = np.int64(dead[row, i])
        scratch[UNDEALT, card & 3] &= ~(1 << (card >> 2))
    for i in range(boards.shape[1]):
        card = np.int64(boards[row, i])
        scratch[ON_BOARD, card & 3] |= 1 << (card >> 2)
    for player in range(2):
        state = np.int64(0)
        for i in range(min(2 + boards.shape[1], 6)):
            card = np.int64(hands[row, player, i] if i < 2 else boards[row, i - 2])
            state = np.int64(step[state, card >> 2])
            if i < 2:
                scratch[ONE + player, card & 3] |= 1 << (card >> 2)
        scratch[STATE_ONE + player, 0] = state
    for rank in range(13):
        scratch[COUNT, rank] = 0
    for suit in range(SUITS):
        scratch[UNDEALT, suit] &= ~(scratch[ON_BOARD, suit] | scratch[ONE, suit] | scratch[TWO, suit])
        for rank in range(13):
            scratch[COUNT, rank] += scratch[UNDEALT, suit] >> rank & 1


@inlined
def _compare(state_one: Any, state_two: Any, first: int, end: int, flush_one: int, flush_two: int,
             without: int, scratch: Ints, rank_7: UInt16s) -> int:  # fmt: skip
    """Return who wins with each seventh card of rank ``first`` to ``end``."""
    total = 0
    for rank in range(first, end):
        value = np.int64(rank_7[state_one - SIX_CARDS, rank])
        rival = np.int64(rank_7[state_two - SIX_CARDS, rank])
        best, best_rival = max(value, flush_one), max(rival, flush_two)
        change = _winner(best, best_rival) - (_winner(value, rival) & without)
        total += scratch[FILLING, rank] * change
    return total


@inlined
def _fill(to_come: int, depth: int, flush_one: Any, flush_two: Any, without: int, firsts: Ints,
          scratch: Ints, step: UInt16s, rank_7: UInt16s, binomials: Ints) -> int:  # fmt: skip
    """Return who wins with each way to deal one or more cards of the row FILLING.

    ``firsts`` (n, cards to come less two) are the multisets of ranks that come before the last two.
    """
    state_one, state_two = scratch[STATE_ONE, depth], scratch[STATE_TWO, depth]
    if to_come == 1:
        return _compare(state_one, state_two, 0, 13, flush_one, flush_two, without, scratch, rank_7)
    total = 0
    for index in range(firsts.shape[0]):
        # Ways to deal the first cards without those of the highest rank.
        ways, highest_count, highest = 1, 0, 0
        now_one, now_two = state_one, state_two
        for i in range(firsts.shape[1]):
            rank = firsts[index, i]
            if highest_count and rank != highest:
                ways *= binomials[scratch[FILLING, highest], highest_count]
                highest_count = 0
            highest = rank
            highest_count += 1
            now_one, now_two = np.int64(step[now_one, rank]), np.int64(step[now_two, rank])
        for rank in range(highest, 13):
            cards = scratch[FILLING, rank]
            taken = 1
            ways_single = ways
            if rank == highest:
                taken += highest_count
            else:
                ways_single *= binomials[scratch[FILLING, highest], highest_count]
            if taken > cards or ways_single == 0:
                continue
            ways_pair = ways_single * binomials[cards, taken + 1] if taken < cards else 0
            ways_single *= binomials[cards, taken]
            six_one, six_two = np.int64(step[now_one, rank]), np.int64(step[now_two, rank])
            value = np.int64(rank_7[six_one - SIX_CARDS, rank])
            rival = np.int64(rank_7[six_two - SIX_CARDS, rank])
            change = _winner(max(value, flush_one), max(rival, flush_two))
            total += ways_pair * (change - (_winner(value, rival) & without))
            total += ways_single * _compare(
                six_one, six_two, rank + 1, 13, flush_one, flush_two, without, scratch, rank_7
            )
    return total


@inlined_without_refcounts
def _count_alike_suits(suit: int, scratch: Ints) -> int:
    """Return how many suits no card tells apart from this one, with it; 0 if it is not their first."""
    times = 1
    for other in range(SUITS):
        alike = True
        for kind in range(UNDEALT, TWO + 1):
            alike &= scratch[kind, suit] == scratch[kind, other]
        if alike and other < suit:
            times = 0
        times += alike and other > suit and times > 0
    return times


@inlined_without_refcounts
def _choose_lowest(left: int, depth: int, scratch: Ints, step: UInt16s) -> None:
    """Choose the lowest of the ranks ``left``, a mask, as the next card of the suit."""
    rank = lowest_bit(left)
    left &= left - 1
    scratch[LEFT, depth] = left
    scratch[LEFT, depth + 1] = left
    scratch[CHOSEN, depth + 1] = scratch[CHOSEN, depth] | 1 << rank
    scratch[STATE_ONE, depth + 1] = step[scratch[STATE_ONE, depth], rank]
    scratch[STATE_TWO, depth + 1] = step[scratch[STATE_TWO, depth], rank]


@inlined_without_refcounts
def _last_cards(
    last: int, depth: int, is_dealt: bool, of_suit: bool, mask_one: int, mask_two: int, without: int,
    scratch: Ints, rank_7: UInt16s, flush: UInt16s,
) -> int:  # fmt: skip
    """Return who wins with each seventh card, of the ranks ``last``, a mask."""
    total = 0
    six_one, six_two = scratch[STATE_ONE, depth] - SIX_CARDS, scratch[STATE_TWO, depth] - SIX_CARDS
    while last:
        rank = lowest_bit(last)
        last &= last - 1
        in_suit = scratch[CHOSEN, depth] | (1 << rank if is_dealt else 0)
        value, rival = np.int64(rank_7[six_one, rank]), np.int64(rank_7[six_two, rank])
        best = max(value, np.int64(flush[in_suit | mask_one])) if of_suit else value
        best_rival = max(rival, np.int64(flush[in_suit | mask_two])) if of_suit else rival
        total += _winner(best, best_rival) - (_winner(value, rival) & without)
    return total


@compiled
def _count_rows(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, begin: int, end: int, ranks: int, step: UInt16s,
    rank_7: UInt16s, flush: UInt16s, firsts: Ints, binomials: Ints, out: Ints,
) -> None:  # fmt: skip
    """Count the rows ``begin`` to ``end``; ``out`` receives the boards that each hand wins.

    One function for all rounds, so that it is compiled in little time.
    """
    scratch = zeros((10, 13), np.int64)
    to_come = BOARD_CARDS - boards.shape[1]
    for row in range(begin, end):
        _read_row(hands, boards, dead, row, ranks, step, scratch)
        total = 0
        for suit in range(SUITS + 1):
            of_suit = suit < SUITS
            without = -1 if of_suit else 0
            mask_one, mask_two, needed, times, most = 0, 0, 0, 1, 0
            left, chosen = 0, 0
            if of_suit:
                left, chosen, most = scratch[UNDEALT, suit], scratch[ON_BOARD, suit], to_come
                mask_one, mask_two = scratch[ONE, suit], scratch[TWO, suit]
                needed = FLUSH_CARDS - popcount(chosen) - max(popcount(mask_one), popcount(mask_two))
                if needed > to_come:
                    continue
                times = _count_alike_suits(suit, scratch)
                if times == 0:
                    continue
            for rank in range(13):
                scratch[FILLING, rank] = scratch[COUNT, rank] - (left >> rank & 1)
            scratch[LEFT, 0], scratch[CHOSEN, 0] = left, chosen
            depth, fresh, sum_ = 0, True, 0
            while depth >= 0:
                if fresh and depth >= needed and depth < to_come:
                    flush_one = np.int64(flush[scratch[CHOSEN, depth] | mask_one])
                    flush_two = np.int64(flush[scratch[CHOSEN, depth] | mask_two])
                    sum_ += _fill(
                        to_come - depth, depth, flush_one if of_suit else 0,
                        flush_two if of_suit else 0, without, firsts if not of_suit else firsts[:1, :0],
                        scratch, step, rank_7, binomials,
                    )  # fmt: skip
                left = scratch[LEFT, depth]
                if depth + 1 < most and left:
                    _choose_lowest(left, depth, scratch, step)
                    depth += 1
                    fresh = True
                    continue
                # The seventh card: one of the suit, or the last of a full board.
                last = int(left) if depth + 1 == most else 0
                if to_come == 0:
                    last = 1 << int(np.int64(boards[row, BOARD_CARDS - 1] >> 2))
                sum_ += _last_cards(
                    last, depth, to_come > 0, of_suit, mask_one, mask_two, without, scratch, rank_7,
                    flush,
                )  # fmt: skip
                depth -= 1
                fresh = False
            total += sum_ * times
        second = (total + (1 << (SECOND - 1))) >> SECOND
        out[row, 0] = total - (second << SECOND)
        out[row, 1] = second


@compiled
def _count_one(
    cards: UInt8s, size: int, ranks: int, step: UInt16s, rank_7: UInt16s, flush: UInt16s, firsts: Ints,
    binomials: Ints,
) -> int:  # fmt: skip
    """Count the boards that each of two hands wins, the first in the upper 32 bits.

    ``cards`` are those of the hands, a board of ``size`` cards, and dead ones: one array and a number,
    since it takes as long as to count a flop to pass and return a dozen.
    """
    out, hands = empty((1, 3), np.int64), 2 * HOLE_CARDS
    _count_rows(
        cards[:hands].reshape(1, 2, HOLE_CARDS), cards[hands : hands + size].reshape(1, size),
        cards[hands + size :].reshape(1, cards.size - hands - size), 0, 1, ranks, step, rank_7, flush,
        firsts, binomials, out,
    )  # fmt: skip
    return int(out[0, 0]) << 32 | int(out[0, 1])


class _Given(NamedTuple):
    """What counting takes besides the cards: tables of a game, and of boards of some size."""

    ranks: int
    step: UInt16s
    rank_7: UInt16s
    flush: UInt16s
    firsts: Ints
    binomials: Ints


@cache
def _given(game: Holdem, size: int) -> _Given:
    tables = game.hand_rank_tables
    firsts = rank_multisets(max(BOARD_CARDS - size - 2, 0), tables.ranks)
    return _Given(tables.ranks, tables.step, tables.rank_7, tables.flush, firsts, CHOOSE)


def count_spot(
    hands: Sequence[Sequence[int]], board: Sequence[int], dead: Sequence[int], game: Holdem
) -> dict[int, int]:
    """Count the boards of one spot by the hands that win: as for more hands."""
    size = len(board)
    # Of bytes: NumPy takes five times as long to read nested tuples.
    cards = np.frombuffer(bytearray((*hands[0], *hands[1], *board, *dead)), np.uint8)
    won = _count_one(cards, size, *_given(game, size))
    first, second = won >> 32, won & 0xFFFFFFFF
    split = comb(game.deck_size - len(cards), BOARD_CARDS - size) - first - second
    by_winners = {1: first, 2: second, 3: split}
    return by_winners if first and second and split else {k: n for k, n in by_winners.items() if n}


def count_two_hands(hands: UInt8s, boards: UInt8s, dead: UInt8s, game: Holdem) -> Ints:
    """Count the boards that each of two hands wins, and those they split: see the operation."""
    size = boards.shape[1]
    out = np.empty((len(hands), 3), np.int64)
    given = _given(game, size)

    def work(begin: int, end: int) -> None:
        _count_rows(hands, boards, dead, begin, end, *given, out)

    if len(hands) * PAIR_OF_HANDS[size] < WORTH_THREADS:
        work(0, len(hands))
    else:
        with thread_pool(thread_count()) as run:
            run(work, len(hands))
    left = game.deck_size - 2 * HOLE_CARDS - size - dead.shape[1]
    out[:, 2] = comb(left, BOARD_CARDS - size) - out[:, 0] - out[:, 1]
    return out
