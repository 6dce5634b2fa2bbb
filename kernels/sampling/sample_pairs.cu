// Pairs of deals drawn at random, on boards in turn: known hands against players with random cards.

#include "sampling/deals.cuh"

namespace gpuodds {

static_assert(ORDER_ROUNDS == BLOCK_WORDS, "a block of random words has a key for each round");

// The order in which boards come: gpuodds/games/shared/draws.py.
struct BoardOrder {
    long long boards;
    Random columns, rows;
    Random keys[ORDER_ROUNDS];

    // Move a number by one that looks random, below `below`.
    __device__ static Random move(Random number, Random by, Random key, Random below)
    {
        Random mixed = by * Random(ORDER_FACTOR_1) + key;
        mixed = (mixed ^ mixed >> 16) * Random(ORDER_FACTOR_2);
        number += Random(Wide(mixed) * below >> 32);
        return number >= below ? number - below : number;
    }

    // The number of the board of a pair.
    __device__ Random at(long long pair) const
    {
        const Random turn = Random(pair % boards);
        Random across = turn % columns, down = turn / columns;
        Random number;
        do {
            for (int round = 0; round < ORDER_ROUNDS; round += 2) {
                across = move(across, down, keys[round], columns);
                down = move(down, across, keys[round + 1], rows);
            }
            number = down * columns + across;
        } while (number >= boards);
        return number;
    }
};

// Binomial coefficients, in shared memory.
struct Choose {
    Random ways[BOARD_CARDS + 1][DECK_SIZE + 1];

    // The threads of a block share the work. A barrier must follow.
    __device__ void load()
    {
        for (const int cards : block_stride(DECK_SIZE + 1)) {
            Random binomial = 1;
            for (int size = 0; size <= BOARD_CARDS; ++size) {
                ways[size][cards] = binomial;
                binomial = size < cards ? binomial * (cards - size) / (size + 1) : 0;
            }
        }
    }
};

// A game: who plays and what is known.
struct PairGame {
    int named, opponents, num_board, undealt;
    unsigned long long seed;

    __device__ int players() const { return named + opponents; }
    __device__ int to_come() const { return BOARD_CARDS - num_board; }
    __device__ int wanted() const { return HOLE_CARDS * opponents; }
    __device__ int left() const { return undealt - to_come(); }  // when the board is full
};

// Hands, and tables to rank them by.
struct Ranking {
    const CardKeys& small;
    const HandRank* table;
    const HandRank* flushes;

