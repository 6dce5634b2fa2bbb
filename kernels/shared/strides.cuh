// Loops whose items the threads of a grid or a block share out.
//
//     for (const long long i : grid_stride(count)) ...         a thread takes an item
//     for (const long long i : grid_stride_blocks(count)) ...  a block takes an item
//     for (const int i : block_stride(count)) ...              a block's threads share the items
//
// Each visits 0 to count - 1 once, for any size of grid and block.

#pragma once

namespace gpuodds {

// The numbers begin, begin + step, begin + 2 step, ... below end.
template <class Number> struct Stride {
    struct Iterator {
        Number at, step;

        __device__ Number operator*() const { return at; }
        __device__ void operator++() { at += step; }
        __device__ bool operator!=(const Iterator& last) const { return at < last.at; }
    };

    Number first, last, step;

    __device__ Iterator begin() const { return {first, step}; }
    __device__ Iterator end() const { return {last, step}; }
};

__device__ inline Stride<long long> grid_stride(long long count)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    return {(long long)blockIdx.x * blockDim.x + threadIdx.x, count, threads};
}

__device__ inline Stride<long long> grid_stride_blocks(long long count)
{
    return {(long long)blockIdx.x, count, (long long)gridDim.x};
}

// Unsigned, or the compiler unrolls these loops, at a third more registers.
__device__ inline Stride<unsigned> block_stride(int count)
{
    return {threadIdx.x, unsigned(count), blockDim.x};
}

}  // namespace gpuodds
