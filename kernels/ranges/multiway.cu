// Three ranges against each other on full boards, or with weights three to six: each hero's combos against those
// of his opponents.
// Players who have folded are the last: all their combos are lower than the hero's.
//
// A block goes through the combos of a board level by level, by ascending rank, and keeps the sums of lower
// and equal combos of each player. A warp takes a hero's combo: the pairs of the two opponents with the widest
// ranges are counted at once (opponent_pairs.cuh), for each choice of combos of the others, which are listed.

#include "ranges/opponent_pairs.cuh"

namespace gpuodds {

constexpr int MAX_TABLES = MAX_RANGES + MAX_RANGES;  // the players', and each hero's BOTH
constexpr int MAX_LISTED = MAX_RANGES - 3;
constexpr int WEIGHTED_BLOCKS = 2;  // a multiprocessor runs at once: at most 128 registers a thread
constexpr int MAX_LISTS = MAX_RANGES - 2;  // the two widest ranges are nobody's to list

// The players whose combos are counted, and their opponents; opponent o is bit o of a set. Kernels take them
// by value.
struct Heroes {
    const int* __restrict__ player;       // (heroes,)
    const int* __restrict__ two;          // (heroes, 2): the opponents with the widest ranges
    const int* __restrict__ two_bits;     // (heroes, 2): their sets
    const int* __restrict__ listed;       // (heroes, num_listed): the lists of the other opponents' combos
    const int* __restrict__ listed_bits;  // (heroes, num_listed): their sets
    const int* __restrict__ list_player;  // (num_lists,): whose combos each list has
    int players, folded, heroes, num_listed, num_lists;

