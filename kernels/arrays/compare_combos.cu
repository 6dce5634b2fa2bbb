// Every combo against every other, over a list of weighted boards.
//
// Two boards are compared at once, one in each half of a word. A hero's half is a rank, at most 7,462; a
// villain's is NEVER_BEATEN - 1 less a rank: their sum reaches bit 15 where hero's rank is higher, and never
// leaves the half. Three instructions, an addition, a mask and a dot product with the weights, add two
// boards to a pair's sum.

#include "shared/hand_rank.cuh"
#include "shared/pairs.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr int MICRO = 4;                              // combos a thread keeps in registers, each side
constexpr int MICROS = TILE / MICRO;                  // of a tile's side
constexpr int STAGE = 64;                             // boards in shared memory at a time
constexpr int TILES = (COMBOS + TILE - 1) / TILE;     // of the matrix' side
constexpr unsigned NEVER_BEATEN = 0x8000;             // above every rank: a villain's combo that is not dealt
constexpr unsigned BEATEN = 0x80008000;               // bit 15 of both halves
constexpr int SUM_SHIFT = 15;                         // of sums, whose unit is that bit
constexpr unsigned MAX_WEIGHT = 63;

static_assert(TILE % MICRO == 0, "micro tiles fill a tile");
static_assert(STAGE % 2 == 0 && COMBOS % 2 == 0, "boards and combos are loaded by twos");
static_assert(HIGHEST_RANK < NEVER_BEATEN, "no hand beats NEVER_BEATEN");
static_assert(HIGHEST_RANK + NEVER_BEATEN < 1 << 16, "a sum of two ranks stays in its half");
static_assert(((unsigned long long)TILE_BOARDS * MAX_WEIGHT) << SUM_SHIFT < 1ULL << 32, "32 bits a pair");

struct alignas(16) MicroRanks {
    unsigned of[MICRO];
};

// The halves of a villain's word: what a hero's rank must pass, 0 for a combo that is not dealt.
__device__ inline unsigned to_beat(unsigned ranks)
{
    const unsigned low = ranks & 0xFFFF, high = ranks >> 16;
    return (low ? NEVER_BEATEN - 1 - low : 0) | (high ? NEVER_BEATEN - 1 - high : 0) << 16;
}

