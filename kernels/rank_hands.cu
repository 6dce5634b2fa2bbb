// The hand ranks of a batch of hands, all of five, six or seven cards.

#include "hand_rank.cuh"

// `cards` is a (hands, size) array; `ranks` receives one hand rank a row. Nothing is checked. Any grid
// will do: each thread takes every so many hands as the grid has threads.
extern "C" __global__ void rank_hands(
    const Card* __restrict__ cards,
    long long hands,
    int size,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    HandRank* __restrict__ ranks)
{
    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < hands; i += threads) {
        ranks[i] = hand_rank(cards + i * size, size, tables);
    }
}
