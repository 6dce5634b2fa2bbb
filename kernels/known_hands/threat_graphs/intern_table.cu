// The intern table of threat graphs: each distinct graph gets one number.
//
// A hash table with open addressing, filled by three launches: find_slots, adopt_graphs, read_slots. A slot
// is 0 when free, n + 1 for graph n, and -(i + 1) while class i of the batch stands for a new graph. Classes
// with equal words end at one slot, in whatever order they come. The numbers of new graphs depend on that
// order; sums over graphs do not.

#include "known_hands/threat_graphs/graph_words.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

__host__ __device__ inline unsigned long long hash_words(const Word* words, int length)
{
    unsigned long long code = length;
    for (int i = 0; i < length; ++i) {
        code = (code ^ words[i]) * 0x9E3779B97F4A7C15ULL;
        code ^= code >> 31;
    }
    return code;
}

__host__ __device__ inline bool equal_words(
    const Word* one, int length, const Word* other, int other_length)
{
    if (length != other_length) return false;
    for (int i = 0; i < length; ++i) {
        if (one[i] != other[i]) return false;
    }
    return true;
}

}  // namespace gpuodds

using namespace gpuodds;

// Enter `count` distinct graphs in an empty table, graph i as number i. A thread takes a graph at a time.
//   words    (count, TYPES) uint64, the words of each graph
//   lengths  (count,) int32, the number of words
//   slots    (mask + 1,) int32, all 0, a power of two and more than count
extern "C" __global__ void enter_graphs(
    const Word* __restrict__ words,
    const int* __restrict__ lengths,
    long long count,
    int* __restrict__ slots,
    long long mask)
{
    for (const long long i : grid_stride(count)) {
        long long slot = (long long)hash_words(words + i * TYPES, lengths[i]) & mask;
        while (atomicCAS(&slots[slot], 0, int(i + 1)) != 0) slot = (slot + 1) & mask;
    }
}

// Find the slot of the graph of each of `count` classes, taking a free one for a new graph. A thread takes a
// class at a time; the first to come takes the slot by compare-and-swap.
//   keys         (count, TYPES) uint64, the words of each class's graph
//   key_lengths  (count,) int32
//   words        (graphs, TYPES) uint64, the words of the numbered graphs
//   lengths      (graphs,) int32
//   slots        (mask + 1,) int32, a power of two and more than graphs + count
//   slot_of        (count,) int32, receives slots
//   added        (1,) int32, raised by the number of new graphs
extern "C" __global__ void find_slots(
    const Word* __restrict__ keys,
    const int* __restrict__ key_lengths,
    long long count,
    const Word* __restrict__ words,
    const int* __restrict__ lengths,
    int* __restrict__ slots,
    long long mask,
    int* __restrict__ slot_of,
    int* __restrict__ added)
{
    for (const long long i : grid_stride(count)) {
        const Word* key = keys + i * TYPES;
        const int length = key_lengths[i];
        long long slot = (long long)hash_words(key, length) & mask;
        while (true) {
            // A slot is taken once and for all: only a free one needs a compare-and-swap, and the slots of
            // common graphs are read by all classes at once.
            int held = static_cast<volatile int*>(slots)[slot];
            if (held == 0) held = atomicCAS(&slots[slot], 0, -int(i + 1));
            if (held == 0) {
                atomicAdd(added, 1);
                break;
            }
            const long long other = held < 0 ? -(held + 1LL) : held - 1LL;
            const Word* other_key = (held < 0 ? keys : words) + other * TYPES;
            const int other_length = (held < 0 ? key_lengths : lengths)[other];
            if (equal_words(key, length, other_key, other_length)) break;
            slot = (slot + 1) & mask;
        }
        slot_of[i] = int(slot);
    }
}

// Number the new graphs of `count` classes and keep their words. A thread takes a class at a time; the class
// that stands in its slot adopts the graph.
//   keys, key_lengths, slot_of, slots  as find_slots leaves them; slots receive n + 1 for new graph n
//   key_tags  (count, TYPES) int8, the card rank of each word's type
//   used      (1,) int32, the next number, raised by the number of new graphs
//   words     (graphs, TYPES) uint64, receives the words of new graphs, rows from used[0] on
//   lengths   (graphs,) int32, likewise
//   tags      (graphs, TYPES) int8, likewise
extern "C" __global__ void adopt_graphs(
    const Word* __restrict__ keys,
    const int* __restrict__ key_lengths,
    const signed char* __restrict__ key_tags,
    long long count,
    const int* __restrict__ slot_of,
    int* __restrict__ slots,
    int* __restrict__ used,
    Word* __restrict__ words,
    int* __restrict__ lengths,
    signed char* __restrict__ tags)
{
    for (const long long i : grid_stride(count)) {
        // Other classes of the slot may read it while this one writes: volatile accesses may meet.
        volatile int* const slot = &slots[slot_of[i]];
        if (*slot != -int(i + 1)) continue;
        const long long graph = atomicAdd(used, 1);
        lengths[graph] = key_lengths[i];
        for (int word = 0; word < key_lengths[i]; ++word) {
            words[graph * TYPES + word] = keys[i * TYPES + word];
            tags[graph * TYPES + word] = key_tags[i * TYPES + word];
        }
        *slot = int(graph + 1);
    }
}

// Replace each of `count` slots by the number of its graph. A thread takes a slot at a time.
//   slot_of  (count,) int32, slots, replaced by numbers
//   slots  (mask + 1,) int32, as adopt_graphs leaves them
extern "C" __global__ void read_slots(
    int* __restrict__ slot_of, long long count, const int* __restrict__ slots)
{
    for (const long long i : grid_stride(count)) slot_of[i] = slots[slot_of[i]] - 1;
}
