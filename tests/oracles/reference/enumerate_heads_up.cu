// One combo against every other on every board by plain enumeration: the reference for faster ways.

#include "shared/board_ranks.cuh"

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

// The ways to complete a board, in colexicographic order.
struct Completion {
    int taken[BOARD_CARDS] = {};  // the cards of the deck, ascending

    __device__ Completion(unsigned index, int deck_size, int to_come)
    {
        list_subset(index, deck_size, to_come, taken);
    }

    // Go to the next one; the last has none.
    __device__ void advance(int deck_size, int to_come)
    {
        bool done = false;
        for (int i = 0; i < BOARD_CARDS; ++i) {  // a computed index would put the cards in memory
            if (i >= to_come || done) continue;
            const int limit = i + 1 < to_come ? taken[i + 1 < BOARD_CARDS ? i + 1 : i] : deck_size;
            done = taken[i] + 1 < limit;
            taken[i] = done ? taken[i] + 1 : i;
        }
    }

    // The place of card `i` of the deck among those that are left, -1 if it is taken.
    __device__ int place(int i, int to_come) const
    {
        int before = 0;
        for (int j = 0; j < BOARD_CARDS; ++j) {
            if (j >= to_come) continue;
            if (taken[j] == i) return -1;
            before += taken[j] < i;
        }
        return i - before;
    }
};

}  // namespace gpuodds

using namespace gpuodds;

// Count how often hero wins, ties and loses against every opponent's combo on every board.
// Each block takes as many boards as any other, one after another; its threads share the opponents' combos.
// Shared memory: the deck without the board and the ranks of 13 x 13 pairs of card ranks, twice, since a
// thread may be a board ahead of another; sums. They have 32 bits: there are at most
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
    __shared__ HandRank plain[2][RANK_PAIRS];
    __shared__ Card left[2][DECK_SIZE];
    __shared__ unsigned sums[3];

    for (const int i : block_stride(3)) sums[i] = 0;
    __syncthreads();
    const int cards_left = deck_size - to_come;
    const int combos = cards_left * (cards_left - 1) / 2;
    const unsigned boards = choose(deck_size, to_come), share = (boards + gridDim.x - 1) / gridDim.x;
    const long long first = (long long)blockIdx.x * share;
    const unsigned begin = first < boards ? unsigned(first) : boards;
    const unsigned end = boards - begin < share ? boards : begin + share;
    unsigned wins = 0, ties = 0, showdowns = 0;
    Completion completion(begin < boards ? begin : 0, deck_size, to_come);
    for (unsigned b = begin; b < end; ++b, completion.advance(deck_size, to_come)) {
        Card cards[BOARD_CARDS];
        for (int i = 0; i < BOARD_CARDS; ++i) {
            cards[i] = i < to_come ? deck[completion.taken[i]] : known[i - to_come];
        }
        Card* const here = left[b % 2];
        for (const int i : block_stride(deck_size)) {
            const int place = completion.place(i, to_come);
            if (place >= 0) here[place] = deck[i];
        }
        const Board board = load_board(cards, tables, plain[b % 2]);  // its barrier also completes `here`
        const HandRank hero = combo_rank(board, Card(hero_first), Card(hero_second), tables);
        for (const int h : block_stride(combos)) {
            const HandRank other =
                combo_rank(board, here[lower(pairs[h])], here[higher(pairs[h])], tables);
            wins += hero > other;
            ties += hero == other;
            ++showdowns;
        }
    }
    atomicAdd(&sums[0], wins);
    atomicAdd(&sums[1], ties);
    atomicAdd(&sums[2], showdowns - wins - ties);
    __syncthreads();
    for (const int i : block_stride(3)) atomicAdd(&counts[i], (unsigned long long)sums[i]);
}
