// What the draws of a five-card hand beat, among the hands without their cards.
//
// The hands that share no card with a draw d are the sum over its subsets S of (-1)^|S| times the hands that hold S.
// So for each set of up to four cards of the deck its hands are listed once: of up to two cards, how many have a
// lower name than each; of three and four, their names in order.

#include "five_card/names.cuh"
#include "shared/strides.cuh"
#include "shared/subsets.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

using Wide = unsigned long long;

constexpr int COUNTED_CARDS = 2;  // of a set whose hands are counted by name
constexpr int LISTED_CARDS = 4;   // of a set whose hands are listed, at most
constexpr int MAX_LISTED = 1024;  // hands with three cards of 47: 946

// Call visit(name) for the hands of a deck that hold a set of its places; the threads of a block share them. What is
// not in the set is numbered on from 0.
template <class Visit>
__device__ inline void visit_hands(
    const Card* deck, int cards, unsigned set, int size, const FiveCards& five, Visit&& visit)
{
    Card held[HAND_CARDS];
    CardBits in_set = 0;
    int at = 0;
    visit_subset(set, cards, size, [&](int place) {
        in_set |= 1ULL << place;
        held[at++] = deck[place];
    });
    for (const unsigned other : block_stride(int(count_subsets(unsigned(cards - size), HAND_CARDS - size)))) {
        Card hand[HAND_CARDS];
        for (int i = 0; i < size; ++i) hand[i] = held[i];
        int next = size;
        visit_subset(other, cards - size, HAND_CARDS - size, [&](int place) {
            for (CardBits before = in_set; before; before &= before - 1) place += lowest_card(before) <= place;
            hand[next++] = deck[place];
        });
        visit(other, five.name(hand));
    }
}

// The hands of a deck by the cards they hold and by name.
struct Listing {
    const unsigned* __restrict__ below;  // (sets of 0, 1, 2 cards; names + 1): hands of lower names
    const Name* __restrict__ threes;     // (sets of 3 cards, hands with them), ascending
    const Name* __restrict__ fours;      // (sets of 4 cards, hands with them), ascending
    int cards;                           // of the deck

    // How many of an ascending list are lower than a name.
    static __device__ unsigned lower_than(const Name* list, int size, Name name)
    {
        int begin = 0, end = size;
        while (begin < end) {
            const int middle = (begin + end) / 2;
            if (list[middle] < name) {
                begin = middle + 1;
            } else {
                end = middle;
            }
        }
        return unsigned(begin);
    }

    // The hands that hold a set of cards and are lower than a name; those that are not above it.
    __device__ void count(
        const int* places, int size, Name name, int num_names, unsigned& lower, unsigned& up_to) const
    {
        const unsigned number = subset_number(places, size);
        if (size <= COUNTED_CARDS) {
            unsigned first = number;  // of the smaller sets
            for (int less = 0; less < size; ++less) first += count_subsets(unsigned(cards), less);
            const unsigned* const row = below + (long long)first * (num_names + 1);
            lower = row[name];
            up_to = row[name + 1];
        } else if (size <= LISTED_CARDS) {
            const int hands = int(count_subsets(unsigned(cards - size), HAND_CARDS - size));
            const Name* const list = (size == 3 ? threes : fours) + (long long)number * hands;
            lower = lower_than(list, hands, name);
            up_to = lower + lower_than(list + lower, hands - int(lower), Name(name + 1));
        } else {  // the hand itself
            lower = 0;
            up_to = 1;
        }
    }
};

static_assert(PACKED_LISTING(Listing), "Python packs listings in another layout");

}  // namespace gpuodds

using namespace gpuodds;

// Count the hands with a set of up to two cards by name: for each name, those of lower ones. A block takes a set at a
// time. Shared memory: a counter for each name (30 KB).
//   deck   (cards,) uint8, ascending
//   size   cards of a set, 0 to 2
//   five   names of hands
//   below  (sets, num_names + 1) uint32, receives the counts, in the last column of all
extern "C" __global__ void count_names(
    const Card* __restrict__ deck, int cards, int size, FiveCards five, unsigned* __restrict__ below)
{
    __shared__ int counts[HIGHEST_RANK + 2];
    const int columns = five.num_names + 1;
    for (const long long set : grid_stride_blocks(count_subsets(unsigned(cards), size))) {
        for (const int x : block_stride(columns)) counts[x] = 0;
        __syncthreads();
        visit_hands(deck, cards, unsigned(set), size, five, [&](unsigned, Name name) {
            atomicAdd(&counts[name], 1);
        });
        __syncthreads();
        if (warp() == 0) add_up_below(counts, columns);
        __syncthreads();
        // A thread reads the counters that it clears for the next set.
        for (const int x : block_stride(columns)) below[set * columns + x] = unsigned(counts[x]);
    }
}

