// Disjoint combos of three opponents with any weights, in closed form: a warp counts together.
//
// W_i has a player's weights by two cards, d_i their sums by card, s_i in all; q_ij and e are sums by card of products
// of two players' and of three players' weights for a combo. Disjoint combos of three players weigh
//
//     s1 s2 s3 - sum of s_k (d_i . d_j - E_ij) + 2 sum of d1 d2 d3 + sum of d_i . W_k d_j - 2 sum of q_ij . d_k
//         + 4 E - Tr
//
// with k the third beside i and j, E_ij and E the sums of q_ij and e over combos, and Tr the trace of W1 W2 W3: see
// docs/mathematics.md. The products W_i W_j and W_k d_j are kept, so that a card that leaves the deck changes a number
// for each card that is left. Rounded sums are added up in the same order always.

#pragma once

#include "ranges/plans.cuh"

namespace gpuodds {

constexpr int MAX_PAIRS = MAX_RANGES * (MAX_RANGES - 1) / 2;
// Which of two players tie: neither, the first, the second, both; of three, a bit each.
constexpr int PAIR_KINDS = 4, TRIPLE_KINDS = 8, BOTH_TIED = 3;

// The sums of a board, in global memory. A slot is a player's lower combos, or the tied ones; a pair is numbered by
// pair_number, times PAIR_KINDS; a triple as Plans has it, times TRIPLE_KINDS.
struct WeightSums {
    double weights[SLOTS][DECK_SIZE][DECK_SIZE];                    // W
    double steps[MAX_PAIRS * PAIR_KINDS][DECK_SIZE][DECK_SIZE];     // W_i W_j, i the one who comes first
    double reached[SLOTS][SLOTS][DECK_SIZE];                        // W_k d_j by k and j
    double both[MAX_PAIRS * PAIR_KINDS][DECK_SIZE];                 // q
    double all_three[MAX_TRIPLES * TRIPLE_KINDS][DECK_SIZE];        // e
    double triangles[MAX_TRIPLES * TRIPLE_KINDS];                   // Tr
    double cards[SLOTS][DECK_SIZE];                                 // d
};

static_assert(sizeof(WeightSums) == sizeof(double) * SUM_NUMBERS, "Python allocates other numbers");

// The number of a pair of players, a < b.
__host__ __device__ inline int pair_number(int a, int b) { return b * (b - 1) / 2 + a; }

// The number of two slots, in either order. In their product the tied one comes first, or else the lower player.
__host__ __device__ inline int step_number(int one, int two)
{
    const int a = player_in(one) < player_in(two) ? one : two, b = a == one ? two : one;
    return pair_number(player_in(a), player_in(b)) * PAIR_KINDS + is_tied(a) + 2 * is_tied(b);
}

// Three slots: tied ones first, then by player, so that products are of a slot and a later one.
struct Three {
    const WeightSums& sums;
    int slot[THREE];
    int step_01, step_02, step_12, triple;

