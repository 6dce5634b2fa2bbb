// Two players' Omaha hands against each other on full boards.
//
// On a board hands are sorted by level. Before the hands of a level are added to the sums of subsets, each of them
// finds there what it beats; afterwards, what it beats or ties; at the end, all that it meets. With lows this is
// done for each low that occurs, from none upwards, with the hands at or below it.

#include "omaha/counts.cuh"
#include "omaha/sums.cuh"

namespace gpuodds {

// Kernels take this by value.
struct OmahaRanges {
    const Card* __restrict__ boards;      // (num_boards, 5)
    const long long* __restrict__ times;  // (num_boards,): how often each board counts
    const Wide* __restrict__ hands;       // (num_hands,) SortedHand without low and number, each hand once
    const int* __restrict__ category_ends;  // (CATEGORIES,): the lowest rank above each; null: count all as one
    int num_boards, num_hands;
    int heroes;   // 1 or 2: of how many players to count hands
    int columns;  // NUM_COLUMNS, or 1 without lows
};

static_assert(PACKED_OMAHA_RANGES(OmahaRanges), "Python packs ranges in another layout");

// A hand in 64 bits: its cards, or their places, six bits each and ascending; who may hold it; the level of its
// low; its number in the list. No game of six cards has lows.
template <int HOLE> struct SortedHand {
    static constexpr int BITS = 6, MEMBERS = BITS * HOLE, LOW = MEMBERS + 2, NUMBER = LOW + (HOLE < 6 ? 4 : 0);
    Wide bits;

    __device__ int card(int i) const { return int(bits >> BITS * i & 63); }
    __device__ unsigned members() const { return unsigned(bits >> MEMBERS & 3); }
    __device__ int low() const { return HOLE < 6 ? int(bits >> LOW & 15) : 0; }
    __device__ long long number() const { return (long long)(bits >> NUMBER); }

    // The cards or places.
    __device__ void read(int (&cards)[HOLE]) const
    {
        for (int i = 0; i < HOLE; ++i) cards[i] = card(i);
    }
};

// What the threads of a block share, besides the sums.
struct OmahaBlock {
    PairLevels pairs;
    int first[MAX_LEVELS + 1];  // where the hands of each level begin
    int next[MAX_LEVELS];       // where the next hand of a level comes
    unsigned char category[MAX_LEVELS];

    // Fill the categories of the levels, 0 if all count as one. A barrier must follow.
    __device__ void load_categories(const OmahaRanges& given)
    {
        for (const int word : block_stride(RANK_WORDS)) {
            int level = pairs.below[word];
            for (unsigned left = pairs.occurs[word]; left; left &= left - 1, ++level) {
                const HandRank rank = HandRank(32 * word + lowest_bit(left));
                category[level] = given.category_ends ? hand_category(rank, given.category_ends) : 0;
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
__device__ inline Wide sorted_hand(
    SortedHand<HOLE> hand, int number, const LowRank* lows, const PairLevels& pairs)
{
    Wide bits = Wide(number) << SortedHand<HOLE>::NUMBER | Wide(hand.members()) << SortedHand<HOLE>::MEMBERS;
    RankSet ranks = 0;
    for (int i = 0; i < HOLE; ++i) {
        bits |= Wide(pairs.places[hand.card(i)]) << SortedHand<HOLE>::BITS * i;
        ranks |= RankSet(1 << rank_of(Card(hand.card(i))));
    }
    if (lows) bits |= Wide(pairs.low_level(lows[low_set(ranks)])) << SortedHand<HOLE>::LOW;
    return bits;
}

// Sort the hands that can be dealt by level. Begins with a barrier, when the counts are clear; one must follow.
template <int HOLE>
__device__ inline void sort_hands(
    const OmahaRanges& given, const LowRank* lows, OmahaBlock& block, Wide* sorted)
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
        sorted[place] = sorted_hand(hand, int(h), lows, pairs);
    }
}

// A sweep over the sorted hands of a board.
template <int HOLE, class Sums> struct Sweep {
    const OmahaRanges& given;
    const Wide* sorted;
    Sums& sums;
    int low, last;  // hands with lows up to a level are added; the highest of these
    Wide times;
    Wide* out;

    // Add the hands of a level to the sums.
    __device__ void add(int begin, int end)
    {
        unsigned first = 0, second = 0;
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{sorted[i]};
            if (hand.low() > low) continue;
            int places[HOLE];
            hand.read(places);
            sums.add(places, hand.members());
            first += hand.members() & 1;
            second += hand.members() >> 1;
        }
        sums.add_to_all(first, second);
    }

    // Count what the hands `begin` to `end` find in the sums, for a row of counts and a category: one before `middle`,
    // another from there on.
    __device__ void find(
        int begin, int middle, int end, CountRow before, CountRow after, int category, int next_category)
    {
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{sorted[i]};
            const int own_low = hand.low();
            // A hand without a low ends at the first sweep, one with a low at its own and the one before.
            if (low < last && own_low != low && own_low != low + 1) continue;
            const CountRow row = i < middle ? before : after;
            int places[HOLE];
            hand.read(places);
            const unsigned members = hand.members();
            const bool is_added = row != BELOW && own_low <= low;
            const Apart apart = sums.find_apart(places, is_added ? members : 0);
            const long long own_category = i < middle ? category : next_category;
            const long long number = own_category * given.num_hands + hand.number();
            Wide* counts = out + (number * given.heroes * NUM_ROWS + row) * given.columns;
#pragma unroll 1
            for (int player = 0; player < given.heroes; ++player, counts += NUM_ROWS * given.columns) {
                const Wide weight = Wide(player ? apart.player[0] : apart.player[1]) * times;
                if (weight == 0 || !(members >> player & 1)) continue;
                if (low == last) atomicAdd(&counts[ANY_LOW], weight);
                if (given.columns == 1) continue;
                if (own_low == low) atomicAdd(&counts[low ? UP_TO_LOW : NO_LOW], weight);
                if (own_low == low + 1) atomicAdd(&counts[LOWER_LOW], weight);
            }
        }
    }

