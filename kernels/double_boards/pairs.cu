// Two players' hands on two boards, pair by pair: how often the first wins or ties on both.
//
// Runouts of the two boards share no card. From the product of what each board counts, those that share a card
// are taken away; those that share both, taken away twice, are added back.

#include "shared/strides.cuh"

namespace gpuodds {

constexpr int FIGURES = 8;  // of a pair

// What a board's runouts, or those of a card, come to.
struct Results {
    int won, tied;

    __device__ inline void add(bool win, bool tie) { won += win, tied += tie; }
    __device__ inline void add(const Results& more) { won += more.won, tied += more.tied; }
};

// What both boards' runouts come to, the first board's result first.
struct BothResults {
    int ww, wt, tw, tt;

    __device__ inline void add(bool win, bool tie, bool win_2, bool tie_2)
    {
        ww += win && win_2, wt += win && tie_2, tw += tie && win_2, tt += tie && tie_2;
    }
    __device__ inline void add_products(const Results& one, const Results& other)
    {
        ww += one.won * other.won, wt += one.won * other.tied;
        tw += one.tied * other.won, tt += one.tied * other.tied;
    }
};

}  // namespace gpuodds

using namespace gpuodds;

// Count each pair of hands. A thread takes a pair at a time; neighbours share the first hand. Figures are below
// 2^31: a board has C(48, 2) runouts at most.
//   first    (2, heroes, cells) uint16, ranks by board, hand and runout, 0 if a card is repeated
//   second   (2, cells, others) uint16, the same by board, runout and hand
//   heroes   the first player's hands
//   others   the second player's
//   rows     cards of the deck for two to come on a board, else 1
//   columns  cards of the deck, 1 for none to come; cells = rows x columns, a table that is symmetric
//   size     cards to come on a board, 0 to 2
//   counts   (heroes, others, 8) int32, receives wins and ties on the first board and on the second, then pairs
//            of disjoint runouts: won both, won and tied, tied and won, tied both
extern "C" __global__ void count_pairs_on_two_boards(
    const unsigned short* __restrict__ first,
    const unsigned short* __restrict__ second,
    long long heroes,
    long long others,
    int rows,
    int columns,
    int size,
    int* __restrict__ counts)
{
    const long long cells = (long long)rows * columns;
    for (const long long item : grid_stride(heroes * others)) {
        const long long h = item / others, o = item % others;
        const unsigned short *one = first + h * cells, *one_2 = one + heroes * cells;
        const unsigned short *other = second + o, *other_2 = other + cells * others;
        Results board = {}, board_2 = {};
        BothResults same = {}, sharing = {};
        for (int row = 0; row < rows; ++row) {
            Results card = {}, card_2 = {};
            for (int column = 0; column < columns; ++column) {
                const long long cell = (long long)row * columns + column;
                const unsigned a = one[cell], b = other[cell * others];
                const unsigned a_2 = one_2[cell], b_2 = other_2[cell * others];
                const bool fits = a && b, fits_2 = a_2 && b_2;
                const bool win = fits && a > b, tie = fits && a == b;
                const bool win_2 = fits_2 && a_2 > b_2, tie_2 = fits_2 && a_2 == b_2;
                card.add(win, tie);
                card_2.add(win_2, tie_2);
                same.add(win, tie, win_2, tie_2);
            }
            board.add(card);
            board_2.add(card_2);
            sharing.add_products(card, card_2);
        }
        if (size == 2) {  // each runout was met twice
            board = {board.won / 2, board.tied / 2}, board_2 = {board_2.won / 2, board_2.tied / 2};
            sharing = {sharing.ww - same.ww / 2, sharing.wt - same.wt / 2, sharing.tw - same.tw / 2,
                sharing.tt - same.tt / 2};
        } else {
            sharing = size ? same : BothResults{};
        }
        int* to = counts + item * FIGURES;
        to[0] = board.won, to[1] = board.tied, to[2] = board_2.won, to[3] = board_2.tied;
        to[4] = board.won * board_2.won - sharing.ww;
        to[5] = board.won * board_2.tied - sharing.wt;
        to[6] = board.tied * board_2.won - sharing.tw;
        to[7] = board.tied * board_2.tied - sharing.tt;
    }
}
