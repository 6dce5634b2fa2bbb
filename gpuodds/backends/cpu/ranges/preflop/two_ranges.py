"""Two ranges before the flop: sums, over pairs of hands, of boards counted by types of hands.

All hands of a type meet as many boards (:mod:`gpuodds.backends.cpu.ranges.preflop.type_pairs`), so
ranges of any width need at most 91 x 91 rank classes and 338 x 338 types. A pair of hands is looked up
once by rank and once in each suit.

Sums over hands are float64. With weights 0 and 1 they are integers below 1326 x 1225 x C(48, 5), less
than 2**42, so nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from threading import get_ident
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, ShowdownCounts, part_of
from gpuodds.backends.cpu.compile.jit import compiled
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.ranges.preflop.hand_types import (
    Hands,
    hand_types,
    rank_boards,
    rank_classes,
    suited_boards,
    types_of_combos,
)
from gpuodds.backends.cpu.ranges.preflop.type_pairs import (
    PairSums,
    add_rank_boards,
    add_suited_boards,
    new_pair_sums,
)
from gpuodds.games.shared.combos import COMBOS, combo_cards, suit_relabellings
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.hand_ranks import hand_rank_tables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]
UInt8s = npt.NDArray[np.uint8]

BOARDS = comb(48, 5)  # that two hands leave over
PIECES = 64


class RangeCombos(NamedTuple):
    """Combos of a range.

    Attributes:
        weights: Shape (n,), float64.
        cards: Shape (n,), int64: a bit for each card.
        classes: Shape (n,), int64: each combo's place among the range's rank classes.
        types: Shape (4, n), int64: each combo's place among the range's types, by suit.
    """

    weights: Floats
    cards: Ints
    classes: Ints
    types: Ints


class Range(NamedTuple):
    """A range.

    Attributes:
        combos: Shape (n,), int64: the combos in the range.
        held: These combos.
        counted: Some of them, which have the weights of all that are counted alike.
        alike: Shape (n,), int64: the place in ``counted`` of the one that is counted alike.
        class_ranks: Shape (any, 2), uint8: the ranks of the rank classes.
        types: Shape (any,), int64: the types of hands in any suit, ascending.
        hands: These types.
    """

    combos: Ints
    held: RangeCombos
    counted: RangeCombos
    alike: Ints
    class_ranks: UInt8s
    types: Ints
    hands: Hands


class PairTables(NamedTuple):
    """The boards of pairs of hands: by rank classes, and what each suit adds by types of hands."""

    by_rank: PairSums
    by_suit: PairSums


def count_preflop(
    weights: Floats, made_hands: Sequence[int], progress: Progress | None
) -> ShowdownCounts:
    """Count two ranges before the flop: see ``TwoRangesPreflop``."""
    kept = bool((weights == weights[:, _like()]).all())  # by every renaming of the suits
    ranges = [_read_range(row, kept) for row in weights]
    alike = np.array_equal(ranges[0].types, ranges[1].types)
    fewest = min(range(2), key=lambda player: len(ranges[player].types))  # few rows cost least
    first = [*made_hands, fewest][0]
    passes = 2 if len(made_hands) == 2 and not alike else 1
    rows, columns = ranges[first], ranges[1 - first]
    tables = _count_pairs(rows, columns, len(made_hands) > 0, part_of(progress, 0.0, 1 / passes))
    counts = np.zeros((2, COMBOS, 2))
    counts[first, rows.combos] = _sum_rows(rows, columns, *_results(tables))
    counts[1 - first, columns.combos] = _sum_rows(columns, rows, *_reversed(*_results(tables)))
    by_category = [_sum_categories(rows, columns, tables)] if made_hands else []
    if len(made_hands) == 2:
        if passes == 2:
            tables = _count_pairs(columns, rows, True, part_of(progress, 0.5, 0.5))
        by_category.append(_sum_categories(columns, rows, tables))
    integers = bool(((weights == 0.0) | (weights == 1.0)).all())
    made = np.stack(by_category) if by_category else None
    return ShowdownCounts(counts.astype(np.int64) if integers else counts, made)


@lru_cache
def _like() -> Ints:
    """Return the least combo of each combo's starting hand, shape (1326,)."""
    orders: Ints = suit_relabellings().min(axis=0)
    return orders


def _read_range(weights: Floats, kept: bool) -> Range:
    combos = np.flatnonzero(weights)
    classes, types = types_of_combos()
    class_numbers, class_places = np.unique(classes[combos], return_inverse=True)
    type_numbers, type_places = np.unique(types[:, combos], return_inverse=True)
    type_places = type_places.reshape(-1, len(combos))
    cards = (np.int64(1) << combo_cards()[combos].astype(np.int64)).sum(axis=1)
    held = RangeCombos(weights[combos], cards, class_places, type_places)
    counted, alike = held, np.arange(len(combos))
    if kept:
        _, chosen, alike, sizes = np.unique(
            _like()[combos], return_index=True, return_inverse=True, return_counts=True
        )
        counted = RangeCombos(
            held.weights[chosen] * sizes,
            cards[chosen],
            class_places[chosen],
            np.ascontiguousarray(type_places[:, chosen]),
        )
    class_ranks, hands = rank_classes()[class_numbers], hand_types().take(type_numbers)
    return Range(combos, held, counted, alike, class_ranks, type_numbers, hands)


