// What kernels that draw deals share: decks, cards drawn from them, hands ranked by sums.

#pragma once

#include "arrays/rank_sums.cuh"
#include "sampling/philox.cuh"

namespace gpuodds {

constexpr int DECK_WORDS = DECK_SIZE / 4;
constexpr int MAX_WORDS = (DECK_SIZE + CARDS_PER_WORD - 1) / CARDS_PER_WORD;  // random ones a deal

static_assert(DECK_SIZE % 4 == 0, "a deck fills whole words");

// The cards that are not known, the highest first, and the place of each among them; the known ones behind
// them, which decks copy along. Shared by a block.
struct FreshDeck {
    alignas(4) Card cards[DECK_SIZE];
    Card places[DECK_SIZE];

    // The threads of a block share the work. A barrier must follow.
    __device__ void deal(CardBits known)
    {
        for (const int card : block_stride(DECK_SIZE)) {
            const CardBits others = known >> card & 1 ? known & ((1ULL << card) - 1)
                                                      : ~known & ((1ULL << DECK_SIZE) - 1) & ~((2ULL << card) - 1);
            const int before = count_cards(others);
            places[card] = Card(known >> card & 1 ? DECK_SIZE - 1 - before : before);
            cards[places[card]] = Card(card);
        }
    }

    // Copy the deck to a thread's own.
    __device__ void copy_to(unsigned* own) const
    {
        // Volatile, or the compiler keeps all words in registers and spills others.
        const volatile unsigned* words = reinterpret_cast<const unsigned*>(cards);
        for (int w = 0; w < DECK_WORDS; ++w) own[w] = words[w];
    }

    // Remove cards from a deck of `live` cards that began as this one.
    __device__ void remove(CardBits gone, Card* deck, int live) const
    {
        for (; gone; gone &= gone - 1) deck[places[lowest_card(gone)]] = deck[--live];
    }
};

// Some cards of a deal: the sum of their keys, and their ranks by suit.
struct DealtCards {
    KeySum sum = 0;
    CardSet cards = 0;

    __device__ void add(Card card, const CardKeys& small)
    {
        sum += small.keys[card];
        cards |= card_set(card);
    }

    // The rank of these, five cards, and two more.
    __device__ HandRank rank(
        Card one, Card two, const CardKeys& small, const HandRank* table, const HandRank* flushes) const
    {
        const KeySum whole = sum + small.keys[one] + small.keys[two];
        const unsigned flush = small.flush_suit(whole);
        if (flush == 0) return plain_rank(whole, table);
        return flushes[ranks_in(cards | card_set(one) | card_set(two), int(flush) - 1)];
    }
};

// Draw `wanted` cards from those before `top` in a deck. They come to lie below `top`, the first one highest.
// `words` are the sample's card stream, from word number `begin` on; `choices` are those of each word.
__device__ inline void draw_cards(
    Stream& words, int begin, int wanted, Card* top, Card* deck, const Choices* choices, long long sample,
    Wide seed)
{
    for (int drawn = 0; drawn < wanted; drawn += CARDS_PER_WORD, top -= CARDS_PER_WORD) {
        const int number = drawn / CARDS_PER_WORD;
        int places[CARDS_PER_WORD];
        draw_places(words.next(), begin + number, choices[number], sample, seed, places);
        for (int x = 0; x < CARDS_PER_WORD && drawn + x < wanted; ++x) {
            const Card card = deck[places[x]];
            deck[places[x]] = top[-1 - x];
            top[-1 - x] = card;
        }
    }
}

}  // namespace gpuodds
