"""Each kernel by itself against the CPU backend or brute force, on any grid, in any order of threads.

See test_cuda_ranks.py and test_cuda_heads_up.py for the kernels of hand ranks and of combos against
combos, test_cuda_classes.py for those of spots, test_cuda_solving.py for those of threat graphs.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest

from gpuodds import Range
from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.arrays.ranks import packed_pairs, packed_sums, packed_tables, table_bytes
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.cuda.known_hands.spots import WHOLE_DECK, card_set
from gpuodds.backends.cuda.sampling.samples import TABLES, THREADS_WITHOUT_TABLE
from gpuodds.backends.cuda.shared import device
from gpuodds.backends.cuda.shared.layout import DRAWS, SAMPLE_THREADS
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.shared.boards import subsets
from gpuodds.games.shared.combos import COMBOS, combo_cards
from gpuodds.games.shared.draws import board_grid, plan_draws

TYPES, LIMB_BITS = 26, 48


def draw(rows: int, size: int, seed: int) -> np.ndarray:
    deck = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.ascontiguousarray(np.random.default_rng(seed).permuted(deck, axis=1)[:, :size])


def halves(numbers: Any) -> np.ndarray:
    """Write integers as 128-bit numbers, lower and upper half."""
    numbers = np.asarray(numbers, object)
    both = [(numbers & (1 << 64) - 1), (numbers >> 64) & (1 << 64) - 1]
    return np.stack([half.astype(np.uint64) for half in both], axis=-1)


def integers(array: Any) -> Any:
    """Read 128-bit numbers."""
    array = np.asarray(array).astype(object)
    return array[..., 0] + (array[..., 1] << 64)


@pytest.mark.parametrize(("size", "more"), [(2, 3), (5, 0), (1, 1)])
def test_check_cards(cuda: Any, run: Any, size: int, more: int) -> None:
    cards = np.random.default_rng(size).integers(0, 52, (200, size + more)).astype(np.uint8)
    cards[:20] = draw(20, size + more, 1)
    repeated = [i for i, row in enumerate(cards.tolist()) if len(set(row)) < len(row)]
    for rows in (10, 200):
        first, second = (
            np.ascontiguousarray(part) for part in (cards[:rows, :size], cards[:rows, size:])
        )
        bad = cuda.full(1, 9999, np.uint64)
        given = cuda.asarray(first), np.int32(size), cuda.asarray(second), np.int32(more)
        run("shared/check_cards", "check_cards", *given, np.int64(rows), bad)
        assert int(bad[0]) == min([i for i in repeated if i < rows], default=9999)


@pytest.mark.parametrize("size", [0, 3, 5])
@pytest.mark.parametrize(("players", "num_dead"), [(1, 0), (2, 3)])
def test_pack_spots(cuda: Any, run: Any, size: int, players: int, num_dead: int) -> None:
    cards = draw(50, 2 * players + size + num_dead, size)
    parts = np.split(cards, [2 * players, 2 * players + size], axis=1)
    hands, boards, dead = (cuda.asarray(np.ascontiguousarray(part)) for part in parts)
    sets = [cuda.empty(50, np.uint64), cuda.empty(50, np.uint64), cuda.empty((50, players), np.uint64)]
    given = hands, np.int32(players), boards, np.int32(size), dead, np.int32(num_dead), np.int64(50)
    run("known_hands/pack_spots", "pack_spots", *given, *sets)
    undealt, board_sets, hand_sets = (cuda.asnumpy(found).tolist() for found in sets)
    assert undealt == [WHOLE_DECK & ~card_set(row) for row in cards.tolist()]
    assert board_sets == [card_set(board) for board in parts[1].tolist()]
    in_pairs = parts[0].reshape(50, players, 2).tolist()
    assert hand_sets == [[card_set(hand) for hand in row] for row in in_pairs]


@pytest.mark.parametrize("board", ["2c2d2h2s3c", "2h5h9hJhKd"])
def test_against_random(cuda: Any, run: Any, board: str) -> None:
    boards = np.array([parse_cards(board)], np.uint8)
    wins, ties = (cuda.full((1, COMBOS), 5, np.int32) for _ in range(2))
    squares, histogram = cuda.zeros((1, COMBOS), np.uint64), cuda.zeros((1, COMBOS, 50), np.int32)
    runouts = cuda.zeros((1, 1), np.uint8)
    given = (
        cuda.asarray(boards),
        np.int32(5),
        np.int64(1),
        runouts,
        np.int32(1),
        np.int32(1),
        packed_pairs(),
    )
    out = wins, ties, squares, histogram
    run(
        "tables/against_random",
        "against_random",
        *given,
        packed_tables(HOLDEM),
        np.uint64(0),
        np.int32(1),
        *out,
    )
    expected = AgainstRandom(HOLDEM, boards, True).on_cpu()
    for ours, theirs, before in zip(out, expected, (5, 5, 0, 0), strict=True):
        assert np.array_equal(cuda.asnumpy(ours).astype(np.int64) - before, theirs)


@pytest.mark.parametrize("share", [1, 7, 48, 60])
def test_against_random_over_runouts(cuda: Any, share: int) -> None:
    boards = np.array([parse_cards("2s7d9hTc")], np.uint8)
    runouts = cuda.asarray(subsets(48, 1))
    wins, ties = cuda.zeros((1, COMBOS), np.int32), cuda.zeros((1, COMBOS), np.int32)
    nothing = cuda.zeros(1, np.uint64), cuda.zeros(1, np.int32)
    given = (
        cuda.asarray(boards),
        np.int32(4),
        np.int64(1),
        runouts,
        np.int32(48),
        np.int32(share),
        packed_pairs(),
    )
    launch = device.kernel("tables/against_random", "against_random")
    launch(
        (5,), (64,), (*given, packed_tables(HOLDEM), np.uint64(0), np.int32(0), wins, ties, *nothing)
    )
    expected = AgainstRandom(HOLDEM, boards, False).on_cpu()
    assert np.array_equal(cuda.asnumpy(wins), expected.wins)
    assert np.array_equal(cuda.asnumpy(ties), expected.ties)


@pytest.mark.parametrize("in_shared", [False, True])
@pytest.mark.parametrize(
    ("texts", "folded", "opponents"),
    [
        (["AsKs", "15%"], 0, 2),
        (["QQ+,AKs"], 0, 0),
        (["random"], 0, 3),
        (["AsKs", "QhJh"], 0, 2),
        (["7h2d"], 0, 20),
        (["AsKs", "15%", "QQ+,A2s+"], 1, 2),
        (["AsKs", "QhJh", "QdQc"], 2, 1),
    ],
)
def test_sample_deals(
    cuda: Any, run: Any, texts: list[str], folded: int, opponents: int, in_shared: bool
) -> None:
    board, dead, players = parse_cards("2h7d9c"), parse_cards("3c3d"), len(texts) - folded
    weights = np.stack([Range(text).weights for text in texts])
    weights[:, np.isin(combo_cards(), [*board, *dead]).any(axis=1)] = 0
    draws = plan_draws(weights)
    known = np.uint64(sum(1 << card for card in (*board, *dead)))
    counts = cuda.zeros((players, players + opponents), np.uint64)
    tried = cuda.zeros(1, np.uint64)
    tables = [cuda.asarray(getattr(draws, name)) for name in TABLES]
    spare = draws.leave_words(2 * opponents + 2)
    decks = 33 * 4 * 15  # bytes, of as many threads as any launch has
    whole = table_bytes(0, "sampling/sample_deals", "sample_deals", 7, HOLDEM, decks)
    in_shared = in_shared and whole > 0
    shared = whole if in_shared else decks
    span = np.int64(17), np.int64(417), np.uint64(2**63 - 59)
    seats = (np.int32(count) for count in (len(texts), folded, opponents))
    packed = (
        *span,
        *seats,
        cuda.asarray(np.array(board, np.uint8)),
        np.int32(3),
        known,
        DRAWS.pack(*tables, len(draws.words), draws.blocks, spare),
        packed_sums(7, HOLDEM),
        np.int32(in_shared),
    )
    run("sampling/sample_deals", "sample_deals", *packed, counts, tried, shared_mem=shared)
    operation = SampleDeals(HOLDEM, draws, opponents, board, dead, 2**63 - 59, 17, 417, folded)
    expected = operation.on_cpu()
    assert np.array_equal(cuda.asnumpy(counts), expected[0]) and int(tried[0]) == expected[1]


@pytest.mark.parametrize("in_shared", [False, True])
@pytest.mark.parametrize(("hands", "opponents"), [(["AsKs"], 3), (["AsKs", "QhJh", "Qs2c"], 1)])
def test_sample_pairs(cuda: Any, run: Any, hands: list[str], opponents: int, in_shared: bool) -> None:
    draws = plan_draws(np.stack([Range(text).weights for text in hands]))
    cards = np.array([parse_cards(text) for text in hands], np.uint8)
    board, dead, ends = parse_cards("2h7d9c"), parse_cards("3c3d"), len(hands) + opponents + 1
    known = sum(1 << int(card) for card in (*board, *dead, *cards.ravel()))
    boards = comb(52 - known.bit_count(), 2)
    counts = cuda.zeros((len(hands), ends, ends), np.uint64)
    more = 33 * 4 * 13 + counts.nbytes // 2  # of as many threads as any launch has
    whole = table_bytes(0, "sampling/sample_pairs", "sample_pairs", 7, HOLDEM, more)
    in_shared = in_shared and whole > 0
    span = np.int64(17), np.int64(1617), np.uint64(2**63 - 59)
    seats = cuda.asarray(cards), np.int32(len(hands)), np.int32(opponents)
    given = cuda.asarray(np.array(board, np.uint8)), np.int32(3), np.uint64(known), np.int64(boards)
    grid = (np.int32(number) for number in board_grid(boards))
    packed = *span, *seats, *given, *grid, packed_sums(7, HOLDEM), np.int32(in_shared), counts
    run("sampling/sample_pairs", "sample_pairs", *packed, shared_mem=whole if in_shared else more)
    expected = SamplePairs(HOLDEM, draws, opponents, board, dead, 2**63 - 59, 17, 1617).on_cpu()
    assert np.array_equal(cuda.asnumpy(counts), expected)


def keys_of_graphs(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw words of a few dozen graphs, most of them several times: words, lengths, tags."""
    rng = np.random.default_rng(seed)
    distinct = rng.integers(1, 1 << 40, (40, TYPES)).astype(np.uint64)
    lengths = rng.integers(0, 4, 40).astype(np.int32)
    chosen = rng.integers(0, 40, 150)
    tags = rng.integers(0, 13, (150, TYPES)).astype(np.int8)
    return distinct[chosen], lengths[chosen], tags


