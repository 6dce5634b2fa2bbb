// The threat graph of a board class, and its normal form: gpuodds/backends/cpu/threats.py and graphs.py say what
// they are. The arithmetic is theirs, so that a graph's words are the same on the CPU and on a GPU.

#pragma once

#include "board_classes.cuh"

using Row = unsigned long long;  // losses to types in bits 0 to 25, ties in bits 26 to 51

constexpr int TYPES = 26;
constexpr Row ROW = (1ULL << TYPES) - 1;
constexpr Row SUITED = ((1ULL << 13) - 1) << 13;
constexpr int SIZE_SHIFT = 2 * TYPES;
constexpr int LOWEST_FLUSH = 5864;  // 7-5-4-3-2 of one suit

// How many cards each type has, 0 to 4, as one mask for each binary digit.
struct Sizes {
    unsigned ones, twos, fours;

    __host__ __device__ unsigned present() const { return ones | twos | fours; }
    __host__ __device__ unsigned single() const { return ones & ~(twos | fours); }
    __host__ __device__ int of(int i) const
    {
        return (ones >> i & 1) + 2 * (twos >> i & 1) + 4 * (fours >> i & 1);
    }
    __host__ __device__ int cards_in(Row types) const
    {
        const unsigned mask = unsigned(types & ROW);
        return count_bits(mask & ones) + 2 * count_bits(mask & twos) + 4 * count_bits(mask & fours);
    }
};

__host__ __device__ inline Sizes count_cards(
    unsigned long long undealt, const unsigned char* completion, int to_come)
{
    Sizes sizes{0, 0, 0};
    for (int rank = 0; rank < RANKS; ++rank) {
        int left = count_rank(undealt, rank);
        for (int i = 0; i < to_come; ++i) left -= completion[i] == rank;
        sizes.ones |= unsigned(left & 1) << rank;
        sizes.twos |= unsigned(left >> 1 & 1) << rank;
        sizes.fours |= unsigned(left >> 2 & 1) << rank;
    }
    return sizes;
}

// Any flush beats the threshold: two cards of the suit make one, or one where the board has four.
__host__ __device__ inline void let_flushes_win(int on_board, Row* rows)
{
    for (int rank = 0; rank < RANKS; ++rank) {
        const Row with_flushes = (rows[rank] & ~(SUITED << TYPES)) | SUITED;
        rows[13 + rank] = on_board == 3 ? with_flushes : ROW;
        if (on_board > 3) rows[rank] = with_flushes;
    }
}

// A holding ranks as the better of its flush and its plain rank: a loss if either beats the threshold,
// else a tie if either equals it. Ties are taken back from losses at the end.
__host__ __device__ inline void compare_flushes(
    unsigned suited, unsigned in_suit, int threshold, const HandRank* flush, Row* rows)
{
    const Row everywhere = flush[in_suit] == threshold ? ROW << TYPES : 0;
    for (int rank = 0; rank < RANKS; ++rank) {
        rows[rank] |= everywhere;
        rows[13 + rank] = rows[rank];
    }
    for (unsigned left = suited; left;) {
        const int rank = lowest_bit(left);
        left &= left - 1;
        const int one_card = flush[in_suit | 1u << rank];
        if (one_card >= threshold) {
            // One card of the suit is enough, whatever the other is.
            const int shift = one_card > threshold ? 0 : TYPES;
            for (int i = 0; i < TYPES; ++i) rows[i] |= 1ULL << (13 + rank + shift);
            rows[13 + rank] |= ROW << shift;
        }
        for (unsigned partners = left; partners; partners &= partners - 1) {
            const int other = lowest_bit(partners);
            const int two_cards = flush[in_suit | 1u << rank | 1u << other];
            if (two_cards >= threshold) {
                const int shift = two_cards > threshold ? 13 : 13 + TYPES;
                rows[13 + rank] |= 1ULL << (other + shift);
                rows[13 + other] |= 1ULL << (rank + shift);
            }
        }
    }
    for (int i = 0; i < TYPES; ++i) rows[i] &= ~((rows[i] & ROW) << TYPES);
}

// Fill `rows` (TYPES) for a class and return the sizes of its types. Rows of types without cards hold
// nothing of use.
__host__ __device__ inline Sizes load_class(
    const Spots& spots,
    long long first,
    const BoardClass& found,
    const HandRankTables& tables,
    Row* rows)
{
    const long long item = first + found.item;
    const long long spot = item / spots.count;
    const unsigned char* completion = spots.completions + item % spots.count * spots.to_come;
    const int threshold = found.threshold();
    const int state = board_state(spots.board[spot], completion, spots.to_come, tables.step);
    for (int low = 0; low < RANKS; ++low) {
        Row loss = 0, tie = 0;
        for (int high = 0; high < RANKS; ++high) {
            const int value = plain_rank(state, low, high, tables);
            loss |= Row(value > threshold) << high;
            tie |= Row(value == threshold) << high;
        }
        rows[low] = loss | loss << 13 | tie << TYPES | tie << (13 + TYPES);
        rows[13 + low] = 0;
    }

    const unsigned long long undealt = spots.undealt[spot];
    Sizes sizes = count_cards(undealt, completion, spots.to_come);
    if (found.suit() != NO_SUIT) {
        const unsigned in_suit = found.ranks();
        const unsigned suited = ranks_in(undealt, found.suit()) & ~in_suit;
        // One card less of each suited rank among the others, digit by digit.
        const unsigned borrow = suited & ~sizes.ones;
        sizes.ones ^= suited;
        sizes.fours ^= borrow & ~sizes.twos;
        sizes.twos ^= borrow;
        sizes.ones |= suited << 13;
        if (threshold < LOWEST_FLUSH) {
            let_flushes_win(count_bits(in_suit), rows);
        } else {
            compare_flushes(suited, in_suit, threshold, tables.flush, rows);
        }
    }
    const unsigned present = sizes.present();
    for (int i = 0; i < TYPES; ++i) {
        const Row row = present & ~(sizes.single() & 1u << i);
        rows[i] &= row | row << TYPES;
    }
    return sizes;
}

