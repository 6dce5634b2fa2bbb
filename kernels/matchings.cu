// The matchings of threat graphs by edges and ties: one sweep over the types of a graph.
//
// gpuodds/backends/cpu/matchings.py describes the sweep. Here one thread gathers each number of a step from
// the numbers of the step before, so the threads of a block share only those, and a barrier parts the steps.

#include "limbs.cuh"
#include "pools.cuh"
#include "strides.cuh"

namespace gpuodds {

// A step adds a lower limb up at most 64 times: its factors are 1, 1 and, for each pool and the type, open
// cards + 1. A merge adds at most MAX_STATES lower limbs. Both stay below 2^64 until the carry.
static_assert(3 + DECK_SIZE / 2 + MAX_POOLS <= 64, "the factors of a step add up to 64 at most");
static_assert(LIMB_BITS + 6 <= 64 && MAX_STATES <= 1LL << (64 - LIMB_BITS), "lower limbs fit 64 bits");

// The layout of a graph's counts in a state: limbs x edges x ties.
struct Shape {
    int ties;
    Plane plane;  // edges x ties numbers
    int block;    // limbs x plane

    __host__ __device__ explicit Shape(const int* limbs_edges_ties)
        : ties(limbs_edges_ties[2]),
          plane{limbs_edges_ties[0], limbs_edges_ties[1] * limbs_edges_ties[2]},
          block(plane.limbs * plane.size)
    {
    }
};

// The step that takes card number `card` of a type: left unused, partnered with an open card of a pool or of
// its own type, or open itself. The numbers are at [own open cards, state, limb, edges, ties].
struct Step {
    const Sweep& sweep;
    const Shape& shape;
    const Own& own_type;
    int card, max_edges;
    const Open* open;   // (states,)
    const Limb* now;    // the numbers before

    // The ways to have `own` open cards of the type, `there` in the pools, `edges` edges and `ties` ties.
    // `here` is where the number is before the step.
    __device__ TwoLimbs gather(int own, Open there, int edges, int ties, const Limb* here) const
    {
        const int before = own_type.open_after(card);  // the most open cards of the type before the step
        const long long own_step = (long long)sweep.states * shape.block;
        const int waiting = open_sum(there) + own;
        TwoLimbs ways;
        // Every open card needs an edge of its own, and only done + 1 cards have been swept.
        if (waiting + edges > max_edges || waiting + 2 * edges > sweep.done + card + 1) return ways;
        if (own > 0) ways.add(shape.plane.load(here - own_step), 1);
        if (own <= before) {
            ways.add(shape.plane.load(here), 1);
            for (int q = 0; edges > 0 && q < sweep.pools; ++q) {
                const int cards = digit(there, q);
                if (cards == sweep.cap[q]) continue;
                const Limb* closed = here + (long long)sweep.stride[q] * shape.block - shape.ties;
                if (sweep.pool_loss[q] >> own_type.type & 1) {
                    ways.add(shape.plane.load(closed), cards + 1);
                } else if (ties > 0 && sweep.pool_tie[q] >> own_type.type & 1) {
                    ways.add(shape.plane.load(closed - 1), cards + 1);
                }
            }
        }
        if (edges > 0 && own < before) {
            const Limb* closed = here + own_step - shape.ties;
            if (own_type.inside == 1) {
                ways.add(shape.plane.load(closed), own + 1);
            } else if (own_type.inside == 2 && ties > 0) {
                ways.add(shape.plane.load(closed - 1), own + 1);
            }
        }
        return ways;
    }

