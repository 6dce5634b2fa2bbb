// Every combo against one random combo, over all runouts of boards.

#include "board_ranks.cuh"

namespace gpuodds {

constexpr HandRank NOT_DEALT = 0xFFFF;  // the rank of a combo that the board blocks: above every rank

static_assert(HIGHEST_RANK < NOT_DEALT, "NOT_DEALT is above every rank");
static_assert((unsigned long long)HALF_POTS * BINS < 1ULL << 31, "a bin is computed in 32 bits");

// Write to `full` the board of `size` cards, completed by the cards at `places` among those it lacks.
__device__ inline void complete_board(const Card* known, int size, const Card* places, Card* full)
{
    CardBits taken = 0;
    for (int i = 0; i < size; ++i) {
        full[i] = known[i];
        taken |= 1ULL << full[i];
    }
    int place = 0, filled = size;
    for (int card = 0; card < DECK_SIZE && filled < BOARD_CARDS; ++card) {
        if (taken >> card & 1) continue;
        if (place == places[filled - size]) full[filled++] = Card(card);
        ++place;
    }
}

// What a combo beats and ties with on a full board.
struct Showdowns {
    int wins = 0, ties = 0;

    // Count `times` times the showdown against a combo of rank `other`.
    __device__ void add(HandRank rank, HandRank other, int times)
    {
        wins += other < rank ? times : 0;
        ties += other == rank ? times : 0;
    }
};

// The showdowns of `combo` against the combos that share no card with it: against all, less those that do.
__device__ inline Showdowns count_showdowns(const HandRank* ranks, int h, Pair combo)
{
    const HandRank rank = ranks[h];
    Showdowns found;
    for (int other = 0; other < COMBOS; ++other) found.add(rank, ranks[other], 1);
    const int low = lower(combo), high = higher(combo);
    --found.ties;  // itself
    for (int card = 0; card < DECK_SIZE; ++card) {
        if (card == low || card == high) continue;
        found.add(rank, ranks[pair_number(low, card)], -1);
        found.add(rank, ranks[pair_number(high, card)], -1);
    }
    return found;
}

}  // namespace gpuodds

using namespace gpuodds;

// Count, for each of `boards` boards, how often every combo beats and ties one random combo.
// A block takes a full board at a time, which is a board and a runout; its threads share the combos.
// Shared memory: 1,326 ranks (2.6 KB), the ranks of 13 x 13 pairs of card ranks, the full board. A combo
// meets 990 others on a full board, and a flop has 1,176 runouts, so counts stay below 2^21; squares stay
// below 1,980^2 x 1,176 < 2^33.
//   cards      (boards, size) uint8, card numbers, no card twice in a row; size is 3 to 5
//   runouts    (num_runouts, 5 - size) uint8, the ways to complete a board, as ascending places among the
//              cards that are not on it
//   pairs      (1326,) uint16, the two cards of each combo
//   tables     hand-rank tables
//   detail     whether to add to squares and histogram; else they may be of any size
//   wins       (boards, 1326) int32, full boards times opponents' combos, added to
//   ties       (boards, 1326) int32, likewise
//   squares    (boards, 1326) uint64, sums of (2 wins + ties)^2 of each full board, added to
//   histogram  (boards, 1326, 50) int32, full boards by 2 wins + ties, in bins of equal width, added to
extern "C" __global__ void against_random(
    const Card* __restrict__ cards,
    int size,
    long long boards,
    const Card* __restrict__ runouts,
    int num_runouts,
    const Pair* __restrict__ pairs,
    HandRankTables tables,
    int detail,
    int* __restrict__ wins,
    int* __restrict__ ties,
    unsigned long long* __restrict__ squares,
    int* __restrict__ histogram)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ HandRank ranks[COMBOS];
    __shared__ Card full[BOARD_CARDS];
    for (const long long item : grid_stride_blocks(boards * num_runouts)) {
        const long long b = item / num_runouts;
        __syncthreads();  // every thread has read the last board's ranks
        if (threadIdx.x == 0) {
            const Card* places = runouts + item % num_runouts * (BOARD_CARDS - size);
            complete_board(cards + b * size, size, places, full);
        }
        __syncthreads();
        const Board board = load_board(full, tables, plain);
        for (const int h : block_stride(COMBOS)) {
            ranks[h] = combo_rank(board, pairs[h], NOT_DEALT, tables);
        }
        __syncthreads();
        for (const int h : block_stride(COMBOS)) {
            if (ranks[h] == NOT_DEALT) continue;
            const Showdowns found = count_showdowns(ranks, h, pairs[h]);
            const long long at = b * COMBOS + h;
            atomicAdd(&wins[at], found.wins);
            atomicAdd(&ties[at], found.ties);
            if (detail) {
                const int strength = 2 * found.wins + found.ties;
                const int bin = strength * BINS / HALF_POTS;
                atomicAdd(&squares[at], (unsigned long long)strength * strength);
                atomicAdd(&histogram[at * BINS + (bin < BINS ? bin : BINS - 1)], 1);
            }
        }
    }
}
