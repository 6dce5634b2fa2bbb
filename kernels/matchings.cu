// Counts the matchings of threat graphs by edges and ties: one block a graph, one sweep over its types.
//
// gpuodds/backends/cpu/matchings.py says what the sweep is. Here every number of a step is gathered from the
// numbers of the step before by one thread, so the threads of a block share nothing but those, and a
// barrier parts the steps. Numbers are kept modulo 2^64 in one limb where they cannot pass it,
// otherwise in two limbs, the lower of 48 bits: a step adds up at most 64 times a lower limb (its
// factors are numbers of open cards), so it stays below 2^54 until the carry.

#include "bits.cuh"

using Row = unsigned long long;
using Count = unsigned long long;

constexpr int TYPES = 26;
constexpr unsigned ROW = (1u << TYPES) - 1;
constexpr int SIZE_SHIFT = 2 * TYPES;
constexpr int LIMB_BITS = 48;
constexpr Count LOW_LIMB = (1ULL << LIMB_BITS) - 1;

// How many open cards each pool has, 5 bits a pool, and their sum from bit 56 on.
using Open = unsigned long long;
constexpr int MOST_POOLS = 11;
constexpr int DIGIT_BITS = 5;
constexpr int SUM_SHIFT = 56;

__host__ __device__ inline int digit(Open open, int pool)
{
    return int(open >> (DIGIT_BITS * pool) & 31);
}

__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }

// The graph at hand and the pools of open cards, shared by the block.
struct Sweep {
    int count;              // types
    int size[TYPES];        // cards
    unsigned loss[TYPES];
    unsigned tie[TYPES];
    unsigned rest;          // types still to come
    int done;               // cards swept
    int pools;
    int states;             // product of cap + 1
    int cap[MOST_POOLS + 1];
    int stride[MOST_POOLS + 2];
    int pool_size[MOST_POOLS + 1];
    unsigned pool_loss[MOST_POOLS + 1];  // types to come that a card of the pool loses with
    unsigned pool_tie[MOST_POOLS + 1];
    int old_pools;          // before the last merge
    int becomes[MOST_POOLS + 1];  // the pool that an old one is now part of, or -1

    __device__ int cards_in(unsigned types) const
    {
        int cards = 0;
        for (; types; types &= types - 1) cards += size[lowest_bit(types)];
        return cards;
    }
};

__device__ inline void read_graph(Sweep& sweep, const Row* words, int count)
{
    for (int i = 0; i < count; ++i) {
        sweep.size[i] = int(words[i] >> SIZE_SHIFT);
        sweep.loss[i] = unsigned(words[i]) & ROW;
        sweep.tie[i] = unsigned(words[i] >> TYPES) & ROW;
    }
    sweep.count = count;
    sweep.rest = (1u << count) - 1;
    sweep.done = 0;
    sweep.pools = 0;
    sweep.states = 1;
    sweep.stride[0] = 1;
}

// The type at hand becomes a pool of its own; pools that look alike from here on become one; pools
// without a future must be empty.
__device__ inline void merge_pools(Sweep& sweep, int type, int most)
{
    const int last = sweep.pools;
    sweep.pool_size[last] = sweep.size[type];
    sweep.pool_loss[last] = sweep.loss[type];
    sweep.pool_tie[last] = sweep.tie[type];
    sweep.done += sweep.size[type];
    sweep.old_pools = last + 1;
    int pools = 0;
    for (int q = 0; q <= last; ++q) {
        const unsigned loss = sweep.pool_loss[q] & sweep.rest;
        const unsigned tie = sweep.pool_tie[q] & sweep.rest;
        const int size = sweep.pool_size[q];
        sweep.becomes[q] = -1;
        if (!(loss | tie)) continue;
        int p = 0;
        while (p < pools && (sweep.pool_loss[p] != loss || sweep.pool_tie[p] != tie)) ++p;
        if (p == pools) {
            sweep.pool_loss[p] = loss;
            sweep.pool_tie[p] = tie;
            sweep.pool_size[p] = 0;
            ++pools;
        }
        sweep.pool_size[p] += size;
        sweep.becomes[q] = p;
    }
    sweep.pools = pools;
    for (int p = 0; p < pools; ++p) {
        const int ahead = sweep.cards_in(sweep.pool_loss[p] | sweep.pool_tie[p]);
        sweep.cap[p] = smaller(smaller(sweep.pool_size[p], most), ahead);
        sweep.stride[p + 1] = sweep.stride[p] * (sweep.cap[p] + 1);
    }
    sweep.states = sweep.stride[pools];
}

