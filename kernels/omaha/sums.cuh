// What two players' hands, those that hold each set of cards, weigh together; inclusion and exclusion over the sets.
//
// The hands that share no card with a hand h are the sum over the subsets S of h of (-1)^|S| times the hands that
// hold S. Sets of fewer cards than a hand has are counted; h itself, with all its cards, is put right apart.
// Cards go by their places among those that are not on the board, sets of a size colexicographically.
//
// Each hand counts 1, or has weights: whole numbers of a small unit, as gpuodds/backends/cuda/omaha/weights.py makes
// them. So sums are the same in any order, and differences of them are exact.

#pragma once

#include "omaha/pairs.cuh"
#include "shared/subsets.cuh"

namespace gpuodds {

using Wide = unsigned long long;

constexpr int PLAYERS_OF_SUMS = 2;

// What a hand counts for each of the players whose sums are kept.
struct Weights {
    Wide player[PLAYERS_OF_SUMS];
};

// The product of two weights or sums of weights, in units of the products: rounded to the nearest.
__device__ inline Wide scaled_product(Wide one, Wide other)
{
    const Wide high = __umul64hi(one, other), low = one * other;
    const Wide rounded = low + (1ULL << (WEIGHT_SHIFT - 1));
    return (high + (rounded < low)) << (64 - WEIGHT_SHIFT) | rounded >> WEIGHT_SHIFT;
}

// Add a number times a factor to a sum that is kept in two parts: of its low and of its high 32 bits.
__device__ inline void add_in_parts(Wide* parts, Wide number, Wide factor)
{
    if (number == 0) return;
    atomicAdd(&parts[0], (number & 0xFFFFFFFF) * factor);
    atomicAdd(&parts[1], (number >> 32) * factor);
}

// The number of sets of `size` places that come before those with `place`.
template <int SIZE> __device__ inline unsigned sets_below(int place)
{
    unsigned product = 1, ways = 1;
    for (int i = 0; i < SIZE; ++i) {
        product *= unsigned(place - i);
        ways *= unsigned(i + 1);
    }
    return product / ways;  // 0 where a factor is
}

// Call visit(Size<k>, number) for each subset of k of a hand's places, 0 < k < HOLE.
template <int HOLE, int AT = 0, int SIZE = 0, class Visit>
__device__ inline void visit_subsets(const int (&places)[HOLE], Visit&& visit, unsigned number = 0)
{
    if constexpr (AT < HOLE) {
        visit_subsets<HOLE, AT + 1, SIZE>(places, visit, number);
        if constexpr (SIZE + 1 < HOLE) {
            const unsigned joined = number + sets_below<SIZE + 1>(places[AT]);
            visit_subsets<HOLE, AT + 1, SIZE + 1>(places, visit, joined);
        }
    } else if constexpr (SIZE > 0) {
        visit(Size<SIZE>{}, number);
    }
}

// Where the sums of sets of a size begin, one after another; those of a hand's size would begin at the end.
__host__ __device__ constexpr unsigned first_set(int size)
{
    unsigned sets = 0;
    for (int less = 0; less < size; ++less) sets += count_subsets(CARDS_LEFT, less);
    return sets;
}

// What a hand counts where all count 1: who may hold it, a bit for each player.
struct Members {
    using Held = unsigned;
    static constexpr bool HAVE_WEIGHTS = false;

    static __device__ unsigned held(const Wide*, int, unsigned, unsigned members) { return members; }
    static __device__ Wide weight(unsigned members, int player) { return members >> player & 1; }
};

// Sums for hands of four cards, in shared memory. Two players have halves of a word, or bytes: of the 47 cards
// left, three are in 44 hands at most, two in 990, one in 15,180.
struct PackedSums : Members {
    static constexpr int HAND_SIZE = 4;
    static constexpr int ONES = CARDS_LEFT, TWOS = count_subsets(CARDS_LEFT, 2);
    static constexpr int THREE_WORDS = (count_subsets(CARDS_LEFT, 3) + 1) / 2;
    unsigned all[PLAYERS_OF_SUMS];
    unsigned ones[ONES];
    unsigned twos[TWOS];
    unsigned threes[THREE_WORDS];

    __device__ void clear()
    {
        for (const int x : block_stride(PLAYERS_OF_SUMS)) all[x] = 0;
        for (const int x : block_stride(ONES)) ones[x] = 0;
        for (const int x : block_stride(TWOS)) twos[x] = 0;
        for (const int x : block_stride(THREE_WORDS)) threes[x] = 0;
    }

    __device__ void add(const int (&places)[4], unsigned members)
    {
        const unsigned halves = (members & 1) | (members >> 1) << 16, bytes = (members & 1) | (members >> 1) << 8;
        visit_subsets<4>(places, [&](auto size, unsigned number) {
            if constexpr (size.value == 1) atomicAdd(&ones[number], halves);
            if constexpr (size.value == 2) atomicAdd(&twos[number], halves);
            if constexpr (size.value == 3) atomicAdd(&threes[number / 2], bytes << 16 * (number & 1));
        });
    }

    __device__ void add_to_all(Wide first, Wide second)
    {
        if (first) atomicAdd(&all[0], unsigned(first));
        if (second) atomicAdd(&all[1], unsigned(second));
    }

