"""Matchings of the threat graphs of spots of known hands, on every core.

Spots of two known hands alone, and of one or two random opponents, need no solved graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, part_of
from gpuodds.backends.cpu.compile.threads import Run, thread_count, thread_pool
from gpuodds.backends.cpu.known_hands import hands_together
from gpuodds.backends.cpu.known_hands.accumulator import Accumulator
from gpuodds.backends.cpu.known_hands.closed_form import count_pairs
from gpuodds.backends.cpu.known_hands.one_opponent import count_one_opponent
from gpuodds.backends.cpu.known_hands.threat_graphs.graph_cases import WINNER_BITS
from gpuodds.backends.cpu.shared.board_classes import (
    BoardScan,
    board_classes,
    rank_multisets,
)
from gpuodds.backends.cpu.shared.intern_table import new_intern_table
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.holdem.multiway import MatchingCounts
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.spots.spot import Spot

UInt8s = npt.NDArray[np.uint8]

PIECES = 2  # of runouts for each thread: each piece finds the flushes that beat a hand anew
SMALL = 200  # runouts that are not worth starting threads for
CLOSED_FORM = 2  # edges whose matchings need no solved graph


def board_scan(spot: Spot) -> BoardScan:
    """Put a spot in the form that the loops over boards take."""
    ranks = as_holdem(spot.game).hand_rank_tables.ranks
    return _scan(spot.known_hands, spot.board, spot.known, ranks)


def _scan(
    hands: Sequence[Sequence[int]], board: Sequence[int], known: Iterable[int], ranks: int
) -> BoardScan:
    by_suit = np.array([_suit_masks(hand) for hand in hands], np.int64)
    on_board = _suit_masks(board)
    undealt = [0x1FFF & ~mask for mask in _suit_masks(known)]
    kinds: dict[tuple[object, ...], list[int]] = {}
    for suit in range(4):
        if on_board[suit].bit_count() + BOARD_CARDS - len(board) >= 3:
            kind = (undealt[suit], on_board[suit], *by_suit[:, suit].tolist())
            kinds.setdefault(kind, []).append(suit)
    return BoardScan(
        np.array(undealt, np.int64),
        np.array(on_board, np.int64),
        by_suit,
        np.array(hands, np.int64) >> 2,
        rank_multisets(BOARD_CARDS - len(board), ranks),
        np.array([suits[0] for suits in kinds.values()], np.int64),
        np.array([len(suits) for suits in kinds.values()], np.int64),
    )


def _suit_masks(cards: Iterable[int]) -> list[int]:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card & 3] |= 1 << (card >> 2)
    return masks


def matching_counts(
    spots: Sequence[Spot], most: int, progress: Progress | None
) -> list[dict[int, MatchingCounts]]:
    """Sum matchings: see the operation."""
    if len(spots) > 1 and most > CLOSED_FORM:
        return _count_together(spots, most, progress)
    return [_matching_counts(spot, most, progress) for spot in spots]


def _matching_counts(spot: Spot, most: int, progress: Progress | None) -> dict[int, MatchingCounts]:
    if most == 0:
        return _count_winners(spot)
    scan = board_scan(spot)
    runouts = len(scan.runout_ranks)
    threads = 1 if runouts < SMALL and most <= CLOSED_FORM else thread_count()
    if most == 1 and len(scan.hands) == 1:
        with thread_pool(threads, parts=PIECES * threads) as run:
            return _count_one_opponent(spot, scan, run)
    with thread_pool(threads) as run:
        if most <= CLOSED_FORM:
            return _count_pairs(spot, scan, run)
        accumulator = _gather(spot, scan, run)
    with thread_pool(threads, progress) as run:
        return accumulator.matching_counts(most, run)


def _count_together(
    spots: Sequence[Spot], most: int, progress: Progress | None
) -> list[dict[int, MatchingCounts]]:
    # All boards first, so that a graph is solved once, whichever spots it comes from.
    parts: list[Accumulator] = []

    def gather(begin: int, end: int) -> None:
        part = Accumulator()
        for label in range(begin, end):
            scan = board_scan(spots[label])
            tables = as_holdem(spots[label].game).hand_rank_tables
            part.add_boards(scan, 0, len(scan.runout_ranks), spots[label].undealt, tables, label)
        parts.append(part)

    with thread_pool(thread_count(), part_of(progress, 0, 0.5)) as run:
        run(gather, len(spots))
    accumulator = parts.pop()
    while parts:
        accumulator.add_all(parts.pop())
    with thread_pool(thread_count(), part_of(progress, 0.5, 0.5)) as run:
        sums = accumulator.matching_counts(most, run)
    answers: list[dict[int, MatchingCounts]] = [{} for _ in spots]
    for group, counts in sums.items():
        answers[group >> WINNER_BITS][group & (1 << WINNER_BITS) - 1] = counts
    return answers


def _count_winners(spot: Spot) -> dict[int, MatchingCounts]:
    # One thread does it in less time than it takes to wake others.
    by_winners = hands_together.count_spot(
        spot.known_hands, spot.board, spot.dead, as_holdem(spot.game)
    )
    return {mask: {(spot.undealt, 0, 0): boards} for mask, boards in by_winners.items()}


def _count_one_opponent(spot: Spot, scan: BoardScan, run: Run) -> dict[int, MatchingCounts]:
    parts, tables = [], as_holdem(spot.game).hand_rank_tables

    def count_runouts(begin: int, end: int) -> None:
        parts.append(count_one_opponent(scan, begin, end, tables))

    run(count_runouts, len(scan.runout_ranks))
    boards, beats, ties = (sum(sums) for sums in zip(*parts, strict=True))
    deck = spot.undealt
    return {1: {(deck, 0, 0): boards, (deck, 1, 0): beats, (deck, 1, 1): ties}}


def _count_pairs(spot: Spot, scan: BoardScan, run: Run) -> dict[int, MatchingCounts]:
    tables = as_holdem(spot.game).hand_rank_tables
    deck = spot.undealt
    keys = [(deck, 0, 0), (deck, 1, 0), (deck, 1, 1), (deck, 2, 0), (deck, 2, 1), (deck, 2, 2)]
    parts = []

    def count_runouts(begin: int, end: int) -> None:
        classes = board_classes(scan, begin, end, tables)
        entries = min(classes.shape[1], 1 << len(spot.known_hands))
        winners = new_intern_table(entries, entries)
        sums = np.zeros((entries, len(keys)), np.int64)
        count_pairs(scan, classes, tables, winners, sums)
        parts.append((winners.words[: winners.used[0]].tolist(), sums.tolist()))

    run(count_runouts, len(scan.runout_ranks))
    totals: dict[int, dict[tuple[int, int, int], int]] = {}
    for masks, rows in parts:
        for mask, row in zip(masks, rows, strict=False):
            total = totals.setdefault(mask, dict.fromkeys(keys, 0))
            for key, value in zip(keys, row, strict=True):
                total[key] += value
    return dict(totals)


def _gather(spot: Spot, scan: BoardScan, run: Run) -> Accumulator:
    parts = []

    def gather(begin: int, end: int) -> None:
        part = Accumulator()
        part.add_boards(scan, begin, end, spot.undealt, as_holdem(spot.game).hand_rank_tables)
        parts.append(part)

    run(gather, len(scan.runout_ranks))
    accumulator = parts[0]
    for part in parts[1:]:
        accumulator.add_all(part)
    return accumulator
