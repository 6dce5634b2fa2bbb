// The nearest of some centres, for each of many points.

#include "shared/warps.cuh"

using namespace gpuodds;

constexpr int FURTHEST = 0x7FFFFFFF;

// Find the nearest centre of each of `count` points, of several as near the one of the lowest number.
// A warp takes a point at a time; its lanes share the centres, 32 neighbours at once, and keep their nearest.
// Distances are below 2^31. No shared memory: the centres (100 KB at most, as a rule) stay in the caches.
//   points      (count, dimensions) int32
//   count       the number of points
//   dimensions  coordinates of a point
//   centres     (dimensions, size) int32
//   size        the number of centres, 1 to 65,536
//   squared     1 to add squares of differences, 0 to add them without their signs
//   numbers     (count,) uint16, the nearest centres
//   distances   (count,) int32
extern "C" __global__ void nearest_centres(
    const int* __restrict__ points,
    long long count,
    int dimensions,
    const int* __restrict__ centres,
    int size,
    int squared,
    unsigned short* __restrict__ numbers,
    int* __restrict__ distances)
{
    for (const long long i : grid_stride_warps(count)) {
        const int* point = points + i * dimensions;
        int least = FURTHEST, nearest = 0;
        for (int centre = lane(); centre < size; centre += WARP_LANES) {
            int distance = 0;
            for (int j = 0; j < dimensions; ++j) {
                const int off = centres[(long long)j * size + centre] - point[j];
                distance += squared ? off * off : off < 0 ? -off
                                                          : off;
            }
            if (distance < least) {
                least = distance;
                nearest = centre;
            }
        }
        for (int other = WARP_LANES / 2; other > 0; other /= 2) {
            const int distance = __shfl_xor_sync(ALL_LANES, least, other);
            const int number = __shfl_xor_sync(ALL_LANES, nearest, other);
            if (distance < least || (distance == least && number < nearest)) {
                least = distance;
                nearest = number;
            }
        }
        if (lane() == 0) {
            numbers[i] = (unsigned short)(nearest);
            distances[i] = least;
        }
    }
}