    __device__ int rank(const DealtCards& board, const Card* cards) const
    {
        return board.rank(cards[0], cards[1], small, table, flushes);
    }
};

// Take the cards of board number `number` out of a deck that begins as `fresh` and add them to `board`.
__device__ inline void lay_board(
    const PairGame& game, Random number, const Choose& choose, const FreshDeck& fresh, Card* deck,
    const CardKeys& small, DealtCards& board)
{
    int top = game.undealt;
    for (int size = game.to_come(), last = top; size > 0; --size) {
        do {
            --top;
        } while (choose.ways[size][top] > number);
        number -= choose.ways[size][top];
        board.add(fresh.cards[top], small);
        deck[top] = deck[--last];
    }
}

// How many players win when the opponents' cards lie below `drawn`, the first one highest; 0 if no known hand
// does. `best` is the rank of the `winners` best known hands.
__device__ inline int count_winners(
    const PairGame& game, const DealtCards& board, const Card* drawn, int best, int winners,
    const Ranking& ranking)
{
#pragma unroll 1
    for (int player = 1; player <= game.opponents; ++player) {
        const int rank = ranking.rank(board, drawn - HOLE_CARDS * player);
        if (rank > best) return 0;
        winners += rank == best;
    }
    return winners;
}

// Deal the pairs `begin` to `end`; count them in `block_counts`, by known hand and how each deal ends for it.
__device__ inline void deal_pairs(
    const PairGame& game, long long begin, long long end, const BoardOrder& order, const Choose& choose,
    const Card* hands, const DealtCards& given, const FreshDeck& fresh, const Choices* choices, unsigned* own,
    const Ranking& ranking, unsigned* block_counts)
{
    Card* deck = reinterpret_cast<Card*>(own);
    Card* top = deck + game.left();
    const int words_a_deal = (game.wanted() + CARDS_PER_WORD - 1) / CARDS_PER_WORD;
    const int ends = game.players() + 1;
    for (const long long number : grid_stride(end - begin)) {
        const long long pair = begin + number;
        fresh.copy_to(own);
        DealtCards board = given;
        lay_board(game, order.at(pair), choose, fresh, deck, ranking.small, board);
        int best = 0, num_best = 0;
        unsigned holders = 0;
#pragma unroll 1
        for (int player = 0; player < game.named; ++player) {
            const int rank = ranking.rank(board, hands + HOLE_CARDS * player);
            if (rank > best) {
                best = rank;
                holders = 0;
                num_best = 0;
            }
            if (rank == best) {
                holders |= 1u << player;
                ++num_best;
            }
        }
        Stream words(game.seed, pair, CARD_STREAM);
        int winners[2];
#pragma unroll 1
        for (int deal = 0; deal < 2; ++deal) {
            draw_cards(words, words_a_deal * deal, game.wanted(), top, deck, choices, pair, game.seed);
            winners[deal] = count_winners(game, board, top, best, num_best, ranking);
        }
        for (int player = 0; player < game.named; ++player) {
            const int both = holders >> player & 1 ? winners[0] * ends + winners[1] : 0;
            atomicAdd(&block_counts[player * ends * ends + both], 1u);
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Deal the pairs `begin` to `end` of `seed`. A thread deals a pair at a time, from a deck of its own in dynamic
// shared memory (52 bytes). Also there: the table of `sums`, if there is room, and a 32-bit counter for each
// known hand and how the deals of a pair end for it, which a block raises once a pair: a launch has at most
// 2^32 - 1 pairs. In static shared memory: the undealt cards, what each random word chooses among (288 bytes),
// keys and suits of cards (720 bytes), binomial coefficients (1,272 bytes).
//   hands      (named, 2) uint8, the known hands, 1 to 22; `opponents` more players have random cards
//   board      (num_board or more,) uint8, the board cards, fewer than 5
//   known      bit c for each card of a hand or the board and each dead card
//   columns    of the grid of boards, and its `rows`: board_grid of gpuodds/games/shared/draws.py
//   sums       tables for hands of seven cards
//   in_shared  whether dynamic shared memory has room for the table before the decks
//   counts     (named, players + 1, players + 1) uint64, at [p, first, second] added the pairs whose deals end
//              so for hand p: 0, or with as many winners, of which it is one
extern "C" __global__ void __launch_bounds__(SAMPLE_THREADS, 1) sample_pairs(
    long long begin,
    long long end,
    unsigned long long seed,
    const Card* __restrict__ hands,
    int named,
    int opponents,
    const Card* __restrict__ board,
    int num_board,
    unsigned long long known,
    long long boards,
    int columns,
    int rows,
    RankSums sums,
    int in_shared,
    unsigned long long* __restrict__ counts)
{
    __shared__ FreshDeck fresh;
    __shared__ Choices choices[MAX_WORDS];
    __shared__ CardKeys small;
    __shared__ Choose choose;
    const PairGame game{named, opponents, num_board, DECK_SIZE - count_cards(known), seed};
    const int num_counts = named * (game.players() + 1) * (game.players() + 1);
    // An odd number of words: threads that use the same card of their decks use different banks.
    static_assert(DECK_WORDS % 2 == 1, "decks of an odd number of words");
    const int table_words = in_shared ? sums.size * int(sizeof(HandRank)) / 4 : 0;
    unsigned* decks = reinterpret_cast<unsigned*>(dynamic_table()) + table_words;
    unsigned* block_counts = decks + blockDim.x * DECK_WORDS;
    small.load(sums);
    fresh.deal(known);
    choose.load();
    for (const int x : block_stride(num_counts)) block_counts[x] = 0;
    for (const int x : block_stride(MAX_WORDS)) choices[x] = Choices(game.left() - CARDS_PER_WORD * x);
    if (in_shared) copy_table(sums);
    __syncthreads();

    BoardOrder order{boards, Random(columns), Random(rows), {}};
    philox(0, ORDER_STREAM, 0, seed, order.keys);
    DealtCards given;
    for (int i = 0; i < num_board; ++i) given.add(board[i], small);
    const auto deal = [&](const HandRank* table) {
        const Ranking ranking{small, table, sums.flush};
        unsigned* own = decks + threadIdx.x * DECK_WORDS;
        deal_pairs(game, begin, end, order, choose, hands, given, fresh, choices, own, ranking, block_counts);
    };
    if (in_shared) {
        deal(dynamic_table());
    } else {
        deal(sums.table);
    }
    __syncthreads();
    for (const int x : block_stride(num_counts)) {
        if (block_counts[x]) atomicAdd(&counts[x], (unsigned long long)block_counts[x]);
    }
}
