// Cards, ranks and sets of cards.

#pragma once

#include "constants.cuh"
#include "shared/bits.cuh"

namespace gpuodds {

using Card = unsigned char;           // 0 to 51: SUITS * rank + suit, rank 0 the deuce, 12 the ace
using RankSet = unsigned short;       // bit 0 the deuce, bit 12 the ace
using CardSet = unsigned long long;   // a RankSet for each suit, SUIT_BITS apart
using CardBits = unsigned long long;  // bit c for card c

constexpr int SUIT_BITS = 16;
constexpr CardSet ONE_PER_SUIT = 0x0001000100010001ULL;  // times a RankSet: those ranks in every suit
[[maybe_unused]] constexpr RankSet ALL_RANKS = (1 << RANKS) - 1;

static_assert(SUITS == 4, "rank_of and suit_of shift and mask by two bits");
static_assert(RANKS <= SUIT_BITS && SUITS * SUIT_BITS <= 64, "a CardSet has a RankSet for each suit");
static_assert(DECK_SIZE == RANKS * SUITS && DECK_SIZE <= 64, "CardBits has a bit for each card");

__host__ __device__ inline int rank_of(Card card) { return card >> 2; }
__host__ __device__ inline int suit_of(Card card) { return card & 3; }

__host__ __device__ inline CardSet card_set(Card card)
{
    return 1ULL << (SUIT_BITS * suit_of(card) + rank_of(card));
}

// The ranks of the cards of one suit.
__host__ __device__ inline RankSet ranks_in(CardSet cards, int suit)
{
    return RankSet(cards >> (SUIT_BITS * suit));
}

// The ranks of the cards of all suits.
__host__ __device__ inline RankSet ranks_of(CardSet cards)
{
    return RankSet(cards | cards >> SUIT_BITS | cards >> 2 * SUIT_BITS | cards >> 3 * SUIT_BITS);
}

// The number of cards of one rank, 0 to SUITS.
__host__ __device__ inline int count_rank(CardSet cards, int rank)
{
    const CardSet column = cards >> rank & ONE_PER_SUIT;
    return int(column * ONE_PER_SUIT >> 3 * SUIT_BITS);
}

// The number of cards of a set, and the lowest of them.
__host__ __device__ inline int count_cards(CardBits cards)
{
    return count_bits(unsigned(cards)) + count_bits(unsigned(cards >> 32));
}

__host__ __device__ inline int lowest_card(CardBits cards)
{
    const unsigned low = unsigned(cards);
    return low ? lowest_bit(low) : 32 + lowest_bit(unsigned(cards >> 32));
}

}  // namespace gpuodds
