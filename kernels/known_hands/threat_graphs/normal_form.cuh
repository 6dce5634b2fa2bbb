// The normal form of a threat graph: types that matter, merged where they behave alike, in an order that
// depends on the graph alone. As in gpuodds/backends/cpu/known_hands/threat_graphs/normal_form.py, word for word.

#pragma once

#include "known_hands/threat_graphs/threats.cuh"

namespace gpuodds {

// The types of a graph that is being merged, by slot.
struct Slots {
    unsigned char type[TYPES];
    unsigned char cards[TYPES];
    unsigned code[TYPES];  // equal for types that behave alike
    int count = 0;
    TypeSet kept = 0;  // the types in the slots

    __host__ __device__ void add(int i, unsigned degree, int size)
    {
        type[count] = (unsigned char)i;
        code[count] = degree;
        cards[count] = (unsigned char)size;
        kept |= 1u << i;
        ++count;
    }
};

// Leave out cards that beat the threshold with any partner, `certain` of them, then those without an edge.
// Return the types left; their rows are cut to the types that are not certain.
__host__ __device__ inline TypeSet remove_certain(Row* rows, const Sizes& sizes, int& certain)
{
    const TypeSet present = sizes.present();
    TypeSet gone = 0;
    for (TypeSet left = present; left; left &= left - 1) {
        const int i = lowest_bit(left);
        const TypeSet others = sizes.partners(i);
        if (losses(rows[i]) == others && others) gone |= 1u << i;
    }
    certain = sizes.cards_in(gone);
    TypeSet kept = 0;
    for (TypeSet left = present & ~gone; left; left &= left - 1) {
        const int i = lowest_bit(left);
        rows[i] &= edges_to(present & ~gone);
        if (rows[i]) kept |= 1u << i;
    }
    return kept;
}

// Merge types that behave alike, `present` the types to look at.
__host__ __device__ inline void merge_types(TypeSet present, const Sizes& sizes, Row* rows, Slots& slots)
{
    for (TypeSet left = present; left; left &= left - 1) {
        const int i = lowest_bit(left);
        const Row row = rows[i];
        const Row inside = edge_to(row, i);
        const int lose = sizes.cards_in(losses(row)) - int(inside & LOSS);
        const int draw = sizes.cards_in(ties(row)) - int(inside >> TYPES);
        const unsigned degree = unsigned(lose << 6 | draw);
        const bool several = sizes.of(i) > 1;
        bool merged = false;
        for (int slot = 0; slot < slots.count && !merged; ++slot) {
            if (slots.code[slot] != degree) continue;
            const int j = slots.type[slot];
            if ((row ^ rows[j]) & ~edges_to(1u << i | 1u << j)) continue;
            const Row between = edge_to(row, j);
            if (several && inside != between) continue;
            if (slots.cards[slot] > 1 && edge_to(rows[j], j) != between) continue;
            rows[j] |= between << j;
            slots.cards[slot] = (unsigned char)(slots.cards[slot] + sizes.of(i));
            merged = true;
        }
        if (!merged) slots.add(i, degree, sizes.of(i));
    }
}

// Order slots by their degrees, sizes, inner edges and neighbours: fill `order` with slots.
__host__ __device__ inline void order_slots(Slots& slots, const Row* rows, unsigned char* order)
{
    unsigned char slot_of[TYPES];
    Row place[TYPES];
    for (int slot = 0; slot < slots.count; ++slot) {
        const int i = slots.type[slot];
        slot_of[i] = (unsigned char)slot;
        const unsigned inside = edge_code(edge_to(rows[i], i));
        slots.code[slot] = (slots.code[slot] * 64 + slots.cards[slot]) * 4 + inside;
    }
    for (int slot = 0; slot < slots.count; ++slot) {
        const Row row = rows[slots.type[slot]] & edges_to(slots.kept);
        Row around = 0;
        for (TypeSet left = losses(row); left; left &= left - 1) {
            const Row neighbour = slots.code[slot_of[lowest_bit(left)]];
            around += neighbour * neighbour;
        }
        for (TypeSet left = ties(row); left; left &= left - 1) {
            around += Row(slots.code[slot_of[lowest_bit(left)]]) * 0x9E3779B1u;
        }
        const Row value = Row(slots.code[slot]) << 40 | (around & 0xFFFFFFFFFFULL);
        int at = slot;
        for (; at > 0 && place[at - 1] < value; --at) {
            place[at] = place[at - 1];
            order[at] = order[at - 1];
        }
        place[at] = value;
        order[at] = (unsigned char)slot;
    }
}

// Write the words (TYPES) of ordered slots to `key`, and the card ranks of their types to `tags`.
__host__ __device__ inline void write_words(
    const Slots& slots, const unsigned char* order, const Row* rows, Word* key, signed char* tags)
{
    unsigned char place_of[TYPES];
    for (int at = 0; at < slots.count; ++at) place_of[slots.type[order[at]]] = (unsigned char)at;
    for (int at = 0; at < slots.count; ++at) {
        const int i = slots.type[order[at]];
        const Row row = rows[i] & edges_to(slots.kept);
        Word word = Word(slots.cards[order[at]]) << SIZE_SHIFT;
        for (TypeSet left = losses(row); left; left &= left - 1) {
            word |= LOSS << place_of[lowest_bit(left)];
        }
        for (TypeSet left = ties(row); left; left &= left - 1) {
            word |= TIE << place_of[lowest_bit(left)];
        }
        key[at] = word;
        tags[at] = (signed char)(i % RANKS);
    }
}

// Write the normal form of the types `present` to `key` and `tags` (TYPES each); return its number of types.
__host__ __device__ inline int normal_form(
    TypeSet present, const Sizes& sizes, Row* rows, Word* key, signed char* tags)
{
    Slots slots;
    unsigned char order[TYPES];
    merge_types(present, sizes, rows, slots);
    order_slots(slots, rows, order);
    write_words(slots, order, rows, key, tags);
    return slots.count;
}

}  // namespace gpuodds
