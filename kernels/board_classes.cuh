// The boards of a spot by class: boards on which every holding ranks alike are visited once.
//
// As in gpuodds/backends/cpu/boards.py: a class is the multiset of the ranks that fill the board (a completion)
// and, where a suit has three cards or more on the board, that suit and its ranks there.

#pragma once

#include "bits.cuh"
#include "hand_rank.cuh"

constexpr int NO_SUIT = 4;

// Spots with the same number of cards to come and of known hands. A set of cards is a word of four
// rank sets, 16 bits a suit, as in SuitedRanks.
struct Spots {
    const unsigned long long* undealt;  // (spots,): cards neither known nor on the board
    const unsigned long long* board;    // (spots,)
    const unsigned long long* hands;    // (spots, players)
    int players;
    const unsigned char* completions;  // (count, to_come): rank multisets, each row ascending
    int count;
    int to_come;
};

// 16 bytes, written and read as they are by kernels only.
struct alignas(16) BoardClass {
    unsigned item;      // spot * completions + completion, counted from the first item of the piece
    unsigned flush;     // the threshold << 16, the flush suit or NO_SUIT << 13, its ranks on the board
    unsigned boards;    // how many boards are in the class: at most C(52, 5)
    unsigned winners;   // the known players who hold the best known hand, a mask

    __host__ __device__ int threshold() const { return flush >> 16; }  // the best known hand's rank
    __host__ __device__ int suit() const { return flush >> 13 & 7; }
    __host__ __device__ RankSet ranks() const { return flush & 0x1FFF; }
};

__host__ __device__ inline RankSet ranks_in(unsigned long long cards, int suit)
{
    return RankSet(cards >> (16 * suit) & 0x1FFF);
}

__host__ __device__ inline RankSet ranks_of(unsigned long long cards)
{
    return RankSet((cards | cards >> 16 | cards >> 32 | cards >> 48) & 0x1FFF);
}

// How many of the cards have the rank.
__host__ __device__ inline int count_rank(unsigned long long cards, int rank)
{
    const unsigned long long column = cards >> rank & 0x0001000100010001ULL;
    return int(column * 0x0001000100010001ULL >> 48);
}

// Binomial coefficients of n from 0 to 4: the digits of 11 to the n.
__host__ __device__ inline unsigned choose(int n, int k)
{
    const unsigned row = n == 4 ? 0x14641 : n == 3 ? 0x1331 : n == 2 ? 0x121 : n == 1 ? 0x11 : 0x1;
    return row >> (4 * k) & 15;
}

// The state of a board's ranks, and those of a completion added to them.
__host__ __device__ inline int board_state(
    unsigned long long board, const unsigned char* completion, int to_come, const State* step)
{
    int state = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        for (unsigned left = ranks_in(board, suit); left; left &= left - 1) {
            state = step[state * RANKS + lowest_bit(left)];
        }
    }
    for (int i = 0; i < to_come; ++i) state = step[state * RANKS + completion[i]];
    return state;
}

// The rank of a board's state and two hole cards of given ranks, flushes left aside; 0 for a fifth card
// of a rank.
__host__ __device__ inline int plain_rank(
    int state, int first, int second, const HandRankTables& tables)
{
    const int six = tables.step[state * RANKS + first];
    return six < SIX_CARDS ? 0 : tables.rank_7[(six - SIX_CARDS) * RANKS + second];
}

// Call `emit` with the classes of one item, each once, in an order that depends on the spot alone.
template <class Emit>
__host__ __device__ inline void visit_classes(
    const Spots& spots, long long spot, int completion, const HandRankTables& tables, Emit emit)
{
    const unsigned long long undealt = spots.undealt[spot];
    const unsigned long long board = spots.board[spot];
    const unsigned char* ranks = spots.completions + (long long)completion * spots.to_come;

    RankSet support = 0;
    for (int i = 0; i < spots.to_come; ++i) support |= RankSet(1u << ranks[i]);

    // Boards of given cards in one suit: for each rank choose that one or not, and the rest elsewhere.
    const auto count_boards = [&](RankSet undealt_in_suit, RankSet in_suit) {
        unsigned boards = 1;
        int i = 0;
        while (i < spots.to_come) {
            const int rank = ranks[i];
            int wanted = 0;
            for (; i < spots.to_come && ranks[i] == rank; ++i) ++wanted;
            const int there = count_rank(undealt, rank) - (undealt_in_suit >> rank & 1);
            wanted -= in_suit >> rank & 1;
            boards *= choose(there, wanted);
        }
        return boards;
    };
    unsigned without_flush = count_boards(0, 0);
    if (without_flush == 0) return;

    const int state = board_state(board, ranks, spots.to_come, tables.step);
    const unsigned long long* hands = spots.hands + spot * spots.players;
    const auto show = [&](int suit, RankSet in_suit, unsigned boards) {
        int threshold = 0;
        unsigned winners = 0;
        for (int player = 0; player < spots.players; ++player) {
            const unsigned held = ranks_of(hands[player]);
            const int low = lowest_bit(held);
            const unsigned rest = held & (held - 1);
            int value = plain_rank(state, low, rest ? lowest_bit(rest) : low, tables);
            if (suit != NO_SUIT) {
                const int flush = tables.flush[in_suit | ranks_in(hands[player], suit)];
                value = flush > value ? flush : value;
            }
            if (value > threshold) {
                threshold = value;
                winners = 0;
            }
            if (value == threshold) winners |= 1u << player;
        }
        emit(unsigned(threshold) << 16 | unsigned(suit) << 13 | in_suit, boards, winners);
    };

    for (int suit = 0; suit < SUITS; ++suit) {
        const RankSet given = ranks_in(board, suit);
        if (count_bits(given) + spots.to_come < 3) continue;
        // Suits that the known cards do not tell apart are visited once, at the first of them.
        unsigned copies = 1;
        for (int other = 0; other < SUITS; ++other) {
            bool same = ranks_in(board, other) == given;
            same = same && ranks_in(undealt, other) == ranks_in(undealt, suit);
            for (int player = 0; player < spots.players; ++player) {
                same = same && ranks_in(hands[player], other) == ranks_in(hands[player], suit);
            }
            if (other < suit && same) copies = 0;
            if (other > suit && same && copies) ++copies;
        }
        if (copies == 0) continue;
        const RankSet open = support & ranks_in(undealt, suit);
        unsigned subset = open;
        while (true) {
            const RankSet in_suit = RankSet(given | subset);
            if (count_bits(in_suit) >= 3) {
                const unsigned boards = copies * count_boards(ranks_in(undealt, suit), RankSet(subset));
                without_flush -= boards;
                if (boards) show(suit, in_suit, boards);
            }
            if (subset == 0) break;
            subset = (subset - 1) & open;
        }
    }
    if (without_flush) show(NO_SUIT, 0, without_flush);
}
