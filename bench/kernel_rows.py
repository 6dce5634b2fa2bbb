"""The kernels that ``sass.py`` reads: for each its block, its unit of work and where its loop is."""

from __future__ import annotations

from functools import cache

import numpy as np

from bench.kernel_model import WARP, Inner, Row
from gpuodds.backends.cuda.shared.layout import (
    CLASS_THREADS,
    CLIQUE_THREADS,
    GRAPH_THREADS,
    KIND_THREADS,
    OMAHA_SAMPLE_THREADS,
    OMAHA_THREADS,
    RANK_THREADS,
    SAMPLE_THREADS,
    SHOWDOWN_THREADS,
    THREADS,
)
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.rank_sums import rank_sums

BANKS = 32  # of shared memory, a word each


@cache
def random_cycles(words: int) -> float:
    """Return how long a warp's loads from random places of a table in shared memory take, in cycles.

    That is the most different words that it wants of one bank: an average over drawn places.

    >>> 3.4 < random_cycles(1 << 14) < 3.7
    True
    """
    places = np.random.default_rng(1).integers(0, words, (2000, WARP))
    worst = [np.bincount(np.unique(row) % BANKS).max() for row in places]
    return float(np.mean(worst))


@cache
def walked_places(undealt: int, drawn: int) -> float:
    """Return how many places a warp looks at until each lane has drawn cards of a deck in order.

    Its lanes look for the next card together: as long as the lane with the largest gap before it.

    >>> 130 < walked_places(50, 5) < 135
    True
    """
    keys = np.random.default_rng(1).random((500, WARP, undealt))
    places = np.sort(np.argpartition(keys, drawn)[..., :drawn])
    return float(np.diff(places, prepend=-1).max(axis=1).sum(axis=1).mean())


STORE = (("STG.*", 1.0),)  # each store is a unit
DOT = (("IDP.*", 1.0),)  # each is four products
RANK = (("LDS.*U16", 1.0),)  # each rank read is a unit
CLASS = "const BoardClass found = classes[i]"
IN_SHARED = "rank(copy_table(sums))"  # the code for a table in shared memory
TABLE = random_cycles(1 << 14)
KEY = random_cycles(52)
DECK = random_cycles(13 * WARP)  # a card of each thread's deck
TABLE_BYTES = rank_sums(7, HOLDEM).table.nbytes
FLUSHES = 0.03  # of hands
# AsKs against three random hands: a range of one combo is not drawn; 11 cards are, three by a word.
DEAL = (
    Inner("draw_combos(draws", 0),
    Inner("fresh.remove(", 0),
    Inner("draw_cards(game, sample", 4),
    Inner("game.to_come(); ++i) board.add", 5, r"LDS\.U8"),
    Inner("player < game.players(); ++player", 4),
    Inner("atomicAdd(&found[", 0.41),  # the share of deals that AsKs wins or splits, about
)
# The same game in pairs of deals: five cards of the board, then two words for six cards, twice.
PAIR = (
    Inner("choose.ways[size][top] > number", walked_places(50, 5) / 5),
    Inner("number -= choose.ways[", 5),
    Inner("drawn < wanted; drawn +=", 2),
    Inner("player <= game.opponents; ++player", 3),
    Inner("deal < 2; ++deal", 2),
    Inner("const int both = holders", 0),  # four hands at a time, and one to three singly
)
RARE = (
    ("draw_combos(draws", 0.0),
    ("fresh.remove(", 0.0),
    ("philox(block++", 0.25),
    ("philox(Random(number)", 0.0),
    ("(0u - choices.ways)", 0.0),
    ("return flushes[ranks_in(", FLUSHES),
)


