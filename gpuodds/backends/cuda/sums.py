"""Sums of matchings over board classes, by group.

CUDA C++ through CuPy, for its 128-bit integers. Not yet measured on a GPU.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from gpuodds.backends.cuda.device import grid, kernel
from gpuodds.backends.cuda.graphs import Matchings
from gpuodds.backends.cuda.spots import Keys
from gpuodds.games.holdem.multiway import deals

BLOCK = 128
CHUNK = 1024  # classes that one block adds up
DECKS = 53


def add_groups(keys: Any, classes: Any, graphs: Any, solved: Matchings) -> tuple[Keys, Any]:
    """Sum boards x matchings over the classes of each group.

    ``keys`` (n,) int64 and ``graphs`` (n,) int32 are each class's group and graph. Returns the groups
    in ascending order, on the host, and on the device their sums, uint64 of shape (groups, edges, ties,
    2): the lower half and the upper half of a 128-bit number, for 0 to ``solved.most`` edges and ties.
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
    kernel("sums", "add_classes")(
        grid(len(begins) * BLOCK, BLOCK),
        (BLOCK,),
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
        kernel("sums", "add_chunks")(
            grid(len(starts) * width * width, BLOCK),
            (BLOCK,),
            (
                chunks,
                cupy.asarray(first),
                np.int64(len(starts)),
                np.int32(width * width),
                sums,
            ),
        )
    return cupy.asnumpy(ordered[cupy.asarray(starts)]), sums


def close_groups(spots: int, groups: Keys, sums: Any, most: int) -> Any:
    """Turn sums into deals in which nobody is better, spot by spot.

    ``groups`` are those of :func:`add_groups`, of ``spots`` spots with one known hand each, numbered
    from 0. Returns uint64 of shape (spots, most, most + 1, 2): entry [s, k - 1, t] counts the deals of
    k opponents in which nobody beats the hand of spot s and exactly t tie, lower and upper half.
    """
    import cupy

    first = np.searchsorted(groups >> 29, np.arange(spots + 1))
    out = cupy.empty((spots, most, most + 1, 2), np.uint64)
    kernel("sums", "close_sums")(
        grid(spots * most * (most + 1), BLOCK),
        (BLOCK,),
        (
            sums,
            cupy.asarray((groups & 63).astype(np.int32)),
            cupy.asarray(first.astype(np.int64)),
            np.int64(spots),
            np.int32(most),
            cupy.asarray(other_deals(most)),
            out,
        ),
    )
    return out


@lru_cache(maxsize=4)
def other_deals(most: int) -> Any:
    """Return D(n - 2 e, k - e) at [n, e, k], uint64 (53, most + 1, most + 1, 2), in two halves."""
    low = (1 << 64) - 1
    table = np.zeros((DECKS, most + 1, most + 1, 2), np.uint64)
    for deck in range(DECKS):
        for edges in range(most + 1):
            for opponents in range(edges, most + 1):
                ways = deals(deck - 2 * edges, opponents - edges)
                table[deck, edges, opponents] = ways & low, ways >> 64
    return table


def read_sums(sums: Any) -> list[list[list[int]]]:
    """Return sums (groups, edges, ties, 2) as Python integers."""
    import cupy

    halves = cupy.asnumpy(sums).astype(object)
    whole: list[list[list[int]]] = (halves[..., 0] + (halves[..., 1] << 64)).tolist()
    return whole
