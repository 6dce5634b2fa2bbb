// Deals of Omaha drawn at random: players with ranges, players with random cards, the rest of the board.

#include "omaha/rank.cuh"
#include "sampling/deals.cuh"

namespace gpuodds {

using PackedHand = unsigned long long;  // a card in each byte, from the lowest on

// How hands are drawn: alias tables of gpuodds/games/omaha/draws.py. Kernels take them by value.
struct OmahaDraws {
    const int* __restrict__ starts;        // (ranges + 1,): where each player's entries begin
    const PackedHand* __restrict__ cards;  // (entries,)
    const unsigned* __restrict__ limits;   // (entries,): words below it leave the entry
    const int* __restrict__ others;        // (entries,): the other entry, itself where no word is drawn
};

static_assert(PACKED_OMAHA_DRAWS(OmahaDraws), "Python packs draws in another layout");

constexpr int MAX_OMAHA_CELLS = MAX_OMAHA_PLAYERS * (MAX_OMAHA_PLAYERS + 1) * (MAX_OMAHA_PLAYERS + 2);
constexpr int MAX_OMAHA_SHARES = MAX_OMAHA_PLAYERS * MAX_OMAHA_PLAYERS;

// Draw a hand of one player.
__host__ __device__ inline PackedHand draw_hand(const OmahaDraws& draws, int player, Stream& words)
{
    int entry = draws.starts[player];
    const int count = draws.starts[player + 1] - entry;
    if (count > 1) {
        entry += int(words.below(Random(count)));
        const int other = draws.others[entry];
        if (other != entry && words.next() >= draws.limits[entry]) entry = other;
    }
    return draws.cards[entry];
}

// A game: who plays and what is known. Kernels take it by value.
struct OmahaGame {
    const Card* __restrict__ board;  // (num_board or more,): the board cards
    CardBits known;                  // bit c for each board card and dead card c
    Wide seed;
    int ranges;     // players with ranges, 1 to 11
    int folded;     // how many of them, the last ones, hold cards and win nothing
    int opponents;  // players with random cards; 11 players in all at most
    int num_board;
    int has_low;    // whether the best low takes half of the pot

    __device__ int named() const { return ranges - folded; }
    __device__ int competing() const { return named() + opponents; }
    __device__ int to_come() const { return BOARD_CARDS - num_board; }
    __device__ int unseen() const { return DECK_SIZE - count_cards(known); }
    // Of a block's counters: by player, how the high half ends and how the low half ends.
    __device__ int lows() const { return has_low ? competing() + 2 : 1; }
    __device__ int cells() const { return named() * (competing() + 1) * lows(); }
    __device__ int shares() const { return named() * competing(); }
};

static_assert(PACKED_OMAHA_GAME(OmahaGame), "Python packs games in another layout");

// What a block counts.
struct OmahaCounters {
    unsigned cells[MAX_OMAHA_CELLS];    // deals in which a named player has a share of the pot, by how
    unsigned shares[MAX_OMAHA_SHARES];  // these by player and number of others who have one

