// The pairs of hole cards on a full board of Omaha, by level: their hand ranks in order, without gaps.
//
// A hand's level is the highest of its pairs'. A board has some hundred levels.

#pragma once

#include "omaha/rank.cuh"
#include "shared/pairs.cuh"
#include "shared/strides.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

using Level = unsigned char;

constexpr int CARDS_LEFT = DECK_SIZE - BOARD_CARDS;
// Without a flush two ranks decide; a flush takes two of the ten ranks or fewer that the board lacks.
constexpr int MAX_LEVELS = TWO_RANKS + (RANKS - PLAYING_BOARD_CARDS) * (RANKS - PLAYING_BOARD_CARDS - 1) / 2;
constexpr Level BLOCKED = 255;
constexpr int RANK_WORDS = HIGHEST_RANK / 32 + 1;

static_assert(MAX_LEVELS < BLOCKED, "a byte is enough");

// Shared by a block.
struct PairLevels {
    Level level[COMBOS];      // by the number of the pair; BLOCKED if one of its cards is on the board
    Card places[DECK_SIZE];   // of a card among those that are not on the board
    int count;                // of levels
    unsigned lows[2];         // the low ranks that occur, bit r for low rank r
    HandRank ranks[COMBOS];   // of pairs
    unsigned occurs[RANK_WORDS];
    int below[RANK_WORDS];

    // The threads of a block share the work. A barrier must come before and after.
    __device__ void load(const OmahaBoard& board, CardBits dealt, const Pair* pairs, const OmahaTables& tables)
    {
        if (threadIdx.x < 2) lows[threadIdx.x] = 0;
        for (const int word : block_stride(RANK_WORDS)) occurs[word] = 0;
        for (const int card : block_stride(DECK_SIZE)) {
            places[card] = Card(count_cards(~dealt & ((1ULL << card) - 1)));
        }
        __syncthreads();
        for (const int x : block_stride(COMBOS)) {
            const int one = lower(pairs[x]), two = higher(pairs[x]);
            ranks[x] = 0;
            if ((dealt >> one | dealt >> two) & 1) continue;
            const Card cards[2] = {Card(one), Card(two)};
            ranks[x] = board.rank<2>(cards, tables);
            atomicOr(&occurs[ranks[x] / 32], 1u << ranks[x] % 32);
            const int low = board.low<2>(cards, tables);
            if (low) atomicOr(&lows[low / 32], 1u << low % 32);
        }
        __syncthreads();
        for (const int word : block_stride(RANK_WORDS)) below[word] = count_bits(occurs[word]);
        __syncthreads();
        if (warp() == 0) {
            const int total = add_up_below(below, RANK_WORDS);
            if (lane() == 0) count = total;
        }
        __syncthreads();
        for (const int x : block_stride(COMBOS)) {
            const int word = ranks[x] / 32;
            const unsigned lower_bits = (1u << ranks[x] % 32) - 1;
            level[x] = ranks[x] ? Level(below[word] + count_bits(occurs[word] & lower_bits)) : BLOCKED;
        }
    }

    // The number of low ranks that occur up to one, 0 for no low.
    __device__ int low_level(int low) const
    {
        const CardBits all = CardBits(lows[1]) << 32 | lows[0];
        return count_cards(all & ((2ULL << low) - 1));
    }
};

}  // namespace gpuodds
