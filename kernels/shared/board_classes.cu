// The board classes of items.

#include "shared/board_classes.cuh"
#include "shared/strides.cuh"

using namespace gpuodds;

// Count the board classes of `items` items from `first` on. A thread takes an item at a time.
//   spots   spots
//   counts  (items,) int32, receives the number of classes, at most 1 + 4 x 2^5
extern "C" __global__ void count_classes(
    Spots spots, long long first, long long items, int* __restrict__ counts)
{
    for (const long long i : grid_stride(items)) {
        int num_classes = 0;
        visit_suits(Item(spots, first + i), [&](int, RankSet, unsigned) { ++num_classes; });
        counts[i] = num_classes;
    }
}

// List the board classes of `items` items from `first` on. A thread takes an item at a time.
//   spots    spots
//   tables   hand-rank tables
//   counts   (items,) int32, as count_classes writes them
//   ends     (items,) int64, their running sums, each item's own count included
//   classes  (ends[items - 1],) BoardClass, receives the classes, item by item
extern "C" __global__ void list_classes(
    Spots spots,
    HandRankTables tables,
    long long first,
    long long items,
    const int* __restrict__ counts,
    const long long* __restrict__ ends,
    BoardClass* __restrict__ classes)
{
    for (const long long i : grid_stride(items)) {
        const Item item(spots, first + i);
        const int state = board_state(item, tables);
        BoardClass* next = classes + (ends[i] - counts[i]);
        visit_suits(item, [&](int suit, RankSet in_suit, unsigned boards) {
            BoardClass board_class = find_winners(item, state, suit, in_suit, boards, tables);
            board_class.item = unsigned(i);
            *next++ = board_class;
        });
    }
}