// List the names of the hands with a set of cards, in order: a bitonic sort. A block takes a set at a time. Shared
// memory: the names (2 KB).
//   deck   (cards,) uint8, ascending
//   size   cards of a set, 3 or 4
//   five   names of hands
//   lists  (sets, hands with a set) uint16, receives the names
extern "C" __global__ void list_names(
    const Card* __restrict__ deck, int cards, int size, FiveCards five, Name* __restrict__ lists)
{
    __shared__ Name list[MAX_LISTED];
    const int hands = int(count_subsets(unsigned(cards - size), HAND_CARDS - size));
    int width = 2;
    while (width < hands) width *= 2;
    for (const long long set : grid_stride_blocks(count_subsets(unsigned(cards), size))) {
        for (const int x : block_stride(width - hands)) list[hands + x] = Name(0xFFFF);
        visit_hands(deck, cards, unsigned(set), size, five, [&](unsigned at, Name name) { list[at] = name; });
        __syncthreads();
        for (int run = 2; run <= width; run *= 2) {
            for (int apart = run / 2; apart > 0; apart /= 2) {
                for (const unsigned x : block_stride(width / 2)) {
                    const unsigned low = 2 * x - (x & unsigned(apart - 1)), high = low + unsigned(apart);
                    const Name one = list[low], other = list[high];
                    const bool is_rising = (low & unsigned(run)) == 0;
                    if ((one > other) == is_rising) {
                        list[low] = other;
                        list[high] = one;
                    }
                }
                __syncthreads();
            }
        }
        // A thread reads the names in whose place it writes the next set's.
        for (const int x : block_stride(hands)) lists[set * hands + x] = list[x];
    }
}

// Count the deals in which the kept cards of some discards, with each draw from the deck, win and tie. A thread takes
// a draw at a time.
//   deck     (cards,) uint8, ascending
//   listing  its hands
//   drawn    cards of a draw, 0 to 5
//   kept     (keeps, 5 - drawn) uint8, the cards that are kept
//   five     names of hands
//   counts   (keeps, 2) uint64, added to: wins and ties
extern "C" __global__ void count_draws(
    const Card* __restrict__ deck, Listing listing, int drawn, const Card* __restrict__ kept, int keeps,
    FiveCards five, Wide* __restrict__ counts)
{
    const long long draws = count_subsets(unsigned(listing.cards), drawn);
    for (int keep = 0; keep < keeps; ++keep) {
        Wide wins = 0, ties = 0;
        for (const long long draw : grid_stride(draws)) {
            Card hand[HAND_CARDS];
            int places[HAND_CARDS], left = drawn;  // ascending
            visit_subset(unsigned(draw), listing.cards, drawn, [&](int place) {
                places[--left] = place;
                hand[left] = deck[place];
            });
            for (int i = drawn; i < HAND_CARDS; ++i) hand[i] = kept[keep * (HAND_CARDS - drawn) + i - drawn];
            const Name name = five.name(hand);
            long long below = 0, up_to = 0;
            for (unsigned subset = 0; subset < 1u << drawn; ++subset) {
                int own[HAND_CARDS], size = 0;
                for (unsigned rest = subset; rest; rest &= rest - 1) own[size++] = places[lowest_bit(rest)];
                unsigned lower, not_above;
                listing.count(own, size, name, five.num_names, lower, not_above);
                below += size % 2 ? -(long long)lower : lower;
                up_to += size % 2 ? -(long long)not_above : not_above;
            }
            wins += Wide(below);
            ties += Wide(up_to - below);
        }
        wins = warp_sum(wins);
        ties = warp_sum(ties);
        if (lane() == 0 && (wins | ties)) {
            atomicAdd(&counts[2 * keep], wins);
            atomicAdd(&counts[2 * keep + 1], ties);
        }
    }
}
