// How every holding fares against one random holding, over all ways to fill a board up.

#include "board_ranks.cuh"
#include "pairs.cuh"

constexpr int DECK = 52;
constexpr int BINS = 50;
constexpr int HALF_POTS = 2 * 990;  // what a holding can win of all that a full board leaves
constexpr HandRank NOT_DEALT = 0xFFFF;  // above every rank

__device__ inline int pair_number(int one, int two)
{
    const int low = one < two ? one : two, high = one < two ? two : one;
    return high * (high - 1) / 2 + low;
}

// `cards` is a (boards, size) array; `fillings`, (ways, 5 - size), lists the ways to fill a board up, as
// places among the cards that are not on it, ascending. `wins` and `ties`, (boards, COMBOS), receive
// full boards times opponents, added to what is there. If `detail`, `squares` receives the squares of
// 2 wins + ties on a full board, and `histogram`, (boards, COMBOS, BINS), counts full boards by that
// number. A block takes a full board at a time; any grid and block will do.
extern "C" __global__ void against_random(
    const Card* __restrict__ cards,
    int size,
    long long boards,
    const Card* __restrict__ fillings,
    int ways,
    const Pair* __restrict__ pairs,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    int detail,
    int* __restrict__ wins,
    int* __restrict__ ties,
    unsigned long long* __restrict__ squares,
    int* __restrict__ histogram)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ HandRank ranks[COMBOS];
    __shared__ Card full[BOARD];
    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    for (long long item = blockIdx.x; item < boards * ways; item += gridDim.x) {
        const long long b = item / ways;
        __syncthreads();  // nobody reads the last board any more
        if (threadIdx.x == 0) {
            unsigned long long known = 0;
            for (int i = 0; i < size; ++i) {
                full[i] = cards[b * size + i];
                known |= 1ULL << full[i];
            }
            const Card* places = fillings + (item % ways) * (BOARD - size);
            int place = 0, filled = size;
            for (int card = 0; card < DECK && filled < BOARD; ++card) {
                if (known >> card & 1) continue;
                if (place == places[filled - size]) full[filled++] = Card(card);
                ++place;
            }
        }
        __syncthreads();
        const Board board = load_board(full, tables, plain);
        for (int h = threadIdx.x; h < COMBOS; h += blockDim.x) {
            const int low = lower(pairs[h]), high = higher(pairs[h]);
            const bool dealt = ((board.cards >> low | board.cards >> high) & 1) == 0;
            ranks[h] = dealt ? holding_rank(board, low, high, tables) : NOT_DEALT;
        }
        __syncthreads();
        for (int h = threadIdx.x; h < COMBOS; h += blockDim.x) {
            const HandRank rank = ranks[h];
            if (rank == NOT_DEALT) continue;
            int won = 0, tied = 0;
            for (int other = 0; other < COMBOS; ++other) {
                won += ranks[other] < rank;
                tied += ranks[other] == rank;
            }
            // Holdings that share a card are no opponents.
            const int a = lower(pairs[h]), c = higher(pairs[h]);
            --tied;
            for (int card = 0; card < DECK; ++card) {
                if (card == a || card == c) continue;
                const HandRank one = ranks[pair_number(a, card)], two = ranks[pair_number(c, card)];
                won -= (one < rank) + (two < rank);
                tied -= (one == rank) + (two == rank);
            }
            const long long at = b * COMBOS + h;
            atomicAdd(&wins[at], won);
            atomicAdd(&ties[at], tied);
            if (detail) {
                const int strength = 2 * won + tied;
                const int bin = strength * BINS / HALF_POTS;
                atomicAdd(&squares[at], (unsigned long long)strength * strength);
                atomicAdd(&histogram[at * BINS + (bin < BINS ? bin : BINS - 1)], 1);
            }
        }
    }
}
