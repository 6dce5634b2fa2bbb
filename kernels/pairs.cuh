// Two different things out of many as one number, in colexicographic order.
//
// The pair of a and b, a < b, has the number b (b - 1) / 2 + a, however many things there are: the
// first n (n - 1) / 2 pairs are those of the first n things. Of 52 cards it makes 1,326 holdings.

#pragma once

using Pair = unsigned short;  // the lower in its low byte, the higher in its high byte

constexpr int COMBOS = 1326;

__host__ __device__ inline int lower(Pair pair) { return pair & 0xff; }
__host__ __device__ inline int higher(Pair pair) { return pair >> 8; }
