// The combos of four to six ranges with any weights on a board: the sums that weighted_triples.cuh takes.
//
// A player's lower combos and the tied ones have sums of their own. One thread, or one warp, adds up a
// number, in the order of the combos: rounded sums do not depend on how many threads there are.

#pragma once

#include "ranges/weighted_triples.cuh"

namespace gpuodds {

struct WeightedRows {
    using Weights = Weighted;
    using Sum = Weighted::Sum;
    using Left = WeightsLeft;

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

    __device__ Left all_of(const Plan& plan) const { return all_weights(Three(*sums, plan)); }

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
        return left.factor * weigh_triples(left);
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
};

}  // namespace gpuodds
