"""Count the boards that known hands win against each other, by the set of hands that win.

Five rounds add up to the answer. The last leaves flushes aside: the boards are multisets of ranks, each
with the number of ways to deal it. The others, one for each suit, put right the boards that give a hand
a flush of that suit: they go through the sets of cards of the suit that do, and fill each up with ranks
of the other suits, adding who wins with the flush and taking off who wins without.

The last card of a board comes in all its ranks at once: a row of the table of ranks for each hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.np.arrayobj import make_array

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import (
    bit_operation,
    compiled,
    compiled_without_refcounts,
    empty,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.known_hands import two_hands
from gpuodds.backends.cpu.shared.board_classes import rank_multisets
from gpuodds.backends.cpu.shared.runouts import CHOOSE, count_by_rank, read_suits
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.hand_ranks import SIX_CARDS, UInt16s
from gpuodds.games.shared.rules import BOARD_CARDS, HOLE_CARDS

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt32s = npt.NDArray[np.uint32]

FLUSH_CARDS = 5
SUITS = 4
MOST_BY_MASK = 10  # hands
LANES = 16  # ranks of a row of the table, the last three of no rank


class Tables(NamedTuple):
    """Tables of a game, and of the cards to come.

    Attributes:
        step: The automaton over ranks.
        rank_7: As that of the game, 16 columns wide.
        flush: The best flush of a set of ranks.
        firsts: The multisets of ranks that may come before the last two cards, (n, cards to come - 2).
        binomials: See ``CHOOSE``.
        ranks: The ranks of the deck, a mask.
    """

    step: UInt16s
    rank_7: UInt16s
    flush: UInt16s
    firsts: Ints
    binomials: Ints
    ranks: int


class _Row(NamedTuple):
    """Scratch of a row of hands.

    Attributes:
        undealt_cards: Undealt cards by rank, (13,).
        filling: The same, those of the round's suit left out.
        weight: The ways to deal each last card, (16,).
        undealt: Masks of ranks by suit, (4,).
        board: The board's, likewise.
        suited: The hands', (players, 4).
        left: By number of cards of the suit that are chosen: the ranks that can still be.
        chosen: Likewise those chosen and those of the board.
        states: Likewise the automaton's states of the hands, (6, players).
        now: States of the hands on the way to a full board, (2, players).
        flushes: The hands' ranks by a flush, (players,).
        plain: Zeros, in place of the flushes, (players,).
        winners: The hands that win by last card, masks, (16,).
    """

    undealt_cards: Ints
    filling: Ints
    weight: Ints
    undealt: Ints
    board: Ints
    suited: Ints
    left: Ints
    chosen: Ints
    states: Ints
    now: Ints
    flushes: UInt16s
    plain: UInt16s
    winners: UInt32s


class Sums(NamedTuple):
    """Boards by the set of hands that win.

    Attributes:
        boards: The boards of each set, by its mask, or of those in ``winners``, (n,).
        winners: Of more than :data:`MOST_BY_MASK` hands, the sets that are known, masks; else empty.
        used: How many these are, (1,).
    """

    boards: Ints
    winners: Ints
    used: Ints


@cache
def _wide_ranks(game: Holdem) -> UInt16s:
    ranks = game.hand_rank_tables.rank_7
    return np.ascontiguousarray(np.pad(ranks, ((0, 0), (0, LANES - ranks.shape[1]))))


def tables_of(game: Holdem, board_cards: int) -> Tables:
    """Return the tables of a game for boards of some cards."""
    tables = game.hand_rank_tables
    firsts = rank_multisets(max(BOARD_CARDS - board_cards - 2, 0), tables.ranks)
    return Tables(tables.step, _wide_ranks(game), tables.flush, firsts, CHOOSE, tables.ranks)


@compiled
def _new_row(players: int) -> _Row:
    return _Row(
        empty(13, np.int64), empty(13, np.int64), zeros(LANES, np.int64), empty(SUITS, np.int64),
        empty(SUITS, np.int64), empty((players, SUITS), np.int64), empty(BOARD_CARDS + 1, np.int64),
        empty(BOARD_CARDS + 1, np.int64), empty((BOARD_CARDS + 1, players), np.int64),
        empty((2, players), np.int64), empty(players, np.uint16), zeros(players, np.uint16),
        empty(LANES, np.uint32),
    )  # fmt: skip


@inlined_without_refcounts
def _read(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, number: int, ranks: int, step: UInt16s, row: _Row
) -> None:
    """Fill ``undealt_cards`` and ``undealt`` to ``suited``, and the states without a chosen card."""
    undealt, states = row.undealt, row.states
    read_suits(hands, boards, dead, number, ranks, undealt, row.board, row.suited)
    for player in range(hands.shape[1]):
        state = np.int64(0)
        for i in range(min(2 + boards.shape[1], 6)):
            card = hands[number, player, i] if i < 2 else boards[number, i - 2]
            state = np.int64(step[state, card >> 2])
        states[0, player] = state
    count_by_rank(undealt, row.undealt_cards)


def _compare_plainly(rank_7: UInt16s, states: Ints, flushes: UInt16s, winners: UInt32s) -> None:
    values = np.maximum(rank_7[states - SIX_CARDS], flushes[:, None])
    bits = np.uint32(1) << np.arange(len(states), dtype=np.uint32)
    winners[:] = ((values == values.max(axis=0)) * bits[:, None]).sum(axis=0)


@bit_operation(_compare_plainly)
def _compare(typing_context: Any, rank_7: Any, states: Any, flushes: Any, winners: Any) -> Any:
    """Write the hands that win, masks, by the rank of the last card."""
    word, short, lane = ir.IntType(64), ir.IntType(16), ir.IntType(32)
    lanes, masks = ir.VectorType(short, LANES), ir.VectorType(lane, LANES)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        ranks, state, flush, out = (
            make_array(kind)(context, builder, value=given)
            for kind, given in zip(signature.args, arguments, strict=True)
        )
        players = cgutils.unpack_tuple(builder, state.shape)[0]

        def every(number: Any, kind: Any = lanes) -> Any:
            one = builder.insert_element(kind(ir.Undefined), number, lane(0))
            return builder.shuffle_vector(one, one, masks([0] * LANES))

        def values(player: Any) -> Any:
            row = builder.sub(builder.load(builder.gep(state.data, [player])), word(SIX_CARDS))
            place = builder.gep(ranks.data, [builder.mul(row, word(LANES))])
            loaded = builder.load(builder.bitcast(place, lanes.as_pointer()))
            loaded.align = 2
            least = every(builder.load(builder.gep(flush.data, [player])))
            return builder.select(builder.icmp_signed(">", loaded, least), loaded, least)

        best = cgutils.alloca_once_value(builder, lanes([0] * LANES))
        builder.store(lanes([0] * LANES), best)
        with cgutils.for_range(builder, players) as loop:
            found, known = values(loop.index), builder.load(best)
            builder.store(builder.select(builder.icmp_signed(">", found, known), found, known), best)
        won = cgutils.alloca_once_value(builder, masks([0] * LANES))
        builder.store(masks([0] * LANES), won)
        highest = builder.load(best)
        with cgutils.for_range(builder, players) as loop:
            bit = every(builder.shl(lane(1), builder.trunc(loop.index, lane)), masks)
            wins = builder.sext(builder.icmp_signed("==", values(loop.index), highest), masks)
            builder.store(builder.or_(builder.load(won), builder.and_(wins, bit)), won)
        place = builder.bitcast(out.data, masks.as_pointer())
        builder.store(builder.load(won), place).align = 4
        return context.get_dummy_value()

    return types.void(rank_7, states, flushes, winners), generate


@inlined_without_refcounts
def _enter(winners: int, boards: int, sums: Sums) -> None:
    """Add boards to the sum of their winners."""
    if sums.winners.size == 0:
        sums.boards[winners] += boards
        return
    entry, end = 0, sums.used[0]
    while entry < end and sums.winners[entry] != winners:
        entry += 1
    if entry == end:
        sums.winners[entry], sums.boards[entry] = winners, 0
        sums.used[0] += 1
    sums.boards[entry] += boards


@inlined_without_refcounts
def _add(first: int, times: int, weight: Ints, winners: UInt32s, sums: Sums) -> None:
    """Add the boards of the last cards from rank ``first`` on."""
    for rank in range(first, 13):
        _enter(int(winners[rank]), times * weight[rank], sums)


@inlined_without_refcounts
def _add_row(
    states: Ints, first: int, times: int, of_suit: bool, rank_7: UInt16s, row: _Row, sums: Sums,
) -> None:  # fmt: skip
    """Add the boards of the last cards of ``weight``, in a suit's round what its flushes change."""
    _compare(rank_7, states, row.flushes, row.winners)
    _add(first, times, row.weight, row.winners, sums)
    if of_suit:
        _compare(rank_7, states, row.plain, row.winners)
        _add(first, -times, row.weight, row.winners, sums)


