// Sums of matchings over board classes, and the deals in which no opponent is better.
//
// Sums have 128 bits. The largest total of a spot, 20 opponents before the flop, has 120; closing goes
// through negative terms, modulo 2^128, and ends at such a total.

#include "known_hands/limbs.cuh"
#include "shared/board_classes.cuh"
#include "shared/strides.cuh"

using namespace gpuodds;

// Sum boards x matchings over each of `chunks` chunks of classes. A block takes a chunk at a time; a thread
// takes numbers x, x + blockDim.x, ... of its width x width sums.
//   order    (classes,) int64, classes by group
//   begins   (chunks,) int64, where each chunk begins in order
//   ends     (chunks,) int64, where it ends
//   classes  (classes,) BoardClass
//   graphs   (classes,) int32, the graph of each class
//   shapes   (graphs, 3) int32, the shape of its counts: limbs, edges + 1, ties + 1
//   place    (graphs,) int64, where its counts begin in results
//   results  (results,) uint64, counts by limb, edges and ties
//   width    edges + 1 and ties + 1 of the sums
//   out      (chunks, width, width) uint128, receives sums by edges and ties
extern "C" __global__ void add_classes(
    const long long* __restrict__ order,
    const long long* __restrict__ begins,
    const long long* __restrict__ ends,
    int chunks,
    const BoardClass* __restrict__ classes,
    const int* __restrict__ graphs,
    const int* __restrict__ shapes,
    const long long* __restrict__ place,
    const Limb* __restrict__ results,
    int width,
    Sum* __restrict__ out)
{
    for (const long long chunk : grid_stride_blocks(chunks)) {
        for (const int at : block_stride(width * width)) {
            const int edges = at / width, ties = at % width;
            Sum sum = 0;
            for (long long x = begins[chunk]; x < ends[chunk]; ++x) {
                const long long i = order[x];
                const int graph = graphs[i];
                const int* shape = shapes + graph * 3LL;
                if (edges >= shape[1] || ties >= shape[2]) continue;
                const Plane plane{shape[0], shape[1] * shape[2]};
                const Limb* count = results + place[graph] + edges * shape[2] + ties;
                sum += plane.load(count).sum() * classes[i].boards;
            }
            out[chunk * width * width + at] = sum;
        }
    }
}

// Sum the chunks of each of `groups` groups. A thread takes a number of a group at a time.
//   chunks  (chunks, size) uint128
//   first   (groups + 1,) int64, the first chunk of each group
//   out     (groups, size) uint128, receives sums
extern "C" __global__ void add_chunks(
    const Sum* __restrict__ chunks,
    const long long* __restrict__ first,
    long long groups,
    int size,
    Sum* __restrict__ out)
{
    for (const long long x : grid_stride(groups * size)) {
        const long long group = x / size;
        Sum sum = 0;
        for (long long c = first[group]; c < first[group + 1]; ++c) sum += chunks[c * size + x % size];
        out[x] = sum;
    }
}

// Count, for each of `spots` spots and 1 to `max_edges` opponents, the deals in which no opponent is better,
// by ties: gpuodds/games/holdem/multiway.py has the formula. A thread takes a number at a time. With width =
// max_edges + 1:
//   sums   (groups, width, width) uint128, matchings by edges and ties
//   decks  (groups,) int32, the cards that opponents are dealt from
//   first  (spots + 1,) int64, the first group of each spot
//   deals  (53, width, width) uint128, at [n, e, k] the ways to deal k - e hands from n - 2 e cards
//   choose (width, width) uint64, at [n, k] the ways to choose k of n
//   out    (spots, max_edges, width) uint128, receives deals by opponents - 1 and ties
extern "C" __global__ void close_sums(
    const Sum* __restrict__ sums,
    const int* __restrict__ decks,
    const long long* __restrict__ first,
    long long spots,
    int max_edges,
    const Sum* __restrict__ deals,
    const Limb* __restrict__ choose,
    Sum* __restrict__ out)
{
    const int width = max_edges + 1;
    for (const long long x : grid_stride(spots * max_edges * width)) {
        const long long spot = x / (max_edges * width);
        const int opponents = int(x / width % max_edges) + 1;
        const int split = int(x % width);
        Sum total = 0;
        for (long long g = first[spot]; g < first[spot + 1]; ++g) {
            const Sum* ways = sums + g * width * width;
            const Sum* others = deals + (long long)decks[g] * width * width;
            for (int edges = split; edges <= opponents; ++edges) {
                Sum chosen = 0;
                for (int ties = split; ties <= edges; ++ties) {
                    chosen += choose[ties * width + split] * ways[edges * width + ties];
                }
                chosen *= others[edges * width + opponents];
                total += (edges - split) & 1 ? -chosen : chosen;
            }
        }
        out[x] = split <= opponents ? total : 0;
    }
}
