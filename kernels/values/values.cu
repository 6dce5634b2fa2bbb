// Values of hands at showdowns and folds of two or three weighted ranges.
//
// The weights of the hands with each card are added up in order of strength, once an item. A thread then takes a
// hand with the cards a and b. For each other card c it reads the weight of the hands with c that are weaker, less
// those of ac and bc: X(c). Half the sum of X(c) over all c is the weight X of the hands that meet neither a nor b.
// Of two others, whose hands must not meet each other either, it is X Y - sum of X(c) Y(c) + sum of x(g) y(g) over
// hands g: see gpuodds/backends/cpu/values/pair_sums.py. All sums are of doubles.

#include "constants.cuh"
#include "shared/strides.cuh"

namespace gpuodds {

// The numbers below two limits in the order of strength, each times a factor.
struct Part {
    double before, up_to;
};

// Two places in the order of a board, and how many hands with each card come before them.
struct Span {
    int before, up_to;
    const unsigned char *counts_before, *counts_up_to;
};

// Hands that are added up: those before two places, each times a factor.
struct Range {
    Span span;
    Part part;
};

// The hands of players at the showdown, of one who has folded, and products of their weights.
struct Ranges {
    Range lone, folded, both, with_folded;
};

// Return one of two ranges, field by field: by reference they would have to be in memory.
__device__ inline Range chosen(bool first, Range one, Range other)
{
    const Span &a = one.span, &b = other.span;
    return {{first ? a.before : b.before, first ? a.up_to : b.up_to, first ? a.counts_before : b.counts_before,
                first ? a.counts_up_to : b.counts_up_to},
        {first ? one.part.before : other.part.before, first ? one.part.up_to : other.part.up_to}};
}

constexpr int NO_SHOWDOWN = -2;  // in place of the player who has folded

__device__ inline int combo_number(int one, int other)
{
    return one < other ? other * (other - 1) / 2 + one : one * (one - 1) / 2 + other;
}

// The product of the weights of the two others, or the weight of the one, by vector: first the players, then the
// products for the first, the second, the third.
template <int PLAYERS> __device__ inline double weight_of(const double* reach, int vector, int hand)
{
    if (vector < PLAYERS)
        return reach[vector * COMBOS + hand];
    const int one = (vector + 1) % PLAYERS, other = (vector + 2) % PLAYERS;
    return reach[one * COMBOS + hand] * reach[other * COMBOS + hand];
}

// What a hand's value is made of.
template <int PLAYERS> struct Hand {
    static constexpr int VECTORS = PLAYERS == 2 ? 2 : 6;

    const double* reach;  // (PLAYERS, COMBOS) of the item
    const double* sums;  // (VECTORS, DECK_SIZE, DECK_SIZE): by card, the weights of its 0, 1, 2, ... weakest hands
    const unsigned short* positions;  // of combos in the order of the board
    int a, b;

    // Return the weight of a vector's hands with c and without a and b.
    __device__ inline double with_card(int vector, int c, const Range& range) const
    {
        const double* row = sums + (vector * DECK_SIZE + c) * DECK_SIZE;
        const Span& span = range.span;
        return range.part.before * row[span.counts_before[c]] + range.part.up_to * row[span.counts_up_to[c]] - of_hand(vector, combo_number(a, c), range) - of_hand(vector, combo_number(b, c), range);
    }

    // Return a vector's weight of a hand.
    __device__ inline double of_hand(int vector, int hand, const Range& range) const
    {
        const int position = positions[hand];
        const double factor = range.part.before * (position < range.span.before) + range.part.up_to * (position < range.span.up_to);
        return factor != 0 ? factor * weight_of<PLAYERS>(reach, vector, hand) : 0;
    }

    // Add each player's sum over the others' hands, times a factor; 0 for one who has folded, if asked for.
    __device__ inline void add(double* values, double times, const Ranges& ranges, int folded) const
    {
        double alone[PLAYERS] = {}, shared[PLAYERS] = {}, alike[PLAYERS] = {};
        for (int c = 0; c < DECK_SIZE; ++c) {
            if (c == a || c == b)
                continue;
            double with[PLAYERS];
            for (int player = 0; player < PLAYERS; ++player) {
                const bool gone = PLAYERS == 3 && player == folded;
                with[player] = with_card(player, c, chosen(gone, ranges.folded, ranges.lone));
                alone[player] += with[player];
            }
            if constexpr (PLAYERS == 3) {
                for (int player = 0; player < PLAYERS; ++player) {
                    shared[player] += with[(player + 1) % PLAYERS] * with[(player + 2) % PLAYERS];
                    const bool mixed = folded >= 0 && player != folded;
                    alike[player] += with_card(PLAYERS + player, c, chosen(mixed, ranges.with_folded, ranges.both));
                }
            }
        }
        for (int player = 0; player < PLAYERS; ++player) {
            if (player == folded)
                continue;
            const double one = alone[(player + 1) % PLAYERS] / 2;
            if constexpr (PLAYERS == 2) {
                values[player] += times * one;
            } else {
                const double other = alone[(player + 2) % PLAYERS] / 2;
                values[player] += times * (one * other - shared[player] + alike[player] / 2);
            }
        }
    }
};

// See two_player_values.
template <int PLAYERS>
__device__ inline void write_values(
    const double* reach, const double* sums, const long long* boards, const unsigned short* hands,
    const unsigned short* positions, const unsigned short* groups, const unsigned short* starts,
    const unsigned char* below, const unsigned char* cards, long long items, int live, int folded, double* values)
{
    for (const long long at : grid_stride(items * live)) {
        const long long item = at / live, board = boards[item];
        const int place = (int)(at % live), hand = hands[board * live + place];
        const int group = groups[board * live + place], last = groups[board * live + live - 1] + 1;
        const unsigned char* rows = below + board * (live + 1) * DECK_SIZE;
        const unsigned char *before = rows + group * DECK_SIZE, *up_to = before + DECK_SIZE, *all = rows + last * DECK_SIZE;
        const unsigned short* begins = starts + board * (live + 1);
        const Span ties = {begins[group], begins[group + 1], before, up_to}, every = {0, live, rows, all};
        const Range whole = {every, {0, 1}}, half = {ties, {0.5, 0.5}}, tied = {ties, {-1, 1}};
        const Range none = {ties, {0, 0}}, quarter = {ties, {0.75, 0.25}};
        const Hand<PLAYERS> own = {reach + item * PLAYERS * COMBOS, sums + item * Hand<PLAYERS>::VECTORS * DECK_SIZE * DECK_SIZE,
            positions + board * COMBOS, cards[2 * hand], cards[2 * hand + 1]};
        double found[PLAYERS] = {};
        own.add(found, folded == NO_SHOWDOWN ? 1 : -1, {whole, whole, whole, whole}, -1);
        if (folded != NO_SHOWDOWN)
            own.add(found, PLAYERS, {half, whole, quarter, half}, folded);
        if (folded != NO_SHOWDOWN && PLAYERS == 3)
            own.add(found, 0.25, {tied, none, tied, none}, folded);
        for (int player = 0; player < PLAYERS; ++player)
            values[(item * PLAYERS + player) * COMBOS + hand] = found[player];
    }
}

// See sum_two_players.
template <int PLAYERS>
__device__ inline void sum_by_card(
    const double* reach, const long long* boards, const unsigned short* by_card, long long items, double* sums)
{
    constexpr int VECTORS = Hand<PLAYERS>::VECTORS;
    for (const long long at : grid_stride(items * VECTORS * DECK_SIZE)) {
        const long long item = at / (VECTORS * DECK_SIZE);
        const int vector = (int)(at / DECK_SIZE % VECTORS), card = (int)(at % DECK_SIZE);
        const unsigned short* listed = by_card + (boards[item] * DECK_SIZE + card) * (DECK_SIZE - 1);
        double* row = sums + at * DECK_SIZE;
        double sum = 0;
        row[0] = 0;
        for (int i = 0; i + 1 < DECK_SIZE; ++i) {
            const int hand = listed[i];
            if (hand < COMBOS)
                sum += weight_of<PLAYERS>(reach + item * PLAYERS * COMBOS, vector, hand);
            row[i + 1] = sum;
        }
    }
}

}  // namespace gpuodds

