// Repeated cards in rows of cards.

#include "shared/cards.cuh"
#include "shared/strides.cuh"

using namespace gpuodds;

// Find the first of `rows` rows that holds a card twice; row i is cards[i] and more[i] together.
// A thread takes a row at a time and keeps the cards seen as 52 bits.
//   cards   (rows, size) uint8, card numbers
//   more    (rows, more_size) uint8, card numbers
//   bad     (1,) uint64, lowered to the number of the first such row, unchanged if there is none
extern "C" __global__ void check_cards(
    const Card* __restrict__ cards,
    int size,
    const Card* __restrict__ more,
    int more_size,
    long long rows,
    unsigned long long* __restrict__ bad)
{
    for (const long long i : grid_stride(rows)) {
        CardBits seen = 0;
        bool repeated = false;
        for (int x = 0; x < size + more_size; ++x) {
            const int card = x < size ? cards[i * size + x] : more[i * more_size + x - size];
            const CardBits bit = 1ULL << card;
            repeated = repeated || seen & bit;
            seen |= bit;
        }
        if (repeated) atomicMin(bad, (unsigned long long)i);
    }
}
