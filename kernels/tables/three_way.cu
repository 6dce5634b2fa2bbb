// A hero's starting hand against two others before the flop: products of numbers of combos, by class.
//
// As in gpuodds/backends/cpu/tables/three_way.py: for a hero's combo and a board, features are numbers of combos that
// it beats (lower) or ties: of each class of starting hands, or of each kind with a given card. What is wanted
// are sums of products of two features over the hero's combos and all boards. The numbers of four combos of
// the hero share a word, a byte each, and one instruction multiplies and adds all four.

#include "shared/board_ranks.cuh"

namespace gpuodds {

constexpr int QUADS = (MAX_HERO_COMBOS + 3) / 4;  // words for all combos of the hero
constexpr int SIDE = 4;                           // of the tile of products that a thread keeps
constexpr Pair NO_PAIR = 0xFFFF;

enum Feature : int {
    LOWER,
    TIED,
    FEATURES
};

enum Product : int {
    LOWER_LOWER,
    TIED_LOWER,
    TIED_TIED,
    PRODUCTS
};

static_assert(MAX_HERO_COMBOS <= 12, "numbers and the products of four fit a byte and a word");
// A number is at most 12, so a board adds 12 x 12 x 12 < 2^11 to a product.
static_assert(BOARDS_PER_PIECE <= 1 << 20, "products of a piece fit 31 bits");

// The features of all the hero's combos on one board: GROUPS x WIDTH numbers, sums of up to MEMBERS combos.
template <int GROUPS, int WIDTH, int MEMBERS> struct Words {
    unsigned of[FEATURES][QUADS][GROUPS][WIDTH];

    // Count the combos of each feature. `members` (GROUPS, WIDTH, MEMBERS) are their cards, or NO_PAIR.
    __device__ void count(
        const Board& board, const Pair* __restrict__ members, const Pair* heroes,
        const HandRank* hero_ranks, int num_heroes, int constant, const HandRankTables& tables)
    {
        for (const int x : block_stride(GROUPS * WIDTH)) {
            const int group = x / WIDTH, feature = x % WIDTH;
            unsigned lower_words[QUADS] = {}, tied_words[QUADS] = {};
            for (int m = 0; m < MEMBERS; ++m) {
                const Pair pair = members[x * MEMBERS + m];
                if (pair == NO_PAIR) break;
                const HandRank rank = combo_rank(board, pair, HandRank(0), tables);
                if (rank == 0) continue;  // the board has one of the cards
                for (int hero = 0; hero < MAX_HERO_COMBOS; ++hero) {
                    if (hero >= num_heroes || meet(pair, heroes[hero])) continue;
                    const unsigned one = 1u << 8 * (hero % 4);
                    lower_words[hero / 4] += rank < hero_ranks[hero] ? one : 0;
                    tied_words[hero / 4] += rank == hero_ranks[hero] ? one : 0;
                }
            }
            if (feature == constant) {  // 1 for each combo of the hero that can be dealt
                for (int hero = 0; hero < num_heroes; ++hero) {
                    lower_words[hero / 4] |= unsigned(hero_ranks[hero] != 0) << 8 * (hero % 4);
                }
            }
            for (int quad = 0; quad < QUADS; ++quad) {
                of[LOWER][quad][group][feature] = lower_words[quad];
                of[TIED][quad][group][feature] = tied_words[quad];
            }
        }
    }

private:
    static __device__ bool meet(Pair one, Pair other)
    {
        const int a = lower(one), b = higher(one), c = lower(other), d = higher(other);
        return a == c || a == d || b == c || b == d;
    }
};

// Products of a tile of SIDE x SIDE features, in registers.
struct Tile {
    unsigned sums[PRODUCTS][SIDE][SIDE] = {};

