// The hand ranks of all seven-card hands that begin with given cards, in order, and the number of hands of
// each rank.
//
// Hands are in lexicographic order of their ascending cards. The three lowest cards of a hand are its
// prefix. The other four are above the third card: in the lexicographic list of all four-card subsets of
// the cards 3 to 51 those are the last C(51 - third, 4), so one list serves every prefix.

#include "hand_rank.cuh"
#include "strides.cuh"

namespace gpuodds {

using Subset = unsigned;  // four ascending cards, the lowest in the lowest byte
using Prefix = unsigned;  // three ascending cards, likewise

// Cards of a suit are counted in four bits, from three up: the fifth sets the top bit.
constexpr unsigned NO_SUITED_CARDS = 0x3333;
constexpr unsigned FIVE_SUITED_CARDS = 0x8888;

__host__ __device__ inline Card card_at(unsigned cards, int place) { return cards >> 8 * place; }

// A few cards: the automaton's state and the number of cards of each suit.
struct PartialHand {
    int state = 0;
    unsigned counts = NO_SUITED_CARDS;

    __host__ __device__ void add(Card card, const HandRankTables& tables)
    {
        state = tables.after(state, rank_of(card));
        counts += 1u << 4 * suit_of(card);
    }
};

// A prefix and the four-card subsets that complete it.
struct PrefixHands {
    Prefix prefix;
    PartialHand hand;
    const Subset* rest;  // (hands,)
    int hands;

    __host__ __device__ PrefixHands(
        Prefix prefix, const Subset* subsets, int num_subsets, const HandRankTables& tables)
        : prefix(prefix)
    {
        for (int i = 0; i < 3; ++i) hand.add(card_at(prefix, i), tables);
        const int above = DECK_SIZE - 1 - card_at(prefix, 2);
        hands = above * (above - 1) * (above - 2) * (above - 3) / 24;  // the product is below 49^4 < 2^23
        rest = subsets + (num_subsets - hands);
    }

    // The rank of the prefix and the subset number `i`.
    __host__ __device__ HandRank rank(int i, const HandRankTables& tables) const
    {
        const Subset four = rest[i];
        PartialHand whole = hand;
        for (int x = 0; x < 3; ++x) whole.add(card_at(four, x), tables);
        const Card last = card_at(four, 3);
        whole.counts += 1u << 4 * suit_of(last);
        const HandRank plain = tables.plain_7(whole.state, rank_of(last));
        if ((whole.counts & FIVE_SUITED_CARDS) == 0) return plain;
        CardSet cards = 0;  // not kept with the counts: three hands in a hundred need it
        for (int x = 0; x < 3; ++x) cards |= card_set(card_at(prefix, x));
        for (int x = 0; x < 4; ++x) cards |= card_set(card_at(four, x));
        return better(best_flush(cards, tables), plain);
    }
};

}  // namespace gpuodds

using namespace gpuodds;

// Rank the hands of the prefixes `begin` to `end`. A block takes a prefix at a time; its threads share the
// hands.
//   prefixes     (17296,) uint32, all prefixes in order
//   offsets      (17297,) int64, the number of hands before each prefix
//   subsets      (num_subsets,) uint32, the four-card subsets of the cards 3 to 51
//   tables       hand-rank tables
//   ranks        (offsets[end] - offsets[begin],) uint16, receives the hand ranks in order
extern "C" __global__ void rank_all_hands(
    const Prefix* __restrict__ prefixes,
    const long long* __restrict__ offsets,
    long long begin,
    long long end,
    const Subset* __restrict__ subsets,
    int num_subsets,
    HandRankTables tables,
    HandRank* __restrict__ ranks)
{
    for (const long long i : grid_stride_blocks(end - begin)) {
        const long long p = begin + i;
        const PrefixHands hands(prefixes[p], subsets, num_subsets, tables);
        HandRank* out = ranks + (offsets[p] - offsets[begin]);
        for (const int x : block_stride(hands.hands)) out[x] = hands.rank(x, tables);
    }
}

// Count the hands of the prefixes `begin` to `end` by rank. A block takes a prefix at a time; its threads
// share the hands. Shared memory: a 32-bit counter for each rank (29.9 KB), which cannot overflow: there are
// 133,784,560 hands of seven cards.
//   prefixes, subsets, tables  as for rank_all_hands
//   counts                     (7463,) uint64, added to
extern "C" __global__ void count_all_hands(
    const Prefix* __restrict__ prefixes,
    long long begin,
    long long end,
    const Subset* __restrict__ subsets,
    int num_subsets,
    HandRankTables tables,
    unsigned long long* __restrict__ counts)
{
    __shared__ unsigned found[HIGHEST_RANK + 1];
    for (const int rank : block_stride(HIGHEST_RANK + 1)) found[rank] = 0;
    __syncthreads();
    for (const long long i : grid_stride_blocks(end - begin)) {
        const PrefixHands hands(prefixes[begin + i], subsets, num_subsets, tables);
        for (const int x : block_stride(hands.hands)) atomicAdd(&found[hands.rank(x, tables)], 1u);
    }
    __syncthreads();
    for (const int rank : block_stride(HIGHEST_RANK + 1)) {
        if (found[rank]) atomicAdd(&counts[rank], (unsigned long long)found[rank]);
    }
}
