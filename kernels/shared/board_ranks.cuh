// The hand ranks of combos on a board of five cards.
//
// Without a flush a combo counts by its two ranks alone: 13 x 13 hand ranks per board are enough. A flush
// needs three board cards of one suit, so at most one suit matters.

#pragma once

#include "shared/hand_rank.cuh"
#include "shared/pairs.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr int RANK_PAIRS = RANKS * RANKS;

struct Board {
    const HandRank* plain;  // ranks without a flush, at one card's rank * RANKS + the other's
    CardBits cards;         // the five cards
    int suit;               // the suit that three or more of them have, -1 if there is none
    RankSet suited;         // their ranks in that suit

    __host__ __device__ bool blocks(int card) const { return cards >> card & 1; }
};

// Read the board `cards`, five card numbers. Every thread of the block calls this with the same cards; the
// block fills `plain`, RANK_PAIRS entries in shared memory, which no thread may still be reading. Ends in
// a barrier.
__device__ inline Board load_board(const Card* cards, const HandRankTables& tables, HandRank* plain)
{
    Board board{plain, 0, -1, 0};
    CardSet all = 0;
    int state = 0;
    for (int i = 0; i < BOARD_CARDS; ++i) {
        board.cards |= 1ULL << cards[i];
        all |= card_set(cards[i]);
        state = tables.after(state, rank_of(cards[i]));
    }
    for (int suit = 0; suit < SUITS; ++suit) {
        if (count_bits(ranks_in(all, suit)) >= SUITED_FOR_FLUSH) {
            board.suit = suit;
            board.suited = ranks_in(all, suit);
        }
    }
    for (const int pair : block_stride(RANK_PAIRS)) {
        // A fifth card of a rank leads to state 0; no combo that can be dealt reads that entry.
        const int six = tables.after(state, pair / RANKS);
        plain[pair] = six < SIX_CARDS ? HandRank(0) : tables.plain_7(six, pair % RANKS);
    }
    __syncthreads();
    return board;
}

// The hand rank of the board and two cards that are not on it.
__device__ inline HandRank combo_rank(
    const Board& board, Card first, Card second, const HandRankTables& tables)
{
    const HandRank plain = board.plain[rank_of(first) * RANKS + rank_of(second)];
    if (board.suit < 0) return plain;
    const int suited = board.suited | (suit_of(first) == board.suit) << rank_of(first) |
        (suit_of(second) == board.suit) << rank_of(second);
    return better(tables.flush[suited], plain);
}

// The hand rank of a combo, `blocked` where it shares a card with the board.
__device__ inline HandRank combo_rank(
    const Board& board, Pair combo, HandRank blocked, const HandRankTables& tables)
{
    const int low = lower(combo), high = higher(combo);
    if (board.blocks(low) || board.blocks(high)) return blocked;
    return combo_rank(board, Card(low), Card(high), tables);
}

}  // namespace gpuodds
