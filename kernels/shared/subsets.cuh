// The subsets of a size of the places 0 to n - 1, by number: colexicographically, as pairs are numbered.
//
// A subset c_1 < ... < c_k has the number C(c_1, 1) + ... + C(c_k, k); the first C(n, k) are those of n places.
// Numbers have 32 bits: of 52 places there are 20,358,520 subsets of six.

#pragma once

namespace gpuodds {

template <int SIZE> struct Size {
    static constexpr int value = SIZE;
};

// The number of subsets of `size` of n places.
__host__ __device__ constexpr unsigned count_subsets(unsigned n, int size)
{
    unsigned subsets = 1;
    for (int i = 0; i < size; ++i) subsets = subsets * (n - unsigned(i)) / unsigned(i + 1);
    return subsets;
}

// The number of a subset, given its places in ascending order.
__device__ inline unsigned subset_number(const int* places, int size)
{
    unsigned number = 0;
    for (int i = 0; i < size; ++i) number += count_subsets(unsigned(places[i]), i + 1);
    return number;
}

// Call visit(place) for each place of a subset of n places, the highest first.
template <class Visit> __device__ inline void visit_subset(unsigned number, int n, int size, Visit&& visit)
{
    unsigned place = unsigned(n);
    for (unsigned left = unsigned(size); left > 0; --left) {
        // The highest place c of which C(c, left) subsets come before this one.
        unsigned below = count_subsets(--place, int(left));
        for (; below > number; --place) below = below * (place - left) / place;
        number -= below;
        visit(int(place));
    }
}

}  // namespace gpuodds
