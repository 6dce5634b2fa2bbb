// The threat graphs of board classes in normal form, or their matchings of up to two edges in closed form.

#include "normal_form.cuh"
#include "strides.cuh"

namespace gpuodds {

constexpr int GRAPH_BLOCKS = 6;  // a multiprocessor runs at once: at most 80 registers a thread, no spills

// The number of pairs among `count` things.
__host__ __device__ inline int pairs_of(int count) { return count * (count - 1) / 2; }

// Count the matchings of a threat graph with no, one and two edges: out[3 * edges + ties].
// With d the degrees of the cards, the pairs of disjoint losses are C(L, 2) - sum C(d, 2), likewise for ties
// and for a loss and a tie. None passes C(C(52, 2), 2) < 2^20.
__host__ __device__ inline void count_pairs_of_edges(
    const Sizes& sizes, const Row* rows, unsigned long long* out)
{
    int losing = 0, tying = 0, two_losses = 0, loss_and_tie = 0, two_ties = 0;
    for (TypeSet left = sizes.present(); left; left &= left - 1) {
        const int i = lowest_bit(left);
        const Row inside = edge_to(rows[i], i);
        const int cards = sizes.of(i);
        const int lose = sizes.cards_in(losses(rows[i])) - int(inside & LOSS);
        const int draw = sizes.cards_in(ties(rows[i])) - int(inside >> TYPES);
        losing += cards * lose;
        tying += cards * draw;
        two_losses -= cards * pairs_of(lose);
        loss_and_tie -= cards * lose * draw;
        two_ties -= cards * pairs_of(draw);
    }
    losing /= 2;  // each edge was met from both its ends
    tying /= 2;
    out[0] = 1;
    out[1] = out[2] = 0;
    out[3] = losing;
    out[4] = tying;
    out[5] = 0;
    out[6] = two_losses + pairs_of(losing);
    out[7] = loss_and_tie + losing * tying;
    out[8] = two_ties + pairs_of(tying);
}

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
        const BoardClass found = classes[i];
        const Item item(spots, first + found.item);
        const Sizes sizes = load_class(item, found, tables, rows);
        int certain;
        const TypeSet present = remove_certain(rows, sizes, certain);
        lengths[i] = normal_form(present, sizes, rows, keys + i * TYPES, tags + i * TYPES);
        decks[i] = spots.deck[spots.spot_of(first + found.item)] - certain;
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
        const BoardClass found = classes[i];
        const Sizes sizes = load_class(Item(spots, first + found.item), found, tables, rows);
        count_pairs_of_edges(sizes, rows, counts + i * 9);
    }
}
