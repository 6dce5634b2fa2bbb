// What a board of five cards makes of each holding of two.
//
// Without a flush a holding counts by its two ranks alone: 13 x 13 hand ranks say it all. A flush needs
// three board cards of one suit, so there is at most one suit to look at.

#pragma once

#include "hand_rank.cuh"

constexpr int BOARD = 5;
constexpr int RANK_PAIRS = RANKS * RANKS;

struct Board {
    const HandRank* plain;     // hand ranks, flushes aside, at one card's rank * RANKS + the other's
    unsigned long long cards;  // the five cards, bit c for card c
    int suit;                  // the suit that three or more of them have, -1 if there is none
    RankSet suited;            // their ranks in that suit
};

// Read a board. Every thread of the block calls this with the same cards; `plain` has RANK_PAIRS
// entries in shared memory that the block fills together, and no thread may still be reading them. Ends
// in a barrier.
__device__ inline Board load_board(const Card* cards, const HandRankTables& tables, HandRank* plain)
{
    Board board{plain, 0, -1, 0};
    SuitedRanks suited;
    int state = 0;
    for (int i = 0; i < BOARD; ++i) {
        board.cards |= 1ULL << cards[i];
        suited.add(cards[i]);
        state = tables.step[state * RANKS + rank_of(cards[i])];
    }
    for (int suit = 0; suit < SUITS; ++suit) {
        if (__popc(suited.in(suit)) >= 3) {
            board.suit = suit;
            board.suited = suited.in(suit);
        }
    }
    for (int pair = threadIdx.x; pair < RANK_PAIRS; pair += blockDim.x) {
        // A fifth card of a rank leads to state 0; no holding that is dealt asks for what is filled in.
        const int six = tables.step[state * RANKS + pair / RANKS] - SIX_CARDS;
        plain[pair] = six < 0 ? HandRank(0) : tables.rank_7[six * RANKS + pair % RANKS];
    }
    __syncthreads();
    return board;
}

// The hand rank of the board and two cards that are not on it.
__device__ inline HandRank holding_rank(
    const Board& board, Card first, Card second, const HandRankTables& tables)
{
    const HandRank plain = board.plain[rank_of(first) * RANKS + rank_of(second)];
    if (board.suit < 0) return plain;
    const int suited = board.suited | (suit_of(first) == board.suit) << rank_of(first) |
                       (suit_of(second) == board.suit) << rank_of(second);
    const HandRank flush = tables.flush[suited];
    return flush > plain ? flush : plain;
}