@compiled_without_refcounts
def _fill(
    to_come: int, states: Ints, firsts: Ints, times: int, of_suit: bool, tables: Tables, row: _Row,
    sums: Sums,
) -> None:  # fmt: skip
    """Add each way to deal one or more cards of ``filling``."""
    step, rank_7, binomials = tables.step, tables.rank_7, tables.binomials
    filling, weight, now, sixes = row.filling, row.weight, row.now[0], row.now[1]
    players = states.size
    if to_come == 1:
        for rank in range(13):
            weight[rank] = filling[rank]
        _add_row(states, 0, times, of_suit, rank_7, row, sums)
        return
    for index in range(firsts.shape[0]):
        # Ways to deal the first cards without those of the highest rank.
        ways, highest_count, highest = 1, 0, 0
        for player in range(players):
            now[player] = states[player]
        for i in range(firsts.shape[1]):
            rank = int(firsts[index, i])
            if highest_count and rank != highest:
                ways *= int(binomials[filling[highest], highest_count])
                highest_count = 0
            highest = rank
            highest_count += 1
            for player in range(players):
                now[player] = step[now[player], rank]
        for rank in range(highest, 13):
            cards = filling[rank]
            taken = 1
            ways_single = ways
            if rank == highest:
                taken += highest_count
            else:
                ways_single *= int(binomials[filling[highest], highest_count])
            if taken > cards or ways_single == 0:
                continue
            weight[rank] = ways_single * binomials[cards, taken + 1] if taken < cards else 0
            ways_single *= int(binomials[cards, taken])
            for last in range(rank + 1, 13):
                weight[last] = ways_single * filling[last]
            for player in range(players):
                sixes[player] = step[now[player], rank]
            _add_row(sixes, rank, times, of_suit, rank_7, row, sums)


