// A hand of Omaha against one random hand, on classes of boards.
//
// A hand ranks at most r exactly if all its pairs of cards do: so these hands are the cliques of a graph on the
// undealt cards, in which two cards are joined if the pair ranks at most r. Lows likewise, and both at once.

#include "omaha/counts.cuh"
#include "omaha/rank.cuh"
#include "shared/board_classes.cuh"
#include "shared/pairs.cuh"
#include "shared/strides.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

using Wide = unsigned long long;

constexpr int ANY_RANK = 0x7FFF;  // a limit above every rank
constexpr int CLASS_SUMS = NUM_ROWS * NUM_COLUMNS;

// Count the sets of SIZE cards of which each two are joined. `rows` are the neighbours of each card.
template <int SIZE> __device__ inline Wide count_cliques(CardBits cards, const CardBits* rows)
{
    Wide cliques = 0;
    for (; cards; cards &= cards - 1) {
        const int card = lowest_card(cards);
        cliques += count_cliques<SIZE - 1>(cards & rows[card], rows);
    }
    return cliques;
}

template <> __device__ inline Wide count_cliques<1>(CardBits cards, const CardBits*)
{
    return Wide(count_cards(cards));
}

// The cliques of a thread: its pairs of joined cards, with further cards above both.
template <int SIZE> __device__ inline Wide count_own_cliques(const Pair* pairs, const CardBits* rows)
{
    Wide cliques = 0;
    for (const int x : block_stride(COMBOS)) {
        const int a = lower(pairs[x]), b = higher(pairs[x]);
        if (!(rows[b] >> a & 1)) continue;
        cliques += count_cliques<SIZE - 2>(rows[a] & rows[b] & ~((2ULL << b) - 1), rows);
    }
    return cliques;
}

// The number of ways to choose cards.
__device__ inline Wide choose_hand(int cards, int size)
{
    Wide ways = 1;
    for (int i = 0; i < size; ++i) ways = ways * Wide(cards - i) / Wide(i + 1);
    return ways;
}

// One board of a class, whose suits do not matter but for the flush suit. Shared by a block.
struct ClassBoard {
    CardSet undealt;        // but for the board's cards
    const HandRank* plain;  // ranks without a flush, by rank_pair
    int suit;               // NO_SUIT or the flush suit
    const LowRank* lows;    // by the low set of hole cards
    int low_ranks;          // from ace to eight on the board

    __device__ ClassBoard(const Item& item, int suit, RankSet in_suit, const OmahaTables& tables)
        : undealt(item.undealt), suit(suit)
    {
        int state = 0;
        for (int other = 0; other < SUITS; ++other) {
            for (unsigned left = ranks_in(item.board, other); left; left &= left - 1) {
                state = tables.step[state * RANKS + lowest_bit(left)];
            }
        }
        RankSet ranks = ranks_of(item.board);
        const CardSet of_suit = suit == NO_SUIT ? 0 : ONE_PER_SUIT & 0xFFFFULL << SUIT_BITS * suit;
        for (int i = 0; i < item.to_come; ++i) {
            const int rank = item.ranks[i];
            state = tables.step[state * RANKS + rank];
            ranks |= RankSet(1 << rank);
            const CardSet column = undealt >> rank & ONE_PER_SUIT;
            const CardSet flushing = in_suit >> rank & 1 ? column & of_suit : 0;
            const CardSet others = column & ~of_suit;
            undealt ^= (flushing ? flushing : others & (0 - others)) << rank;
        }
        plain = tables.plain + (state - THREE_CARDS) * TWO_RANKS;
        lows = tables.lows + low_set(ranks) * LOW_SETS;
        low_ranks = count_bits(unsigned(low_set(ranks)));
    }

    // The undealt cards of a rank, bit s for suit s.
    __device__ unsigned left_of(int rank) const
    {
        const CardSet column = undealt >> rank & ONE_PER_SUIT;
        return unsigned(column | column >> 15 | column >> 30 | column >> 45) & 15;
    }
};

