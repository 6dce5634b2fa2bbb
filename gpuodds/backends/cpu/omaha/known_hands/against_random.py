"""Count the hands of Omaha that beat and tie one known hand, over all boards: one random opponent.

A hand ranks at or below r exactly if all its pairs of cards do: so these hands are the cliques of a
graph on the cards left, in which two cards are joined if the pair ranks at or below r. Lows likewise,
and both at once are the cliques of the edges that the two graphs share. Cards of a rank, of the flush
suit or not, have the same neighbours: they are taken together, as many of them as there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.jit import (
    compiled,
    inlined,
    inlined_without_refcounts,
    lowest_bit,
    popcount,
    zeros,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.omaha.shared.pair_ranks import (
    PairRanks,
    low_ranks,
    new_pair_ranks,
    rank_low_pairs,
    rank_plain_pairs,
    rank_suited_pairs,
)
from gpuodds.backends.cpu.shared.board_classes import (
    BOARDS,
    FLUSH_RANKS,
    NO_SUIT,
    RUNOUT,
    SUIT,
    BoardScan,
    board_classes,
    rank_multisets,
)
from gpuodds.backends.cpu.shared.runouts import CHOOSE
from gpuodds.backends.cpu.shared.showdown_sums import hand_category
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.hand_ranks import HandRankTables, hand_rank_tables
from gpuodds.games.shared.rules import BOARD_CARDS

Ints = npt.NDArray[np.int64]
Int16s = npt.NDArray[np.int16]

ANY = 0x7FFF  # a limit above every rank
SUITED = 0x1111111111111  # the first of the four bits of each rank
STACK = 64  # more than cliques ever leave unfinished


class _Graph(NamedTuple):
    """Cards left, four bits a rank, and which of them are joined.

    Without a flush suit the cards of a rank are its lowest bits; with one, its card of the suit is the
    first bit and the others follow. What belongs to such a group stands at its lowest bit.

    Attributes:
        groups: The cards of each group, (52,).
        rows: Their neighbours, the group among them if two of its cards are joined, (52,).
        stack: Scratch, (64, 3).
    """

    groups: Ints
    rows: Ints
    stack: Ints


@compiled
def _count_cliques(cards: int, size: int, graph: _Graph, choose: Ints) -> int:
    """Count the sets of ``size`` cards, two or more, of which each two are joined."""
    groups, rows, stack = graph.groups, graph.rows, graph.stack
    stack[0, 0], stack[0, 1], stack[0, 2] = cards, size, 1
    depth, total = 1, 0
    while depth:
        # Add ``needed`` cards of ``left``, all joined to those that are chosen.
        depth -= 1
        left, needed, ways = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        if needed == 1:
            total += ways * popcount(left)
            continue
        if needed == 2:
            pairs = 0
            while left:
                card = lowest_bit(left)
                group, near = groups[card], rows[card]
                left ^= group
                count = popcount(group)
                pairs += count * popcount(left & near)
                if near & group:
                    pairs += count * (count - 1) >> 1
            total += ways * pairs
            continue
        card = lowest_bit(left)
        group, near = groups[card], rows[card]
        left ^= group
        if popcount(left) >= needed:
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = left, needed, ways
            depth += 1
        most = min(popcount(group), needed) if near & group else 1
        left &= near
        for taken in range(1, most + 1):
            times = ways * choose[popcount(group), taken]
            if taken == needed:
                total += times
            elif left:
                stack[depth, 0], stack[depth, 1], stack[depth, 2] = left, needed - taken, times
                depth += 1
    return total


@inlined
def _join_cards(pairs: PairRanks, high: int, low: int, inside: int, rows: Ints) -> None:
    """Fill the rows of the graph of pairs at or below two limits; ``inside`` are suited cards."""
    for first in range(13):
        near = suited = 0
        for second in range(13):
            if pairs.plain[first, second] <= high and pairs.low[first, second] <= low:
                near |= 15 << 4 * second
                if pairs.suited[first, second] <= high:
                    suited |= 1 << 4 * second
        rows[4 * first + 1] = near
        rows[4 * first] = near & ~inside | suited & inside


@inlined
def _group_cards(left: Ints, suited: int, flush: bool, groups: Ints) -> int:
    """Fill the groups of the cards left by rank, ``suited`` those of the flush suit; return all."""
    cards = 0
    for rank in range(13):
        inside = suited >> rank & 1
        others = (1 << left[rank] - inside) - 1 << 4 * rank + flush
        groups[4 * rank + 1] = others
        groups[4 * rank] = inside << 4 * rank if flush else others
        cards |= groups[4 * rank] | others
    return cards


@inlined
def _best_pair(hand: Ints, table: Int16s) -> int:
    """Return the best entry of a table of pairs over all pairs of a hand."""
    best = 0
    for i in range(hand.size):
        for j in range(i):
            best = max(best, int(table[hand[i] >> 2, hand[j] >> 2]))
    return best


@inlined
def _best_flush(hand: Ints, suit: int, table: Int16s) -> int:
    """Return the rank of a hand's best flush of a suit, 0 for none."""
    best = 0
    for i in range(hand.size):
        for j in range(i):
            if hand[i] & 3 == suit and hand[j] & 3 == suit:
                best = max(best, int(table[hand[i] >> 2, hand[j] >> 2]))
    return best


