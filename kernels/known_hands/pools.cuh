// The state of a sweep over a threat graph: pools of open cards, and how they merge from type to type.
//
// A card is open while it waits for a partner among the types to come. Open cards with the same edges to
// those form a pool; a state is the number of open cards in each pool, first pool fastest. See
// gpuodds/backends/cpu/known_hands/elimination_order.py.

#pragma once

#include "known_hands/threat_graphs/graph_words.cuh"

namespace gpuodds {

// The number of open cards in each pool and of the type at hand, DIGIT_BITS bits each, and their sum from
// SUM_SHIFT on.
using Open = unsigned long long;

constexpr int DIGIT_BITS = 5;
constexpr int SUM_SHIFT = 56;

static_assert((MAX_POOLS + 1) * DIGIT_BITS <= SUM_SHIFT, "the digits, the type's own too, end below the sum");
static_assert(DECK_SIZE / 2 < 1 << DIGIT_BITS, "a pool waits for at most as many cards as it has");

__host__ __device__ inline int digit(Open open, int pool)
{
    return int(open >> (DIGIT_BITS * pool) & ((1 << DIGIT_BITS) - 1));
}

__host__ __device__ inline int open_sum(Open open) { return int(open >> SUM_SHIFT); }

__host__ __device__ inline int smaller(int a, int b) { return a < b ? a : b; }

// The types of a graph.
struct Types {
    int count;
    int size[TYPES];  // cards
    TypeSet loss[TYPES];
    TypeSet tie[TYPES];

    __host__ __device__ void unpack(const Word* words, int length)
    {
        for (int i = 0; i < length; ++i) {
            size[i] = size_of(words[i]);
            loss[i] = losses(words[i]);
            tie[i] = ties(words[i]);
        }
        count = length;
    }

    __host__ __device__ int cards_in(TypeSet types) const
    {
        int cards = 0;
        for (; types; types &= types - 1) cards += size[lowest_bit(types)];
        return cards;
    }
};

// The type that is swept.
struct Own {
    int type, size;
    int inside;  // how its cards meet each other: 0 not, 1 with a loss, 2 with a tie
    bool ahead;  // whether it has an edge to a type to come
    int cap;     // how many of its cards can be open at once

    // The most open cards after `cards` of them.
    __host__ __device__ int open_after(int cards) const
    {
        return ahead ? smaller(cards, cap) : smaller(smaller(cards, cap), size - cards);
    }
};

// A sweep: the type at hand and the pools of open cards. Pool `pools` is the type's own.
struct Sweep {
    Types types;
    int max_edges;  // bounds the open cards
    TypeSet rest;   // types still to come, the one at hand left out
    int done;       // cards swept before the type
    Own own;
    int pools;
    int states;  // of the pools: the product of cap + 1
    int cap[MAX_POOLS + 1];
    int stride[MAX_POOLS + 2];
    int pool_size[MAX_POOLS + 1];
    TypeSet pool_loss[MAX_POOLS + 1];  // types to come that a card of the pool loses with
    TypeSet pool_tie[MAX_POOLS + 1];
    int becomes[MAX_POOLS + 1];  // the pool that an old one is now part of, or -1
    bool apart;                  // no two old pools are now one

    // Start on a graph of `length` words.
    __host__ __device__ void start(const Word* words, int length, int edges)
    {
        types.unpack(words, length);
        max_edges = edges;
        rest = (1u << length) - 1;
        done = 0;
        pools = 0;
        states = 1;
        stride[0] = 1;
        own.cap = 0;  // of no type yet: compilers may read it ahead of the question whether there is one
    }

    // Take `type` from those to come.
    __host__ __device__ void begin_type(int type)
    {
        rest &= ~(1u << type);
        const TypeSet loss = types.loss[type], tie = types.tie[type];
        own.type = type;
        own.size = types.size[type];
        own.inside = own.size > 1 ? int(loss >> type & 1) + 2 * int(tie >> type & 1) : 0;
        own.ahead = (loss | tie) & rest;
        own.cap = own.ahead ? smaller(own.size, max_edges)
            : own.inside    ? own.size / 2
                            : 0;
        cap[pools] = own.cap;
        stride[pools] = states;
        pool_size[pools] = own.size;
        pool_loss[pools] = loss;
        pool_tie[pools] = tie;
    }

    // The states of the pools and the type's open cards together.
    __host__ __device__ int items() const { return states * (own.cap + 1); }

    // Make the type a pool like the others, merge pools that are alike from here on, and drop those without
    // a type to come.
    __host__ __device__ void finish_type()
    {
        done += own.size;
        const int old_pools = pools + 1;
        TypeSet taken = 0;
        pools = 0;
        apart = true;
        for (int q = 0; q < old_pools; ++q) {
            const int p = becomes[q] = merge_pool(q);
            if (p < 0) continue;
            if (taken >> p & 1) apart = false;
            taken |= 1u << p;
        }
        for (int p = 0; p < pools; ++p) {
            const int ahead = types.cards_in(pool_loss[p] | pool_tie[p]);
            cap[p] = smaller(smaller(pool_size[p], max_edges), ahead);
            // Unsigned, as a product that no sweep may have wraps before it is refused.
            stride[p + 1] = int(unsigned(stride[p]) * unsigned(cap[p] + 1));
        }
        states = stride[pools];
    }

    // Merge old pool `q` into the new pools, which are not after it; return its new number, or -1.
    __host__ __device__ int merge_pool(int q)
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

    // The open cards of an item: a state of the pools and of the type's own cards.
    __host__ __device__ Open open_cards(int item) const
    {
        Open open = 0;
        int sum = 0;
        for (int q = 0; q <= pools; ++q) {
            const int cards = item % (cap[q] + 1);
            item /= cap[q] + 1;
            open |= Open(cards) << (DIGIT_BITS * q);
            sum += cards;
        }
        return open | Open(sum) << SUM_SHIFT;
    }

    // The state after the last merge of `old_pools` pools with `open` cards before it; -1 if some of its
    // cards can find no partner.
    __host__ __device__ int merged_state(Open open, int old_pools) const
    {
        Open merged = 0;
        int state = 0;
        for (int q = 0; q < old_pools; ++q) {
            const int cards = digit(open, q);
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

}  // namespace gpuodds
