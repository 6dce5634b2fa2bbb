// Five cards by name: the place of their hand rank in a ranking, which may compare flushes by suit.

#pragma once

#include "shared/hand_rank.cuh"

namespace gpuodds {

using Name = unsigned short;

// Kernels take this by value.
struct FiveCards {
    const State* __restrict__ step;       // (8555, 13): the state after one more card
    const HandRank* __restrict__ rank_5;  // (6175,): five cards without a flush, by state - FIVE_CARDS
    const HandRank* __restrict__ flush;   // (8192,): the flush of five ranks
    const Name* __restrict__ names;       // (SUITS, HIGHEST_RANK + 1): by suit for flushes, others in the first row
    int num_names;                        // the highest name, plus 1

    __device__ Name name(const Card (&hand)[HAND_CARDS]) const
    {
        int state = 0;
        bool is_flush = true;
        RankSet ranks = 0;
        const int suit = suit_of(hand[0]);
        for (const Card card : hand) {
            state = step[state * RANKS + rank_of(card)];
            ranks |= RankSet(1 << rank_of(card));
            is_flush = is_flush && suit_of(card) == suit;
        }
        if (is_flush) return names[suit * (HIGHEST_RANK + 1) + flush[ranks]];
        return names[rank_5[state - FIVE_CARDS]];
    }
};

static_assert(PACKED_FIVE_CARDS(FiveCards), "Python packs these in another layout");

}  // namespace gpuodds
