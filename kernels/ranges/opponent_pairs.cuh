// Pairs of combos of two opponents that share no card, by inclusion and exclusion: a warp counts together.
//
// As in gpuodds/backends/cpu/ranges/opponent_pairs_weighted.py. A rank splits each player's combos into
// lower and equal ones. With A the sum of a player's weights over the lower, or over the equal ones, and
// A(c) that over those with card c, opponents j and k hold disjoint combos in
//
//     A_j A_k - sum over cards c of A_j(c) A_k(c) + sum over combos e of a_j(e) a_k(e)
//
// weighted ways. Taking a combo (u, v) out of the deck changes the sums by
//
//     A' = A - A(u) - A(v) + a(uv)        A'(c) = A(c) - a(uc) - a(vc)

#pragma once

#include "ranges/showdowns.cuh"

namespace gpuodds {

enum Kind : int {
    LOWER,
    EQUAL,
    KINDS
};

enum Opponent : int {
    J,
    K,
    BOTH,  // the products of j's and k's weights
    OPPONENTS
};

constexpr HandRank FOLDED = 0;  // below every rank

// What one player, or two at once, hold: by kind, the sum over all combos and over those with each card.
template <class Number> struct Held {
    Number total[KINDS];
    Number card[KINDS][DECK_SIZE];
};

// The two opponents whose combos are counted in pairs. One who has folded is the second, unless both have.
struct Two {
    int player[2];
    bool folded[2];

    // The rank of a combo that an opponent holds, or both: one who has folded never wins.
    __device__ HandRank rank(Cell cell, int opponent) const
    {
        return folded[opponent == K ? K : J] ? FOLDED : rank_in(cell);
    }

    template <class Weights>
    __device__ typename Weights::Number weight(
        const Weights& weights, int opponent, Cell cell, int one, int two) const
    {
        if (opponent != BOTH) return weights.of(player[opponent], cell, one, two);
        return weights.of(player[J], cell, one, two) * weights.of(player[K], cell, one, two);
    }
};

// A combo that is taken out of the deck, a hero's of `rank`.
struct TakenOut {
    int u, v;
    HandRank rank;
};

// A number by kind.
template <class Number> struct ByKind {
    Number lower = 0, equal = 0;

    __device__ void take(Number weight, HandRank rank, HandRank hero)
    {
        lower -= rank < hero ? weight : 0;
        equal -= rank == hero ? weight : 0;
    }
};

// A': what is left of a total.
template <class Number, class Weights>
__device__ inline ByKind<Number> total_left(
    const Held<Number>& held, const TakenOut& out, const SortedBoard& sorted, const Two& two,
    const Weights& weights, int opponent)
{
    const Cell cell = sorted.cell(out.u, out.v);
    ByKind<Number> inside;
    inside.take(two.weight(weights, opponent, cell, out.u, out.v), two.rank(cell, opponent), out.rank);
    return {held.total[LOWER] - held.card[LOWER][out.u] - held.card[LOWER][out.v] - inside.lower,
        held.total[EQUAL] - held.card[EQUAL][out.u] - held.card[EQUAL][out.v] - inside.equal};
}

// A'(c): what is left of a card's sum; 0 for a card that is gone.
template <class Number, class Weights>
__device__ inline ByKind<Number> card_left(
    const Held<Number>& held, int c, const TakenOut& out, Cell with_u, Cell with_v, const Two& two,
    const Weights& weights, int opponent)
{
    ByKind<Number> left{held.card[LOWER][c], held.card[EQUAL][c]};
    left.take(two.weight(weights, opponent, with_u, out.u, c), two.rank(with_u, opponent), out.rank);
    left.take(two.weight(weights, opponent, with_v, out.v, c), two.rank(with_v, opponent), out.rank);
    return left;
}

// The weighted ways in which j's combo is lower or equal, and k's.
template <class Number> struct PairCounts {
    Number lower_lower = 0, equal_lower = 0, lower_equal = 0, equal_equal = 0;
};

// Count the pairs that are left once a combo is taken out; every lane gets the result.
template <class Number, class Weights>
__device__ inline PairCounts<Number> count_pairs_without(
    const Held<Number>* const (&held)[OPPONENTS], const TakenOut& out, const SortedBoard& sorted,
    const Two& two, const Weights& weights)
{
    const ByKind<Number> j = total_left(*held[J], out, sorted, two, weights, J);
    const ByKind<Number> k = total_left(*held[K], out, sorted, two, weights, K);
    const bool ties = j.equal != 0 || k.equal != 0;
    PairCounts<Number> shared;
#pragma unroll 1  // unrolled, it takes twice the registers
    for (int c = lane(); c < DECK_SIZE; c += WARP_LANES) {
        if (c == out.u || c == out.v) continue;
        const Cell with_u = sorted.cell(out.u, c), with_v = sorted.cell(out.v, c);
        const ByKind<Number> one = card_left(*held[J], c, out, with_u, with_v, two, weights, J);
        const ByKind<Number> other = card_left(*held[K], c, out, with_u, with_v, two, weights, K);
        shared.lower_lower += one.lower * other.lower;
        shared.equal_lower += one.equal * other.lower;
        shared.lower_equal += one.lower * other.equal;
        shared.equal_equal += one.equal * other.equal;
    }
    const ByKind<Number> both = total_left(*held[BOTH], out, sorted, two, weights, BOTH);
    PairCounts<Number> counts;
    counts.lower_lower = j.lower * k.lower - warp_sum(shared.lower_lower) + both.lower;
    if (!ties) return counts;
    counts.equal_lower = j.equal * k.lower - warp_sum(shared.equal_lower);
    counts.lower_equal = j.lower * k.equal - warp_sum(shared.lower_equal);
    counts.equal_equal = j.equal * k.equal - warp_sum(shared.equal_equal);
    (two.folded[K] ? counts.equal_lower : counts.equal_equal) += both.equal;
    return counts;
}

}  // namespace gpuodds
