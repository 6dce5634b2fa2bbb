// How many of two players' hands hold each set of cards, and inclusion and exclusion over them.
//
// The hands that share no card with a hand h are the sum over the subsets S of h of (-1)^|S| times the hands that
// hold S. Sets of fewer cards than a hand has are counted; h itself, with all its cards, is put right apart.
// Cards go by their places among those that are not on the board, sets of a size colexicographically.

#pragma once

#include "omaha/pairs.cuh"

namespace gpuodds {

using Wide = unsigned long long;

// Sets of `size` of the first n places.
__host__ __device__ constexpr int count_sets(int n, int size)
{
    int sets = 1;
    for (int i = 0; i < size; ++i) sets = sets * (n - i) / (i + 1);
    return sets;
}

// The same for a place known only to the thread.
template <int SIZE> __device__ inline unsigned sets_below(int place)
{
    unsigned product = 1, ways = 1;
    for (int i = 0; i < SIZE; ++i) {
        product *= unsigned(place - i);
        ways *= unsigned(i + 1);
    }
    return product / ways;  // 0 where a factor is
}

template <int SIZE> struct SetSize {
    static constexpr int value = SIZE;
};

// Call visit(SetSize<k>, number) for each subset of k of a hand's places, 0 < k < HOLE.
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
        visit(SetSize<SIZE>{}, number);
    }
}

// Hands of each player that share no card with a hand.
struct Apart {
    int player[2];
};

// Sums for hands of four cards, in shared memory. Two players have halves of a word, or bytes: of the 47 cards
// left, three are in 44 hands at most, two in 990, one in 15,180.
struct PackedSums {
    unsigned all[2];
    unsigned ones[CARDS_LEFT];
    unsigned twos[count_sets(CARDS_LEFT, 2)];
    unsigned threes[(count_sets(CARDS_LEFT, 3) + 1) / 2];

    __device__ void clear()
    {
        for (const int x : block_stride(2)) all[x] = 0;
        for (const int x : block_stride(CARDS_LEFT)) ones[x] = 0;
        for (const int x : block_stride(count_sets(CARDS_LEFT, 2))) twos[x] = 0;
        for (const int x : block_stride((count_sets(CARDS_LEFT, 3) + 1) / 2)) threes[x] = 0;
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

    __device__ void add_to_all(unsigned first, unsigned second)
    {
        if (first) atomicAdd(&all[0], first);
        if (second) atomicAdd(&all[1], second);
    }

    // The hands apart from one; `own` are the players whose sums have that hand itself.
    __device__ Apart find_apart(const int (&places)[4], unsigned own) const
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
        const int first = int(all[0] - (odd & 0xFFFF) + (even & 0xFFFF) + (own & 1));
        const int second = int(all[1] - (odd >> 16) + (even >> 16) + (own >> 1));
        return {{first, second}};
    }
};

static_assert(4 * count_sets(CARDS_LEFT - 1, 3) + 4 * (CARDS_LEFT - 3) < 1 << 16, "a half is enough");
static_assert(6 * count_sets(CARDS_LEFT - 2, 2) < 1 << 16, "a half is enough");
static_assert(CARDS_LEFT - 3 < 1 << 8, "a byte is enough");

// Sums for hands of more cards, in device memory. Two players have halves of 64 bits, which sums and differences
// on the way may overflow: what comes out at the end is neither negative nor above 2^32.
template <int HOLE> struct WideSums {
    Wide* sums;

    // Where the sums of a size begin; those of HOLE would begin at the end.
    static __host__ __device__ constexpr int begin(int size)
    {
        int sets = 0;
        for (int less = 0; less < size; ++less) sets += count_sets(CARDS_LEFT, less);
        return sets;
    }

    static __device__ Wide halves(unsigned members) { return (members & 1) | Wide(members >> 1) << 32; }

    __device__ void clear()
    {
        for (const int x : block_stride(begin(HOLE))) sums[x] = 0;
    }

    __device__ void add(const int (&places)[HOLE], unsigned members)
    {
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            atomicAdd(&sums[begin(size.value) + number], halves(members));
        });
    }

    __device__ void add_to_all(unsigned first, unsigned second)
    {
        const Wide both = first | Wide(second) << 32;
        if (both) atomicAdd(&sums[0], both);
    }

    __device__ Apart find_apart(const int (&places)[HOLE], unsigned own) const
    {
        Wide apart = sums[0];
        visit_subsets<HOLE>(places, [&](auto size, unsigned number) {
            const Wide sum = sums[begin(size.value) + number];
            apart += size.value % 2 ? 0 - sum : sum;
        });
        apart += HOLE % 2 ? 0 - halves(own) : halves(own);
        return {{int(unsigned(apart)), int(apart >> 32)}};
    }
};

static_assert(count_sets(CARDS_LEFT, 6) < 1 << 30, "counts of hands fit 32 bits");

}  // namespace gpuodds