    // Write the numbers after the step to `then`.
    __device__ void run(Limb* then) const
    {
        const int numbers = (own_type.open_after(card + 1) + 1) * sweep.states * shape.plane.size;
        for (const int x : block_stride(numbers)) {
            const int position = x % shape.plane.size;  // edges x ties + ties
            const int edges = position / shape.ties, ties = position - edges * shape.ties;
            const int state = x / shape.plane.size % sweep.states;
            const int own = x / shape.plane.size / sweep.states;
            const long long at = ((long long)own * sweep.states + state) * shape.block + position;
            shape.plane.store(then + at, gather(own, open[state], edges, ties, now + at));
        }
    }
};

// Add up the numbers of `states` states and up to `own` open cards of the type by the states that they are
// after the merge. `then` holds zeros; integer additions give the same sum in any order.
__device__ inline void merge_states(
    const Sweep& sweep, const Shape& shape, int states, int own, const Open* open, const Limb* now,
    Limb* then)
{
    for (const int x : block_stride((own + 1) * states * shape.block)) {
        const Limb value = now[x];
        if (value == 0) continue;
        const int to = sweep.merged_state(open[x / shape.block % states], x / shape.block / states);
        if (to >= 0) atomicAdd(&then[to * shape.block + x % shape.block], value);
    }
}

// Carry the lower limbs of the numbers of `states` states.
__device__ inline void carry_states(const Shape& shape, int states, Limb* numbers)
{
    for (const int x : block_stride(states * shape.plane.size)) {
        Limb* at = numbers + x / shape.plane.size * shape.block + x % shape.plane.size;
        shape.plane.store(at, shape.plane.load(at));
    }
}

__device__ inline void swap(Limb*& one, Limb*& other)
{
    Limb* const kept = one;
    one = other;
    other = kept;
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the matchings of `count` graphs. A block takes a graph at a time, the next that no block has taken;
// a thread takes numbers x, x + blockDim.x, ... of a step. Shared memory: the graph and its pools (0.7 KB).
// A count is kept modulo 2^64 in one limb where it cannot pass that, else in two limbs, the lower of
// LIMB_BITS bits, which are carried in every step.
//   words        (graphs, TYPES) uint64, the words of each graph
//   lengths      (graphs,) int32, the number of words
//   orders       (graphs, TYPES) int8, the elimination order of its types
//   shapes       (graphs, 3) int32, the shape of its counts: limbs, edges + 1, ties + 1
//   place        (graphs,) int64, where its counts begin in results
//   graphs       (count,) int32, the graphs to solve
//   max_edges    edges to count up to
//   scratch      (blocks, 2, scratch_size) uint64; no graph has more than scratch_size numbers in a step
//   opens        (blocks, max_states) uint64; no graph has more than max_states states
//   next         (1,) int32, 0, raised by the blocks
//   results      (results,) uint64, receives counts by limb, edges and ties
extern "C" __global__ void solve_graphs(
    const Word* __restrict__ words,
    const int* __restrict__ lengths,
    const signed char* __restrict__ orders,
    const int* __restrict__ shapes,
    const long long* __restrict__ place,
    const int* __restrict__ graphs,
    int count,
    int max_edges,
    Limb* scratch,
    long long scratch_size,
    Open* opens,
    long long max_states,
    int* next,
    Limb* __restrict__ results)
{
    __shared__ Sweep sweep;
    __shared__ int taken;
    Open* open = opens + blockIdx.x * max_states;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1);
        __syncthreads();
        if (taken >= count) return;
        const int graph = graphs[taken];
        const Shape shape(shapes + graph * 3LL);
        Limb* now = scratch + blockIdx.x * 2 * scratch_size;
        Limb* then = now + scratch_size;
        if (threadIdx.x == 0) {
            sweep.start(words + (long long)graph * TYPES, lengths[graph]);
            open[0] = 0;
        }
        for (const int x : block_stride(shape.block)) now[x] = x == 0;
        __syncthreads();

        for (int at = 0; at < sweep.count; ++at) {
            const Own type(sweep, orders[(long long)graph * TYPES + at], max_edges);
            const int states = sweep.states;
            for (int card = 0; card < type.size; ++card) {
                Step{sweep, shape, type, card, max_edges, open, now}.run(then);
                __syncthreads();
                swap(now, then);
            }
            if (threadIdx.x == 0) sweep.finish_type(type.type, max_edges);
            __syncthreads();
            for (const int x : block_stride(sweep.states * shape.block)) then[x] = 0;
            __syncthreads();
            merge_states(sweep, shape, states, type.open_after(type.size), open, now, then);
            __syncthreads();
            if (shape.plane.limbs == 2) carry_states(shape, sweep.states, then);
            for (const int s : block_stride(sweep.states)) open[s] = sweep.open_cards(s);
            __syncthreads();
            swap(now, then);
        }
        for (const int x : block_stride(shape.block)) results[place[graph] + x] = now[x];
        __syncthreads();
    }
}
