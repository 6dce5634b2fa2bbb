// The hand ranks of all seven-card hands that begin with given cards, in order, and how many hands have
// each rank.
//
// Hands are in lexicographic order of their ascending cards. The three lowest cards of a hand are its
// prefix. The other four are above the third card: in the lexicographic list of all four-card subsets
// of the cards 3 to 51 those are the last C(51 - third, 4), so one list serves every prefix.

#include "hand_rank.cuh"

using Subset = unsigned;  // four ascending cards, the lowest in the lowest byte
using Prefix = unsigned;  // three ascending cards, likewise

constexpr int HIGHEST_RANK = 7462;

// Suited cards are counted four bits a suit, from three up: the fifth sets the top bit.
constexpr unsigned NO_SUITED_CARDS = 0x3333;
constexpr unsigned FIVE_SUITED_CARDS = 0x8888;

__host__ __device__ inline Card card_of(unsigned cards, int place) { return cards >> 8 * place; }

// A few cards: the automaton's state and how many are of each suit.
struct PartialHand {
    int state = 0;
    unsigned counts = NO_SUITED_CARDS;

    __host__ __device__ void add(Card card, const HandRankTables& tables)
    {
        state = tables.step[state * RANKS + rank_of(card)];
        counts += 1u << 4 * suit_of(card);
    }
};

// The cards of a prefix; `hands` receives how many hands begin with them.
__host__ __device__ inline PartialHand load_prefix(
    Prefix prefix, const HandRankTables& tables, int& hands)
{
    PartialHand hand;
    for (int i = 0; i < 3; ++i) hand.add(card_of(prefix, i), tables);
    const int above = 51 - card_of(prefix, 2);
    hands = above * (above - 1) * (above - 2) * (above - 3) / 24;  // the product is below 49^4
    return hand;
}

// The rank of a prefix, of which `hand` is made, and four cards.
__host__ __device__ inline HandRank complete(
    PartialHand hand, Prefix prefix, Subset rest, const HandRankTables& tables)
{
    for (int i = 0; i < 3; ++i) hand.add(card_of(rest, i), tables);
    const Card last = card_of(rest, 3);
    hand.counts += 1u << 4 * suit_of(last);
    const HandRank plain = tables.rank_7[(hand.state - SIX_CARDS) * RANKS + rank_of(last)];
    if ((hand.counts & FIVE_SUITED_CARDS) == 0) return plain;
    SuitedRanks suited;  // not kept with the counts: three hands in a hundred need it
    for (int i = 0; i < 3; ++i) suited.add(card_of(prefix, i));
    for (int i = 0; i < 4; ++i) suited.add(card_of(rest, i));
    const HandRank flush = best_flush(suited, tables);
    return flush > plain ? flush : plain;
}

// Rank the hands of the prefixes `begin` to `end`. `subsets` is the list above, `subset_count` its
// length; `prefixes` lists all prefixes in order, offsets[p] is how many hands come before those of
// prefix p. The hands of prefix p are written to `ranks` from offsets[p] - offsets[begin] on. A block
// takes a prefix at a time; any grid and block will do.
extern "C" __global__ void rank_all_hands(
    const Prefix* __restrict__ prefixes,
    const long long* __restrict__ offsets,
    long long begin,
    long long end,
    const Subset* __restrict__ subsets,
    int subset_count,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    HandRank* __restrict__ ranks)
{
    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    for (long long p = begin + blockIdx.x; p < end; p += gridDim.x) {
        int hands;
        const Prefix prefix = prefixes[p];
        const PartialHand hand = load_prefix(prefix, tables, hands);
        const Subset* rest = subsets + (subset_count - hands);
        HandRank* out = ranks + (offsets[p] - offsets[begin]);
        for (int i = threadIdx.x; i < hands; i += blockDim.x) {
            out[i] = complete(hand, prefix, rest[i], tables);
        }
    }
}

// Add to counts[r], HIGHEST_RANK + 1 of them, how many hands of the prefixes `begin` to `end` have rank
// r. A block counts in 32 bits in shared memory: there are only 133,784,560 hands of seven cards.
extern "C" __global__ void count_all_hands(
    const Prefix* __restrict__ prefixes,
    long long begin,
    long long end,
    const Subset* __restrict__ subsets,
    int subset_count,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    unsigned long long* __restrict__ counts)
{
    __shared__ unsigned found[HIGHEST_RANK + 1];
    for (int rank = threadIdx.x; rank <= HIGHEST_RANK; rank += blockDim.x) found[rank] = 0;
    __syncthreads();
    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    for (long long p = begin + blockIdx.x; p < end; p += gridDim.x) {
        int hands;
        const Prefix prefix = prefixes[p];
        const PartialHand hand = load_prefix(prefix, tables, hands);
        const Subset* rest = subsets + (subset_count - hands);
        for (int i = threadIdx.x; i < hands; i += blockDim.x) {
            atomicAdd(&found[complete(hand, prefix, rest[i], tables)], 1u);
        }
    }
    __syncthreads();
    for (int rank = threadIdx.x; rank <= HIGHEST_RANK; rank += blockDim.x) {
        if (found[rank]) atomicAdd(&counts[rank], (unsigned long long)found[rank]);
    }
}
