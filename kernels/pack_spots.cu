// Writes hands and boards as sets of cards: 16 bits a suit, bit 0 of them the deuce.

#include "hand_rank.cuh"

// `hands` is (count, 2) cards, `boards` (count, size). undealt[i] receives the cards that neither
// holds.
extern "C" __global__ void pack_spots(
    const Card* __restrict__ hands,
    const Card* __restrict__ boards,
    int size,
    long long count,
    unsigned long long* __restrict__ undealt,
    unsigned long long* __restrict__ board_sets,
    unsigned long long* __restrict__ hand_sets)
{
    const unsigned long long deck = 0x1FFF1FFF1FFF1FFFULL;
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        SuitedRanks hand, board;
        for (int x = 0; x < 2; ++x) hand.add(hands[i * 2 + x]);
        for (int x = 0; x < size; ++x) board.add(boards[i * size + x]);
        undealt[i] = deck & ~(hand.sets | board.sets);
        board_sets[i] = board.sets;
        hand_sets[i] = hand.sets;
    }
}
