// The packed 64-bit words of threat graphs: layout, masks, accessors.
//
// A threat graph joins two types of cards by a loss (the two cards beat the best known hand) or a tie. A Row
// holds the edges of one type: losses to the types in bits 0 to 25, ties in bits 26 to 51. A Word, of a graph
// in normal form, is a Row with the type's number of cards above it. gpuodds/backends/cpu/known_hands/threat_graphs/threats.py and
// graphs.py use the same layout, so a graph's words are equal on the CPU and on a GPU.

#pragma once

#include "constants.cuh"
#include "shared/bits.cuh"

namespace gpuodds {

using TypeSet = unsigned;  // bit i for type i
using Row = unsigned long long;
using Word = unsigned long long;

static_assert(TYPES == 2 * RANKS && TYPES < 32, "a type for each rank, another for it in the flush suit");
static_assert(SIZE_SHIFT >= 2 * TYPES && SIZE_SHIFT + 6 <= 64, "six bits for the number of cards");

constexpr TypeSet ALL_TYPES = (1u << TYPES) - 1;
constexpr Row LOSS = 1, TIE = 1ULL << TYPES;  // one edge to type 0

__host__ __device__ constexpr Row losses_to(TypeSet types) { return types; }
__host__ __device__ constexpr Row ties_to(TypeSet types) { return Row(types) << TYPES; }
__host__ __device__ constexpr Row edges_to(TypeSet types) { return losses_to(types) | ties_to(types); }

__host__ __device__ inline TypeSet losses(Row row) { return TypeSet(row) & ALL_TYPES; }
__host__ __device__ inline TypeSet ties(Row row) { return TypeSet(row >> TYPES) & ALL_TYPES; }

// The edges of a row to type i, as if it were type 0: 0, LOSS, TIE.
__host__ __device__ inline Row edge_to(Row row, int i) { return row >> i & (LOSS | TIE); }

// An edge as a number: 0 none, 1 a loss, 2 a tie.
__host__ __device__ inline int edge_code(Row edge) { return int(edge & LOSS) + 2 * int(edge >> TYPES); }

__host__ __device__ inline int size_of(Word word) { return int(word >> SIZE_SHIFT); }

}  // namespace gpuodds
