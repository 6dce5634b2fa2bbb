"""Two boards by kernels: the integers of the CPU backend."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.double_boards import pairs as cuda_pairs
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import THREADS
from gpuodds.backends.operations.double_boards import PairsOnTwoBoards, SubsetCounts


def subset_operation(deck: int, size: int, most: int) -> SubsetCounts:
    rng = np.random.default_rng(deck + size)
    labels = rng.integers(0, 3, comb(deck, size)).astype(np.uint8)
    return SubsetCounts(labels, deck, size, most, 3)


def pairs_operation(deck: int, size: int, heroes: int, others: int) -> PairsOnTwoBoards:
    """Return ranks of few values, so that many tie, symmetric as tables of pairs of cards are."""
    rng = np.random.default_rng(deck + size)
    shape = (deck, deck) if size == 2 else (deck**size,)
    ranks = [rng.integers(0, 5, (2, hands, *shape)).astype(np.uint16) for hands in (heroes, others)]
    if size == 2:
        for of in ranks:
            of[:] = np.triu(of, 1) + np.triu(of, 1).swapaxes(2, 3)
    first, second = (of.reshape(*of.shape[:2], -1) for of in ranks)
    return PairsOnTwoBoards(first, second, deck, size)


@pytest.mark.parametrize(
    ("deck", "size", "most"),
    [(9, 5, 4), (9, 5, 2), (12, 4, 4), (20, 3, 3), (45, 2, 2), (44, 1, 1), (7, 0, 0)],
)
def test_sets_of_cards(cuda: Any, deck: int, size: int, most: int) -> None:
    operation = subset_operation(deck, size, most)
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts.dtype == np.int64
    assert np.array_equal(found.counts, operation.on_cpu())


@pytest.mark.parametrize(("deck", "size"), [(11, 2), (17, 2), (44, 1), (40, 0)])
def test_pairs(cuda: Any, deck: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_pairs, "MAX_CELLS", 1000)
    operation = pairs_operation(deck, size, 7, 5)
    found = CudaBackend().count(operation)
    assert found.backend == "cuda" and found.counts.dtype == np.int32
    assert np.array_equal(found.counts, operation.on_cpu())


def test_count_runout_subsets(cuda: Any) -> None:
    import cupy

    operation = subset_operation(8, 3, 2)
    counts = cupy.zeros((1 + 8 + 28, 3), np.uint32)
    sizes = (np.int32(number) for number in (8, 3, 2, 3))
    given = cupy.asarray(operation.labels), np.int64(len(operation.labels)), *sizes, counts
    device.launch("double_boards/subsets", "count_runout_subsets", 56, THREADS, given)
    assert np.array_equal(cupy.asnumpy(counts).astype(np.int64), operation.on_cpu())


def test_count_pairs_on_two_boards(cuda: Any) -> None:
    import cupy

    operation = pairs_operation(6, 2, 3, 4)
    ours = cupy.asarray(operation.first)
    theirs = cupy.asarray(np.ascontiguousarray(operation.second.transpose(0, 2, 1)))
    counts = cupy.empty((3, 4, 8), np.int32)
    table = (np.int32(number) for number in (6, 6, 2))
    given = ours, theirs, np.int64(3), np.int64(4), *table, counts
    device.launch("double_boards/pairs", "count_pairs_on_two_boards", 12, THREADS, given)
    assert np.array_equal(cupy.asnumpy(counts), operation.on_cpu())
