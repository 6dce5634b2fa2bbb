// Every combo against one random combo, over all runouts of boards.
//
// Cards of a rank that cannot help a flush are of one type, so are those that can: 13 types, or 26 on a
// board on which a flush is possible. A combo fares as its two types do. Combos are compared by pairs of types,
// at most 351 instead of 1,326, and those that share a card with a combo are taken off by type.

#include "shared/board_ranks.cuh"
#include "shared/runouts.cuh"

namespace gpuodds {

constexpr int MAX_TYPES = 2 * RANKS;
constexpr int MAX_TYPE_PAIRS = MAX_TYPES * (MAX_TYPES + 1) / 2;

static_assert((unsigned long long)HALF_POTS * BINS < 1ULL << 31, "a bin is computed in 32 bits");
static_assert(HIGHEST_RANK < 1 << 16, "a rank and a number of combos fit a word");

struct Showdowns {
    int wins, ties;
};

// A full board by types.
struct TypedBoard {
    HandRank ranks[MAX_TYPES][MAX_TYPES];
    unsigned combos[MAX_TYPE_PAIRS];  // of each pair of types: its rank in the upper half, their number below
    Showdowns of_types[MAX_TYPES][MAX_TYPES];
    int cards[MAX_TYPES];             // of each type that are not on the board

    // Every thread of the block calls the functions below, in this order; a barrier must follow each. No thread
    // may still count the last board. A pair of types, which may be equal, is a pair of numbers less one.

    __device__ void rank_types(const Board& board, const Pair* pairs, const HandRankTables& tables)
    {
        for (const int t : block_stride(count_types(board))) cards[t] = cards_left(board, t);
        for (const int x : block_stride(count_pairs(board))) {
            const int one = lower(pairs[x]), other = higher(pairs[x]) - 1;
            const int first = one % RANKS, second = other % RANKS;
            HandRank rank = board.plain[first * RANKS + second];
            if (board.suit >= 0) {
                const int suited = board.suited | (one >= RANKS) << first | (other >= RANKS) << second;
                rank = better(tables.flush[suited], rank);
            }
            ranks[one][other] = ranks[other][one] = rank;
            const int left = cards_left(board, one);
            const int ways = one == other ? left * (left - 1) / 2 : left * cards_left(board, other);
            combos[x] = unsigned(rank) << 16 | unsigned(ways);
        }
    }

    __device__ void count(const Board& board, const Pair* pairs)
    {
        for (const int x : block_stride(count_pairs(board))) {
            const int one = lower(pairs[x]), other = higher(pairs[x]) - 1;
            of_types[one][other] = count_pair(board, one, other);
        }
    }

    __device__ Showdowns of(const Board& board, Pair combo) const
    {
        const int one = type_of(board, lower(combo)), other = type_of(board, higher(combo));
        return one < other ? of_types[one][other] : of_types[other][one];
    }

private:
    static __device__ int count_types(const Board& board) { return board.suit < 0 ? RANKS : MAX_TYPES; }

    static __device__ int count_pairs(const Board& board)
    {
        return count_types(board) * (count_types(board) + 1) / 2;
    }

    static __device__ int type_of(const Board& board, Card card)
    {
        return rank_of(card) + (suit_of(card) == board.suit ? RANKS : 0);
    }

    static __device__ int cards_left(const Board& board, int type)
    {
        const unsigned rank = ~unsigned(board.cards >> SUITS * (type % RANKS)) & ((1 << SUITS) - 1);
        const unsigned flush = board.suit < 0 ? 0 : 1 << board.suit;
        return count_bits(type < RANKS ? rank & ~flush : rank & flush);
    }

