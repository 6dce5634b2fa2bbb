"""Two ranges on each of many boards: by pairs of kinds of hands, or by a sweep over the runouts.

A sweep sorts the combos of a full board, so it takes the time of their number. Pairs take the time of
the product of two numbers of combos, but hardly more for 1,176 runouts than for one. So pairs serve all
flops, turns with narrow ranges, and no river. Weights other than 0 and 1 are summed by sweeps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gpuodds.backends import costs
from gpuodds.backends.counts import Progress, TwoRangeCounts
from gpuodds.backends.cpu.compile.jit import compiled, empty, zeros
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool
from gpuodds.backends.cpu.ranges.all_runouts.one_board import count_boards
from gpuodds.backends.cpu.ranges.two_players import count_two
from gpuodds.backends.cpu.shared.showdown_sums import ShowdownSums
from gpuodds.backends.two_ranges import free_weights
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hand_ranks import HandRankTables
from gpuodds.games.shared.rules import BOARD_CARDS, COMBOS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

RUNOUTS_OF_TURN = 46
# Nanoseconds: to sort a combo of a board and sum it up; to add a pair of combos; to compare two kinds.
SWEPT_COMBO = round(1e9 * (costs.SORTED_COMBO + costs.COUNTED_COMBO))
ADDED_PAIR, COMPARED_KINDS = round(1e9 * costs.ADDED_PAIR), round(1e9 * costs.COMPARED_KINDS)
WORTH_THREADS = 2_000_000  # nanoseconds: starting threads takes some 100,000


@compiled
def _list_runouts(board: UInt8s, dead: int) -> UInt8s:
    """Return every full board of a board, shape (n, 5)."""
    known, size = dead, len(board)
    for card in board:
        known |= 1 << int(np.int64(card))
    full = zeros((1176, 5), np.uint8)
    count = 0
    for turn in range(DECK_SIZE if size < 4 else 1):
        if size < 4 and known >> turn & 1:
            continue
        for river in range(turn + 1 if size < 4 else 0, DECK_SIZE if size < 5 else 1):
            if size < 5 and known >> river & 1:
                continue
            for i in range(size):
                full[count, i] = board[i]
            if size < 4:
                full[count, 3] = turn
            if size < 5:
                full[count, 4] = river
            count += 1
    return full[:count]


@compiled
def _sweep_boards(
    boards: UInt8s, begin: int, end: int, dead: int, cards: UInt8s, held: Floats, is_exact: bool,
    tables: HandRankTables, totals: Floats, by_combo: Floats,
) -> None:  # fmt: skip
    """Count two ranges on the boards ``begin`` to ``end`` by going through their runouts.

    ``cards`` (1326, 2) are those of the combos, ``held`` (2, 1326) the players' weights. Fills
    ``totals`` (boards, 3), and ``by_combo`` (boards, 2, 1326, 3), which may have no boards.
    """
    # The combos in any range: their numbers, cards, and weights.
    numbers, combos = empty(held.shape[1], np.int64), 0
    for number in range(held.shape[1]):
        numbers[combos] = number
        combos += held[0, number] != 0.0 or held[1, number] != 0.0
    pairs, weights = empty((combos, 2), np.int64), empty((2, combos), np.float64)
    for h in range(combos):
        for i in range(2):
            pairs[h, i], weights[i, h] = cards[numbers[h], i], held[i, numbers[h]]
    times = zeros(1176, np.int64)
    times[:] = 1
    exact = zeros((2, combos if is_exact else 0, 2), np.int64)
    in_floats = 0 if is_exact else combos
    sums, errors = zeros((2, in_floats, 2), np.float64), zeros((2, in_floats, 2), np.float64)
    made = zeros((0, 0, 0), np.float64)
    counts = zeros(3, np.float64)
    for number in range(begin, end):
        known, board = dead, boards[number]
        for card in board:
            known |= 1 << int(np.int64(card))
        full = _list_runouts(board, dead)
        exact[:], sums[:], errors[:] = 0, 0.0, 0.0
        sums_of_boards = ShowdownSums(exact, sums, errors, made, tables.category_ends)
        count_two(full, times, 0, len(full), pairs, tables, weights, sums_of_boards)
        by_card = zeros((2, DECK_SIZE + 1), np.float64)  # the last entry is the sum
        for h in range(combos):
            low, high = pairs[h, 0], pairs[h, 1]
            if not (known >> low | known >> high) & 1:
                for player in range(2):
                    by_card[player, low] += weights[player, h]
                    by_card[player, high] += weights[player, h]
                    by_card[player, DECK_SIZE] += weights[player, h]
        left, to_come = DECK_SIZE - 4, 5 - len(board)
        for card in range(DECK_SIZE):
            left -= known >> card & 1
        runouts = (1, left, left * (left - 1) // 2)[to_come]
        for h in range(combos):
            low, high = pairs[h, 0], pairs[h, 1]
            if (known >> low | known >> high) & 1:
                continue
            for player in range(2):
                other = by_card[1 - player]
                if weights[player, h] == 0.0:
                    continue
                dealt = other[DECK_SIZE] - other[low] - other[high] + weights[1 - player, h]
                for place in range(2):
                    if is_exact:
                        counts[place] = exact[player, h, place]
                    else:
                        counts[place] = sums[player, h, place] + errors[player, h, place]
                counts[2] = max(dealt * runouts - counts[0] - counts[1], 0.0)
                for place in range(3):
                    if player == 0:
                        totals[number, place] += weights[0, h] * counts[place]
                    if by_combo.shape[0]:
                        by_combo[number, player, numbers[h], place] = counts[place]


@compiled
def _measure(weights: Floats) -> tuple[int, int, bool]:
    """Return how many combos each of two players holds, and whether all their weights are 0 or 1."""
    first, second, is_exact = 0, 0, True
    for number in range(weights.shape[1]):
        own, other = weights[0, number], weights[1, number]
        first += own != 0.0
        second += other != 0.0
        is_exact &= (own == 0.0 or own == 1.0) and (other == 0.0 or other == 1.0)
    return first, second, is_exact


def two_range_boards(
    weights: Floats,
    boards: UInt8s,
    dead: Sequence[int],
    by_combo: bool,
    game: Holdem,
    progress: Progress | None,
) -> TwoRangeCounts:
    """Count two ranges on boards: see the operation."""
    dead = (*dead, *game.missing)
    if dead:  # a sweep leaves out the combos of the board alone
        weights = free_weights(weights, (), dead)
    weights = _read_only(weights)
    *sizes, is_exact = _measure(weights)
    out = sum(1 << card for card in dead)
    tables = game.hand_rank_tables
    seconds, in_pairs = _work(sizes, boards.shape[1])
    if is_exact and in_pairs:
        return _count_in_pairs(boards, out, weights, by_combo, tables, progress, seconds)
    return _count_by_sweeps(boards, out, weights, is_exact, by_combo, tables, progress, seconds)


def _read_only(weights: Floats) -> Floats:
    """Return the weights contiguous and read-only, as a spot has them: numba compiles others anew."""
    weights = np.ascontiguousarray(weights).view()
    weights.flags.writeable = False
    return weights


def _work(sizes: list[int], board_cards: int) -> tuple[int, bool]:
    """Return about how many nanoseconds a board takes, and whether pairs take less than a sweep."""
    num_combos = min(sum(sizes), COMBOS)
    sweep = (1, RUNOUTS_OF_TURN, 1176)[BOARD_CARDS - board_cards] * num_combos * SWEPT_COMBO
    kinds = min(sizes[0], 338) * min(sizes[1], 338)
    pairs = sizes[0] * sizes[1] * ADDED_PAIR + kinds * COMPARED_KINDS
    return min(sweep, pairs), board_cards < BOARD_CARDS and pairs < sweep


def _share(
    pieces: int, nanoseconds: int, progress: Progress | None, work: Callable[[int, int], None]
) -> None:
    """Do pieces of work in threads, or at once where that takes no longer."""
    threads = thread_count() if nanoseconds > WORTH_THREADS else 1
    if threads == 1 and progress is None:
        work(0, pieces)
        return
    with thread_pool(threads, progress, min(pieces, max(64, 8 * threads))) as run:
        run(work, pieces)


def _count_in_pairs(
    boards: UInt8s,
    dead: int,
    weights: Floats,
    by_combo: bool,
    tables: HandRankTables,
    progress: Progress | None,
    nanoseconds: int,
) -> TwoRangeCounts:
    totals = np.zeros((len(boards), 3), np.int64)
    by_combo_counts = np.zeros((len(boards) if by_combo else 0, 2, COMBOS, 3), np.int64)
    nanoseconds *= len(boards)
    if nanoseconds <= WORTH_THREADS or len(boards) > 1:

        def work(begin: int, end: int) -> None:
            count_boards(boards, begin, end, dead, weights, tables, totals, by_combo_counts)

        _share(len(boards), nanoseconds, progress, work)
        return TwoRangeCounts(totals, by_combo_counts if by_combo else None)
    # Counts add up over parts of the first range.
    own_combos = np.flatnonzero(weights[0])
    parts = [(totals.copy(), by_combo_counts.copy()) for _ in range(thread_count())]

    def work_on_part(begin: int, end: int) -> None:
        for part in range(begin, end):
            rows, places = np.zeros_like(weights), np.array_split(own_combos, len(parts))[part]
            rows[0, places], rows[1] = 1.0, weights[1]
            count_boards(boards, 0, 1, dead, _read_only(rows), tables, *parts[part])

    _share(len(parts), nanoseconds, progress, work_on_part)
    totals, by_combo_counts = (np.sum(arrays, axis=0) for arrays in zip(*parts, strict=True))
    return TwoRangeCounts(totals, by_combo_counts if by_combo else None)


def _count_by_sweeps(
    boards: UInt8s,
    dead: int,
    weights: Floats,
    is_exact: bool,
    by_combo: bool,
    tables: HandRankTables,
    progress: Progress | None,
    nanoseconds: int,
) -> TwoRangeCounts:
    cards, totals = combo_cards(), np.zeros((len(boards), 3))
    whole = np.zeros((len(boards) if by_combo else 0, 2, COMBOS, 3))

    def work(begin: int, end: int) -> None:
        _sweep_boards(boards, begin, end, dead, cards, weights, is_exact, tables, totals, whole)

    _share(len(boards), nanoseconds * len(boards), progress, work)
    # Counts of a board are below 2^53: as float64 they are exact.
    if not is_exact:
        return TwoRangeCounts(totals, whole if by_combo else None)
    return TwoRangeCounts(totals.astype(np.int64), whole.astype(np.int64) if by_combo else None)