    __device__ void add(const OmahaGame& game, unsigned highs, unsigned lows)
    {
        const unsigned all = highs | lows;
        for (unsigned rest = all & ((1u << game.named()) - 1); rest; rest &= rest - 1) {
            const int player = lowest_bit(rest);
            const int high = highs >> player & 1 ? count_bits(highs) : 0;
            const int low = lows == 0 ? 0 : 1 + (lows >> player & 1 ? count_bits(lows) : 0);
            atomicAdd(&cells[(player * (game.competing() + 1) + high) * game.lows() + low], 1u);
            if (game.has_low) atomicAdd(&shares[player * game.competing() + count_bits(all) - 1], 1u);
        }
    }
};

// What a thread deals from, and what it counts.
template <int HOLE> struct OmahaDealer {
    const OmahaGame& game;
    const OmahaDraws& draws;
    const OmahaTables& tables;
    FreshDeck& fresh;       // of the block, as the next two
    const Choices* choices;
    OmahaCounters& counters;
    Card* deck;             // of the thread, and the cards of the players with ranges behind it
    Wide tries = 0;         // tuples of hands drawn
    unsigned without = 0;   // deals in which no player has a low

    // Draw hands of all players with ranges until no two share a card. Write them to `held` and return
    // their cards with those known.
    __device__ CardBits draw_hands(Stream words, Card* held)
    {
        while (true) {
            ++tries;
            CardBits taken = game.known;
            int player = 0;
            for (; player < game.ranges; ++player) {
                const PackedHand hand = draw_hand(draws, player, words);
                CardBits bits = 0;
                for (int i = 0; i < HOLE; ++i) {
                    const Card card = Card(hand >> 8 * i);
                    bits |= 1ULL << card;
                    held[HOLE * player + i] = card;
                }
                if (taken & bits) break;
                taken |= bits;
            }
            if (player == game.ranges) return taken;
        }
    }

    // Deal the samples `begin` to `end`; `left` cards are left when the hands are drawn.
    __device__ void deal(long long begin, long long end, int left)
    {
        Card* held = deck + DECK_SIZE;
        const int wanted = HOLE * game.opponents + game.to_come();
        // Ranges of one hand each are the same in every sample: they leave the deck once.
        const bool drawing = draws.starts[game.ranges] > game.ranges;
        if (!drawing) {
            const CardBits taken = draw_hands(Stream(game.seed, 0, COMBO_STREAM), held);
            if (threadIdx.x == 0) fresh.remove(taken & ~game.known, fresh.cards, game.unseen());
            tries = 0;
        }
        __syncthreads();

        OmahaCards given;
        for (int i = 0; i < game.num_board; ++i) given.add(game.board[i], tables);
        for (const long long number : grid_stride(end - begin)) {
            const long long sample = begin + number;
            fresh.copy_to(reinterpret_cast<unsigned*>(deck));
            if (drawing) {
                const CardBits taken = draw_hands(Stream(game.seed, sample, COMBO_STREAM), held);
                fresh.remove(taken & ~game.known, deck, game.unseen());
            } else {
                ++tries;
            }
            Stream words(game.seed, sample, CARD_STREAM);
            draw_cards(words, 0, wanted, deck + left, deck, choices, sample, game.seed);
            compare(given, held, deck + left);
        }
    }

    // Compare the hands of players with ranges, `held`, and those of opponents; count the deal. `drawn`
    // is behind what was drawn: opponents' cards, downwards, then those of the board.
    __device__ void compare(OmahaCards dealt, const Card* held, const Card* drawn)
    {
        for (int i = 1; i <= game.to_come(); ++i) dealt.add(drawn[-HOLE * game.opponents - i], tables);
        const OmahaBoard board(dealt);
        Best high, low;
#pragma unroll 1
        for (int player = 0; player < game.competing(); ++player) {
            const int opponent = player - game.named();
            const Card* cards = opponent < 0 ? held + HOLE * player : drawn - HOLE * (opponent + 1);
            high.add(player, board.rank<HOLE>(cards, tables));
            if (game.has_low) low.add(player, board.low<HOLE>(cards, tables));
        }
        without += low.players == 0;
        counters.add(game, high.players, low.players);
    }
};

// Deal the samples `begin` to `end`: see sample_omaha_4.
template <int HOLE>
__device__ inline void sample_omaha(
    long long begin, long long end, const OmahaGame& game, const OmahaDraws& draws, const OmahaTables& tables,
    Wide* cells, Wide* shares, Wide* tried)
{
    __shared__ OmahaCounters counters;
    __shared__ FreshDeck fresh;
    __shared__ Choices choices[MAX_WORDS];
    // An odd number of words: threads that use the same card of their decks use different banks.
    const int own_words = (DECK_WORDS + (HOLE * game.ranges + 3) / 4) | 1;
    unsigned* own = reinterpret_cast<unsigned*>(dynamic_table()) + threadIdx.x * own_words;
    fresh.deal(game.known);
    const int left = game.unseen() - HOLE * game.ranges;  // cards when the hands are drawn
    for (const int x : block_stride(MAX_WORDS)) choices[x] = Choices(left - CARDS_PER_WORD * x);
    for (const int x : block_stride(game.cells())) counters.cells[x] = 0;
    for (const int x : block_stride(game.shares())) counters.shares[x] = 0;
    __syncthreads();

    OmahaDealer<HOLE> dealer{game, draws, tables, fresh, choices, counters, reinterpret_cast<Card*>(own)};
    dealer.deal(begin, end, left);
    atomicAdd(&tried[0], dealer.tries);
    if (game.has_low) atomicAdd(&tried[1], (Wide)dealer.without);
    __syncthreads();
    for (const int x : block_stride(game.cells())) {
        if (counters.cells[x]) atomicAdd(&cells[x], (Wide)counters.cells[x]);
    }
    for (const int x : block_stride(game.shares())) {
        if (counters.shares[x]) atomicAdd(&shares[x], (Wide)counters.shares[x]);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Deal the samples `begin` to `end` of `game.seed`, with four hole cards. A thread deals a sample at a time, from
// a deck of its own in dynamic shared memory (52 bytes and the cards of each player with a range, rounded up
// to an odd number of words). Also in shared memory: the cards not known, what each random word chooses
// among (288 bytes), and 32-bit counters (7.3 KB), of which each is raised at most once a sample: a launch
// has at most 2^32 - 1 samples.
//   game    who plays and what is known
//   draws   alias tables of the ranges
//   tables  ranks of hands
//   cells   (n, all + 1, all + 2, or 1 without lows) uint64 for n named players of all, those who folded
//           left out, raised by the samples in which player p has a share of the pot: at [p, h, l] p is
//           among h players with the best high, 0 if not, and l is 0 without a low, 1 if p has not the
//           best one, else 1 + the number of players who have it
//   shares  (n, all) uint64, with lows raised by these at [p, number of others with a share]
//   tried   (2,) uint64, raised by the tuples of hands drawn and, with lows, the deals in which no player
//           has one
extern "C" __global__ void __launch_bounds__(OMAHA_SAMPLE_THREADS, 5) sample_omaha_4(
    long long begin,
    long long end,
    OmahaGame game,
    OmahaDraws draws,
    OmahaTables tables,
    unsigned long long* __restrict__ cells,
    unsigned long long* __restrict__ shares,
    unsigned long long* __restrict__ tried)
{
    sample_omaha<4>(begin, end, game, draws, tables, cells, shares, tried);
}

// Deal samples as sample_omaha_4 does, with five hole cards.
extern "C" __global__ void __launch_bounds__(OMAHA_SAMPLE_THREADS, 5) sample_omaha_5(
    long long begin,
    long long end,
    OmahaGame game,
    OmahaDraws draws,
    OmahaTables tables,
    unsigned long long* __restrict__ cells,
    unsigned long long* __restrict__ shares,
    unsigned long long* __restrict__ tried)
{
    sample_omaha<5>(begin, end, game, draws, tables, cells, shares, tried);
}

// Deal samples as sample_omaha_4 does, with six hole cards.
extern "C" __global__ void __launch_bounds__(OMAHA_SAMPLE_THREADS, 5) sample_omaha_6(
    long long begin,
    long long end,
    OmahaGame game,
    OmahaDraws draws,
    OmahaTables tables,
    unsigned long long* __restrict__ cells,
    unsigned long long* __restrict__ shares,
    unsigned long long* __restrict__ tried)
{
    sample_omaha<6>(begin, end, game, draws, tables, cells, shares, tried);
}
