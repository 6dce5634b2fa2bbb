"""The stand-in for a GPU itself: warps, barriers, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

SOURCE = """
extern "C" __global__ void scan_warps(const int* given, int* sums, unsigned* votes)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    int sum = given[i];
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(~0u, sum, step);
        if (int(lane) >= step) sum += below;
    }
    int total = given[i];
    for (int mask = 16; mask > 0; mask /= 2) total += __shfl_xor_sync(~0u, total, mask);
    sums[i] = sum + 1000 * (total == __shfl_sync(~0u, sum, 31));
    votes[i] = __ballot_sync(~0u, given[i] & 1);
}

extern "C" __global__ void part(int* out)
{
    if (threadIdx.x < 16) __syncwarp();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void part_at_a_barrier(int* out)
{
    if (threadIdx.x < 32) __syncthreads();
    else __syncwarp();
    out[threadIdx.x] = 1;
}

extern "C" __global__ void remember(int* out)
{
    __shared__ int kept[32];
    int* const mine = &out[blockIdx.x * blockDim.x + threadIdx.x];
    const int value = *mine;
    *mine = kept[threadIdx.x];
    kept[threadIdx.x] = value;
}
"""


@pytest.fixture
def stand_in(cuda: Any) -> Any:
    if cuda.__version__ != "stand-in":
        pytest.skip("tests the stand-in")
    return cuda


def kernel(stand_in: Any, name: str) -> Any:
    return stand_in.RawModule(code=SOURCE, options=("-std=c++17",)).get_function(name)


def test_shared_memory_of_a_block_begins_with_rubbish(stand_in: Any) -> None:
    stand_in.cuda.settings.checks = 0  # which would find just that
    out = stand_in.zeros(3 * 32, np.int32)
    kernel(stand_in, "remember")((3,), (32,), (out,))
    assert set(stand_in.asnumpy(out).view(np.uint32).tolist()) == {0xA5A5A5A5}


@pytest.mark.parametrize("seed", [0, 3])
def test_warps_scan_reduce_and_vote(cuda: Any, seed: int) -> None:
    if cuda.__version__ == "stand-in":
        cuda.cuda.settings.seed = seed
    given = np.random.default_rng(1).integers(0, 20, 192).astype(np.int32)
    sums, votes = cuda.zeros(192, np.int32), cuda.zeros(192, np.uint32)
    kernel(cuda, "scan_warps")((3,), (64,), (cuda.asarray(given), sums, votes))
    warps = given.reshape(6, 32)
    assert np.array_equal(cuda.asnumpy(sums).reshape(6, 32), 1000 + warps.cumsum(axis=1))
    expected = [sum((int(value) & 1) << lane for lane, value in enumerate(warp)) for warp in warps]
    assert cuda.asnumpy(votes).reshape(6, 32)[:, 0].tolist() == expected
