// The hand ranks of every holding of two cards on each board of a batch.

#include "board_ranks.cuh"
#include "pairs.cuh"

// `cards` is a (boards, 5) array, `pairs` lists the COMBOS pairs by number. `ranks`, (boards,
// COMBOS), receives the rank of holding pairs[h] on board b at [b, h], 0 if they share a card.
// Nothing is checked. A block takes a board at a time; any grid and block will do.
extern "C" __global__ void rank_combos(
    const Card* __restrict__ cards,
    long long boards,
    const Pair* __restrict__ pairs,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    HandRank* __restrict__ ranks)
{
    __shared__ HandRank plain[RANK_PAIRS];
    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    for (long long b = blockIdx.x; b < boards; b += gridDim.x) {
        __syncthreads();  // nobody reads the last board's ranks any more
        const Board board = load_board(cards + b * BOARD, tables, plain);
        for (int h = threadIdx.x; h < COMBOS; h += blockDim.x) {
            const int low = lower(pairs[h]), high = higher(pairs[h]);
            const bool dealt = ((board.cards >> low | board.cards >> high) & 1) == 0;
            ranks[b * COMBOS + h] = dealt ? holding_rank(board, low, high, tables) : HandRank(0);
        }
    }
}
