// The hand ranks of a batch of hands.

#include "arrays/rank_sums.cuh"

namespace gpuodds {

constexpr int THREAD_HANDS = 4;  // whose cards fill whole words
constexpr int MAX_CARDS = 7;
constexpr int TILE_WORDS = MAX_CARDS * RANK_THREADS + 1;

static_assert(THREAD_HANDS * sizeof(Card) == sizeof(unsigned), "a thread's hands fill `size` words");

struct alignas(8) FourRanks {
    HandRank of[THREAD_HANDS];
};

// The bytes of an array as words of aligned memory. `before` bytes of the first word precede the array.
struct ByteWords {
    const Card* bytes;
    long long size;
    int before;

    __device__ ByteWords(const Card* bytes, long long size)
        : bytes(bytes), size(size), before(int(reinterpret_cast<unsigned long long>(bytes) & 3)) {}

    // Whether the words `begin` to `end` have bytes of the array only.
    __device__ bool inside(long long begin, long long end) const
    {
        return 4 * begin >= before && 4 * end - before <= size;
    }

    __device__ const unsigned* word(long long i) const
    {
        return reinterpret_cast<const unsigned*>(bytes - before) + i;
    }

    // Word `i`; bytes outside the array are 0 and not read.
    __device__ unsigned load_part(long long i) const
    {
        const long long at = 4 * i - before;
        unsigned word = 0;
        for (int k = 0; k < 4; ++k) {
            if (at + k >= 0 && at + k < size) word |= unsigned(bytes[at + k]) << 8 * k;
        }
        return word;
    }
};

// The hands of a block: each thread has THREAD_HANDS of SIZE cards in shared memory.
template <int SIZE> struct HandTile {
    unsigned* words;  // (SIZE * blockDim.x + 1,)
    int before;       // bytes before the first card

    // Four bytes of the thread's cards.
    __device__ unsigned word(int i) const
    {
        const unsigned* at = words + threadIdx.x * SIZE + i;
        return unsigned(((unsigned long long)at[1] << 32 | at[0]) >> 8 * before);
    }

    // The best flush of one of the thread's hands, of a suit that has five of its cards.
    __device__ HandRank flush(int hand, int suit, const HandRank* flushes) const
    {
        const Card* cards = reinterpret_cast<const Card*>(words) + before;
        cards += (threadIdx.x * THREAD_HANDS + hand) * SIZE;
        unsigned ranks = 0;
        for (int i = 0; i < SIZE; ++i) ranks |= unsigned(suit_of(cards[i]) == suit) << rank_of(cards[i]);
        return flushes[ranks];
    }
};

// Rank the thread's hands of a tile; write the first `count`.
template <int SIZE>
__device__ inline void rank_tile(
    const HandTile<SIZE>& tile, const CardKeys& small, const HandRank* table, const HandRank* flushes,
    int count, HandRank* out)
{
    unsigned words[SIZE];
    for (int i = 0; i < SIZE; ++i) words[i] = tile.word(i);
    FourRanks ranks;
    unsigned suits = 0;  // of the flushes, a byte a hand
    for (int hand = 0; hand < THREAD_HANDS; ++hand) {
        KeySum sum = 0;
        for (int i = hand * SIZE; i < (hand + 1) * SIZE; ++i) {
            sum += small.keys[words[i / 4] >> 8 * (i % 4) & 0xFF];
        }
        ranks.of[hand] = plain_rank(sum, table);
        suits |= small.flush_suit(sum) << 8 * hand;
    }
    const bool whole = reinterpret_cast<unsigned long long>(out) % sizeof(FourRanks) == 0;
    if (whole && count >= THREAD_HANDS) {
        *reinterpret_cast<FourRanks*>(out) = ranks;
    } else {
        for (int hand = 0; hand < THREAD_HANDS; ++hand) {
            if (hand < count) out[hand] = ranks.of[hand];
        }
    }
    // Three hands in a hundred. A warp comes here about once for its 128 hands, not once for each 32.
    while (suits) {
        const int hand = lowest_bit(suits) / 8;
        const unsigned suit = suits >> 8 * hand & 0xFF;
        suits &= ~(0xFFu << 8 * hand);
        if (hand < count) out[hand] = tile.flush(hand, int(suit) - 1, flushes);
    }
}

// Rank `hands` hands tile by tile. The next tile's words are on their way while this one's are ranked.
template <int SIZE>
__device__ inline void rank_tiles(
    const Card* cards, long long hands, unsigned* shared, const CardKeys& small, const HandRank* table,
    const HandRank* flushes, HandRank* ranks)
{
    const ByteWords input(cards, hands * SIZE);
    const HandTile<SIZE> tile{shared, input.before};
    const long long tile_hands = (long long)blockDim.x * THREAD_HANDS;
    const long long tiles = (hands + tile_hands - 1) / tile_hands;
    unsigned next[SIZE + 1];
    const auto fetch = [&](long long number) {
        const int width = blockDim.x;
        const long long begin = number * SIZE * width, first = begin + threadIdx.x;
        if (input.inside(begin, begin + SIZE * width + 1)) {
            for (int i = 0; i <= SIZE; ++i) {
                if (i < SIZE || threadIdx.x == 0) next[i] = *input.word(first + i * width);
            }
        } else {
            for (int i = 0; i <= SIZE; ++i) {
                if (i < SIZE || threadIdx.x == 0) next[i] = input.load_part(first + i * width);
            }
        }
    };
    if (blockIdx.x < tiles) fetch(blockIdx.x);
    for (const long long number : grid_stride_blocks(tiles)) {
        __syncthreads();  // every thread has read the last tile
        for (int i = 0; i < SIZE; ++i) shared[i * blockDim.x + threadIdx.x] = next[i];
        if (threadIdx.x == 0) shared[SIZE * blockDim.x] = next[SIZE];
        __syncthreads();
        if (number + gridDim.x < tiles) fetch(number + gridDim.x);
        const long long first = number * tile_hands + threadIdx.x * THREAD_HANDS;
        const int count = hands - first < THREAD_HANDS ? int(hands - first) : THREAD_HANDS;
        rank_tile(tile, small, table, flushes, count, ranks + first);
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// Rank `hands` hands of `size` cards each. A block takes a tile of four hands a thread at a time: loads it
// word by word, whatever the array's alignment, and each thread ranks four hands. Shared memory: the tile
// (28.7 KB), keys and suits of cards (720 bytes) and, where the device has room, the table of `sums` as
// dynamic shared memory.
//   cards      (hands, size) uint8, card numbers, no card twice in a row; size is 5, 6 or 7
//   sums       tables for hands of `size` cards
//   in_shared  whether dynamic shared memory has room for the table
//   ranks      (hands,) uint16, receives hand ranks 1 to 7462
extern "C" __global__ void __launch_bounds__(RANK_THREADS, 1) rank_hands(
    const Card* __restrict__ cards,
    long long hands,
    int size,
    RankSums sums,
    int in_shared,
    HandRank* __restrict__ ranks)
{
    __shared__ unsigned tile[TILE_WORDS];
    __shared__ CardKeys small;
    small.load(sums);
    // The first barrier in rank_tiles also completes these.
    const auto rank = [&](const HandRank* table) {
        switch (size) {
            case 5: return rank_tiles<5>(cards, hands, tile, small, table, sums.flush, ranks);
            case 6: return rank_tiles<6>(cards, hands, tile, small, table, sums.flush, ranks);
            case 7: return rank_tiles<7>(cards, hands, tile, small, table, sums.flush, ranks);
        }
    };
    if (in_shared) {
        rank(copy_table(sums));
    } else {
        rank(sums.table);
    }
}