__device__ inline Open open_cards(const Sweep& sweep, int state)
{
    Open open = 0;
    int sum = 0;
    for (int q = 0; q < sweep.pools; ++q) {
        const int cards = state % (sweep.cap[q] + 1);
        state /= sweep.cap[q] + 1;
        open |= Open(cards) << (DIGIT_BITS * q);
        sum += cards;
    }
    return open | Open(sum) << SUM_SHIFT;
}

// Where the cards of a merged state go, or -1 if some can never be closed.
__device__ inline int merged_state(const Sweep& sweep, Open open, int own)
{
    Open merged = 0;
    int state = 0;
    for (int q = 0; q < sweep.old_pools; ++q) {
        const int cards = q < sweep.old_pools - 1 ? digit(open, q) : own;
        const int p = sweep.becomes[q];
        if (p >= 0) {
            if (digit(merged, p) + cards > sweep.cap[p]) return -1;
            merged += Open(cards) << (DIGIT_BITS * p);
            state += cards * sweep.stride[p];
        } else if (cards) {
            return -1;
        }
    }
    return state;
}

// The shape of a graph's counts: a block of `limbs` planes, a plane of edges x ties numbers.
struct Shape {
    int limbs, ties, plane, block;
};

// A number of ways, in one limb or two, and its sums.
struct Ways {
    Count low = 0, high = 0;

    __device__ void add(const Count* from, int times, const Shape& shape)
    {
        low += times * from[0];
        if (shape.limbs == 2) high += times * from[shape.plane];
    }

    __device__ void store(Count* to, const Shape& shape) const
    {
        if (shape.limbs == 2) {
            to[0] = low & LOW_LIMB;
            to[shape.plane] = high + (low >> LIMB_BITS);
        } else {
            to[0] = low;
        }
    }
};

// The type at hand: how its cards meet each other, 0 not at all, 1 with a loss, 2 with a tie, and how
// many of them can be open at once.
struct Own {
    int type, size, inside, cap;
    bool ahead;  // it has an edge to a type to come

    __device__ Own(const Sweep& sweep, int type, int most) : type(type), size(sweep.size[type])
    {
        ahead = (sweep.loss[type] | sweep.tie[type]) & sweep.rest & ~(1u << type);
        inside = size > 1 ? (sweep.loss[type] >> type & 1) + 2 * (sweep.tie[type] >> type & 1) : 0;
        cap = ahead ? smaller(size, most) : inside ? size / 2 : 0;
    }

    // How many can be open after so many of them.
    __device__ int open_after(int cards) const
    {
        return ahead ? smaller(cards, cap) : smaller(smaller(cards, cap), size - cards);
    }
};

// Take card number `card` of a type: left unused, with an open card of a pool or of its own type as
// partner, or open itself. Numbers go from `now`, where up to `before` of its type are open, to `then`.
__device__ inline void sweep_card(
    const Sweep& sweep, const Shape& shape, const Own& type, int card, int before, int most,
    const Open* open, const Count* now, Count* then)
{
    const int done = sweep.done + card;
    const long long own_step = (long long)sweep.states * shape.block;
    const int numbers = (type.open_after(card + 1) + 1) * sweep.states * shape.plane;
    for (int x = threadIdx.x; x < numbers; x += blockDim.x) {
        const int position = x % shape.plane;  // edges x ties + ties so far
        const int j = position / shape.ties;
        const int t = position - j * shape.ties;
        const int state = x / shape.plane % sweep.states;
        const int own = x / shape.plane / sweep.states;
        const long long at = own * own_step + (long long)state * shape.block + position;
        const Open there = open[state];
        const int waiting = int(there >> SUM_SHIFT) + own;
        Ways ways;
        // Every open card needs an edge of its own, and so many cards have been swept.
        if (waiting + j <= most && waiting + 2 * j <= done + 1) {
            const Count* here = now + at;
            if (own > 0) ways.add(here - own_step, 1, shape);
            if (own <= before) {
                ways.add(here, 1, shape);
                for (int q = 0; j > 0 && q < sweep.pools; ++q) {
                    const int cards = digit(there, q);
                    if (cards == sweep.cap[q]) continue;
                    const Count* closed = here + (long long)sweep.stride[q] * shape.block - shape.ties;
                    if (sweep.pool_loss[q] >> type.type & 1) {
                        ways.add(closed, cards + 1, shape);
                    } else if (t > 0 && sweep.pool_tie[q] >> type.type & 1) {
                        ways.add(closed - 1, cards + 1, shape);
                    }
                }
            }
            if (j > 0 && own < before) {
                const Count* closed = here + own_step - shape.ties;
                if (type.inside == 1) {
                    ways.add(closed, own + 1, shape);
                } else if (type.inside == 2 && t > 0) {
                    ways.add(closed - 1, own + 1, shape);
                }
            }
        }
        ways.store(then + at, shape);
    }
}

