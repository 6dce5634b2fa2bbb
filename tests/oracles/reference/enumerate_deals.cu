// Two or three random opponents by plain enumeration: the reference for counts of matchings.

#include "shared/board_ranks.cuh"

namespace gpuodds {

constexpr int MAX_OPPONENTS = 3;

// The combos of one board that do not beat hero.
struct Unbeaten {
    const CardBits* cards;      // two bits set
    const unsigned char* ties;  // 1 if the combo ties with hero, 0 if hero beats it
    int size;
};

// Deals of one board, by the number of opponents that tie with hero. A board has at most C(1326, 3) < 2^29
// sets of three combos, so a block's sums have 32 bits as well: 64-bit atomics on shared memory would spin.
struct Deals {
    unsigned with_ties[MAX_OPPONENTS + 1] = {};

    // Add the deals of some opponents, who hold `cards` and tie `ties` times, and one more, whose combo comes
    // at `begin` or later.
    __device__ void add_last(const Unbeaten& combos, int begin, CardBits cards, int ties)
    {
        unsigned found = 0, tied = 0;
        for (int last = begin; last < combos.size; ++last) {
            if (combos.cards[last] & cards) continue;
            ++found;
            tied += combos.ties[last];
        }
        for (int t = 0; t < MAX_OPPONENTS; ++t) {  // a computed index would put the counts in memory
            with_ties[t] += t == ties ? found - tied : 0;
            with_ties[t + 1] += t == ties ? tied : 0;
        }
    }

    // Add the deals of two opponents, the first of whom holds combo x.
    __device__ void add_pairs(const Unbeaten& combos, int x)
    {
        add_last(combos, x + 1, combos.cards[x], combos.ties[x]);
    }

    // Add the deals of three opponents, the first two of whom hold the combos x and y.
    __device__ void add_triples(const Unbeaten& combos, int x, int y)
    {
        if (combos.cards[x] & combos.cards[y]) return;
        add_last(combos, y + 1, combos.cards[x] | combos.cards[y], combos.ties[x] + combos.ties[y]);
    }
};

}  // namespace gpuodds

using namespace gpuodds;

// Count, on each of `boards` full boards, the sets of `opponents` disjoint combos none of which beats hero's,
// by ties. A block takes a board at a time; its threads share the first or the second opponent's combos.
// Shared memory: the combos that do not beat hero (12 KB), sums. Counters as in Deals.
//   hero_first, hero_second  hero's cards
//   cards                    (boards, 5) uint8, card numbers
//   undealt                  bit c for each card c that opponents or the board may hold
//   opponents                2 or 3
//   pairs                    (1326,) uint16, the two cards of each combo
//   tables                   hand-rank tables
//   deals                    (boards, 4) uint64, receives sets by the number of ties
extern "C" __global__ void enumerate_deals(
    int hero_first,
    int hero_second,
    const Card* __restrict__ cards,
    long long boards,
    unsigned long long undealt,
    int opponents,
    const Pair* __restrict__ pairs,
    HandRankTables tables,
    unsigned long long* __restrict__ deals)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ unsigned long long unbeaten_cards[COMBOS];
    __shared__ unsigned char unbeaten_ties[COMBOS];
    __shared__ int size;
    __shared__ unsigned sums[MAX_OPPONENTS + 1];

    for (const long long b : grid_stride_blocks(boards)) {
        __syncthreads();  // every thread has read the last board's sums
        if (threadIdx.x == 0) {
            size = 0;
            for (int t = 0; t <= MAX_OPPONENTS; ++t) sums[t] = 0;
        }
        const Board board = load_board(cards + b * BOARD_CARDS, tables, plain);
        const HandRank hero = combo_rank(board, Card(hero_first), Card(hero_second), tables);
        const CardBits left = undealt & ~board.cards;
        for (const int h : block_stride(COMBOS)) {
            const int low = lower(pairs[h]), high = higher(pairs[h]);
            if ((left >> low & left >> high & 1) == 0) continue;
            const HandRank other = combo_rank(board, Card(low), Card(high), tables);
            if (other > hero) continue;
            // The order in which threads come here does not matter: sets have no order.
            const int place = atomicAdd(&size, 1);
            unbeaten_cards[place] = 1ULL << low | 1ULL << high;
            unbeaten_ties[place] = other == hero;
        }
        __syncthreads();

        const Unbeaten combos{unbeaten_cards, unbeaten_ties, size};
        Deals found;
        if (opponents == 2) {
            for (const int x : block_stride(size)) found.add_pairs(combos, x);
        } else {
            for (int x = 0; x < size; ++x) {
                for (const int y : block_stride(size)) {
                    if (y > x) found.add_triples(combos, x, y);
                }
            }
        }
        for (int t = 0; t <= MAX_OPPONENTS; ++t) atomicAdd(&sums[t], found.with_ties[t]);
        __syncthreads();
        for (const int t : block_stride(MAX_OPPONENTS + 1)) deals[b * (MAX_OPPONENTS + 1) + t] = sums[t];
    }
}
