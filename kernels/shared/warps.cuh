// The 32 threads of a warp: the number of a lane and of its warp, and sums over the lanes.
//
// Kernels that use these run in blocks of whole warps.

#pragma once

#include "shared/strides.cuh"

namespace gpuodds {

constexpr int WARP_LANES = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFF;

__device__ inline int lane() { return int(threadIdx.x) % WARP_LANES; }
__device__ inline int warp() { return int(threadIdx.x) / WARP_LANES; }
__device__ inline int warps() { return int(blockDim.x) / WARP_LANES; }

// The items that a warp takes, of those that the warps of a grid share out.
__device__ inline Stride<long long> grid_stride_warps(long long count)
{
    const long long first = (long long)blockIdx.x * warps() + warp();
    return {first, count, (long long)gridDim.x * warps()};
}

// The sum of a value over all lanes, the same bits on each of them: pairs, then pairs of pairs, and so on.
template <class Number> __device__ inline Number warp_sum(Number value)
{
    for (int distance = WARP_LANES / 2; distance > 0; distance /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, distance);
    }
    return value;
}

// The sum of a value over the lanes below this one.
__device__ inline int sum_below(int value)
{
    int sum = value;
    for (int distance = 1; distance < WARP_LANES; distance *= 2) {
        const int below = __shfl_up_sync(ALL_LANES, sum, unsigned(distance));
        if (lane() >= distance) sum += below;
    }
    return sum - value;
}

// Replace counts by the sum of those before each. Every lane of one warp calls this. Returns the sum of all.
__device__ inline int add_up_below(int* counts, int size)
{
    int before = 0;
    for (int begin = 0; begin < size; begin += WARP_LANES) {
        const int at = begin + lane();
        const int count = at < size ? counts[at] : 0;
        const int sum = before + sum_below(count);
        if (at < size) counts[at] = sum;
        before = __shfl_sync(ALL_LANES, sum + count, WARP_LANES - 1);
    }
    return before;
}

}  // namespace gpuodds
