// Boards filled up by the cards to come.

#pragma once

#include "shared/cards.cuh"

namespace gpuodds {

// Write to `full` the board of `size` cards, completed by the cards at `places` among those of the deck, which lacks
// `missing`, that are not on it.
__device__ inline void complete_board(
    const Card* known, int size, const Card* places, CardBits missing, Card* full)
{
    CardBits taken = missing;
    for (int i = 0; i < BOARD_CARDS; ++i) {
        if (i < size) taken |= 1ULL << (full[i] = known[i]);
    }
    for (int i = 0; i < BOARD_CARDS; ++i) {
        if (i < size) continue;
        int card = places[i - size];
        for (CardBits rest = taken; rest; rest &= rest - 1) card += lowest_card(rest) <= card;
        full[i] = Card(card);
    }
}

}  // namespace gpuodds
