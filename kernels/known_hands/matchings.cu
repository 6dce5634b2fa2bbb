// The matchings of threat graphs by edges and ties: one sweep over the types of a graph.
//
// gpuodds/backends/cpu/known_hands/matchings.py describes the sweep. Here one thread gathers the numbers of a step from the
// numbers of the step before, so the threads of a block share only those, and a barrier parts the steps.
//
// The numbers of a step are at [limb, edges, ties, item]: an item is a state of the pools and a number of open
// cards of the type at hand, items of neighbouring threads are neighbours in memory, and what a card closes is a
// fixed way off. An item with w open cards has ways with e edges only if w + e <= max_edges and w + 2 e <= cards
// swept, and no more ties than edges. A step reads and writes these numbers alone: the others are never set.

#include "known_hands/limbs.cuh"
#include "known_hands/pools.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

// A step adds a lower limb up at most 64 times: its factors are 1, 1 and, for each pool and the type, open
// cards + 1. A merge adds at most MAX_STATES lower limbs. Both stay below 2^64 until the carry.
static_assert(3 + DECK_SIZE / 2 + MAX_POOLS <= 64, "the factors of a step add up to 64 at most");
static_assert(LIMB_BITS + 6 <= 64 && MAX_STATES <= 1LL << (64 - LIMB_BITS), "lower limbs fit 64 bits");
static_assert(MAX_STATES * 2LL * DECK_SIZE * DECK_SIZE / 4 < 1LL << 31, "32 bits index the numbers of a step");

constexpr int MAX_CLOSERS = MAX_POOLS + 1;

// The layout of a graph's counts: limbs x edges x ties numbers of each item.
struct Shape {
    int limbs, edges, ties;

    __host__ __device__ explicit Shape(const int* shape) : limbs(shape[0]), edges(shape[1]), ties(shape[2])
    {
    }
    __host__ __device__ int plane() const { return edges * ties; }
    __host__ __device__ int block() const { return limbs * edges * ties; }
};

// Where the open cards are that a card of the type at hand can close.
struct Closers {
    int count;
    int digit[MAX_CLOSERS];   // the pool, or the type itself
    int limit[MAX_CLOSERS];   // one card more must be open there: fewer cards than this
    int offset[MAX_CLOSERS];  // from a number to the one before the edge
    unsigned losing, tying;   // bit c: closer c makes a loss, or a tie

    __host__ __device__ void add(int pool, bool tie, const Sweep& sweep, int ties)
    {
        // An edge is a row of ties further on, a tie one number more.
        digit[count] = pool;
        limit[count] = sweep.cap[pool];
        offset[count] = sweep.stride[pool] - (ties + tie) * sweep.items();
        (tie ? tying : losing) |= 1u << count;
        ++count;
    }

    __host__ __device__ void find(const Sweep& sweep, int ties)
    {
        count = 0;
        losing = tying = 0;
        for (int q = 0; q < sweep.pools; ++q) {
            const bool loss = sweep.pool_loss[q] >> sweep.own.type & 1;
            const bool tie = sweep.pool_tie[q] >> sweep.own.type & 1;
            if (loss || tie) add(q, tie, sweep, ties);
        }
        if (sweep.own.inside) add(sweep.pools, sweep.own.inside == 2, sweep, ties);
    }
};

// The items of a thread, first, first + step, ... below end, and of each its rows of edges row, row + rows, ...:
// few items have their rows shared out as well.
struct Share {
    int first, step, row, rows;

    __device__ Share(int items, int edges)
    {
        const int threads = int(blockDim.x), most = smaller(edges, threads);
        int bits = 0;
        while (items << bits < 2 * threads && 2 << bits <= most) ++bits;
        rows = 1 << bits;
        row = int(threadIdx.x) & (rows - 1);
        first = int(threadIdx.x) >> bits;
        step = threads >> bits;
        if (first >= step) first = MAX_STATES;  // threads left over
    }
};

// The most edges of an item with `waiting` open cards after `done` cards; negative if there is no way to it.
__device__ inline int most_edges(int waiting, int done, int max_edges, const Shape& shape)
{
    return smaller(smaller(max_edges - waiting, (done - waiting) >> 1), shape.edges - 1);
}

// A number in LIMBS limbs, the higher `plane` numbers further on.
template <int LIMBS> struct Number {
    Limb low = 0, high = 0;

    __device__ void add(const Limb* at, int plane, Limb factor)
    {
        low += factor * at[0];
        if constexpr (LIMBS == 2) high += factor * at[plane];
    }

    __device__ void store(Limb* at, int plane) const
    {
        if constexpr (LIMBS == 2) {
            at[0] = low & LOW_LIMB;
            at[plane] = high + (low >> LIMB_BITS);
        } else {
            at[0] = low;
        }
    }
};