@inlined_without_refcounts
def _fill_board(
    undealt: Ints, board_masks: Ints, runout_ranks: Ints, index: int, board: Ints, left: Ints
) -> int:
    """Return the ranks of a full board, a mask; fill its five ranks and the cards left by rank."""
    ranks = at = 0
    for rank in range(13):
        left[rank] = count = 0
        for suit in range(4):
            left[rank] += undealt[suit] >> rank & 1
            count += board_masks[suit] >> rank & 1
        for i in range(runout_ranks.shape[1]):
            comes = runout_ranks[index, i] == rank
            left[rank] -= comes
            count += comes
        for _ in range(count):
            board[at] = rank
            ranks |= 1 << rank
            at += 1
    return ranks


@inlined_without_refcounts
def _between(counts: Ints, i: int, j: int) -> np.int64:
    """Return the hands between two limits of highs and lows from those up to each limit.

    By inclusion and exclusion: those up to both limits, less those up to the limit before in either,
    and those up to the limit before in both, which were taken off twice.
    """
    hands: np.int64 = counts[i, j]
    if i > 0:
        hands -= counts[i - 1, j]
    if j > 0:
        hands -= counts[i, j - 1]
    if i > 0 and j > 0:
        hands += counts[i - 1, j - 1]
    return hands


@compiled
def add_classes(
    hand: Ints, scan: BoardScan, classes: Ints, rows: Ints, low: bool, tables: HandRankTables,
    low_of: Int16s, choose: Ints, pairs: PairRanks, sums: Ints,
) -> None:  # fmt: skip
    """Add the deals of classes of boards to ``sums``, each class at its row in ``rows``.

    ``sums`` is (n, 9, 3, 4), by the category of the hand's high, or (n, 1, 3, 4).
    """
    size = hand.size
    graph = _Graph(zeros(52, np.int64), zeros(52, np.int64), zeros((STACK, 3), np.int64))
    board, left = zeros(5, np.int64), zeros(13, np.int64)
    counts = zeros((3, 3), np.int64)  # hands by limit: below, at or below, all; high and low
    last_index = -1
    plain = own_low = 0
    lows = False
    for number in range(classes.shape[1]):
        index, suit = int(classes[RUNOUT, number]), int(classes[SUIT, number])
        suited, boards = int(classes[FLUSH_RANKS, number]), classes[BOARDS, number]
        if index != last_index:
            last_index = index
            ranks = _fill_board(scan.undealt, scan.board, scan.runout_ranks, index, board, left)
            rank_plain_pairs(board, tables, pairs.plain)
            plain = _best_pair(hand, pairs.plain)
            lows = low and rank_low_pairs(ranks, low_of, pairs.low)
            own_low = _best_pair(hand, pairs.low) if lows else 0
        best, inside = plain, 0
        if suit != NO_SUIT:
            rank_suited_pairs(suited, tables, pairs.suited)
            best = max(best, _best_flush(hand, suit, pairs.suited))
            inside = SUITED
        category = hand_category(best, tables.category_ends) if sums.shape[1] > 1 else 0
        in_suit = scan.undealt[suit] & ~suited if suit != NO_SUIT else 0
        cards = _group_cards(left, in_suit, suit != NO_SUIT, graph.groups)
        for i in range(3):
            high_limit = best - 1 + i if i < 2 else ANY
            for j in range(3):
                low_limit = own_low - 1 + j if j < 2 else ANY
                if j < 2 and (not lows or low_limit < 0):
                    counts[i, j] = 0
                    continue
                _join_cards(pairs, high_limit, low_limit, inside, graph.rows)
                counts[i, j] = _count_cliques(cards, size, graph, choose)
        for i in range(3):
            for j in range(3):
                deals = _between(counts, i, j)
                # Without a low of the hero, all hands at its limit have none.
                column = j + 1
                if not lows or (own_low == 0 and j == 1):
                    column = 0
                sums[rows[number], category, i, column] += boards * deals