    __device__ int tables() const { return players + heroes; }
    // The players whose weights a table multiplies: one, or the two of a hero.
    __device__ int first_of(int table) const
    {
        return table < players ? table : two[2 * (table - players)];
    }
    __device__ int second_of(int table) const
    {
        return table < players ? table : two[2 * (table - players) + 1];
    }
    __device__ bool has_folded(int player) const { return player >= players - folded; }
    // Whether all whose weights a table multiplies have folded: the second of two, or both.
    __device__ bool all_folded(int table) const { return has_folded(first_of(table)); }
    __device__ int sets() const { return 1 << (players - folded - 1); }
};

static_assert(PACKED_HEROES(Heroes), "Python packs heroes in another layout");

// A board in the block's shared memory.
template <class Number> struct Table {
    SortedBoard sorted;
    Held<Number> held[MAX_TABLES];
    unsigned short places[MAX_LISTS][COMBOS];  // of the combos of each list, ascending
    int lengths[MAX_LISTS];

    // List the places of the combos of the players who are listed; a warp takes a list.
    __device__ void list_places(const Combos& combos, const Heroes& heroes)
    {
        for (int list = warp(); list < heroes.num_lists; list += warps()) {
            const int player = heroes.list_player[list];
            int length = 0;
            for (int begin = 0; begin < sorted.dealt; begin += WARP_LANES) {
                const int place = begin + lane();
                const bool holds =
                    place < sorted.dealt && is_member(combos.members[sorted.order[place]], player);
                const unsigned holding = __ballot_sync(ALL_LANES, holds);
                const int before = count_bits(holding & ((1u << lane()) - 1));
                if (holds) places[list][length + before] = place;
                length += count_bits(holding);
            }
            if (lane() == 0) lengths[list] = length;
        }
    }

    __device__ void clear(int tables)
    {
        for (const int x : block_stride(tables * KINDS * (DECK_SIZE + 1))) {
            Held<Number>& one = held[x / (KINDS * (DECK_SIZE + 1))];
            const int kind = x / (DECK_SIZE + 1) % KINDS, card = x % (DECK_SIZE + 1);
            (card < DECK_SIZE ? one.card[kind][card] : one.total[kind]) = 0;
        }
    }

    // Make the equal combos lower ones.
    __device__ void close_level(int tables)
    {
        for (const int x : block_stride(tables * (DECK_SIZE + 1))) {
            Held<Number>& one = held[x / (DECK_SIZE + 1)];
            const int card = x % (DECK_SIZE + 1);
            Number& equal = card < DECK_SIZE ? one.card[EQUAL][card] : one.total[EQUAL];
            (card < DECK_SIZE ? one.card[LOWER][card] : one.total[LOWER]) += equal;
            equal = 0;
        }
    }
};

// Add the combos from place `first` to `last` to the equal ones of each table; or to the lower ones of the tables
// of players who have folded. Integers are added in any order; rounded sums by one thread for each number, in the
// order of the combos.
template <Kind KIND>
__device__ inline void add_combos(
    Table<int>& table, int first, int last, const Combos& combos, const Heroes& heroes, const Exact&)
{
    const int tables = heroes.tables();
    for (const int x : block_stride((last - first) * tables)) {
        const int i = table.sorted.order[first + x / tables], number = x % tables;
        const Cell members = combos.members[i];
        if (heroes.all_folded(number) != (KIND == LOWER)) continue;
        if (is_member(members, heroes.first_of(number)) && is_member(members, heroes.second_of(number))) {
            Held<int>& one = table.held[number];
            atomicAdd(&one.card[KIND][lower(combos.pairs[i])], 1);
            atomicAdd(&one.card[KIND][higher(combos.pairs[i])], 1);
            atomicAdd(&one.total[KIND], 1);
        }
    }
}

template <Kind KIND>
__device__ inline void add_combos(
    Table<double>& table, int first, int last, const Combos& combos, const Heroes& heroes,
    const Weighted& weights)
{
    for (const int x : block_stride(heroes.tables() * (DECK_SIZE + 1))) {
        const int number = x / (DECK_SIZE + 1), card = x % (DECK_SIZE + 1);
        if (heroes.all_folded(number) != (KIND == LOWER)) continue;
        const int one = heroes.first_of(number), other = heroes.second_of(number);
        double sum = 0.0;
        for (int place = first; place < last; ++place) {
            const Pair pair = combos.pairs[table.sorted.order[place]];
            const int a = lower(pair), b = higher(pair);
            if (card != a && card != b && card != DECK_SIZE) continue;
            const Cell cell = table.sorted.cell(a, b);
            const double weight = weights.of(one, cell, a, b);
            sum += one == other ? weight : weight * weights.of(other, cell, a, b);
        }
        Held<double>& held = table.held[number];
        (card < DECK_SIZE ? held.card[KIND][card] : held.total[KIND]) = sum;
    }
}

// A hero's combo, counted by a warp: lane s finds the deals that it wins or splits with the set s.
template <class Weights> struct HeroCombo {
    using Number = typename Weights::Number;
    using Sum = typename Weights::Sum;

    const Table<Number>& table;
    const Combos& combos;
    const Heroes& heroes;
    const Weights& weights;
    int hero;
    HandRank rank;
    int last;             // the place after the combos that do not beat the hero's
    Held<Number>* held;   // (num_listed, OPPONENTS): what is left after each combo that is taken out
    Two two;
    Sum deals = 0;

    __device__ void add_pairs(
        const Held<Number>* const (&from)[OPPONENTS], const TakenOut& out, Sum factor, unsigned tied)
    {
        const PairCounts<Number> pairs = count_pairs_without(from, out, table.sorted, two, weights);
        const unsigned j = heroes.two_bits[2 * hero], k = heroes.two_bits[2 * hero + 1];
        const unsigned set = lane();
        if (set == tied) deals += factor * pairs.lower_lower;
        if (set == (tied | j)) deals += factor * pairs.equal_lower;
        if (set == (tied | k)) deals += factor * pairs.lower_equal;
        if (set == (tied | j | k)) deals += factor * pairs.equal_equal;
    }

    // A listed opponent's combo that is next, once the combos before it are taken out.
    struct Choice {
        int next;  // in the opponent's list
        CardBits gone;
        Sum factor;
        unsigned tied;
    };

    // Choose the next combo of the listed opponent number `at`; false if there is none.
    __device__ bool choose(int at, Choice& choice, TakenOut& out, Sum& factor, unsigned& tied) const
    {
        const int list = heroes.listed[hero * heroes.num_listed + at];
        const int player = heroes.list_player[list];
        while (choice.next < table.lengths[list]) {
            const int place = table.places[list][choice.next++];
            if (place >= last && !heroes.has_folded(player)) return false;
            const Pair pair = combos.pairs[table.sorted.order[place]];
            const int a = lower(pair), b = higher(pair);
            if ((choice.gone >> a | choice.gone >> b) & 1) continue;
            const Cell cell = table.sorted.cell(a, b);
            out = {a, b, choice.gone, rank};
            factor = choice.factor * weights.of(player, cell, a, b);
            tied = choice.tied;
            if (rank_in(cell) == rank) tied |= heroes.listed_bits[hero * heroes.num_listed + at];
            return true;
        }
        return false;
    }

    // Count the deals against the hero's combo (u, v). As deep as opponents are listed, each choice of
    // their combos is taken out of the sums.
    __device__ void count(int u, int v)
    {
        const int j = heroes.two[2 * hero], k = heroes.two[2 * hero + 1];
        two = {{j, k}, {heroes.has_folded(j), heroes.has_folded(k)}};
        const Held<Number>* from[OPPONENTS] = {
            &table.held[two.player[J]], &table.held[two.player[K]], &table.held[heroes.players + hero]};
        TakenOut out{u, v, 0, rank};
        Sum factor = 1;
        unsigned tied = 0;
        Choice choices[MAX_LISTED];
        for (int depth = 0;;) {
            if (depth == heroes.num_listed) {
                add_pairs(from, out, factor, tied);
            } else {
                take_out(from, out, table.sorted, two, weights, held + depth * OPPONENTS);
                choices[depth++] = {0, out.all_gone(), factor, tied};
            }
            while (depth > 0 && !choose(depth - 1, choices[depth - 1], out, factor, tied)) --depth;
            if (depth == 0) return;
            for (int x = 0; x < OPPONENTS; ++x) from[x] = held + (depth - 1) * OPPONENTS + x;
        }
    }
};

// Count the heroes' combos from place `first` to `last`, those of a part; `all_deals` counts all deals.
template <class Weights>
__device__ inline void count_combos(
    const Table<typename Weights::Number>& table, int first, int last, bool all_deals, int part,
    const Heroes& heroes, const Weights& weights, Held<typename Weights::Number>* scratch,
    const Results<Weights>& results)
{
    const Showdowns& given = results.given;
    const Combos combos = given.combos();
    const long long own_warp = (long long)blockIdx.x * warps() + warp();
    Held<typename Weights::Number>* const held = scratch + own_warp * heroes.num_listed * OPPONENTS;
    for (int x = first * heroes.heroes + warp(); x < last * heroes.heroes; x += warps()) {
        const int hero = x % heroes.heroes, i = table.sorted.order[x / heroes.heroes];
        // Parts go by the numbers of combos: places differ from board to board, and parts add to the same sums.
        if (i % given.parts != part) continue;
        const int u = lower(combos.pairs[i]), v = higher(combos.pairs[i]);
        const Cell cell = table.sorted.cell(u, v);
        const int player = heroes.player[hero];
        if (!is_member(cell, player)) continue;
        const HandRank rank = all_deals ? ABOVE_ALL : rank_in(cell);
        HeroCombo<Weights> combo{table, combos, heroes, weights, hero, rank, last, held, {}};
        combo.count(u, v);
        const auto own = weights.of(player, cell, u, v);
        results.add(hero, i, rank_in(cell), own, combo.deals, all_deals);
    }
}

template <class Weights>
__device__ inline void count_multiway(
    const Showdowns& given, const Heroes& heroes, const HandRankTables& tables, long long base_item,
    long long first_item, long long items, Held<typename Weights::Number>* scratch, typename Weights::Sum* sums,
    typename Weights::Sum* made)
{
    using Number = typename Weights::Number;
    __shared__ Table<Number> table;
    const Weights weights(given);
    const Combos combos = given.combos();
    const int base_piece = int(base_item / given.parts), sets = heroes.sets();
    for (const long long x : grid_stride_blocks(items)) {
        const long long item = first_item + x;
        const int piece = int(item / given.parts), part = int(item % given.parts);
        Results<Weights> results{
            given, sets, sums + (long long)(piece - base_piece) * heroes.heroes * given.num_combos * sets,
            made + ((item - base_item) * SHOWDOWN_WARPS + warp()) * heroes.heroes * CATEGORIES * (sets + 1), 0};
        for (int board = given.first_board(piece); board < given.first_board(piece + 1); ++board) {
            results.times = given.times[board];
            __syncthreads();  // every thread has read the last board
            table.sorted.template sort<Weights::IN_ORDER>(
                given.boards + (long long)board * given.size, given.size, combos, tables);
            table.list_places(combos, heroes);
            table.clear(heroes.tables());
            __syncthreads();
            if (heroes.folded) add_combos<LOWER>(table, 0, table.sorted.dealt, combos, heroes, weights);
            for (int level = 0; level < table.sorted.levels; ++level) {
                const int first = table.sorted.first[level], last = table.sorted.first[level + 1];
                add_combos<EQUAL>(table, first, last, combos, heroes, weights);
                __syncthreads();
                count_combos(table, first, last, false, part, heroes, weights, scratch, results);
                __syncthreads();
                table.close_level(heroes.tables());
                __syncthreads();
            }
            if (given.with_made) {
                count_combos(table, 0, table.sorted.dealt, true, part, heroes, weights, scratch, results);
            }
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the deals that each combo of some heroes wins or splits, for weights 0 and 1, of three players.
// A block takes an item at a time, `parts` of which share a piece of the boards, and counts board by board; a
// warp takes a hero's combo. Shared memory: the sorted combos (24 KB), the places of listed combos (11 KB), sums
// of lower and equal combos (5 KB, of float64 10 KB). Sums of one board and combo have 32 bits: two opponents'
// pairs are at most 1,326 x 1,326. A caller bounds deals x boards x times so that sums stay below 2^63.
//   given       boards and combos; members as member_bit has them
//   heroes      the players whose combos are counted
//   tables      hand-rank tables
//   base_item   the item, piece * parts + part, at which sums and made begin, of part 0
//   first_item  the first item of this launch
//   items       the number of items of this launch
//   scratch     (blocks, warps, listed opponents, 3) Held, arbitrary
//   sums        (pieces, heroes, combos, sets) int64, deals by the set of opponents who tie, added to
//   made        (items, SHOWDOWN_WARPS, heroes, CATEGORIES, sets + 1) int64, the same by category of the hero's
//               hand and in the last column all deals, added to; of any size unless with_made
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_multiway_exact(
    Showdowns given, Heroes heroes, HandRankTables tables, long long base_item, long long first_item,
    long long items, int* scratch, long long* __restrict__ sums, long long* __restrict__ made)
{
    count_multiway<Exact>(
        given, heroes, tables, base_item, first_item, items, reinterpret_cast<Held<int>*>(scratch), sums,
        made);
}

// The same for any weights, with a hero's own weight left out of sums and part of made, both float64.
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, WEIGHTED_BLOCKS) count_multiway_weighted(
    Showdowns given, Heroes heroes, HandRankTables tables, long long base_item, long long first_item,
    long long items, double* scratch, double* __restrict__ sums, double* __restrict__ made)
{
    count_multiway<Weighted>(
        given, heroes, tables, base_item, first_item, items, reinterpret_cast<Held<double>*>(scratch), sums,
        made);
}