    __device__ Three(const WeightSums& sums, const Plan& plan)
        : sums(sums), slot{plan.three[0], plan.three[1], plan.three[2]}, step_01(step_number(slot[0], slot[1])),
          step_02(step_number(slot[0], slot[2])), step_12(step_number(slot[1], slot[2])),
          triple(plan.triple * TRIPLE_KINDS + plan.tied)
    {
    }
};

// What a lane has of one of its cards: d, q of the other two slots, and W_k d_j for k = 0, 1, 2 and j = 1, 0, 0.
struct OfCard {
    double degree[THREE], both[THREE], reached[THREE], every;
};

// What is left of the deck and, for a lane, of sums; the product of the listed combos' weights.
struct WeightsLeft {
    CardBits live;
    double factor;
    double triangles;  // a share
    OfCard of[CARDS_OF_LANE];
};

// Return what there is before a card is taken out.
__device__ inline WeightsLeft all_weights(const Three& three)
{
    const WeightSums& sums = three.sums;
    WeightsLeft left;
    left.live = (1ULL << DECK_SIZE) - 1;
    left.factor = 1.0;
    left.triangles = lane() == 0 ? sums.triangles[three.triple] : 0.0;
    for (int y = 0; y < CARDS_OF_LANE; ++y) {
        const int c = lane() + y * WARP_LANES;
        OfCard& of = left.of[y];
        of = {};
        if (c >= DECK_SIZE) continue;
        for (int k = 0; k < THREE; ++k) of.degree[k] = sums.cards[three.slot[k]][c];
        of.both[0] = sums.both[three.step_12][c];
        of.both[1] = sums.both[three.step_02][c];
        of.both[2] = sums.both[three.step_01][c];
        of.reached[0] = sums.reached[three.slot[0]][three.slot[1]][c];
        of.reached[1] = sums.reached[three.slot[1]][three.slot[0]][c];
        of.reached[2] = sums.reached[three.slot[2]][three.slot[0]][c];
        of.every = sums.all_three[three.triple][c];
    }
    return left;
}

// The degree of a card that another lane may have.
__device__ inline double degree_of(const WeightsLeft& left, int k, int card)
{
    const double degree = card < WARP_LANES ? left.of[0].degree[k] : left.of[1].degree[k];
    return __shfl_sync(ALL_LANES, degree, card % WARP_LANES);
}

// Take a card out. The lanes of a warp call this together.
__device__ inline void take_card(const Three& three, int x, WeightsLeft& left)
{
    const WeightSums& sums = three.sums;
    const double own[2] = {
        degree_of(left, 0, x), degree_of(left, 1, x)};  // of the card's combos, those of slots 0 and 1
    left.live &= ~(1ULL << x);
#pragma unroll 1  // unrolled, it takes more registers than there are
    for (int y = 0; y < CARDS_OF_LANE; ++y) {
        const int c = lane() + y * WARP_LANES;
        OfCard& of = left.of[y];
        if (c == x) of = {};
        if (c >= DECK_SIZE || !(left.live >> c & 1)) continue;
        double weight[THREE];
        for (int k = 0; k < THREE; ++k) weight[k] = sums.weights[three.slot[k]][x][c];
        // Two combos from the card to c through a card that is left, of slots j and k.
        double steps[THREE] = {
            sums.steps[three.step_01][c][x], sums.steps[three.step_01][x][c], sums.steps[three.step_02][x][c]};
        for (CardBits out = ((1ULL << DECK_SIZE) - 1) & ~left.live & ~(1ULL << x); out; out &= out - 1) {
            const int z = lowest_card(out);
            const double first = sums.weights[three.slot[0]][x][z], at_c = sums.weights[three.slot[0]][z][c];
            steps[0] -= at_c * sums.weights[three.slot[1]][x][z];
            steps[1] -= first * sums.weights[three.slot[1]][z][c];
            steps[2] -= first * sums.weights[three.slot[2]][z][c];
        }
        of.reached[0] -= steps[0] + own[1] * weight[0];
        of.reached[1] -= steps[1] + own[0] * weight[1];
        of.reached[2] -= steps[2] + own[0] * weight[2];
        left.triangles -= weight[2] * (steps[0] + steps[1]) + weight[1] * steps[2];
        for (int k = 0; k < THREE; ++k) {
            of.degree[k] -= weight[k];
            of.both[k] -= weight[(k + 1) % THREE] * weight[(k + 2) % THREE];
        }
        of.every -= weight[0] * weight[1] * weight[2];
    }
}

// Sum the products of three players' weights over disjoint combos. Every lane of a warp gets the result.
__device__ inline double weigh_triples(const WeightsLeft& left)
{
    double size[THREE] = {}, meeting[THREE] = {};  // by slot; of the two others
    double rest = -left.triangles;
#pragma unroll 1  // as in take_card
    for (int y = 0; y < CARDS_OF_LANE; ++y) {
        const OfCard& of = left.of[y];
        for (int k = 0; k < THREE; ++k) {
            size[k] += of.degree[k] / 2;
            meeting[k] += of.degree[(k + 1) % THREE] * of.degree[(k + 2) % THREE] - of.both[k] / 2;
            rest -= 2 * of.both[k] * of.degree[k];
        }
        rest += 2 * of.degree[0] * of.degree[1] * of.degree[2] + 2 * of.every;
        rest += of.degree[2] * (of.reached[0] + of.reached[1]) + of.degree[1] * of.reached[2];
    }
    for (int k = 0; k < THREE; ++k) size[k] = warp_sum(size[k]);
    double sum = size[0] * size[1] * size[2] + warp_sum(rest);
    for (int k = 0; k < THREE; ++k) sum -= size[k] * warp_sum(meeting[k]);
    return sum;
}

}  // namespace gpuodds