def omaha_row(size: int) -> Row:
    """Return the row of a known hand of Omaha against three random ones."""
    words = -(-(3 * size + 5) // 3)
    inner = (
        Inner("draw_hands(Stream(game.seed, sample", 0),
        Inner("fresh.remove(taken & ~game.known, deck", 0),
        Inner("draw_cards(words, 0, wanted", words),
        Inner("dealt.add(drawn[-HOLE", 5),
        Inner("lowest < RANKS - 3", 0.6),
        Inner("--more", 1),
        Inner("player < game.competing(); ++player", 4),
        Inner("found.add(game, high.players", 0.5),
    )
    # A hand of four is of a suit of which the board has three once in 12 times: of a warp's, one is.
    chance = (*RARE, ("flush(hole, tables)", 0.93), ("if (game.has_low)", 0.0))
    return Row(
        "omaha/samples",
        f"sample_omaha_{size}",
        OMAHA_SAMPLE_THREADS,
        "deal",
        (),
        "compare(given, held",
        inner=inner,
        chance=chance,
        dynamic_shared=60 * OMAHA_SAMPLE_THREADS,
        shared_cycles=((r"(LDS|STS)\.U8", (1 + DECK) / 2),),
        note="Ranks are taken to be in the first cache: a board has 182 bytes of them. Bytes of decks "
        "as in sample_deals.",
    )


KERNELS = (
    Row("arrays/rank_all_hands", "rank_all_hands", RANK_THREADS, "hand", STORE, IN_SHARED, hbm=2,
        inner=(Inner("card_at(", FLUSHES * 7),), chance=(("return flushes[suited_ranks", FLUSHES),),
        shared_cycles=(("LDS.U16", TABLE),), dynamic_shared=TABLE_BYTES),
    Row("arrays/rank_all_hands", "count_all_hands", RANK_THREADS, "hand", (("ATOMS.*", 1),)),
    Row("arrays/rank_hands", "rank_hands", RANK_THREADS, "hand of 7", (("STG.E.64", 4),), hbm=9,
        chance=(("load_part(", 0.0), ("out[hand] = ranks.of[hand]", 0.0)),
        shared_cycles=(("LDS.U16", TABLE), ("LDS", KEY)), dynamic_shared=TABLE_BYTES),
    Row("arrays/rank_combos", "rank_combos", THREADS, "combo", STORE, hbm=2),
    Row("omaha/ranks", "rank_omaha", THREADS, "hand of 4", marker="rank_hands<4>(hands", hbm=11,
        gathers=6 * WARP + 5 * WARP / 2,
        note="Each of the six pairs is a line of its own in the cache, two boards share one of step."),
    Row("omaha/ranks", "rank_omaha_lows", THREADS, "hand of 4", hbm=10, gathers=WARP,
        marker="const int board = low_set_of"),
    Row("omaha/against_random", "count_omaha_cliques", CLIQUE_THREADS, "card of a clique",
        marker="count_cliques<SIZE - 1>(cards", innermost=True),
    Row("omaha/showdowns", "count_omaha_four", OMAHA_THREADS, "hand looked up",
        marker="sums.find_apart(places", hbm=8, shared_cycles=(("LDS.*", random_cycles(8108)),),
        note="Each of the 178,365 hands of a board is looked up three times and added once."),
    Row("omaha/showdowns", "count_omaha_many", OMAHA_THREADS, "hand looked up", hbm=8,
        marker="sums.find_apart(places", note="The sums are taken to be in the second cache."),
    Row("arrays/compare_combos", "compare_combos", THREADS, "pair, board", (("IDP.*", 2),),
        "ours.of[i] + theirs", shared_cycles=(("LDS.128", 2), ("LDS.*", 1))),
    Row("arrays/compare_combos", "split_wins", THREADS, "pair, relabelling", ((r"LDG\.E\.64.*", 0.5),),
        "ahead += (long long)wins[", innermost=True,
        note="The wins are taken to be in the first cache; they have 14 MB."),
    Row("tables/against_random", "against_random", THREADS, "two pairs", (("LDS.*", 1),),
        "lower_words += combos[x]"),
    Row("ranges/two_ranges", "count_two_exact", SHOWDOWN_THREADS, "type met", (("LDS.*", 1),),
        "add(block.cells[a][type], rank)"),
    Row("ranges/two_ranges", "count_two_weighted", SHOWDOWN_THREADS, "combo met", (("LDS.*", 1),),
        "sorted.cell(a, card)"),
    Row("ranges/multiway", "count_several_exact", SHOWDOWN_THREADS, "card", marker="one = card_left("),
    Row("ranges/multiway", "count_several_weighted", SHOWDOWN_THREADS, "card",
        marker="one = card_left("),
    Row("tables/three_way", "multiply_classes", CLASS_THREADS, "4 products", DOT, "tile.add(words"),
    Row("tables/three_way", "multiply_kinds", KIND_THREADS, "4 products", DOT, "tile.add(words"),
    Row("sampling/sample_deals", "sample_deals",
        SAMPLE_THREADS, "deal", (), "winners = find_best_hands(",
        inner=DEAL, chance=RARE, dynamic_shared=TABLE_BYTES + 60 * SAMPLE_THREADS,
        shared_cycles=((r"(LDS|STS)\.U8", (1 + DECK) / 2), (r"LDS\.U16", TABLE),
                       ("LDS", (1 + KEY) / 2)),
        note="Half of the 32-bit loads are the deck's words, half are keys; half of the bytes are at "
        "the same place of all decks, which are an odd number of words apart."),
    Row("sampling/sample_pairs", "sample_pairs", SAMPLE_THREADS, "deal", (), "fresh.copy_to(own)",
        units=2, inner=PAIR, chance=(*RARE, ("const int both = holders", 1 / 3)),
        dynamic_shared=TABLE_BYTES + 52 * SAMPLE_THREADS + 4 * 25,
        shared_cycles=((r"(LDS|STS)\.U8", (1 + DECK) / 2), (r"LDS\.U16", TABLE),
                       ("LDS", (1 + KEY) / 2)),
        note="A pair is two deals. The lanes of a warp look for their boards' cards together, and each "
        "waits for the one with the furthest to go. Loads as in sample_deals."),
    *map(omaha_row, (4, 5, 6)),
    Row("known_hands/matchings", "solve_graphs", 128, "limb", STORE, "ways.store(then + at, plane)",
        innermost=True,
        note="Three closers, two limbs, two numbers an iteration; a unit is a limb of a number. In one "
        "limb a number takes a fifth more."),
    Row("known_hands/elimination_orders", "find_orders",
        64, "graph", marker="find_peaks(sweep, order)"),
    Row("known_hands/sum_pairs", "sum_pairs", 128, "board class",
        marker="const FoundClass found(item, wanted, count)"),
    Row("known_hands/threat_graphs/threat_graphs", "find_graphs",
        GRAPH_THREADS, "board class", marker=CLASS),
    Row("known_hands/threat_graphs/threat_graphs", "count_pairs",
        GRAPH_THREADS, "board class", marker=CLASS),
    Row("shared/board_classes", "count_classes", 128, "item", marker="counts[i] = found"),
    Row("shared/board_classes", "list_classes", 128, "item", marker="board_state(item, tables)"),
    Row("known_hands/sums", "add_classes", 128, "class", marker="i = order[x]", innermost=True),
    Row("known_hands/sums", "add_chunks", 128, "number", marker="sum += chunks[", innermost=True),
    Row("known_hands/sums", "close_sums", 128, "number", marker="chosen += choose[", innermost=True),
    Row("known_hands/threat_graphs/intern_table", "enter_graphs",
        GRAPH_THREADS, "graph", marker="hash_words(words + i * TYPES"),
    Row("known_hands/threat_graphs/intern_table", "find_slots",
        GRAPH_THREADS, "board class", marker="hash_words(key, length)"),
    Row("known_hands/threat_graphs/intern_table", "adopt_graphs",
        GRAPH_THREADS, "board class", marker="if (slots[found[i]]"),
    Row("known_hands/threat_graphs/intern_table", "read_slots", GRAPH_THREADS, "board class", STORE),
    Row("shared/add_rows", "add_rows_exact", THREADS, "number", marker="sum += rows[", innermost=True),
    Row("shared/add_rows", "add_rows_weighted",
        THREADS, "number", marker="term = rows[", innermost=True),
    Row("shared/check_cards", "check_cards", THREADS, "row", marker="if (repeated)"),
    Row("known_hands/pack_spots", "pack_spots", 128, "spot", marker="hand_sets[i] = hand"),
    # A block's 64 threads share 990 showdowns a board; each lists the board.
    Row("enumerate_heads_up", "enumerate_heads_up", 64, "showdown", marker="completion.advance(",
        units=990 / 64,
        inner=(Inner("wins += hero > other", 16, "LDS.U16"), Inner("completion.place(i, to_come)", 1),
               Inner("six = tables.after(state, pair / RANKS)", 3))),
    Row("enumerate_deals", "enumerate_deals", THREADS, "deal", (("LDS.64", 1),),
        "combos.cards[last] &"),
)  # fmt: skip
