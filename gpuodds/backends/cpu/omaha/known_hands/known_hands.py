"""Count the boards of known hands against each other by who has the best high and the best low.

Boards are counted by class. A high rank depends on suits only through a flush, a low not at all. So
each multiset of board ranks is visited once: each hand's high is its best over the pairs of its hole
cards, from a table by pair and board. Then the boards are counted on which a hand has a flush: those
with three or more cards of a suit of which it has two, by the set of ranks in that suit, a product of
binomials each. What is left of the multiset's boards has no flush that plays. Suits that the known
cards do not tell apart are visited once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined_without_refcounts, popcount, zeros
from gpuodds.backends.cpu.omaha.shared.flushes import best_flush
from gpuodds.backends.cpu.shared.runouts import (
    CHOOSE,
    count_by_rank,
    count_deals,
    deals_in_suit,
    group_ranks,
    part_by_suit,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.low_ranks import LOW_BITS, LOW_SETS, best_lows, low_set
from gpuodds.games.omaha.plain_ranks import THREE_CARDS, pair_number, plain_ranks
from gpuodds.games.shared.hand_ranks import HandRankTables, UInt16s, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]

RANK_SETS = 1 << 13
FEW_TO_COME = 2


class KnownSpot(NamedTuple):
    """A spot as the loops below need it; sets of ranks are masks, bit 0 the deuce.

    A suit counts if a player may have a flush in it; of suits that the known cards do not tell apart,
    one stands for all. A holder is a player with two cards or more of such a suit.

    Attributes:
        undealt: The undealt ranks by suit, (4,).
        board: The board's ranks by suit, (4,).
        board_ranks: The rank of each card of the board, (cards,), 0 to 12.
        pairs: The pairs of ranks that a player's hole cards have, player by player, as
            :data:`gpuodds.games.omaha.plain_ranks.RANK_PAIRS` numbers them.
        pair_ends: For each player the pair after the last.
        suits: The suits that count, one of each kind.
        copies: How many suits are like each of them.
        flush_ranks: The ranks of each holder's cards of the suit, suit by suit.
        flush_players: The player of each holder.
        flush_ends: For each suit the holder after its last.
        low_bits: The bit of each rank in a low set, (13,).
        low_rows: The row of the totals for each low set of a board, (256,).
    """

    undealt: Ints
    board: Ints
    board_ranks: Ints
    pairs: Ints
    pair_ends: Ints
    suits: Ints
    copies: Ints
    flush_ranks: Ints
    flush_players: Ints
    flush_ends: Ints
    low_bits: Ints
    low_rows: Ints


def count_known_hands(
    hands: npt.NDArray[np.uint8], board: Sequence[int], dead: Sequence[int], low: bool
) -> dict[tuple[int, int], int]:
    """Count the ways to fill the board by the players who share the best high and the best low.

    Nothing is checked.

    Args:
        hands: Card numbers, shape (players, hole cards), 2 to 11 players.
        board: 0 to 5 card numbers.
        dead: Card numbers that are out of play.
        low: Whether the game is hi-lo.

    Returns:
        Numbers of boards by (set of players with the best high, set of players with the best low). The
        sets are masks, bit 0 the first player; 0 for no low, in games without one always.
    """
    rows = [[int(card) for card in hand] for hand in hands]
    low_rows, low_masks = np.zeros(LOW_SETS, np.int64), np.zeros(1, np.int64)
    if low:
        low_masks, low_rows = _share_lows(rows)
    counts = np.zeros((len(low_masks), 1 << len(rows)), np.int64)
    to_come = BOARD_CARDS - len(board)
    spot = _read_spot(rows, board, dead, low_rows)
    multisets = comb(12 + to_come, to_come)
    add_boards(spot, hand_rank_tables(), plain_ranks(), CHOOSE, multisets, counts)
    return {
        (high, int(low_masks[row])): int(counts[row, high])
        for row, high in np.argwhere(counts).tolist()
    }


def _share_lows(hands: list[list[int]]) -> tuple[Ints, Ints]:
    """Return the different masks of players who share a low, and which one each board's low set has."""
    ranks = best_lows()[:, [low_set(hand) for hand in hands]]
    best = ranks.max(axis=1, keepdims=True)
    shared = ((ranks == best) & (best > 0)) @ (1 << np.arange(len(hands)))
    masks, rows = np.unique(shared, return_inverse=True)
    return masks, rows.reshape(LOW_SETS)


def _read_spot(
    hands: list[list[int]], board: Sequence[int], dead: Sequence[int], low_rows: Ints
) -> KnownSpot:
    hand_masks = [_ranks_by_suit(hand) for hand in hands]
    board_masks = _ranks_by_suit(board)
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    undealt = _ranks_by_suit([card for card in range(DECK_SIZE) if card not in known])
    to_come = BOARD_CARDS - len(board)
    suits: dict[tuple[int, ...], int] = {}
    copies: dict[tuple[int, ...], int] = {}
    for suit in range(4):
        pattern = (undealt[suit], board_masks[suit], *(ranks[suit] for ranks in hand_masks))
        if board_masks[suit].bit_count() + min(to_come, undealt[suit].bit_count()) < 3:
            continue
        if max(ranks[suit].bit_count() for ranks in hand_masks) >= 2:
            suits.setdefault(pattern, suit)
            copies[pattern] = copies.get(pattern, 0) + 1
    flushes: list[tuple[int, int]] = []
    ends = []
    for suit in suits.values():
        flushes += [
            (masks[suit], player)
            for player, masks in enumerate(hand_masks)
            if masks[suit].bit_count() >= 2
        ]
        ends.append(len(flushes))
    pairs: list[int] = []
    pair_ends = []
    for hand in hands:
        pairs += {pair_number(*sorted(pair)) for pair in combinations([card >> 2 for card in hand], 2)}
        pair_ends.append(len(pairs))
    flush_ranks, flush_players = np.array(flushes, np.int64).reshape(len(flushes), 2).T.copy()
    return KnownSpot(
        np.array(undealt, np.int64),
        np.array(board_masks, np.int64),
        np.array([card >> 2 for card in board], np.int64),
        np.array(pairs, np.int64),
        np.array(pair_ends, np.int64),
        np.array(list(suits.values()), np.int64),
        np.array(list(copies.values()), np.int64),
        flush_ranks,
        flush_players,
        np.array(ends, np.int64),
        np.array(LOW_BITS, np.int64),
        low_rows,
    )


