// The hand rank of five to seven cards by the sum of their keys.
//
// The tables are those of gpuodds/games/holdem/rank_sums.py. The low SUM_BITS bits of a key stand for the
// card's rank, so chosen that no two multisets of as many ranks have the same sum; above them three octal
// digits count the cards of the first three suits, of which a hand of seven fills none. Two look-ups in
// a table turn the sum into a hand rank: half the size that a table by the automaton's states has, small
// enough for the shared memory of a data-center GPU.

#pragma once

#include "shared/hand_rank.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

using KeySum = unsigned;

constexpr int SUIT_DIGITS = 512;  // values of three octal digits
constexpr int COLUMNS = 1 << COLUMN_BITS;
constexpr int ROWS = 1 << (SUM_BITS - COLUMN_BITS);
constexpr int WIDE_LOAD = 16;  // bytes

static_assert(SUIT_DIGITS == 1 << (32 - SUM_BITS), "ranks and suits fill 32 bits");
static_assert(SPREAD % 2 == 1, "an even factor would give two sums the same row and column");

// Kernels take the tables for hands of one size by value.
struct RankSums {
    const KeySum* __restrict__ keys;               // (52,): of each card
    const unsigned char* __restrict__ flush_suits;  // (512,): by suit digits, 1 + the suit of a flush, or 0
    const HandRank* __restrict__ table;            // (size,): an offset for each row, then hand ranks
    const HandRank* __restrict__ flush;            // (8192,): the best flush of a RankSet
    int size;                                      // a multiple of eight: WIDE_LOAD bytes
};

static_assert(PACKED_RANK_SUMS(RankSums), "Python packs the tables in another layout");

// The hand rank without a flush. Any sum is safe: the table has COLUMNS entries after the last row's offset.
__host__ __device__ inline HandRank plain_rank(KeySum sum, const HandRank* table)
{
    // The product drops the suits; its upper bits spread the rows, of which some would be crowded.
    const unsigned row = sum * (unsigned(SPREAD) << (32 - SUM_BITS)) >> (32 - SUM_BITS + COLUMN_BITS);
    return table[ROWS + table[row] + (sum & (COLUMNS - 1))];
}

// The small tables, in shared memory.
struct CardKeys {
    KeySum keys[DECK_SIZE];
    unsigned char flush_suits[SUIT_DIGITS];

    // The threads of a block share the work. A barrier must follow.
    __device__ void load(const RankSums& sums)
    {
        for (const int card : block_stride(DECK_SIZE)) keys[card] = sums.keys[card];
        for (const int x : block_stride(SUIT_DIGITS)) flush_suits[x] = sums.flush_suits[x];
    }

    // 1 + the suit that makes a flush, or 0. No hand of seven cards beats its flush: four of a rank or
    // a full house repeat three cards' ranks, and at most two cards are not of the suit.
    __device__ unsigned flush_suit(KeySum sum) const { return flush_suits[sum >> SUM_BITS]; }
};

// The block's dynamic shared memory.
__device__ inline HandRank* dynamic_table()
{
    extern __shared__ uint4 dynamic_memory[];
    return reinterpret_cast<HandRank*>(dynamic_memory);
}

// Copy the table to dynamic shared memory, which has room for it. A barrier must follow.
__device__ inline const HandRank* copy_table(const RankSums& sums)
{
    struct alignas(WIDE_LOAD) Wide {
        unsigned words[WIDE_LOAD / 4];
    };
    HandRank* copy = dynamic_table();
    for (const int x : block_stride(sums.size * int(sizeof(HandRank)) / WIDE_LOAD)) {
        reinterpret_cast<Wide*>(copy)[x] = reinterpret_cast<const Wide*>(sums.table)[x];
    }
    return copy;
}

}  // namespace gpuodds
