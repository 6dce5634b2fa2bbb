// The combos of four to six ranges with weights 0 and 1 on a board: rows of bits, and triangles.

#pragma once

#include "ranges/disjoint_triples.cuh"
#include "ranges/plans.cuh"

namespace gpuodds {

// In the block's shared memory.
struct BitRows {
    using Weights = Exact;
    using Sum = Exact::Sum;

    // What is left of the deck, and of the triangles of three lower players.
    struct Left {
        CardBits live;
        int triangles;
    };

    SortedBoard sorted;
    CardBits rows[SLOTS][DECK_SIZE];  // by card, the other cards of a player's combos
    int counts[SLOTS];                // of combos
    int triangles[MAX_TRIPLES];       // of lower combos

    __device__ void clear(const Plans&)
    {
        for (const int x : block_stride(SLOTS * DECK_SIZE)) rows[x / DECK_SIZE][x % DECK_SIZE] = 0;
        for (const int x : block_stride(SLOTS)) counts[x] = 0;
        for (const int x : block_stride(MAX_TRIPLES)) triangles[x] = 0;
    }

    // Add the combos of a level to the tied ones of the players who have `folded`, or have not. Every thread of the
    // block calls this, after a barrier; it ends in one.
    __device__ void open_level(const Level& level, bool folded, const Weights&, const Plans& plans)
    {
        for (const int x : block_stride((level.last - level.first) * plans.players)) {
            const int i = sorted.order[level.first + x / plans.players], player = x % plans.players;
            if (plans.has_folded(player) != folded || !is_member(level.combos.members[i], player)) continue;
            const int u = lower(level.combos.pairs[i]), v = higher(level.combos.pairs[i]);
            const int slot = MAX_RANGES + player;
            atomicOr(&rows[slot][u], 1ULL << v);
            atomicOr(&rows[slot][v], 1ULL << u);
            atomicAdd(&counts[slot], 1);
        }
        __syncthreads();
    }

    // Make the tied combos lower ones. Every thread of the block calls this, after a barrier; it ends in one.
    __device__ void close_level(const Level& level, const Plans& plans)
    {
        for (const int x : block_stride((level.last - level.first) * plans.num_triples * THREE)) {
            const Pair pair = level.pair(level.first + x / (plans.num_triples * THREE));
            const int triple = x / THREE % plans.num_triples, turn = x % THREE;
            const int* const three = plans.triples + triple * THREE;
            const int player = three[turn], j = three[turn == 0 ? 1 : 0], k = three[turn == 2 ? 1 : 2];
            const int u = lower(pair), v = higher(pair);
            if (!(rows[MAX_RANGES + player][u] >> v & 1)) continue;
            // The tied combos of earlier players count as lower ones, so that no triangle is missed or counted twice.
            const int more = count_cards(row(j, u, player) & row(k, v, player)) +
                count_cards(row(j, v, player) & row(k, u, player));
            if (more) atomicAdd(&triangles[triple], more);
        }
        __syncthreads();
        for (const int x : block_stride(plans.players * DECK_SIZE)) {
            CardBits& tied = rows[MAX_RANGES + x / DECK_SIZE][x % DECK_SIZE];
            rows[x / DECK_SIZE][x % DECK_SIZE] |= tied;
            tied = 0;
        }
        for (const int player : block_stride(plans.players)) {
            counts[player] += counts[MAX_RANGES + player];
            counts[MAX_RANGES + player] = 0;
        }
        __syncthreads();
    }

    __device__ Left all_of(const Plan& plan) const
    {
        return {(1ULL << DECK_SIZE) - 1, plan.tied ? 0 : triangles[plan.triple]};
    }

    // Take a combo's cards out of the deck, and their triangles out of those of three players.
    __device__ void take_out(const Plan& plan, Pair pair, Left& left) const
    {
        Rows a = rows[plan.three[0]], b = rows[plan.three[1]], c = rows[plan.three[2]];
        int share = 0;
        if (!plan.tied) share = triangles_with(a, b, c, left.live, lower(pair));
        left.live &= ~(1ULL << lower(pair));
        if (!plan.tied) share += triangles_with(a, b, c, left.live, higher(pair));
        left.live &= ~(1ULL << higher(pair));
        if (!plan.tied) left.triangles -= warp_sum(share);
    }

    __device__ void weigh(int, Pair, Left&) const {}

    // Count disjoint combos of three players. Every lane of a warp gets the result.
    __device__ Sum count(const Plan& plan, const Level& level, const Left& left) const
    {
        const int closed = plan.tied ? tied_triangles(plan, level, left.live) : left.triangles;
        return disjoint_triples(rows[plan.three[0]], rows[plan.three[1]], rows[plan.three[2]], left.live, closed);
    }

private:
    // The combos of a player with a card, the tied ones among them if he is below `below`.
    __device__ CardBits row(int player, int card, int below) const
    {
        return rows[player][card] | (player < below ? rows[MAX_RANGES + player][card] : 0);
    }

    // The triangles that have a tied combo of the first of three players.
    __device__ int tied_triangles(const Plan& plan, const Level& level, CardBits live) const
    {
        Rows a = rows[plan.three[0]], b = rows[plan.three[1]], c = rows[plan.three[2]];
        int share = 0;
        for (int place = level.first + lane(); place < level.last; place += WARP_LANES) {
            const Pair pair = level.pair(place);
            const int u = lower(pair), v = higher(pair);
            const CardBits cards = pair_cards(pair);
            if (!(a[u] >> v & 1) || (live & cards) != cards) continue;
            share += count_cards(b[u] & c[v] & live) + count_cards(b[v] & c[u] & live);
        }
        return warp_sum(share);
    }
};

}  // namespace gpuodds
