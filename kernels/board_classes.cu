// Lists the board classes of spots: one thread an item, which is a spot and a completion of its board.

#include "board_classes.cuh"

// counts[i] receives the number of classes of item first + i.
extern "C" __global__ void count_classes(
    const unsigned long long* __restrict__ undealt,
    const unsigned long long* __restrict__ board,
    const unsigned long long* __restrict__ hands,
    int players,
    const unsigned char* __restrict__ completions,
    int completion_count,
    int to_come,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    long long first,
    long long items,
    int* __restrict__ counts)
{
    const Spots spots{undealt, board, hands, players, completions, completion_count, to_come};
    const HandRankTables tables{step, nullptr, nullptr, rank_7, flush};
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += threads) {
        const long long item = first + i;
        int found = 0;
        const auto count = [&](unsigned, unsigned, unsigned) { ++found; };
        visit_classes(spots, item / completion_count, int(item % completion_count), tables, count);
        counts[i] = found;
    }
}

// The classes of item first + i go to `classes` from ends[i] - counts[i] on.
extern "C" __global__ void list_classes(
    const unsigned long long* __restrict__ undealt,
    const unsigned long long* __restrict__ board,
    const unsigned long long* __restrict__ hands,
    int players,
    const unsigned char* __restrict__ completions,
    int completion_count,
    int to_come,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    long long first,
    long long items,
    const int* __restrict__ counts,
    const long long* __restrict__ ends,
    BoardClass* __restrict__ classes)
{
    const Spots spots{undealt, board, hands, players, completions, completion_count, to_come};
    const HandRankTables tables{step, nullptr, nullptr, rank_7, flush};
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < items; i += threads) {
        const long long item = first + i;
        BoardClass* next = classes + (ends[i] - counts[i]);
        const auto write = [&](unsigned flush_class, unsigned boards, unsigned winners) {
            *next++ = BoardClass{unsigned(i), flush_class, boards, winners};
        };
        visit_classes(spots, item / completion_count, int(item % completion_count), tables, write);
    }
}