// Load the ranks of TILE combos from `first` on, on `size` boards from `begin` on, two boards a word. A combo
// that a board blocks, a combo past the last and a board past the last have rank 0.
template <bool VILLAIN>
__device__ inline void load_stage(
    const HandRank* ranks, long long begin, int size, int first, MicroRanks (*out)[MICROS])
{
    constexpr int COUPLES = TILE / 2;
    for (const int i : block_stride((size + 1) / 2 * COUPLES)) {
        const int b = i / COUPLES, h = i % COUPLES * 2;
        unsigned one = 0, other = 0;  // two combos each, on two boards
        if (first + h < COMBOS) {
            const HandRank* at = ranks + (begin + 2 * b) * COMBOS + first + h;
            one = *reinterpret_cast<const unsigned*>(at);
            if (2 * b + 1 < size) other = *reinterpret_cast<const unsigned*>(at + COMBOS);
        }
        const unsigned low = (one & 0xFFFF) | other << 16, high = one >> 16 | (other & 0xFFFF0000);
        unsigned* to = &out[b][h / MICRO].of[h % MICRO];
        to[0] = VILLAIN ? to_beat(low) : low;
        to[1] = VILLAIN ? to_beat(high) : high;
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Add up, for each pair of combos, the weights of the boards on which the first beats the second.
// As in a matrix product, a block takes a tile of 64 x 64 pairs on 2,048 boards at a time, and a thread
// micro tiles of 4 x 4 pairs, in as many rounds as the block is short of threads; any block will do. Shared
// memory: ranks of 2 x 64 combos on 64 boards and the boards' weights (16.1 KB). A pair's sum over 2,048
// boards is below 2^17, in units of 2^15, its total at most 63 x boards, far below 2^64. Whether two combos
// share a card is not checked.
//   ranks    (boards, 1326) uint16, 4-byte aligned, as rank_combos writes them
//   weights  (boards,) uint8, at most 63
//   wins     (1326, 1326) uint64, by winner and loser, added to
extern "C" __global__ void compare_combos(
    const HandRank* __restrict__ ranks,
    const unsigned char* __restrict__ weights,
    long long boards,
    unsigned long long* __restrict__ wins)
{
    __shared__ MicroRanks hero[STAGE / 2][MICROS];
    __shared__ MicroRanks villain[STAGE / 2][MICROS];
    __shared__ unsigned weight[STAGE / 2];

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
                load_stage<false>(ranks, at, size, first_hero, hero);
                load_stage<true>(ranks, at, size, first_villain, villain);
                for (const int b : block_stride((size + 1) / 2)) {
                    weight[b] = weights[at + 2 * b];
                    if (2 * b + 1 < size) weight[b] |= weights[at + 2 * b + 1] << 8;
                }
                __syncthreads();
                if (micro >= MICROS * MICROS) continue;
                for (int b = 0; b < (size + 1) / 2; ++b) {
                    const MicroRanks ours = hero[b][h], theirs = villain[b][v];
                    const unsigned on_win = weight[b];
                    for (int i = 0; i < MICRO; ++i) {
                        for (int j = 0; j < MICRO; ++j) {
                            const unsigned won = (ours.of[i] + theirs.of[j]) & BEATEN;
                            sums[i][j] = dot_halves(won, on_win, sums[i][j]);
                        }
                    }
                }
            }
            for (int i = 0; i < MICRO; ++i) {
                for (int j = 0; j < MICRO; ++j) {
                    const int row = first_hero + h * MICRO + i, column = first_villain + v * MICRO + j;
                    // A combo past the last never wins and never loses: its sum is 0.
                    const unsigned long long sum = sums[i][j] >> SUM_SHIFT;
                    if (sum) atomicAdd(&wins[row * COMBOS + column], sum);
                }
            }
        }
    }
}

// Turn wins on one board of each class into wins and ties on all boards. A thread takes a pair of combos at a
// time: it averages the wins of both over the suits' relabellings, as average_over_suits of
// gpuodds/games/shared/combos.py does; the other boards on which both are dealt are ties. Sums stay below
// 24 x C(48, 5) < 2^26.
//   wins    (1326, 1326) uint64, by winner and loser, weighted by the sizes of classes
//   orders  (count, 1326) int32, the combo that each relabelling turns each combo into
//   pairs   (1326,) uint16, the two cards of each combo
//   known   bit c for each board card and dead card c
//   boards  on which two combos without a card in common are dealt
//   won     (1326, 1326) int64, receives the boards on which the first beats the second
//   tied    (1326, 1326) int64, receives those on which they tie; both 0 where a card is known or in both
extern "C" __global__ void split_wins(
    const unsigned long long* __restrict__ wins,
    const int* __restrict__ orders,
    int count,
    const Pair* __restrict__ pairs,
    unsigned long long known,
    long long boards,
    long long* __restrict__ won,
    long long* __restrict__ tied)
{
    for (const long long at : grid_stride((long long)COMBOS * COMBOS)) {
        const int h = int(at) / COMBOS, v = int(at) % COMBOS;
        const CardBits ours = pair_cards(pairs[h]), theirs = pair_cards(pairs[v]);
        long long ahead = 0, behind = 0;
        const bool apart = !(ours & theirs) && !((ours | theirs) & known);
        for (int i = 0; apart && i < count; ++i) {
            const int one = orders[i * COMBOS + h], other = orders[i * COMBOS + v];
            ahead += (long long)wins[one * COMBOS + other];
            behind += (long long)wins[other * COMBOS + one];
        }
        won[at] = ahead / count;
        tied[at] = apart ? boards - ahead / count - behind / count : 0;
    }
}
