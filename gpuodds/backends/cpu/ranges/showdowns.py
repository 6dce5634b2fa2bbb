"""Ranges against ranges: count the deals that each combo wins or splits, without listing deals.

Fix a full board and a combo h of one player, the *hero*, of rank r. Each other player holds one of his
combos of lower rank (L) or of equal rank (E), all disjoint from h and from each other. With one other
player these are sums of weights (:mod:`gpuodds.backends.cpu.ranges.two_players`). With two, inclusion
and exclusion over the cards that their combos could share costs a loop over 52 cards instead of one
over pairs of combos (:mod:`gpuodds.backends.cpu.ranges.multiway_weighted`), or where all weights are 0
or 1 a few look-ups (:mod:`gpuodds.backends.cpu.ranges.multiway_exact`). With three to five, two or
three of them are counted like that and the combos of the others listed
(:mod:`gpuodds.backends.cpu.ranges.three_opponents`). A player who has folded is one whose combos are
all in L.

Weighted sums, and those of two players on a board, are float64: with weights 0 and 1 these are integers
below 2**53, so nothing is rounded; over boards they are added as int64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, wanted_sets
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.ranges.multiway_exact import arrange_matchups, count_multiway_exact
from gpuodds.backends.cpu.ranges.multiway_folded import arrange_folded, count_multiway_folded
from gpuodds.backends.cpu.ranges.multiway_weighted import arrange_heroes, count_multiway_weighted
from gpuodds.backends.cpu.ranges.three_opponents.count import count_against_three
from gpuodds.backends.cpu.ranges.three_opponents.matchups import arrange_matchups as arrange_several
from gpuodds.backends.cpu.ranges.two_and_random import count_two_and_random, find_alike
from gpuodds.backends.cpu.ranges.two_players import count_two
from gpuodds.backends.cpu.shared.showdown_sums import MAX_PIECES, Totals, count_pieces, new_sums
from gpuodds.backends.showdown_costs import (
    MAX_PARTS,
    board_seconds,
    is_by_three,
    parts_of_a_board,
    sizes_of,
)
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

MIN_PIECE, MIN_PIECE_OF_THREE, MIN_FOLDED_PIECE = 100_000, 20_000, 10_000  # boards x combos
MAX_RANGES = 6
SECONDS_OF_PIECE = 2e-3  # at least, of more than three players


class _Engine(NamedTuple):
    # What counts a piece of the boards: ``count``, compiled, takes ``matchups``, its own arrangement of
    # the players. ``combos`` (m,) are the combos that it goes through, ``pairs`` (m, 2) their cards,
    # ``ranges`` (players, m) the weights; those who have folded are the last. The boards are cut into
    # ``pieces`` and the heroes' combos on each into ``parts``, if the engine has any.
    count: Any
    matchups: Any
    combos: Ints
    pairs: Ints
    ranges: Floats
    pieces: int
    parts: int


def count_showdowns(
    weights: Floats,
    folded: Floats,
    boards: UInt8s,
    times: Ints,
    heroes: Sequence[int],
    tables: HandRankTables,
    progress: Progress | None = None,
    by_category: bool = False,
    by_combo: bool = True,
) -> tuple[Any, Any]:
    """Count the deals that each combo of some players wins or splits, by who splits.

    Args:
        weights: (players, 1326) float64, the weight of each combo in each player's range.
        folded: (folded players, 1326) float64, theirs; there may be none.
        boards: (n, 5) uint8 full boards, or (1, 0): no board, on which all tie.
        times: (n,) int64, how often each board counts.
        heroes: The players whose combos are counted.
        tables: The game's hand ranks.
        progress: Called with the fraction done, 0 to 1.
        by_category: Whether to count by the category of the hero's hand, too.
        by_combo: Whether each hero's counts are wanted for every mask, or only for those without the
            heroes before him.

    Returns:
        Counts (heroes, 1326, masks), int64 if all weights are 0 or 1, else float64: deals of the other
        players for a combo, by the mask of the others who share the best hand with it. Second, if
        ``by_category``, float64 (heroes, 9, masks + 1): deals by category and mask, weighted by the
        hero's weights too, and all deals in the last column; otherwise no entries.
    """
    players = len(weights) + len(folded)
    if not 2 <= players <= MAX_RANGES:
        raise ValueError(f"{players} ranges: 2 to {MAX_RANGES} are counted")
    if len(weights) == 2 and not len(folded) and list(heroes) != [0, 1]:
        given = weights, folded, boards, times, [0, 1], tables, progress, by_category, by_combo
        counted, made = count_showdowns(*given)
        return counted[list(heroes)], made[list(heroes)] if by_category else made
    integers = all(bool(((rows == 0.0) | (rows == 1.0)).all()) for rows in (weights, folded))
    if integers and players > 3:
        _check_bound(weights, folded, times)
    wanted = wanted_sets(len(weights), heroes, by_combo or by_category)
    engine = _choose_engine(weights, folded, boards, heroes, integers, wanted, by_category)
    combos, masks, parts = len(engine.combos), 1 << len(weights) - 1, engine.parts
    pieces = engine.pieces
    alike = None
    if len(engine.ranges) == len(weights) == 3 and integers and not by_category:
        alike = find_alike(engine.ranges, engine.pairs, boards, times, heroes)
    if alike is not None:
        pieces = count_pieces(len(boards), combos, MIN_PIECE)  # each begins with sums of its own
        boards, times = boards[~alike.which], times[~alike.which]
    totals = Totals(integers)

    def work(begin: int, end: int) -> None:
        for number in range(begin, end):
            piece, part = divmod(number, parts)
            sums = new_sums(len(heroes), combos, masks, integers, by_category, tables.category_ends)
            first, last = (len(boards) * (piece + more) // pieces for more in range(2))
            of_piece = boards, times, first, last, engine.pairs, tables, engine.matchups, sums
            engine.count(*of_piece, *((part, parts) if parts > 1 else ()))
            if alike is not None:
                count_two_and_random(alike, piece, pieces, tables, sums.exact)
            totals.add(number, sums)

    # The pieces do not depend on the number of threads: so neither does how sums are rounded.
    count = pieces * parts
    with thread_pool(thread_count() if count > 1 else 1, progress, count) as run:
        run(work, count)
    whole = np.zeros((len(heroes), COMBOS, masks), totals.counted.dtype)
    whole[:, engine.combos] = totals.counted
    if not wanted.all():
        whole *= wanted[:, None, :]
    return whole, totals.made


def _check_bound(weights: Floats, folded: Floats, times: Ints) -> None:
    """Check that no sum of deals passes 63 bits: of the widest opponents on all boards."""
    sizes = sorted(int(np.count_nonzero(row)) for rows in (weights, folded) for row in rows)
    if prod(sizes[1:]) * int(times.sum()) >= 1 << 63:
        raise OverflowError("the ranges are too wide: counts could pass 63 bits")


def _choose_engine(
    weights: Floats,
    folded: Floats,
    boards: UInt8s,
    heroes: Sequence[int],
    integers: bool,
    wanted: Bools,
    by_category: bool,
) -> _Engine:
    """Choose what counts the players, and arrange them for it."""
    several = len(weights) + len(folded) > 3
    # Where those who have folded are counted like others, their combos are sorted with the others.
    sorted_rows = np.concatenate([weights, folded]) if integers or several else weights
    combos = np.flatnonzero(sorted_rows.any(axis=0))
    pairs = combo_cards()[combos].astype(np.int64)
    ranges = np.ascontiguousarray(sorted_rows[:, combos])
    arguments = combos, pairs, ranges
    if several:
        sizes = sizes_of(weights, folded, heroes, by_category, bool(wanted.all()))
        matchups = arrange_several(ranges, pairs, heroes, len(weights), wanted, is_by_three(sizes))
        seconds = len(boards) * board_seconds(sizes)
        pieces = max(1, min(int(seconds / SECONDS_OF_PIECE), len(boards), MAX_PIECES))
        parts = parts_of_a_board(sizes) if len(boards) < MAX_PARTS else 1
        return _Engine(count_against_three, matchups, *arguments, pieces, parts)
    least = MIN_PIECE if len(ranges) == 2 else MIN_PIECE_OF_THREE
    if len(folded) and not integers:
        against = arrange_folded(weights, folded, heroes, combos)
        pieces = count_pieces(len(boards), len(combos), MIN_FOLDED_PIECE)
        return _Engine(count_multiway_folded, against, *arguments, pieces, 1)
    pieces = count_pieces(len(boards), len(combos), least)
    if len(ranges) == 2:
        return _Engine(count_two, ranges, *arguments, pieces, 1)
    if integers:
        matched = arrange_matchups(ranges, pairs, heroes, len(weights))
        return _Engine(count_multiway_exact, matched, *arguments, pieces, 1)
    arranged = arrange_heroes(ranges, pairs, heroes)
    return _Engine(count_multiway_weighted, arranged, *arguments, pieces, 1)
