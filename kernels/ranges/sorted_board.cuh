// The combos of a full board by hand rank, sorted by a block in shared memory.
//
// Combos of equal rank form a level. A bitmap of the ranks that occur numbers the levels; a counting sort
// then places the combos, those of a level in any order, or in the order in which they are given.

#pragma once

#include "shared/board_ranks.cuh"
#include "shared/warps.cuh"

namespace gpuodds {

// Two cards: the rank of the combo in the upper half, who may hold it in the lower half.
using Cell = unsigned;

constexpr int CELL_STRIDE = DECK_SIZE + 1;  // odd, so that equal columns of rows stand in different banks
constexpr int RANK_WORDS = HIGHEST_RANK / 32 + 1;
constexpr HandRank NO_RANK = 0xFFFF;    // of a combo that cannot be dealt
constexpr HandRank ABOVE_ALL = 0xFFFE;  // above the rank of every combo that can

static_assert(HIGHEST_RANK < ABOVE_ALL, "ABOVE_ALL is above every rank");

constexpr int RANK_SHIFT = 16;
constexpr Cell NO_COMBO = Cell(NO_RANK) << RANK_SHIFT;

__host__ __device__ inline HandRank rank_in(Cell cell) { return HandRank(cell >> RANK_SHIFT); }
__host__ __device__ inline unsigned members_in(Cell cell) { return cell & ((1u << RANK_SHIFT) - 1); }

// Above the cells of all lower ranks, at most those of this one.
__host__ __device__ inline Cell first_cell(HandRank rank) { return Cell(rank) << RANK_SHIFT; }

// The bit of a player among the members. The first two players' are a byte apart: sums of up to 255 cells
// keep them apart.
__host__ __device__ inline int member_bit(int player) { return player / 2 + player % 2 * MEMBER_BYTE; }

__host__ __device__ inline bool is_member(Cell cell, int player) { return cell >> member_bit(player) & 1; }

// Combos that some player may hold. Kernels take them by value.
struct Combos {
    const Pair* __restrict__ pairs;              // (count,): their cards
    const unsigned short* __restrict__ members;  // (count,): who may hold each, see member_bit
    int count;                                   // at most COMBOS
};

struct SortedBoard {
    HandRank plain[RANK_PAIRS];
    Cell cells[DECK_SIZE * CELL_STRIDE];  // by one card * CELL_STRIDE + the other; NO_COMBO if not given
    unsigned present[RANK_WORDS];         // a bit for each rank
    int levels_before[RANK_WORDS];        // the ranks that occur before a word
    int first[COMBOS + 1];                // the place of the first combo of each level, and `dealt`
    unsigned short order[COMBOS];         // the given combos by place
    unsigned short scratch[COMBOS];
    int levels, dealt;
    int suit;  // in which a flush is possible, or -1

    __device__ Cell cell(int one, int two) const { return cells[one * CELL_STRIDE + two]; }

    __device__ int level_of(HandRank rank) const
    {
        const unsigned below = present[rank / 32] & ((1u << rank % 32) - 1);
        return levels_before[rank / 32] + count_bits(below);
    }

    // Sort `combos` on the board `cards`, of BOARD_CARDS cards or of none, where all combos rank alike;
    // STABLE keeps their order in a level, for sums that are rounded. Every thread of the block calls this;
    // no thread may still be reading. Ends in a barrier.
    template <bool STABLE>
    __device__ void sort(
        const Card* cards, int size, const Combos& combos, const HandRankTables& tables)
    {
        for (const int x : block_stride(DECK_SIZE * CELL_STRIDE)) cells[x] = NO_COMBO;
        for (const int x : block_stride(RANK_WORDS)) present[x] = 0;
        for (const int x : block_stride(COMBOS + 1)) first[x] = 0;
        Board board{plain, 0, -1, 0};
        if (size) {
            board = load_board(cards, tables, plain);  // ends in a barrier
        } else {
            __syncthreads();
        }
        if (threadIdx.x == 0) suit = board.suit;  // read behind the next barriers
        for (const int i : block_stride(combos.count)) {
            const Pair pair = combos.pairs[i];
            const HandRank rank = size ? combo_rank(board, pair, NO_RANK, tables) : HandRank(1);
            if (rank == NO_RANK) continue;
            const Cell cell = first_cell(rank) | combos.members[i];
            cells[lower(pair) * CELL_STRIDE + higher(pair)] = cell;
            cells[higher(pair) * CELL_STRIDE + lower(pair)] = cell;
            atomicOr(&present[rank / 32], 1u << rank % 32);
        }
        __syncthreads();
        if (warp() == 0) number_levels();
        __syncthreads();
        place_combos<STABLE>(combos);
    }

private:
    __device__ HandRank rank_of_pair(Pair pair) const { return rank_in(cell(lower(pair), higher(pair))); }

    // Count the ranks before each word. One warp calls this; a lane takes consecutive words.
    __device__ void number_levels()
    {
        constexpr int EACH = (RANK_WORDS + WARP_LANES - 1) / WARP_LANES;
        const int begin = lane() * EACH;
        int own_count = 0;
        for (int x = begin; x < begin + EACH && x < RANK_WORDS; ++x) own_count += count_bits(present[x]);
        int before = sum_below(own_count);
        if (lane() == WARP_LANES - 1) levels = before + own_count;
        for (int x = begin; x < begin + EACH && x < RANK_WORDS; ++x) {
            levels_before[x] = before;
            before += count_bits(present[x]);
        }
    }

    // Turn the numbers of combos of the levels, at first[level], into the places of their first ones. One
    // warp calls this.
    __device__ void add_up_levels()
    {
        const int each = (levels + WARP_LANES - 1) / WARP_LANES;
        const int begin = lane() * each, end = begin + each < levels ? begin + each : levels;
        int own_count = 0;
        for (int x = begin; x < end; ++x) own_count += first[x];
        int before = sum_below(own_count);
        if (lane() == WARP_LANES - 1) first[levels] = dealt = before + own_count;
        for (int x = begin; x < end; ++x) {
            const int size = first[x];
            first[x] = before;
            before += size;
        }
    }

    template <bool STABLE> __device__ void place_combos(const Combos& combos)
    {
        unsigned short* const place_in_level = STABLE ? order : scratch;
        unsigned short* const unordered = STABLE ? scratch : order;
        for (const int i : block_stride(combos.count)) {
            const HandRank rank = rank_of_pair(combos.pairs[i]);
            if (rank != NO_RANK) place_in_level[i] = atomicAdd(&first[level_of(rank)], 1);
        }
        __syncthreads();
        if (warp() == 0) add_up_levels();
        __syncthreads();
        for (const int i : block_stride(combos.count)) {
            const HandRank rank = rank_of_pair(combos.pairs[i]);
            if (rank != NO_RANK) unordered[first[level_of(rank)] + place_in_level[i]] = i;
        }
        __syncthreads();
        if constexpr (STABLE) {
            for (const int place : block_stride(dealt)) {
                const int i = unordered[place];
                const int level = level_of(rank_of_pair(combos.pairs[i]));
                int before = first[level];
                for (int x = first[level]; x < first[level + 1]; ++x) before += unordered[x] < i;
                order[before] = i;
            }
            __syncthreads();
        }
    }
};

}  // namespace gpuodds
