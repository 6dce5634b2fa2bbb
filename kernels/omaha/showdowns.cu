// Two players' Omaha hands against each other on full boards.
//
// On a board hands are sorted by level. Before the hands of a level are added to the sums of subsets, each of them
// finds there what it beats; afterwards, what it beats or ties; at the end, all that it meets. With lows this is
// done for each low that occurs, from none upwards, with the hands at or below it.

#include "omaha/counts.cuh"
#include "omaha/sorted_hands.cuh"

namespace gpuodds {

// Kernels take this by value.
struct OmahaRanges {
    const Card* __restrict__ boards;      // (num_boards, 5)
    const long long* __restrict__ times;  // (num_boards,): how often each board counts
    const Wide* __restrict__ hands;       // (num_hands,) SortedHand without low, each hand once
    const Wide* __restrict__ weights;     // (2, num_hands): of each player, 0 for hands not held; or none, all are 1
    const int* __restrict__ category_ends;  // (CATEGORIES,): the lowest rank above each
    int num_boards, num_hands;
    int heroes;   // 1 or 2: of how many players to count hands
    int columns;  // NUM_COLUMNS, or 1 without lows
};

static_assert(PACKED_OMAHA_RANGES(OmahaRanges), "Python packs ranges in another layout");

constexpr int PARTS = 2;  // of a sum whose low and high 32 bits are apart

// What is counted; of the last two one or neither. Kernels take this by value.
struct OmahaSums {
    Wide* __restrict__ by_hand;      // (num_hands, heroes, NUM_ROWS, columns[, PARTS]), added to: times the other
                                     // player's hands, in parts if they have weights; or none
    Wide* __restrict__ by_category;  // (2, CATEGORIES, NUM_ROWS, PARTS), added to: times pairs of hands by player and
                                     // the category of his high, whatever the lows; or none
    Wide* __restrict__ by_board;     // (num_boards, 2, NUM_ROWS, columns), receives pairs of hands by player; or none
};

static_assert(PACKED_OMAHA_SUMS(OmahaSums), "Python packs sums in another layout");

// The pairs of hands of a board, in shared memory: by player, category and row, or by player, row and column.
struct BoardTotals {
    static constexpr int BY_CATEGORY = PLAYERS_OF_SUMS * CATEGORIES * NUM_ROWS;
    static constexpr int BY_BOARD = PLAYERS_OF_SUMS * NUM_ROWS * NUM_COLUMNS;
    Wide totals[BY_CATEGORY];

    __device__ void clear()
    {
        for (const int x : block_stride(BY_CATEGORY)) totals[x] = 0;
    }

    // Add what is there to the sums, and clear it for the next board. A barrier comes before, another must follow.
    __device__ void move_to(const OmahaSums& out, const OmahaRanges& given, long long board)
    {
        if (out.by_category) {
            for (const int x : block_stride(BY_CATEGORY)) {
                add_in_parts(out.by_category + PARTS * x, totals[x], Wide(given.times[board]));
                totals[x] = 0;
            }
        } else if (out.by_board) {
            const int numbers = PLAYERS_OF_SUMS * NUM_ROWS * given.columns;
            for (const int x : block_stride(numbers)) {
                Wide& total = totals[x / given.columns * NUM_COLUMNS + x % given.columns];
                out.by_board[board * numbers + x] = total;
                total = 0;
            }
        }
    }
};

static_assert(BoardTotals::BY_CATEGORY >= BoardTotals::BY_BOARD, "both fit");

template <int HOLE> using TwoWeighted = WeightedSums<HOLE, PLAYERS_OF_SUMS>;

// A sweep over the sorted hands of a board.
template <int HOLE, class Sums> struct Sweep {
    const OmahaRanges& given;
    const OmahaSums& out;
    const HandsToSort& hands;
    Sums& sums;
    BoardTotals& board;
    int low, last;  // hands with lows up to a level are added; the highest of these
    Wide times;

    __device__ typename Sums::Held held(int i, SortedHand<HOLE> hand) const
    {
        return Sums::held(given.weights, given.num_hands, hands.numbers[i], hand.members());
    }

    // Add the hands of a level to the sums.
    __device__ void add(int begin, int end)
    {
        Wide first = 0, second = 0;
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{hands.sorted[i]};
            if (hand.low() > low) continue;
            int places[HOLE];
            hand.read(places);
            const auto own = held(i, hand);
            sums.add(places, own);
            first += Sums::weight(own, 0);
            second += Sums::weight(own, 1);
        }
        sums.add_to_all(first, second);
    }

    // Count `met` for a player's hand, in a row and a column of its counts.
    __device__ void count(
        unsigned number, int player, CountRow row, CountColumn column, int category, Wide met, Wide own) const
    {
        if (out.by_hand) {
            const long long place =
                (((long long)number * given.heroes + player) * NUM_ROWS + row) * given.columns + column;
            if constexpr (Sums::HAVE_WEIGHTS) {
                add_in_parts(out.by_hand + PARTS * place, met, times);
            } else {
                atomicAdd(&out.by_hand[place], met * times);
            }
        }
        const Wide pairs = Sums::HAVE_WEIGHTS ? scaled_product(own, met) : met;
        if (out.by_category) {
            if (column == ANY_LOW) {
                atomicAdd(&board.totals[(player * CATEGORIES + category) * NUM_ROWS + row], pairs);
            }
        } else if (out.by_board) {
            atomicAdd(&board.totals[(player * NUM_ROWS + row) * NUM_COLUMNS + column], pairs);
        }
    }

