"""Ranges against ranges: count the deals that each combo wins or splits, without listing deals.

Fix a full board and a combo h of one player, the *hero*, of rank r. Each other player holds one of his
combos of lower rank (L) or of equal rank (E), all disjoint from h and from each other. With one other
player these are sums of weights (:mod:`gpuodds.backends.cpu.ranges.two_players`). With two, inclusion
and exclusion over the cards that their combos could share costs a loop over 52 cards instead of one
over pairs of combos (:mod:`gpuodds.backends.cpu.ranges.multiway_weighted`), or where all weights are 0
or 1 a few look-ups (:mod:`gpuodds.backends.cpu.ranges.multiway_exact`); with more, all but the two
widest ranges are listed. A player who has folded is one whose combos are all in L.

Weighted sums, and those of two players on a board, are float64: with weights 0 and 1 these are integers
below 2**53, so nothing is rounded; over boards they are added as int64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.ranges.multiway_exact import arrange_matchups, count_multiway_exact
from gpuodds.backends.cpu.ranges.multiway_folded import arrange_folded, count_multiway_folded
from gpuodds.backends.cpu.ranges.multiway_weighted import arrange_heroes, count_multiway_weighted
from gpuodds.backends.cpu.ranges.two_and_random import count_two_and_random, find_alike
from gpuodds.backends.cpu.ranges.two_players import count_two
from gpuodds.backends.cpu.shared.showdown_sums import Totals, count_pieces, new_sums
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

MIN_PIECE, MIN_FOLDED_PIECE = 100_000, 20_000  # boards x combos
WEIGHTED = 10  # times as long, if opponents are listed


class _Engine(NamedTuple):
    # What counts a piece of the boards: ``count``, compiled, takes ``matchups``, its own arrangement of
    # the players. ``combos`` (m,) are the combos that it goes through, ``pairs`` (m, 2) their cards,
    # ``ranges`` (players, m) the weights; those who have folded are the last. A piece is at least
    # ``min_piece`` boards x combos, less if many combinations of opponents are ``listed`` for a hero.
    count: Any
    matchups: Any
    combos: Ints
    pairs: Ints
    ranges: Floats
    min_piece: int
    listed: int


def count_showdowns(
    weights: Floats,
    folded: Floats,
    boards: UInt8s,
    times: Ints,
    heroes: Sequence[int],
    tables: HandRankTables,
    progress: Progress | None = None,
    by_category: bool = False,
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

    Returns:
        Counts (heroes, 1326, masks), int64 if all weights are 0 or 1, else float64: deals of the other
        players for a combo, by the mask of the others who share the best hand with it. Second, if
        ``by_category``, float64 (heroes, 9, masks + 1): deals by category and mask, weighted by the
        hero's weights too, and all deals in the last column; otherwise no entries.
    """
    integers = all(bool(((rows == 0.0) | (rows == 1.0)).all()) for rows in (weights, folded))
    engine = _choose_engine(weights, folded, heroes, integers)
    combos, masks = len(engine.combos), 1 << len(weights) - 1
    pieces = count_pieces(len(boards), combos, engine.min_piece, engine.listed)
    alike = None
    if len(engine.ranges) == len(weights) == 3 and integers and not by_category:
        alike = find_alike(engine.ranges, engine.pairs, boards, times, heroes)
    if alike is not None:
        boards, times = boards[~alike.which], times[~alike.which]
    totals = Totals(integers)

    def work(begin: int, end: int) -> None:
        for piece in range(begin, end):
            sums = new_sums(len(heroes), combos, masks, integers, by_category, tables.category_ends)
            first, last = (len(boards) * (piece + more) // pieces for more in range(2))
            engine.count(boards, times, first, last, engine.pairs, tables, engine.matchups, sums)
            if alike is not None:
                count_two_and_random(alike, piece, pieces, tables, sums.exact)
            totals.add(piece, sums)

    # The pieces do not depend on the number of threads: so neither does how sums are rounded.
    with thread_pool(thread_count() if pieces > 1 else 1, progress, pieces) as run:
        run(work, pieces)
    whole = np.zeros((len(heroes), COMBOS, masks), totals.counted.dtype)
    whole[:, engine.combos] = totals.counted
    return whole, totals.made


def _choose_engine(weights: Floats, folded: Floats, heroes: Sequence[int], integers: bool) -> _Engine:
    """Choose what counts the players, and arrange them for it."""
    # Where integers are counted, folded players' combos are sorted with the others; else they are not.
    sorted_rows = np.concatenate([weights, folded]) if integers else weights
    combos = np.flatnonzero(sorted_rows.any(axis=0))
    pairs = combo_cards()[combos].astype(np.int64)
    ranges = np.ascontiguousarray(sorted_rows[:, combos])
    arguments = combos, pairs, ranges
    if len(folded) and not integers:
        against = arrange_folded(weights, folded, heroes, combos)
        listed = sum(
            prod(int(np.count_nonzero(row)) // 2 for row in matchup.listed) for matchup in against
        )
        return _Engine(count_multiway_folded, against, *arguments, MIN_FOLDED_PIECE, listed)
    # All opponents of a hero but the two with the widest ranges are listed.
    listed = prod(sorted(np.count_nonzero(ranges, axis=1).tolist())[1:-2])
    if len(ranges) == 2 and list(heroes) == [0, 1]:
        return _Engine(count_two, ranges, *arguments, MIN_PIECE, listed)
    if integers:
        matchups = arrange_matchups(ranges, pairs, heroes, len(weights))
        return _Engine(count_multiway_exact, matchups, *arguments, MIN_PIECE, listed)
    arranged = arrange_heroes(ranges, pairs, heroes)
    return _Engine(count_multiway_weighted, arranged, *arguments, MIN_PIECE, WEIGHTED * listed)