@inlined_without_refcounts
def _winners(rank: int, in_suit: int, suit: int, states: Ints, tables: Tables, suited: Ints) -> int:
    """Return the hands that win with a last card; ``suit`` is -1 if flushes are left aside."""
    best, winners = np.int64(0), 0
    for player in range(states.size):
        value = np.int64(tables.rank_7[states[player] - SIX_CARDS, rank])
        if suit >= 0:
            value = max(value, np.int64(tables.flush[in_suit | suited[player, suit]]))
        if value > best:
            best, winners = value, 0
        if value == best:
            winners |= 1 << player
    return winners


@inlined_without_refcounts
def _add_last_cards(
    last: int, chosen: int, states: Ints, suit: int, is_dealt: bool, times: int, tables: Tables,
    suited: Ints, sums: Sums,
) -> None:  # fmt: skip
    """Add each last card of the ranks ``last``, a mask: of a suit, or that of a full board."""
    while last:
        rank = lowest_bit(last)
        last &= last - 1
        in_suit = chosen | (1 << rank if is_dealt else 0)
        if suit >= 0:
            _enter(_winners(rank, in_suit, suit, states, tables, suited), times, sums)
            times_plain = -times
        else:
            times_plain = times
        _enter(_winners(rank, 0, -1, states, tables, suited), times_plain, sums)


@inlined_without_refcounts
def _count_alike_suits(suit: int, row: _Row) -> int:
    """Return how many suits no card tells apart from this one, with it; 0 if it is not their first."""
    times = 1
    for other in range(SUITS):
        alike = row.undealt[suit] == row.undealt[other] and row.board[suit] == row.board[other]
        for player in range(row.suited.shape[0]):
            alike = alike and row.suited[player, suit] == row.suited[player, other]
        if alike and other < suit:
            times = 0
        times += int(alike and other > suit and times > 0)
    return times


@inlined_without_refcounts
def _choose_lowest(depth: int, step: UInt16s, left: Ints, chosen: Ints, states: Ints) -> None:
    """Choose the lowest of the ranks that are left as the next card of the suit."""
    ranks = left[depth]
    rank = lowest_bit(ranks)
    ranks &= ranks - 1
    left[depth] = left[depth + 1] = ranks
    chosen[depth + 1] = chosen[depth] | 1 << rank
    for player in range(states.shape[1]):
        states[depth + 1, player] = step[states[depth, player], rank]


