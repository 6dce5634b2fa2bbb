// Two ranges against each other on full boards.
//
// A combo (a, b) beats the other player's lower combos, less those with card a or b. Sums over all lower
// combos come from sums over the combos in the order of their ranks. Those with a card come from its 51 combos;
// for weights 0 and 1 from the 13 or 26 types of the other card, which decide the rank: the rank of that card,
// and whether it is of the suit in which a flush is possible.

#include "ranges/showdowns.cuh"

namespace gpuodds {

constexpr int PREFIX_RUN = 32;  // places that one thread adds up
constexpr int PREFIX_RUNS = (COMBOS + PREFIX_RUN - 1) / PREFIX_RUN;

// The sums of two players' weights below each place of the order.
template <class Number> struct Prefixes {
    Number below[2][COMBOS + 1];
    Number runs[2][PREFIX_RUNS];

    template <class Weights>
    __device__ void add_up(const SortedBoard& sorted, const Combos& combos, const Weights& weights)
    {
        const int count = (sorted.dealt + PREFIX_RUN - 1) / PREFIX_RUN;
        for (const int x : block_stride(2 * count)) {
            Number sum = 0;
            visit_run(x % count, x / count, sorted, combos, weights, [&](int, Number weight) {
                sum += weight;
            });
            runs[x / count][x % count] = sum;
        }
        __syncthreads();
        for (const int player : block_stride(2)) {
            Number sum = 0;
            for (int run = 0; run < count; ++run) {
                const Number more = runs[player][run];
                runs[player][run] = sum;
                sum += more;
            }
            below[player][sorted.dealt] = sum;
        }
        __syncthreads();
        for (const int x : block_stride(2 * count)) {
            const int player = x / count;
            Number sum = 0;
            visit_run(x % count, player, sorted, combos, weights, [&](int place, Number weight) {
                below[player][place] = runs[player][x % count] + sum;
                sum += weight;
            });
        }
        __syncthreads();
    }

private:
    template <class Weights, class Visit>
    static __device__ void visit_run(
        int run, int player, const SortedBoard& sorted, const Combos& combos, const Weights& weights,
        Visit visit)
    {
        const int begin = run * PREFIX_RUN;
        const int end = begin + PREFIX_RUN < sorted.dealt ? begin + PREFIX_RUN : sorted.dealt;
        for (int place = begin; place < end; ++place) {
            const Pair pair = combos.pairs[sorted.order[place]];
            const int a = lower(pair), b = higher(pair);
            visit(place, weights.of(player, sorted.cell(a, b), a, b));
        }
    }
};

// What two players' combos with one of two cards weigh: the lower ones than a rank, those up to it, all. A
// Block of it is what the threads of a block share.
struct ExactNeighbours {
    static constexpr int TYPES_OF_CARDS = 2 * RANKS;

    struct Block {
        // By card and the type of the other: the rank of such combos, and how many the players hold.
        Cell cells[DECK_SIZE][TYPES_OF_CARDS + 1];
        int types;

        // A barrier must follow.
        __device__ void add_up(const SortedBoard& sorted)
        {
            const int count = sorted.suit < 0 ? RANKS : TYPES_OF_CARDS;
            if (threadIdx.x == 0) types = count;
            for (const int x : block_stride(DECK_SIZE * count)) {
                const int card = x / count, type = x % count;
                Cell sum = NO_COMBO;
                for (int suit = 0; suit < SUITS; ++suit) {
                    if ((suit == sorted.suit) != (type >= RANKS)) continue;
                    const Cell cell = sorted.cell(card, type % RANKS * SUITS + suit);
                    if (cell == NO_COMBO) continue;
                    sum = sum == NO_COMBO ? cell : sum + members_in(cell);
                }
                cells[card][type] = sum;
            }
        }
    };

    // A byte for each player: the 102 combos that are added fit.
    unsigned lower = 0, up_to = 0, all = 0;

    __device__ ExactNeighbours(
        const SortedBoard&, const Block& block, const Exact&, int a, int b, HandRank rank, bool with_all)
    {
        for (int type = 0; type < block.types; ++type) {
            add(block.cells[a][type], rank);
            add(block.cells[b][type], rank);
        }
        for (int type = 0; with_all && type < block.types; ++type) {
            all += members_in(block.cells[a][type]) + members_in(block.cells[b][type]);
        }
    }

    static __device__ int of(unsigned bytes, int player) { return bytes >> member_bit(player) & 0xFF; }

