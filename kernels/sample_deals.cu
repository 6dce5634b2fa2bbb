// Draws deals at random: players with ranges, players with random cards, the rest of the board.

#include "bits.cuh"
#include "hand_rank.cuh"
#include "philox.cuh"

constexpr int MOST_PLAYERS = 23;
constexpr int BOARD = 5;
constexpr int DECK = 52;
constexpr int BLOCK = 128;  // threads of a block, at most: each has a deck in shared memory

// Sample i of `begin` to `end` is one deal: gpuodds/games/holdem/draws.py says how holdings are drawn from
// `starts`, `cards`, `limits` and `others`, the tables of `ranges` players. `board` are the `lying`
// board cards, `known` these and the dead cards as a set. counts[p][m], (ranges, ranges + opponents),
// receives the samples in which player p is among exactly m + 1 winners, `tried` the tuples of holdings
// drawn. Each is added to once a sample or try, so 64 bits never run over.
extern "C" __global__ void __launch_bounds__(BLOCK) sample_deals(
    long long begin,
    long long end,
    unsigned long long seed,
    int ranges,
    int opponents,
    const Card* __restrict__ board,
    int lying,
    unsigned long long known,
    const int* __restrict__ starts,
    const unsigned short* __restrict__ cards,
    const unsigned long long* __restrict__ limits,
    const unsigned short* __restrict__ others,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    unsigned long long* __restrict__ counts,
    unsigned long long* __restrict__ tried)
{
    __shared__ unsigned found[MOST_PLAYERS * MOST_PLAYERS];
    __shared__ Card fresh[DECK], place[DECK];  // the cards not known, the highest first, and where
    __shared__ Card decks[BLOCK][DECK];
    const int players = ranges + opponents;
    const int unseen = DECK - count_bits(unsigned(known)) - count_bits(unsigned(known >> 32));
    for (int card = threadIdx.x; card < DECK; card += blockDim.x) {
        const unsigned long long above = ~known & ((1ULL << DECK) - 1) & ~((2ULL << card) - 1);
        const int at = count_bits(unsigned(above)) + count_bits(unsigned(above >> 32));
        place[card] = Card(at);
        if (!(known >> card & 1)) fresh[at] = Card(card);
    }
    for (int x = threadIdx.x; x < ranges * players; x += blockDim.x) found[x] = 0;
    __syncthreads();

    int given = 0;
    SuitedRanks given_suited;
    for (int i = 0; i < lying; ++i) {
        given = step[given * RANKS + rank_of(board[i])];
        given_suited.add(board[i]);
    }
    Card held[MOST_PLAYERS][2];
    Card* deck = decks[threadIdx.x];
    const int wanted = 2 * opponents + BOARD - lying;
    unsigned long long tries = 0;
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = begin + (long long)blockIdx.x * blockDim.x + threadIdx.x; i < end; i += threads) {
        Words holdings(seed, i, COMBO_STREAM);
        unsigned long long taken = known;
        for (bool drawn = false; !drawn;) {
            taken = known;
            ++tries;
            drawn = true;
            for (int player = 0; player < ranges; ++player) {
                int entry = starts[player];
                const int count = starts[player + 1] - entry;
                unsigned pair = cards[entry];
                if (count > 1) {
                    entry += holdings.below(count);
                    pair = cards[entry];
                    const unsigned long long limit = limits[entry];
                    if (limit <= 0xFFFFFFFFu && holdings.next() >= limit) pair = others[entry];
                }
                const unsigned long long bits = 1ULL << (pair & 63) | 1ULL << (pair >> 8);
                if (taken & bits) {
                    drawn = false;
                    break;
                }
                taken |= bits;
                held[player][0] = Card(pair & 63);
                held[player][1] = Card(pair >> 8);
            }
        }
        for (int at = 0; at < unseen; ++at) deck[at] = fresh[at];
        int live = unseen;
        for (unsigned long long gone = taken & ~known; gone; gone &= gone - 1) {
            const unsigned low = unsigned(gone);
            const int card = low ? lowest_bit(low) : 32 + lowest_bit(unsigned(gone >> 32));
            deck[place[card]] = deck[--live];
        }
        int state = given;
        SuitedRanks suited = given_suited;
        Words deals(seed, i, CARD_STREAM);
        for (int drawn = 0; drawn < wanted;) {
            int places[CARDS_A_WORD];
            draw_places(deals.next(), drawn / CARDS_A_WORD, live, i, seed, places);
            for (int x = 0; x < CARDS_A_WORD && drawn < wanted; ++x, ++drawn) {
                const Card card = deck[places[x]];
                deck[places[x]] = deck[--live];
                if (drawn < 2 * opponents) {
                    held[ranges + drawn / 2][drawn % 2] = card;
                } else {
                    state = step[state * RANKS + rank_of(card)];
                    suited.add(card);
                }
            }
        }
        int flush_suit = -1;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (count_bits(suited.in(suit)) >= 3) flush_suit = suit;
        }
        int best = 0, winners = 0;
        unsigned winning = 0;
        for (int player = 0; player < players; ++player) {
            const Card one = held[player][0], two = held[player][1];
            const int six = step[state * RANKS + rank_of(one)] - SIX_CARDS;
            int rank = rank_7[six * RANKS + rank_of(two)];
            if (flush_suit >= 0) {
                const int mask = suited.in(flush_suit) | (suit_of(one) == flush_suit) << rank_of(one) |
                                 (suit_of(two) == flush_suit) << rank_of(two);
                const int of_suit = flush[mask];
                rank = of_suit > rank ? of_suit : rank;
            }
            if (rank > best) {
                best = rank;
                winners = 0;
                winning = 0;
            }
            if (rank == best) {
                ++winners;
                winning |= 1u << player;
            }
        }
        winning &= (1u << ranges) - 1;
        for (; winning; winning &= winning - 1) {
            atomicAdd(&found[lowest_bit(winning) * players + winners - 1], 1u);
        }
    }
    atomicAdd(tried, tries);
    __syncthreads();
    for (int x = threadIdx.x; x < ranges * players; x += blockDim.x) {
        if (found[x]) atomicAdd(&counts[x], (unsigned long long)found[x]);
    }
}
