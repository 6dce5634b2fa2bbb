// Three players' Omaha hands against each other on full boards: the deals by who has the best high and the best low.
//
// The first player's hands are taken one by one. With one of them dealt, hands of the second that share no card with
// it look up in the sums of subsets how many of the third they leave, up to some highs and lows. Let m be the better
// of the first's and the second's level: the third's hands below m, at m and above it tell who is best. So each of
// the second's hands looks at three limits, m - 1, m and any; with lows at nine, three times three.

#include "omaha/sorted_hands.cuh"

namespace gpuodds {

// Kernels take this by value.
struct OmahaThree {
    const Card* __restrict__ boards;      // (num_boards, 5)
    const long long* __restrict__ times;  // (num_boards,): how often each board counts
    const Wide* __restrict__ hands;       // (num_hands,) SortedHand without low, each hand once
    const Wide* __restrict__ weights;     // (3, num_hands): of each player, 0 for hands not held; or none, all are 1
    const int* __restrict__ firsts;       // (num_firsts,): the hands of the first player
    int num_boards, num_hands, num_firsts;
    int parts;     // of the first player's hands
    int has_lows;
};

static_assert(PACKED_OMAHA_THREE(OmahaThree), "Python packs ranges in another layout");

template <int HOLE> using OneWeighted = WeightedSums<HOLE, 1>;

enum PlayerBit : unsigned {
    FIRST = 1,
    SECOND = 2,
    THIRD = 4,
    PLAYER_SETS = 8
};

// The third's hands below, at and above the better of the first's and the second's level.
enum Beside : int {
    BELOW_BEST,
    AT_BEST,
    ABOVE_BEST,
    NUM_BESIDE
};

// Who is best, with the third beside the better of the other two, who are `best`.
__device__ inline unsigned who_is_best(unsigned best, int third)
{
    return third == ABOVE_BEST ? unsigned(THIRD) : best | (third == AT_BEST ? unsigned(THIRD) : 0u);
}

// What a block counts, in shared memory: by the players with the best high, then by those with the best low.
struct BestCounts {
    Wide of_hand[PLAYER_SETS * PLAYER_SETS];  // with the first player's hand that is dealt
    Wide of_board[PLAYER_SETS * PLAYER_SETS];

    // Add the hand's counts to the board's. A barrier comes before; another before the next hand is counted.
    template <bool HAVE_WEIGHTS> __device__ void add_hand(Wide weight)
    {
        for (const int x : block_stride(PLAYER_SETS * PLAYER_SETS)) {
            const long long deals = (long long)of_hand[x];
            of_hand[x] = 0;
            // Weights are rounded: a difference of sums may come out just below 0.
            if (deals > 0) of_board[x] += HAVE_WEIGHTS ? scaled_product(weight, Wide(deals)) : Wide(deals);
        }
    }
};

// The sweeps over a board's sorted hands with a hand of the first player dealt.
template <int HOLE, class Sums> struct ThreeSweep {
    const OmahaThree& given;
    const HandsToSort& hands;
    Sums& sums;
    BestCounts& counts;
    const int* first;       // where the hands of each level begin
    CardBits gone;          // the places of the first player's hand
    int own_level, own_low;
    int low, last;          // the third's hands with lows up to a level are added; the highest of these

    __device__ typename Sums::Held third(int i, unsigned members) const
    {
        const Wide* const weights = given.weights + 2 * (long long)given.num_hands;
        return Sums::held(Sums::HAVE_WEIGHTS ? weights : nullptr, 0, hands.numbers[i], members / THIRD);
    }

    // Add the third's hands from place `begin` to `end`.
    __device__ void add(int begin, int end)
    {
        Wide all = 0;
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{hands.sorted[i]};
            const unsigned members = hand.members();
            if (!(members & THIRD) || hand.low() > low || (hand.set() & gone)) continue;
            int places[HOLE];
            hand.read(places);
            const auto held = third(i, members);
            sums.add(places, held);
            all += Sums::weight(held, 0);
        }
        sums.add_to_all(all, 0);
    }

