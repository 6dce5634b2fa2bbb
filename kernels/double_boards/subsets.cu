// How many runouts of each label contain each set of cards: what inclusion and exclusion need for two boards.

#include "shared/strides.cuh"
#include "shared/subsets.cuh"

namespace gpuodds {

constexpr int MOST_CARDS = 5;  // of a runout

// Add a runout of SIZE cards to the counts of its subsets of up to `most` cards.
template <int SIZE>
__device__ inline void add_runout(
    long long number, int deck, int most, int kinds, unsigned label, unsigned* __restrict__ counts)
{
    int places[SIZE + 1] = {};
    int left = SIZE;
    visit_subset(unsigned(number), deck, SIZE, [&](int place) {
        --left;
#pragma unroll
        for (int i = 0; i < SIZE; ++i) {
            if (i == left) places[i] = place;
        }
    });
    unsigned begins[SIZE + 1] = {};  // of the sets of each size
#pragma unroll
    for (int i = 0; i < SIZE; ++i) begins[i + 1] = begins[i] + count_subsets(unsigned(deck), i);
#pragma unroll
    for (int subset = 0; subset < 1 << SIZE; ++subset) {
        unsigned at = 0;
        int length = 0;
#pragma unroll
        for (int i = 0; i < SIZE; ++i) {
            if (subset >> i & 1) at += count_subsets(unsigned(places[i]), ++length);
        }
        if (length <= most) atomicAdd(&counts[(unsigned long long)(begins[length] + at) * kinds + label], 1u);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Add each runout to the counts of its subsets. A thread takes a runout at a time. Counts are at most
// C(52, 5) < 2^22.
//   labels   (runouts,) uint8, in colexicographic order of the runouts
//   runouts  C(deck, size)
//   deck     the number of cards
//   size     of a runout, 0 to 5
//   most     the largest size of the sets
//   kinds    the number of labels
//   counts   (sets, kinds) uint32, by set, the smaller ones first, those of a size in colexicographic order;
//            added to
extern "C" __global__ void count_runout_subsets(
    const unsigned char* __restrict__ labels,
    long long runouts,
    int deck,
    int size,
    int most,
    int kinds,
    unsigned* __restrict__ counts)
{
    for (const long long number : grid_stride(runouts)) {
        const unsigned label = labels[number];
        if (size == 0) add_runout<0>(number, deck, most, kinds, label, counts);
        if (size == 1) add_runout<1>(number, deck, most, kinds, label, counts);
        if (size == 2) add_runout<2>(number, deck, most, kinds, label, counts);
        if (size == 3) add_runout<3>(number, deck, most, kinds, label, counts);
        if (size == 4) add_runout<4>(number, deck, most, kinds, label, counts);
        if (size == MOST_CARDS) add_runout<MOST_CARDS>(number, deck, most, kinds, label, counts);
    }
}
