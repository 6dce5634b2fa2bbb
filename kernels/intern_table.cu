// Numbers distinct threat graphs: a hash table with open addressing, filled in three launches.
//
// A slot is 0 when free, n + 1 for graph n, and -(i + 1) while class i of the piece at hand stands for
// a new graph. Classes with equal words end at one slot, whatever the order in which they come. The
// numbers that new graphs get depend on that order, what is summed over them does not.

#include "threat_graph.cuh"

__host__ __device__ inline unsigned long long hash_words(const Row* words, int length)
{
    unsigned long long code = length;
    for (int i = 0; i < length; ++i) {
        code = (code ^ words[i]) * 0x9E3779B97F4A7C15ULL;
        code ^= code >> 31;
    }
    return code;
}

__host__ __device__ inline bool equal_words(
    const Row* one, int length, const Row* other, int other_length)
{
    if (length != other_length) return false;
    for (int i = 0; i < length; ++i) {
        if (one[i] != other[i]) return false;
    }
    return true;
}

// Enter graphs 0 to count, all different, in empty slots; there are `mask` + 1 of them, a power of two.
extern "C" __global__ void enter_graphs(
    const Row* __restrict__ words,
    const int* __restrict__ lengths,
    long long count,
    int* __restrict__ slots,
    long long mask)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        long long slot = (long long)hash_words(words + i * TYPES, lengths[i]) & mask;
        while (atomicCAS(&slots[slot], 0, int(i + 1)) != 0) slot = (slot + 1) & mask;
    }
}

// Find the slot of each class, taking a free one for a new graph. `added` counts the new ones.
extern "C" __global__ void find_slots(
    const Row* __restrict__ keys,
    const int* __restrict__ key_lengths,
    long long count,
    const Row* __restrict__ words,
    const int* __restrict__ lengths,
    int* __restrict__ slots,
    long long mask,
    int* __restrict__ found,
    int* __restrict__ added)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        const Row* key = keys + i * TYPES;
        const int length = key_lengths[i];
        long long slot = (long long)hash_words(key, length) & mask;
        while (true) {
            const int held = atomicCAS(&slots[slot], 0, -int(i + 1));
            if (held == 0) {
                atomicAdd(added, 1);
                break;
            }
            const long long other = held < 0 ? -(held + 1LL) : held - 1LL;
            const Row* other_key = (held < 0 ? keys : words) + other * TYPES;
            const int other_length = (held < 0 ? key_lengths : lengths)[other];
            if (equal_words(key, length, other_key, other_length)) break;
            slot = (slot + 1) & mask;
        }
        found[i] = int(slot);
    }
}

// Give each new graph a number from `used` on, and keep its words.
extern "C" __global__ void adopt_graphs(
    const Row* __restrict__ keys,
    const int* __restrict__ key_lengths,
    const signed char* __restrict__ key_tags,
    long long count,
    const int* __restrict__ found,
    int* __restrict__ slots,
    int* __restrict__ used,
    Row* __restrict__ words,
    int* __restrict__ lengths,
    signed char* __restrict__ tags)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        if (slots[found[i]] != -int(i + 1)) continue;
        const long long graph = atomicAdd(used, 1);
        lengths[graph] = key_lengths[i];
        for (int word = 0; word < key_lengths[i]; ++word) {
            words[graph * TYPES + word] = keys[i * TYPES + word];
            tags[graph * TYPES + word] = key_tags[i * TYPES + word];
        }
        slots[found[i]] = int(graph + 1);
    }
}

// Put the graph's number in the place of its slot.
extern "C" __global__ void read_slots(
    int* __restrict__ found, long long count, const int* __restrict__ slots)
{
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        found[i] = slots[found[i]] - 1;
    }
}