    // The hands apart from one; `own` are the players whose sums have that hand itself.
    __device__ Weights find_apart(const int (&places)[4], unsigned own) const
    {
        unsigned odd = 0, even = 0;
        visit_subsets<4>(places, [&](auto size, unsigned number) {
            if constexpr (size.value == 1) odd += ones[number];
            if constexpr (size.value == 2) even += twos[number];
            if constexpr (size.value == 3) {
                const unsigned bytes = threes[number / 2] >> 16 * (number & 1);
                odd += (bytes & 0xFF) | (bytes & 0xFF00) << 8;
            }
        });
        const unsigned first = all[0] - (odd & 0xFFFF) + (even & 0xFFFF) + (own & 1);
        const unsigned second = all[1] - (odd >> 16) + (even >> 16) + (own >> 1);
        return {{first, second}};
    }
};

static_assert(4 * count_subsets(CARDS_LEFT - 1, 3) + 4 * (CARDS_LEFT - 3) < 1 << 16, "a half is enough");
static_assert(6 * count_subsets(CARDS_LEFT - 2, 2) < 1 << 16, "a half is enough");
static_assert(CARDS_LEFT - 3 < 1 << 8, "a byte is enough");

// Sums for hands of more cards, in device memory. Two players have halves of 64 bits, which sums and differences
// on the way may overflow: what comes out at the end is neither negative nor above 2^32.
template <int HOLE> struct WideSums : Members {
    static constexpr int HAND_SIZE = HOLE;
    Wide* sums;  // (first_set(HOLE),)

    __device__ explicit WideSums(Wide* sums) : sums(sums) {}

    static __device__ Wide halves(unsigned members) { return (members & 1) | Wide(members >> 1) << 32; }

    __device__ void clear()
    {
        for (const int x : block_stride(first_set(HOLE))) sums[x] = 0;
    }

    __device__ void add(const int (&places)[HOLE], unsigned members)
    {
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            atomicAdd(&sums[first_set(size.value) + number], halves(members));
        });
    }

    __device__ void add_to_all(Wide first, Wide second)
    {
        const Wide both = first | second << 32;
        if (both) atomicAdd(&sums[0], both);
    }

    __device__ Weights find_apart(const int (&places)[HOLE], unsigned own) const
    {
        Wide apart = sums[0];
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            const Wide sum = sums[first_set(size.value) + number];
            apart += size.value % 2 ? 0 - sum : sum;
        });
        apart += HOLE % 2 ? 0 - halves(own) : halves(own);
        return {{apart & 0xFFFFFFFF, apart >> 32}};
    }
};

static_assert(count_subsets(CARDS_LEFT, 6) < 1 << 30, "counts of hands fit 32 bits");

// Sums of weights of one player or two, in device memory. All weights of a player together are below 2^WEIGHT_BITS.
template <int HOLE, int PLAYERS> struct WeightedSums {
    using Held = Weights;
    static constexpr bool HAVE_WEIGHTS = true;
    static constexpr int HAND_SIZE = HOLE;
    Wide* sums;  // (first_set(HOLE), PLAYERS)

    __device__ explicit WeightedSums(Wide* sums) : sums(sums) {}

    // `weights` are (players, num_hands); a player has none for a hand that he does not hold.
    static __device__ Weights held(const Wide* weights, int num_hands, unsigned number, unsigned)
    {
        return {{weights[number], PLAYERS == 1 ? 0 : weights[num_hands + number]}};
    }
    static __device__ Wide weight(const Weights& held, int player) { return held.player[player]; }

    __device__ void clear()
    {
        for (const int x : block_stride(PLAYERS * first_set(HOLE))) sums[x] = 0;
    }

    __device__ void add_to_set(unsigned set, const Weights& held)
    {
        for (int player = 0; player < PLAYERS; ++player) {
            if (held.player[player]) atomicAdd(&sums[PLAYERS * set + player], held.player[player]);
        }
    }

    __device__ void add(const int (&places)[HOLE], const Weights& held)
    {
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            add_to_set(first_set(size.value) + number, held);
        });
    }

    __device__ void add_to_all(Wide first, Wide second) { add_to_set(0, {{first, second}}); }

    __device__ Weights find_apart(const int (&places)[HOLE], const Weights& own) const
    {
        Weights apart{{sums[0], PLAYERS == 1 ? 0 : sums[PLAYERS - 1]}};
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            const Wide* const of_set = sums + PLAYERS * (first_set(size.value) + number);
            for (int player = 0; player < PLAYERS; ++player) {
                apart.player[player] += size.value % 2 ? 0 - of_set[player] : of_set[player];
            }
        });
        for (int player = 0; player < PLAYERS; ++player) {
            apart.player[player] += HOLE % 2 ? 0 - own.player[player] : own.player[player];
        }
        return apart;
    }
};

// Call count(sums) if hands have SIZE cards, with sums of that size in a block's part of device memory.
template <template <int> class Sums, int SIZE, class Count>
__device__ inline void count_size(int hole_cards, Wide* sums, long long num_sums, Count&& count)
{
    if (hole_cards != SIZE) return;
    Sums<SIZE> own(sums + blockIdx.x * num_sums);
    count(own);
}

}  // namespace gpuodds
