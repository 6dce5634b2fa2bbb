// Bit operations under one name on the device and on the host.

#pragma once

namespace gpuodds {

// The index of the lowest set bit; `bits` is not 0.
__host__ __device__ inline int lowest_bit(unsigned bits)
{
#ifdef __CUDA_ARCH__
    return __ffs(int(bits)) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

// The number of set bits.
__host__ __device__ inline int count_bits(unsigned bits)
{
#ifdef __CUDA_ARCH__
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

// `sum` and the dot product of the halves of a word and the two lowest bytes of another.
__host__ __device__ inline unsigned dot_halves(unsigned halves, unsigned bytes, unsigned sum)
{
#ifdef __CUDA_ARCH__
    return __dp2a_lo(halves, bytes, sum);
#else
    return sum + (halves & 0xFFFF) * (bytes & 0xFF) + (halves >> 16) * (bytes >> 8 & 0xFF);
#endif
}

}  // namespace gpuodds