def words_of(words: Any, lengths: Any) -> list[tuple[int, ...]]:
    return [tuple(row[:length].tolist()) for row, length in zip(words, lengths, strict=True)]


def distinct_graphs(words: Any, lengths: Any) -> tuple[np.ndarray, np.ndarray]:
    first = list({graph: i for i, graph in enumerate(words_of(words, lengths))}.values())
    return words[first], lengths[first]


def test_enter_graphs(cuda: Any, run: Any) -> None:
    words, lengths = distinct_graphs(*keys_of_graphs(1)[:2])
    slots = cuda.zeros(64, np.int32)
    given = cuda.asarray(words), cuda.asarray(lengths), np.int64(len(words)), slots, np.int64(63)
    run("known_hands/threat_graphs/intern_table", "enter_graphs", *given)
    held = cuda.asnumpy(slots)
    assert sorted(held[held > 0].tolist()) == list(range(1, len(words) + 1))
    # Each graph is found from the slot of its hash on, before a free one.
    found, added = intern(cuda, run, words, lengths, words, lengths, slots)
    assert added == 0 and [held[slot] for slot in found] == list(range(1, len(words) + 1))


def intern(
    cuda: Any, run: Any, keys: Any, key_lengths: Any, words: Any, lengths: Any, slots: Any
) -> tuple[np.ndarray, int]:
    """Find the slots of keys in a table of graphs; return them and the number of new ones."""
    found, added = cuda.empty(len(keys), np.int32), cuda.zeros(1, np.int32)
    asked = cuda.asarray(keys), cuda.asarray(key_lengths), np.int64(len(keys))
    known = cuda.asarray(words), cuda.asarray(lengths), slots, np.int64(slots.size - 1)
    run("known_hands/threat_graphs/intern_table", "find_slots", *asked, *known, found, added)
    return cuda.asnumpy(found), int(added[0])