// Take card number `card` of the type at hand: it is left unused, is open itself, or closes an open card of one
// of CLOSERS closers from `first` on. Where there are more than these, the closers after the first ones add to
// what those wrote. What depends on the item alone, which closers and how many cards, is found once.
template <int CLOSERS, int LIMBS>
__device__ void take_card(
    const Sweep& sweep, const Closers& closers, int first, const Shape& shape, int card, const Open* open,
    const Limb* now, Limb* then)
{
    const int items = sweep.items(), states = sweep.states, plane = shape.plane() * items;
    const int before = sweep.own.open_after(card), after = sweep.own.open_after(card + 1);
    const int done = sweep.done + card, max_edges = sweep.max_edges;
    const unsigned losing = closers.losing >> first, tying = closers.tying >> first;
    const int own = sweep.own.inside ? closers.count - 1 - first : CLOSERS;
    const Share share((after + 1) * states, shape.edges);
    for (int item = share.first; item < (after + 1) * states; item += share.step) {
        const Open there = open[item];
        const int waiting = open_sum(there);
        const int most = most_edges(waiting, done + 1, max_edges, shape);
        const bool old = item < (before + 1) * states;  // its number of open cards was there before
        const int kept = old && first == 0 ? most_edges(waiting, done, max_edges, shape) : -1;
        const bool opens = item >= states && first == 0;
        unsigned can_close = 0;
        unsigned factors[CLOSERS + 1];  // of none, an array must have one
#pragma unroll
        for (int c = 0; c < CLOSERS; ++c) {
            const int cards = digit(there, closers.digit[first + c]);
            if (old && cards < (c == own ? before : closers.limit[first + c])) can_close |= 1u << c;
            factors[c] = cards + 1;
        }
        for (int edges = share.row; edges <= most; edges += share.rows) {
            int at = edges * shape.ties * items + item;
            const int last = smaller(edges, shape.ties - 1);
            for (int ties = 0; ties <= last; ++ties, at += items) {
                const unsigned closing =
                    can_close & ((ties < edges ? losing : 0) | (ties > 0 ? tying : 0));
                Number<LIMBS> ways;
                if (first > 0) ways.add(then + at, plane, 1);
                if (edges <= kept) ways.add(now + at, plane, 1);
                if (opens) ways.add(now + at - states, plane, 1);
#pragma unroll
                for (int c = 0; c < CLOSERS; ++c) {
                    if (closing >> c & 1) ways.add(now + at + closers.offset[first + c], plane, factors[c]);
                }
                ways.store(then + at, plane);
            }
        }
    }
}

// Take a card with the code for its number of closers.
template <int LIMBS>
__device__ void take_card(
    const Sweep& sweep, const Closers& closers, const Shape& shape, int card, const Open* open,
    const Limb* now, Limb* then)
{
    int first = 0;
    for (; closers.count - first > 4; first += 4) {
        take_card<4, LIMBS>(sweep, closers, first, shape, card, open, now, then);
    }
    switch (closers.count - first) {
        case 0: return take_card<0, LIMBS>(sweep, closers, first, shape, card, open, now, then);
        case 1: return take_card<1, LIMBS>(sweep, closers, first, shape, card, open, now, then);
        case 2: return take_card<2, LIMBS>(sweep, closers, first, shape, card, open, now, then);
        case 3: return take_card<3, LIMBS>(sweep, closers, first, shape, card, open, now, then);
        default: return take_card<4, LIMBS>(sweep, closers, first, shape, card, open, now, then);
    }
}

// What a merge needs of the type before it.
struct Merged {
    int pools, states, items;  // its own pool and states included
    int open_items;            // items up to the most open cards that the type ends with

    __device__ explicit Merged(const Sweep& sweep)
        : pools(sweep.pools + 1), states(sweep.states), items(sweep.items()),
          open_items((sweep.own.open_after(sweep.own.size) + 1) * sweep.states)
    {
    }
};

// Set the numbers of the states to 0, `items` of the next type apart.
__device__ inline void clear_states(const Shape& shape, int states, int items, Limb* numbers)
{
    const Share share(states, shape.block());
    for (int state = share.first; state < states; state += share.step) {
        for (int x = share.row; x < shape.block(); x += share.rows) numbers[x * items + state] = 0;
    }
}

// Move the numbers of items to the states that they are after the merge, `items` of the next type apart. Where
// pools became one, items meet in a state of `then`, which holds zeros; integer additions give the same sum in
// any order. Otherwise each state has one item.
__device__ inline void merge_items(
    const Sweep& sweep, const Merged& old, const Shape& shape, int items, const Open* open, const Limb* now,
    Limb* then)
{
    const Share share(old.open_items, shape.edges);
    for (int item = share.first; item < old.open_items; item += share.step) {
        const Open there = open[item];
        const int to = sweep.merged_state(there, old.pools);
        if (to < 0) continue;
        const int most = most_edges(open_sum(there), sweep.done, sweep.max_edges, shape);
        for (int edges = share.row; edges <= most; edges += share.rows) {
            const int last = smaller(edges, shape.ties - 1);
            for (int limb = 0; limb < shape.limbs; ++limb) {
                int x = (limb * shape.edges + edges) * shape.ties;
                for (int ties = 0; ties <= last; ++ties, ++x) {
                    const Limb value = now[x * old.items + item];
                    Limb* const at = then + x * items + to;
                    if (sweep.apart) {
                        *at = value;
                    } else if (value) {
                        atomicAdd(at, value);
                    }
                }
            }
        }
    }
}