// Fill the graph of the undealt cards whose pairs rank at most two limits.
__device__ inline void join_cards(
    const ClassBoard& board, int high, int low, const HandRank* suited, CardBits* rows)
{
    for (const int card : block_stride(DECK_SIZE)) {
        const int one = rank_of(Card(card)), own_suit = suit_of(Card(card));
        CardBits row = 0;
        for (int two = 0; two < RANKS; ++two) {
            if (board.plain[rank_pair(one, two)] > high) continue;
            if (board.lows[low_set(RankSet(1 << one | 1 << two))] > low) continue;
            unsigned near = board.left_of(two);
            if (own_suit == board.suit && suited[one * RANKS + two] > high) near &= ~(1u << own_suit);
            row |= CardBits(near) << SUITS * two;
        }
        const bool is_left = board.left_of(one) >> own_suit & 1;
        rows[card] = is_left ? row & ~(1ULL << card) : 0;
    }
}

// What the threads of a block share.
struct CliqueBlock {
    CardBits rows[DECK_SIZE];  // the graph: each card's neighbours
    Wide totals[CATEGORIES * CLASS_SUMS];
    HandRank suited[RANKS * RANKS];  // flushes of pairs of the flush suit, by two ranks
};

template <int SIZE>
__device__ inline void count_classes(
    CliqueBlock& block, const Spots& spots, const BoardClass* classes, long long first, long long count,
    const Card* hand, const Pair* pairs, const OmahaTables& tables, const int* category_ends, bool with_lows,
    bool by_class, Wide* sums)
{
    CardBits* const rows = block.rows;
    HandRank* const suited = block.suited;
    Wide* const totals = block.totals;
    for (const int x : block_stride(CATEGORIES * CLASS_SUMS)) totals[x] = 0;
    for (const long long i : grid_stride_blocks(count)) {
        const BoardClass board_class = classes[i];
        const int suit = board_class.suit();
        const ClassBoard board(Item(spots, first + board_class.item), suit, board_class.ranks(), tables);
        // Every thread has read the last class's ranks: a barrier ends each of its graphs.
        const RankSet highest = highest_ranks(board_class.ranks(), PLAYING_BOARD_CARDS);
        for (const int x : block_stride(suit == NO_SUIT ? 0 : RANKS * RANKS)) {
            const RankSet pair = RankSet(1 << x / RANKS | 1 << x % RANKS);
            suited[x] = omaha_flush(pair, board_class.ranks(), highest, tables.flush);
        }
        __syncthreads();
        int best = 0;
        unsigned held = 0;
        for (int x = 0; x < SIZE; ++x) {
            const int one = rank_of(hand[x]);
            held |= 1u << one;
            for (int y = 0; y < x; ++y) {
                const int two = rank_of(hand[y]);
                const bool flushes = suit_of(hand[x]) == suit && suit_of(hand[y]) == suit;
                const HandRank plain = board.plain[rank_pair(one, two)];
                const HandRank rank = flushes ? better(plain, suited[one * RANKS + two]) : plain;
                best = rank > best ? rank : best;
            }
        }
        const int own_low = board.lows[low_set(RankSet(held))];
        for (int column = 0; column < (with_lows ? NUM_COLUMNS : 1); ++column) {
            // Without three low ranks on the board no hand has a low.
            const bool counted = column == ANY_LOW || (column == NO_LOW) == (own_low == 0);
            if (!counted) continue;
            const bool any = column == ANY_LOW || board.low_ranks < PLAYING_BOARD_CARDS;
            const int low_limit = any ? ANY_RANK : own_low - (column == LOWER_LOW);
            for (int row = 0; row < NUM_ROWS; ++row) {
                Wide hands = 0;
                if (row == ALL_HIGHS && any) {
                    int left = 0;
                    for (int rank = 0; rank < RANKS; ++rank) left += count_bits(board.left_of(rank));
                    if (threadIdx.x == 0) hands = choose_hand(left, SIZE);
                } else {
                    const int high_limit = row == ALL_HIGHS ? ANY_RANK : best - (row == BELOW);
                    join_cards(board, high_limit, low_limit, suited, rows);
                    __syncthreads();
                    hands = count_own_cliques<SIZE>(pairs, rows);
                    __syncthreads();  // before the next graph
                }
                hands = warp_sum(hands);
                if (lane() == 0 && hands) {
                    const int place = row * NUM_COLUMNS + column;
                    if (by_class) {
                        atomicAdd(&sums[i * CLASS_SUMS + place], hands);
                    } else {
                        const int category = hand_category(HandRank(best), category_ends);
                        atomicAdd(&totals[category * CLASS_SUMS + place], hands * board_class.boards);
                    }
                }
            }
        }
    }
    __syncthreads();
    for (const int x : block_stride(CATEGORIES * CLASS_SUMS)) {
        if (totals[x]) atomicAdd(&sums[x], totals[x]);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count the random hands that a hand meets on `count` classes of boards.
// A block takes a class at a time; its threads share the pairs of cards that begin a clique. Shared memory: the
// graph, the flushes of pairs and the sums (1,618 bytes). With six cards all deals are 6 x 10^12, so 64 bits are
// enough.
//   spots       one spot, whose one known hand it is
//   classes     (count,) BoardClass, of items from `first` on
//   hand        (hole_cards,) uint8, card numbers, 4 to 6
//   pairs       (1326,) uint16, all pairs of cards
//   tables      tables of Omaha
//   category_ends  (CATEGORIES,) int32, the lowest rank above each category
//   with_lows   whether the game has a low
//   by_class    whether to count each class apart
//   sums        (CATEGORIES, NUM_ROWS, NUM_COLUMNS) uint64, added to: boards times hands by the category of the
//               hand's high; without lows in the first column. By class (count, NUM_ROWS, NUM_COLUMNS): hands on one
//               board
extern "C" __global__ void __launch_bounds__(CLIQUE_THREADS, 4) count_omaha_cliques(
    Spots spots,
    const BoardClass* __restrict__ classes,
    long long first,
    long long count,
    const Card* __restrict__ hand,
    int hole_cards,
    const Pair* __restrict__ pairs,
    OmahaTables tables,
    const int* __restrict__ category_ends,
    int with_lows,
    int by_class,
    Wide* __restrict__ sums)
{
    __shared__ CliqueBlock block;
    const bool low = with_lows != 0;
    const int* const ends = category_ends;
    const bool each = by_class != 0;
    switch (hole_cards) {
        case 4:
            return count_classes<4>(
                block, spots, classes, first, count, hand, pairs, tables, ends, low, each, sums);
        case 5:
            return count_classes<5>(
                block, spots, classes, first, count, hand, pairs, tables, ends, low, each, sums);
        case 6:
            return count_classes<6>(
                block, spots, classes, first, count, hand, pairs, tables, ends, low, each, sums);
    }
}

// Number classes of full boards: the same for the same class of another spot with the same hand and dead cards, whose
// board is part of it. A thread takes a class at a time.
//   spots    spots
//   classes  (count,) BoardClass, of items from `first` on
//   alike    (SUITS + 1,) uint8: for each suit a number that suits have in common which no card tells apart; at the
//            end that of no suit
//   keys     (count,) int64, receives the numbers
extern "C" __global__ void number_omaha_classes(
    Spots spots,
    const BoardClass* __restrict__ classes,
    long long first,
    long long count,
    const unsigned char* __restrict__ alike,
    long long* __restrict__ keys)
{
    for (const long long i : grid_stride(count)) {
        const BoardClass board_class = classes[i];
        const Item item(spots, first + board_class.item);
        long long ranks = 0;  // a digit a rank, base 5
        for (int rank = RANKS - 1; rank >= 0; --rank) {
            int cards = count_rank(item.board, rank);
            for (int x = 0; x < item.to_come; ++x) cards += item.ranks[x] == rank;
            ranks = ranks * (SUITS + 1) + cards;
        }
        const long long suits = ranks * (SUITS + 1) + alike[board_class.suit()];
        keys[i] = suits << RANKS | board_class.ranks();
    }
}

// Add the hands on the boards of each class to the sums of its spot. A thread takes a number of a class at a time.
//   spots    spots
//   classes  (count,) BoardClass, of items from `first` on
//   places   (count,) int64, the row of each class in `hands`
//   hands    (classes, NUM_ROWS, NUM_COLUMNS) uint64, as count_omaha_cliques counts them by class
//   sums     (spots from that of `first` on, NUM_ROWS, NUM_COLUMNS) uint64, added to
extern "C" __global__ void add_omaha_classes(
    Spots spots,
    const BoardClass* __restrict__ classes,
    long long first,
    long long count,
    const long long* __restrict__ places,
    const Wide* __restrict__ hands,
    Wide* __restrict__ sums)
{
    const long long first_spot = spots.spot_of(first);
    for (const long long x : grid_stride(count * CLASS_SUMS)) {
        const long long i = x / CLASS_SUMS, number = x % CLASS_SUMS;
        const BoardClass board_class = classes[i];
        const Wide more = hands[places[i] * CLASS_SUMS + number] * board_class.boards;
        const long long spot = spots.spot_of(first + board_class.item) - first_spot;
        if (more) atomicAdd(&sums[spot * CLASS_SUMS + number], more);
    }
}
