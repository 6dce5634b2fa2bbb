// The hand ranks of a batch of hands.

#include "hand_rank.cuh"
#include "strides.cuh"

using namespace gpuodds;

// Rank `hands` hands of `size` cards each. A thread takes a hand at a time.
//   cards   (hands, size) uint8, card numbers, no card twice in a row; size is 5, 6 or 7
//   tables  hand-rank tables
//   ranks   (hands,) uint16, receives hand ranks 1 to 7462
extern "C" __global__ void rank_hands(
    const Card* __restrict__ cards,
    long long hands,
    int size,
    HandRankTables tables,
    HandRank* __restrict__ ranks)
{
    for (const long long i : grid_stride(hands)) ranks[i] = hand_rank(cards + i * size, size, tables);
}
