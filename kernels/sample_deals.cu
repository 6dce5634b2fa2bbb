// Deals drawn at random: players with ranges, players with random cards, the rest of the board.

#include "hand_rank.cuh"
#include "philox.cuh"
#include "strides.cuh"

namespace gpuodds {

constexpr int SAMPLE_BLOCKS = 8;  // a multiprocessor runs at once: at most 64 registers a thread, no spills

// How combos are drawn: alias tables of gpuodds/games/holdem/draws.py. Kernels take them by value.
struct Draws {
    const int* __restrict__ starts;                 // (ranges + 1,): where each player's entries begin
    const unsigned short* __restrict__ cards;       // (entries,): two cards, the first in the low byte
    const unsigned long long* __restrict__ limits;  // (entries,): of 32 bits, 2^32 or more always holds
    const unsigned short* __restrict__ others;      // (entries,): the combo past the limit
};

static_assert(PACKED_DRAWS(Draws), "Python packs draws in another layout");
static_assert(MAX_PLAYERS < 32, "players fit a 32-bit mask");

__host__ __device__ inline int count_cards(CardBits cards)
{
    return count_bits(unsigned(cards)) + count_bits(unsigned(cards >> 32));
}

__host__ __device__ inline int lowest_card(CardBits cards)
{
    const unsigned low = unsigned(cards);
    return low ? lowest_bit(low) : 32 + lowest_bit(unsigned(cards >> 32));
}

// Draw a combo of one player; return its two cards, the first in the low byte.
__host__ __device__ inline unsigned draw_combo(const Draws& draws, int player, Stream& words)
{
    int entry = draws.starts[player];
    const int count = draws.starts[player + 1] - entry;
    if (count == 1) return draws.cards[entry];
    entry += words.below(count);
    const unsigned long long limit = draws.limits[entry];
    const bool alias = limit <= 0xFFFFFFFFu && words.next() >= limit;
    return alias ? draws.others[entry] : draws.cards[entry];
}

// Draw combos of all players with ranges until no two share a card; count the tuples in `tries`. Write them
// to `held` and return their cards with those known.
__host__ __device__ inline CardBits draw_combos(
    const Draws& draws, int ranges, CardBits known, Stream words, Card (*held)[HOLE_CARDS],
    unsigned long long& tries)
{
    while (true) {
        ++tries;
        CardBits taken = known;
        int player = 0;
        for (; player < ranges; ++player) {
            const unsigned pair = draw_combo(draws, player, words);
            const Card one = pair & 0xFF, two = pair >> 8;
            const CardBits cards = 1ULL << one | 1ULL << two;
            if (taken & cards) break;
            taken |= cards;
            held[player][0] = one;
            held[player][1] = two;
        }
        if (player == ranges) return taken;
    }
}

// The cards of a board and the state of their ranks.
struct DealtBoard {
    int state = 0;
    CardSet cards = 0;

    __host__ __device__ void add(Card card, const HandRankTables& tables)
    {
        state = tables.after(state, rank_of(card));
        cards |= card_set(card);
    }

    // The suit that can make a flush, or -1.
    __host__ __device__ int flush_suit() const
    {
        int found = -1;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (count_bits(ranks_in(cards, suit)) >= SUITED_FOR_FLUSH) found = suit;
        }
        return found;
    }
};

// The players who hold the best hand, a mask.
__host__ __device__ inline unsigned find_best_hands(
    const DealtBoard& board, const Card (*held)[HOLE_CARDS], int players, const HandRankTables& tables)
{
    const int suit = board.flush_suit();
    int best = 0;
    unsigned winners = 0;
    for (int player = 0; player < players; ++player) {
        const Card one = held[player][0], two = held[player][1];
        int rank = tables.plain_7(tables.after(board.state, rank_of(one)), rank_of(two));
        if (suit >= 0) {
            const int mask = ranks_in(board.cards, suit) | (suit_of(one) == suit) << rank_of(one) |
                             (suit_of(two) == suit) << rank_of(two);
            const int flush = tables.flush[mask];
            rank = flush > rank ? flush : rank;
        }
        if (rank > best) {
            best = rank;
            winners = 0;
        }
        if (rank == best) winners |= 1u << player;
    }
    return winners;
}

}  // namespace gpuodds

