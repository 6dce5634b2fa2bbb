// The hand rank and the low rank of a hand of Omaha: two hole cards with exactly three of a board.
//
// Flushes aside, two hole cards rank by their ranks and those of the board: a table. A hand has the best of
// its pairs, or its flush, if the board has three cards of a suit. A low depends on which ranks from ace to
// eight the board has and which the hand has: two low sets of eight bits, bit 0 the ace.

#pragma once

#include "shared/hand_rank.cuh"

namespace gpuodds {

using LowRank = unsigned char;  // 0 for no low, else 1 (8-7-6-5-4) to 56 (5-4-3-2-A)

constexpr int TWO_RANKS = RANKS * (RANKS + 1) / 2;  // equal ones among them
constexpr int LOW_RANKS = 8;
constexpr int LOW_SETS = 1 << LOW_RANKS;
constexpr int PLAYING_HOLE_CARDS = 2, PLAYING_BOARD_CARDS = 3;
constexpr RankSet WHEEL = 0x100F;  // 5-4-3-2-A

// Kernels take the tables by value.
struct OmahaTables {
    const State* __restrict__ step;      // (8555, 13): the state after one more card
    const HandRank* __restrict__ flush;  // (8192,): the best flush of a RankSet, 0 if it has none
    const HandRank* __restrict__ plain;  // (8450, 91): at [state of the board - THREE_CARDS, two ranks]
    const LowRank* __restrict__ lows;    // (256, 256): at [low set of the board, low set of a hand]
};

static_assert(PACKED_OMAHA_TABLES(OmahaTables), "Python packs the tables in another layout");

// The number of two ranks.
__host__ __device__ inline int rank_pair(int one, int two)
{
    const int high = one > two ? one : two, low = one > two ? two : one;
    return high * (high + 1) / 2 + low;
}

// The highest `size` ranks of a set.
__host__ __device__ inline RankSet highest_ranks(RankSet ranks, int size)
{
    for (int more = count_bits(ranks) - size; more > 0; --more) ranks &= RankSet(ranks - 1);
    return ranks;
}

// The rank of the best flush or straight flush of two of the ranks `hole`, two or more, and three of the ranks
// `suited`, of which `highest` are the highest three.
__host__ __device__ inline HandRank omaha_flush(
    RankSet hole, RankSet suited, RankSet highest, const HandRank* flush)
{
    HandRank best = flush[highest | highest_ranks(hole, PLAYING_HOLE_CARDS)];
    const unsigned ranks = hole | suited, from_ace = ranks << 1 | ranks >> (RANKS - 1);
    if ((from_ace & from_ace >> 1 & from_ace >> 2 & from_ace >> 3 & from_ace >> 4) == 0) return best;
    // Five ranks in a row of the suit, but three of them have to be the board's.
#pragma unroll 1
    for (int lowest = 0; lowest < RANKS - 3; ++lowest) {
        const RankSet straight = lowest < RANKS - 4 ? RankSet(31 << lowest) : WHEEL;
        const RankSet missing = straight & ~suited;
        if (count_bits(missing) == PLAYING_HOLE_CARDS && (missing & ~hole) == 0) {
            best = better(best, flush[straight]);
        }
    }
    return best;
}

// The low set of some ranks.
__host__ __device__ inline int low_set(RankSet ranks)
{
    return (ranks << 1 | ranks >> (RANKS - 1)) & (LOW_SETS - 1);
}

// Some of a board's cards, added one by one.
struct OmahaCards {
    CardSet cards = 0;
    int state = 0;

    __device__ void add(Card card, const OmahaTables& tables)
    {
        cards |= card_set(card);
        state = tables.step[state * RANKS + rank_of(card)];
    }
};

// A board of three to five cards, as hands are ranked with it.
struct OmahaBoard {
    int plain;            // where its ranks without a flush begin in the table
    int lows;             // where its low ranks begin
    RankSet suited = 0;   // the board's ranks of the suit that three or more have, none if there is none
    RankSet highest = 0;  // the highest three of them
    int suit = 0;

    __device__ explicit OmahaBoard(const OmahaCards& dealt)
        : plain((dealt.state - THREE_CARDS) * TWO_RANKS), lows(low_set(ranks_of(dealt.cards)) * LOW_SETS)
    {
        for (int one = 0; one < SUITS; ++one) {
            const RankSet ranks = ranks_in(dealt.cards, one);
            if (count_bits(ranks) < PLAYING_BOARD_CARDS) continue;
            suit = one;
            suited = ranks;
            highest = highest_ranks(ranks, PLAYING_BOARD_CARDS);
        }
    }

    // The rank of the best flush or straight flush with two of `hole` cards of the suit, two or more.
    __device__ HandRank flush(RankSet hole, const OmahaTables& tables) const
    {
        return omaha_flush(hole, suited, highest, tables.flush);
    }

    // The hand rank of `HOLE` hole cards.
    template <int HOLE> __device__ HandRank rank(const Card* cards, const OmahaTables& tables) const
    {
        int ranks[HOLE], pairs[HOLE];  // two ranks a <= b have the number b (b + 1) / 2 + a
        RankSet hole = 0;
        for (int i = 0; i < HOLE; ++i) {
            const Card card = cards[i];
            ranks[i] = rank_of(card);
            pairs[i] = ranks[i] * (ranks[i] + 1) / 2;
            hole |= RankSet(int(suit_of(card) == suit) << ranks[i]);
        }
        HandRank best = 0;
        for (int i = 1; i < HOLE; ++i) {
            for (int j = 0; j < i; ++j) {
                // Of both ways to number them the higher number has the higher one first.
                const int one = pairs[i] + ranks[j], two = pairs[j] + ranks[i];
                best = better(best, tables.plain[plain + (one > two ? one : two)]);
            }
        }
        if (suited && count_bits(hole) >= PLAYING_HOLE_CARDS) best = better(best, flush(hole, tables));
        return best;
    }

    // The low rank of `HOLE` hole cards.
    template <int HOLE> __device__ LowRank low(const Card* cards, const OmahaTables& tables) const
    {
        RankSet ranks = 0;
        for (int i = 0; i < HOLE; ++i) ranks |= RankSet(1 << rank_of(cards[i]));
        return tables.lows[lows + low_set(ranks)];
    }
};

// The players with the best hand, a mask, players who folded left out.
struct Best {
    int rank = 1;
    unsigned players = 0;

    __device__ void add(int player, int of_player)
    {
        if (of_player > rank) {
            rank = of_player;
            players = 0;
        }
        if (of_player == rank) players |= 1u << player;
    }
};

}  // namespace gpuodds