def test_find_slots(cuda: Any, run: Any) -> None:
    keys, key_lengths, _ = keys_of_graphs(2)
    words, lengths = distinct_graphs(keys[:30], key_lengths[:30])
    slots = cuda.zeros(256, np.int32)
    given = cuda.asarray(words), cuda.asarray(lengths), np.int64(len(words)), slots, np.int64(255)
    run("known_hands/threat_graphs/intern_table", "enter_graphs", *given)
    found, added = intern(cuda, run, keys, key_lengths, words, lengths, slots)
    graphs = words_of(keys, key_lengths)
    assert added == len(set(graphs)) - len(words)
    slot_of = dict(zip(graphs, found.tolist(), strict=True))
    assert [slot_of[graph] for graph in graphs] == found.tolist()  # equal graphs have one slot,
    assert len(set(slot_of.values())) == len(slot_of)  # others have others,
    held = cuda.asnumpy(slots)
    for graph, known in enumerate(words_of(words, lengths)):  # known graphs keep their numbers,
        assert held[slot_of[known]] == graph + 1
    for slot in set(found[held[found] < 0].tolist()):  # and a class stands for each new one.
        assert found[-held[slot] - 1] == slot


def test_adopt_graphs(cuda: Any, run: Any) -> None:
    keys, key_lengths, key_tags = keys_of_graphs(3)
    none = np.zeros((1, TYPES), np.uint64), np.zeros(1, np.int32)
    slots = cuda.zeros(256, np.int32)
    found, added = intern(cuda, run, keys, key_lengths, *none, slots)
    used = cuda.full(1, 7, np.int32)
    words, lengths = cuda.zeros((7 + added, TYPES), np.uint64), cuda.zeros(7 + added, np.int32)
    tags = cuda.zeros((7 + added, TYPES), np.int8)
    given = cuda.asarray(keys), cuda.asarray(key_lengths), cuda.asarray(key_tags), np.int64(len(keys))
    run(
        "known_hands/threat_graphs/intern_table",
        "adopt_graphs",
        *given,
        cuda.asarray(found),
        slots,
        used,
        words,
        lengths,
        tags,
    )
    numbers = cuda.asnumpy(slots)[found] - 1
    assert int(used[0]) == 7 + added and set(numbers.tolist()) == set(range(7, 7 + added))
    rows, sizes = cuda.asnumpy(words), cuda.asnumpy(lengths)
    assert words_of(rows[numbers], sizes[numbers]) == words_of(keys, key_lengths)
    given_tags = {*zip(numbers.tolist(), words_of(key_tags, key_lengths), strict=True)}
    for graph in range(7, 7 + added):
        assert (graph, words_of(cuda.asnumpy(tags), sizes)[graph]) in given_tags


