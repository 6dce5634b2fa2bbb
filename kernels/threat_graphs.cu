// What the undealt cards can do to the best known hand on each board class, one thread a class: the
// normal form of its threat graph, or the numbers of matchings with up to two edges, in closed form.

#include "threat_graph.cuh"

// Of class i, keys[i] (TYPES words) receives the graph's words and lengths[i] how many there are,
// tags[i] (TYPES) the card ranks of its types, and decks[i] how many cards opponents can be dealt, of
// `deck`.
extern "C" __global__ void find_graphs(
    const unsigned long long* __restrict__ undealt,
    const unsigned long long* __restrict__ board,
    const unsigned long long* __restrict__ hands,
    int players,
    const unsigned char* __restrict__ completions,
    int completion_count,
    int to_come,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    long long first,
    const BoardClass* __restrict__ classes,
    long long count,
    const int* __restrict__ deck,
    Row* __restrict__ keys,
    int* __restrict__ lengths,
    signed char* __restrict__ tags,
    int* __restrict__ decks)
{
    const Spots spots{undealt, board, hands, players, completions, completion_count, to_come};
    const HandRankTables tables{step, nullptr, nullptr, rank_7, flush};
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        Row rows[TYPES];
        const Sizes sizes = load_class(spots, first, classes[i], tables, rows);
        int certain;
        const unsigned present = remove_certain(rows, sizes, certain);
        lengths[i] = normal_form(present, sizes, rows, keys + i * TYPES, tags + i * TYPES);
        decks[i] = deck[(first + classes[i].item) / completion_count] - certain;
    }
}

// Of class i, counts[i] receives nine numbers, by edges and ties: 1, 0, 0; losses, ties, 0; pairs of
// disjoint edges with no, one and two ties among them. With d the degrees of the cards these pairs are
// C(L, 2) - sum C(d, 2) for losses alone and likewise for the others.
// None passes C(C(45, 2), 2) = 489,555.
extern "C" __global__ void count_pairs(
    const unsigned long long* __restrict__ undealt,
    const unsigned long long* __restrict__ board,
    const unsigned long long* __restrict__ hands,
    int players,
    const unsigned char* __restrict__ completions,
    int completion_count,
    int to_come,
    const State* __restrict__ step,
    const HandRank* __restrict__ rank_7,
    const HandRank* __restrict__ flush,
    long long first,
    const BoardClass* __restrict__ classes,
    long long count,
    unsigned long long* __restrict__ counts)
{
    const Spots spots{undealt, board, hands, players, completions, completion_count, to_come};
    const HandRankTables tables{step, nullptr, nullptr, rank_7, flush};
    const long long threads = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        Row rows[TYPES];
        const Sizes sizes = load_class(spots, first, classes[i], tables, rows);
        int losses = 0, ties = 0, two_losses = 0, loss_and_tie = 0, two_ties = 0;
        for (unsigned left = sizes.present(); left; left &= left - 1) {
            const int type = lowest_bit(left);
            const Row row = rows[type];
            const Row inside = edges_to(row, type);
            const int cards = sizes.of(type);
            const int lose = sizes.cards_in(row) - int(inside & 1);
            const int draw = sizes.cards_in(row >> TYPES) - int(inside >> TYPES);
            losses += cards * lose;
            ties += cards * draw;
            two_losses -= cards * (lose * (lose - 1) / 2);
            loss_and_tie -= cards * lose * draw;
            two_ties -= cards * (draw * (draw - 1) / 2);
        }
        losses /= 2;
        ties /= 2;
        unsigned long long* out = counts + i * 9;
        out[0] = 1;
        out[1] = out[2] = 0;
        out[3] = losses;
        out[4] = ties;
        out[5] = 0;
        out[6] = two_losses + losses * (losses - 1) / 2;
        out[7] = loss_and_tie + losses * ties;
        out[8] = two_ties + ties * (ties - 1) / 2;
    }
}