using namespace gpuodds;

// List the hands with each card in order of strength. A thread takes a card of a board at a time. A card has 51
// hands at most, so that counts fit a byte.
//   hands    (n, live) uint16, combos by strength
//   starts   (n, live + 1) uint16, where groups of ties begin
//   groups   (n, live) uint16, the group of each place
//   cards    (1326, 2) uint8, the cards of combos
//   n        boards
//   live     combos on a board
//   by_card  (n, 52, 51) uint16, receives combos, 1326 after the last
//   below    (n, live + 1, 52) uint8, receives how many of a card's combos come before each group, and after the
//            last group all
extern "C" __global__ void list_by_card(
    const unsigned short* __restrict__ hands,
    const unsigned short* __restrict__ starts,
    const unsigned short* __restrict__ groups,
    const unsigned char* __restrict__ cards,
    long long n,
    int live,
    unsigned short* __restrict__ by_card,
    unsigned char* __restrict__ below)
{
    for (const long long at : grid_stride(n * DECK_SIZE)) {
        const long long board = at / DECK_SIZE;
        const int card = (int)(at % DECK_SIZE), last = groups[board * live + live - 1] + 1;
        unsigned short* listed = by_card + at * (DECK_SIZE - 1);
        unsigned char* counts = below + board * (live + 1) * DECK_SIZE + card;
        const unsigned short* begins = starts + board * (live + 1);
        int count = 0, place = 0;
        for (int group = 0; group <= last; ++group) {
            for (; place < begins[group]; ++place) {
                const int hand = hands[board * live + place];
                if (cards[2 * hand] == card || cards[2 * hand + 1] == card)
                    listed[count++] = hand;
            }
            counts[group * DECK_SIZE] = count;
        }
        for (; count + 1 < DECK_SIZE; ++count)
            listed[count] = COMBOS;
    }
}

