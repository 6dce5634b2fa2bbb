// Spots with the same number of known hands and of cards to come, and their items.
//
// An item is a spot and a runout of its board: item = spot * num_runouts + runout.

#pragma once

#include "shared/cards.cuh"

namespace gpuodds {

// Kernels take spots by value; gpuodds/backends/cuda/known_hands/spots.py packs them.
struct Spots {
    const CardSet* __restrict__ undealt;            // (spots,): neither known nor on the board
    const CardSet* __restrict__ board;              // (spots,)
    const CardSet* __restrict__ hands;              // (spots, players): known hands
    const int* __restrict__ deck;                   // (spots,): cards undealt on a full board
    const unsigned char* __restrict__ runout_ranks;  // (num_runouts, to_come): ascending card ranks
    int players;                                    // 0 to MAX_PLAYERS
    int num_runouts;
    int to_come;  // 0 to BOARD_CARDS

    __host__ __device__ long long spot_of(long long item) const { return item / num_runouts; }
};

static_assert(PACKED_SPOTS(Spots), "Python packs spots in another layout");
static_assert(MAX_PLAYERS < 32, "known players fit a 32-bit mask");

// One item of a batch of spots.
struct Item {
    CardSet undealt, board;
    const CardSet* hands;  // (players,)
    int players;
    const unsigned char* ranks;  // (to_come,): the runout
    int to_come;

    __host__ __device__ Item(const Spots& spots, long long item)
        : players(spots.players), to_come(spots.to_come)
    {
        const long long spot = spots.spot_of(item);
        undealt = spots.undealt[spot];
        board = spots.board[spot];
        hands = spots.hands + spot * players;
        ranks = spots.runout_ranks + item % spots.num_runouts * to_come;
    }
};

}  // namespace gpuodds
