// Four to six ranges against each other on full boards: three of a hero's opponents are counted in closed form, the
// combos of one or two more are listed.
// Players who have folded are the last: all their combos are lower than the hero's.
//
// A block goes through the combos of a board level by level, by ascending rank, and keeps the lower and the tied
// combos of each player: rows of bits for weights 0 and 1, or sums of weights. A warp takes a hero's combo, and each
// set of opponents who tie with it.

#include "ranges/bit_rows.cuh"
#include "ranges/weighted_rows.cuh"

namespace gpuodds {

// Count the heroes' combos that tie with a level, those of a part; or all deals of combos from place `first` to the
// level's end.
template <class Table>
__device__ inline void count_heroes(
    const Table& table, const Level& level, int first, bool all_deals, int part, const Plans& plans,
    const Results<typename Table::Weights>& results)
{
    const Showdowns& given = results.given;
    const typename Table::Weights weights(given);
    for (int x = first * plans.heroes + warp(); x < level.last * plans.heroes; x += warps()) {
        const int hero = x % plans.heroes, i = table.sorted.order[x / plans.heroes];
        // Parts go by the numbers of combos: places differ from board to board, and parts add to the same sums.
        if (i % given.parts != part) continue;
        const Pair pair = level.combos.pairs[i];
        const int u = lower(pair), v = higher(pair), player = plans.player[hero];
        const Cell cell = table.sorted.cell(u, v);
        if (!is_member(cell, player)) continue;
        typename Table::Sum deals = 0;  // of the set whose number is the lane's
        for (int set = 0; set < (all_deals ? 1 : plans.sets()); ++set) {
            const Plan& plan = plans.plan(hero, set);
            if (!can_be(plan, table.counts, plans.num_listed)) continue;
            const typename Table::Sum found = count_deals(table, level, plans, plan, pair);
            if (lane() == set) deals = found;
        }
        results.add(hero, i, rank_in(cell), weights.of(player, cell, u, v), deals, all_deals);
    }
}

// `table` is the block's, in shared memory.
template <class Table>
__device__ inline void count_three_opponents(
    Table& table, const Showdowns& given, const Plans& plans, const HandRankTables& tables, long long base_item,
    long long first_item, long long items, typename Table::Sum* sums, typename Table::Sum* made)
{
    using Weights = typename Table::Weights;
    const Weights weights(given);
    const Combos combos = given.combos();
    const int base_piece = int(base_item / given.parts), sets = plans.sets();
    for (const long long x : grid_stride_blocks(items)) {
        const long long item = first_item + x;
        const int piece = int(item / given.parts), part = int(item % given.parts);
        Results<Weights> results{
            given, sets, sums + (long long)(piece - base_piece) * plans.heroes * given.num_combos * sets,
            made + ((item - base_item) * SHOWDOWN_WARPS + warp()) * plans.heroes * CATEGORIES * (sets + 1), 0};
        for (int board = given.first_board(piece); board < given.first_board(piece + 1); ++board) {
            results.times = given.times[board];
            __syncthreads();  // every thread has read the last board
            table.clear(plans);
            table.sorted.template sort<Weights::IN_ORDER>(
                given.boards + (long long)board * given.size, given.size, combos, tables);
            const int dealt = table.sorted.dealt;
            if (plans.folded) {
                const Level all{table.sorted, combos, 0, dealt};
                table.open_level(all, true, weights, plans);
                table.close_level(all, plans);
            }
            for (int x = 0; x < table.sorted.levels; ++x) {
                const Level level{table.sorted, combos, table.sorted.first[x], table.sorted.first[x + 1]};
                table.open_level(level, false, weights, plans);
                count_heroes(table, level, level.first, false, part, plans, results);
                __syncthreads();
                table.close_level(level, plans);
            }
            // With all deals every combo is a lower one: those of all places.
            const Level none{table.sorted, combos, dealt, dealt};
            if (given.with_made) count_heroes(table, none, 0, true, part, plans, results);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the deals that each combo of some heroes wins or splits, for weights 0 and 1, of four to six players.
// A block takes an item at a time, `parts` of which share a piece of the boards, and counts board by board; a warp
// takes a hero's combo. Shared memory: the sorted combos (24 KB) and rows of bits (5 KB). A caller bounds deals x
// boards x times so that sums stay below 2^63.
//   given       boards and combos; members as member_bit has them; weights are not read
//   plans       the players whose combos are counted
//   tables      hand-rank tables
//   base_item   the item, piece * parts + part, at which sums and made begin, of part 0
//   first_item  the first item of this launch
//   items       the number of items of this launch
//   sums        (pieces, heroes, combos, sets) int64, deals by the set of opponents who tie, added to
//   made        (items, SHOWDOWN_WARPS, heroes, CATEGORIES, sets + 1) int64, the same by category of the hero's
//               hand and in the last column all deals, added to; of any size unless with_made
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_three_opponents_exact(
    Showdowns given, Plans plans, HandRankTables tables, long long base_item, long long first_item,
    long long items, long long* __restrict__ sums, long long* __restrict__ made)
{
    __shared__ BitRows table;
    count_three_opponents(table, given, plans, tables, base_item, first_item, items, sums, made);
}

// The same for any weights, with a hero's own weight left out of sums and part of made, both float64.
//   scratch     (blocks,) WeightSums, arbitrary: a block of them is 1.7 MB
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, WEIGHTED_BLOCKS) count_three_opponents_weighted(
    Showdowns given, Plans plans, HandRankTables tables, long long base_item, long long first_item,
    long long items, double* scratch, double* __restrict__ sums, double* __restrict__ made)
{
    __shared__ WeightedRows table;
    if (threadIdx.x == 0) table.sums = reinterpret_cast<WeightSums*>(scratch) + blockIdx.x;
    count_three_opponents(table, given, plans, tables, base_item, first_item, items, sums, made);
}
