// Hands of Omaha on a full board, sorted by level by the threads of a block.

#pragma once

#include "omaha/sums.cuh"

namespace gpuodds {

// A hand in 64 bits: its cards, or their places, six bits each and ascending; who may hold it, a bit for each of up to
// three players; the level of its low.
template <int HOLE> struct SortedHand {
    static constexpr int BITS = 6, MEMBERS = BITS * HOLE, LOW = MEMBERS + 3;
    Wide bits;

    __device__ int card(int i) const { return int(bits >> BITS * i & 63); }
    __device__ unsigned members() const { return unsigned(bits >> MEMBERS & 7); }
    __device__ int low() const { return int(bits >> LOW & 15); }

    // The cards or places.
    __device__ void read(int (&cards)[HOLE]) const
    {
        for (int i = 0; i < HOLE; ++i) cards[i] = card(i);
    }

    // The cards or places, a mask.
    __device__ CardBits set() const
    {
        CardBits cards = 0;
        for (int i = 0; i < HOLE; ++i) cards |= 1ULL << card(i);
        return cards;
    }
};

// The hands of all players, each once, and where this block sorts them; in device memory.
struct HandsToSort {
    const Wide* hands;  // (num_hands,): SortedHand without low
    int num_hands;
    Wide* sorted;       // (num_hands,): with places and lows
    unsigned* numbers;  // (num_hands,): their numbers in `hands`

    // `sorted` and `numbers` are the scratch of all blocks, (blocks, num_hands).
    __device__ HandsToSort(const Wide* hands, int num_hands, Wide* sorted, unsigned* numbers)
        : hands(hands), num_hands(num_hands), sorted(sorted + (long long)blockIdx.x * num_hands),
          numbers(numbers + (long long)blockIdx.x * num_hands)
    {
    }
};

// What the threads of a block share, besides sums.
struct OmahaBlock {
    PairLevels pairs;
    int first[MAX_LEVELS + 1];  // where the hands of each level begin
    int next[MAX_LEVELS];       // where the next hand of a level comes
    unsigned char category[MAX_LEVELS];

    // Fill the categories of the levels. A barrier must follow.
    __device__ void load_categories(const int* category_ends)
    {
        for (const int word : block_stride(RANK_WORDS)) {
            int level = pairs.below[word];
            for (unsigned left = pairs.occurs[word]; left; left &= left - 1, ++level) {
                const HandRank rank = HandRank(32 * word + lowest_bit(left));
                category[level] = hand_category(rank, category_ends);
            }
        }
    }
};

// A hand's level; BLOCKED if it has a card of the board.
template <int HOLE> __device__ inline int level_of(SortedHand<HOLE> hand, const PairLevels& pairs)
{
    int cards[HOLE], highest = 0;
    hand.read(cards);
    for (int i = 1; i < HOLE; ++i) {
        const int row = cards[i] * (cards[i] - 1) / 2;
        for (int j = 0; j < i; ++j) {
            const int level = pairs.level[row + cards[j]];
            highest = level > highest ? level : highest;
        }
    }
    return highest;
}

// The hand with places instead of cards. `lows` are the board's low ranks by the low set of a hand, or none.
template <int HOLE>
__device__ inline SortedHand<HOLE> on_board(SortedHand<HOLE> hand, const LowRank* lows, const PairLevels& pairs)
{
    Wide bits = Wide(hand.members()) << SortedHand<HOLE>::MEMBERS;
    RankSet ranks = 0;
    for (int i = 0; i < HOLE; ++i) {
        bits |= Wide(pairs.places[hand.card(i)]) << SortedHand<HOLE>::BITS * i;
        ranks |= RankSet(1 << rank_of(Card(hand.card(i))));
    }
    if (lows) bits |= Wide(pairs.low_level(lows[low_set(ranks)])) << SortedHand<HOLE>::LOW;
    return {bits};
}

// Sort the hands that can be dealt by level. Begins with a barrier, when the counts are clear; one must follow.
template <int HOLE>
__device__ inline void sort_hands(const HandsToSort& given, const LowRank* lows, OmahaBlock& block)
{
    const PairLevels& pairs = block.pairs;
    for (const int level : block_stride(MAX_LEVELS)) block.next[level] = 0;
    __syncthreads();
    for (const int h : block_stride(given.num_hands)) {
        const int level = level_of(SortedHand<HOLE>{given.hands[h]}, pairs);
        if (level != BLOCKED) atomicAdd(&block.next[level], 1);
    }
    __syncthreads();
    if (warp() == 0) {
        const int dealt = add_up_below(block.next, pairs.count);
        for (int level = lane(); level < pairs.count; level += WARP_LANES) {
            block.first[level] = block.next[level];
        }
        if (lane() == 0) block.first[pairs.count] = dealt;
    }
    __syncthreads();
    for (const int h : block_stride(given.num_hands)) {
        const SortedHand<HOLE> hand{given.hands[h]};
        const int level = level_of(hand, pairs);
        if (level == BLOCKED) continue;
        const int place = atomicAdd(&block.next[level], 1);
        given.sorted[place] = on_board(hand, lows, pairs).bits;
        given.numbers[place] = unsigned(h);
    }
}

// Rank the pairs of hole cards on a full board, and sort the hands there. Returns the board's low ranks by the low set
// of a hand, or none. A barrier comes before, and one must follow.
template <int HOLE>
__device__ inline const LowRank* sort_on_board(
    const Card* cards, bool with_lows, const HandsToSort& hands, const Pair* pairs, const OmahaTables& tables,
    OmahaBlock& block)
{
    OmahaCards dealt;
    CardBits on_board = 0;
    for (int i = 0; i < BOARD_CARDS; ++i) {
        dealt.add(cards[i], tables);
        on_board |= 1ULL << cards[i];
    }
    const OmahaBoard board(dealt);
    block.pairs.load(board, on_board, pairs, tables);
    const LowRank* const lows = with_lows ? tables.lows + board.lows : nullptr;
    sort_hands<HOLE>(hands, lows, block);
    return lows;
}

}  // namespace gpuodds
