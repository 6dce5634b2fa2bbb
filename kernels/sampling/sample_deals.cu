// Deals drawn at random: players with ranges, players with random cards, the rest of the board.

#include "sampling/deals.cuh"

namespace gpuodds {

// How combos are drawn: alias tables of gpuodds/games/shared/draws.py. Kernels take them by value.
struct Draws {
    const int* __restrict__ starts;                 // (ranges + 1,): where each player's entries begin
    const unsigned short* __restrict__ cards;       // (entries,): two cards, the first in the low byte
    const unsigned long long* __restrict__ limits;  // (entries,): of 32 bits, 2^32 or more always holds
    const unsigned short* __restrict__ others;      // (entries,): the combo past the limit
};

static_assert(PACKED_DRAWS(Draws), "Python packs draws in another layout");
static_assert(MAX_PLAYERS < 32, "players fit a 32-bit mask");

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
__device__ inline CardBits draw_combos(
    const Draws& draws, int ranges, CardBits known, Stream words, Card* held, unsigned long long& tries)
{
    while (true) {
        ++tries;
        CardBits taken = known;
        int player = 0;
        for (; player < ranges; ++player) {
            const unsigned pair = draw_combo(draws, player, words);
            const Card one = pair & 0xFF, two = pair >> 8;
            const CardBits both = 1ULL << one | 1ULL << two;
            if (taken & both) break;
            taken |= both;
            held[HOLE_CARDS * player] = one;
            held[HOLE_CARDS * player + 1] = two;
        }
        if (player == ranges) return taken;
    }
}

// A game: who plays and what is known.
struct Game {
    int ranges, folded, opponents, num_board;  // the last `folded` of those with ranges win nothing
    CardBits known;
    unsigned long long seed;

