// Sums matchings over board classes, and closes the sums to deals in which nobody is better.
//
// Sums are unsigned 128-bit integers. The largest total of a spot, 20 opponents before the flop, has
// 120 bits; closing goes through negative terms, modulo 2^128, and ends at such a total.

using Count = unsigned long long;
using Sum = unsigned __int128;

constexpr int LIMB_BITS = 48;

// A class as board_classes.cuh has it.
struct alignas(16) ClassWords {
    unsigned item, flush, boards, winners;
};

// Chunk c is the classes order[begins[c]] to order[ends[c] - 1]. out[c] (width x width) receives boards
// x matchings by edges and ties, summed over the chunk. Class i has the graph graphs[i], whose counts
// have the shape shapes[graph] (limbs, edges + 1, ties + 1) and begin at results[place[graph]]. Any
// order of the classes gives the same sum; chunks part the work, not the meaning.
extern "C" __global__ void add_classes(
    const long long* __restrict__ order,
    const long long* __restrict__ begins,
    const long long* __restrict__ ends,
    int chunks,
    const ClassWords* __restrict__ classes,
    const int* __restrict__ graphs,
    const int* __restrict__ shapes,
    const long long* __restrict__ place,
    const Count* __restrict__ results,
    int width,
    Sum* __restrict__ out)
{
    for (int chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        for (int at = threadIdx.x; at < width * width; at += blockDim.x) {
            const int j = at / width;
            const int t = at % width;
            Sum sum = 0;
            for (long long x = begins[chunk]; x < ends[chunk]; ++x) {
                const long long i = order[x];
                const int graph = graphs[i];
                const int* shape = shapes + graph * 3LL;
                if (j >= shape[1] || t >= shape[2]) continue;
                const Count* counts = results + place[graph] + j * shape[2] + t;
                Sum ways = counts[0];
                if (shape[0] == 2) ways += Sum(counts[shape[1] * shape[2]]) << LIMB_BITS;
                sum += ways * classes[i].boards;
            }
            out[(long long)chunk * width * width + at] = sum;
        }
    }
}

// Group g is the chunks first[g] to first[g + 1] - 1; out[g] receives the sum of their `size` numbers.
extern "C" __global__ void add_chunks(
    const Sum* __restrict__ chunks,
    const long long* __restrict__ first,
    long long groups,
    int size,
    Sum* __restrict__ out)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    const long long numbers = groups * size;
    for (long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x; x < numbers; x += threads) {
        const long long group = x / size;
        Sum sum = 0;
        for (long long c = first[group]; c < first[group + 1]; ++c) sum += chunks[c * size + x % size];
        out[x] = sum;
    }
}

// out[s] (most x width, width = most + 1) receives, for k = 1 to `most` opponents, the deals in which
// nobody is better and t = 0 to k tie: gpuodds/games/holdem/multiway.py says why. Spot s is the groups
// first[s] to first[s + 1] - 1; in group g opponents are dealt from decks[g] cards, and sums[g] (width
// x width) are its matchings. deals[n][e][k] (width x width a deck) are ways to deal k - e hands from n
// - 2 e cards.
extern "C" __global__ void close_sums(
    const Sum* __restrict__ sums,
    const int* __restrict__ decks,
    const long long* __restrict__ first,
    long long spots,
    int most,
    const Sum* __restrict__ deals,
    Sum* __restrict__ out)
{
    const int width = most + 1;
    const long long threads = (long long)gridDim.x * blockDim.x;
    const long long numbers = spots * most * width;
    for (long long x = (long long)blockIdx.x * blockDim.x + threadIdx.x; x < numbers; x += threads) {
        const long long spot = x / (most * width);
        const int opponents = int(x / width % most) + 1;
        const int split = int(x % width);
        Sum total = 0;
        for (long long g = first[spot]; g < first[spot + 1]; ++g) {
            const Sum* ways = sums + g * width * width;
            const Sum* others = deals + (long long)decks[g] * width * width;
            for (int edges = split; edges <= opponents; ++edges) {
                Count choices = 1;  // C(ties, split)
                Sum chosen = 0;
                for (int ties = split; ties <= edges; ++ties) {
                    chosen += Sum(choices) * ways[edges * width + ties];
                    choices = choices * (ties + 1) / (ties + 1 - split);
                }
                chosen *= others[edges * width + opponents];
                total += (edges - split) & 1 ? -chosen : chosen;
            }
        }
        out[x] = split <= opponents ? total : 0;
    }
}