def _ranks_by_suit(cards: Sequence[int]) -> list[int]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return masks


@inlined_without_refcounts
def _advance(runout: Ints) -> None:
    """Turn a runout, (1, cards to come), into the next multiset of ranks, ascending."""
    at = runout.shape[1] - 1
    while runout[0, at] == 12:
        at -= 1
    rank = runout[0, at] + 1
    for i in range(at, runout.shape[1]):
        runout[0, i] = rank


@inlined_without_refcounts
def _read_board(board: Ints, step: UInt16s, low_bits: Ints) -> tuple[int, int]:
    """Return the low set of five ranks, and the automaton's state after them."""
    lows, state = 0, 0
    for i in range(5):
        lows |= low_bits[board[i]]
        state = int(np.int64(step[state, board[i]]))
    return lows, state


@inlined_without_refcounts
def _best_plain(ranks: UInt16s, pairs: Ints, ends: Ints) -> tuple[int, int]:
    """Return the best rank without flushes and the players who have it, a mask.

    ``ranks`` (91,) are those of all pairs of ranks on the board.
    """
    best, winners, begin = 0, 0, 0
    for player in range(ends.size):
        value = 0
        for i in range(begin, ends[player]):
            value = max(value, int(np.int64(ranks[pairs[i]])))
        begin = ends[player]
        if value > best:
            best = value
            winners = 0
        if value == best:
            winners |= 1 << player
    return best, winners


@inlined_without_refcounts
def _best_with_flush(
    best: int, winners: int, first: int, end: int, in_suit: int, flush_ranks: Ints,
    flush_players: Ints, flushes: UInt16s, flush: UInt16s,
) -> int:  # fmt: skip
    """Return who is best, a mask, of the best without flushes and the holders first to end of a suit.

    ``flushes`` keeps the rank of each holder's flush by the board's ranks of the suit; 0: not yet. It
    is empty where few boards have the same ranks.
    """
    for holder in range(first, end):
        value = int(np.int64(flushes[holder, in_suit])) if flushes.size else 0
        if value == 0:
            value = best_flush(flush_ranks[holder], in_suit, flush)
            if flushes.size:
                flushes[holder, in_suit] = value
        if value > best:
            best = value
            winners = 0
        if value == best:
            winners |= 1 << flush_players[holder]
    return winners


@compiled
def add_boards(
    spot: KnownSpot,
    tables: HandRankTables,
    plain: UInt16s,
    binomials: Ints,
    multisets: int,
    totals: Ints,
) -> None:
    """Add the boards to ``totals`` (rows of lows, sets of players); they are at most C(44, 5).

    ``multisets`` is how many multisets of ranks the cards to come can have, ``plain`` as
    :func:`gpuodds.games.omaha.plain_ranks.plain_ranks`.
    """
    undealt_masks, board_masks, board_ranks = spot.undealt, spot.board, spot.board_ranks
    suits, copies, low_bits, low_rows = spot.suits, spot.copies, spot.low_bits, spot.low_rows
    flush_ranks, flush_players, ends = spot.flush_ranks, spot.flush_players, spot.flush_ends
    step, flush = tables.step, tables.flush
    to_come = BOARD_CARDS - board_ranks.size
    flushes = zeros((flush_ranks.size if to_come > FEW_TO_COME else 0, RANK_SETS), np.uint16)
    board = zeros(5, np.int64)
    runout = board[:to_come].reshape(1, to_come)  # the cards to come stand first
    ranks, counts, undealt = zeros(5, np.int64), zeros(5, np.int64), zeros(13, np.int64)
    with_suit, without = zeros(5, np.int64), zeros(5, np.int64)
    count_by_rank(undealt_masks, undealt)
    for i in range(board_ranks.size):
        board[to_come + i] = board_ranks[i]
    for index in range(multisets):
        if index > 0:
            _advance(runout)
        different = group_ranks(runout, 0, ranks, counts)
        left = count_deals(undealt, ranks, counts, different, binomials)
        if left == 0:
            continue
        lows, state = _read_board(board, step, low_bits)
        row = low_rows[lows]
        best, winners = _best_plain(plain[state - THREE_CARDS], spot.pairs, spot.pair_ends)
        begin = 0
        for kind in range(suits.size):
            end, suit = ends[kind], suits[kind]
            known_in_suit = board_masks[suit]
            open_ranks = part_by_suit(
                undealt_masks[suit], undealt, ranks, counts, different, binomials, with_suit, without
            )
            missing = 3 - popcount(known_in_suit)
            subset = open_ranks
            while True:
                if popcount(subset) >= missing:
                    number, in_suit = deals_in_suit(
                        subset, copies[kind], known_in_suit, ranks, different, with_suit, without
                    )
                    if number > 0:
                        left -= number
                        mask = _best_with_flush(
                            best, winners, begin, end, in_suit, flush_ranks, flush_players, flushes,
                            flush,
                        )  # fmt: skip
                        totals[row, mask] += number
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
            begin = end
        totals[row, winners] += left
