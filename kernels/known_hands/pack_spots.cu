// Hands and boards as sets of cards.

#include "shared/cards.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr CardSet WHOLE_DECK = ALL_RANKS * ONE_PER_SUIT;

}  // namespace gpuodds

using namespace gpuodds;

// Pack `count` spots of `players` hands each into card sets. A thread takes a spot at a time.
//   hands       (count, players, 2) uint8, card numbers
//   boards      (count, size) uint8, card numbers, none of the hands'; size is 0 to 5
//   dead        (count, num_dead) uint8, card numbers out of play
//   undealt     (count,) CardSet, receives the cards that are in no hand, not on the board and not dead
//   board_sets  (count,) CardSet, receives the board
//   hand_sets   (count, players) CardSet, receives the hands
extern "C" __global__ void pack_spots(
    const Card* __restrict__ hands,
    int players,
    const Card* __restrict__ boards,
    int size,
    const Card* __restrict__ dead,
    int num_dead,
    long long count,
    CardSet* __restrict__ undealt,
    CardSet* __restrict__ board_sets,
    CardSet* __restrict__ hand_sets)
{
    for (const long long i : grid_stride(count)) {
        CardSet board = 0, known = 0;
        for (int x = 0; x < size; ++x) board |= card_set(boards[i * size + x]);
        for (int x = 0; x < num_dead; ++x) known |= card_set(dead[i * num_dead + x]);
        for (int player = 0; player < players; ++player) {
            const Card* const cards = hands + (i * players + player) * HOLE_CARDS;
            const CardSet hand = card_set(cards[0]) | card_set(cards[1]);
            hand_sets[i * players + player] = hand;
            known |= hand;
        }
        undealt[i] = WHOLE_DECK & ~(known | board);
        board_sets[i] = board;
    }
}
