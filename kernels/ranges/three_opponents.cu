// Four to six ranges with weights 0 and 1 against each other on full boards: three of a hero's opponents are counted
// in closed form (disjoint_triples.cuh), the combos of one or two more are listed.
// Players who have folded are the last: all their combos are lower than the hero's.
//
// A block goes through the combos of a board level by level, by ascending rank, and keeps the lower and the tied
// combos of each player as rows of bits. A warp takes a hero's combo, and each set of opponents who tie with it.

#include "ranges/disjoint_triples.cuh"
#include "ranges/showdowns.cuh"

namespace gpuodds {

constexpr int SLOTS = 2 * MAX_RANGES;  // a player's lower combos; MAX_RANGES more: the tied ones
constexpr int MAX_TRIPLES = MAX_RANGES * (MAX_RANGES - 1) * (MAX_RANGES - 2) / 6;
constexpr int MAX_TAKEN = MAX_RANGES - 4;  // listed opponents

// How the deals of a set of tied opponents are counted: whose combos are listed, and which three are left.
struct Plan {
    int wanted;
    int listed[MAX_TAKEN];  // slots
    int three[3];           // slots
    int triple;             // the number of the three, if all are lower ones, or -1: the first of them is tied
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
    __device__ Plan plan(int hero, int set) const
    {
        return reinterpret_cast<const Plan*>(plans)[hero * sets() + set];
    }
};

static_assert(PACKED_PLANS(Plans), "Python packs plans in another layout");
static_assert(sizeof(Plan) == PLAN_NUMBERS * sizeof(int), "Python writes plans of other numbers");

// A board in the block's shared memory.
struct OpponentTable {
    SortedBoard sorted;
    CardBits rows[SLOTS][DECK_SIZE];  // by card, the other cards of a player's combos
    int counts[SLOTS];                // of combos
    int triangles[MAX_TRIPLES];       // of lower combos

    __device__ void clear()
    {
        for (const int x : block_stride(SLOTS * DECK_SIZE)) rows[x / DECK_SIZE][x % DECK_SIZE] = 0;
        for (const int x : block_stride(SLOTS)) counts[x] = 0;
        for (const int x : block_stride(MAX_TRIPLES)) triangles[x] = 0;
    }

    // Add the combos from place `first` to `last` to the tied ones of the players who have `folded`, or have not.
    __device__ void open_level(int first, int last, bool folded, const Combos& combos, const Plans& plans)
    {
        for (const int x : block_stride((last - first) * plans.players)) {
            const int i = sorted.order[first + x / plans.players], player = x % plans.players;
            if (plans.has_folded(player) != folded || !is_member(combos.members[i], player)) continue;
            const int u = lower(combos.pairs[i]), v = higher(combos.pairs[i]), slot = MAX_RANGES + player;
            atomicOr(&rows[slot][u], 1ULL << v);
            atomicOr(&rows[slot][v], 1ULL << u);
            atomicAdd(&counts[slot], 1);
        }
    }

    // The combos of a player with a card, the tied ones among them if he is below `below`.
    __device__ CardBits row(int player, int card, int below) const
    {
        return rows[player][card] | (player < below ? rows[MAX_RANGES + player][card] : 0);
    }

    // Make the tied combos, which are from place `first` to `last`, lower ones. Every thread of the block calls this,
    // after a barrier; it ends in one.
    __device__ void close_level(int first, int last, const Combos& combos, const Plans& plans)
    {
        for (const int x : block_stride((last - first) * plans.num_triples * 3)) {
            const int i = sorted.order[first + x / (plans.num_triples * 3)];
            const int triple = x / 3 % plans.num_triples, turn = x % 3;
            const int* const three = plans.triples + triple * 3;
            const int player = three[turn], j = three[turn == 0 ? 1 : 0], k = three[turn == 2 ? 1 : 2];
            const int u = lower(combos.pairs[i]), v = higher(combos.pairs[i]);
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
};

// The places of the combos of a slot that the cards left leave, one after the other. The lanes of a warp go together.
struct Places {
    int begin, end;
    unsigned here;  // of the places begin to begin + 31
};

// A hero's combo, counted by a warp.
struct OfHero {
    const OpponentTable& table;
    const Combos& combos;
    const Plans& plans;
    int first, last;  // the places of the tied combos

    __device__ Places places(int slot) const
    {
        const int player = slot % MAX_RANGES;
        if (slot >= MAX_RANGES) return {first - WARP_LANES, last, 0};
        return {-WARP_LANES, plans.has_folded(player) ? table.sorted.dealt : first, 0};
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
                const int i = table.sorted.order[place];
                const CardBits cards = pair_cards(combos.pairs[i]);
                holds = is_member(combos.members[i], slot % MAX_RANGES) && (live & cards) == cards;
            }
            at.here = __ballot_sync(ALL_LANES, holds);
        }
        const int place = at.begin + lowest_bit(at.here);
        at.here &= at.here - 1;
        return place;
    }

