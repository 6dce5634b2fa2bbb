// The subsets of a size of the places 0 to n - 1, by number: colexicographically, as pairs are numbered.
//
// A subset c_1 < ... < c_k has the number C(c_1, 1) + ... + C(c_k, k); the first C(n, k) are those of n places.

#pragma once

namespace gpuodds {

template <int SIZE> struct Size {
    static constexpr int value = SIZE;
};

// The number of subsets of `size` of n places.
__host__ __device__ constexpr long long count_subsets(int n, int size)
{
    long long subsets = 1;
    for (int i = 0; i < size; ++i) subsets = subsets * (n - i) / (i + 1);
    return subsets;
}

// Call visit(place) for each place of a subset of n places, the highest first.
template <class Visit> __device__ inline void visit_subset(long long number, int n, int size, Visit&& visit)
{
    int place = n;
    for (int left = size; left > 0; --left) {
        // The highest place c whose C(c, left) subsets come before this one or at it.
        long long below = count_subsets(--place, left);
        for (; below > number; --place) below = below * (place - left) / place;
        number -= below;
        visit(place);
    }
}

}  // namespace gpuodds