    // Count what the hands `begin` to `end` find in the sums, for a row of counts and a category: one before `middle`,
    // another from there on.
    __device__ void find(
        int begin, int middle, int end, CountRow before, CountRow after, int category, int next_category)
    {
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{hands.sorted[i]};
            const int own_low = hand.low();
            // A hand without a low ends at the first sweep, one with a low at its own and the one before.
            if (low < last && own_low != low && own_low != low + 1) continue;
            const CountRow row = i < middle ? before : after;
            int places[HOLE];
            hand.read(places);
            const unsigned members = hand.members();
            const auto own = held(i, hand);
            const bool is_added = row != BELOW && own_low <= low;
            const Weights apart = sums.find_apart(places, is_added ? own : typename Sums::Held{});
            const int own_category = i < middle ? category : next_category;
            const unsigned number = hands.numbers[i];
#pragma unroll 1
            for (int player = 0; player < given.heroes; ++player) {
                const Wide met = player ? apart.player[0] : apart.player[1];
                if (met == 0 || !(members >> player & 1)) continue;
                const Wide weight = Sums::weight(own, player);
                const auto add = [&](CountColumn column) {
                    count(number, player, row, column, own_category, met, weight);
                };
                if (low == last) add(ANY_LOW);
                if (given.columns == 1) continue;
                if (own_low == low) add(low ? UP_TO_LOW : NO_LOW);
                if (own_low == low + 1) add(LOWER_LOW);
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
template <class Sums>
__device__ inline void count_boards(
    const OmahaRanges& given, const Pair* pairs, const OmahaTables& tables, OmahaBlock& block,
    BoardTotals& totals, Sums& sums, Wide* sorted, unsigned* numbers, const OmahaSums& out)
{
    constexpr int HOLE = Sums::HAND_SIZE;
    const HandsToSort hands(given.hands, given.num_hands, sorted, numbers);
    totals.clear();
    for (const long long number : grid_stride_blocks(given.num_boards)) {
        const Card* const cards = given.boards + number * BOARD_CARDS;
        const LowRank* const lows = sort_on_board<HOLE>(cards, given.columns > 1, hands, pairs, tables, block);
        block.load_categories(given.category_ends);
        const int last = lows ? block.pairs.low_level(63) : 0;
        for (int low = 0; low <= last; ++low) {
            Sweep<HOLE, Sums>{given, out, hands, sums, totals, low, last, Wide(given.times[number])}.run(block);
        }
        totals.move_to(out, given, number);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the hands of four cards that two players' hands beat and tie.
// A block takes a board at a time: ranks all pairs of cards, sorts the hands in device memory, and goes through them
// level by level. Shared memory: the pairs by level (8 KB), the sums of subsets (37 KB). A hand meets 178,365 others
// on a board at most; a caller bounds boards x times so that sums stay below 2^63.
//   given    boards and hands
//   pairs    (1326,) uint16, all pairs of cards
//   tables   tables of Omaha
//   sorted   (blocks, num_hands) uint64, scratch
//   numbers  (blocks, num_hands) uint32, scratch
//   out      what is counted
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 4) count_omaha_four(
    OmahaRanges given,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    Wide* sorted,
    unsigned* numbers,
    OmahaSums out)
{
    __shared__ OmahaBlock block;
    __shared__ BoardTotals totals;
    __shared__ PackedSums sums;
    count_boards(given, pairs, tables, block, totals, sums, sorted, numbers, out);
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
    unsigned* numbers,
    Wide* sums,
    long long num_sums,
    OmahaSums out)
{
    __shared__ OmahaBlock block;
    __shared__ BoardTotals totals;
    const auto count = [&](auto& own_sums) {
        count_boards(given, pairs, tables, block, totals, own_sums, sorted, numbers, out);
    };
    count_size<WideSums, 5>(hole_cards, sums, num_sums, count);
    count_size<WideSums, 6>(hole_cards, sums, num_sums, count);
}

// The same for hands with weights, of four to six cards.
//   sums       (blocks, num_sums) uint64, scratch
//   num_sums   sets of fewer cards than a hand has, for each player
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_omaha_weighted(
    OmahaRanges given,
    int hole_cards,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    Wide* sorted,
    unsigned* numbers,
    Wide* sums,
    long long num_sums,
    OmahaSums out)
{
    __shared__ OmahaBlock block;
    __shared__ BoardTotals totals;
    const auto count = [&](auto& own_sums) {
        count_boards(given, pairs, tables, block, totals, own_sums, sorted, numbers, out);
    };
    count_size<TwoWeighted, 4>(hole_cards, sums, num_sums, count);
    count_size<TwoWeighted, 5>(hole_cards, sums, num_sums, count);
    count_size<TwoWeighted, 6>(hole_cards, sums, num_sums, count);
}