def _count_pairs(
    rows: Range, columns: Range, by_category: bool, progress: Progress | None
) -> PairTables:
    categories = len(CATEGORIES) if by_category else 1
    same = not by_category and np.array_equal(rows.types, columns.types)
    by_rank, by_suit, tables = rank_boards(), suited_boards(), hand_rank_tables()
    plain, suited = len(by_rank.ranks), len(by_suit.kind)
    parts: dict[int, PairTables] = {}  # one for each thread: integers may be added in any order

    def work(begin: int, end: int) -> None:
        if get_ident() not in parts:
            parts[get_ident()] = PairTables(
                new_pair_sums(categories, len(rows.class_ranks), len(columns.class_ranks)),
                new_pair_sums(categories, len(rows.types), len(columns.types)),
            )
        sums = parts[get_ident()]
        first, last = min(begin, plain), min(end, plain)
        add_rank_boards(
            first, last, by_rank, rows.class_ranks, columns.class_ranks, tables, sums.by_rank
        )
        first, last = max(begin - plain, 0), max(end - plain, 0)
        add_suited_boards(first, last, by_suit, rows.hands, columns.hands, same, tables, sums.by_suit)

    with thread_pool(thread_count(), progress, PIECES) as run:
        run(work, plain + suited)
    total, *other_parts = parts.values()
    for other in other_parts:
        for table, more in zip(total, other, strict=True):
            for sums, added in zip(table, more, strict=True):
                sums += added
    if same:
        _mirror(total.by_suit)
    return total


def _mirror(sums: PairSums) -> None:
    """Fill the columns before each row: the pair the other way round."""
    wins, ties = sums.wins[0], sums.ties[0]
    before = np.tril_indices(len(wins), -1)
    ties[before] = ties.T[before]
    wins[before] = -wins.T[before] - ties[before]


def _results(tables: PairTables) -> tuple[Int32s, Int32s]:
    """Return wins and ties over all categories, (rows, columns, 2): by rank, and what a suit adds."""
    by_rank, by_suit = (
        np.stack([table.wins.sum(axis=0), table.ties.sum(axis=0)], axis=2, dtype=np.int32)
        for table in tables
    )
    return by_rank, by_suit


def _reversed(by_rank: Int32s, by_suit: Int32s) -> tuple[Int32s, Int32s]:
    """Turn the rows' results into the columns'.

    Flushes turn results into others, so what a suit adds to wins, ties and losses is 0 in all.
    """
    turned = []
    for results, boards in ((by_rank, BOARDS), (by_suit, 0)):
        wins, ties = results[:, :, 0].T, results[:, :, 1].T
        turned.append(np.ascontiguousarray(np.stack([boards - wins - ties, ties], axis=2), np.int32))
    return turned[0], turned[1]


def _sum_rows(rows: Range, columns: Range, by_rank: Int32s, by_suit: Int32s) -> Floats:
    """Return the boards that each combo of ``rows`` wins and ties against ``columns``, shape (n, 2)."""
    counts = np.zeros((len(rows.counted.weights), 2))
    _add_pairs(rows.counted, columns.held, by_rank, by_suit, counts)
    return counts[rows.alike]


@compiled
def _add_pairs(
    rows: RangeCombos, columns: RangeCombos, by_rank: Int32s, by_suit: Int32s, counts: Floats
) -> None:
    for row in range(len(rows.weights)):
        for column in range(len(columns.weights)):
            if rows.cards[row] & columns.cards[column]:
                continue
            pair_sums = by_rank[rows.classes[row], columns.classes[column]]
            wins, ties = np.int64(pair_sums[0]), np.int64(pair_sums[1])
            for suit in range(4):
                pair_sums = by_suit[rows.types[suit, row], columns.types[suit, column]]
                wins += pair_sums[0]
                ties += pair_sums[1]
            counts[row, 0] += columns.weights[column] * wins
            counts[row, 1] += columns.weights[column] * ties


@compiled
def _add_weights(rows: RangeCombos, columns: RangeCombos, by_class: Floats, by_type: Floats) -> None:
    """Add the weights of pairs of combos, by rank classes, and in each suit by types."""
    for row in range(len(rows.weights)):
        for column in range(len(columns.weights)):
            if rows.cards[row] & columns.cards[column]:
                continue
            weight = rows.weights[row] * columns.weights[column]
            by_class[rows.classes[row], columns.classes[column]] += weight
            for suit in range(4):
                by_type[rows.types[suit, row], columns.types[suit, column]] += weight


def _sum_categories(rows: Range, columns: Range, tables: PairTables) -> Floats:
    """Return the wins, ties and boards of the rows' hands by category, shape (9, 3)."""
    by_class, by_type = (np.zeros(table.wins.shape[1:]) for table in tables)
    _add_weights(rows.counted, columns.held, by_class, by_type)
    sums = np.zeros((len(CATEGORIES), 3))
    for table, weights in zip(tables, (by_class, by_type), strict=True):
        for place, boards in enumerate(table):
            sums[:, place] += (boards * weights).sum(axis=(1, 2))
    return sums
