// Every combo against every other, over a list of weighted boards.

#include "hand_rank.cuh"
#include "pairs.cuh"
#include "strides.cuh"

namespace gpuodds {

constexpr int MICRO = 4;                              // combos a thread keeps in registers, each side
constexpr int MICROS = TILE / MICRO;                  // of a tile's side
constexpr int STAGE = 32;                             // boards in shared memory at a time
constexpr int TILES = (COMBOS + TILE - 1) / TILE;     // of the matrix' side
constexpr unsigned NEVER_BEATEN = 0xFFFF;             // the rank of a villain's combo that is not dealt
constexpr unsigned MAX_WEIGHT = 0xFFFF;

static_assert(TILE % MICRO == 0, "micro tiles fill a tile");
static_assert(HIGHEST_RANK < NEVER_BEATEN, "no hand beats NEVER_BEATEN");
static_assert((unsigned long long)TILE_BOARDS * MAX_WEIGHT < 1ULL << 32, "a pair's sum has 32 bits");

struct alignas(16) MicroRanks {
    unsigned of[MICRO];
};

// Load the ranks of TILE combos from `first` on, on `size` boards from `begin` on; `missing` stands for the
// combos that are blocked by the board or past the last.
__device__ inline void load_stage(
    const HandRank* ranks, long long begin, int size, int first, unsigned missing,
    MicroRanks (*out)[MICROS])
{
    for (const int i : block_stride(size * TILE)) {
        const int b = i / TILE, h = i % TILE;
        const unsigned rank = first + h < COMBOS ? ranks[(begin + b) * COMBOS + first + h] : 0;
        out[b][h / MICRO].of[h % MICRO] = rank ? rank : missing;
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Add up, for each pair of combos, the weights of the boards on which the first beats the second.
// As in a matrix product, a block takes a tile of 64 x 64 pairs on 2,048 boards at a time, and a thread
// micro tiles of 4 x 4 pairs, in as many rounds as the block is short of threads; any block will do. Shared
// memory: ranks of 2 x 64 combos on 32 boards and the boards' weights (16.1 KB). A pair's sum over 2,048
// boards is below 2^27, its total at most 65,535 x boards, far below 2^64. Whether two combos share a card
// is not checked.
//   ranks    (boards, 1326) uint16, as rank_combos writes them
//   weights  (boards,) uint16
//   wins     (1326, 1326) uint64, by winner and loser, added to
extern "C" __global__ void compare_combos(
    const HandRank* __restrict__ ranks,
    const unsigned short* __restrict__ weights,
    long long boards,
    unsigned long long* __restrict__ wins)
{
    __shared__ MicroRanks hero[STAGE][MICROS];
    __shared__ MicroRanks villain[STAGE][MICROS];
    __shared__ unsigned weight[STAGE];

    const long long tiles = (boards + TILE_BOARDS - 1) / TILE_BOARDS * TILES * TILES;
    for (const long long item : grid_stride_blocks(tiles)) {
        const int tile = item % (TILES * TILES);
        const int first_hero = tile / TILES * TILE, first_villain = tile % TILES * TILE;
        const long long begin = item / (TILES * TILES) * TILE_BOARDS;
        const long long end = begin + TILE_BOARDS < boards ? begin + TILE_BOARDS : boards;
        for (int round = 0; round < MICROS * MICROS; round += blockDim.x) {
            const int micro = round + threadIdx.x;
            const int h = micro / MICROS, v = micro % MICROS;
            unsigned sums[MICRO][MICRO] = {};
            for (long long at = begin; at < end; at += STAGE) {
                const int size = at + STAGE < end ? STAGE : int(end - at);
                __syncthreads();  // every thread has read the last stage
                load_stage(ranks, at, size, first_hero, 0, hero);
                load_stage(ranks, at, size, first_villain, NEVER_BEATEN, villain);
                for (const int b : block_stride(size)) weight[b] = weights[at + b];
                __syncthreads();
                if (micro >= MICROS * MICROS) continue;
                for (int b = 0; b < size; ++b) {
                    const MicroRanks ours = hero[b][h], theirs = villain[b][v];
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
                    // A combo past the last never wins and never loses: its sum is 0.
                    if (sums[i][j]) {
                        atomicAdd(&wins[row * COMBOS + column], (unsigned long long)sums[i][j]);
                    }
                }
            }
        }
    }
}
