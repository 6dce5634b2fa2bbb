// The threat graphs of board classes in normal form, or their matchings of up to two edges in closed form.

#include "known_hands/edge_pairs.cuh"
#include "known_hands/threat_graphs/normal_form.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

constexpr int GRAPH_BLOCKS = 6;  // a multiprocessor runs at once: at most 80 registers a thread, no spills

}  // namespace gpuodds

using namespace gpuodds;

// Bring the threat graph of each of `count` classes to its normal form. A thread takes a class at a time;
// its rows are in local memory.
//   spots    spots
//   tables   hand-rank tables
//   first    the item that item 0 of the classes stands for
//   classes  (count,) BoardClass
//   keys     (count, TYPES) uint64, receives the words of each graph
//   lengths  (count,) int32, receives the number of words, at most TYPES
//   tags     (count, TYPES) int8, receives the card rank of each word's type
//   decks    (count,) int32, receives the number of cards that opponents are dealt from
extern "C" __global__ void __launch_bounds__(GRAPH_THREADS, GRAPH_BLOCKS) find_graphs(
    Spots spots,
    HandRankTables tables,
    long long first,
    const BoardClass* __restrict__ classes,
    long long count,
    Word* __restrict__ keys,
    int* __restrict__ lengths,
    signed char* __restrict__ tags,
    int* __restrict__ decks)
{
    for (const long long i : grid_stride(count)) {
        Row rows[TYPES];
        const BoardClass board_class = classes[i];
        const Item item(spots, first + board_class.item);
        const Sizes sizes = load_class(item, board_class, tables, rows);
        int certain;
        const TypeSet present = remove_certain(rows, sizes, certain);
        lengths[i] = normal_form(present, sizes, rows, keys + i * TYPES, tags + i * TYPES);
        decks[i] = spots.deck[spots.spot_of(first + board_class.item)] - certain;
    }
}

// Count the matchings of up to two edges of each of `count` classes. A thread takes a class at a time; its
// rows are in local memory. Counts are below 2^20.
//   spots, tables, first, classes  as for find_graphs
//   counts                         (count, 3, 3) uint64, receives matchings by edges and ties
extern "C" __global__ void __launch_bounds__(GRAPH_THREADS, GRAPH_BLOCKS) count_pairs(
    Spots spots,
    HandRankTables tables,
    long long first,
    const BoardClass* __restrict__ classes,
    long long count,
    unsigned long long* __restrict__ counts)
{
    for (const long long i : grid_stride(count)) {
        Row rows[TYPES];
        const BoardClass board_class = classes[i];
        const Sizes sizes = load_class(Item(spots, first + board_class.item), board_class, tables, rows);
        const EdgePairs pairs = count_pairs_of_edges(sizes, rows);
        unsigned long long* const out = counts + i * 9;  // at 3 * edges + ties
        out[0] = 1;
        out[1] = out[2] = out[5] = 0;
        out[3] = pairs.losing;
        out[4] = pairs.tying;
        out[6] = pairs.two_losses;
        out[7] = pairs.loss_and_tie;
        out[8] = pairs.two_ties;
    }
}
