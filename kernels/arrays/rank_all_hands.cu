// The hand ranks of all seven-card hands that begin with given cards, in order, and the number of hands of
// each rank.
//
// Hands are in lexicographic order of their ascending cards. The three lowest cards of a hand are its
// prefix. The other four are above the third card: in the lexicographic list of all four-card subsets of
// the cards 3 to 51 those are the last C(51 - third, 4), so one list serves every prefix, and one list of
// the sums of their keys.

#include "arrays/rank_sums.cuh"

namespace gpuodds {

using Subset = unsigned;  // four ascending cards, the lowest in the lowest byte
using Prefix = unsigned;  // three ascending cards, likewise

// Kernels take the lists by value.
struct HandLists {
    const Prefix* __restrict__ prefixes;        // (17296,): all in order
    const long long* __restrict__ offsets;      // (17297,): the number of hands before each prefix
    const Subset* __restrict__ subsets;         // (num_subsets,): the four-card subsets of the cards 3 to 51
    const KeySum* __restrict__ subset_sums;     // (num_subsets,): the sums of their keys
    int num_subsets;
};

static_assert(PACKED_HAND_LISTS(HandLists), "Python packs the lists in another layout");

__host__ __device__ inline Card card_at(unsigned cards, int place) { return cards >> 8 * place; }

__host__ __device__ inline unsigned suited_ranks(unsigned cards, int size, int suit)
{
    unsigned ranks = 0;
    for (int x = 0; x < size; ++x) {
        const Card card = card_at(cards, x);
        ranks |= unsigned(suit_of(card) == suit) << rank_of(card);
    }
    return ranks;
}

// A prefix and the four-card subsets that complete it.
struct PrefixHands {
    Prefix prefix;
    KeySum sum = 0;
    int first;  // subset

    __device__ PrefixHands(const HandLists& lists, int number, const CardKeys& small)
        : prefix(lists.prefixes[number])
    {
        for (int i = 0; i < 3; ++i) sum += small.keys[card_at(prefix, i)];
        first = lists.num_subsets - int(lists.offsets[number + 1] - lists.offsets[number]);
    }

    // The rank of the prefix and the subset number `i` of those that complete it.
    __device__ HandRank rank(
        int i, const HandLists& lists, const CardKeys& small, const HandRank* table,
        const HandRank* flushes) const
    {
        const KeySum whole = sum + lists.subset_sums[first + i];
        const unsigned flush = small.flush_suit(whole);
        if (flush == 0) return plain_rank(whole, table);
        const int suit = int(flush) - 1;
        return flushes[suited_ranks(prefix, 3, suit) | suited_ranks(lists.subsets[first + i], 4, suit)];
    }
};

// Call visit(number, rank) with the hands of the prefixes `begin` to `end`, numbered from 0. Each block takes
// as many hands as any other, one after another; its threads share them.
template <class Visit>
__device__ inline void visit_hands(
    const HandLists& lists, int begin, int end, const CardKeys& small, const HandRank* table,
    const HandRank* flushes, Visit visit)
{
    const long long before = lists.offsets[begin], hands = lists.offsets[end] - before;
    const long long share = (hands + gridDim.x - 1) / gridDim.x;
    const long long first = blockIdx.x * share < hands ? before + blockIdx.x * share : before + hands;
    const long long last = first + share < before + hands ? first + share : before + hands;
    int low = begin, high = end;  // the prefix of hand `first` is among these
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (lists.offsets[middle] <= first ? low : high) = middle;
    }
    for (int p = low; p < end && lists.offsets[p] < last; ++p) {
        const PrefixHands prefix(lists, p, small);
        const long long offset = lists.offsets[p], next = lists.offsets[p + 1];
        const int skipped = first > offset ? int(first - offset) : 0;
        const int count = int((last < next ? last : next) - offset) - skipped;
        for (const int x : block_stride(count)) {
            const HandRank rank = prefix.rank(skipped + x, lists, small, table, flushes);
            visit(offset - before + skipped + x, rank);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Rank the hands of the prefixes `begin` to `end`. Shared memory: keys and suits of cards (720 bytes) and,
// where the device has room, the table of `sums` as dynamic shared memory.
//   lists      of prefixes and subsets
//   sums       tables for hands of seven cards
//   in_shared  whether dynamic shared memory has room for the table
//   ranks      (offsets[end] - offsets[begin],) uint16, receives the hand ranks in order
extern "C" __global__ void __launch_bounds__(RANK_THREADS, 1) rank_all_hands(
    HandLists lists,
    int begin,
    int end,
    RankSums sums,
    int in_shared,
    HandRank* __restrict__ ranks)
{
    __shared__ CardKeys small;
    small.load(sums);
    const auto rank = [&](const HandRank* table) {
        __syncthreads();
        visit_hands(lists, begin, end, small, table, sums.flush, [&](long long number, HandRank rank) {
            ranks[number] = rank;
        });
    };
    if (in_shared) {
        rank(copy_table(sums));
    } else {
        rank(sums.table);
    }
}

// Count the hands of the prefixes `begin` to `end` by rank. Shared memory: as for rank_all_hands, and a
// 32-bit counter for each rank (29.9 KB), which cannot overflow: there are 133,784,560 hands of seven cards.
//   lists, begin, end, sums, in_shared  as for rank_all_hands
//   counts                              (7463,) uint64, added to
extern "C" __global__ void __launch_bounds__(RANK_THREADS, 1) count_all_hands(
    HandLists lists,
    int begin,
    int end,
    RankSums sums,
    int in_shared,
    unsigned long long* __restrict__ counts)
{
    __shared__ CardKeys small;
    __shared__ unsigned block_counts[HIGHEST_RANK + 1];
    small.load(sums);
    for (const int rank : block_stride(HIGHEST_RANK + 1)) block_counts[rank] = 0;
    const auto count = [&](const HandRank* table) {
        __syncthreads();
        visit_hands(lists, begin, end, small, table, sums.flush, [&](long long, HandRank rank) {
            atomicAdd(&block_counts[rank], 1u);
        });
    };
    if (in_shared) {
        count(copy_table(sums));
    } else {
        count(sums.table);
    }
    __syncthreads();
    for (const int rank : block_stride(HIGHEST_RANK + 1)) {
        if (block_counts[rank]) atomicAdd(&counts[rank], (unsigned long long)block_counts[rank]);
    }
}