// Add the numbers of `states` states and up to `own` open cards of the type at hand up by the states
// that they are after the merge. `then` holds zeros; one addition in any order.
__device__ inline void merge_states(
    const Sweep& sweep, const Shape& shape, int states, int own, const Open* open, const Count* now,
    Count* then)
{
    const int numbers = (own + 1) * states * shape.block;
    for (int x = threadIdx.x; x < numbers; x += blockDim.x) {
        const Count value = now[x];
        if (value == 0) continue;
        const int to = merged_state(sweep, open[x / shape.block % states], x / shape.block / states);
        if (to >= 0) atomicAdd(&then[to * shape.block + x % shape.block], value);
    }
}

__device__ inline void carry(const Shape& shape, int states, Count* numbers)
{
    for (int x = threadIdx.x; x < states * shape.plane; x += blockDim.x) {
        Count* low = numbers + x / shape.plane * shape.block + x % shape.plane;
        low[shape.plane] += low[0] >> LIMB_BITS;
        low[0] &= LOW_LIMB;
    }
}

__device__ inline void swap(Count*& one, Count*& other)
{
    Count* const kept = one;
    one = other;
    other = kept;
}

// Graph g has the types words[g] (TYPES words, lengths[g] of them), swept in the order orders[g]. Its
// counts have the shape shapes[g], (limbs, edges + 1, ties + 1), and go to results from place[g] on:
// matchings by limb, edges and ties. The graphs solved are `graphs`, `count` of them; each block takes
// the next one by `next`, which begins at 0. A block has 2 x `room` numbers of `scratch` and
// `most_states` words of `opens` of its own; no graph needs more.
extern "C" __global__ void solve_graphs(
    const Row* __restrict__ words,
    const int* __restrict__ lengths,
    const signed char* __restrict__ orders,
    const int* __restrict__ shapes,
    const long long* __restrict__ place,
    const int* __restrict__ graphs,
    int count,
    int most,
    Count* scratch,
    long long room,
    Open* opens,
    long long most_states,
    int* next,
    Count* __restrict__ results)
{
    __shared__ Sweep sweep;
    __shared__ int taken;
    Open* open = opens + blockIdx.x * most_states;
    while (true) {
        if (threadIdx.x == 0) taken = atomicAdd(next, 1);
        __syncthreads();
        if (taken >= count) return;
        const int graph = graphs[taken];
        const int plane = shapes[graph * 3 + 1] * shapes[graph * 3 + 2];
        const Shape shape{shapes[graph * 3], shapes[graph * 3 + 2], plane, shapes[graph * 3] * plane};
        Count* now = scratch + blockIdx.x * 2 * room;
        Count* then = now + room;
        if (threadIdx.x == 0) {
            read_graph(sweep, words + (long long)graph * TYPES, lengths[graph]);
            open[0] = 0;
        }
        for (int x = threadIdx.x; x < shape.block; x += blockDim.x) now[x] = x == 0;
        __syncthreads();

        for (int at = 0; at < sweep.count; ++at) {
            const Own type(sweep, orders[graph * TYPES + at], most);
            const int states = sweep.states;
            for (int card = 0; card < type.size; ++card) {
                sweep_card(sweep, shape, type, card, type.open_after(card), most, open, now, then);
                __syncthreads();
                swap(now, then);
            }
            if (threadIdx.x == 0) {
                sweep.rest &= ~(1u << type.type);
                merge_pools(sweep, type.type, most);
            }
            __syncthreads();
            for (int x = threadIdx.x; x < sweep.states * shape.block; x += blockDim.x) then[x] = 0;
            __syncthreads();
            merge_states(sweep, shape, states, type.open_after(type.size), open, now, then);
            __syncthreads();
            if (shape.limbs == 2) carry(shape, sweep.states, then);
            for (int s = threadIdx.x; s < sweep.states; s += blockDim.x) open[s] = open_cards(sweep, s);
            __syncthreads();
            swap(now, then);
        }
        for (int x = threadIdx.x; x < shape.block; x += blockDim.x) results[place[graph] + x] = now[x];
        __syncthreads();
    }
}
