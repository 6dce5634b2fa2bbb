// The ranks of a batch of Omaha hands, each on a board of its own.

#include "omaha/rank.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

template <int HOLE>
__device__ inline void rank_hands(
    const Card* hands, const Card* boards, int size, long long count, const OmahaTables& tables,
    HandRank* ranks)
{
    for (const long long h : grid_stride(count)) {
        Card hole[HOLE];
        for (int i = 0; i < HOLE; ++i) hole[i] = hands[h * HOLE + i];
        OmahaCards board;
        for (int i = 0; i < size; ++i) board.add(boards[h * size + i], tables);
        ranks[h] = OmahaBoard(board).rank<HOLE>(hole, tables);
    }
}

// The low set of some cards.
__device__ inline int low_set_of(const Card* cards, int count)
{
    unsigned ranks = 0;
    for (int i = 0; i < count; ++i) ranks |= 1u << rank_of(cards[i]);
    return low_set(RankSet(ranks));
}

}  // namespace gpuodds

using namespace gpuodds;

// Rank `count` hands, high. A thread takes a hand at a time.
//   hands       (count, hole_cards) uint8, card numbers; hole_cards is 4, 5 or 6
//   boards      (count, size) uint8, card numbers; size is 3, 4 or 5; no card twice in a row of both
//   tables      tables of Omaha
//   ranks       (count,) uint16, receives hand ranks 1 to 7462
extern "C" __global__ void rank_omaha(
    const Card* __restrict__ hands,
    int hole_cards,
    const Card* __restrict__ boards,
    int size,
    long long count,
    OmahaTables tables,
    HandRank* __restrict__ ranks)
{
    switch (hole_cards) {
        case 4: return rank_hands<4>(hands, boards, size, count, tables, ranks);
        case 5: return rank_hands<5>(hands, boards, size, count, tables, ranks);
        case 6: return rank_hands<6>(hands, boards, size, count, tables, ranks);
    }
}

// Rank `count` hands, low. A thread takes a hand at a time; arguments as for rank_omaha.
//   ranks  (count,) uint8, receives low ranks 1 to 56, 0 for no low
extern "C" __global__ void rank_omaha_lows(
    const Card* __restrict__ hands,
    int hole_cards,
    const Card* __restrict__ boards,
    int size,
    long long count,
    OmahaTables tables,
    LowRank* __restrict__ ranks)
{
    for (const long long h : grid_stride(count)) {
        const int board = low_set_of(boards + h * size, size);
        ranks[h] = tables.lows[board * LOW_SETS + low_set_of(hands + h * hole_cards, hole_cards)];
    }
}