    // The ties of the combo (a, b) with a player's, who has `same` with both its cards.
    __device__ int ties(
        const SortedBoard&, const Combos&, int first, int last, const int* below, int player, int, int,
        int same) const
    {
        return below[last] - below[first] - of(up_to, player) + of(lower, player) + same;
    }

private:
    __device__ void add(Cell cell, HandRank rank)
    {
        lower += cell < first_cell(rank) ? members_in(cell) : 0;
        up_to += cell < first_cell(rank + 1) ? members_in(cell) : 0;
    }
};

static_assert(2 * (DECK_SIZE - 1) < 1 << 8, "a byte is enough");

struct WeightedNeighbours {
    struct Block {
        __device__ void add_up(const SortedBoard&) {}
    };
    struct Both {
        double player[2] = {0.0, 0.0};
    };
    const Weighted& weights;
    Both lower, all;

    __device__ WeightedNeighbours(
        const SortedBoard& sorted, const Block&, const Weighted& weights, int a, int b, HandRank rank,
        bool with_all)
        : weights(weights)
    {
        for (int card = 0; card < DECK_SIZE; ++card) {
            add(sorted.cell(a, card), a, card, rank);
            add(sorted.cell(b, card), b, card, rank);
        }
#pragma unroll 1  // unrolled, it spills registers on sm_100
        for (int card = 0; with_all && card < DECK_SIZE; ++card) {
            add_to_all(sorted.cell(a, card), a, card);
            add_to_all(sorted.cell(b, card), b, card);
        }
    }

    static __device__ double of(const Both& both, int player) { return both.player[player]; }

    // Ties weigh little beside all lower combos: their sum is not a difference of such sums.
    __device__ double ties(
        const SortedBoard& sorted, const Combos& combos, int first, int last, const double*, int player,
        int a, int b, double) const
    {
        double sum = 0.0;
        for (int place = first; place < last; ++place) {
            const Pair pair = combos.pairs[sorted.order[place]];
            const int c = gpuodds::lower(pair), d = higher(pair);
            if (c == a || c == b || d == a || d == b) continue;
            sum += weights.of(player, sorted.cell(c, d), c, d);
        }
        return sum;
    }

private:
    __device__ void add(Cell cell, int one, int two, HandRank rank)
    {
        for (int player = 0; player < 2; ++player) {
            const double weight = weights.of(player, cell, one, two);
            lower.player[player] += cell < first_cell(rank) ? weight : 0.0;
        }
    }