    // Add deals in which the third's high and low are at most beside the others' as given, `high` and `best` of whom
    // have the better ones. The next limit counts them as well: there they are taken off.
    __device__ void scatter(
        Wide deals, unsigned high, int beside_high, unsigned best, int beside_low, int num_lows) const
    {
        for (int i = beside_high; i <= beside_high + 1 && i < NUM_BESIDE; ++i) {
            for (int j = beside_low; j <= beside_low + 1 && j < num_lows; ++j) {
                const unsigned set = who_is_best(high, i) * PLAYER_SETS + low_set_of(best, j);
                atomicAdd(&counts.of_hand[set], (i - beside_high + j - beside_low) % 2 ? 0 - deals : deals);
            }
        }
    }

    // Who has the best low: no player where none of the three has a low.
    __device__ unsigned low_set_of(unsigned best, int third_beside) const
    {
        return best == 0 && third_beside == AT_BEST ? 0 : who_is_best(best, third_beside);
    }

    // The second's hands from place `begin` to `end` find the third's that are added: below the better high up to
    // place `middle`, or as `before` says, and as `after` says from there on. Those before place `added` are added.
    __device__ void find(int begin, int middle, int end, int added, Beside before, Beside after) const
    {
        for (int i = begin + int(threadIdx.x); i < end; i += int(blockDim.x)) {
            const SortedHand<HOLE> hand{hands.sorted[i]};
            const unsigned members = hand.members();
            if (!(members & SECOND) || (hand.set() & gone)) continue;
            const int second_low = hand.low(), best_low = second_low > own_low ? second_low : own_low;
            if (low != best_low - 1 && low != best_low && low != last) continue;
            int places[HOLE];
            hand.read(places);
            const bool is_added = (members & THIRD) && i < added && second_low <= low;
            const Weights apart = sums.find_apart(places, is_added ? third(i, members) : typename Sums::Held{});
            Wide deals = apart.player[0];
            if (deals == 0) continue;
            if constexpr (Sums::HAVE_WEIGHTS) {
                deals = scaled_product(given.weights[given.num_hands + (long long)hands.numbers[i]], deals);
            }
            const bool is_lower = i < first[own_level], is_higher = i >= first[own_level + 1];
            const unsigned high = (is_higher ? 0u : unsigned(FIRST)) | (is_lower ? 0u : unsigned(SECOND));
            unsigned best = 0;
            if (best_low && own_low == best_low) best |= FIRST;
            if (best_low && second_low == best_low) best |= SECOND;
            const Beside beside = i < middle ? before : after;
            const int num_lows = best_low == last ? AT_BEST + 1 : NUM_BESIDE;  // the third has no better one
            if (low == best_low - 1) scatter(deals, high, beside, best, BELOW_BEST, num_lows);
            if (low == best_low) scatter(deals, high, beside, best, AT_BEST, num_lows);
            if (low == last) scatter(deals, high, beside, best, ABOVE_BEST, num_lows);
        }
    }

    // Every thread of the block calls this. Has a barrier when the sums are clear; ends in one.
    __device__ void run(int levels)
    {
        sums.clear();
        __syncthreads();
        add(0, first[own_level]);
        __syncthreads();
        int begin = 0;
        find(0, first[own_level + 1], first[own_level + 1], first[own_level], BELOW_BEST, BELOW_BEST);
        __syncthreads();
        for (int level = own_level; level < levels; ++level) {
            const int end = first[level + 1], above = level + 1 < levels ? first[level + 2] : end;
            add(first[level], end);
            __syncthreads();
            find(begin, end, above, end, AT_BEST, BELOW_BEST);
            __syncthreads();
            begin = end;
        }
        find(0, first[levels], first[levels], first[levels], ABOVE_BEST, ABOVE_BEST);
        __syncthreads();
    }
};

