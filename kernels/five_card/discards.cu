// What five-card hands discard, and deals drawn against an opponent who discards so.
//
// A discard is worth the mean of what the hands are worth that hold the kept cards and none of those discarded: by
// inclusion and exclusion from sums over the hands of a whole deck that hold a set of cards. Sets of up to four cards
// go by size, then by number.

#include "five_card/names.cuh"
#include "sampling/deals.cuh"
#include "shared/strides.cuh"
#include "shared/subsets.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

constexpr int SUBSETS = 1 << HAND_CARDS;

// Where the sums of sets of a size begin; those of five would begin at the end, where what each name is worth stands.
__host__ __device__ constexpr unsigned first_of_size(int size)
{
    unsigned first = 0;
    for (int less = 0; less < size; ++less) first += count_subsets(DECK_SIZE, less);
    return first;
}

constexpr unsigned WORTHS = first_of_size(HAND_CARDS);

// The cards to discard from an ascending hand, bits of its places, at most `most` of them.
__device__ inline unsigned best_discard(
    const Card (&hand)[HAND_CARDS], int most, const FiveCards& five, const long long* sums)
{
    long long of_subset[SUBSETS];
    for (unsigned subset = 0; subset < SUBSETS - 1; ++subset) {
        int places[HAND_CARDS], size = 0;
        for (unsigned rest = subset; rest; rest &= rest - 1) places[size++] = hand[lowest_bit(rest)];
        of_subset[subset] = sums[first_of_size(size) + subset_number(places, size)];
    }
    of_subset[SUBSETS - 1] = sums[WORTHS + five.name(hand)];
    unsigned best = 0;
    double highest = -1.0;
    for (unsigned discard = 0; discard < SUBSETS; ++discard) {
        const int drawn = count_bits(discard);
        if (drawn > most) continue;
        long long total = 0;  // over the completions of the kept cards that hold none of those discarded
        for (unsigned some = discard;; some = (some - 1) & discard) {
            const long long value = of_subset[(SUBSETS - 1 - discard) | some];
            total += count_bits(some) % 2 ? -value : value;
            if (some == 0) break;
        }
        const double mean = double(total) / double(count_subsets(DECK_SIZE - HAND_CARDS, drawn));
        if (mean > highest) {
            highest = mean;
            best = discard;
        }
    }
    return best;
}

}  // namespace gpuodds

using namespace gpuodds;

// Sum what the hands with each four cards of a whole deck are worth. A thread takes a set at a time.
//   five  names of hands
//   sums  (WORTHS + num_names,) int64: at the end, what each name is worth; receives the sums of four cards
extern "C" __global__ void sum_fours(FiveCards five, long long* sums)
{
    constexpr int FOUR = HAND_CARDS - 1;
    for (const long long set : grid_stride(count_subsets(DECK_SIZE, FOUR))) {
        Card hand[HAND_CARDS];
        CardBits held = 0;
        int at = 0;
        visit_subset(unsigned(set), DECK_SIZE, FOUR, [&](int card) {
            held |= 1ULL << card;
            hand[at++] = Card(card);
        });
        long long sum = 0;
        for (int card = 0; card < DECK_SIZE; ++card) {
            if (held >> card & 1) continue;
            hand[FOUR] = Card(card);
            sum += sums[WORTHS + five.name(hand)];
        }
        sums[first_of_size(FOUR) + set] = sum;
    }
}

// Sum what the hands with each set of `size` cards are worth, 0 to 3, from the sums of one card more: a hand is in as
// many of these as it has further cards. A thread takes a set at a time.
//   sums  see sum_fours
extern "C" __global__ void sum_sets(int size, long long* sums)
{
    for (const long long set : grid_stride(count_subsets(DECK_SIZE, size))) {
        CardBits held = 0;
        visit_subset(unsigned(set), DECK_SIZE, size, [&](int card) { held |= 1ULL << card; });
        long long sum = 0;
        for (int card = 0; card < DECK_SIZE; ++card) {
            if (held >> card & 1) continue;
            int cards[HAND_CARDS], count = 0;
            for (CardBits rest = held | 1ULL << card; rest; rest &= rest - 1) cards[count++] = lowest_card(rest);
            sum += sums[first_of_size(size + 1) + subset_number(cards, count)];
        }
        sums[first_of_size(size) + set] = sum / (HAND_CARDS - size);
    }
}