// Carry the lower limbs of the numbers of the states, `items` of the next type apart.
__device__ inline void carry_states(const Shape& shape, int states, int items, Limb* numbers)
{
    const Share share(states, shape.plane());
    for (int state = share.first; state < states; state += share.step) {
        for (int x = share.row; x < shape.plane(); x += share.rows) {
            Limb* const low = numbers + x * items + state;
            low[shape.plane() * items] += *low >> LIMB_BITS;
            *low &= LOW_LIMB;
        }
    }
}

template <class T> __device__ void swap(T*& one, T*& other)
{
    T* const kept = one;
    one = other;
    other = kept;
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the matchings of `count` graphs. A block takes a graph at a time, the next that
// no block has taken; a thread takes items of a step, and rows of edges where there are few. Shared memory: the
// sweep and what its type closes (0.7 KB). A count is kept modulo 2^64 in one limb where it cannot pass that,
// else in two limbs, the lower of LIMB_BITS bits, which are carried in every step.
//   words         (graphs, TYPES) uint64, the words of each graph
//   lengths       (graphs,) int32, the number of words
//   orders        (graphs, TYPES) int8, the elimination order of its types
//   shapes        (graphs, 3) int32, the shape of its counts: limbs, edges + 1, ties + 1
//   place         (graphs,) int64, where its counts begin in results
//   graphs        (count,) int32, the graphs to solve
//   max_edges     edges to count up to
//   scratch       (blocks, 2, scratch_size) uint64; no graph has more than scratch_size numbers in a step
//   opens         (blocks, 2, max_states) uint64; no graph has more than max_states items
//   next          (1,) int32, 0, raised by the blocks
//   results       (results,) uint64, receives counts by limb, edges and ties
extern "C" __global__ void __launch_bounds__(SOLVE_THREADS, 2) solve_graphs(
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
    __shared__ Closers closers;
    __shared__ int taken;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1);
        __syncthreads();
        if (taken >= count) return;
        const int graph = graphs[taken];
        const Shape shape(shapes + graph * 3LL);
        const signed char* order = orders + (long long)graph * TYPES;
        Limb* now = scratch + blockIdx.x * 2 * scratch_size;
        Limb* then = now + scratch_size;
        Open* open = opens + blockIdx.x * 2 * max_states;
        Open* then_open = open + max_states;
        if (threadIdx.x == 0) {
            sweep.start(words + (long long)graph * TYPES, lengths[graph], max_edges);
            if (sweep.types.count > 0) {
                sweep.begin_type(order[0]);
                closers.find(sweep, shape.ties);
            }
            // No card is swept: one way, without an edge.
            now[0] = 1;
            if (shape.limbs == 2) now[shape.plane() * (sweep.types.count ? sweep.items() : 1)] = 0;
        }
        __syncthreads();
        const int types = sweep.types.count;
        for (const int item : block_stride(types ? sweep.items() : 0)) open[item] = sweep.open_cards(item);
        __syncthreads();
        for (int at = 0; at < types; ++at) {
            for (int card = 0; card < sweep.own.size; ++card) {
                if (shape.limbs == 1) {
                    take_card<1>(sweep, closers, shape, card, open, now, then);
                } else {
                    take_card<2>(sweep, closers, shape, card, open, now, then);
                }
                __syncthreads();
                swap(now, then);
            }
            const Merged old(sweep);
            __syncthreads();
            if (threadIdx.x == 0) {
                sweep.finish_type();
                if (at + 1 < types) {
                    sweep.begin_type(order[at + 1]);
                    closers.find(sweep, shape.ties);
                }
            }
            __syncthreads();
            const int states = sweep.states, items = at + 1 < types ? sweep.items() : 1;
            if (!sweep.apart) {
                clear_states(shape, states, items, then);
                __syncthreads();
            }
            merge_items(sweep, old, shape, items, open, now, then);
            if (at + 1 < types) {
                for (const int item : block_stride(items)) then_open[item] = sweep.open_cards(item);
            }
            __syncthreads();
            if (!sweep.apart && shape.limbs == 2) {
                carry_states(shape, states, items, then);
                __syncthreads();
            }
            swap(now, then);
            swap(open, then_open);
        }
        // The last type leaves one state.
        const int most = most_edges(0, sweep.done, max_edges, shape);
        Limb* const result = results + place[graph];
        for (const int x : block_stride(shape.block())) {
            const int edges = x / shape.ties % shape.edges, ties = x % shape.ties;
            result[x] = edges <= most && ties <= edges ? now[x] : 0;
        }
        // The barriers of the next graph come before anything is written that is still read here.
    }
}
