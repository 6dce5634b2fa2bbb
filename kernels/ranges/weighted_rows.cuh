// The combos of four to six ranges with any weights on a board, and three opponents' disjoint ones in closed form.
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

struct WeightedRows {
    using Weights = Weighted;
    using Sum = Weighted::Sum;

    // What is left of the deck and, for a lane, of sums; the product of the listed combos' weights.
    struct Left {
        CardBits live;
        double factor;
        double triangles;  // a share
        OfCard of[CARDS_OF_LANE];
    };

    SortedBoard sorted;
    WeightSums* sums;
    int counts[SLOTS];          // of combos
    CardBits tied[MAX_RANGES];  // the cards of a player's tied combos

    __device__ void clear(const Plans& plans)
    {
        const int pairs = pair_number(0, plans.players), triples = plans.num_triples * TRIPLE_KINDS;
        for (const int x : block_stride(SLOTS)) counts[x] = 0;
        for (const int x : block_stride(MAX_RANGES)) tied[x] = 0;
        for (int slot = 0; slot < SLOTS; ++slot) {
            if (player_in(slot) >= plans.players) continue;
            fill(sums->weights[slot][0], DECK_SIZE * DECK_SIZE);
            fill(sums->reached[slot][0], SLOTS * DECK_SIZE);
            fill(sums->cards[slot], DECK_SIZE);
        }
        fill(sums->steps[0][0], pairs * PAIR_KINDS * DECK_SIZE * DECK_SIZE);
        fill(sums->both[0], pairs * PAIR_KINDS * DECK_SIZE);
        fill(sums->all_three[0], triples * DECK_SIZE);
        fill(sums->triangles, triples);
    }

    // Add the combos of a level to the tied ones of the players who have `folded`, or have not. Every thread of the
    // block calls this, after a barrier; it ends in one.
    __device__ void open_level(const Level& level, bool folded, const Weights& weights, const Plans& plans)
    {
        for (const int x : block_stride((level.last - level.first) * plans.players)) {
            const Pair pair = level.pair(level.first + x / plans.players);
            const int player = x % plans.players, u = lower(pair), v = higher(pair);
            const double weight = weights.of(player, sorted.cell(u, v), u, v);
            if (plans.has_folded(player) != folded || weight == 0.0) continue;
            const int slot = MAX_RANGES + player;
            sums->weights[slot][u][v] = sums->weights[slot][v][u] = weight;
            atomicOr(&tied[player], pair_cards(pair));
            atomicAdd(&counts[slot], 1);
        }
        __syncthreads();
        for (const int x : block_stride(plans.players * DECK_SIZE)) add_degrees(level, x / DECK_SIZE, x % DECK_SIZE);
        for (const int x : block_stride(plans.players * plans.players * 2 * DECK_SIZE)) {
            const int one = x / DECK_SIZE % plans.players, other = x / DECK_SIZE / plans.players;
            const int slot = other % plans.players + other / plans.players * MAX_RANGES;
            add_pair(level, one, slot, x % DECK_SIZE);
        }
        for (const int x : block_stride(plans.num_triples * TRIPLE_KINDS * DECK_SIZE)) {
            const int triple = x / DECK_SIZE / TRIPLE_KINDS, kind = x / DECK_SIZE % TRIPLE_KINDS;
            add_triple(level, plans, triple, kind, x % DECK_SIZE);
        }
        __syncthreads();
        for (int x = warp(); x < plans.num_triples * TRIPLE_KINDS; x += warps()) {
            add_triangles(level, plans, x / TRIPLE_KINDS, x % TRIPLE_KINDS);
        }
        __syncthreads();
    }

    // Make the tied combos lower ones. Every thread of the block calls this, after a barrier; it ends in one.
    __device__ void close_level(const Level& level, const Plans& plans)
    {
        for (int b = 1; b < plans.players; ++b) {
            for (int a = 0; a < b; ++a) close_pair(a, b);
        }
        for (const int x : block_stride(plans.players * plans.players * DECK_SIZE)) {
            close_reached(x / DECK_SIZE / plans.players, x / DECK_SIZE % plans.players, x % DECK_SIZE);
        }
        for (const int x : block_stride(plans.num_triples * DECK_SIZE)) {
            add_up(&sums->all_three[x / DECK_SIZE * TRIPLE_KINDS][x % DECK_SIZE], TRIPLE_KINDS, DECK_SIZE);
        }
        for (const int triple : block_stride(plans.num_triples)) {
            add_up(&sums->triangles[triple * TRIPLE_KINDS], TRIPLE_KINDS, 1);
        }
        for (const int x : block_stride(plans.players * DECK_SIZE)) {
            add_up(&sums->cards[x / DECK_SIZE][x % DECK_SIZE], 2, MAX_RANGES * DECK_SIZE);
        }
        for (const int x : block_stride((level.last - level.first) * plans.players)) {
            const Pair pair = level.pair(level.first + x / plans.players);
            const int player = x % plans.players, u = lower(pair), v = higher(pair);
            double& weight = sums->weights[MAX_RANGES + player][u][v];
            if (weight == 0.0) continue;
            sums->weights[player][u][v] = sums->weights[player][v][u] = weight;
            weight = sums->weights[MAX_RANGES + player][v][u] = 0.0;
        }
        __syncthreads();
        for (const int player : block_stride(plans.players)) {
            counts[player] += counts[MAX_RANGES + player];
            counts[MAX_RANGES + player] = 0;
            tied[player] = 0;
        }
        __syncthreads();
    }

