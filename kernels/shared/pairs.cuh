// Colexicographic index of an unordered pair: a and b, a < b, have the number b (b - 1) / 2 + a.
//
// The first n (n - 1) / 2 pairs are those of the first n things, whatever n is. Of 52 cards the pairs are
// the 1,326 combos.

#pragma once

#include "constants.cuh"

namespace gpuodds {

using Pair = unsigned short;  // the lower in its low byte, the higher in its high byte

static_assert(COMBOS == DECK_SIZE * (DECK_SIZE - 1) / 2, "a combo is a pair of cards");

__host__ __device__ inline int lower(Pair pair) { return pair & 0xFF; }
__host__ __device__ inline int higher(Pair pair) { return pair >> 8; }

__host__ __device__ inline unsigned long long pair_cards(Pair pair)
{
    return 1ULL << lower(pair) | 1ULL << higher(pair);
}

}  // namespace gpuodds
