// One combo against every other on every board by plain enumeration: the reference for faster ways.

#include "board_ranks.cuh"

namespace gpuodds {

// n choose k for n up to 52: the product of five numbers up to 52 is below 2^32.
__host__ __device__ inline unsigned choose(unsigned n, int k)
{
    switch (k) {
        case 1: return n;
        case 2: return n * (n - 1) / 2;
        case 3: return n * (n - 1) * (n - 2) / 6;
        case 4: return n * (n - 1) * (n - 2) * (n - 3) / 24;
        case 5: return n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 120;
    }
    return 1;
}

// The subset of `size` of the numbers 0 to n - 1 that has the number `index` in colexicographic order,
// ascending.
__host__ __device__ inline void list_subset(unsigned index, int n, int size, int* subset)
{
    for (int k = size; k > 0; --k) {
        // The largest number with at most `index` subsets of k below it.
        int low = k - 1, high = n;
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            if (choose(middle, k) <= index) {
                low = middle;
            } else {
                high = middle;
            }
        }
        subset[k - 1] = low;
        index -= choose(low, k);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Count how often hero wins, ties and loses against every opponent's combo on every board.
// A block takes a board at a time; its threads share the opponents' combos. Shared memory: the board, the
// deck without it, the ranks of 13 x 13 pairs of card ranks. A thread counts in 32 bits: there are at most
// C(50, 5) x 990 = 2,097,572,400 showdowns.
//   hero_first, hero_second  hero's cards
//   deck                     (deck_size,) uint8, the cards that may still come
//   known                    (5 - to_come,) uint8, the board cards; the boards are all C(deck_size, to_come)
//                            ways to complete them
//   pairs                    (1326,) uint16, the two cards of each combo
//   tables                   hand-rank tables
//   counts                   (3,) uint64, wins, ties and losses, added to
extern "C" __global__ void enumerate_heads_up(
    int hero_first,
    int hero_second,
    const Card* __restrict__ deck,
    int deck_size,
    const Card* __restrict__ known,
    int to_come,
    const Pair* __restrict__ pairs,
    HandRankTables tables,
    unsigned long long* __restrict__ counts)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ int taken[BOARD_CARDS];  // which cards of the deck complete the board
    __shared__ Card cards[BOARD_CARDS];
    __shared__ Card left[DECK_SIZE];  // the deck without the board
    __shared__ unsigned long long sums[3];

    const int cards_left = deck_size - to_come;
    const int combos = cards_left * (cards_left - 1) / 2;
    unsigned wins = 0, ties = 0, losses = 0;
    for (const long long b : grid_stride_blocks(choose(deck_size, to_come))) {
        if (threadIdx.x == 0) {
            list_subset(unsigned(b), deck_size, to_come, taken);
            for (int i = 0; i < to_come; ++i) cards[i] = deck[taken[i]];
            for (int i = to_come; i < BOARD_CARDS; ++i) cards[i] = known[i - to_come];
        }
        __syncthreads();
        for (const int i : block_stride(deck_size)) {
            int before = 0;
            bool free = true;
            for (int j = 0; j < to_come; ++j) {
                before += taken[j] < i;
                free = free && taken[j] != i;
            }
            if (free) left[i - before] = deck[i];
        }
        const Board board = load_board(cards, tables, plain);  // its barrier also completes `left`
        const HandRank hero = combo_rank(board, Card(hero_first), Card(hero_second), tables);
        for (const int h : block_stride(combos)) {
            const HandRank other =
                combo_rank(board, left[lower(pairs[h])], left[higher(pairs[h])], tables);
            wins += hero > other;
            ties += hero == other;
            losses += hero < other;
        }
    }

    for (const int i : block_stride(3)) sums[i] = 0;
    __syncthreads();
    atomicAdd(&sums[0], (unsigned long long)wins);
    atomicAdd(&sums[1], (unsigned long long)ties);
    atomicAdd(&sums[2], (unsigned long long)losses);
    __syncthreads();
    for (const int i : block_stride(3)) atomicAdd(&counts[i], sums[i]);
}
