// Counts the matchings of threat graphs by edges and ties: one block a graph, one sweep over its types.
//
// gpuodds/cpu/matchings.py says what the sweep is. Here every number of a step is gathered from the
// numbers of the step before by one thread, so the threads of a block share nothing but those, and a
// barrier parts the steps. Numbers are kept modulo 2^64 in one limb where they cannot pass it, otherwise
// in two limbs, the lower of 48 bits: a step adds up at most 64 times a lower limb (its factors are
// numbers of open cards), so it stays below 2^54 until the carry.

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

__host__ __device__ inline int digit(Open open, int pool) { return int(open >> (DIGIT_BITS * pool) & 31); }

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
__device__ inline void merge_pools(Sweep& sweep, int type, int own_cap, int most)
{
    const int last = sweep.pools;
    sweep.pool_size[last] = sweep.size[type];
    sweep.pool_loss[last] = sweep.loss[type];
    sweep.pool_tie[last] = sweep.tie[type];
    sweep.cap[last] = own_cap;
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
        const int limbs = shapes[graph * 3];
        const int edges = shapes[graph * 3 + 1];
        const int ties = shapes[graph * 3 + 2];
        const int plane = edges * ties;
        const int block = limbs * plane;
        Count* now = scratch + blockIdx.x * 2 * room;
        Count* then = now + room;
        if (threadIdx.x == 0) {
            read_graph(sweep, words + (long long)graph * TYPES, lengths[graph]);
            open[0] = 0;
        }
        for (int x = threadIdx.x; x < block; x += blockDim.x) now[x] = x == 0;
        __syncthreads();

        for (int at = 0; at < sweep.count; ++at) {
            const int type = orders[graph * TYPES + at];
            const int size = sweep.size[type];
            const int states = sweep.states;
            const unsigned ahead = (sweep.loss[type] | sweep.tie[type]) & sweep.rest & ~(1u << type);
            int inside = 0;
            if (size > 1) inside = (sweep.loss[type] >> type & 1) + 2 * (sweep.tie[type] >> type & 1);
            const int own_cap = ahead ? smaller(size, most) : inside ? size / 2 : 0;
            int own_now = 0;
            for (int card = 0; card < size; ++card) {
                const int done = sweep.done + card;
                int own_new = smaller(card + 1, own_cap);
                if (!ahead) own_new = smaller(own_new, size - 1 - card);
                const int numbers = (own_new + 1) * states * plane;
                for (int x = threadIdx.x; x < numbers; x += blockDim.x) {
                    const int position = x % plane;  // edges x ties + ties so far
                    const int j = position / ties;
                    const int t = position - j * ties;
                    const int state = x / plane % states;
                    const int own = x / plane / states;
                    const Open there = open[state];
                    const int waiting = int(there >> SUM_SHIFT) + own;
                    // A matching of j edges and the open cards take 2 j + waiting cards at most.
                    const bool possible = waiting + j <= most && waiting + 2 * j <= done + 1;
                    const Count* here = now + (long long)(own * states + state) * block + position;
                    Count low = 0, high = 0;
                    if (possible) {
                        const auto add = [&](const Count* from, int times) {
                            low += times * from[0];
                            if (limbs == 2) high += times * from[plane];
                        };
                        if (own <= own_now) {
                            add(here, 1);
                            for (int q = 0; j > 0 && q < sweep.pools; ++q) {
                                const int cards = digit(there, q);
                                if (cards == sweep.cap[q]) continue;
                                const Count* closed = here + (long long)sweep.stride[q] * block - ties;
                                if (sweep.pool_loss[q] >> type & 1) {
                                    add(closed, cards + 1);
                                } else if (t > 0 && sweep.pool_tie[q] >> type & 1) {
                                    add(closed - 1, cards + 1);
                                }
                            }
                        }
                        if (own > 0) add(here - (long long)states * block, 1);
                        if (inside && j > 0 && own < own_now) {
                            const Count* closed = here + (long long)states * block - ties;
                            if (inside == 1) {
                                add(closed, own + 1);
                            } else if (t > 0) {
                                add(closed - 1, own + 1);
                            }
                        }
                    }
                    Count* to = then + (long long)(own * states + state) * block + position;
                    if (limbs == 2) {
                        to[plane] = high + (low >> LIMB_BITS);
                        low &= LOW_LIMB;
                    }
                    to[0] = low;
                }
                own_now = own_new;
                __syncthreads();
                Count* swap = now;
                now = then;
                then = swap;
            }

            if (threadIdx.x == 0) {
                sweep.rest &= ~(1u << type);
                merge_pools(sweep, type, own_cap, most);
            }
            __syncthreads();
            const int merged = sweep.states * block;
            for (int x = threadIdx.x; x < merged; x += blockDim.x) then[x] = 0;
            __syncthreads();
            const int numbers = (own_now + 1) * states * block;
            for (int x = threadIdx.x; x < numbers; x += blockDim.x) {
                const Count value = now[x];
                if (value == 0) continue;
                const int to = merged_state(sweep, open[x / block % states], x / block / states);
                if (to >= 0) atomicAdd(&then[to * block + x % block], value);
            }
            __syncthreads();
            if (limbs == 2) {
                for (int x = threadIdx.x; x < sweep.states * plane; x += blockDim.x) {
                    Count* low = then + x / plane * block + x % plane;
                    low[plane] += low[0] >> LIMB_BITS;
                    low[0] &= LOW_LIMB;
                }
            }
            for (int s = threadIdx.x; s < sweep.states; s += blockDim.x) open[s] = open_cards(sweep, s);
            __syncthreads();
            Count* swap = now;
            now = then;
            then = swap;
        }
        for (int x = threadIdx.x; x < block; x += blockDim.x) results[place[graph] + x] = now[x];
        __syncthreads();
    }
}
