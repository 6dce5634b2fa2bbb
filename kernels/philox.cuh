// Random bits that depend on a seed and a sample's number alone: Philox-4x32-10.
//
// As in gpuodds/cpu/sampling.py, to the bit: (block, 0, sample) is the counter, the seed the key; a
// sample takes the four words of a block one by one, and two of them at once for the pieces of which
// cards are drawn. A word that is left over when two are wanted is not used.

#pragma once

using Word = unsigned;
using Long = unsigned long long;

class Random {
public:
    __host__ __device__ Random(Long seed, Long sample) : seed(seed), sample(sample) {}

    // 32 random bits.
    __host__ __device__ Word next()
    {
        if (left == 0) refill();
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

    // A card that is not in `taken`.
    __host__ __device__ int card(Long taken)
    {
        while (true) {
            if (pieces == 0) {
                if (left < 2) refill();
                bits = Long(words[1]) << 32 | words[0];
                words[0] = words[2];
                words[1] = words[3];
                left -= 2;
                pieces = 10;
            }
            const int card = int(bits & 63);
            bits >>= 6;
            --pieces;
            if (card < 52 && !(taken >> card & 1)) return card;
        }
    }

private:
    Long seed, sample;
    Word block = 0;
    Word words[4] = {};
    int left = 0;
    Long bits = 0;
    int pieces = 0;

    __host__ __device__ void refill()
    {
        Word c0 = block++, c1 = 0, c2 = Word(sample), c3 = Word(sample >> 32);
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
        left = 4;
    }
};