    __device__ Left all_of(const Plan& plan) const
    {
        const Three three(*sums, plan);
        Left left;
        left.live = (1ULL << DECK_SIZE) - 1;
        left.factor = 1.0;
        left.triangles = lane() == 0 ? sums->triangles[three.triple] : 0.0;
        for (int y = 0; y < CARDS_OF_LANE; ++y) {
            const int c = lane() + y * WARP_LANES;
            OfCard& of = left.of[y];
            of = {};
            if (c >= DECK_SIZE) continue;
            for (int k = 0; k < THREE; ++k) of.degree[k] = sums->cards[three.slot[k]][c];
            of.both[0] = sums->both[three.step_12][c];
            of.both[1] = sums->both[three.step_02][c];
            of.both[2] = sums->both[three.step_01][c];
            of.reached[0] = sums->reached[three.slot[0]][three.slot[1]][c];
            of.reached[1] = sums->reached[three.slot[1]][three.slot[0]][c];
            of.reached[2] = sums->reached[three.slot[2]][three.slot[0]][c];
            of.every = sums->all_three[three.triple][c];
        }
        return left;
    }

    // Take a combo's cards out of the deck. The lanes of a warp call this together.
    __device__ void take_out(const Plan& plan, Pair pair, Left& left) const
    {
        const Three three(*sums, plan);
        take_card(three, lower(pair), left);
        take_card(three, higher(pair), left);
    }

    // Multiply by the weight of a listed combo.
    __device__ void weigh(int slot, Pair pair, Left& left) const
    {
        left.factor *= sums->weights[slot][lower(pair)][higher(pair)];
    }

    // Sum the products of three players' weights over disjoint combos. Every lane of a warp gets the result.
    __device__ Sum count(const Plan&, const Level&, const Left& left) const
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
        return left.factor * sum;
    }

