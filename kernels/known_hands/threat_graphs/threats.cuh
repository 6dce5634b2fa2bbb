// The threat graph of a board class: which undealt cards beat or tie the best known hand.
//
// As in gpuodds/backends/cpu/known_hands/threat_graphs/threats.py: cards of a rank are one type, and where a flush is possible those of
// the flush suit another.

#pragma once

#include "known_hands/threat_graphs/graph_words.cuh"
#include "shared/board_classes.cuh"

namespace gpuodds {

constexpr TypeSet FLUSH_TYPES = ALL_TYPES & ~((1u << RANKS) - 1);  // types RANKS + rank

// The number of cards of each type, 0 to 4, as one mask for each binary digit.
struct Sizes {
    TypeSet ones, twos, fours;

    __host__ __device__ TypeSet present() const { return ones | twos | fours; }
    __host__ __device__ TypeSet single() const { return ones & ~(twos | fours); }
    __host__ __device__ int of(int i) const
    {
        return (ones >> i & 1) + 2 * (twos >> i & 1) + 4 * (fours >> i & 1);
    }
    __host__ __device__ int cards_in(TypeSet types) const
    {
        return count_bits(types & ones) + 2 * count_bits(types & twos) + 4 * count_bits(types & fours);
    }

    // The types of which a card of type i can meet another card.
    __host__ __device__ TypeSet partners(int i) const { return present() & ~(single() & 1u << i); }

    // Take a card of each of `suited`, types below RANKS, to the flush type of its rank.
    __host__ __device__ void part_flush_suit(TypeSet suited)
    {
        const TypeSet borrow = suited & ~ones;
        ones ^= suited;
        fours ^= borrow & ~twos;
        twos ^= borrow;
        ones |= suited << RANKS;
    }
};

// Count the undealt cards of each rank on a completed board.
__host__ __device__ inline Sizes count_ranks(const Item& item)
{
    Sizes sizes{0, 0, 0};
    for (int rank = 0; rank < RANKS; ++rank) {
        int left = count_rank(item.undealt, rank);
        for (int i = 0; i < item.to_come; ++i) left -= item.ranks[i] == rank;
        sizes.ones |= unsigned(left & 1) << rank;
        sizes.twos |= unsigned(left >> 1 & 1) << rank;
        sizes.fours |= unsigned(left >> 2 & 1) << rank;
    }
    return sizes;
}

// Fill the rows of the types below RANKS with the edges that two cards make without a flush.
__host__ __device__ inline void compare_plain(
    int state, int threshold, const HandRankTables& tables, Row* rows)
{
#pragma unroll 1  // unrolled, it takes a fifth more registers
    for (int low = 0; low < RANKS; ++low) {
        TypeSet loss = 0, tie = 0;
        for (int high = 0; high < RANKS; ++high) {
            const int rank = plain_rank(state, low, high, tables);
            loss |= TypeSet(rank > threshold) << high;
            tie |= TypeSet(rank == threshold) << high;
        }
        rows[low] = losses_to(loss | loss << RANKS) | ties_to(tie | tie << RANKS);
        rows[RANKS + low] = 0;
    }
}

// Any flush beats the threshold: two cards of the suit make one, or one where the board has four.
__host__ __device__ inline void let_flushes_win(int on_board, Row* rows)
{
    for (int rank = 0; rank < RANKS; ++rank) {
        const Row with_flushes = (rows[rank] & ~ties_to(FLUSH_TYPES)) | losses_to(FLUSH_TYPES);
        rows[RANKS + rank] = on_board == SUITED_FOR_FLUSH ? with_flushes : losses_to(ALL_TYPES);
        if (on_board > SUITED_FOR_FLUSH) rows[rank] = with_flushes;
    }
}

// A combo ranks as the better of its flush and its plain rank: a loss if either beats the threshold, else a
// tie if either equals it. Ties are taken back from losses at the end.
__host__ __device__ inline void compare_flushes(
    unsigned suited, unsigned in_suit, int threshold, const HandRank* flush, Row* rows)
{
    const Row everywhere = flush[in_suit] == threshold ? ties_to(ALL_TYPES) : 0;
    for (int rank = 0; rank < RANKS; ++rank) {
        rows[rank] |= everywhere;
        rows[RANKS + rank] = rows[rank];
    }
    for (unsigned left = suited; left;) {
        const int rank = lowest_bit(left);
        left &= left - 1;
        const int one_card = flush[in_suit | 1u << rank];
        if (one_card >= threshold) {
            // One card of the suit is enough, whatever the other is.
            const int shift = one_card > threshold ? 0 : TYPES;
            for (int i = 0; i < TYPES; ++i) rows[i] |= 1ULL << (RANKS + rank + shift);
            rows[RANKS + rank] |= Row(ALL_TYPES) << shift;
        }
        for (unsigned partners = left; partners; partners &= partners - 1) {
            const int other = lowest_bit(partners);
            const int two_cards = flush[in_suit | 1u << rank | 1u << other];
            if (two_cards >= threshold) {
                const int shift = two_cards > threshold ? RANKS : RANKS + TYPES;
                rows[RANKS + rank] |= 1ULL << (other + shift);
                rows[RANKS + other] |= 1ULL << (rank + shift);
            }
        }
    }
    for (int i = 0; i < TYPES; ++i) rows[i] &= ~ties_to(losses(rows[i]));
}

// Fill `rows` (TYPES) with the threat graph of a class of `item` and return the sizes of its types. The rows
// of types without cards are arbitrary.
__host__ __device__ inline Sizes load_class(
    const Item& item, const BoardClass& board_class, const HandRankTables& tables, Row* rows)
{
    const int threshold = board_class.threshold();
    compare_plain(board_state(item, tables), threshold, tables, rows);
    Sizes sizes = count_ranks(item);
    if (board_class.suit() != NO_SUIT) {
        const unsigned in_suit = board_class.ranks();
        const unsigned suited = ranks_in(item.undealt, board_class.suit()) & ~in_suit;
        sizes.part_flush_suit(suited);
        if (threshold < tables.lowest_flush) {
            let_flushes_win(count_bits(in_suit), rows);
        } else {
            compare_flushes(suited, in_suit, threshold, tables.flush, rows);
        }
    }
    for (int i = 0; i < TYPES; ++i) rows[i] &= edges_to(sizes.partners(i));
    return sizes;
}

}  // namespace gpuodds