// Count the deals, an item at a time: a board, and a part of the first player's hands.
template <class Sums>
__device__ inline void count_three(
    const OmahaThree& given, const Pair* pairs, const OmahaTables& tables, OmahaBlock& block, BestCounts& counts,
    Sums& sums, long long first_item, long long items, Wide* sorted, unsigned* numbers, Wide* out)
{
    constexpr int HOLE = Sums::HAND_SIZE;
    const HandsToSort hands(given.hands, given.num_hands, sorted, numbers);
    for (const int x : block_stride(PLAYER_SETS * PLAYER_SETS)) counts.of_hand[x] = counts.of_board[x] = 0;
    for (const long long x : grid_stride_blocks(items)) {
        const long long item = first_item + x, number = item / given.parts;
        const int part = int(item % given.parts);
        const Card* const cards = given.boards + number * BOARD_CARDS;
        // A barrier follows in each sweep, and at the end.
        const LowRank* const lows = sort_on_board<HOLE>(cards, given.has_lows, hands, pairs, tables, block);
        const int last = lows ? block.pairs.low_level(63) : 0;
        for (int f = part; f < given.num_firsts; f += given.parts) {
            const int own = given.firsts[f];
            const SortedHand<HOLE> in_hand{given.hands[own]};
            const int level = level_of(in_hand, block.pairs);
            if (level == BLOCKED) continue;
            const SortedHand<HOLE> hand = on_board(in_hand, lows, block.pairs);
            for (int low = 0; low <= last; ++low) {
                ThreeSweep<HOLE, Sums>{
                    given, hands, sums, counts, block.first, hand.set(), level, hand.low(), low, last}
                    .run(block.pairs.count);
            }
            counts.template add_hand<Sums::HAVE_WEIGHTS>(Sums::HAVE_WEIGHTS ? given.weights[own] : 1);
        }
        __syncthreads();  // before the next board
        for (const int x : block_stride(PLAYER_SETS * PLAYER_SETS)) {
            add_in_parts(out + 2 * x, counts.of_board[x], Wide(given.times[number]));
            counts.of_board[x] = 0;
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the deals of three players' hands of four cards by who is best.
// A block takes an item at a time: it sorts all hands of a board in device memory, and goes through them level by level
// for each hand of the first player in its part. Shared memory: the pairs by level (8 KB), the sums of subsets (37 KB).
// A caller sees to it that a board has fewer than 2^63 deals.
//   given    boards and hands
//   pairs    (1326,) uint16, all pairs of cards
//   tables   tables of Omaha
//   first_item, items  the items of this launch: board x parts + part
//   sorted   (blocks, num_hands) uint64, scratch
//   numbers  (blocks, num_hands) uint32, scratch
//   out      (8, 8, 2) uint64, added to: times deals by the players with the best high and with the best low, masks,
//            the low and the high 32 bits of each board's apart
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 4) count_three_four(
    OmahaThree given,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    long long first_item,
    long long items,
    Wide* sorted,
    unsigned* numbers,
    Wide* __restrict__ out)
{
    __shared__ OmahaBlock block;
    __shared__ BestCounts counts;
    __shared__ PackedSums sums;
    count_three(given, pairs, tables, block, counts, sums, first_item, items, sorted, numbers, out);
}

// The same for hands of five or six cards, with the sums in device memory.
//   sums       (blocks, num_sums) uint64, scratch
//   num_sums   sets of fewer cards than a hand has
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_three_many(
    OmahaThree given,
    int hole_cards,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    long long first_item,
    long long items,
    Wide* sorted,
    unsigned* numbers,
    Wide* sums,
    long long num_sums,
    Wide* __restrict__ out)
{
    __shared__ OmahaBlock block;
    __shared__ BestCounts counts;
    const auto count = [&](auto& own_sums) {
        count_three(
            given, pairs, tables, block, counts, own_sums, first_item, items, sorted, numbers, out);
    };
    count_size<WideSums, 5>(hole_cards, sums, num_sums, count);
    count_size<WideSums, 6>(hole_cards, sums, num_sums, count);
}

// The same for hands with weights, of four to six cards.
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_three_weighted(
    OmahaThree given,
    int hole_cards,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    long long first_item,
    long long items,
    Wide* sorted,
    unsigned* numbers,
    Wide* sums,
    long long num_sums,
    Wide* __restrict__ out)
{
    __shared__ OmahaBlock block;
    __shared__ BestCounts counts;
    const auto count = [&](auto& own_sums) {
        count_three(
            given, pairs, tables, block, counts, own_sums, first_item, items, sorted, numbers, out);
    };
    count_size<OneWeighted, 4>(hole_cards, sums, num_sums, count);
    count_size<OneWeighted, 5>(hole_cards, sums, num_sums, count);
    count_size<OneWeighted, 6>(hole_cards, sums, num_sums, count);
}
