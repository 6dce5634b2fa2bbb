"""Sums of matchings over board classes, by group.

CUDA C++ through CuPy, for its 128-bit integers. Not yet measured on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any

import numpy as np

from gpuodds.backends.cuda.known_hands.spots import Keys
from gpuodds.backends.cuda.known_hands.threat_graphs import Matchings
from gpuodds.backends.cuda.shared.device import kept_arrays, launch
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.multiway import deals

SUM_THREADS = 128
CHUNK = 1024  # classes that one block adds up


def add_groups(keys: Any, classes: Any, graphs: Any, solved: Matchings) -> tuple[Keys, Any]:
    """Sum boards x matchings over the classes of each group.

    Args:
        keys: CuPy array (n,) int64, the group of each class.
        classes: CuPy array (n, 4) uint32, board classes.
        graphs: CuPy array (n,) int32, the graph of each class.
        solved: The matchings of the graphs.

    Returns:
        The groups in ascending order, a NumPy array, and their sums, a CuPy array (groups, edges, ties,
        2) uint64: lower and upper half of 128-bit numbers, for 0 to ``solved.most`` edges and ties.
    """
    import cupy

    order = cupy.argsort(keys)
    ordered = keys[order]
    starts = cupy.asnumpy(cupy.flatnonzero(ordered[1:] != ordered[:-1])) + 1
    starts = np.concatenate([[0], starts])
    ends = np.append(starts[1:], len(keys))
    parts = -(-(ends - starts) // CHUNK)
    first = np.concatenate([[0], np.cumsum(parts)])
    chunk = np.arange(first[-1]) - np.repeat(first[:-1], parts)  # its number in its group
    begins = np.repeat(starts, parts) + chunk * CHUNK
    stops = np.minimum(begins + CHUNK, np.repeat(ends, parts))

    width = solved.most + 1
    sums = cupy.empty((len(begins), width, width, 2), np.uint64)
    launch(
        "known_hands/sums",
        "add_classes",
        len(begins) * SUM_THREADS,
        SUM_THREADS,
        (
            order,
            cupy.asarray(begins),
            cupy.asarray(stops),
            np.int32(len(begins)),
            classes,
            graphs,
            solved.shapes,
            solved.place,
            solved.results,
            np.int32(width),
            sums,
        ),
    )
    if len(begins) > len(starts):
        chunks, sums = sums, cupy.empty((len(starts), width, width, 2), np.uint64)
        launch(
            "known_hands/sums",
            "add_chunks",
            len(starts) * width * width,
            SUM_THREADS,
            (
                chunks,
                cupy.asarray(first),
                np.int64(len(starts)),
                np.int32(width * width),
                sums,
            ),
        )
    return cupy.asnumpy(ordered[cupy.asarray(starts)]), sums


def close_groups(first: int, last: int, groups: Keys, sums: Any, most: int) -> Any:
    """Turn sums into deals in which no opponent is better, spot by spot.

    Args:
        first: The first spot; each has one known hand.
        last: The spot after the last one.
        groups: Groups of :func:`add_groups`, of these spots.
        sums: Their sums.
        most: Edges of the sums, the most opponents.

    Returns:
        CuPy array (spots, most, most + 1, 2) uint64: entry [s, k - 1, t] is the number of deals of k
        opponents none of whom beats the hand of spot ``first`` + s and exactly t tie, lower and upper
        half.
    """
    import cupy

    spots = last - first
    begins = np.searchsorted(groups >> 29, np.arange(first, last + 1))
    out = cupy.empty((spots, most, most + 1, 2), np.uint64)
    launch(
        "known_hands/sums",
        "close_sums",
        spots * most * (most + 1),
        SUM_THREADS,
        (
            sums,
            cupy.asarray((groups & 63).astype(np.int32)),
            cupy.asarray(begins.astype(np.int64)),
            np.int64(spots),
            np.int32(most),
            *kept_arrays(_closing_tables(most)),
            out,
        ),
    )
    return out


@cache
def _closing_tables(most: int) -> Callable[[], tuple[Any, ...]]:
    return lambda: (other_deals(most), choices(most))


def other_deals(most: int) -> Any:
    """Return D(n - 2 e, k - e) at [n, e, k], uint64 (53, most + 1, most + 1, 2), in two halves."""
    low = (1 << 64) - 1
    table = np.zeros((DECK_SIZE + 1, most + 1, most + 1, 2), np.uint64)
    for deck in range(DECK_SIZE + 1):
        for edges in range(most + 1):
            for opponents in range(edges, most + 1):
                ways = deals(deck - 2 * edges, opponents - edges)
                table[deck, edges, opponents] = ways & low, ways >> 64
    return table


def choices(most: int) -> Any:
    """Return C(n, k) at [n, k], uint64 (most + 1, most + 1)."""
    numbers = range(most + 1)
    return np.array([[comb(n, k) for k in numbers] for n in numbers], np.uint64)


def read_sums(sums: Any) -> list[list[list[int]]]:
    """Return sums (groups, edges, ties, 2) as Python integers."""
    import cupy

    halves = cupy.asnumpy(sums).astype(object)
    whole: list[list[list[int]]] = (halves[..., 0] + (halves[..., 1] << 64)).tolist()
    return whole