@compiled
def _count_row(to_come: int, last_of_board: int, tables: Tables, row: _Row, sums: Sums) -> None:
    left, chosen, states, suited = row.left, row.chosen, row.states, row.suited
    players = suited.shape[0]
    for suit in range(SUITS + 1):
        of_suit = suit < SUITS
        needed, times, most = 0, 1, 0
        left[0] = chosen[0] = 0
        if of_suit:
            left[0], chosen[0], most = row.undealt[suit], row.board[suit], to_come
            held = 0
            for player in range(players):
                held = max(held, popcount(suited[player, suit]))
            needed = FLUSH_CARDS - popcount(chosen[0]) - held
            if needed > to_come:
                continue
            times = _count_alike_suits(suit, row)
            if times == 0:
                continue
        for rank in range(13):
            row.filling[rank] = row.undealt_cards[rank] - (left[0] >> rank & 1)
        for player in range(players):
            row.flushes[player] = 0
        depth, fresh = 0, True
        while depth >= 0:
            if fresh and depth >= needed and depth < to_come:
                if of_suit:
                    for player in range(players):
                        row.flushes[player] = tables.flush[chosen[depth] | suited[player, suit]]
                firsts = tables.firsts if not of_suit else tables.firsts[:1, :0]
                _fill(to_come - depth, states[depth], firsts, times, of_suit, tables, row, sums)
            if depth + 1 < most and left[depth]:
                _choose_lowest(depth, tables.step, left, chosen, states)
                depth += 1
                fresh = True
                continue
            # The last card: one of the suit, or that of a full board.
            last = int(left[depth]) if depth + 1 == most else 0
            if to_come == 0:
                last = 1 << last_of_board
            _add_last_cards(
                last, int(chosen[depth]), states[depth], suit if of_suit else -1, to_come > 0, times,
                tables, suited, sums,
            )  # fmt: skip
            depth -= 1
            fresh = False


@compiled
def _count_rows(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, begin: int, end: int, tables: Tables,
    out: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    players, size = hands.shape[1], boards.shape[1]
    row, boards_won = _new_row(players), zeros(1 << players, np.int64)
    sums = Sums(boards_won, empty(0, np.int64), empty(1, np.int64))
    for number in range(begin, end):
        _read(hands, boards, dead, number, tables.ranks, tables.step, row)
        last = int(np.int64(boards[number, BOARD_CARDS - 1] >> 2)) if size == BOARD_CARDS else 0
        _count_row(BOARD_CARDS - size, last, tables, row, sums)
        for mask in range(1, 1 << players):
            out[number, mask - 1] = boards_won[mask]
            boards_won[mask] = 0


def count_hands(
    hands: UInt8s, boards: UInt8s, dead: UInt8s, game: Holdem, progress: Progress | None = None
) -> npt.NDArray[np.int32]:
    """Count boards by the hands that win: see the operation.

    Args:
        hands: Shape (n, players, 2).
        boards: Shape (n, 0..5).
        dead: Shape (n, any width).
        game: The game.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (n, 2^players - 1), int32.
    """
    out = np.empty((len(hands), (1 << hands.shape[1]) - 1), np.int32)
    tables = tables_of(game, boards.shape[1])

    def work(begin: int, end: int) -> None:
        _count_rows(hands, boards, dead, begin, end, tables, out)

    with thread_pool(thread_count(), progress) as run:
        run(work, len(hands))
    return out


@compiled
def _count_one(cards: UInt8s, players: int, size: int, tables: Tables, sums: Sums) -> None:
    """Count a spot; ``cards`` are those of the hands, a board of ``size`` cards, and dead ones."""
    row, held = _new_row(players), HOLE_CARDS * players
    hands = cards[:held].reshape(1, players, HOLE_CARDS)
    board, dead = cards[held : held + size].reshape(1, size), cards[held + size :]
    _read(hands, board, dead.reshape(1, dead.size), 0, tables.ranks, tables.step, row)
    last = int(np.int64(board[0, BOARD_CARDS - 1] >> 2)) if size == BOARD_CARDS else 0
    _count_row(BOARD_CARDS - size, last, tables, row, sums)


def count_spot(
    hands: Sequence[Sequence[int]], board: Sequence[int], dead: Sequence[int], game: Holdem
) -> dict[int, int]:
    """Count the boards of one spot by the hands that win, a mask.

    Args:
        hands: Two or more, up to as many as the deck has.
        board: 0 to 5 cards.
        dead: Cards out of play.
        game: The game.
    """
    if len(hands) == 2:
        return two_hands.count_spot(hands, board, dead, game)
    # Of bytes: NumPy takes five times as long to read nested tuples.
    cards = np.frombuffer(bytearray(chain(*hands, board, dead)), np.uint8)
    players, left = len(hands), game.deck_size - len(cards)
    sets, listed = 1 << players, min(1 << players, comb(left, BOARD_CARDS - len(board)))
    is_dense = players <= MOST_BY_MASK
    sums = Sums(
        np.zeros(sets if is_dense else listed, np.int64),
        np.empty(0 if is_dense else listed, np.int64),
        np.zeros(1, np.int64),
    )
    _count_one(cards, players, len(board), tables_of(game, len(board)), sums)
    masks = range(sets) if is_dense else sums.winners[: sums.used[0]].tolist()
    return {mask: won for mask, won in zip(masks, sums.boards.tolist(), strict=False) if won}
