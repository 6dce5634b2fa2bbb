// Random bits that depend on a seed and a sample's number alone: Philox-4x32-10.
//
// As in gpuodds/backends/cpu/sampling.py, to the bit: (block, stream, sample) is the counter, the seed the key.
// Holdings are drawn word by word from one stream; three cards come of each word of another.

#pragma once

using Word = unsigned;
using Long = unsigned long long;

constexpr Word COMBO_STREAM = 0;  // the streams
constexpr Word CARD_STREAM = 1;
constexpr int CARDS_A_WORD = 3;

// Write the four words that belong to a block of a sample's stream.
__host__ __device__ inline void philox(Word block, Word stream, Long sample, Long seed, Word words[4])
{
    Word c0 = block, c1 = stream, c2 = Word(sample), c3 = Word(sample >> 32);
    Word k0 = Word(seed), k1 = Word(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const Long one = Long(c0) * 0xD2511F53u, two = Long(c2) * 0xCD9E8D57u;
        c0 = Word(two >> 32) ^ c1 ^ k0;
        c1 = Word(two);
        c2 = Word(one >> 32) ^ c3 ^ k1;
        c3 = Word(one);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
}

// The words of a sample's stream, one by one.
class Words {
public:
    __host__ __device__ Words(Long seed, Long sample, Word stream)
        : seed(seed), sample(sample), stream(stream) {}

    __host__ __device__ Word next()
    {
        if (left == 0) {
            philox(block++, stream, sample, seed, words);
            left = 4;
        }
        const Word word = words[0];
        words[0] = words[1];
        words[1] = words[2];
        words[2] = words[3];
        --left;
        return word;
    }

    // A number from 0 to count - 1, all alike: Lemire's method.
    __host__ __device__ Word below(Word count)
    {
        Long product = Long(next()) * count;
        if (Word(product) < count) {
            const Word least = (0u - count) % count;
            while (Word(product) < least) product = Long(next()) * count;
        }
        return Word(product >> 32);
    }

private:
    Long seed, sample;
    Word stream;
    Word block = 0;
    Word words[4] = {};
    int left = 0;
};

// Places of three of `live` cards, one fewer each time, of a word, the `number`-th of the sample's deals.
// A word that would favour some is replaced by that of the next stream.
__host__ __device__ inline void draw_places(
    Word word, int number, int live, Long sample, Long seed, int places[CARDS_A_WORD])
{
    const Word counts[] = {Word(live), Word(live > 2 ? live - 1 : 1), Word(live > 3 ? live - 2 : 1)};
    const Word ways = counts[0] * counts[1] * counts[2];
    Word low = word;
    for (int i = 0; i < CARDS_A_WORD; ++i) {
        const Long product = Long(low) * counts[i];
        places[i] = int(product >> 32);
        low = Word(product);
    }
    if (low >= ways) return;
    const Word least = (0u - ways) % ways;
    for (Word stream = CARD_STREAM + 1; low < least; ++stream) {
        Word words[4];
        philox(Word(number) >> 2, stream, sample, seed, words);
        low = words[number & 3];
        for (int i = 0; i < CARDS_A_WORD; ++i) {
            const Long product = Long(low) * counts[i];
            places[i] = int(product >> 32);
            low = Word(product);
        }
    }
}
