// Every combo against clusters of hands, over all runouts of boards: wins less losses.

#include "shared/board_ranks.cuh"
#include "shared/runouts.cuh"

using namespace gpuodds;

// Count, for each of `boards` boards and combos, by cluster of the opponent's combo, the wins less the losses.
// A block takes a board and up to `share` of its runouts at a time, a full board after another; its threads share
// the combos, and each compares its own with all others, cluster by cluster. Shared memory: the ranks of 13 x 13
// pairs of card ranks, those of all combos in the order of the clusters (2.6 KB), their cards (2.6 KB). Counts are
// below 1,081 x 1,176 < 2^21.
//   cards     (boards, size) uint8, card numbers, no card twice in a row; size is 3 to 5
//   runouts   (num_runouts, 5 - size) uint8, the ways to complete a board, as ascending places among the cards
//             of the deck that are not on it
//   share     runouts that a block takes at a time
//   pairs     (1326,) uint16, the two cards of each combo, cluster by cluster
//   combos    (1326,) uint16, the numbers of these combos
//   ends      (8,) int32, where each cluster ends in that order
//   tables    hand-rank tables
//   counts    (boards, 1326, 8) int32, by combo and cluster, added to
extern "C" __global__ void against_clusters(
    const Card* __restrict__ cards,
    int size,
    long long boards,
    const Card* __restrict__ runouts,
    int num_runouts,
    int share,
    const Pair* __restrict__ pairs,
    const unsigned short* __restrict__ combos,
    const int* __restrict__ ends,
    HandRankTables tables,
    int* __restrict__ counts)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ HandRank ranks[COMBOS];
    __shared__ Pair held[COMBOS];
    const int shares = (num_runouts + share - 1) / share;
    for (const int h : block_stride(COMBOS)) held[h] = pairs[h];
    for (const long long item : grid_stride_blocks(boards * shares)) {
        const long long b = item / shares;
        const int begin = int(item % shares) * share;
        const int end = begin + share < num_runouts ? begin + share : num_runouts;
        for (int runout = begin; runout < end; ++runout) {
            Card full[BOARD_CARDS];
            complete_board(cards + b * size, size, runouts + runout * (BOARD_CARDS - size), 0, full);
            const Board board = load_board(full, tables, plain);  // its barrier: the last board is counted
            for (const int h : block_stride(COMBOS)) ranks[h] = combo_rank(board, held[h], HandRank(0), tables);
            __syncthreads();
            for (const int h : block_stride(COMBOS)) {
                const HandRank rank = ranks[h];
                if (!rank) continue;
                const int one = lower(held[h]), other = higher(held[h]);
                int v = 0;
                for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
                    int won = 0;
                    for (; v < ends[cluster]; ++v) {
                        const int low = lower(held[v]), high = higher(held[v]);
                        const bool meets = low == one || low == other || high == one || high == other;
                        if (ranks[v] && !meets) won += (rank > ranks[v]) - (rank < ranks[v]);
                    }
                    if (won) atomicAdd(&counts[(b * COMBOS + combos[h]) * CLUSTERS + cluster], won);
                }
            }
        }
    }
}
