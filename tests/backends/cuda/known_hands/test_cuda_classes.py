"""The kernels of spots, each by itself: board classes, threat graphs, pairs of edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuodds.backends.cpu.arrays import combos as cpu_combos
from gpuodds.backends.cpu.known_hands.accumulator import Accumulator
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.cpu.shared.board_classes import NO_SUIT, board_classes
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.known_hands.spots import Spots, list_classes, load_spots
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_cards, combo_index
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot

TYPES = 26
SPOTS = [
    Spot.of(["AsKs", "7c2d"], opponents=1, board="2s7s9h"),
    Spot.of(["5c4c", "AhKh"], opponents=1, board="As2s3s"),  # a flush is there
    Spot.of(["3c2d", "3d2c"], opponents=1, board="KhTh2h"),
]
RIVERS = ["AsKs 2s7s9hTsJc", "2d3d AcKcQcJcTc", "5h4h 2h3h9hJhKd", "QhQd 7c8d2s3cKh", "8s8c 8d8h2c3d4s"]


def expected_classes(first: int, end: int) -> list[set[tuple[int, ...]]]:
    """Return the CPU's classes of the items ``first`` to ``end`` of SPOTS."""
    items: list[set[tuple[int, ...]]] = []
    for spot in SPOTS:
        scan = board_scan(spot)
        classes = board_classes(scan, 0, len(scan.runout_ranks), hand_rank_tables())
        found: list[set[tuple[int, ...]]] = [set() for _ in scan.runout_ranks]
        for runout, suit, ranks, boards, threshold, winners in classes.T.tolist():
            flush = threshold << 16 | (4 if suit == NO_SUIT else suit) << 13 | ranks
            found[runout].add((flush, boards, winners))
        items += found
    return items[first:end]


@pytest.mark.parametrize(("first", "items"), [(0, 273), (80, 60)])
def test_count_classes(cuda: Any, run: Any, first: int, items: int) -> None:
    spots = load_spots(SPOTS)
    assert spots.items == 273
    counts = cuda.empty(items, np.int32)
    run("shared/board_classes", "count_classes", spots.packed, np.int64(first), np.int64(items), counts)
    expected = [len(item) for item in expected_classes(first, first + items)]
    assert cuda.asnumpy(counts).tolist() == expected and sum(expected) > items


@pytest.mark.parametrize(("first", "items"), [(0, 273), (80, 60)])
def test_list_classes(cuda: Any, run: Any, first: int, items: int) -> None:
    spots, expected = load_spots(SPOTS), expected_classes(first, first + items)
    counts = np.array([len(item) for item in expected], np.int32)
    ends = np.cumsum(counts, dtype=np.int64)
    classes = cuda.empty((int(ends[-1]), 4), np.uint32)
    span = np.int64(first), np.int64(items), cuda.asarray(counts), cuda.asarray(ends)
    run("shared/board_classes", "list_classes", spots.packed, packed_tables(HOLDEM), *span, classes)
    found = cuda.asnumpy(classes).tolist()
    assert [row[0] for row in found] == np.repeat(np.arange(items), counts).tolist()
    for rows, item in zip(np.split(cuda.asnumpy(classes), ends[:-1]), expected, strict=True):
        assert {tuple(row[1:]) for row in rows.tolist()} == item


def cpu_graphs(spot: Spot) -> dict[tuple[Any, ...], int]:
    """Return the boards of each (words, deck, winners) that the CPU gathers for a spot."""
    sums, scan = Accumulator(), board_scan(spot)
    sums.add_boards(scan, 0, len(scan.runout_ranks), spot.undealt, hand_rank_tables())
    graphs = sums.graphs.table
    found = {}
    for case in range(int(sums.cases.used[0])):
        graph, deck, winners = sums.cases.words[3 * case : 3 * case + 3].tolist()
        span = slice(graphs.start[graph], graphs.start[graph + 1])
        found[tuple(graphs.words[span].tolist()), deck, winners] = int(sums.boards[case])
    return found


@pytest.mark.parametrize("spot", SPOTS, ids=str)
def test_find_graphs(cuda: Any, run: Any, spot: Spot) -> None:
    spots = load_spots([spot])
    classes = list_classes(spots, 0, spots.items, 10_000)
    count = len(classes)
    keys, tags = cuda.zeros((count, TYPES), np.uint64), cuda.zeros((count, TYPES), np.int8)
    lengths, decks = cuda.empty(count, np.int32), cuda.empty(count, np.int32)
    given = spots.packed, packed_tables(HOLDEM), np.int64(0), classes, np.int64(count)
    run("known_hands/threat_graphs/threat_graphs", "find_graphs", *given, keys, lengths, tags, decks)
    found: dict[tuple[Any, ...], int] = {}
    rows = zip(*(cuda.asnumpy(part).tolist() for part in (keys, lengths, decks, classes)), strict=True)
    for words, length, deck, (_, _, boards, winners) in rows:
        at = tuple(words[:length]), deck, winners
        found[at] = found.get(at, 0) + boards
    assert found == cpu_graphs(spot)
    used = np.arange(TYPES) < cuda.asnumpy(lengths)[:, None]
    assert np.isin(cuda.asnumpy(tags)[used], np.arange(13)).all()


def pairs_of_edges(hand: str, board: str) -> list[int]:
    """Count the matchings of up to two edges on a full board, pair by pair of combos."""
    hero, cards = parse_cards(hand), parse_cards(board)
    ranks = cpu_combos.rank_combos(np.array([cards], np.uint8), HOLDEM)[0].astype(int)
    hero_rank = ranks[combo_index(hero[0], hero[1])]
    pairs = combo_cards().astype(np.int64)
    masks = 1 << pairs[:, 0] | 1 << pairs[:, 1]
    dealt = (masks & sum(1 << card for card in (*hero, *cards))) == 0
    losses, ties = masks[dealt & (ranks > hero_rank)], masks[dealt & (ranks == hero_rank)]

    def disjoint(one: Any, other: Any) -> int:
        return int(((one[:, None] & other) == 0).sum())

    two = disjoint(losses, losses) // 2, disjoint(losses, ties), disjoint(ties, ties) // 2
    return [1, 0, 0, len(losses), len(ties), 0, *two]


def test_count_pairs(cuda: Any, run: Any) -> None:
    texts = [text.split() for text in RIVERS]
    spots: Spots = load_spots([Spot.of([hand], opponents=1, board=board) for hand, board in texts])
    classes = list_classes(spots, 1, spots.items, 100)
    assert len(classes) == len(RIVERS) - 1  # a full board is one class
    counts = cuda.empty((len(classes), 9), np.uint64)
    given = spots.packed, packed_tables(HOLDEM), np.int64(1), classes, np.int64(len(classes))
    run("known_hands/threat_graphs/threat_graphs", "count_pairs", *given, counts)
    expected = [pairs_of_edges(hand, board) for hand, board in texts[1:]]
    assert cuda.asnumpy(counts).tolist() == expected