private:
    __device__ static void fill(double* numbers, int size)
    {
        for (const int x : block_stride(size)) numbers[x] = 0.0;
    }

    // Add `count` numbers, `step` apart, to the first; 0 is what is left of them.
    __device__ static void add_up(double* numbers, int count, int step)
    {
        double sum = numbers[0];
        for (int x = 1; x < count; ++x) {
            sum += numbers[x * step];
            numbers[x * step] = 0.0;
        }
        numbers[0] = sum;
    }

    // d of a player's tied combos for a card.
    __device__ void add_degrees(const Level& level, int player, int c) const
    {
        if (!(tied[player] >> c & 1)) return;
        double sum = 0.0;
        for (int place = level.first; place < level.last; ++place) {
            const Pair pair = level.pair(place);
            const int u = lower(pair), v = higher(pair);
            if (c == u || c == v) sum += sums->weights[MAX_RANGES + player][u][v];
        }
        sums->cards[MAX_RANGES + player][c] = sum;
    }

    // The column of a card in what a player's tied combos are multiplied by: the combos of another player's slot.
    __device__ void add_pair(const Level& level, int player, int slot, int c) const
    {
        const int own = MAX_RANGES + player, other = player_in(slot);
        if (player == other || !counts[own] || !counts[slot]) return;
        const bool is_first = !is_tied(slot) || player < other;
        const int step = step_number(own, slot);
        double to_card = 0.0, both = 0.0, from_card = 0.0;
        for (int place = level.first; place < level.last; ++place) {
            const Pair pair = level.pair(place);
            const int u = lower(pair), v = higher(pair);
            const double weight = sums->weights[own][u][v];
            if (weight == 0.0) continue;
            const double with_u = sums->weights[slot][u][c], with_v = sums->weights[slot][v][c];
            to_card += weight * (with_u + with_v);
            if (!is_first) continue;
            sums->steps[step][u][c] += weight * with_v;
            sums->steps[step][v][c] += weight * with_u;
            if (c != u && c != v) continue;
            both += weight * (c == u ? with_v : with_u);
            if (!is_tied(slot)) from_card += weight * sums->cards[slot][c == u ? v : u];
        }
        sums->reached[slot][own][c] = to_card;
        if (is_first) sums->both[step][c] = both;
        if (!is_tied(slot)) sums->reached[own][slot][c] = from_card;
    }

    // The slots of a triple: those who tie first, then by player. Returns whether all have combos, some of them tied.
    __device__ bool slots_of(const Plans& plans, int triple, int kind, int (&slots)[THREE]) const
    {
        int size = 0;
        for (int is_lower = 0; is_lower < 2; ++is_lower) {
            for (int x = 0; x < THREE; ++x) {
                const bool ties = kind >> x & 1;
                if (ties == bool(is_lower)) continue;
                slots[size++] = plans.triples[triple * THREE + x] + (ties ? MAX_RANGES : 0);
            }
        }
        return kind && counts[slots[0]] && counts[slots[1]] && counts[slots[2]];
    }

    // e of three players for a card, the kind of tied ones.
    __device__ void add_triple(const Level& level, const Plans& plans, int triple, int kind, int c) const
    {
        int slots[THREE];
        if (!slots_of(plans, triple, kind, slots)) return;
        if (!(tied[player_in(slots[0])] >> c & 1)) return;
        double sum = 0.0;
        for (int place = level.first; place < level.last; ++place) {
            const Pair pair = level.pair(place);
            const int u = lower(pair), v = higher(pair);
            if (c != u && c != v) continue;
            sum += sums->weights[slots[0]][u][v] * sums->weights[slots[1]][u][v] * sums->weights[slots[2]][u][v];
        }
        sums->all_three[triple * TRIPLE_KINDS + kind][c] = sum;
    }

    // The trace of three players, the kind of tied ones: a warp adds up.
    __device__ void add_triangles(const Level& level, const Plans& plans, int triple, int kind) const
    {
        int slots[THREE];
        if (!slots_of(plans, triple, kind, slots)) return;
        const int step = step_number(slots[1], slots[2]);
        double sum = 0.0;
        for (int place = level.first + lane(); place < level.last; place += WARP_LANES) {
            const Pair pair = level.pair(place);
            const int u = lower(pair), v = higher(pair);
            const double weight = sums->weights[slots[0]][u][v];
            if (weight != 0.0) sum += weight * (sums->steps[step][u][v] + sums->steps[step][v][u]);
        }
        sum = warp_sum(sum);
        if (lane() == 0) sums->triangles[triple * TRIPLE_KINDS + kind] = sum;
    }

    // Products of two players' weights, a < b: the tied ones' have numbers in the rows of their cards alone.
    __device__ void close_pair(int a, int b) const
    {
        if (!counts[MAX_RANGES + a] && !counts[MAX_RANGES + b]) return;
        const int number = pair_number(a, b) * PAIR_KINDS;
        auto* const steps = sums->steps + number;
        for (const int x : block_stride(DECK_SIZE * DECK_SIZE)) {
            const int u = x / DECK_SIZE, v = x % DECK_SIZE;
            const bool has_first = tied[a] >> u & 1, has_second = tied[b] >> v & 1;
            if (!has_first && !has_second) continue;
            double sum = steps[0][u][v];
            if (has_first) {
                sum += steps[1][u][v] + steps[BOTH_TIED][u][v];
                steps[1][u][v] = steps[BOTH_TIED][u][v] = 0.0;
            }
            if (has_second) {
                sum += steps[2][v][u];
                steps[2][v][u] = 0.0;
            }
            steps[0][u][v] = sum;
        }
        for (const int c : block_stride(DECK_SIZE)) add_up(&sums->both[number][c], PAIR_KINDS, DECK_SIZE);
    }

    __device__ void close_reached(int k, int j, int c) const
    {
        double &lower = sums->reached[k][j][c], &tied_j = sums->reached[k][MAX_RANGES + j][c],
               &tied_k = sums->reached[MAX_RANGES + k][j][c], &both = sums->reached[MAX_RANGES + k][MAX_RANGES + j][c];
        if (k == j) return;
        lower += tied_j + tied_k + both;
        tied_j = tied_k = both = 0.0;
    }

    // Take a card out. The lanes of a warp call this together.
    __device__ void take_card(const Three& three, int x, Left& left) const
    {
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
            for (int k = 0; k < THREE; ++k) weight[k] = sums->weights[three.slot[k]][x][c];
            // Two combos from the card to c through a card that is left, of slots j and k.
            double steps[THREE] = {
                sums->steps[three.step_01][c][x], sums->steps[three.step_01][x][c], sums->steps[three.step_02][x][c]};
            for (CardBits out = ((1ULL << DECK_SIZE) - 1) & ~left.live & ~(1ULL << x); out; out &= out - 1) {
                const int z = lowest_card(out);
                const double first = sums->weights[three.slot[0]][x][z], at_c = sums->weights[three.slot[0]][z][c];
                steps[0] -= at_c * sums->weights[three.slot[1]][x][z];
                steps[1] -= first * sums->weights[three.slot[1]][z][c];
                steps[2] -= first * sums->weights[three.slot[2]][z][c];
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

    // The degree of a card that another lane may have.
    __device__ static double degree_of(const Left& left, int k, int card)
    {
        const double degree = card < WARP_LANES ? left.of[0].degree[k] : left.of[1].degree[k];
        return __shfl_sync(ALL_LANES, degree, card % WARP_LANES);
    }
};

}  // namespace gpuodds
