// Two holdings against each other: one against every other by plain enumeration, and all against all.

#include "board_ranks.cuh"
#include "pairs.cuh"

constexpr int DECK = 52;

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

// A holding against every opponent's holding on every board, each ranked and compared: 990 showdowns a
// full board. `deck` holds the `deck_size` cards that may still come, `known` the BOARD - `to_come`
// board cards that lie; the boards are all C(deck_size, to_come) ways to fill up, by number. `pairs`
// lists the pairs by number. Adds to `counts` how often hero wins, ties, loses. A block takes a board
// at a time; any grid and block will do.
//
// A thread counts in 32 bits: with hero's two cards known there are at most C(50, 5) x 990 =
// 2,097,572,400 showdowns.
extern "C" __global__ void enumerate_heads_up(
    int hero_first,
    int hero_second,
    const Card* __restrict__ deck,
    int deck_size,
    const Card* __restrict__ known,
    int to_come,
    const Pair* __restrict__ pairs,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_5,
    const HandRank* __restrict__ rank_6,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    unsigned long long* __restrict__ counts)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ int taken[BOARD];  // which cards of the deck fill the board
    __shared__ Card cards[BOARD];
    __shared__ Card left[DECK];  // the deck without the board
    __shared__ unsigned long long sums[3];

    const HandRankTables tables{step, rank_5, rank_6, rank_7, flush};
    const unsigned boards = choose(deck_size, to_come);
    const int cards_left = deck_size - to_come;
    const int holdings = cards_left * (cards_left - 1) / 2;
    unsigned wins = 0, ties = 0, losses = 0;
    for (unsigned b = blockIdx.x; b < boards; b += gridDim.x) {
        if (threadIdx.x == 0) {
            list_subset(b, deck_size, to_come, taken);
            for (int i = 0; i < to_come; ++i) cards[i] = deck[taken[i]];
            for (int i = to_come; i < BOARD; ++i) cards[i] = known[i - to_come];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < deck_size; i += blockDim.x) {
            int before = 0;
            bool free = true;
            for (int j = 0; j < to_come; ++j) {
                before += taken[j] < i;
                free = free && taken[j] != i;
            }
            if (free) left[i - before] = deck[i];
        }
        const Board board = load_board(cards, tables, plain);  // its barrier also completes `left`
        const HandRank hero = holding_rank(board, hero_first, hero_second, tables);
        for (int h = threadIdx.x; h < holdings; h += blockDim.x) {
            const Pair pair = pairs[h];
            const HandRank other = holding_rank(board, left[lower(pair)], left[higher(pair)], tables);
            wins += hero > other;
            ties += hero == other;
            losses += hero < other;
        }
    }

    for (int i = threadIdx.x; i < 3; i += blockDim.x) sums[i] = 0;
    __syncthreads();
    atomicAdd(&sums[0], (unsigned long long)wins);
    atomicAdd(&sums[1], (unsigned long long)ties);
    atomicAdd(&sums[2], (unsigned long long)losses);
    __syncthreads();
    for (int i = threadIdx.x; i < 3; i += blockDim.x) atomicAdd(&counts[i], sums[i]);
}

constexpr int TILE = 64;    // holdings a side of the square that a block compares
constexpr int MICRO = 4;    // holdings a side of the square that a thread keeps in registers
constexpr int ROW = TILE / MICRO;
constexpr int STAGE = 32;   // boards in shared memory at a time
constexpr int CHUNK = 2048;  // boards of one square before its sums go to memory
constexpr int TILES = (COMBOS + TILE - 1) / TILE;
constexpr unsigned NOT_DEALT = 0xffff;  // above every hand rank

struct alignas(16) Ranks {
    unsigned of[MICRO];
};

// Load the ranks of TILE holdings from `first` on, on `size` boards from `begin` on; `missing` stands
// for the holdings that are not dealt or not there.
__device__ inline void stage(
    const HandRank* ranks, long long begin, int size, int first, unsigned missing, Ranks (*out)[ROW])
{
    for (int i = threadIdx.x; i < size * TILE; i += blockDim.x) {
        const int b = i / TILE, h = i % TILE;
        const unsigned rank = first + h < COMBOS ? ranks[(begin + b) * COMBOS + first + h] : 0;
        out[b][h / MICRO].of[h % MICRO] = rank ? rank : missing;
    }
}

// Every holding against every other: add to wins[h, v], (COMBOS, COMBOS), the weights of the boards
// on which h ranks above v and neither shares a card with the board. `ranks`, (boards, COMBOS), is
// what rank_combos gives. Whether h and v share a card is not looked at.
//
// Like a matrix product, a block takes a square of TILE x TILE pairs on CHUNK boards at a time, and a
// thread squares of MICRO x MICRO of it, in as many rounds as the block is short of threads; any grid
// and block will do. A pair's sum over CHUNK boards is below 2048 x 65536 = 2^27; a total is at most
// 65535 times the number of boards, far below 2^64.
extern "C" __global__ void compare_holdings(
    const HandRank* __restrict__ ranks,
    const unsigned short* __restrict__ weights,
    long long boards,
    unsigned long long* __restrict__ wins)
{
    __shared__ Ranks hero[STAGE][ROW];
    __shared__ Ranks villain[STAGE][ROW];
    __shared__ unsigned weight[STAGE];

    const long long squares = (boards + CHUNK - 1) / CHUNK * TILES * TILES;
    for (long long square = blockIdx.x; square < squares; square += gridDim.x) {
        const int tile = square % (TILES * TILES);
        const int first_hero = tile / TILES * TILE, first_villain = tile % TILES * TILE;
        const long long begin = square / (TILES * TILES) * CHUNK;
        const long long end = begin + CHUNK < boards ? begin + CHUNK : boards;
        for (int round = 0; round < ROW * ROW; round += blockDim.x) {
            const int micro = round + threadIdx.x;
            const int h = micro / ROW, v = micro % ROW;
            unsigned sums[MICRO][MICRO] = {};
            for (long long at = begin; at < end; at += STAGE) {
                const int size = at + STAGE < end ? STAGE : int(end - at);
                __syncthreads();  // nobody reads the last stage any more
                stage(ranks, at, size, first_hero, 0, hero);
                stage(ranks, at, size, first_villain, NOT_DEALT, villain);
                for (int b = threadIdx.x; b < size; b += blockDim.x) weight[b] = weights[at + b];
                __syncthreads();
                if (micro >= ROW * ROW) continue;
                for (int b = 0; b < size; ++b) {
                    const Ranks ours = hero[b][h], theirs = villain[b][v];
                    const unsigned on_win = weight[b];
                    for (int i = 0; i < MICRO; ++i) {
                        for (int j = 0; j < MICRO; ++j) {
                            sums[i][j] += ours.of[i] > theirs.of[j] ? on_win : 0;
                        }
                    }
                }
            }
            for (int i = 0; i < MICRO; ++i) {
                for (int j = 0; j < MICRO; ++j) {
                    const int row = first_hero + h * MICRO + i, column = first_villain + v * MICRO + j;
                    // A holding past the last one never wins and never loses.
                    if (sums[i][j]) {
                        atomicAdd(&wins[row * COMBOS + column], (unsigned long long)sums[i][j]);
                    }
                }
            }
        }
    }
}
