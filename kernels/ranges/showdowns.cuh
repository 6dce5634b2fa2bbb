// Showdowns of ranges: what kernels are given, how weights are read, where sums go.

#pragma once

#include "ranges/sorted_board.cuh"

namespace gpuodds {

constexpr int SHOWDOWN_WARPS = SHOWDOWN_THREADS / WARP_LANES;
[[maybe_unused]] constexpr int WEIGHTED_BLOCKS = 2;  // a multiprocessor runs at once: at most 128 registers a thread

// The boards are cut into pieces. An item is a piece and a part: a block counts the hero combos of that part
// on the boards of that piece, in order, and adds to sums that no other block touches. So sums do not depend
// on how many blocks run, nor when. Kernels take this by value.
struct Showdowns {
    const Card* __restrict__ boards;       // (num_boards, size)
    const long long* __restrict__ times;   // (num_boards,): how often each board counts
    const Pair* __restrict__ pairs;        // (num_combos,): the combos in any range, ascending
    const unsigned short* __restrict__ members;  // (num_combos,): who may hold each
    const double* __restrict__ weights;    // (players, 52, 52) by two cards, both ways; exact counts read none
    const int* __restrict__ category_ends;  // (CATEGORIES,): the lowest rank above each category
    int num_boards, num_combos;
    int size;      // cards of a board, BOARD_CARDS or 0: no board, on which all combos tie
    int pieces, parts;
    int with_made;  // whether to count by the category of the hero's hand, too

    __device__ Combos combos() const { return {pairs, members, num_combos}; }
    __device__ int first_board(int piece) const { return int((long long)num_boards * piece / pieces); }
};

static_assert(1 << (MAX_RANGES - 1) <= WARP_LANES, "a lane for each set of opponents who tie");
static_assert(PACKED_SHOWDOWNS(Showdowns), "Python packs showdowns in another layout");

// Weights 0 and 1: whether a player is a member says it all.
struct Exact {
    static constexpr bool IN_ORDER = false;  // sums are the same in any order
    using Number = int;     // of one board and combo: at most 1,326 x 1,326
    using Sum = long long;  // over boards, and over the combos of listed opponents

    __host__ __device__ Exact(const Showdowns&) {}
    __device__ int of(int player, Cell cell, int, int) const { return is_member(cell, player); }
};

// Any weights. Sums are rounded, always in the same order.
struct Weighted {
    static constexpr bool IN_ORDER = true;
    using Number = double;
    using Sum = double;
    const double* __restrict__ weights;

    __host__ __device__ Weighted(const Showdowns& given) : weights(given.weights) {}
    __device__ double of(int player, Cell cell, int one, int two) const
    {
        if (!is_member(cell, player)) return 0.0;
        return weights[(player * DECK_SIZE + one) * DECK_SIZE + two];
    }
};

// Where a warp adds what it finds: `sums` are those of the piece, `made` those of the item and warp.
template <class Weights> struct Results {
    const Showdowns& given;
    int sets;  // of opponents who tie, a lane for each
    typename Weights::Sum* sums;
    typename Weights::Sum* made;
    typename Weights::Sum times;

    __device__ void add(
        int hero, int i, HandRank rank, typename Weights::Number own, typename Weights::Sum deals,
        bool all_deals) const
    {
        typename Weights::Sum* const row =
            made + (hero * CATEGORIES + hand_category(rank, given.category_ends)) * (sets + 1);
        if (all_deals) {
            if (lane() == 0) row[sets] += times * own * deals;
            return;
        }
        if (lane() >= sets) return;
        sums[((long long)hero * given.num_combos + i) * sets + lane()] += times * deals;
        if (given.with_made) row[lane()] += times * own * deals;
    }
};

}  // namespace gpuodds
