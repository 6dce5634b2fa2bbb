// The hand ranks of every combo on each board of a batch.

#include "shared/board_ranks.cuh"

using namespace gpuodds;

// Rank all 1,326 combos on each of `boards` full boards.
// A block takes a board at a time; its threads share the combos. Shared memory: the ranks without a flush of
// 13 x 13 pairs of card ranks (338 bytes).
//   cards   (boards, 5) uint8, card numbers, no card twice in a row
//   pairs   (1326,) uint16, the two cards of each combo
//   tables  hand-rank tables
//   ranks   (boards, 1326) uint16, receives hand ranks, 0 where the combo shares a card with the board
extern "C" __global__ void rank_combos(
    const Card* __restrict__ cards,
    long long boards,
    const Pair* __restrict__ pairs,
    HandRankTables tables,
    HandRank* __restrict__ ranks)
{
    __shared__ HandRank plain[RANK_PAIRS];
    for (const long long b : grid_stride_blocks(boards)) {
        __syncthreads();  // every thread has read the last board's ranks
        const Board board = load_board(cards + b * BOARD_CARDS, tables, plain);
        for (const int h : block_stride(COMBOS)) {
            ranks[b * COMBOS + h] = combo_rank(board, pairs[h], HandRank(0), tables);
        }
    }
}
