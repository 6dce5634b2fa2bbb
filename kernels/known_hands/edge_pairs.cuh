// The matchings of a threat graph with one and two edges, in closed form.

#pragma once

#include "known_hands/threat_graphs/threats.cuh"

namespace gpuodds {

// The number of pairs among `count` things.
__host__ __device__ inline int pairs_of(int count) { return count * (count - 1) / 2; }

// The matchings of a threat graph with one and two edges.
struct EdgePairs {
    int losing, tying, two_losses, loss_and_tie, two_ties;
};

// Count the matchings of a threat graph with one and two edges.
// With d the degrees of the cards, the pairs of disjoint losses are C(L, 2) - sum C(d, 2), likewise for ties
// and for a loss and a tie. None passes C(C(52, 2), 2) < 2^20.
__host__ __device__ inline EdgePairs count_pairs_of_edges(const Sizes& sizes, const Row* rows)
{
    int losing = 0, tying = 0, two_losses = 0, loss_and_tie = 0, two_ties = 0;
    for (TypeSet left = sizes.present(); left; left &= left - 1) {
        const int i = lowest_bit(left);
        const Row inside = edge_to(rows[i], i);
        const int cards = sizes.of(i);
        const int lose = sizes.cards_in(losses(rows[i])) - int(inside & LOSS);
        const int draw = sizes.cards_in(ties(rows[i])) - int(inside >> TYPES);
        losing += cards * lose;
        tying += cards * draw;
        two_losses -= cards * pairs_of(lose);
        loss_and_tie -= cards * lose * draw;
        two_ties -= cards * pairs_of(draw);
    }
    losing /= 2;  // each edge was met from both its ends
    tying /= 2;
    return {
        losing, tying, two_losses + pairs_of(losing), loss_and_tie + losing * tying, two_ties + pairs_of(tying)};
}

}  // namespace gpuodds