    // Every thread of the block calls this. Has a barrier when the sums are clear; ends in one.
    __device__ void run(const OmahaBlock& block)
    {
        const int levels = block.pairs.count;
        const int* const first = block.first;
        sums.clear();
        __syncthreads();
        for (int level = 0; level < levels; ++level) {
            add(first[level], first[level + 1]);
            __syncthreads();
            const int above = level + 1 < levels ? level + 1 : level;
            find(
                first[level], first[level + 1], first[above + 1], UP_TO, BELOW, block.category[level],
                block.category[above]);
            __syncthreads();
        }
        for (int level = 0; level < levels;) {
            const int begin = first[level], category = block.category[level];
            while (level < levels && block.category[level] == category) ++level;
            find(begin, first[level], first[level], ALL_HIGHS, ALL_HIGHS, category, category);
        }
        __syncthreads();
    }
};

// Count hands board by board.
template <int HOLE, class Sums>
__device__ inline void count_boards(
    const OmahaRanges& given, const Pair* pairs, const OmahaTables& tables, OmahaBlock& block, Sums& sums,
    Wide* sorted, Wide* out)
{
    Wide* const own_sorted = sorted + (long long)blockIdx.x * given.num_hands;
    for (const long long number : grid_stride_blocks(given.num_boards)) {
        const Card* const cards = given.boards + number * BOARD_CARDS;
        OmahaCards dealt;
        CardBits on_board = 0;
        for (int i = 0; i < BOARD_CARDS; ++i) {
            dealt.add(cards[i], tables);
            on_board |= 1ULL << cards[i];
        }
        const OmahaBoard board(dealt);
        block.pairs.load(board, on_board, pairs, tables);
        block.load_categories(given);
        const LowRank* const lows = given.columns > 1 ? tables.lows + board.lows : nullptr;
        sort_hands<HOLE>(given, lows, block, own_sorted);
        const int last = lows ? block.pairs.low_level(63) : 0;
        for (int low = 0; low <= last; ++low) {
            Sweep<HOLE, Sums>{given, own_sorted, sums, low, last, Wide(given.times[number]), out}.run(block);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the hands of four cards that two players' hands beat and tie.
// A block takes a board at a time: ranks all pairs of cards, sorts the hands in device memory, and goes through them
// level by level. Shared memory: the pairs by level (8 KB), the sums of subsets (37 KB). A hand meets 178,365 others
// on a board at most; a caller bounds boards x times so that sums stay below 2^63.
//   given   boards and hands
//   pairs   (1326,) uint16, all pairs of cards
//   tables  tables of Omaha
//   sorted  (blocks, num_hands) uint64, scratch
//   out     (CATEGORIES or 1, num_hands, heroes, NUM_ROWS, columns) uint64, added to: times the other player's hands
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 4) count_omaha_four(
    OmahaRanges given,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    Wide* sorted,
    Wide* __restrict__ out)
{
    __shared__ OmahaBlock block;
    __shared__ PackedSums sums;
    count_boards<4>(given, pairs, tables, block, sums, sorted, out);
}

// The same for hands of five or six cards, with the sums in device memory.
//   sums       (blocks, num_sums) uint64, scratch
//   num_sums   sets of fewer cards than a hand has
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_omaha_many(
    OmahaRanges given,
    int hole_cards,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    Wide* sorted,
    Wide* sums,
    long long num_sums,
    Wide* __restrict__ out)
{
    __shared__ OmahaBlock block;
    Wide* const own_sums = sums + blockIdx.x * num_sums;
    if (hole_cards == 5) {
        WideSums<5> five{own_sums};
        count_boards<5>(given, pairs, tables, block, five, sorted, out);
    } else {
        WideSums<6> six{own_sums};
        count_boards<6>(given, pairs, tables, block, six, sorted, out);
    }
}
