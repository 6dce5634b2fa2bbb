// The elimination orders of threat graphs, and what a sweep in that order needs.
//
// As in gpuodds/backends/cpu/known_hands/elimination_order.py, number for number.

#include "known_hands/pools.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

// The types of `left` that have a tag.
__host__ __device__ inline TypeSet tagged(TypeSet left, signed char tag, const signed char* tags)
{
    TypeSet group = 0;
    for (; left; left &= left - 1) {
        const int i = lowest_bit(left);
        if (tags[i] == tag) group |= 1u << i;
    }
    return group;
}

// The cards among `swept` with an edge to a type of `rest`.
__host__ __device__ inline int cards_waiting(const Types& types, TypeSet swept, TypeSet rest)
{
    int cards = 0;
    for (; swept; swept &= swept - 1) {
        const int i = lowest_bit(swept);
        if ((types.loss[i] | types.tie[i]) & rest) cards += types.size[i];
    }
    return cards;
}

// Of the types `left`, those of the card rank after which the fewest cards have an edge to what is left.
__host__ __device__ inline TypeSet next_rank(
    const Types& types, const signed char* tags, TypeSet done, TypeSet left)
{
    int fewest = DECK_SIZE + 1;
    TypeSet chosen = 0;
    for (TypeSet candidates = left; candidates;) {
        const TypeSet group = tagged(candidates, tags[lowest_bit(candidates)], tags);
        candidates &= ~group;
        const int waiting = cards_waiting(types, done | group, left & ~group);
        if (waiting < fewest) {
            fewest = waiting;
            chosen = group;
        }
    }
    return chosen;
}

// Order the types so that few cards are ever open. Types of one card rank stay together.
__host__ __device__ inline void sweep_order(
    const Types& types, const signed char* tags, signed char* order)
{
    TypeSet left = (1u << types.count) - 1, done = 0;
    int at = 0;
    while (left) {
        const TypeSet chosen = next_rank(types, tags, done, left);
        left &= ~chosen;
        done |= chosen;
        // Several cards of a type first: the single card of the flush suit then closes with them.
        for (int single = 0; single < 2; ++single) {
            for (TypeSet group = chosen; group; group &= group - 1) {
                const int i = lowest_bit(group);
                if ((types.size[i] == 1) == (single == 1)) order[at++] = (signed char)i;
            }
        }
    }
}

// Find the shape (limbs, edges + 1, ties + 1) of a graph's counts, up to `max_edges` edges.
__host__ __device__ inline void count_shape(
    const Types& types, int max_edges, const long long* one_limb, int* shape)
{
    int cards = 0, tied = 0;
    for (int i = 0; i < types.count; ++i) {
        cards += types.size[i];
        if (types.tie[i]) tied += types.size[i];
    }
    const int edges = smaller(max_edges, cards / 2);
    shape[0] = cards <= one_limb[edges] ? 1 : 2;
    shape[1] = edges + 1;
    shape[2] = smaller(edges, tied / 2) + 1;
}

struct Peaks {
    long long states = 1, steps = 0;
    int pools = 0;

    __host__ __device__ void raise(long long count)
    {
        if (count > states) states = count;
    }
};

// Go through the pools of a sweep without counting.
__host__ __device__ inline Peaks find_peaks(Sweep& sweep, const signed char* order)
{
    Peaks peaks;
    long long states = 1;
    for (int at = 0; at < sweep.types.count && sweep.pools <= MAX_POOLS; ++at) {
        sweep.begin_type(order[at]);
        peaks.raise(states * (sweep.own.cap + 1));
        for (int card = 1; card <= sweep.own.size; ++card) {
            peaks.steps += states * (sweep.own.open_after(card) + 1);
        }
        sweep.finish_type();
        states = 1;
        for (int p = 0; p < sweep.pools; ++p) states *= sweep.cap[p] + 1;
        peaks.raise(states);
        if (sweep.pools > peaks.pools) peaks.pools = sweep.pools;
    }
    return peaks;
}

}  // namespace gpuodds

using namespace gpuodds;

// Find the elimination orders of `count` graphs. A thread takes a graph at a time; its sweep is in local memory.
// A sweep has at most MAX_POOLS + 1 pools of at most DECK_SIZE / 2 + 1 states, and DECK_SIZE
// steps, so 64 bits hold all counts; one of more than MAX_POOLS pools is left half-way, to be refused.
//   words      (count, TYPES) uint64, the words of each graph
//   lengths    (count,) int32, the number of words
//   tags       (count, TYPES) int8, the card rank of each word's type
//   max_edges  edges to count up to
//   one_limb   (edges,) int64, for each number of edges the most cards whose matchings fit one limb
//   orders     (count, TYPES) int8, receives the order of the types
//   shapes     (count, 3) int32, receives the shape of the counts: limbs, edges + 1, ties + 1
//   peaks      (count, 3) int64, receives the most states, open cards of the type included, the most pools,
//              and the states of all steps together
extern "C" __global__ void find_orders(
    const Word* __restrict__ words,
    const int* __restrict__ lengths,
    const signed char* __restrict__ tags,
    long long count,
    int max_edges,
    const long long* __restrict__ one_limb,
    signed char* __restrict__ orders,
    int* __restrict__ shapes,
    long long* __restrict__ peaks)
{
    for (const long long graph : grid_stride(count)) {
        signed char* order = orders + graph * TYPES;
        Sweep sweep;
        sweep.start(words + graph * TYPES, lengths[graph], max_edges);
        sweep_order(sweep.types, tags + graph * TYPES, order);
        count_shape(sweep.types, max_edges, one_limb, shapes + graph * 3);
        const Peaks peak = find_peaks(sweep, order);
        peaks[graph * 3] = peak.states;
        peaks[graph * 3 + 1] = peak.pools;
        peaks[graph * 3 + 2] = peak.steps;
    }
}
