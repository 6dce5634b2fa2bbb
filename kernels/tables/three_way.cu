// A hero's starting hand against two others before the flop: products of numbers of combos, by class.
//
// As in gpuodds/backends/cpu/tables/three_way.py: for a hero's combo and a board, features are numbers of combos that
// it beats (lower), ties, or leaves in the deck (undealt): of each class of starting hands, or of each kind with
// a given card. What is wanted are sums of products of two features over the hero's combos and all boards. The
// numbers of four combos of the hero share a word, a byte each, and one instruction multiplies and adds all four.

#include "shared/board_ranks.cuh"

namespace gpuodds {

constexpr int QUADS = (MAX_HERO_COMBOS + 3) / 4;  // words for all combos of the hero
constexpr int SIDE = 4;                           // of the tile of products that a thread keeps
constexpr Pair NO_PAIR = 0xFFFF;

enum Feature : int {
    LOWER,
    TIED,
    UNDEALT
};

// Two opponents: lower x lower, tied x lower, tied x tied. Feature `ONE` has the constant 1.
struct BothPlay {
    static constexpr int FEATURES = 2, PRODUCTS = 3;
    static constexpr Feature ONE = LOWER;
    static __device__ constexpr Feature row(int product) { return product == 0 ? LOWER : TIED; }
    static __device__ constexpr Feature column(int product) { return product == 2 ? TIED : LOWER; }
};

// An opponent, and a player who folded: lower x undealt, tied x undealt.
struct OneFolded {
    static constexpr int FEATURES = 3, PRODUCTS = 2;
    static constexpr Feature ONE = UNDEALT;
    static __device__ constexpr Feature row(int product) { return product == 0 ? LOWER : TIED; }
    static __device__ constexpr Feature column(int) { return UNDEALT; }
};

static_assert(MAX_HERO_COMBOS <= 12, "numbers and the products of four fit a byte and a word");
// A number is at most 12, so a board adds 12 x 12 x 12 < 2^11 to a product.
static_assert(BOARDS_PER_PIECE <= 1 << 20, "products of a piece fit 31 bits");

// The features of all the hero's combos on one board: GROUPS x WIDTH numbers, sums of up to MEMBERS combos.
template <class PLAYERS, int GROUPS, int WIDTH, int MEMBERS> struct Words {
    unsigned of[PLAYERS::FEATURES][QUADS][GROUPS][WIDTH];

    // Count the combos of each feature. `members` (GROUPS, WIDTH, MEMBERS) are their cards, or NO_PAIR.
    __device__ void count(
        const Board& board, const Pair* __restrict__ members, const Pair* heroes,
        const HandRank* hero_ranks, int num_heroes, int constant, const HandRankTables& tables)
    {
        for (const int x : block_stride(GROUPS * WIDTH)) {
            const int group = x / WIDTH, feature = x % WIDTH;
            unsigned words[PLAYERS::FEATURES][QUADS] = {};
            for (int m = 0; m < MEMBERS; ++m) {
                const Pair pair = members[x * MEMBERS + m];
                if (pair == NO_PAIR) break;
                const HandRank rank = combo_rank(board, pair, HandRank(0), tables);
                if (rank == 0) continue;  // the board has one of the cards
                for (int hero = 0; hero < MAX_HERO_COMBOS; ++hero) {
                    if (hero >= num_heroes || meet(pair, heroes[hero])) continue;
                    const unsigned one = 1u << 8 * (hero % 4);
                    words[LOWER][hero / 4] += rank < hero_ranks[hero] ? one : 0;
                    words[TIED][hero / 4] += rank == hero_ranks[hero] ? one : 0;
                    if constexpr (PLAYERS::FEATURES > UNDEALT) {
                        words[UNDEALT][hero / 4] += hero_ranks[hero] != 0 ? one : 0;
                    }
                }
            }
            if (feature == constant) {  // 1 for each combo of the hero that can be dealt
                for (int hero = 0; hero < num_heroes; ++hero) {
                    words[PLAYERS::ONE][hero / 4] |= unsigned(hero_ranks[hero] != 0) << 8 * (hero % 4);
                }
            }
            for (int kind = 0; kind < PLAYERS::FEATURES; ++kind) {
                for (int quad = 0; quad < QUADS; ++quad) of[kind][quad][group][feature] = words[kind][quad];
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
template <class PLAYERS> struct Tile {
    unsigned sums[PLAYERS::PRODUCTS][SIDE][SIDE] = {};

    template <class AllWords> __device__ void add(const AllWords& words, int quad, int group, int row, int column)
    {
        unsigned rows[PLAYERS::FEATURES][SIDE], columns[PLAYERS::FEATURES][SIDE], any_tied = 0;
        for (int kind = 0; kind < PLAYERS::FEATURES; ++kind) {
            for (int i = 0; i < SIDE; ++i) {
                rows[kind][i] = words.of[kind][quad][group][row + i];
                columns[kind][i] = words.of[kind][quad][group][column + i];
            }
        }
        for (int i = 0; i < SIDE; ++i) any_tied |= rows[TIED][i];
        for (int product = 0; product < PLAYERS::PRODUCTS; ++product) {
            if (product > 0 && any_tied == 0) return;
            const unsigned* left = rows[PLAYERS::row(product)];
            const unsigned* right = columns[PLAYERS::column(product)];
            for (int i = 0; i < SIDE; ++i) {
                for (int j = 0; j < SIDE; ++j) sums[product][i][j] = __dp4a(left[i], right[j], sums[product][i][j]);
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

// Add the products of features `first_row` to `first_row` + ROWS with all WIDTH features to `out`
// (PLAYERS::PRODUCTS, out_rows, WIDTH), whose row `out_row` is that of the first.
template <class PLAYERS, int GROUPS, int WIDTH, int MEMBERS, int ROWS>
__device__ inline void add_piece(
    const ThreeWay& given, int piece, const Pair* members, int first_row, int constant,
    const HandRankTables& tables, unsigned long long* out, int out_rows, int out_row)
{
    __shared__ HandRank plain[RANK_PAIRS];
    __shared__ HandRank hero_ranks[MAX_HERO_COMBOS];
    __shared__ Pair heroes[MAX_HERO_COMBOS];
    __shared__ Words<PLAYERS, GROUPS, WIDTH, MEMBERS> words;
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
        Tile<PLAYERS> tile;
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
        for (int product = 0; product < PLAYERS::PRODUCTS; ++product) {
            for (int x = 0; x < SIDE * SIDE; ++x) {
                const unsigned sum = tile.sums[product][x / SIDE][x % SIDE];
                const int to_row = product * out_rows + out_row + row + x / SIDE;
                if (sum) atomicAdd(&out[to_row * WIDTH + column + x % SIDE], times * sum);
            }
        }
    }
}

template <class PLAYERS>
__device__ inline void add_classes(const ThreeWay& given, const HandRankTables& tables, unsigned long long* out)
{
    constexpr int STRIPES = CLASS_WIDTH / CLASS_ROWS;
    for (const long long item : grid_stride_blocks((long long)given.pieces * STRIPES)) {
        const int first = int(item % STRIPES) * CLASS_ROWS;
        add_piece<PLAYERS, 1, CLASS_WIDTH, CLASS_MEMBERS, CLASS_ROWS>(
            given, int(item / STRIPES), given.members, first, CLASS_ONE, tables, out, CLASS_WIDTH, first);
    }
}

template <class PLAYERS>
__device__ inline void add_kinds(const ThreeWay& given, const HandRankTables& tables, unsigned long long* out)
{
    for (const long long item : grid_stride_blocks((long long)given.pieces * RANKS)) {
        const int rank = int(item % RANKS);
        const Pair* members = given.members + rank * SUITS * KIND_WIDTH * KIND_MEMBERS;
        add_piece<PLAYERS, SUITS, KIND_WIDTH, KIND_MEMBERS, KIND_WIDTH>(
            given, int(item / RANKS), members, 0, -1, tables, out, RANKS * KIND_WIDTH, rank * KIND_WIDTH);
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
//   out     (3, CLASS_WIDTH, CLASS_WIDTH) uint64, lower x lower, tied x lower, tied x tied, by class, added to;
//           the lower number of class CLASS_ONE is 1
extern "C" __global__ void __launch_bounds__(CLASS_THREADS) multiply_classes(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    add_classes<BothPlay>(given, tables, out);
}

// The same for each two kinds of combos that share a card, by the rank of that card.
// A block takes a piece and a rank at a time.
//   given   the question; members (RANKS, SUITS, KIND_WIDTH, KIND_MEMBERS)
//   tables  hand-rank tables
//   out     (3, RANKS x KIND_WIDTH, KIND_WIDTH) uint64, added to
extern "C" __global__ void __launch_bounds__(KIND_THREADS) multiply_kinds(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    add_kinds<BothPlay>(given, tables, out);
}

// As multiply_classes, for an opponent, by row, and a player who folded, by column.
//   given   the question; members (CLASS_WIDTH, CLASS_MEMBERS)
//   tables  hand-rank tables
//   out     (2, CLASS_WIDTH, CLASS_WIDTH) uint64, lower x undealt, tied x undealt, by class, added to; the
//           undealt number of class CLASS_ONE is 1
extern "C" __global__ void __launch_bounds__(CLASS_THREADS) multiply_classes_folded(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    add_classes<OneFolded>(given, tables, out);
}

// As multiply_kinds, for an opponent and a player who folded.
//   given   the question; members (RANKS, SUITS, KIND_WIDTH, KIND_MEMBERS)
//   tables  hand-rank tables
//   out     (2, RANKS x KIND_WIDTH, KIND_WIDTH) uint64, added to
extern "C" __global__ void __launch_bounds__(KIND_THREADS) multiply_kinds_folded(
    ThreeWay given, HandRankTables tables, unsigned long long* __restrict__ out)
{
    add_kinds<OneFolded>(given, tables, out);
}
