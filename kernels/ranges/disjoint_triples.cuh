// Disjoint combos of three opponents, in closed form: a warp counts together.
//
// A player's combos are edges between cards: a row of bits for each card, of those that it is in a combo with.
// With d_i(c) combos of player i with the card c, s_i in all, q_ij(c) combos with c that i and j both have (half
// of all: E_ij), E those that all three have, and Tr triangles of a combo of each, disjoint combos are
//
//     s1 s2 s3 - sum of s_k (d_i . d_j - E_ij) + 2 sum of d1 d2 d3 + sum of d_i . W_k d_j - 2 sum of q_ij . d_k
//         + 4 E - Tr
//
// with k the third beside i and j: see docs/mathematics.md. Rows that are masked by the cards that are left count
// what is left of the deck, so that no sums need be kept but the triangles.

#pragma once

#include "ranges/plans.cuh"

namespace gpuodds {

constexpr int DEGREE_BITS = 6;    // of a number of combos with a card, at most 51

static_assert(DECK_SIZE - 1 < 1 << DEGREE_BITS, "a card is in at most 51 combos");

// A player's combos, by card.
using Rows = const CardBits*;

// What a lane has of a player: the rows of its cards, and how many combos they have.
struct OfLane {
    CardBits row[CARDS_OF_LANE];
    int degree[CARDS_OF_LANE];

    __device__ OfLane(Rows rows, CardBits live)
    {
        for (int x = 0; x < CARDS_OF_LANE; ++x) {
            const int card = lane() + x * WARP_LANES;
            row[x] = card < DECK_SIZE && live >> card & 1 ? rows[card] & live : 0;
            degree[x] = count_cards(row[x]);
        }
    }
};

// The degrees of all cards, a bit of each in a word.
struct Planes {
    CardBits bit[DEGREE_BITS];

    __device__ Planes(const OfLane& of)
    {
        for (int x = 0; x < DEGREE_BITS; ++x) {
            const unsigned low = __ballot_sync(ALL_LANES, of.degree[0] >> x & 1);
            const unsigned high = __ballot_sync(ALL_LANES, of.degree[1] >> x & 1);
            bit[x] = CardBits(high) << WARP_LANES | low;
        }
    }

    // The sum of the degrees of a set of cards.
    __device__ int sum(CardBits cards) const
    {
        int sum = 0;
        for (int x = 0; x < DEGREE_BITS; ++x) sum += count_cards(cards & bit[x]) << x;
        return sum;
    }
};

// A lane's share of 2 d_i . d_j - 2 E_ij, so that halves are whole.
__device__ inline int meeting(const OfLane& i, const OfLane& j)
{
    int sum = 0;
    for (int x = 0; x < CARDS_OF_LANE; ++x) {
        sum += 2 * i.degree[x] * j.degree[x] - count_cards(i.row[x] & j.row[x]);
    }
    return sum;
}

// A lane's share of d_i . W_k d_j - 2 q_ij . d_k.
__device__ inline int paths(const OfLane& i, const OfLane& j, const OfLane& k)
{
    const Planes planes(j);
    int sum = 0;
    for (int x = 0; x < CARDS_OF_LANE; ++x) {
        sum += i.degree[x] * planes.sum(k.row[x]);
        sum -= 2 * k.degree[x] * count_cards(i.row[x] & j.row[x]);
    }
    return sum;
}

// The number of disjoint combos of three players among the cards that are left, given the number of triangles.
// Every lane gets the result.
__device__ inline long long disjoint_triples(Rows a, Rows b, Rows c, CardBits live, int triangles)
{
    const OfLane of_a(a, live), of_b(b, live), of_c(c, live);
    int rest = paths(of_a, of_b, of_c) + paths(of_b, of_c, of_a) + paths(of_c, of_a, of_b);
    int sizes = 0, degrees = 0;  // of two players, 16 bits each; of the third
    for (int x = 0; x < CARDS_OF_LANE; ++x) {
        rest += 2 * of_a.degree[x] * of_b.degree[x] * of_c.degree[x];
        rest += 2 * count_cards(of_a.row[x] & of_b.row[x] & of_c.row[x]);
        sizes += of_a.degree[x] | of_b.degree[x] << 16;
        degrees += of_c.degree[x];
    }
    sizes = warp_sum(sizes);
    const long long s_a = (sizes & 0xFFFF) / 2, s_b = (sizes >> 16) / 2, s_c = warp_sum(degrees) / 2;
    const int ab = warp_sum(meeting(of_a, of_b)) / 2, bc = warp_sum(meeting(of_b, of_c)) / 2,
              ca = warp_sum(meeting(of_c, of_a)) / 2;
    return s_a * s_b * s_c - s_c * ab - s_a * bc - s_b * ca + warp_sum(rest) - triangles;
}

// A lane's share of the triangles, of a combo of each of three players, that have a card.
__device__ inline int triangles_with(Rows a, Rows b, Rows c, CardBits live, int card)
{
    int sum = 0;
#pragma unroll 1  // unrolled, it takes more registers than there are
    for (int x = 0; x < CARDS_OF_LANE; ++x) {
        const int other = lane() + x * WARP_LANES;
        if (other >= DECK_SIZE || !(live >> other & 1)) continue;
        if (a[card] >> other & 1) sum += count_cards(b[other] & c[card] & live);
        if (b[card] >> other & 1) sum += count_cards(c[other] & a[card] & live);
        if (c[card] >> other & 1) sum += count_cards(a[other] & b[card] & live);
    }
    return sum;
}

}  // namespace gpuodds
