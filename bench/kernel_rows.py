"""The kernels that ``sass.py`` reads: for each its block, its unit of work and where its loop is."""

from __future__ import annotations

from bench.kernel_model import Inner, Row

STORE = (("STG.*", 1.0),)  # each store is a unit
RANK = (("LDS.*U16", 1.0),)  # each rank read is a unit
CLASS = "const BoardClass found = classes[i]"

KERNELS = (
    Row("rank_all_hands", "rank_all_hands", 256, "hand", STORE, hbm=2),
    Row("rank_all_hands", "count_all_hands", 256, "hand", (("ATOMS.*", 1),)),
    Row("rank_hands", "rank_hands", 256, "hand of 7", STORE, hbm=9,
        inner=(Inner("tables.after(state, rank_of(cards[i]))", 6, r"LDG\.E\.U8.*"),)),
    Row("rank_combos", "rank_combos", 256, "combo", STORE, hbm=2),
    Row("compare_combos", "compare_combos", 256, "pair, board", (("LDS.128", 8),), "ours.of[i] >"),
    Row("against_random", "against_random", 256, "showdown", RANK, "other < COMBOS; ++other"),
    Row("two_ranges", "count_two_exact", 256, "combo met", (("LDS.*", 1),), "sorted.cell(a, card)"),
    Row("two_ranges", "count_two_weighted", 256, "combo met", (("LDS.*", 1),), "sorted.cell(a, card)"),
    Row("several_ranges", "count_several_exact", 256, "card", marker="one = card_left("),
    Row("several_ranges", "count_several_weighted", 256, "card", marker="one = card_left("),
    Row("three_way", "multiply_classes", 512, "tile, quad", marker="tile.add(words"),
    Row("three_way", "multiply_kinds", 64, "tile, quad", marker="tile.add(words"),
    Row("sample_deals", "sample_deals", 128, "deal", marker="winners = find_best_hands("),
    Row("matchings", "solve_graphs", 128, "number", marker="gather(own, open[state]"),
    Row("threat_graphs", "find_graphs", 128, "board class", marker=CLASS),
    Row("threat_graphs", "count_pairs", 128, "board class", marker=CLASS),
    Row("board_classes", "count_classes", 128, "item", marker="counts[i] = found"),
    Row("board_classes", "list_classes", 128, "item", marker="board_state(item, tables)"),
    Row("sums", "add_classes", 128, "class", marker="i = order[x]", innermost=True),
    Row("sums", "add_chunks", 128, "number", marker="sum += chunks[", innermost=True),
    Row("sums", "close_sums", 128, "number", marker="chosen += Sum(choices)", innermost=True),
    Row("intern_table", "enter_graphs", 128, "graph", marker="hash_words(words + i * TYPES"),
    Row("intern_table", "find_slots", 128, "board class", marker="hash_words(key, length)"),
    Row("intern_table", "adopt_graphs", 128, "board class", marker="if (slots[found[i]]"),
    Row("intern_table", "read_slots", 128, "board class", STORE),
    Row("check_cards", "check_cards", 256, "row", marker="if (repeated)"),
    Row("pack_spots", "pack_spots", 128, "spot", marker="hand_sets[i] = hand"),
    Row("enumerate_heads_up", "enumerate_heads_up", 256, "showdown", RANK, "wins += hero >"),
    Row("enumerate_deals", "enumerate_deals", 256, "deal", (("LDS.64", 1),), "combos.cards[last] &"),
)  # fmt: skip
