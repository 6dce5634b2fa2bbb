// The full boards that each set of known hands wins, for many pairs of hands, or for more hands together.

#include "shared/board_classes.cuh"
#include "shared/strides.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

constexpr int PAIR_RESULTS = 3;  // the first hand wins, the second one, both

// Add up the boards of an item of more than two hands, of which few sets of winners come more than once.
__device__ inline void add_winners(const Item& item, const HandRankTables& tables, unsigned long long* sums)
{
    const int state = board_state(item, tables);
    visit_suits(item, [&](int suit, RankSet in_suit, unsigned boards) {
        const unsigned winners = find_winners(item, state, suit, in_suit, boards, tables).winners;
        if (boards) atomicAdd(&sums[winners - 1], (unsigned long long)boards);
    });
}

}  // namespace gpuodds

using namespace gpuodds;

// Add up the boards of `items` items from `first` on, by spot and by who wins. A thread takes an item at a time;
// lanes of a warp that have one spot add up what they have before it goes to memory. A pair of hands has at most
// C(48, 5) = 1,712,304 boards.
//   spots   spots of two to six known hands each, as many in all
//   tables  hand-rank tables
//   first   the first item
//   items   items to add up
//   sums    (spots, 2^hands - 1) uint64, boards of all spots by the hands that win, a mask less 1; added to
extern "C" __global__ void sum_winners(
    Spots spots,
    HandRankTables tables,
    long long first,
    long long items,
    unsigned long long* __restrict__ sums)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    // Every thread takes part in every round: lanes exchange what they have.
    for (long long begin = (long long)blockIdx.x * blockDim.x; begin < items; begin += threads) {
        const long long at = begin + threadIdx.x;
        const long long spot = at < items ? spots.spot_of(first + at) : -1;
        if (spots.players > 2) {
            const long long results = (1ll << spots.players) - 1;
            if (spot >= 0) add_winners(Item(spots, first + at), tables, &sums[spot * results]);
            continue;
        }
        unsigned boards_won[PAIR_RESULTS] = {};
        if (spot >= 0) {
            const Item item(spots, first + at);
            const int state = board_state(item, tables);
            visit_suits(item, [&](int suit, RankSet in_suit, unsigned boards) {
                const unsigned winners = find_winners(item, state, suit, in_suit, boards, tables).winners;
                for (int result = 0; result < PAIR_RESULTS; ++result) {
                    boards_won[result] += int(winners) == result + 1 ? boards : 0;
                }
            });
        }
        const bool same = __all_sync(ALL_LANES, spot == __shfl_sync(ALL_LANES, spot, 0));
        for (int result = 0; result < PAIR_RESULTS; ++result) {
            const unsigned sum = same ? warp_sum(boards_won[result]) : boards_won[result];
            if (spot >= 0 && sum && (!same || lane() == 0)) {
                atomicAdd(&sums[spot * PAIR_RESULTS + result], (unsigned long long)sum);
            }
        }
    }
}
