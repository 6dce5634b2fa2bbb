// Deals drawn at random: players with ranges, players with random cards, the rest of the board.

#include "sampling/deals.cuh"

namespace gpuodds {

// How combos are drawn: alias tables of gpuodds/games/shared/draws.py. Kernels take them by value.
struct Draws {
    const int* __restrict__ starts;       // (tables + 1,): where each table's entries begin
    const int* __restrict__ holders;      // (tables, 2): the players of a table, -1 for no second one
    const int* __restrict__ words;        // (tables,): the random words of a draw, 0 to 2
    const unsigned* __restrict__ cards;   // (entries,): two cards of each player, from the lowest byte on
    const unsigned* __restrict__ limits;  // (entries,): a second word below it leaves the entry
    const int* __restrict__ others;       // (entries,): the other entry
    int tables;
    int blocks;  // of random words of an attempt, 0 if all hands are known
    int spare;   // whether what the first attempt leaves of its blocks are the words of the cards
};

static_assert(PACKED_DRAWS(Draws), "Python packs draws in another layout");
static_assert(MAX_PLAYERS < 32, "players fit a 32-bit mask");

// Draw from a table: two cards of each of its players, from the lowest byte on. Set `failed` where the word would
// favour some entries, Lemire's method.
__device__ inline unsigned draw_from(const Draws& draws, int table, Stream& words, bool& failed)
{
    int entry = draws.starts[table];
    const int number = draws.words[table];
    if (number == 0) return draws.cards[entry];
    const Random count = draws.starts[table + 1] - entry;
    const Wide product = Wide(words.next()) * count;
    if (Random(product) < count && Random(product) < (0u - count) % count) failed = true;
    entry += int(product >> 32);
    if (number == 2 && words.next() >= draws.limits[entry]) entry = draws.others[entry];
    return draws.cards[entry];
}

// Draw combos of all players with ranges until no two share a card; count the attempts in `tries`. Write them to
// `held` and return their cards with those known. `cards` are the words of the cards, of a stream of their own if the
// first attempt has none to spare.
__device__ inline CardBits draw_combos(
    const Draws& draws, CardBits known, Wide seed, Wide sample, Card* held, Stream& cards, unsigned long long& tries)
{
    for (int attempt = 0;; ++attempt) {
        ++tries;
        Stream words(seed, sample, COMBO_STREAM, Random(attempt * draws.blocks));
        CardBits taken = known;
        bool failed = false;
        // The first attempt goes to the end, where its spare words are.
        for (int table = 0; table < draws.tables && !(failed && attempt); ++table) {
            unsigned drawn = draw_from(draws, table, words, failed);
            for (int place = 0; place < 2; ++place, drawn >>= 16) {
                const int player = draws.holders[2 * table + place];
                if (player < 0) break;
                const Card one = drawn & 0xFF, two = drawn >> 8 & 0xFF;
                const CardBits both = 1ULL << one | 1ULL << two;
                failed = failed || (taken & both);
                taken |= both;
                held[HOLE_CARDS * player] = one;
                held[HOLE_CARDS * player + 1] = two;
            }
        }
        if (attempt == 0 && draws.spare) cards = words;
        if (!failed) return taken;
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
__device__ inline void draw_cards(
    const Game& game, Stream& words, long long sample, Card* deck, const Choices* choices)
{
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
    const Game& game, long long begin, long long end, const Draws& draws,
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
        Stream words(game.seed, sample, CARD_STREAM);
        if (draws.blocks == 0) {
            ++tries;
        } else {
            const CardBits taken = draw_combos(draws, game.known, game.seed, sample, held, words, tries);
            fresh.remove(taken & ~game.known, deck, game.unseen());
        }
        draw_cards(game, words, sample, deck, choices);
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
//   tried      (1,) uint64, raised by the attempts at combos
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

    // Known hands are the same in every sample: they leave the deck once.
    unsigned long long tries = 0;
    if (draws.blocks == 0) {
        Card* held = reinterpret_cast<Card*>(own + DECK_WORDS);
        Stream none(seed, 0, CARD_STREAM);
        const CardBits taken = draw_combos(draws, known, seed, 0, held, none, tries);
        if (threadIdx.x == 0) fresh.remove(taken & ~known, fresh.cards, game.unseen());
        __syncthreads();
        tries = 0;
    }

    DealtCards given;
    for (int i = 0; i < num_board; ++i) given.add(board[i], small);
    const auto deal = [&](const HandRank* table) {
        deal_samples(
            game, begin, end, draws, given, fresh, choices, own, small, table, sums.flush, block_counts,
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
