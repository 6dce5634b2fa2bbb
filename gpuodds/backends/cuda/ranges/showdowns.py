"""Showdowns of ranges on GPUs: the deals that each combo wins or splits, by who splits.

CUDA C++ through CuPy: a block sorts the combos of a board in shared memory. Boards are cut into pieces
and hero combos into parts, by the task alone; the sums of pieces are added in order. So sums of
float64 do not depend on devices, launches or memory. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress, ShowdownCounts, wanted_sets
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import (
    HEROES,
    MAX_RANGES,
    MEMBER_BYTE,
    PLAN_NUMBERS,
    PLANS,
    SHOWDOWN_THREADS,
    SHOWDOWNS,
    SUM_NUMBERS,
    THREADS,
)
from gpuodds.backends.cuda.shared.pieces import share_out
from gpuodds.basics.lazy import cached_property
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hand_names import CATEGORIES
from gpuodds.games.shared.rules import COMBOS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

MAX_PIECES = 4096
MAX_SUM_BYTES = 1 << 28  # of the sums of all pieces
ITEMS = 2048  # pieces x parts, a few for each block that a device runs at once
COMBOS_PER_PART = 16  # at least, so that sorting a board is worth it
GROUPS = 32  # of pieces, whose sums go to the host
WARPS = SHOWDOWN_THREADS // 32

# Warp instructions, predicted: to sort a board; to count a combo against the other range, and against
# two; to go through the levels of a board, and to count a combo against three ranges, both with sums of
# weights and without. A launch stays below two seconds on a slow device; one block a multiprocessor is
# no longer than one block.
SORTED_BOARD, COUNTED_COMBO, COUNTED_AGAINST_TWO = 16_000, 22, 400
LEVELS, COUNTED_AGAINST_THREE = 250_000, 1_000
LEVELS_OF_SUMS, COUNTED_BY_SUMS = 2_000_000, 2_000
MAX_LAUNCH = 1e9  # of a launch, for each multiprocessor
MAX_WORK = 2e11  # of a call, after which work can be stopped


@dataclass(frozen=True)
class ShowdownTask:
    """Ranges against ranges on boards: the inputs of ``RangeShowdowns``.

    The last ``folded`` of the players, rows of ``weights``, have folded; all are three or more then.
    """

    weights: Floats
    folded: int
    boards: UInt8s
    times: Ints
    heroes: tuple[int, ...]
    made_hands: bool
    game: Holdem
    by_combo: bool = True

    @property
    def is_by_three(self) -> bool:
        """Whether three of a hero's opponents are counted at once: four players and more."""
        return self.players > 3

    @property
    def has_sums(self) -> bool:
        """Whether each block has sums of weights in the device's memory."""
        return self.is_by_three and not self.is_exact

    @cached_property
    def active(self) -> Ints:
        """The combos in any range."""
        return np.flatnonzero(self.weights.any(axis=0))

    @cached_property
    def is_exact(self) -> bool:
        """Whether all weights are 0 or 1."""
        return bool(((self.weights == 0.0) | (self.weights == 1.0)).all())

    @property
    def players(self) -> int:
        """The number of players, with those who folded."""
        return len(self.weights)

    @property
    def sets(self) -> int:
        """The number of sets of opponents who tie."""
        return 1 << self.players - self.folded - 1

    @cached_property
    def sizes(self) -> list[int]:
        """The number of combos of each range."""
        return [int(size) for size in np.count_nonzero(self.weights, axis=1)]

    @cached_property
    def by_size(self) -> list[int]:
        """The players by the sizes of their ranges."""
        return sorted(range(self.players), key=lambda player: self.sizes[player])

    @cached_property
    def pieces(self) -> int:
        """The number of pieces of the boards, of equal size but for one board."""
        sum_bytes = 8 * len(self.heroes) * self.active.size * self.sets
        most = max(1, min(MAX_PIECES, MAX_SUM_BYTES // max(1, sum_bytes)))
        boards = -(-len(self.boards) // most)
        return -(-len(self.boards) // boards)

    @cached_property
    def parts(self) -> int:
        """The number of parts of the hero combos."""
        combos = sum(self.sizes[hero] for hero in self.heroes)
        return max(1, min(-(-ITEMS // self.pieces), combos // COMBOS_PER_PART))

    @property
    def groups(self) -> int:
        """The number of groups of pieces."""
        return min(self.pieces, GROUPS)

    def first_piece(self, group: int) -> int:
        """Return the first piece of a group; for the last group plus 1 the number of pieces."""
        return self.pieces * group // self.groups

    @cached_property
    def work(self) -> float:
        """The predicted number of warp instructions."""
        if self.players == 2:
            board = SORTED_BOARD * self.parts + COUNTED_COMBO * float(self.active.size)
            return len(self.boards) * board
        levels = LEVELS_OF_SUMS if self.has_sums else LEVELS
        board = float((SORTED_BOARD + levels) * self.parts)
        for hero in self.heroes:
            each: float = COUNTED_AGAINST_TWO
            if self.is_by_three:
                # Of each set's listed combos only lower or tied ones; sets of others who tie have few.
                listed = [self.sizes[player] for player in self.opponents(hero)[:-3]]
                visits = prod(listed) / (len(listed) + 1) + self.sets / 2
                each = visits * (COUNTED_BY_SUMS if self.has_sums else COUNTED_AGAINST_THREE)
            board += self.sizes[hero] * each * (2 if self.made_hands else 1)
        return len(self.boards) * board

    def opponents(self, hero: int) -> list[int]:
        """Return a hero's opponents, the narrowest first."""
        return [player for player in self.by_size if player != hero]

    def has_folded(self, player: int) -> bool:
        """Return whether a player has folded."""
        return player >= self.players - self.folded

    def bit(self, hero: int, opponent: int) -> int:
        """Return an opponent's set in the masks of a hero's counts, 0 for one who has folded."""
        return 0 if self.has_folded(opponent) else 1 << opponent - (opponent > hero)


class OnDevice:
    """The arrays of a task on the current device, as kernels take them."""

    def __init__(self, task: ShowdownTask) -> None:
        """Copy the arrays."""
        import cupy

        self.task = task
        cards = combo_cards()[task.active].astype(np.uint16)
        has_weight = task.weights[:, task.active] != 0.0
        players = np.arange(task.players)
        bits = players // 2 + players % 2 * MEMBER_BYTE  # as kernels/ranges/sorted_board.cuh has them
        members = (has_weight * (1 << bits)[:, None]).sum(axis=0)
        arrays = (
            np.ascontiguousarray(task.boards),
            task.times.astype(np.int64),
            cards[:, 0] | cards[:, 1] << 8,
            members.astype(np.uint16),
            np.zeros(0) if task.is_exact else _by_cards(task.weights),
            task.game.hand_rank_tables.category_ends.astype(np.int32),
        )
        self.arrays = tuple(cupy.asarray(array) for array in arrays)
        numbers = (len(task.boards), task.active.size, task.boards.shape[1])
        counts = (*numbers, task.pieces, task.parts, int(task.made_hands))
        self.given = SHOWDOWNS.pack(*self.arrays, *counts)
        if task.is_by_three:
            self._arrange_plans()
        elif task.players > 2:
            self._arrange_heroes()

    def _arrange_heroes(self) -> None:
        import cupy

        task = self.task
        two = [sorted(task.opponents(hero), key=task.has_folded) for hero in task.heroes]
        bits = [[task.bit(h, o) for o in pair] for h, pair in zip(task.heroes, two, strict=True)]
        arrays = (task.heroes, two, bits)
        self.hero_arrays = tuple(cupy.asarray(np.array(array, np.int32)) for array in arrays)
        self.heroes = HEROES.pack(*self.hero_arrays, task.folded, len(task.heroes))

    def _arrange_plans(self) -> None:
        import cupy

        task = self.task
        wanted = wanted_sets(task.players - task.folded, task.heroes, task.by_combo or task.made_hands)
        triples = list(combinations(range(task.players), 3))
        plans = np.zeros((*wanted.shape, PLAN_NUMBERS), np.int32)
        for place, hero in enumerate(task.heroes):
            for chosen in np.flatnonzero(wanted[place]).tolist():
                plans[place, chosen] = _plan(task, hero, chosen, triples)
        arrays = np.array(task.heroes), plans, np.array(triples)
        self.hero_arrays = tuple(cupy.asarray(array.astype(np.int32)) for array in arrays)
        counts = task.players, task.folded, len(task.heroes), task.players - 4, len(triples)
        self.heroes = PLANS.pack(*self.hero_arrays, *counts)

    def count(self, begin: int, end: int) -> tuple[Any, Any]:
        """Count the groups ``begin`` to ``end``.

        Returns:
            The sums of each group, NumPy arrays int64 or float64: (groups, heroes x combos x sets) and
            (groups, heroes x 9 x (sets + 1)); the second has no columns without made hands.
        """
        import cupy

        task = self.task
        first, last = task.first_piece(begin), task.first_piece(end)
        dtype = np.int64 if task.is_exact else np.float64
        heroes = 2 if task.players == 2 else len(task.heroes)
        sums = cupy.zeros((last - first, heroes * task.active.size * task.sets), dtype)
        columns = heroes * len(CATEGORIES) * (task.sets + 1) if task.made_hands else 0
        rows = (last - first) * task.parts * WARPS
        made = cupy.zeros((rows if columns else 1, columns or 1), dtype)
        self._launch(first * task.parts, last * task.parts, sums, made)
        pieces = np.array([task.first_piece(group) - first for group in range(begin, end + 1)])
        added = cupy.asnumpy(_add_rows(sums, pieces))
        if not columns:
            return added, np.zeros((end - begin, 0), dtype)
        return added, cupy.asnumpy(_add_rows(made, pieces * task.parts * WARPS))

    def _launch(self, begin: int, end: int, sums: Any, made: Any) -> None:
        import cupy

        task = self.task
        kind = "exact" if task.is_exact else "weighted"
        name = "two" if task.players == 2 else "three_opponents" if task.is_by_three else "multiway"
        file = "two_ranges" if task.players == 2 else name
        kernel = device.kernel(f"ranges/{file}", f"count_{name}_{kind}")
        processors = device.processors()
        share = processors * MAX_LAUNCH / task.work
        step = min(end - begin, max(processors, int(share * task.pieces * task.parts)))
        blocks: tuple[int, ...] = (step,)  # the device balances them, unless each has scratch
        heroes: tuple[Any, ...] = () if task.players == 2 else (self.heroes,)
        scratch: tuple[Any, ...] = ()
        if task.has_sums:
            blocks = device.grid(kernel, step, SHOWDOWN_THREADS)
            scratch = (cupy.empty(blocks[0] * SUM_NUMBERS, np.float64),)
        for first in range(begin, end, step):
            items = np.int64(begin), np.int64(first), np.int64(min(step, end - first))
            arguments = (self.given, *heroes, packed_tables(task.game), *items, *scratch, sums, made)
            kernel(blocks, (SHOWDOWN_THREADS,), arguments)
            if step < end - begin:  # so that a long count can be interrupted
                cupy.cuda.get_current_stream().synchronize()


def _plan(
    task: ShowdownTask, hero: int, chosen: int, triples: Sequence[tuple[int, ...]]
) -> tuple[int, ...]:
    """Return how a set of tied opponents is counted: see kernels/ranges/three_opponents.cu.

    The first opponents are listed: those who tie, who have few combos, then the narrowest.
    """
    opponents = task.opponents(hero)
    is_tied = {player: bool(task.bit(hero, player) & chosen) for player in opponents}
    opponents.sort(key=lambda player: not is_tied[player])
    listed = opponents[:-3]
    three = sorted(opponents[-3:])
    tied_bits = sum(1 << place for place, player in enumerate(three) if is_tied[player])
    tied_first = sorted(three, key=lambda player: not is_tied[player])
    slots = [
        [player + is_tied[player] * MAX_RANGES for player in some] for some in (listed, tied_first)
    ]
    spare = [0] * (MAX_RANGES - 4 - len(listed))
    return 1, *slots[0], *spare, *slots[1], triples.index(tuple(three)), tied_bits


def _by_cards(weights: Floats) -> Floats:
    """Return weights (players, 1326) by two cards, (players, 52, 52)."""
    low, high = combo_cards().T
    square = np.zeros((len(weights), DECK_SIZE, DECK_SIZE))
    square[:, low, high] = weights
    square[:, high, low] = weights
    return square


def _add_rows(rows: Any, first: Ints) -> Any:
    """Add up the rows of groups that begin at ``first``, whose last entry is the end of the last."""
    import cupy

    groups, width = len(first) - 1, rows.shape[1]
    out = cupy.empty((groups, width), rows.dtype)
    name = f"add_rows_{'exact' if rows.dtype.kind == 'i' else 'weighted'}"
    arguments = rows, cupy.asarray(first.astype(np.int64)), np.int64(groups), np.int64(width), out
    device.launch("shared/add_rows", name, groups * width, THREADS, arguments)
    return out


def range_showdowns(
    weights: Floats,
    folded: Floats,
    boards: UInt8s,
    times: Ints,
    heroes: Sequence[int],
    made_hands: bool,
    progress: Progress | None,
    devices: Sequence[int],
    game: Holdem,
    by_combo: bool = True,
) -> ShowdownCounts:
    """Count showdowns of two to six ranges on some devices, some of them folded: see the operations."""
    players = len(weights) + len(folded)
    if not 2 <= players <= MAX_RANGES:
        raise ValueError(f"{players} ranges: the kernels count 2 to {MAX_RANGES}")
    rows = np.concatenate([weights, folded])
    given = rows, len(folded), boards, times, tuple(heroes), made_hands, game, by_combo
    task = ShowdownTask(*given)
    by_group: dict[int, tuple[Any, Any]] = {}

    def start() -> Callable[[int, int], None]:
        on_device = OnDevice(task)

        def work(begin: int, end: int) -> None:
            sums, made = on_device.count(begin, end)
            by_group.update((begin + x, (sums[x], made[x])) for x in range(end - begin))

        return work

    def max_groups() -> int:
        group_bytes = (task.pieces // task.groups + 1) * _bytes_per_piece(task)
        affordable = int(MAX_WORK / task.work * task.groups)
        return max(1, min(affordable, device.free_bytes() // 2 // group_bytes))

    share_out(devices, task.groups, start, max_groups, progress)
    in_order = [by_group[group] for group in range(task.groups)]
    counts = _gather(task, sum(sums for sums, _ in in_order), sum(made for _, made in in_order))
    wanted = wanted_sets(len(weights), heroes, by_combo or made_hands)
    if not wanted.all():
        counts.by_winners[:] *= wanted[:, None, :]
    return counts


def _bytes_per_piece(task: ShowdownTask) -> int:
    sums = 8 * MAX_RANGES * task.active.size * task.sets
    made = 8 * MAX_RANGES * len(CATEGORIES) * (task.sets + 1) * task.parts * WARPS
    return sums + (made if task.made_hands else 0)


def _gather(task: ShowdownTask, sums: Any, made: Any) -> ShowdownCounts:
    """Arrange the sums as the operation returns them."""
    heroes = (0, 1) if task.players == 2 else task.heroes
    rows = [heroes.index(hero) for hero in task.heroes]
    by_combo = sums.reshape(len(heroes), -1, task.sets)[rows]
    whole = np.zeros((len(rows), COMBOS, task.sets), by_combo.dtype)
    whole[:, task.active] = by_combo
    if not task.made_hands:
        return ShowdownCounts(whole, None)
    by_category = made.reshape(len(heroes), len(CATEGORIES), task.sets + 1)[rows]
    return ShowdownCounts(whole, by_category.astype(np.float64))