using namespace gpuodds;

// Deal the samples `begin` to `end` of `seed`. A thread deals a sample at a time, from a deck of its own in
// shared memory (52 bytes each). Also in shared memory: the cards not known, and a 32-bit counter for each
// player with a range and number of winners, which a block raises at most once a sample: a launch has at
// most 2^32 - 1 samples.
//   ranges     players with ranges, 0 to 23; `opponents` more have random cards
//   board      (num_board or more,) uint8, the board cards
//   known      bit c for each board card and dead card c
//   draws      alias tables of the ranges
//   tables     hand-rank tables
//   counts     (ranges, ranges + opponents) uint64, at [p, m] added the samples in which player p is among
//              exactly m + 1 winners
//   tried      (1,) uint64, raised by the tuples of combos drawn
extern "C" __global__ void __launch_bounds__(SAMPLE_THREADS, SAMPLE_BLOCKS) sample_deals(
    long long begin,
    long long end,
    unsigned long long seed,
    int ranges,
    int opponents,
    const Card* __restrict__ board,
    int num_board,
    unsigned long long known,
    Draws draws,
    HandRankTables tables,
    unsigned long long* __restrict__ counts,
    unsigned long long* __restrict__ tried)
{
    __shared__ unsigned found[MAX_PLAYERS * MAX_PLAYERS];
    __shared__ Card fresh[DECK_SIZE], place[DECK_SIZE];  // the unknown cards, the highest first; their places
    __shared__ Card decks[SAMPLE_THREADS][DECK_SIZE];
    const int players = ranges + opponents;
    const int unseen = DECK_SIZE - count_cards(known);
    for (const int card : block_stride(DECK_SIZE)) {
        const CardBits above = ~known & ((1ULL << DECK_SIZE) - 1) & ~((2ULL << card) - 1);
        place[card] = Card(count_cards(above));
        if (!(known >> card & 1)) fresh[place[card]] = Card(card);
    }
    for (const int x : block_stride(ranges * players)) found[x] = 0;
    __syncthreads();

    DealtBoard given;
    for (int i = 0; i < num_board; ++i) given.add(board[i], tables);
    Card held[MAX_PLAYERS][HOLE_CARDS];
    Card* deck = decks[threadIdx.x];
    const int random_cards = HOLE_CARDS * opponents;
    const int wanted = random_cards + BOARD_CARDS - num_board;
    unsigned long long tries = 0;
    for (const long long sample : grid_stride(end - begin)) {
        const long long i = begin + sample;
        const CardBits taken =
            draw_combos(draws, ranges, known, Stream(seed, i, COMBO_STREAM), held, tries);
        for (int at = 0; at < unseen; ++at) deck[at] = fresh[at];
        int live = unseen;
        for (CardBits gone = taken & ~known; gone; gone &= gone - 1) {
            deck[place[lowest_card(gone)]] = deck[--live];
        }
        DealtBoard full = given;
        Stream words(seed, i, CARD_STREAM);
        for (int drawn = 0; drawn < wanted;) {
            int places[CARDS_PER_WORD];
            draw_places(words.next(), drawn / CARDS_PER_WORD, live, i, seed, places);
            for (int x = 0; x < CARDS_PER_WORD && drawn < wanted; ++x, ++drawn) {
                const Card card = deck[places[x]];
                deck[places[x]] = deck[--live];
                if (drawn < random_cards) {
                    held[ranges + drawn / HOLE_CARDS][drawn % HOLE_CARDS] = card;
                } else {
                    full.add(card, tables);
                }
            }
        }
        const unsigned winners = find_best_hands(full, held, players, tables);
        const int others = count_bits(winners) - 1;
        for (unsigned left = winners & ((1u << ranges) - 1); left; left &= left - 1) {
            atomicAdd(&found[lowest_bit(left) * players + others], 1u);
        }
    }
    atomicAdd(tried, tries);
    __syncthreads();
    for (const int x : block_stride(ranges * players)) {
        if (found[x]) atomicAdd(&counts[x], (unsigned long long)found[x]);
    }
}