    // Take a combo's cards out of the deck, and their triangles out of those of three players.
    __device__ int without(const Plan& plan, Pair pair, CardBits& live, int triangles) const
    {
        Rows a = table.rows[plan.three[0]], b = table.rows[plan.three[1]], c = table.rows[plan.three[2]];
        int share = 0;
        if (plan.triple >= 0) share = triangles_with(a, b, c, live, lower(pair));
        live &= ~(1ULL << lower(pair));
        if (plan.triple >= 0) share += triangles_with(a, b, c, live, higher(pair));
        live &= ~(1ULL << higher(pair));
        return plan.triple >= 0 ? triangles - warp_sum(share) : 0;
    }

    // The triangles that have a tied combo of the first of three players.
    __device__ int tied_triangles(const Plan& plan, CardBits live) const
    {
        Rows a = table.rows[plan.three[0]], b = table.rows[plan.three[1]], c = table.rows[plan.three[2]];
        int share = 0;
        for (int place = first + lane(); place < last; place += WARP_LANES) {
            const Pair pair = combos.pairs[table.sorted.order[place]];
            const int u = lower(pair), v = higher(pair);
            const CardBits cards = pair_cards(pair);
            if (!(a[u] >> v & 1) || (live & cards) != cards) continue;
            share += count_cards(b[u] & c[v] & live) + count_cards(b[v] & c[u] & live);
        }
        return warp_sum(share);
    }

    __device__ long long count_three(const Plan& plan, CardBits live, int triangles) const
    {
        if (plan.triple < 0) triangles = tied_triangles(plan, live);
        return disjoint_triples(
            table.rows[plan.three[0]], table.rows[plan.three[1]], table.rows[plan.three[2]], live, triangles);
    }

    // Whether each opponent has a combo of the kind that a set asks for.
    __device__ bool can_be(const Plan& plan) const
    {
        bool can = plan.wanted;
        for (int x = 0; x < plans.num_listed; ++x) can = can && table.counts[plan.listed[x]];
        for (int x = 0; x < 3; ++x) can = can && table.counts[plan.three[x]];
        return can;
    }