def count_against_random(
    hand: Sequence[int], board: Sequence[int] = (), dead: Sequence[int] = (), low: bool = False,
    progress: Progress | None = None,
) -> Ints:  # fmt: skip
    """Count how a hand fares against one random hand, over all full boards.

    Args:
        hand: Its 4, 5 or 6 card numbers; the opponent gets as many cards.
        board: 0 to 5 card numbers.
        dead: Card numbers out of play.
        low: Whether the game has a low.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        Shape (9, 3, 4), int64: full boards x opponent's hands, for each category of the hand's high.
        Rows: the hand wins the high, ties, loses. Columns: no player has a low (all deals, if the game
        has none), the hand alone wins the low, both split it, the opponent alone wins it. With six
        cards all deals are 6 x 10^12, so they fit.
    """
    known = {*hand, *board, *dead}
    tables, cards = hand_rank_tables(), np.array(hand, np.int64)
    scan = scan_boards(board, known, hand)
    parts: list[Ints] = []

    def count_runouts(begin: int, end: int) -> None:
        sums = np.zeros((1, len(CATEGORIES), 3, 4), np.int64)
        classes = board_classes(scan, begin, end, tables)
        rows, pairs = np.zeros(classes.shape[1], np.int64), new_pair_ranks()
        add_classes(cards, scan, classes, rows, low, tables, low_ranks(), CHOOSE, pairs, sums)
        parts.append(sums[0])

    with thread_pool(thread_count(), progress) as run:
        run(count_runouts, len(scan.runout_ranks))
    total: Ints = np.sum(parts, axis=0)
    return total


def scan_boards(board: Sequence[int], known: set[int], hand: Sequence[int]) -> BoardScan:
    """Return the spot for the loops over boards; suits that the known cards do not tell apart once."""
    undealt = [0x1FFF & ~mask for mask in ranks_by_suit(known)]
    board_masks, hand_masks = ranks_by_suit(board), ranks_by_suit(hand)
    kinds: dict[tuple[int, ...], list[int]] = {}
    for suit in range(4):
        kinds.setdefault((undealt[suit], board_masks[suit], hand_masks[suit]), []).append(suit)
    # BoardScan holds hands of two cards: it gets none here.
    return BoardScan(
        np.array(undealt, np.int64),
        np.array(board_masks, np.int64),
        np.zeros((0, 4), np.int64),
        np.zeros((0, 2), np.int64),
        rank_multisets(BOARD_CARDS - len(board)),
        np.array([suits[0] for suits in kinds.values()], np.int64),
        np.array([len(suits) for suits in kinds.values()], np.int64),
    )


def ranks_by_suit(cards: Iterable[int]) -> list[int]:
    """Return the ranks of some cards in each suit, as sets."""
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return masks