def test_read_slots(cuda: Any, run: Any) -> None:
    slots = np.arange(64, dtype=np.int32)[::-1].copy()
    found = np.random.default_rng(4).integers(0, 64, 100).astype(np.int32)
    out = cuda.asarray(found)
    run("known_hands/threat_graphs/intern_table", "read_slots", out, np.int64(100), cuda.asarray(slots))
    assert cuda.asnumpy(out).tolist() == (slots[found] - 1).tolist()


@pytest.mark.parametrize(
    ("room", "threads"),
    [(227, SAMPLE_THREADS), (163, SAMPLE_THREADS // 2), (64, THREADS_WITHOUT_TABLE)],
)
def test_sample_deals_with_less_shared_memory(cuda: Any, room: int, threads: int) -> None:
    """Blocks that fit with the table, smaller ones, and those that read it from device memory."""
    if not hasattr(cuda.cuda, "settings"):
        pytest.skip("only the stand-in has less shared memory when asked")
    draws = plan_draws(np.stack([Range(text).weights for text in ("AsKs", "QQ+")]))
    ranks._table_bytes.cache_clear()
    cuda.cuda.settings.max_shared = room << 10
    operation = SampleDeals(HOLDEM, draws, 3, (), (), 5, 0, 300)
    found = CudaBackend().count(operation).counts
    ranks._table_bytes.cache_clear()
    expected = operation.on_cpu()
    assert np.array_equal(found[0], expected[0]) and found[1] == expected[1]
    assert cuda.cuda.settings.launches[-1][3] == threads


def test_add_classes(cuda: Any, run: Any) -> None:
    rng = np.random.default_rng(6)
    shapes = np.array([[1, 2, 3], [2, 3, 2], [2, 4, 4], [1, 1, 1]], np.int32)
    place = np.concatenate([[0], np.cumsum(shapes.prod(axis=1))]).astype(np.int64)
    results = rng.integers(0, 1 << 63, place[-1]).astype(np.uint64)
    classes = rng.integers(0, 1 << 21, (60, 4)).astype(np.uint32)
    graphs = rng.integers(0, 4, 60).astype(np.int32)
    order = rng.permutation(60).astype(np.int64)
    begins, ends = np.array([0, 7, 7, 50], np.int64), np.array([7, 7, 50, 60], np.int64)
    out = cuda.empty((4, 4, 4, 2), np.uint64)
    given = [order, begins, ends, np.int32(4), classes, graphs, shapes, place[:-1].copy(), results]
    arrays = [cuda.asarray(part) if isinstance(part, np.ndarray) else part for part in given]
    run("known_hands/sums", "add_classes", *arrays, np.int32(4), out)
    expected = np.zeros((4, 4, 4), object)
    for chunk, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        for i in order[begin:end]:
            limbs, edges, ties = shapes[graphs[i]]
            planes = results[place[graphs[i]] : place[graphs[i] + 1]].astype(object)
            planes = planes.reshape(limbs, edges, ties)
            whole = sum(plane << LIMB_BITS * limb for limb, plane in enumerate(planes))
            expected[chunk, :edges, :ties] += whole * int(classes[i, 2])
    assert np.array_equal(integers(cuda.asnumpy(out)), expected % (1 << 128))


def test_add_chunks(cuda: Any, run: Any) -> None:
    rng = np.random.default_rng(7)
    chunks = rng.integers(0, 1 << 63, (9, 5, 2)).astype(np.uint64)
    first = np.array([0, 2, 2, 9], np.int64)
    out = cuda.empty((3, 5, 2), np.uint64)
    given = cuda.asarray(chunks), cuda.asarray(first), np.int64(3), np.int32(5)
    run("known_hands/sums", "add_chunks", *given, out)
    numbers = integers(chunks)
    expected = [numbers[a:b].sum(axis=0) % (1 << 128) for a, b in ((0, 2), (2, 2), (2, 9))]
    expected[1] = np.zeros(5, object)
    assert np.array_equal(integers(cuda.asnumpy(out)), np.stack(expected))


def test_close_sums(cuda: Any, run: Any) -> None:
    rng = np.random.default_rng(8)
    most, width = 3, 4
    ways = rng.integers(0, 1 << 60, (5, width, width)).astype(object)
    decks, first = np.array([45, 44, 45, 20, 43], np.int32), np.array([0, 2, 5], np.int64)
    table = np.zeros((53, width, width), object)
    for n, e, k in np.ndindex(53, width, width):
        table[n, e, k] = deals(n - 2 * e, k - e) if k >= e else 0
    out = cuda.empty((2, most, width, 2), np.uint64)
    given = cuda.asarray(halves(ways)), cuda.asarray(decks), cuda.asarray(first), np.int64(2)
    choose = np.array([[comb(n, k) for k in range(width)] for n in range(width)], np.uint64)
    tables = cuda.asarray(halves(table)), cuda.asarray(choose)
    run("known_hands/sums", "close_sums", *given, np.int32(most), *tables, out)
    found = integers(cuda.asnumpy(out))
    for spot, k, t in np.ndindex(2, most, width):
        total = sum(
            (-1) ** (e - t) * comb(x, t) * ways[g, e, x] * table[decks[g], e, k + 1]
            for g in range(first[spot], first[spot + 1])
            for e in range(t, k + 2)
            for x in range(t, e + 1)
        )
        assert found[spot, k, t] == total % (1 << 128)