    __device__ int named() const { return ranges - folded; }
    __device__ int competing() const { return named() + opponents; }
    __device__ int to_come() const { return BOARD_CARDS - num_board; }
    __device__ int wanted() const { return HOLE_CARDS * opponents + to_come(); }
    __device__ int unseen() const { return DECK_SIZE - count_cards(known); }
    __device__ int left() const { return unseen() - HOLE_CARDS * ranges; }  // when combos are drawn
};

// Draw the cards of opponents, then those of the board, from the cards before `top` in a deck.
__device__ inline void draw_cards(const Game& game, long long sample, Card* deck, const Choices* choices)
{
    Stream words(game.seed, sample, CARD_STREAM);
    draw_cards(words, 0, game.wanted(), deck + game.left(), deck, choices, sample, game.seed);
}

// The players who hold the best hand, a mask. Those with ranges have their cards in `held`, the others in a
// deck from which draw_cards took them.
__device__ inline unsigned find_best_hands(
    const Game& game, DealtCards board, const Card* deck, const Card* held, const CardKeys& small,
    const HandRank* table, const HandRank* flushes)
{
    const Card* drawn = deck + game.left();  // opponents' cards, downwards
    for (int i = 1; i <= game.to_come(); ++i) board.add(drawn[-HOLE_CARDS * game.opponents - i], small);
    int best = 0;
    unsigned winners = 0;
#pragma unroll 1
    for (int player = 0; player < game.competing(); ++player) {
        const int opponent = player - game.named();
        const Card* cards = opponent < 0 ? held : drawn - HOLE_CARDS * (opponent + 1);
        const int rank = board.rank(cards[0], cards[1], small, table, flushes);
        if (opponent < 0) held += HOLE_CARDS;
        if (rank > best) {
            best = rank;
            winners = 0;
        }
        if (rank == best) winners |= 1u << player;
    }
    return winners;
}

// Deal the samples `begin` to `end`; count winners in `block_counts`, by player and number of winners.
__device__ inline void deal_samples(
    const Game& game, long long begin, long long end, const Draws& draws, bool drawing,
    const DealtCards& given, const FreshDeck& fresh, const Choices* choices, unsigned* own,
    const CardKeys& small, const HandRank* table, const HandRank* flushes, unsigned* block_counts,
    unsigned long long& tries)
{
    Card* deck = reinterpret_cast<Card*>(own);
    Card* held = deck + DECK_SIZE;
    for (const long long number : grid_stride(end - begin)) {
        const long long sample = begin + number;
        // To undo what was drawn would take two loads and a store a card: 13 words are less.
        fresh.copy_to(own);
        if (!drawing) {
            ++tries;
        } else {
            const Stream stream(game.seed, sample, COMBO_STREAM);
            const CardBits taken = draw_combos(draws, game.ranges, game.known, stream, held, tries);
            fresh.remove(taken & ~game.known, deck, game.unseen());
        }
        draw_cards(game, sample, deck, choices);
        const unsigned winners = find_best_hands(game, given, deck, held, small, table, flushes);
        const int others = count_bits(winners) - 1;
        for (unsigned rest = winners & ((1u << game.named()) - 1); rest; rest &= rest - 1) {
            atomicAdd(&block_counts[lowest_bit(rest) * game.competing() + others], 1u);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Deal the samples `begin` to `end` of `seed`. A thread deals a sample at a time, from a deck of its own in
// dynamic shared memory (52 bytes, two for each player with a range, rounded up to an odd number of words).
// Also in shared memory: the cards not known, what each random word chooses among (288 bytes), keys and
// suits of cards (720 bytes), the table of `sums` if there is room, and a 32-bit counter for each player with
// a range and number of winners, which a block raises at most once a sample: a launch has at most 2^32 - 1
// samples.
//   ranges     players with ranges, 0 to 23, of whom the last `folded` win nothing; `opponents` more have random
//              cards
//   board      (num_board or more,) uint8, the board cards
//   known      bit c for each board card and dead card c
//   draws      alias tables of the ranges
//   sums       tables for hands of seven cards
//   in_shared  whether dynamic shared memory has room for the table before the decks
//   counts     (n, n + opponents) uint64 for n players who have not folded, at [p, m] added the samples in
//              which player p is among exactly m + 1 winners
//   tried      (1,) uint64, raised by the tuples of combos drawn
extern "C" __global__ void __launch_bounds__(SAMPLE_THREADS, 1) sample_deals(
    long long begin,
    long long end,
    unsigned long long seed,
    int ranges,
    int folded,
    int opponents,
    const Card* __restrict__ board,
    int num_board,
    unsigned long long known,
    Draws draws,
    RankSums sums,
    int in_shared,
    unsigned long long* __restrict__ counts,
    unsigned long long* __restrict__ tried)
{
    __shared__ unsigned block_counts[MAX_PLAYERS * MAX_PLAYERS];
    __shared__ FreshDeck fresh;
    __shared__ Choices choices[MAX_WORDS];
    __shared__ CardKeys small;
    const Game game{ranges, folded, opponents, num_board, known, seed};
    const int table_words = in_shared ? sums.size * int(sizeof(HandRank)) / 4 : 0;
    // An odd number of words: threads that use the same card of their decks use different banks.
    const int own_words = (DECK_WORDS + (ranges + 1) / 2) | 1;
    unsigned* own = reinterpret_cast<unsigned*>(dynamic_table()) + table_words + threadIdx.x * own_words;
    small.load(sums);
    fresh.deal(known);
    for (const int x : block_stride(game.named() * game.competing())) block_counts[x] = 0;
    for (const int x : block_stride(MAX_WORDS)) choices[x] = Choices(game.left() - CARDS_PER_WORD * x);
    if (in_shared) copy_table(sums);
    __syncthreads();

    // Ranges of one combo each are the same in every sample: they leave the deck once.
    bool drawing = false;
    for (int player = 0; player < ranges; ++player) {
        drawing = drawing || draws.starts[player + 1] - draws.starts[player] > 1;
    }
    unsigned long long tries = 0;
    if (!drawing) {
        Card* held = reinterpret_cast<Card*>(own + DECK_WORDS);
        const CardBits taken = draw_combos(draws, ranges, known, Stream(seed, 0, COMBO_STREAM), held, tries);
        if (threadIdx.x == 0) fresh.remove(taken & ~known, fresh.cards, game.unseen());
        __syncthreads();
        tries = 0;
    }

    DealtCards given;
    for (int i = 0; i < num_board; ++i) given.add(board[i], small);
    const auto deal = [&](const HandRank* table) {
        deal_samples(
            game, begin, end, draws, drawing, given, fresh, choices, own, small, table, sums.flush, block_counts,
            tries);
    };
    if (in_shared) {
        deal(dynamic_table());
    } else {
        deal(sums.table);
    }
    atomicAdd(tried, tries);
    __syncthreads();
    for (const int x : block_stride(game.named() * game.competing())) {
        if (block_counts[x]) atomicAdd(&counts[x], (unsigned long long)block_counts[x]);
    }
}
