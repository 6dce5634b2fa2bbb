// Rows of numbers added up by group, in order.

#include "shared/strides.cuh"

using namespace gpuodds;

// Add up the rows of each of `groups` groups, which come one after another. A thread takes a column of a group
// at a time. A caller bounds the sums below 2^63.
//   rows    (first[groups], width) int64
//   first   (groups + 1,) int64, the first row of each group
//   out     (groups, width) int64, receives sums
extern "C" __global__ void add_rows_exact(
    const long long* __restrict__ rows,
    const long long* __restrict__ first,
    long long groups,
    long long width,
    long long* __restrict__ out)
{
    for (const long long x : grid_stride(groups * width)) {
        const long long group = x / width, column = x % width;
        long long sum = 0;
        for (long long row = first[group]; row < first[group + 1]; ++row) sum += rows[row * width + column];
        out[x] = sum;
    }
}

// The same for float64, with what rounding loses added at the end: Neumaier's summation.
extern "C" __global__ void add_rows_weighted(
    const double* __restrict__ rows,
    const long long* __restrict__ first,
    long long groups,
    long long width,
    double* __restrict__ out)
{
    for (const long long x : grid_stride(groups * width)) {
        const long long group = x / width, column = x % width;
        double sum = 0.0, lost = 0.0;
        for (long long row = first[group]; row < first[group + 1]; ++row) {
            const double term = rows[row * width + column], total = sum + term;
            const bool larger = (sum < 0 ? -sum : sum) >= (term < 0 ? -term : term);
            lost += larger ? (sum - total) + term : (term - total) + sum;
            sum = total;
        }
        out[x] = sum + lost;
    }
}
