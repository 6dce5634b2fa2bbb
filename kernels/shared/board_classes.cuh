// The boards of an item by class: boards on which every combo ranks alike are visited once.
//
// As in gpuodds/backends/cpu/shared/board_classes.py: a class is the multiset of the ranks that complete the board and,
// where a suit has three cards or more on the board, that suit and its ranks there.

#pragma once

#include "shared/hand_rank.cuh"
#include "shared/spots.cuh"

namespace gpuodds {

constexpr int NO_SUIT = SUITS;
constexpr int SUIT_SHIFT = RANKS, THRESHOLD_SHIFT = 16;  // of BoardClass::flush

// Kernels write and read classes; Python reads the fields item and winners.
struct alignas(16) BoardClass {
    unsigned item;     // counted from the first item of the batch
    unsigned flush;    // threshold << 16 | flush suit or NO_SUIT << 13 | its ranks on the board
    unsigned boards;   // the number of boards in the class, at most C(52, 5) = 2,598,960
    unsigned winners;  // the known players who hold the best known hand, a mask

    __host__ __device__ int threshold() const { return flush >> THRESHOLD_SHIFT; }  // its hand rank
    __host__ __device__ int suit() const { return flush >> SUIT_SHIFT & 7; }
    __host__ __device__ RankSet ranks() const { return flush & ALL_RANKS; }
};

static_assert(sizeof(BoardClass) == 4 * CLASS_WORDS, "Python has CLASS_WORDS 32-bit words a class");
static_assert(NO_SUIT < 8 && SUIT_SHIFT + 3 <= THRESHOLD_SHIFT, "the fields of flush do not overlap");
static_assert(HIGHEST_RANK < 1 << (32 - THRESHOLD_SHIFT), "a hand rank fits its field");

// Binomial coefficients of n from 0 to 4: the digits of 11 to the n.
__host__ __device__ inline unsigned choose_cards(int n, int k)
{
    const unsigned row = n == 4 ? 0x14641
        : n == 3                ? 0x1331
        : n == 2                ? 0x121
        : n == 1                ? 0x11
                                : 0x1;
    return row >> (4 * k) & 15;
}

// The state of the ranks of a completed board.
__host__ __device__ inline int board_state(const Item& item, const HandRankTables& tables)
{
    int state = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        for (unsigned left = ranks_in(item.board, suit); left; left &= left - 1) {
            state = tables.after(state, lowest_bit(left));
        }
    }
    for (int i = 0; i < item.to_come; ++i) state = tables.after(state, item.ranks[i]);
    return state;
}

// The rank without a flush of a board's state and two hole cards of given ranks; 0 for a fifth card of a
// rank.
__host__ __device__ inline int plain_rank(
    int state, int first, int second, const HandRankTables& tables)
{
    const int six = tables.after(state, first);
    return six < SIX_CARDS ? 0 : tables.plain_7(six, second);
}

// The number of ways to draw the runout: those ranks of `in_suit` from the flush suit, of which
// `undealt_in_suit` are left, and the rest from the other suits. With two empty sets, from all suits.
__host__ __device__ inline unsigned count_boards(
    const Item& item, RankSet undealt_in_suit, RankSet in_suit)
{
    unsigned boards = 1;
    for (int i = 0; i < item.to_come;) {
        const int rank = item.ranks[i];
        int wanted = 0;
        for (; i < item.to_come && item.ranks[i] == rank; ++i) ++wanted;
        const int left = count_rank(item.undealt, rank) - (undealt_in_suit >> rank & 1);
        wanted -= in_suit >> rank & 1;
        boards *= choose_cards(left, wanted);
    }
    return boards;
}

// The number of suits like `suit` in the known cards if it is the first of them, else 0.
__host__ __device__ inline unsigned count_suits_like(const Item& item, int suit)
{
    unsigned copies = 1;
    for (int other = 0; other < SUITS; ++other) {
        bool same = ranks_in(item.board, other) == ranks_in(item.board, suit);
        same = same && ranks_in(item.undealt, other) == ranks_in(item.undealt, suit);
        for (int player = 0; player < item.players; ++player) {
            same = same && ranks_in(item.hands[player], other) == ranks_in(item.hands[player], suit);
        }
        if (other < suit && same) copies = 0;
        if (other > suit && same && copies) ++copies;
    }
    return copies;
}

// The class of `boards` boards with `in_suit` in the flush suit, item left 0: who holds the best known hand.
__host__ __device__ inline BoardClass find_winners(
    const Item& item, int state, int suit, RankSet in_suit, unsigned boards,
    const HandRankTables& tables)
{
    int threshold = 0;
    unsigned winners = 0;
    for (int player = 0; player < item.players; ++player) {
        const unsigned held = ranks_of(item.hands[player]);
        const int low = lowest_bit(held);
        const unsigned rest = held & (held - 1);
        int rank = plain_rank(state, low, rest ? lowest_bit(rest) : low, tables);
        if (suit != NO_SUIT) {
            const int flush = tables.flush[in_suit | ranks_in(item.hands[player], suit)];
            rank = flush > rank ? flush : rank;
        }
        if (rank > threshold) {
            threshold = rank;
            winners = 0;
        }
        if (rank == threshold) winners |= 1u << player;
    }
    const unsigned flush = unsigned(threshold) << THRESHOLD_SHIFT | unsigned(suit) << SUIT_SHIFT | in_suit;
    return {0, flush, boards, winners};
}

// Call emit(suit, ranks in that suit, boards) for each class of an item, in an order that depends on the
// item alone.
template <class Emit> __host__ __device__ inline void visit_suits(const Item& item, Emit emit)
{
    unsigned without_flush = count_boards(item, 0, 0);
    if (without_flush == 0) return;
    RankSet support = 0;
    for (int i = 0; i < item.to_come; ++i) support |= RankSet(1u << item.ranks[i]);
    for (int suit = 0; suit < SUITS; ++suit) {
        const RankSet given = ranks_in(item.board, suit);
        if (count_bits(given) + item.to_come < SUITED_FOR_FLUSH) continue;
        const unsigned copies = count_suits_like(item, suit);
        if (copies == 0) continue;
        const RankSet undealt = ranks_in(item.undealt, suit);
        const RankSet open = support & undealt;
        unsigned subset = open;
        while (true) {
            const RankSet in_suit = RankSet(given | subset);
            if (count_bits(in_suit) >= SUITED_FOR_FLUSH) {
                const unsigned boards = copies * count_boards(item, undealt, RankSet(subset));
                without_flush -= boards;
                if (boards) emit(suit, in_suit, boards);
            }
            if (subset == 0) break;
            subset = (subset - 1) & open;
        }
    }
    if (without_flush) emit(NO_SUIT, RankSet(0), without_flush);
}

}  // namespace gpuodds
