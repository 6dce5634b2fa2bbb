// The state of a sweep over a threat graph: pools of open cards, and how they merge from type to type.
//
// A card is open while it waits for a partner among the types to come. Open cards with the same edges to
// those form a pool; a state is the number of open cards in each pool, first pool fastest. See
// gpuodds/backends/cpu/elimination_order.py.

#pragma once

#include "graph_words.cuh"

namespace gpuodds {

// The number of open cards in each pool, DIGIT_BITS bits a pool, and their sum from SUM_SHIFT on.
using Open = unsigned long long;

constexpr int DIGIT_BITS = 5;
constexpr int SUM_SHIFT = 56;

static_assert(MAX_POOLS * DIGIT_BITS <= SUM_SHIFT, "the digits end below the sum");
static_assert(DECK_SIZE / 2 < 1 << DIGIT_BITS, "a pool waits for at most as many cards as it has");

__host__ __device__ inline int digit(Open open, int pool)
{
    return int(open >> (DIGIT_BITS * pool) & ((1 << DIGIT_BITS) - 1));
}

__host__ __device__ inline int open_sum(Open open) { return int(open >> SUM_SHIFT); }

__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }

// The graph at hand and its pools, shared by a block.
struct Sweep {
    int count;           // types
    int size[TYPES];     // cards
    TypeSet loss[TYPES];
    TypeSet tie[TYPES];
    TypeSet rest;        // types still to come
    int done;            // cards swept
    int pools;
    int states;          // product of cap + 1
    int cap[MAX_POOLS + 1];
    int stride[MAX_POOLS + 2];
    int pool_size[MAX_POOLS + 1];
    TypeSet pool_loss[MAX_POOLS + 1];  // types to come that a card of the pool loses with
    TypeSet pool_tie[MAX_POOLS + 1];
    int old_pools;                // before the last merge
    int becomes[MAX_POOLS + 1];   // the pool that an old one is now part of, or -1

    __device__ int cards_in(TypeSet types) const
    {
        int cards = 0;
        for (; types; types &= types - 1) cards += size[lowest_bit(types)];
        return cards;
    }

    // Start on a graph of `length` words.
    __device__ void start(const Word* words, int length)
    {
        for (int i = 0; i < length; ++i) {
            size[i] = size_of(words[i]);
            loss[i] = losses(words[i]);
            tie[i] = ties(words[i]);
        }
        count = length;
        rest = (1u << length) - 1;
        done = 0;
        pools = 0;
        states = 1;
        stride[0] = 1;
    }

    // Make `type` a pool of its own, merge pools that are alike from here on, and drop those without a type
    // to come. `max_edges` bounds the open cards of a pool.
    __device__ void finish_type(int type, int max_edges)
    {
        rest &= ~(1u << type);
        done += size[type];
        pool_size[pools] = size[type];
        pool_loss[pools] = loss[type];
        pool_tie[pools] = tie[type];
        old_pools = pools + 1;
        pools = 0;
        for (int q = 0; q < old_pools; ++q) becomes[q] = merge_pool(q);
        for (int p = 0; p < pools; ++p) {
            const int ahead = cards_in(pool_loss[p] | pool_tie[p]);
            cap[p] = smaller(smaller(pool_size[p], max_edges), ahead);
            stride[p + 1] = stride[p] * (cap[p] + 1);
        }
        states = stride[pools];
    }

    // Merge old pool `q` into the new pools, which are not after it; return its new number, or -1.
    __device__ int merge_pool(int q)
    {
        const TypeSet now_loss = pool_loss[q] & rest, now_tie = pool_tie[q] & rest;
        const int cards = pool_size[q];
        if (!(now_loss | now_tie)) return -1;
        int p = 0;
        while (p < pools && (pool_loss[p] != now_loss || pool_tie[p] != now_tie)) ++p;
        if (p == pools) {
            pool_loss[p] = now_loss;
            pool_tie[p] = now_tie;
            pool_size[p] = 0;
            ++pools;
        }
        pool_size[p] += cards;
        return p;
    }

    // The open cards of a state.
    __device__ Open open_cards(int state) const
    {
        Open open = 0;
        int sum = 0;
        for (int q = 0; q < pools; ++q) {
            const int cards = state % (cap[q] + 1);
            state /= cap[q] + 1;
            open |= Open(cards) << (DIGIT_BITS * q);
            sum += cards;
        }
        return open | Open(sum) << SUM_SHIFT;
    }

    // The state after the last merge of a state before it, `open` and `own` open cards of the type merged;
    // -1 if some of its cards can find no partner.
    __device__ int merged_state(Open open, int own) const
    {
        Open merged = 0;
        int state = 0;
        for (int q = 0; q < old_pools; ++q) {
            const int cards = q < old_pools - 1 ? digit(open, q) : own;
            const int p = becomes[q];
            if (p >= 0) {
                if (digit(merged, p) + cards > cap[p]) return -1;
                merged += Open(cards) << (DIGIT_BITS * p);
                state += cards * stride[p];
            } else if (cards) {
                return -1;
            }
        }
        return state;
    }
};

// The type that is swept.
struct Own {
    int type, size;
    int inside;  // how its cards meet each other: 0 not, 1 with a loss, 2 with a tie
    bool ahead;  // whether it has an edge to a type to come
    int cap;     // how many of its cards can be open at once

    __device__ Own(const Sweep& sweep, int type, int max_edges) : type(type), size(sweep.size[type])
    {
        ahead = (sweep.loss[type] | sweep.tie[type]) & sweep.rest & ~(1u << type);
        inside = size > 1 ? (sweep.loss[type] >> type & 1) + 2 * (sweep.tie[type] >> type & 1) : 0;
        cap = ahead ? smaller(size, max_edges) : inside ? size / 2 : 0;
    }

    // The most open cards after `cards` of them.
    __device__ int open_after(int cards) const
    {
        return ahead ? smaller(cards, cap) : smaller(smaller(cards, cap), size - cards);
    }
};

}  // namespace gpuodds
