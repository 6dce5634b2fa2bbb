// Two or three random opponents by plain enumeration: the reference for counts of matchings.

#include "board_ranks.cuh"
#include "pairs.cuh"

constexpr int MOST_OPPONENTS = 3;

// The holdings of one board that do not beat hero.
struct Unbeaten {
    const unsigned long long* cards;  // two bits set, bit c for card c
    const unsigned char* ties;        // 1 if the holding ties with hero, 0 if hero beats it
    int size;
};

// Deals of one board, by the number of opponents that tie with hero. A board has at most C(1326, 3) <
// 2^29 sets of three holdings.
struct Deals {
    unsigned with_ties[MOST_OPPONENTS + 1] = {};

    // Add the deals of some opponents, who hold `cards` and tie `ties` times, and one more, whose
    // holding comes at `begin` or later.
    __device__ void add_last(const Unbeaten& holdings, int begin, unsigned long long cards, int ties)
    {
        unsigned found = 0, tied = 0;
        for (int last = begin; last < holdings.size; ++last) {
            if (holdings.cards[last] & cards) continue;
            ++found;
            tied += holdings.ties[last];
        }
        for (int t = 0; t < MOST_OPPONENTS; ++t) {  // a computed index would put the counts in memory
            with_ties[t] += t == ties ? found - tied : 0;
            with_ties[t + 1] += t == ties ? tied : 0;
        }
    }
};

// On each of `boards` full boards, a (boards, 5) array of `cards`, count the sets of `opponents`
// disjoint holdings none of which beats hero's: deals[b, t] receives how many of them have exactly t
// that tie, t = 0 to 3. `opponents` is 2 or 3. The holdings are those of the cards in the set
// `undealt`, bit c for card c, the board's left out. `pairs` lists the pairs by number. A block takes a
// board at a time; any grid and block will do.
extern "C" __global__ void enumerate_deals(
    int hero_first,
    int hero_second,
    const Card* __restrict__ cards,
    long long boards,
    unsigned long long undealt,
    int opponents,
    const Pair* __restrict__ pairs,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    unsigned long long* __restrict__ deals)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ unsigned long long unbeaten_cards[COMBOS];
    __shared__ unsigned char unbeaten_ties[COMBOS];
    __shared__ int size;
    __shared__ unsigned long long sums[MOST_OPPONENTS + 1];

    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    for (long long b = blockIdx.x; b < boards; b += gridDim.x) {
        __syncthreads();  // nobody uses what is in shared memory any more
        if (threadIdx.x == 0) {
            size = 0;
            for (int t = 0; t <= MOST_OPPONENTS; ++t) sums[t] = 0;
        }
        const Board board = load_board(cards + b * BOARD, tables, plain);
        const HandRank hero = holding_rank(board, hero_first, hero_second, tables);
        const unsigned long long left = undealt & ~board.cards;
        for (int h = threadIdx.x; h < COMBOS; h += blockDim.x) {
            const int low = lower(pairs[h]), high = higher(pairs[h]);
            if ((left >> low & left >> high & 1) == 0) continue;
            const HandRank other = holding_rank(board, low, high, tables);
            if (other > hero) continue;
            // The order in which threads come here does not matter: sets have no order.
            const int place = atomicAdd(&size, 1);
            unbeaten_cards[place] = 1ULL << low | 1ULL << high;
            unbeaten_ties[place] = other == hero;
        }
        __syncthreads();

        const Unbeaten holdings{unbeaten_cards, unbeaten_ties, size};
        Deals found;
        if (opponents == 2) {
            for (int x = threadIdx.x; x < size; x += blockDim.x) {
                found.add_last(holdings, x + 1, unbeaten_cards[x], unbeaten_ties[x]);
            }
        } else {
            for (int x = 0; x < size; ++x) {
                for (int y = x + 1 + threadIdx.x; y < size; y += blockDim.x) {
                    if (unbeaten_cards[x] & unbeaten_cards[y]) continue;
                    found.add_last(
                        holdings,
                        y + 1,
                        unbeaten_cards[x] | unbeaten_cards[y],
                        unbeaten_ties[x] + unbeaten_ties[y]);
                }
            }
        }
        for (int t = 0; t <= MOST_OPPONENTS; ++t) {
            atomicAdd(&sums[t], (unsigned long long)found.with_ties[t]);
        }
        __syncthreads();
        for (int t = threadIdx.x; t <= MOST_OPPONENTS; t += blockDim.x) {
            deals[b * (MOST_OPPONENTS + 1) + t] = sums[t];
        }
    }
}