    __device__ void add_to_all(Cell cell, int one, int two)
    {
        for (int player = 0; player < 2; ++player) {
            all.player[player] += weights.of(player, cell, one, two);
        }
    }
};

// Add the counts of a warp's combos to `made`, (2, CATEGORIES, 3) wins, ties and all deals, which no other
// warp touches. All lanes of the warp call this; `category` is -1 for a lane without a combo.
template <class Sum> __device__ inline void add_made(int category, const Sum (*by_column)[3], Sum* made)
{
    unsigned left = __ballot_sync(ALL_LANES, category >= 0);
    while (left) {
        const int shown = __shfl_sync(ALL_LANES, category, lowest_bit(left));
        for (int hero = 0; hero < 2; ++hero) {
            for (int column = 0; column < 3; ++column) {
                const Sum sum = warp_sum(category == shown ? by_column[hero][column] : Sum(0));
                if (lane() == 0) made[(hero * CATEGORIES + shown) * 3 + column] += sum;
            }
        }
        left &= ~__ballot_sync(ALL_LANES, category == shown);
    }
}

// Count the combos of both players on one board; the arrays are those of the item.
template <class Weights, class Neighbours>
__device__ inline void count_board(
    const Showdowns& given, const SortedBoard& sorted, const Prefixes<typename Weights::Number>& prefixes,
    const typename Neighbours::Block& block, const Weights& weights, typename Weights::Sum times, int part,
    typename Weights::Sum* sums, typename Weights::Sum* made)
{
    using Number = typename Weights::Number;
    using Sum = typename Weights::Sum;
    for (int begin = 0; begin < sorted.dealt; begin += int(blockDim.x)) {
        const int place = begin + int(threadIdx.x);
        // Parts go by the numbers of combos: places may differ from block to block.
        const int i = place < sorted.dealt ? sorted.order[place] : -1;
        int category = -1;
        Sum by_column[2][3] = {};
        if (i >= 0 && i % given.parts == part) {
            const int a = lower(given.pairs[i]), b = higher(given.pairs[i]);
            const Cell own = sorted.cell(a, b);
            const HandRank rank = rank_in(own);
            const Neighbours neighbours(sorted, block, weights, a, b, rank, given.with_made);
            category = hand_category(rank, given.category_ends);
            const int level = sorted.level_of(rank);
            const int first = sorted.first[level], last = sorted.first[level + 1];
            for (int hero = 0; hero < 2; ++hero) {
                if (!is_member(own, hero)) continue;
                const int other = 1 - hero;
                const Number* below = prefixes.below[other];
                const Number same = weights.of(other, own, a, b);  // taken off with both cards
                const Number wins = below[first] - neighbours.of(neighbours.lower, other);
                const Number ties = neighbours.ties(
                    sorted, given.combos(), first, last, below, other, a, b, same);
                Sum* const at = sums + (hero * given.num_combos + i) * 2LL;
                at[0] += times * wins;
                at[1] += times * ties;
                if (!given.with_made) continue;
                const Number all = below[sorted.dealt] - neighbours.of(neighbours.all, other) + same;
                const Sum factor = times * weights.of(hero, own, a, b);
                by_column[hero][0] = factor * wins;
                by_column[hero][1] = factor * ties;
                by_column[hero][2] = factor * all;
            }
        }
        if (given.with_made) add_made(category, by_column, made);
    }
}

template <class Weights, class Neighbours>
__device__ inline void count_two(
    const Showdowns& given, const HandRankTables& tables, long long base_item, long long first_item,
    long long items, typename Weights::Sum* sums, typename Weights::Sum* made)
{
    __shared__ SortedBoard sorted;
    __shared__ Prefixes<typename Weights::Number> prefixes;
    __shared__ typename Neighbours::Block block;
    const Weights weights(given);
    const int base_piece = int(base_item / given.parts);
    for (const long long x : grid_stride_blocks(items)) {
        const long long item = first_item + x;
        const int piece = int(item / given.parts), part = int(item % given.parts);
        typename Weights::Sum* const own_sums = sums + (piece - base_piece) * 4LL * given.num_combos;
        const long long own_warp = (item - base_item) * SHOWDOWN_WARPS + warp();
        typename Weights::Sum* const own_made = made + own_warp * 6LL * CATEGORIES;
        for (int board = given.first_board(piece); board < given.first_board(piece + 1); ++board) {
            __syncthreads();  // every thread has read the last board
            sorted.template sort<Weights::IN_ORDER>(
                given.boards + (long long)board * given.size, given.size, given.combos(), tables);
            block.add_up(sorted);
            prefixes.add_up(sorted, given.combos(), weights);  // ends in a barrier
            const typename Weights::Sum times(given.times[board]);
            count_board<Weights, Neighbours>(
                given, sorted, prefixes, block, weights, times, part, own_sums, own_made);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the combos that each combo of two players beats and ties, for weights 0 and 1.
// A block takes an item at a time, `parts` of which share a piece of the boards, and counts board by board; a
// thread takes combos by place. Shared memory: the sorted combos (24 KB), their prefixes (11 KB), the combos with
// each card by type (6 KB). On a board a combo meets 990 others; a caller bounds boards x times so that sums stay
// below 2^63.
//   given       boards and combos; members as member_bit has them
//   tables      hand-rank tables
//   base_item   the item, piece * parts + part, at which sums and made begin, of part 0
//   first_item  the first item of this launch
//   items       the number of items of this launch
//   sums        (pieces, 2, combos, 2) int64, wins and ties of each player's combos, added to
//   made        (items, SHOWDOWN_WARPS, 2, CATEGORIES, 3) int64, wins, ties and all deals by category of the
//               hero's hand, added to; of any size unless with_made
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS) count_two_exact(
    Showdowns given, HandRankTables tables, long long base_item, long long first_item, long long items,
    long long* __restrict__ sums, long long* __restrict__ made)
{
    count_two<Exact, ExactNeighbours>(given, tables, base_item, first_item, items, sums, made);
}

// The same for any weights, with a player's own weight left out of sums and part of made, both float64.
extern "C" __global__ void __launch_bounds__(SHOWDOWN_THREADS) count_two_weighted(
    Showdowns given, HandRankTables tables, long long base_item, long long first_item, long long items,
    double* __restrict__ sums, double* __restrict__ made)
{
    count_two<Weighted, WeightedNeighbours>(given, tables, base_item, first_item, items, sums, made);
}
