"""The nearest of some centres: brute force, and a kernel that gives the CPU's integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.tables import nearest as cuda_nearest
from gpuodds.backends.operations.nearest_centres import NearestCentres

SHAPES = [(40, 50, 37), (33, 8, 3), (20, 1, 70), (1, 5, 1)]  # points, coordinates, centres


def drawn(points: int, coordinates: int, centres: int, most: int = 40) -> tuple[Any, Any]:
    """Return points and centres, some as far from several as from one."""
    draw = np.random.default_rng(points)
    sizes = (points, coordinates), (centres, coordinates)
    return tuple(draw.integers(-most, most, size).astype(np.int32) for size in sizes)  # type: ignore[return-value]


def brute_force(points: Any, centres: Any, squared: bool) -> tuple[Any, Any]:
    off = points[:, None].astype(np.int64) - centres
    distances = (off**2 if squared else np.abs(off)).sum(axis=2)
    return distances.argmin(axis=1), distances.min(axis=1)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_cpu_finds_what_brute_force_does(shape: tuple[int, int, int], squared: bool) -> None:
    points, centres = drawn(*shape)
    found = NearestCentres(points, centres, squared).on_cpu()
    numbers, distances = brute_force(points, centres, squared)
    assert np.array_equal(found.centres, numbers) and np.array_equal(found.distances, distances)


def test_of_several_as_near_the_first() -> None:
    points = np.array([[5], [6]], np.int32)
    centres = np.array([[9], [7], [5], [7], [5]] * 9, np.int32)
    found = NearestCentres(points, centres, False).on_cpu()
    assert found.centres.tolist() == [2, 1] and found.distances.tolist() == [0, 1]


def test_distances_up_to_31_bits() -> None:
    points, centres = np.array([[-(2**30) + 1]], np.int32), np.array([[2**30]], np.int32)
    assert NearestCentres(points, centres, False).on_cpu().distances.tolist() == [2**31 - 1]
    points, centres = np.array([[0, 0]], np.int32), np.array([[32767, 32767]], np.int32)
    assert NearestCentres(points, centres, True).on_cpu().distances.tolist() == [2 * 32767**2]


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gpus_find_what_the_cpu_does(
    cuda: Any, shape: tuple[int, int, int], squared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_nearest, "MAX_DISTANCES", 7 * shape[1] * shape[2])
    operation = NearestCentres(*drawn(*shape), squared)
    found, expected = CudaBackend().count(operation), operation.on_cpu()
    assert found.backend == "cuda"
    assert np.array_equal(found.counts.centres, expected.centres)
    assert np.array_equal(found.counts.distances, expected.distances)


@pytest.mark.parametrize("launch_shape", [(1, 32, 0), (2, 64, 1)], ids=str, indirect=True)
def test_nearest_centres(run: Any) -> None:
    import cupy

    points, centres = drawn(9, 4, 70, most=3)
    numbers, distances = cupy.zeros(9, np.uint16), cupy.zeros(9, np.int32)
    given = cupy.asarray(points), np.int64(9), np.int32(4), cupy.asarray(centres.T.copy())
    run(
        "tables/nearest_centres",
        "nearest_centres",
        *given,
        np.int32(70),
        np.int32(0),
        numbers,
        distances,
    )
    for ours, theirs in zip((numbers, distances), brute_force(points, centres, False), strict=True):
        assert np.array_equal(cupy.asnumpy(ours), theirs)
