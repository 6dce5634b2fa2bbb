// Three ranges against each other on full boards: each hero's combos against those of his opponents.
// Players who have folded are the last: all their combos are lower than the hero's.
//
// A block goes through the combos of a board level by level, by ascending rank, and keeps the sums of lower
// and equal combos of each player. A warp takes a hero's combo: the pairs of his two opponents' combos are counted
// at once (opponent_pairs.cuh).

#include "ranges/opponent_pairs.cuh"

namespace gpuodds {

constexpr int PLAYERS = 3;
constexpr int MAX_TABLES = PLAYERS + PLAYERS;  // the players', and each hero's BOTH

// The players whose combos are counted, and their opponents; opponent o is bit o of a set. Kernels take them
// by value.
struct Heroes {
    const int* __restrict__ player;    // (heroes,)
    const int* __restrict__ two;       // (heroes, 2): the opponents, one who has folded last
    const int* __restrict__ two_bits;  // (heroes, 2): their sets
    int folded, heroes;

    __device__ int tables() const { return PLAYERS + heroes; }
    // The players whose weights a table multiplies: one, or the two of a hero.
    __device__ int first_of(int table) const
    {
        return table < PLAYERS ? table : two[2 * (table - PLAYERS)];
    }
    __device__ int second_of(int table) const
    {
        return table < PLAYERS ? table : two[2 * (table - PLAYERS) + 1];
    }
    __device__ bool has_folded(int player) const { return player >= PLAYERS - folded; }
    // Whether all whose weights a table multiplies have folded: the second of two, or both.
    __device__ bool all_folded(int table) const { return has_folded(first_of(table)); }
    __device__ int sets() const { return 1 << (PLAYERS - folded - 1); }
};

static_assert(PACKED_HEROES(Heroes), "Python packs heroes in another layout");

// A board in the block's shared memory.
template <class Number> struct Table {
    SortedBoard sorted;
    Held<Number> held[MAX_TABLES];

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

// Count the deals that a hero's combo (u, v) of `rank` wins or splits: a warp's lane s finds those with the set s.
template <class Weights>
__device__ inline typename Weights::Sum count_combo(
    const Table<typename Weights::Number>& table, const Heroes& heroes, int hero, int u, int v, HandRank rank,
    const Weights& weights)
{
    using Number = typename Weights::Number;
    const int j = heroes.two[2 * hero], k = heroes.two[2 * hero + 1];
    const Two two{{j, k}, {heroes.has_folded(j), heroes.has_folded(k)}};
    const Held<Number>* const held[OPPONENTS] = {&table.held[j], &table.held[k], &table.held[PLAYERS + hero]};
    const PairCounts<Number> pairs = count_pairs_without(held, {u, v, rank}, table.sorted, two, weights);
    const unsigned tied_j = heroes.two_bits[2 * hero], tied_k = heroes.two_bits[2 * hero + 1], set = lane();
    typename Weights::Sum deals = 0;
    if (set == 0) deals += pairs.lower_lower;
    if (set == tied_j) deals += pairs.equal_lower;
    if (set == tied_k) deals += pairs.lower_equal;
    if (set == (tied_j | tied_k)) deals += pairs.equal_equal;
    return deals;
}

// Count the heroes' combos from place `first` to `last`, those of a part; `all_deals` counts all deals.
template <class Weights>
__device__ inline void count_combos(
    const Table<typename Weights::Number>& table, int first, int last, bool all_deals, int part,
    const Heroes& heroes, const Weights& weights, const Results<Weights>& results)
{
    const Showdowns& given = results.given;
    const Combos combos = given.combos();
    for (int x = first * heroes.heroes + warp(); x < last * heroes.heroes; x += warps()) {
        const int hero = x % heroes.heroes, i = table.sorted.order[x / heroes.heroes];
        // Parts go by the numbers of combos: places differ from board to board, and parts add to the same sums.
        if (i % given.parts != part) continue;
        const int u = lower(combos.pairs[i]), v = higher(combos.pairs[i]);
        const Cell cell = table.sorted.cell(u, v);
        const int player = heroes.player[hero];
        if (!is_member(cell, player)) continue;
        const HandRank rank = all_deals ? ABOVE_ALL : rank_in(cell);
        const typename Weights::Sum deals = count_combo(table, heroes, hero, u, v, rank, weights);
        results.add(hero, i, rank_in(cell), weights.of(player, cell, u, v), deals, all_deals);
    }
}

template <class Weights>
__device__ inline void count_multiway(
    const Showdowns& given, const Heroes& heroes, const HandRankTables& tables, long long base_item,
    long long first_item, long long items, typename Weights::Sum* sums, typename Weights::Sum* made)
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
            table.clear(heroes.tables());
            table.sorted.template sort<Weights::IN_ORDER>(
                given.boards + (long long)board * given.size, given.size, combos, tables);
            if (heroes.folded) add_combos<LOWER>(table, 0, table.sorted.dealt, combos, heroes, weights);
            for (int level = 0; level < table.sorted.levels; ++level) {
                const int first = table.sorted.first[level], last = table.sorted.first[level + 1];
                add_combos<EQUAL>(table, first, last, combos, heroes, weights);
                __syncthreads();
                count_combos(table, first, last, false, part, heroes, weights, results);
                __syncthreads();
                table.close_level(heroes.tables());
                __syncthreads();
            }
            if (given.with_made) {
                count_combos(table, 0, table.sorted.dealt, true, part, heroes, weights, results);
            }
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the deals that each combo of some heroes wins or splits, for weights 0 and 1, of three players.
// A block takes an item at a time, `parts` of which share a piece of the boards, and counts board by board; a
// warp takes a hero's combo. Shared memory: the sorted combos (24 KB), sums of lower and equal combos (3 KB, of
// float64 5 KB). Sums of one board and combo have 32 bits: two opponents' pairs are at most 1,326 x 1,326. A caller
// bounds deals x boards x times so that sums stay below 2^63.
//   given       boards and combos; members as member_bit has them
//   heroes      the players whose combos are counted
//   tables      hand-rank tables
//   base_item   the item, piece * parts + part, at which sums and made begin, of part 0
//   first_item  the first item of this launch
//   items       the number of items of this launch
//   sums        (pieces, heroes, combos, sets) int64, deals by the set of opponents who tie, added to
//   made        (items, SHOWDOWN_WARPS, heroes, CATEGORIES, sets + 1) int64, the same by category of the hero's
//               hand and in the last column all deals, added to; of any size unless with_made
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, 2) count_multiway_exact(
    Showdowns given, Heroes heroes, HandRankTables tables, long long base_item, long long first_item,
    long long items, long long* __restrict__ sums, long long* __restrict__ made)
{
    count_multiway<Exact>(given, heroes, tables, base_item, first_item, items, sums, made);
}

// The same for any weights, with a hero's own weight left out of sums and part of made, both float64.
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS, WEIGHTED_BLOCKS) count_multiway_weighted(
    Showdowns given, Heroes heroes, HandRankTables tables, long long base_item, long long first_item,
    long long items, double* __restrict__ sums, double* __restrict__ made)
{
    count_multiway<Weighted>(given, heroes, tables, base_item, first_item, items, sums, made);
}