    // The showdowns of a combo of two types against all combos, less those that share a card with it.
    __device__ Showdowns count_pair(const Board& board, int one, int other) const
    {
        const unsigned rank = ranks[one][other];
        unsigned lower_words = 0, up_to_words = 0;  // sums of words: the numbers of combos do not reach the ranks
        for (int x = 0; x < count_pairs(board); ++x) {
            lower_words += combos[x] < rank << 16 ? combos[x] : 0;
            up_to_words += combos[x] < (rank + 1) << 16 ? combos[x] : 0;
        }
        int below = lower_words & 0xFFFF, up_to = up_to_words & 0xFFFF;
        for (int t = 0; t < count_types(board); ++t) {
            below -= ranks[one][t] < rank ? cards[t] : 0;
            below -= ranks[other][t] < rank ? cards[t] : 0;
            up_to -= ranks[one][t] <= rank ? cards[t] : 0;
            up_to -= ranks[other][t] <= rank ? cards[t] : 0;
        }
        // A card does not go with itself, and the combo itself was taken off with each of its cards.
        below += (ranks[one][one] < rank) + (ranks[other][other] < rank);
        up_to += (ranks[one][one] <= rank) + (ranks[other][other] <= rank) + 1;
        return {below, up_to - below};
    }
};

}  // namespace gpuodds

using namespace gpuodds;

// Count, for each of `boards` boards, how often every combo beats and ties one random combo.
// A block takes a board and up to `share` of its runouts at a time, a full board after another; its threads
// share pairs of types, then the combos. Shared memory: the ranks of 13 x 13 pairs of card ranks, the full
// board by types (8.3 KB), sums of the combos (21 KB), each touched by one thread. A combo meets 990 others
// on a full board, and a flop has 1,176 runouts, so counts stay below 2^21; squares stay below
// 1,980^2 x 1,176 < 2^33.
//   cards      (boards, size) uint8, card numbers, no card twice in a row; size is 3 to 5
//   runouts    (num_runouts, 5 - size) uint8, the ways to complete a board, as ascending places among the
//              cards of the deck that are not on it
//   share      runouts that a block takes at a time
//   pairs      (1326,) uint16, the two cards of each combo
//   tables     hand-rank tables
//   missing    bit c for each card c that is not in the deck
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
    int share,
    const Pair* __restrict__ pairs,
    HandRankTables tables,
    CardBits missing,
    int detail,
    int* __restrict__ wins,
    int* __restrict__ ties,
    unsigned long long* __restrict__ squares,
    int* __restrict__ histogram)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ TypedBoard typed;
    __shared__ Showdowns sums[COMBOS];
    __shared__ unsigned long long square_sums[COMBOS];
    const int shares = (num_runouts + share - 1) / share;
    for (const long long item : grid_stride_blocks(boards * shares)) {
        const long long b = item / shares;
        const int begin = int(item % shares) * share;
        const int end = begin + share < num_runouts ? begin + share : num_runouts;
        for (const int h : block_stride(COMBOS)) {
            sums[h] = {0, 0};
            square_sums[h] = 0;
        }
        for (int runout = begin; runout < end; ++runout) {
            Card full[BOARD_CARDS];
            complete_board(cards + b * size, size, runouts + runout * (BOARD_CARDS - size), missing, full);
            Board board = load_board(full, tables, plain);  // its barrier: the last board is counted
            board.cards |= missing;
            typed.rank_types(board, pairs, tables);
            __syncthreads();
            typed.count(board, pairs);
            __syncthreads();
            for (const int h : block_stride(COMBOS)) {
                if (pair_cards(pairs[h]) & board.cards) continue;
                const Showdowns result = typed.of(board, pairs[h]);
                sums[h].wins += result.wins;
                sums[h].ties += result.ties;
                if (detail) {
                    const int strength = 2 * result.wins + result.ties;
                    const int bin = strength * BINS / HALF_POTS;
                    square_sums[h] += (unsigned long long)strength * strength;
                    atomicAdd(&histogram[(b * COMBOS + h) * BINS + (bin < BINS ? bin : BINS - 1)], 1);
                }
            }
        }
        for (const int h : block_stride(COMBOS)) {
            const long long at = b * COMBOS + h;
            if (sums[h].wins) atomicAdd(&wins[at], sums[h].wins);
            if (sums[h].ties) atomicAdd(&ties[at], sums[h].ties);
            if (detail && square_sums[h]) atomicAdd(&squares[at], square_sums[h]);
        }
    }
}