// Add up the weights of the hands with each card, from the weakest. A thread takes a card, a vector and an item.
//   reach    (items, 2, 1326) double, weights
//   boards   (items,) int64, the board of each item
//   by_card  see list_by_card
//   items    how many
//   sums     (items, 2, 52, 52) double, receives by player and card the sums over the first 0, 1, ..., 51 hands
extern "C" __global__ void sum_two_players(
    const double* __restrict__ reach,
    const long long* __restrict__ boards,
    const unsigned short* __restrict__ by_card,
    long long items,
    double* __restrict__ sums)
{
    sum_by_card<2>(reach, boards, by_card, items, sums);
}

// The same for three players, of whom sums has six vectors: their weights, and for each player the products of the
// weights of the two others.
extern "C" __global__ void sum_three_players(
    const double* __restrict__ reach,
    const long long* __restrict__ boards,
    const unsigned short* __restrict__ by_card,
    long long items,
    double* __restrict__ sums)
{
    sum_by_card<3>(reach, boards, by_card, items, sums);
}

// Write the values of two players' hands. A thread takes a hand that can be dealt, of all players, and an item.
//   reach      (items, 2, 1326) double, weights
//   sums       see sum_two_players
//   boards     (items,) int64, the board of each item
//   hands      (n, live) uint16, combos by strength
//   positions  (n, 1326) uint16, the place of each combo there; 65535 of those that cannot be dealt
//   groups     (n, live) uint16, the group of ties of each place
//   starts     (n, live + 1) uint16, where groups begin
//   below      see list_by_card
//   cards      (1326, 2) uint8, the cards of combos
//   items      how many
//   live       combos on a board
//   folded     -1; -2 for the weights of the others' hands alone
//   values     (items, 2, 1326) double, receives values; those of hands that cannot be dealt stay as they are
extern "C" __global__ void two_player_values(
    const double* __restrict__ reach,
    const double* __restrict__ sums,
    const long long* __restrict__ boards,
    const unsigned short* __restrict__ hands,
    const unsigned short* __restrict__ positions,
    const unsigned short* __restrict__ groups,
    const unsigned short* __restrict__ starts,
    const unsigned char* __restrict__ below,
    const unsigned char* __restrict__ cards,
    long long items,
    int live,
    int folded,
    double* __restrict__ values)
{
    write_values<2>(
        reach, sums, boards, hands, positions, groups, starts, below, cards, items, live, folded, values);
}

// The same for three players, with the sums of sum_three_players; folded may be a player, 0 to 2.
extern "C" __global__ void three_player_values(
    const double* __restrict__ reach,
    const double* __restrict__ sums,
    const long long* __restrict__ boards,
    const unsigned short* __restrict__ hands,
    const unsigned short* __restrict__ positions,
    const unsigned short* __restrict__ groups,
    const unsigned short* __restrict__ starts,
    const unsigned char* __restrict__ below,
    const unsigned char* __restrict__ cards,
    long long items,
    int live,
    int folded,
    double* __restrict__ values)
{
    write_values<3>(
        reach, sums, boards, hands, positions, groups, starts, below, cards, items, live, folded, values);
}
