// Four to six ranges: whose combos are listed and which three opponents are counted in closed form, and how a warp
// goes through the choices.

#pragma once

#include "ranges/showdowns.cuh"

namespace gpuodds {

constexpr int SLOTS = 2 * MAX_RANGES;  // a player's lower combos; MAX_RANGES more: the tied ones
constexpr int THREE = 3;
constexpr int MAX_TRIPLES = MAX_RANGES * (MAX_RANGES - 1) * (MAX_RANGES - 2) / 6;
constexpr int MAX_TAKEN = MAX_RANGES - 4;  // listed opponents
constexpr int CARDS_OF_LANE = 2;           // lane l has the cards l and l + 32

static_assert(CARDS_OF_LANE * WARP_LANES >= DECK_SIZE, "each card has a lane");

__host__ __device__ inline int player_in(int slot) { return slot % MAX_RANGES; }
__host__ __device__ inline bool is_tied(int slot) { return slot >= MAX_RANGES; }

// How the deals of a set of tied opponents are counted: whose combos are listed, and which three are left.
struct Plan {
    int wanted;
    int listed[MAX_TAKEN];  // slots
    int three[THREE];       // slots, tied ones first
    int triple;             // the number of the three players
    int tied;               // which of them tie: a bit each, by ascending player
};

// The players whose combos are counted, and their opponents; opponent o is bit o of a set. Kernels take them by
// value.
struct Plans {
    const int* __restrict__ player;   // (heroes,)
    const int* __restrict__ plans;    // (heroes, sets, PLAN_NUMBERS): a Plan each
    const int* __restrict__ triples;  // (num_triples, 3): players, ascending
    int players, folded, heroes, num_listed, num_triples;

    __device__ int sets() const { return 1 << (players - folded - 1); }
    __device__ bool has_folded(int player) const { return player >= players - folded; }
    __device__ const Plan& plan(int hero, int set) const
    {
        return reinterpret_cast<const Plan*>(plans)[hero * sets() + set];
    }
};

static_assert(PACKED_PLANS(Plans), "Python packs plans in another layout");
static_assert(sizeof(Plan) == PLAN_NUMBERS * sizeof(int), "Python writes plans of other numbers");

// The places of the combos of a slot that the cards left leave, one after the other. The lanes of a warp go together.
struct Places {
    int begin, end;
    unsigned here;  // of the places begin to begin + 31
};

// The combos that tie, from place `first` to `last`.
struct Level {
    const SortedBoard& sorted;
    const Combos& combos;
    int first, last;

    __device__ Pair pair(int place) const { return combos.pairs[sorted.order[place]]; }

    __device__ Places places(int slot, const Plans& plans) const
    {
        if (is_tied(slot)) return {first - WARP_LANES, last, 0};
        return {-WARP_LANES, plans.has_folded(slot) ? sorted.dealt : first, 0};
    }

    // Return the next place, or -1 after the last.
    __device__ int next(Places& at, int slot, CardBits live) const
    {
        while (!at.here) {
            at.begin += WARP_LANES;
            if (at.begin >= at.end) return -1;
            const int place = at.begin + lane();
            bool holds = false;
            if (place < at.end) {
                const int i = sorted.order[place];
                const CardBits cards = pair_cards(combos.pairs[i]);
                holds = is_member(combos.members[i], player_in(slot)) && (live & cards) == cards;
            }
            at.here = __ballot_sync(ALL_LANES, holds);
        }
        const int place = at.begin + lowest_bit(at.here);
        at.here &= at.here - 1;
        return place;
    }
};

// Whether each opponent has a combo of the kind that a set asks for, given how many combos each slot has.
__device__ inline bool can_be(const Plan& plan, const int* counts, int num_listed)
{
    bool can = plan.wanted;
    for (int x = 0; x < num_listed; ++x) can = can && counts[plan.listed[x]];
    for (int x = 0; x < THREE; ++x) can = can && counts[plan.three[x]];
    return can;
}

// Count the deals against a hero's combo in which a set of opponents ties with it. Table is of whole numbers or
// of weights: see bit_rows.cuh and
// weighted_rows.cuh.
template <class Table>
__device__ inline typename Table::Sum count_deals(
    const Table& table, const Level& level, const Plans& plans, const Plan& plan, Pair pair)
{
    using Sum = typename Table::Sum;
    typename Table::Left left[MAX_TAKEN + 1];
    left[0] = table.all_of(plan);
    table.take_out(plan, pair, left[0]);
    if (plans.num_listed == 0) return table.count(plan, level, left[0]);
    Sum deals = 0;
    Places at[MAX_TAKEN];
    at[0] = level.places(plan.listed[0], plans);
    for (int depth = 0; depth >= 0;) {
        const int slot = plan.listed[depth], place = level.next(at[depth], slot, left[depth].live);
        if (place < 0) {
            --depth;
            continue;
        }
        const Pair taken = level.pair(place);
        left[depth + 1] = left[depth];
        table.weigh(slot, taken, left[depth + 1]);
        table.take_out(plan, taken, left[depth + 1]);
        if (depth + 1 == plans.num_listed) {
            deals += table.count(plan, level, left[depth + 1]);
        } else {
            ++depth;
            at[depth] = level.places(plan.listed[depth], plans);
        }
    }
    return deals;
}

}  // namespace gpuodds
