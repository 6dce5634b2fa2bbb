"""The nearest of some centres: eight centres are the lanes of a vector, coordinate by coordinate."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, empty
from gpuodds.backends.cpu.compile.lanes import (
    LANE_BYTES,
    load_lanes,
    magnitudes,
    number_at,
    spread,
    store_lanes,
    where_less,
)
from gpuodds.backends.cpu.compile.threads import thread_count, thread_pool

Int32s = npt.NDArray[np.int32]
UInt16s = npt.NDArray[np.uint16]

LANES = LANE_BYTES // 4
FURTHEST = 2**31 - 1


@compiled
def _find_nearest(
    points: Int32s, lanes: Int32s, lane_numbers: Int32s, squared: bool, begin: int, end: int,
    numbers: UInt16s, distances: Int32s,
) -> None:  # fmt: skip
    """Find the nearest centre of the points ``begin`` to ``end``.

    Args:
        points: Shape (n, dimensions).
        lanes: The centres, eight at a time, (k / 8, dimensions, 8); the last ones may be repeated.
        lane_numbers: 0 to 7.
        squared: Whether to add squares.
        begin: The first point.
        end: The one after the last.
        numbers: Written to, (n,).
        distances: Written to, (n,).
    """
    groups, dimensions = lanes.shape[0], lanes.shape[1]
    nearest, nearest_at = empty(LANES, np.int32), empty(LANES, np.int32)
    for i in range(begin, end):
        least, least_at = spread(FURTHEST, lanes), spread(0, lanes)
        for group in range(groups):
            at, point = group * dimensions * LANES, i * dimensions
            distance = spread(0, lanes)
            if squared:
                for j in range(dimensions):
                    off = load_lanes(lanes, at + LANES * j) - spread(
                        number_at(points, point + j), lanes
                    )
                    distance = distance + off * off
            else:
                for j in range(dimensions):
                    off = load_lanes(lanes, at + LANES * j) - spread(
                        number_at(points, point + j), lanes
                    )
                    distance = distance + magnitudes(off)
            least_at = where_less(distance, least, spread(group, lanes), least_at)
            least = where_less(distance, least, distance, least)
        store_lanes(nearest, 0, least)
        store_lanes(nearest_at, 0, least_at * spread(LANES, lanes) + load_lanes(lane_numbers, 0))
        best = 0
        for lane in range(1, LANES):
            if nearest[lane] < nearest[best] or (
                nearest[lane] == nearest[best] and nearest_at[lane] < nearest_at[best]
            ):
                best = lane
        numbers[i] = nearest_at[best]
        distances[i] = nearest[best]


def nearest_centres(points: Int32s, centres: Int32s, squared: bool) -> tuple[UInt16s, Int32s]:
    """Find the nearest centre of each point: see the operation."""
    missing = -len(centres) % LANES
    # Repeated centres are as near as the first, whose number is lower.
    padded = np.concatenate([centres, np.repeat(centres[:1], missing, axis=0)]).astype(np.int32)
    lanes = np.ascontiguousarray(padded.reshape(-1, LANES, centres.shape[1]).transpose(0, 2, 1))
    given = np.ascontiguousarray(points, np.int32)
    numbers, distances = np.empty(len(given), np.uint16), np.empty(len(given), np.int32)
    lane_numbers = np.arange(LANES, dtype=np.int32)

    def work(begin: int, end: int) -> None:
        _find_nearest(given, lanes, lane_numbers, squared, begin, end, numbers, distances)

    with thread_pool(thread_count()) as run:
        run(work, len(given))
    return numbers, distances