// Leave out cards that beat the threshold with any partner, `certain` of them, then those without an
// edge. Return the types left; their rows are cut to the types that are not certain.
__host__ __device__ inline unsigned remove_certain(Row* rows, const Sizes& sizes, int& certain)
{
    const unsigned present = sizes.present();
    unsigned gone = 0;
    for (unsigned left = present; left; left &= left - 1) {
        const int i = lowest_bit(left);
        const unsigned others = present & ~(sizes.single() & 1u << i);
        if ((rows[i] & ROW) == others && others) gone |= 1u << i;
    }
    certain = sizes.cards_in(gone);
    const Row kept_row = present & ~gone;
    unsigned kept = 0;
    for (unsigned left = present & ~gone; left; left &= left - 1) {
        const int i = lowest_bit(left);
        rows[i] &= kept_row | kept_row << TYPES;
        if (rows[i]) kept |= 1u << i;
    }
    return kept;
}

// The edges of a type to type i: bit 0 a loss, bit TYPES a tie.
__host__ __device__ inline Row edges_to(Row row, int i) { return row >> i & (1 | 1ULL << TYPES); }

// Put merged types into an order that follows from their degrees, sizes, inner edges and neighbours.
__host__ __device__ inline void order_types(
    int count, unsigned kept, const unsigned char* types, unsigned* code, const unsigned char* cards,
    const Row* rows, Row* key, signed char* tags)
{
    unsigned char slot_of[TYPES];
    unsigned char order[TYPES];
    Row place[TYPES];
    const Row both = kept | Row(kept) << TYPES;
    for (int slot = 0; slot < count; ++slot) {
        const int i = types[slot];
        slot_of[i] = (unsigned char)slot;
        const Row inside = edges_to(rows[i], i);
        const unsigned among = unsigned(inside & 1) + 2 * unsigned(inside >> TYPES);
        code[slot] = (code[slot] * 64 + cards[slot]) * 4 + among;
    }
    for (int slot = 0; slot < count; ++slot) {
        const Row row = rows[types[slot]] & both;
        Row around = 0;
        for (unsigned loss = unsigned(row & ROW); loss; loss &= loss - 1) {
            const Row neighbour = code[slot_of[lowest_bit(loss)]];
            around += neighbour * neighbour;
        }
        for (unsigned tie = unsigned(row >> TYPES); tie; tie &= tie - 1) {
            around += Row(code[slot_of[lowest_bit(tie)]]) * 0x9E3779B1u;
        }
        const Row value = Row(code[slot]) << 40 | (around & 0xFFFFFFFFFFULL);
        int at = slot;
        for (; at > 0 && place[at - 1] < value; --at) {
            place[at] = place[at - 1];
            order[at] = order[at - 1];
        }
        place[at] = value;
        order[at] = (unsigned char)slot;
    }
    for (int at = 0; at < count; ++at) slot_of[types[order[at]]] = (unsigned char)at;
    for (int at = 0; at < count; ++at) {
        const int i = types[order[at]];
        const Row row = rows[i] & both;
        Row word = Row(cards[order[at]]) << SIZE_SHIFT;
        for (unsigned loss = unsigned(row & ROW); loss; loss &= loss - 1) {
            word |= 1ULL << slot_of[lowest_bit(loss)];
        }
        for (unsigned tie = unsigned(row >> TYPES); tie; tie &= tie - 1) {
            word |= 1ULL << (TYPES + slot_of[lowest_bit(tie)]);
        }
        key[at] = word;
        tags[at] = (signed char)(i % RANKS);
    }
}

// Merge types that behave alike, order the rest, write one word a type to `key` and the type's card
// rank to `tags`; return how many there are.
__host__ __device__ inline int normal_form(
    unsigned present, const Sizes& sizes, Row* rows, Row* key, signed char* tags)
{
    unsigned char types[TYPES];
    unsigned char cards[TYPES];
    unsigned code[TYPES];
    int count = 0;
    unsigned kept = 0;
    for (unsigned left = present; left; left &= left - 1) {
        const int i = lowest_bit(left);
        const Row row = rows[i];
        const Row inside = edges_to(row, i);
        const int losses = sizes.cards_in(row) - int(inside & 1);
        const int ties = sizes.cards_in(row >> TYPES) - int(inside >> TYPES);
        const unsigned degree = unsigned(losses << 6 | ties);
        const bool several = sizes.of(i) > 1;
        bool merged = false;
        for (int slot = 0; slot < count && !merged; ++slot) {
            if (code[slot] != degree) continue;
            const int j = types[slot];
            const Row pair = 1ULL << i | 1ULL << j;
            if ((row ^ rows[j]) & ~(pair | pair << TYPES)) continue;
            const Row between = edges_to(row, j);
            if (several && inside != between) continue;
            if (cards[slot] > 1 && edges_to(rows[j], j) != between) continue;
            rows[j] |= between << j;
            cards[slot] = (unsigned char)(cards[slot] + sizes.of(i));
            merged = true;
        }
        if (!merged) {
            types[count] = (unsigned char)i;
            code[count] = degree;
            cards[count] = (unsigned char)sizes.of(i);
            kept |= 1u << i;
            ++count;
        }
    }
    order_types(count, kept, types, code, cards, rows, key, tags);
    return count;
}
