// The five-card hands of decks by rank, and by category and high card: products of binomials, none is listed.

#include "shared/hand_rank.cuh"
#include "shared/strides.cuh"
#include "shared/subsets.cuh"

namespace gpuodds {

using Wide = unsigned long long;

constexpr unsigned ALL_SUITS = (1 << SUITS) - 1;

// The five ranks of a hand rank, the most frequent first, four bits each; then whether it is a flush.
struct Shape {
    unsigned bits;

    __device__ int rank(int i) const { return int(bits >> 4 * i & 15); }
    __device__ bool is_flush() const { return bits >> 4 * HAND_CARDS & 1; }
    __device__ int times_of_first() const
    {
        int times = 1;
        while (times < HAND_CARDS && rank(times) == rank(0)) ++times;
        return times;
    }
};

// The suits of a rank that a deck has, a mask.
__device__ inline unsigned suits_of(CardBits deck, int rank) { return unsigned(deck >> SUITS * rank) & ALL_SUITS; }

// The suits of which a deck has all ranks of a shape, a mask.
__device__ inline unsigned flush_suits(CardBits deck, Shape shape)
{
    unsigned suits = ALL_SUITS;
    for (int i = 0; i < HAND_CARDS; ++i) suits &= suits_of(deck, shape.rank(i));
    return suits;
}

// The ways to choose the ranks of a shape from place `begin` on, where a rank's first place is.
__device__ inline Wide count_ways(CardBits deck, Shape shape, int begin)
{
    Wide ways = 1;
    for (int i = begin, times; i < HAND_CARDS; i += times) {
        for (times = 1; i + times < HAND_CARDS && shape.rank(i + times) == shape.rank(i); ++times) {}
        ways *= count_subsets(count_bits(suits_of(deck, shape.rank(i))), times);
    }
    return ways;
}

// Whether a shape has five different ranks: of these, flushes are apart.
__device__ inline bool has_five_ranks(Shape shape)
{
    bool different = true;
    for (int i = 1; i < HAND_CARDS; ++i) different = different && shape.rank(i) != shape.rank(i - 1);
    return different;
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the hands of each rank in each deck. A thread takes a rank of a deck at a time.
//   decks   (count,) uint64, bit c for card c
//   shapes  (HIGHEST_RANK + 1,) uint32, see Shape; the first means nothing
//   out     (count, HIGHEST_RANK + 1) int64, receives the hands of each rank, 0 at the first
extern "C" __global__ void count_five_card_hands(
    const CardBits* __restrict__ decks, long long count, const unsigned* __restrict__ shapes,
    long long* __restrict__ out)
{
    for (const long long i : grid_stride(count * (HIGHEST_RANK + 1))) {
        const int rank = int(i % (HIGHEST_RANK + 1));
        const CardBits deck = decks[i / (HIGHEST_RANK + 1)];
        const Shape shape{shapes[rank]};
        const Wide flushes = has_five_ranks(shape) ? count_bits(flush_suits(deck, shape)) : 0;
        const Wide hands = shape.is_flush() ? flushes : count_ways(deck, shape, 0) - flushes;
        out[i] = rank ? (long long)hands : 0;
    }
}

// Count the hands of each category and high card in each deck. A thread takes a rank of a deck at a time.
//   decks, shapes  as above
//   category_ends  (CATEGORIES,) int32, the lowest rank above each category
//   out            (count, CATEGORIES, DECK_SIZE) uint64, added to: hands by category and high card, of the rank that
//                  is first in a shape the card of the highest suit
extern "C" __global__ void count_five_card_high_cards(
    const CardBits* __restrict__ decks, long long count, const unsigned* __restrict__ shapes,
    const int* __restrict__ category_ends, Wide* __restrict__ out)
{
    for (const long long i : grid_stride(count * HIGHEST_RANK)) {
        const int rank = int(i % HIGHEST_RANK) + 1;
        const long long row = i / HIGHEST_RANK;
        const CardBits deck = decks[row];
        const Shape shape{shapes[rank]};
        const unsigned flushes = has_five_ranks(shape) ? flush_suits(deck, shape) : 0;
        const int first = shape.rank(0), times = shape.times_of_first();
        const Wide others = shape.is_flush() ? 0 : count_ways(deck, shape, times);
        Wide* const places = out + (row * CATEGORIES + hand_category(HandRank(rank), category_ends)) * DECK_SIZE;
        unsigned lower = 0;
        for (unsigned left = suits_of(deck, first); left; left &= left - 1, ++lower) {
            const int suit = lowest_bit(left);
            const Wide suited = flushes >> suit & 1;
            const Wide hands = shape.is_flush() ? suited : count_subsets(lower, times - 1) * others - suited;
            if (hands) atomicAdd(&places[SUITS * first + suit], hands);
        }
    }
}
