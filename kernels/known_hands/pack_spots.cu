// Hands and boards as sets of cards.

#include "shared/cards.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr CardSet WHOLE_DECK = ALL_RANKS * ONE_PER_SUIT;

}  // namespace gpuodds

using namespace gpuodds;

// Pack `count` spots of one hand each into card sets. A thread takes a spot at a time.
//   hands       (count, 2) uint8, card numbers
//   boards      (count, size) uint8, card numbers, none of the hand's; size is 0 to 5
//   undealt     (count,) CardSet, receives the cards that are neither in the hand nor on the board
//   board_sets  (count,) CardSet, receives the board
//   hand_sets   (count,) CardSet, receives the hand
extern "C" __global__ void pack_spots(
    const Card* __restrict__ hands,
    const Card* __restrict__ boards,
    int size,
    long long count,
    CardSet* __restrict__ undealt,
    CardSet* __restrict__ board_sets,
    CardSet* __restrict__ hand_sets)
{
    for (const long long i : grid_stride(count)) {
        CardSet hand = 0, board = 0;
        for (int x = 0; x < HOLE_CARDS; ++x) hand |= card_set(hands[i * HOLE_CARDS + x]);
        for (int x = 0; x < size; ++x) board |= card_set(boards[i * size + x]);
        undealt[i] = WHOLE_DECK & ~(hand | board);
        board_sets[i] = board;
        hand_sets[i] = hand;
    }
}
