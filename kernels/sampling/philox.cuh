// Random bits that depend on a seed and a sample's number alone: Philox-4x32-10.
//
// As in gpuodds/backends/cpu/shared/random_words.py, to the bit: (block, stream, sample) is the counter, the seed the
// key. Combos are drawn from one stream, cards from another, CARDS_PER_WORD of each word.

#pragma once

#include "constants.cuh"

namespace gpuodds {

using Random = unsigned;  // 32 random bits
using Wide = unsigned long long;

constexpr int BLOCK_WORDS = 4;

// Write the words of one block of a sample's stream.
__host__ __device__ inline void philox(
    Random block, Random stream, Wide sample, Wide seed, Random words[BLOCK_WORDS])
{
    Random c0 = block, c1 = stream, c2 = Random(sample), c3 = Random(sample >> 32);
    Random k0 = Random(seed), k1 = Random(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const Wide one = Wide(c0) * 0xD2511F53u, two = Wide(c2) * 0xCD9E8D57u;
        c0 = Random(two >> 32) ^ c1 ^ k0;
        c1 = Random(two);
        c2 = Random(one >> 32) ^ c3 ^ k1;
        c3 = Random(one);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

// The words of a sample's stream, one by one.
class Stream {
public:
    // They begin with those of a block.
    __host__ __device__ Stream(Wide seed, Wide sample, Random stream, Random block = 0)
        : seed(seed), sample(sample), stream(stream), block(block) {}

    __host__ __device__ Random next()
    {
        if (left == 0) {
            philox(block++, stream, sample, seed, words);
            left = BLOCK_WORDS;
        }
        const Random word = words[0];
        words[0] = words[1];
        words[1] = words[2];
        words[2] = words[3];
        --left;
        return word;
    }

    // A number from 0 to count - 1, each with the same probability: Lemire's method.
    __host__ __device__ Random below(Random count)
    {
        Wide product = Wide(next()) * count;
        if (Random(product) < count) {
            const Random least = (0u - count) % count;
            while (Random(product) < least) product = Wide(next()) * count;
        }
        return Random(product >> 32);
    }

private:
    Wide seed, sample;
    Random stream;
    Random block;
    Random words[BLOCK_WORDS] = {};
    int left = 0;
};

// What one word chooses among: CARDS_PER_WORD cards of `live`, one card fewer each time.
struct alignas(16) Choices {
    Random counts[CARDS_PER_WORD];
    Random ways;

    Choices() = default;

    __host__ __device__ explicit Choices(int live)
        : counts{Random(live > 1 ? live : 1), Random(live > 2 ? live - 1 : 1), Random(live > 3 ? live - 2 : 1)},
          ways(counts[0] * counts[1] * counts[2])
    {
        static_assert(CARDS_PER_WORD == 3, "a count for each card of a word");
    }

    // Split a word into places; return what is left of it.
    __host__ __device__ Random split(Random word, int* places) const
    {
        for (int i = 0; i < CARDS_PER_WORD; ++i) {
            const Wide product = Wide(word) * counts[i];
            places[i] = int(product >> 32);
            word = Random(product);
        }
        return word;
    }
};

// Draw places from `word`, number `number` of the sample's card stream. A word that would favour some places
// is replaced by the same word of the next stream.
__host__ __device__ inline void draw_places(
    Random word, int number, const Choices& choices, Wide sample, Wide seed, int places[CARDS_PER_WORD])
{
    Random left = choices.split(word, places);
    if (left >= choices.ways) return;
    const Random least = (0u - choices.ways) % choices.ways;
    for (Random stream = CARD_STREAM + 1; left < least; ++stream) {
        Random words[BLOCK_WORDS];
        philox(Random(number) / BLOCK_WORDS, stream, sample, seed, words);
        left = choices.split(words[number % BLOCK_WORDS], places);
    }
}

}  // namespace gpuodds