    template <class AllWords> __device__ void add(const AllWords& words, int quad, int group, int row, int column)
    {
        unsigned lower_row[SIDE], tied_row[SIDE], lower_column[SIDE], tied_column[SIDE], any_tied = 0;
        for (int i = 0; i < SIDE; ++i) {
            lower_row[i] = words.of[LOWER][quad][group][row + i];
            tied_row[i] = words.of[TIED][quad][group][row + i];
            lower_column[i] = words.of[LOWER][quad][group][column + i];
            tied_column[i] = words.of[TIED][quad][group][column + i];
            any_tied |= tied_row[i];
        }
        add_products(LOWER_LOWER, lower_row, lower_column);
        if (any_tied == 0) return;
        add_products(TIED_LOWER, tied_row, lower_column);
        add_products(TIED_TIED, tied_row, tied_column);
    }

private:
    __device__ void add_products(Product product, const unsigned* row, const unsigned* column)
    {
        for (int i = 0; i < SIDE; ++i) {
            for (int j = 0; j < SIDE; ++j) {
                sums[product][i][j] = __dp4a(row[i], column[j], sums[product][i][j]);
            }
        }
    }
};

// What is counted: a hero's combos on boards, in pieces of boards that count equally often. Kernels take this
// by value.
struct ThreeWay {
    const Card* __restrict__ boards;          // (boards, BOARD_CARDS)
    const int* __restrict__ begins;           // (pieces,): where each begins in boards
    const int* __restrict__ ends;             // (pieces,): where it ends, at most BOARDS_PER_PIECE later
    const long long* __restrict__ times;      // (pieces,): how often each of its boards counts
    const Pair* __restrict__ heroes;          // (num_heroes,): the combos of the hero
    const Pair* __restrict__ members;         // the combos of each feature
    int pieces, num_heroes;
};

static_assert(PACKED_THREE_WAY(ThreeWay), "Python packs the question in another layout");

// Add the products of features `first_row` to `first_row` + ROWS with all WIDTH features to `out` (PRODUCTS,
// out_rows, WIDTH), whose row `out_row` is that of the first.
template <int GROUPS, int WIDTH, int MEMBERS, int ROWS>
__device__ inline void add_piece(
    const ThreeWay& given, int piece, const Pair* members, int first_row, int constant,
    const HandRankTables& tables, unsigned long long* out, int out_rows, int out_row)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ HandRank hero_ranks[MAX_HERO_COMBOS];
    __shared__ Pair heroes[MAX_HERO_COMBOS];
    __shared__ Words<GROUPS, WIDTH, MEMBERS> words;
    constexpr int TILES_PER_ROW = WIDTH / SIDE, TILE_COUNT = ROWS / SIDE * TILES_PER_ROW;
    const int quads = (given.num_heroes + 3) / 4;
    __syncthreads();
    // All are filled: compilers read those behind the last ahead of the comparison.
    for (const int i : block_stride(MAX_HERO_COMBOS)) {
        heroes[i] = i < given.num_heroes ? given.heroes[i] : NO_PAIR;
        hero_ranks[i] = 0;
    }
    for (int round = 0; round < TILE_COUNT; round += blockDim.x) {
        const int number = round + threadIdx.x;
        const int row = number / TILES_PER_ROW * SIDE, column = number % TILES_PER_ROW * SIDE;
        Tile tile;
        for (int b = given.begins[piece]; b < given.ends[piece]; ++b) {
            __syncthreads();  // every thread has read the last board's words
            const Board board = load_board(given.boards + b * (long long)BOARD_CARDS, tables, plain);
            for (const int i : block_stride(given.num_heroes)) {
                hero_ranks[i] = combo_rank(board, heroes[i], HandRank(0), tables);
            }
            __syncthreads();
            words.count(board, members, heroes, hero_ranks, given.num_heroes, constant, tables);
            __syncthreads();
            if (number >= TILE_COUNT) continue;
            for (int quad = 0; quad < quads; ++quad) {
                for (int group = 0; group < GROUPS; ++group) {
                    tile.add(words, quad, group, first_row + row, column);
                }
            }
        }
        if (number >= TILE_COUNT) continue;
        const unsigned long long times = given.times[piece];
        for (int product = 0; product < PRODUCTS; ++product) {
            for (int x = 0; x < SIDE * SIDE; ++x) {
                const unsigned sum = tile.sums[product][x / SIDE][x % SIDE];
                const int to_row = product * out_rows + out_row + row + x / SIDE;
                if (sum) atomicAdd(&out[to_row * WIDTH + column + x % SIDE], times * sum);
            }
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Add up the products of the numbers of lower and of tied combos of each two classes of starting hands.
// A block takes a piece and CLASS_ROWS of the classes at a time; a thread keeps 4 x 4 products of each kind in
// registers. Shared memory: the features of all combos of the hero on one board (4.2 KB), their ranks. A sum
// has at most 12 x 2,598,960 boards x 144.
//   given   the question; members (CLASS_WIDTH, CLASS_MEMBERS)
//   tables  hand-rank tables
//   out     (PRODUCTS, CLASS_WIDTH, CLASS_WIDTH) uint64, lower x lower, tied x lower, tied x tied, by class,
//           added to; the lower number of class CLASS_ONE is 1
extern "C" __global__ void __launch_bounds__(CLASS_THREADS) multiply_classes(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    constexpr int STRIPES = CLASS_WIDTH / CLASS_ROWS;
    for (const long long item : grid_stride_blocks((long long)given.pieces * STRIPES)) {
        const int first = int(item % STRIPES) * CLASS_ROWS;
        add_piece<1, CLASS_WIDTH, CLASS_MEMBERS, CLASS_ROWS>(
            given, int(item / STRIPES), given.members, first, CLASS_ONE, tables, out, CLASS_WIDTH, first);
    }
}

// The same for each two kinds of combos that share a card, by the rank of that card.
// A block takes a piece and a rank at a time.
//   given   the question; members (RANKS, SUITS, KIND_WIDTH, KIND_MEMBERS)
//   tables  hand-rank tables
//   out     (PRODUCTS, RANKS x KIND_WIDTH, KIND_WIDTH) uint64, added to
extern "C" __global__ void __launch_bounds__(KIND_THREADS) multiply_kinds(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    for (const long long item : grid_stride_blocks((long long)given.pieces * RANKS)) {
        const int rank = int(item % RANKS);
        const Pair* members = given.members + rank * SUITS * KIND_WIDTH * KIND_MEMBERS;
        add_piece<SUITS, KIND_WIDTH, KIND_MEMBERS, KIND_WIDTH>(
            given, int(item / RANKS), members, 0, -1, tables, out, RANKS * KIND_WIDTH, rank * KIND_WIDTH);
    }
}