    // Count the deals against the hero's combo in which a set of opponents ties with it.
    __device__ long long count(const Plan& plan, Pair pair) const
    {
        CardBits live[MAX_TAKEN + 1] = {(1ULL << DECK_SIZE) - 1};
        int triangles[MAX_TAKEN + 1];
        triangles[0] = without(plan, pair, live[0], plan.triple >= 0 ? table.triangles[plan.triple] : 0);
        if (plans.num_listed == 0) return count_three(plan, live[0], triangles[0]);
        long long deals = 0;
        Places at[MAX_TAKEN];
        at[0] = places(plan.listed[0]);
        for (int depth = 0; depth >= 0;) {
            const int place = next(at[depth], plan.listed[depth], live[depth]);
            if (place < 0) {
                --depth;
                continue;
            }
            CardBits left = live[depth];
            const Pair taken = combos.pairs[table.sorted.order[place]];
            const int closed = without(plan, taken, left, triangles[depth]);
            if (depth + 1 == plans.num_listed) {
                deals += count_three(plan, left, closed);
            } else {
                live[depth + 1] = left;
                triangles[depth + 1] = closed;
                at[depth + 1] = places(plan.listed[depth + 1]);
                ++depth;
            }
        }
        return deals;
    }
};

// Count the heroes' combos from place `first` to `last`, those of a part; `all_deals` counts all deals.
__device__ inline void count_heroes(
    const OpponentTable& table, int first, int last, bool all_deals, int part, const Plans& plans,
    const Results<Exact>& results)
{
    const Showdowns& given = results.given;
    const Combos combos = given.combos();
    // With all deals every combo is a lower one: those of all places.
    const OfHero of_hero{table, combos, plans, all_deals ? last : first, last};
    for (int x = first * plans.heroes + warp(); x < last * plans.heroes; x += warps()) {
        const int hero = x % plans.heroes, i = table.sorted.order[x / plans.heroes];
        // Parts go by the numbers of combos: places differ from board to board, and parts add to the same sums.
        if (i % given.parts != part) continue;
        const Cell cell = table.sorted.cell(lower(combos.pairs[i]), higher(combos.pairs[i]));
        if (!is_member(cell, plans.player[hero])) continue;
        long long deals = 0;  // of the set whose number is the lane's
        for (int set = 0; set < (all_deals ? 1 : plans.sets()); ++set) {
            const Plan plan = plans.plan(hero, set);
            if (!of_hero.can_be(plan)) continue;
            const long long found = of_hero.count(plan, combos.pairs[i]);
            if (lane() == set) deals = found;
        }
        results.add(hero, i, rank_in(cell), 1, deals, all_deals);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the deals that each combo of some heroes wins or splits, for weights 0 and 1, of four to six players.
// A block takes an item at a time, `parts` of which share a piece of the boards, and counts board by board; a warp
// takes a hero's combo. Shared memory: the sorted combos (24 KB) and rows of bits (5 KB). A caller bounds deals x
// boards x times so that sums stay below 2^63.
//   given       boards and combos; members as member_bit has them; weights are not read
//   plans       the players whose combos are counted
//   tables      hand-rank tables
//   base_item   the item, piece * parts + part, at which sums and made begin, of part 0
//   first_item  the first item of this launch
//   items       the number of items of this launch
//   sums        (pieces, heroes, combos, sets) int64, deals by the set of opponents who tie, added to
//   made        (items, SHOWDOWN_WARPS, heroes, CATEGORIES, sets + 1) int64, the same by category of the hero's
//               hand and in the last column all deals, added to; of any size unless with_made
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_three_opponents(
    Showdowns given, Plans plans, HandRankTables tables, long long base_item, long long first_item,
    long long items, long long* __restrict__ sums, long long* __restrict__ made)
{
    __shared__ OpponentTable table;
    const Combos combos = given.combos();
    const int base_piece = int(base_item / given.parts), sets = plans.sets();
    for (const long long x : grid_stride_blocks(items)) {
        const long long item = first_item + x;
        const int piece = int(item / given.parts), part = int(item % given.parts);
        Results<Exact> results{
            given, sets, sums + (long long)(piece - base_piece) * plans.heroes * given.num_combos * sets,
            made + ((item - base_item) * SHOWDOWN_WARPS + warp()) * plans.heroes * CATEGORIES * (sets + 1), 0};
        for (int board = given.first_board(piece); board < given.first_board(piece + 1); ++board) {
            results.times = given.times[board];
            __syncthreads();  // every thread has read the last board
            table.sorted.template sort<Exact::IN_ORDER>(
                given.boards + (long long)board * given.size, given.size, combos, tables);
            table.clear();
            __syncthreads();
            const int dealt = table.sorted.dealt;
            if (plans.folded) {
                table.open_level(0, dealt, true, combos, plans);
                __syncthreads();
                table.close_level(0, dealt, combos, plans);
            }
            for (int level = 0; level < table.sorted.levels; ++level) {
                const int first = table.sorted.first[level], last = table.sorted.first[level + 1];
                table.open_level(first, last, false, combos, plans);
                __syncthreads();
                count_heroes(table, first, last, false, part, plans, results);
                __syncthreads();
                table.close_level(first, last, combos, plans);
            }
            if (given.with_made) count_heroes(table, 0, dealt, true, part, plans, results);
        }
    }
}
