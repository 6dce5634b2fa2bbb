// Integers of several words: counts of one or two limbs, sums of 128 bits.

#pragma once

#include "constants.cuh"

namespace gpuodds {

using Limb = unsigned long long;
using Sum = unsigned __int128;

constexpr Limb LOW_LIMB = (1ULL << LIMB_BITS) - 1;

static_assert(sizeof(Sum) == 2 * sizeof(Limb), "Python reads a sum as a lower and an upper half");

// low + high * 2^LIMB_BITS. Between carries the lower limb may pass LIMB_BITS bits: 2^16 limbs can be added
// before it passes 64.
struct TwoLimbs {
    Limb low = 0, high = 0;

    // Add a number `factor` times.
    __host__ __device__ void add(TwoLimbs number, int factor)
    {
        low += factor * number.low;
        high += factor * number.high;
    }

    __host__ __device__ void carry()
    {
        high += low >> LIMB_BITS;
        low &= LOW_LIMB;
    }

    __host__ __device__ Sum sum() const { return Sum(low) + (Sum(high) << LIMB_BITS); }
};

// A plane of numbers, each in one limb, modulo 2^64, or in two, the higher a plane further on.
struct Plane {
    int limbs, size;

    __host__ __device__ TwoLimbs load(const Limb* at) const
    {
        return {at[0], limbs == 2 ? at[size] : 0};
    }

    __host__ __device__ void store(Limb* at, TwoLimbs number) const
    {
        if (limbs == 2) {
            number.carry();
            at[size] = number.high;
        }
        at[0] = number.low;
    }
};

}  // namespace gpuodds