// Find what hands discard to have most equity against five random cards of a whole deck. A thread takes a hand.
//   hands     (count, 5) uint8, each ascending
//   most      cards to discard at most, 0 to 5
//   five      names of hands
//   sums      see sum_fours
//   discards  (count,) int64, receives bits of the places to discard
extern "C" __global__ void find_discards(
    const Card* __restrict__ hands, long long count, int most, FiveCards five,
    const long long* __restrict__ sums, long long* __restrict__ discards)
{
    for (const long long h : grid_stride(count)) {
        Card hand[HAND_CARDS];
        for (int i = 0; i < HAND_CARDS; ++i) hand[i] = hands[HAND_CARDS * h + i];
        discards[h] = best_discard(hand, most, five, sums);
    }
}

// Deal the samples `begin` to `end` of a seed and count what each discard wins and ties in them. A thread takes a
// sample at a time; its opponent gets five cards, the player as many as it draws, then the opponent as many. Shared
// memory: what each random word chooses among (288 bytes), and counters (256 bytes), of 32 bits: a launch has at most
// 2^32 - 1 samples.
//   hand           (5,) uint8
//   deck           (cards,) uint8, ascending
//   discards       (rows,) uint8, bits of the places that are discarded, at most `most`
//   opponent_draws whether the opponent discards what is best for its hand, or stands pat
//   five, sums     names of hands; see sum_fours, read only if the opponent draws
//   counts         (rows, 2) uint64, added to: wins and ties
extern "C" __global__ void sample_draws(
    long long begin, long long end, Wide seed, const Card* __restrict__ hand, const Card* __restrict__ deck,
    int cards, const unsigned char* __restrict__ discards, int rows, int most, int opponent_draws,
    FiveCards five, const long long* __restrict__ sums, Wide* __restrict__ counts)
{
    __shared__ Choices choices[MAX_WORDS];
    __shared__ unsigned block_counts[2 * SUBSETS];
    for (const int x : block_stride(MAX_WORDS)) choices[x] = Choices(cards - CARDS_PER_WORD * x);
    for (const int x : block_stride(2 * SUBSETS)) block_counts[x] = 0;
    __syncthreads();
    const int wanted = HAND_CARDS + most * (opponent_draws ? 2 : 1);
    for (const long long number : grid_stride(end - begin)) {
        const Wide sample = Wide(begin + number);
        Card own[DECK_SIZE];
        for (int i = 0; i < cards; ++i) own[i] = deck[i];
        Stream words(seed, sample, CARD_STREAM);
        draw_cards(words, 0, wanted, own + cards, own, choices, (long long)sample, seed);
        const Card* const drawn = own + cards - 1;  // downwards
        Card theirs[HAND_CARDS];
        for (int i = 0; i < HAND_CARDS; ++i) theirs[i] = drawn[-i];
        if (opponent_draws) {
            for (int i = 1; i < HAND_CARDS; ++i) {
                for (int j = i; j > 0 && theirs[j - 1] > theirs[j]; --j) {
                    const Card higher = theirs[j - 1];
                    theirs[j - 1] = theirs[j];
                    theirs[j] = higher;
                }
            }
            const unsigned discard = best_discard(theirs, most, five, sums);
            int next = HAND_CARDS + most;
            for (int i = 0; i < HAND_CARDS; ++i) {
                if (discard >> i & 1) theirs[i] = drawn[-next++];
            }
        }
        const Name name = five.name(theirs);
        for (int row = 0; row < rows; ++row) {
            Card ours[HAND_CARDS];
            int next = HAND_CARDS;
            for (int i = 0; i < HAND_CARDS; ++i) ours[i] = discards[row] >> i & 1 ? drawn[-next++] : hand[i];
            const Name own_name = five.name(ours);
            if (own_name > name) atomicAdd(&block_counts[2 * row], 1u);
            if (own_name == name) atomicAdd(&block_counts[2 * row + 1], 1u);
        }
    }
    __syncthreads();
    for (const int x : block_stride(2 * rows)) {
        if (block_counts[x]) atomicAdd(&counts[x], Wide(block_counts[x]));
    }
}
