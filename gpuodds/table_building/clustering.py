"""Find the centres of buckets: weighted k-means++ on a seeded sample of hands, in whole numbers.

Boards are drawn evenly among those that differ by more than the names of the suits, and on each as many
combos; a board weighs as much as it stands for. First centres are drawn with a chance in proportion to
weight times distance from those there are (Arthur and Vassilvitskii, "k-means++: the advantages of
careful seeding", 2007), where distances are squares already if their squares are what is summed. Then
hands go to the nearest centre, and centres to the mean of their hands, rounded, until none moves.

The mean makes a sum of squares least. It need not make a sum of earth mover's distances least, so that
with these the sum may rise: the best centres of all iterations are kept. A centre that no hand is
nearest to goes to the hand that is furthest from its own.

All sums are of whole numbers, so that the same seed gives the same centres on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Backend
from gpuodds.backends.operations.nearest_centres import NearestCentres
from gpuodds.errors import InputError
from gpuodds.games.shared.boards import canonical_boards
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.table_building.kinds.measures import Measure
from gpuodds.tables.files.clustering import DEFAULT_SAMPLE, Clustering, check_buckets, is_squared

Int32s = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]

MAX_ITERATIONS = 50
HANDS_PER_BOARD = {3: 333, 4: 50, 5: 10}  # of a sample, unless there are too few boards
BATCH = 64  # boards measured at once
SAMPLING = 0.3  # of the time, for the progress
FIRST = 0.3
COORDINATE = 2.5e-11  # seconds that two cores take for one of a hand and a centre
ADDED = 6e-9  # for one of a hand


class Wanted(NamedTuple):
    """The buckets that are asked for."""

    distance: str
    """``"emd"``, ``"l2"`` or ``"ochs"``."""
    buckets: int
    seed: int = 0
    sample: int = DEFAULT_SAMPLE
    """About how many hands to find the centres from."""


class Sample(NamedTuple):
    """Hands that were drawn, (n,)."""

    points: Int32s
    """Coordinates, (n, dimensions)."""
    weights: Ints
    """How many boards the board stands for."""
    half_pots: Ints
    """2 wins + ties against a random hand."""


def find_centres(
    measure: Measure,
    board_cards: int,
    wanted: Wanted,
    backend: Backend,
    progress: Progress | None = None,
) -> Clustering:
    """Find the centres of buckets, numbered by equity, the weakest first.

    Args:
        measure: What the distance compares.
        board_cards: 3, 4 or 5.
        wanted: The buckets.
        backend: What counts.
        progress: Called with the fraction done, 0 to 1.

    Raises:
        InputError: There are fewer different hands than buckets.
    """
    check_buckets(wanted.buckets, measure.dimensions)
    report = progress or (lambda done: None)
    words = random_words(wanted.seed)
    sample = draw_sample(measure, board_cards, wanted.sample, words, backend, report)
    squared = is_squared(wanted.distance)
    centres = _first_centres(sample, wanted.buckets, squared, words, backend, report)
    centres, iterations, found = _move(sample, centres, squared, backend, report)
    deals = np.bincount(found, sample.weights, len(centres))
    won = np.bincount(found, sample.weights * sample.half_pots, len(centres))
    with np.errstate(invalid="ignore"):  # no deals: NaN, which comes last
        order = np.argsort(won / deals, kind="stable")
    report(1.0)
    return Clustering(
        wanted.distance, wanted.seed, wanted.sample, measure.over, iterations, measure.scale,
        centres[order],
    )  # fmt: skip


def seconds_to_find(measure: Measure, board_cards: int, wanted: Wanted) -> float:
    """Return about how long two cores take to find the centres."""
    boards = -(-wanted.sample // HANDS_PER_BOARD[board_cards])
    numbers = wanted.sample * measure.dimensions
    # Of the first centres, one is compared at a time, as slowly as eight.
    compared = numbers * wanted.buckets * (8 + MAX_ITERATIONS) * COORDINATE
    added = 5 * numbers * ADDED
    return boards * measure.seconds_per_board() + compared + added


def random_words(seed: int) -> Iterator[int]:
    """Yield random words of 64 bits: those of Philox, which NumPy keeps the same."""
    source = np.random.Philox(seed)
    while True:
        yield int(source.random_raw())


def draw_sample(
    measure: Measure, board_cards: int, size: int, words: Iterator[int], backend: Backend,
    report: Progress,
) -> Sample:  # fmt: skip
    """Draw boards, and combos on each, and measure them."""
    boards, stand_for = canonical_boards(board_cards)
    count = min(len(boards), -(-size // HANDS_PER_BOARD[board_cards]))
    drawn = np.sort(_some(np.random.Philox(next(words)).random_raw(len(boards))[None], count)[0])
    each = min(-(-size // count), COMBOS)
    keys = np.random.Philox(next(words))
    parts = []
    for begin in range(0, count, BATCH):
        at = drawn[begin : begin + BATCH]
        on_boards = boards[at]
        taken = (combo_cards()[None, :, :, None] == on_boards[:, None, None, :]).any(axis=(2, 3))
        random = keys.random_raw(taken.size).reshape(taken.shape)
        combos = _some(np.where(taken, np.iinfo(np.uint64).max, random), min(each, _left(taken)))
        points, half_pots = measure.measure(on_boards, backend)
        rows = np.arange(len(at))[:, None]
        weights = np.repeat(stand_for[at].astype(np.int64), combos.shape[1])
        shape = -1, measure.dimensions
        parts.append(
            Sample(points[rows, combos].reshape(shape), weights, half_pots[rows, combos].ravel())
        )
        report(SAMPLING * (begin + len(at)) / count)
    return Sample(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _left(taken: npt.NDArray[np.bool_]) -> int:
    return int((~taken[0]).sum())  # the same on every board


def _some(keys: npt.NDArray[np.uint64], count: int) -> Ints:
    """Return the places of the lowest keys of each row, ascending: (n, count)."""
    if count == keys.shape[1]:
        return np.broadcast_to(np.arange(count), keys.shape)
    lowest: Ints = np.sort(np.argpartition(keys, count - 1, axis=1)[:, :count], axis=1)
    return lowest


def _first_centres(
    sample: Sample,
    buckets: int,
    squared: bool,
    words: Iterator[int],
    backend: Backend,
    report: Progress,
) -> Int32s:
    points = sample.points
    chosen: list[int] = []
    chances = sample.weights
    distances = None
    while len(chosen) < buckets:
        ends = np.cumsum(chances)
        total = int(ends[-1])
        if total == 0:
            raise InputError(
                f"buckets {buckets}: expected at most {len(chosen)}: so many different hands "
                "are in the sample"
            )
        chosen.append(int(np.searchsorted(ends, next(words) * total >> 64, "right")))
        operation = NearestCentres(points, points[chosen[-1:]], squared)
        nearer = backend.count(operation).counts.distances
        distances = nearer if distances is None else np.minimum(distances, nearer)
        chances = sample.weights * distances
        report(SAMPLING + FIRST * len(chosen) / buckets)
    return points[chosen]


def _move(
    sample: Sample, centres: Int32s, squared: bool, backend: Backend, report: Progress
) -> tuple[Int32s, int, Ints]:
    """Move the centres until none moves; return the best, after how many moves, and hands' centres."""
    points, weights = sample.points, sample.weights
    found = np.zeros(len(points), np.int64)
    sums = _add_up(points, weights, found, len(centres))
    best, least = (centres, 0, found), np.inf
    for iteration in range(MAX_ITERATIONS + 1):
        before = found
        numbers, distances = backend.count(NearestCentres(points, centres, squared)).counts
        found = numbers.astype(np.int64)
        total = int((weights * distances).sum())
        if total < least:
            best, least = (centres, iteration, found), total
        # Few hands change their centre after the first moves.
        other = np.flatnonzero(found != before)
        some = points[other], weights[other]
        for to, sign in ((found, 1), (before, -1)):
            sums += sign * _add_up(*some, to[other], len(centres))
        hands = np.maximum(sums[:, :1], 1)
        moved = ((2 * sums[:, 1:] + hands) // (2 * hands)).astype(np.int32)  # rounded
        empty = np.flatnonzero(sums[:, 0] == 0)
        moved[empty] = points[np.argsort(-distances.astype(np.int64), kind="stable")[: len(empty)]]
        if np.array_equal(moved, centres):
            break
        centres = moved
        done = SAMPLING + FIRST
        report(done + (1 - done) * (iteration + 1) / (MAX_ITERATIONS + 1))
    return best


def _add_up(points: Int32s, weights: Ints, found: Ints, size: int) -> Ints:
    """Return the weights that each centre has, and those times its points' coordinates.

    Returns:
        Shape (size, 1 + dimensions). All are below 2^53, so that sums of float64 are exact.
    """
    columns = weights, *(weights * column for column in points.T)
    sums = [np.bincount(found, column, size).astype(np.int64) for column in columns]
    added: Ints = np.stack(sums, axis=1)
    return added
