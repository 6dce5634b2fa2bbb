// The matchings of up to two edges of spots of one known hand, summed over boards, in one launch.
//
// Against one or two opponents a class needs no graph by number: its matchings have a closed form. One known
// hand always holds the best known hand, and no card is taken from the deck, so a spot is one group.

#include "known_hands/edge_pairs.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr int PAIR_SUMS = 6;  // boards, and the five of EdgePairs

// The board class number `wanted` of an item, its winners not yet known; `count` receives the number of classes.
struct FoundClass {
    int suit = NO_SUIT;
    RankSet in_suit = 0;
    unsigned boards = 0;

    __host__ __device__ FoundClass(const Item& item, int wanted, int& count)
    {
        count = 0;
        visit_suits(item, [&](int flush_suit, RankSet ranks, unsigned number) {
            if (count++ == wanted) {
                suit = flush_suit;
                in_suit = ranks;
                boards = number;
            }
        });
    }
};

// What the threads of a block have summed, each for a spot; neighbours with the same spot are one run.
struct BlockSums {
    long long spot[GRAPH_THREADS];
    unsigned long long sums[PAIR_SUMS][GRAPH_THREADS];

    // Give the first thread of each run the sum of the run. All threads of the block call this.
    __device__ void add_runs()
    {
        const unsigned thread = threadIdx.x;
        // After a round, each thread has the sum of the first 2 x step threads of its run from itself on.
        for (unsigned step = 1; step < blockDim.x; step *= 2) {
            __syncthreads();
            const bool joined = thread + step < blockDim.x && spot[thread + step] == spot[thread];
            unsigned long long more[PAIR_SUMS];
            for (int i = 0; i < PAIR_SUMS; ++i) more[i] = joined ? sums[i][thread + step] : 0;
            __syncthreads();
            for (int i = 0; i < PAIR_SUMS; ++i) sums[i][thread] += more[i];
        }
    }
};

// Add to the sums of the thread what the classes lane, lane + lanes, ... of an item have.
__device__ inline void add_lane(
    const Item& item, int lane, int lanes, const HandRankTables& tables, BlockSums& block)
{
    const int state = board_state(item, tables);
    int count = lane + 1;
    for (int wanted = lane; wanted < count; wanted += lanes) {
        const FoundClass found(item, wanted, count);
        if (wanted >= count) return;
        const BoardClass board = find_winners(item, state, found.suit, found.in_suit, found.boards, tables);
        Row rows[TYPES];
        const Sizes sizes = load_class(item, board, tables, rows);
        const EdgePairs pairs = count_pairs_of_edges(sizes, rows);
        const unsigned long long boards = found.boards;
        block.sums[0][threadIdx.x] += boards;
        block.sums[1][threadIdx.x] += boards * pairs.losing;
        block.sums[2][threadIdx.x] += boards * pairs.tying;
        block.sums[3][threadIdx.x] += boards * pairs.two_losses;
        block.sums[4][threadIdx.x] += boards * pairs.loss_and_tie;
        block.sums[5][threadIdx.x] += boards * pairs.two_ties;
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Sum boards x matchings over `items` items from `first` on, by spot. 2^lane_bits threads take an item at a time,
// and share its classes; the threads of a block add up what they have of a spot before it goes to memory.
// Shared memory: a spot and six sums a thread (7 KB). A count is below 2^20 and a spot has fewer than 2^22 boards,
// so no sum passes 2^42.
//   spots      spots of one known hand each
//   tables     hand-rank tables
//   first      the first item
//   items      items to sum
//   lane_bits  log2 of the threads that share an item
//   width      edges + 1 and ties + 1 of the sums, 2 or 3
//   sums       (spots, width, width, 2) uint64, lower and upper half of sums by edges and ties, from the spot of
//              the first item on; the lower halves are added to
extern "C" __global__ void __launch_bounds__(GRAPH_THREADS, 4) sum_pairs(
    Spots spots,
    HandRankTables tables,
    long long first,
    long long items,
    int lane_bits,
    int width,
    unsigned long long* __restrict__ sums)
{
    __shared__ BlockSums block;
    const int lanes = 1 << lane_bits;
    const long long first_spot = spots.spot_of(first), threads = (long long)gridDim.x * blockDim.x;
    // Every thread takes part in every round: the sums have barriers.
    for (long long begin = (long long)blockIdx.x * blockDim.x; begin < items << lane_bits; begin += threads) {
        const long long at = begin + threadIdx.x, item = at >> lane_bits;
        block.spot[threadIdx.x] = -1;
        for (int i = 0; i < PAIR_SUMS; ++i) block.sums[i][threadIdx.x] = 0;
        if (item < items) {
            block.spot[threadIdx.x] = spots.spot_of(first + item) - first_spot;
            add_lane(Item(spots, first + item), int(at) & (lanes - 1), lanes, tables, block);
        }
        block.add_runs();
        const long long spot = block.spot[threadIdx.x];
        const bool heads_run = threadIdx.x == 0 || block.spot[threadIdx.x - 1] != spot;
        if (spot >= 0 && heads_run) {
            int sum = 0;
            for (int edges = 0; edges < width; ++edges) {
                for (int ties = 0; ties <= edges; ++ties, ++sum) {
                    // Without an edge there is one matching, with one a loss or a tie.
                    atomicAdd(
                        &sums[((spot * width + edges) * width + ties) * 2], block.sums[sum][threadIdx.x]);
                }
            }
        }
        __syncthreads();
    }
}
