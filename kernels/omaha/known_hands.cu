// Known hands of Omaha against each other: the full boards by who has the best high and the best low.

#include "omaha/rank.cuh"
#include "shared/strides.cuh"
#include "shared/subsets.cuh"

namespace gpuodds {

using Wide = unsigned long long;

// What the threads of a block share.
struct KnownHands {
    static constexpr int CELLS = 1 << MAX_OMAHA_PLAYERS;  // all masks of high hands
    static constexpr int MAX_HOLE_CARDS = 6;

    Card hands[MAX_OMAHA_PLAYERS * MAX_HOLE_CARDS];
    unsigned boards[CELLS];  // by cell, if all cells have room
};

template <int HOLE>
__device__ inline void count_boards(
    KnownHands& block, int players, const OmahaCards& given, const Card* deck, int cards, int to_come,
    long long first, long long count, const OmahaTables& tables, bool with_lows, bool in_shared, Wide* sums)
{
    for (const long long i : grid_stride(count)) {
        OmahaCards dealt = given;
        visit_subset(unsigned(first + i), cards, to_come, [&](int place) { dealt.add(deck[place], tables); });
        const OmahaBoard board(dealt);
        Best high, low;
#pragma unroll 1
        for (int player = 0; player < players; ++player) {
            const Card* const hand = block.hands + HOLE * player;
            high.add(player, board.rank<HOLE>(hand, tables));
            if (with_lows) low.add(player, board.low<HOLE>(hand, tables));
        }
        const unsigned cell = low.players << players | high.players;
        if (in_shared) {
            atomicAdd(&block.boards[cell], 1u);
        } else {
            atomicAdd(&sums[cell], Wide(1));
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the full boards `first` to `first + count`, at most 2^32 - 1 of them. A thread takes a board at a time.
// Shared memory: the hands, and a 32-bit counter for each cell if all have room (8 KB).
//   hands      (players, hole_cards) uint8, card numbers; hole_cards is 4, 5 or 6, at most 11 players
//   board      (num_board,) uint8, the board cards
//   deck       (cards,) uint8, the cards that are not known; full boards go by the numbers of subsets of its places
//   tables     tables of Omaha
//   with_lows  whether the game has a low
//   sums       (2^players or, without lows, 1; 2^players) uint64, added to: boards by the players with the best
//              low and those with the best high
extern "C" __global__ void count_omaha_hands(
    const Card* __restrict__ hands,
    int players,
    int hole_cards,
    const Card* __restrict__ board,
    int num_board,
    const Card* __restrict__ deck,
    int cards,
    long long first,
    long long count,
    OmahaTables tables,
    int with_lows,
    Wide* __restrict__ sums)
{
    __shared__ KnownHands block;
    const int cells = 1 << players * (with_lows ? 2 : 1);
    const bool lows = with_lows != 0, in_shared = cells <= KnownHands::CELLS;
    for (const int x : block_stride(players * hole_cards)) block.hands[x] = hands[x];
    for (const int x : block_stride(in_shared ? cells : 0)) block.boards[x] = 0;
    __syncthreads();
    OmahaCards given;
    for (int i = 0; i < num_board; ++i) given.add(board[i], tables);
    const auto count_them = [&](auto size) {
        count_boards<size.value>(
            block, players, given, deck, cards, BOARD_CARDS - num_board, first, count, tables, lows, in_shared,
            sums);
    };
    if (hole_cards == 4) count_them(Size<4>{});
    if (hole_cards == 5) count_them(Size<5>{});
    if (hole_cards == 6) count_them(Size<6>{});
    __syncthreads();
    for (const int x : block_stride(in_shared ? cells : 0)) {
        if (block.boards[x]) atomicAdd(&sums[x], Wide(block.boards[x]));
    }
}
