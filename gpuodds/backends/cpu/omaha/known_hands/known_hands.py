"""Count the boards of known hands against each other by who has the best high and the best low.

Boards are counted by class. A high rank depends on suits only through a flush, a low not at all. So
each multiset of board ranks is visited once: each hand's high is its best over the ten triples of the
board, from a table by triple. Then the boards are counted on which a hand has a flush: those with three
or more cards of a suit of which it has two, by the set of ranks in that suit, a product of binomials
each. What is left of the multiset's boards has no flush that plays. Suits that the known cards do not
tell apart are visited once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined, popcount, zeros
from gpuodds.backends.cpu.omaha.shared.flushes import best_flush
from gpuodds.backends.cpu.shared.board_classes import CHOOSE
from gpuodds.cards import DECK_SIZE
from gpuodds.games.omaha.low_ranks import LOW_BITS, LOW_SETS, best_lows, low_set
from gpuodds.games.omaha.plain_ranks import THREE_CARDS
from gpuodds.games.shared.hand_ranks import FIVE_CARDS, HandRankTables, UInt16s, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]

TRIPLES = 455  # multisets of three ranks
RANK_SETS = 1 << 13


class _Spot(NamedTuple):
    """A spot as the loops below need it; sets of ranks are masks, bit 0 the deuce.

    ``undealt`` and ``board`` (4,) are sets of ranks by suit, ``lying`` the ranks of the board's cards.
    ``rank_pairs`` (n, 3) are the pairs of ranks that a player's hole cards have, and the player.
    ``suits`` are one suit of each kind that the known cards tell apart, if a player may have a flush in
    it, ``copies`` how many suits are like it. ``flush_ranks`` (n,) are the ranks of a player's cards of
    such a suit, two or more, ``flush_players`` those players; those of suit i end before
    ``flush_ends[i]``. ``low_bits`` (13,) are the bits of ranks in a low set, ``low_rows`` (256,) the
    row of the counts for each low set of a board.
    """

    undealt: Ints
    board: Ints
    lying: Ints
    rank_pairs: Ints
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
    _count(spot, hand_rank_tables(), CHOOSE, len(rows), comb(12 + to_come, to_come), counts)
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
) -> _Spot:
    held = [_ranks_by_suit(hand) for hand in hands]
    lying = _ranks_by_suit(board)
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    undealt = _ranks_by_suit([card for card in range(DECK_SIZE) if card not in known])
    to_come = BOARD_CARDS - len(board)
    suits: dict[tuple[int, ...], int] = {}
    copies: dict[tuple[int, ...], int] = {}
    for suit in range(4):
        pattern = (undealt[suit], lying[suit], *(ranks[suit] for ranks in held))
        if lying[suit].bit_count() + min(to_come, undealt[suit].bit_count()) < 3:
            continue
        if max(ranks[suit].bit_count() for ranks in held) >= 2:
            suits.setdefault(pattern, suit)
            copies[pattern] = copies.get(pattern, 0) + 1
    flushes: list[tuple[int, int]] = []
    ends = []
    for suit in suits.values():
        flushes += [(h[suit], p) for p, h in enumerate(held) if h[suit].bit_count() >= 2]
        ends.append(len(flushes))
    pairs = {
        (*sorted((one >> 2, two >> 2)), player)
        for player, hand in enumerate(hands)
        for one, two in combinations(hand, 2)
    }
    flush_ranks, flush_players = np.array(flushes, np.int64).reshape(len(flushes), 2).T.copy()
    return _Spot(
        np.array(undealt, np.int64),
        np.array(lying, np.int64),
        np.array([card >> 2 for card in board], np.int64),
        np.array(sorted(pairs), np.int64),
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


@inlined
def _rank_triples(rank_pairs: Ints, tables: HandRankTables, triples: UInt16s) -> None:
    """Fill ``triples`` (players, 455): the best rank with each three ranks, flushes left aside."""
    step, rank_5 = tables.step, tables.rank_5
    for row in range(rank_pairs.shape[0]):
        one, two, player = rank_pairs[row, 0], rank_pairs[row, 1], rank_pairs[row, 2]
        for triple in range(TRIPLES):
            four = step[THREE_CARDS + triple, one]
            five = np.int64(step[four, two]) - FIVE_CARDS
            if four and five >= 0:  # else five of a rank
                triples[player, triple] = max(triples[player, triple], rank_5[five])


@inlined
def _advance(cards: Ints, size: int) -> None:
    """Turn a multiset of ranks, ascending, into the next one."""
    at = size - 1
    while cards[at] == 12:
        at -= 1
    rank = cards[at] + 1
    for i in range(at, size):
        cards[i] = rank


@compiled
def _count(
    spot: _Spot, tables: HandRankTables, binomials: Ints, players: int, multisets: int, counts: Ints
) -> None:
    """Add the boards to ``counts`` (rows of lows, sets of players); they are at most C(44, 5).

    ``multisets`` is how many multisets of ranks the cards to come can have.
    """
    lying, free, on_board = spot.lying, spot.undealt, spot.board
    suits, copies, low_bits, low_rows = spot.suits, spot.copies, spot.low_bits, spot.low_rows
    flush_ranks, flush_players, ends = spot.flush_ranks, spot.flush_players, spot.flush_ends
    step, flush = tables.step, tables.flush
    to_come = BOARD_CARDS - lying.size
    triples = zeros((players, TRIPLES), np.uint16)
    _rank_triples(spot.rank_pairs, tables, triples)
    flushes = zeros((flush_ranks.size, RANK_SETS), np.uint16)  # 0: not computed yet
    ranks, cards, board = zeros(5, np.int64), zeros(5, np.int64), zeros(5, np.int64)
    times = zeros(5, np.int64)
    with_suit = zeros(5, np.int64)  # ways to deal a rank's cards, one of them of the suit
    without = zeros(5, np.int64)
    found = zeros(10, np.int64)
    undealt = zeros(13, np.int64)
    for rank in range(13):
        for suit in range(4):
            undealt[rank] += free[suit] >> rank & 1
    for i in range(lying.size):
        board[to_come + i] = lying[i]
    for index in range(multisets):
        if index > 0:
            _advance(cards, to_come)
        different = 0
        for i in range(to_come):
            rank = cards[i]
            board[i] = rank
            if i > 0 and rank == cards[i - 1]:
                times[different - 1] += 1
            else:
                ranks[different] = rank
                times[different] = 1
                different += 1
        left = 1
        for i in range(different):
            left *= int(binomials[undealt[ranks[i]], times[i]]) if times[i] <= 4 else 0
        if left == 0:
            continue
        lows = 0
        three = 0
        for i in range(5):
            lows |= low_bits[board[i]]
            one = step[0, board[i]]
            for j in range(i + 1, 5):
                two = step[one, board[j]]
                for k in range(j + 1, 5):
                    found[three] = np.int64(step[two, board[k]]) - THREE_CARDS
                    three += 1
        row = low_rows[lows]
        best, winners = 0, 0
        for player in range(players):
            value = 0
            for i in range(10):
                value = max(value, int(np.int64(triples[player, found[i]])))
            if value > best:
                best = value
                winners = 0
            if value == best:
                winners |= 1 << player
        begin = 0
        for kind in range(suits.size):
            end = ends[kind]
            suit = suits[kind]
            given = on_board[suit]
            open_ranks = 0
            for i in range(different):
                of_suit = free[suit] >> ranks[i] & 1
                open_ranks |= of_suit << i
                without[i] = binomials[undealt[ranks[i]] - of_suit, times[i]]
                with_suit[i] = binomials[undealt[ranks[i]] - of_suit, times[i] - 1]
            missing = 3 - popcount(given)
            subset = open_ranks
            while popcount(open_ranks) >= missing:
                if popcount(subset) >= missing:
                    number = copies[kind]
                    in_suit = given
                    for i in range(different):
                        inside = subset >> i & 1
                        number *= with_suit[i] if inside else without[i]
                        in_suit |= inside << ranks[i]
                    if number > 0:
                        left -= number
                        top, mask = best, winners
                        for holder in range(begin, end):
                            value = int(np.int64(flushes[holder, in_suit]))
                            if value == 0:
                                value = best_flush(flush_ranks[holder], in_suit, flush)
                                flushes[holder, in_suit] = value
                            if value > top:
                                top = value
                                mask = 0
                            if value == top:
                                mask |= 1 << flush_players[holder]
                        counts[row, mask] += number
                if subset == 0:
                    break
                subset = (subset - 1) & open_ranks
            begin = end
        counts[row, winners] += left
