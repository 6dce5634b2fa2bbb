// The hand rank of five to seven cards: 1 (7-5-4-3-2 of mixed suits) to 7462 (a royal flush).
//
// A card is a number 0 to 51, 4 * rank + suit, rank 0 the deuce and 12 the ace. The tables are those
// of gpuodds/games/holdem/hand_ranks.py: one look-up a card walks an automaton from the empty hand to the
// multiset of the card ranks, which decides the hand unless five cards share a suit.

#pragma once

using Card = unsigned char;
using HandRank = unsigned short;
using RankSet = unsigned short;  // a set of card ranks: bit 0 the deuce, bit 12 the ace
using State = unsigned short;    // a multiset of zero to six card ranks

constexpr int RANKS = 13;
constexpr int SUITS = 4;
constexpr int FIVE_CARDS = 2380;  // the first state with five cards
constexpr int SIX_CARDS = 8555;   // the first state with six cards

struct HandRankTables {
    const State* step;        // (8555, 13): the state after one more card
    const HandRank* rank_5;   // (6175,): five cards, flushes left aside, as in the next two
    const HandRank* rank_6;   // (18395,): six cards
    const HandRank* rank_7;   // (18395, 13): six cards and one more
    const HandRank* flush;    // (8192,): the best flush in a set of ranks, 0 if it has none
};

__host__ __device__ inline int rank_of(Card card) { return card >> 2; }
__host__ __device__ inline int suit_of(Card card) { return card & 3; }

// The rank sets of the four suits in one word, 16 bits each: an array with a computed index would
// live in memory, not in registers.
struct SuitedRanks {
    unsigned long long sets = 0;

    __host__ __device__ void add(Card card) { sets |= 1ULL << (16 * suit_of(card) + rank_of(card)); }
    __host__ __device__ RankSet in(int suit) const { return RankSet(sets >> (16 * suit)); }
};

// Of the four look-ups at most one finds five ranks; the others give 0.
__host__ __device__ inline HandRank best_flush(SuitedRanks suited, const HandRankTables& tables)
{
    HandRank best = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        const HandRank flush = tables.flush[suited.in(suit)];
        best = flush > best ? flush : best;
    }
    return best;
}

// The rank of `size` different cards, 5 to 7.
__host__ __device__ inline HandRank hand_rank(const Card* cards, int size, const HandRankTables& tables)
{
    SuitedRanks suited;
    int state = 0;
    for (int i = 0; i < size && i < 6; ++i) {
        suited.add(cards[i]);
        state = tables.step[state * RANKS + rank_of(cards[i])];
    }

    HandRank best;
    if (size == 5) {
        best = tables.rank_5[state - FIVE_CARDS];
    } else if (size == 6) {
        best = tables.rank_6[state - SIX_CARDS];
    } else {
        suited.add(cards[6]);
        best = tables.rank_7[(state - SIX_CARDS) * RANKS + rank_of(cards[6])];
    }
    const HandRank flush = best_flush(suited, tables);
    return flush > best ? flush : best;
}
