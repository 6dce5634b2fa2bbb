// The hand rank of five to seven cards: in hold'em 1 (7-5-4-3-2 of mixed suits) to 7462 (a royal flush).
//
// The tables are those of gpuodds/games/shared/hand_ranks.py, for each game its own: one look-up per card walks an automaton from
// the empty hand to the multiset of the card ranks, which decides the hand unless five cards share a suit.

#pragma once

#include "shared/cards.cuh"

namespace gpuodds {

using HandRank = unsigned short;
using State = unsigned short;  // a multiset of zero to six card ranks

constexpr int SUITED_FOR_FLUSH = BOARD_CARDS - HOLE_CARDS;  // board cards of a suit that allow a flush

static_assert(2 * SUITED_FOR_FLUSH > BOARD_CARDS, "at most one suit of a board can make a flush");

// Kernels take the tables by value.
struct HandRankTables {
    const State* __restrict__ step;       // (8555, 13): the state after one more card
    const HandRank* __restrict__ rank_5;  // (6175,): five cards without a flush, by state - FIVE_CARDS
    const HandRank* __restrict__ rank_6;  // (18395,): six cards without a flush, by state - SIX_CARDS
    const HandRank* __restrict__ rank_7;  // (18395, 13): these and a seventh card
    const HandRank* __restrict__ flush;   // (8192,): the best flush of a RankSet, 0 if it has none
    int lowest_flush;                     // the rank of the lowest flush

    // The state after a card of `rank`.
    __host__ __device__ int after(int state, int rank) const { return step[state * RANKS + rank]; }

    // The hand rank without a flush of a state of six cards and a card of `rank`.
    __host__ __device__ HandRank plain_7(int state, int rank) const
    {
        return rank_7[(state - SIX_CARDS) * RANKS + rank];
    }
};

static_assert(PACKED_HAND_RANK_TABLES(HandRankTables), "Python packs the tables in another layout");

__host__ __device__ inline HandRank better(HandRank one, HandRank other)
{
    return one > other ? one : other;
}

// The category of a hand rank, 0 (high card) to CATEGORIES - 1 (straight flush).
__host__ __device__ inline int hand_category(HandRank rank, const int* category_ends)
{
    int category = 0;
    for (int weaker = 0; weaker < CATEGORIES - 1; ++weaker) category += rank >= category_ends[weaker];
    return category;
}

// The best flush, 0 if there is none. At most one of the four look-ups finds five ranks.
__host__ __device__ inline HandRank best_flush(CardSet cards, const HandRankTables& tables)
{
    HandRank best = 0;
    for (int suit = 0; suit < SUITS; ++suit) best = better(best, tables.flush[ranks_in(cards, suit)]);
    return best;
}

// The rank of `size` different cards, 5 to 7.
__host__ __device__ inline HandRank hand_rank(const Card* cards, int size, const HandRankTables& tables)
{
    CardSet all = 0;
    int state = 0;
    for (int i = 0; i < size && i < 6; ++i) {
        all |= card_set(cards[i]);
        state = tables.after(state, rank_of(cards[i]));
    }

    HandRank plain;
    if (size == 5) {
        plain = tables.rank_5[state - FIVE_CARDS];
    } else if (size == 6) {
        plain = tables.rank_6[state - SIX_CARDS];
    } else {
        all |= card_set(cards[6]);
        plain = tables.plain_7(state, rank_of(cards[6]));
    }
    return better(best_flush(all, tables), plain);
}

}  // namespace gpuodds
