"""The CPU backend finds the graph, the order and the matchings that docs/mathematics.md works out."""

from __future__ import annotations

import re

import numpy as np
from paths import ROOT

from gpuodds.backends.cpu.known_hands.accumulator import Accumulator
from gpuodds.backends.cpu.known_hands.elimination_order import sweep_order, unpack
from gpuodds.backends.cpu.known_hands.matching_counts import board_scan
from gpuodds.backends.graph_words import TYPES
from gpuodds.backends.operations.known_hands import ThreatMatchings
from gpuodds.cards import RANKS
from gpuodds.games.shared.hand_ranks import hand_rank_tables
from gpuodds.spots.spot import Spot

PAGE = ROOT / "docs" / "mathematics.md"
SPOT = Spot.of(["KhQd"], opponents=4, board="9c9d9hKs4c")
HERO = 1  # the mask of the known winners
DECK = 44  # the last nine beats hero with any partner


def test_graph_and_elimination_order() -> None:
    found = Accumulator()
    scan = board_scan(SPOT)
    found.add_boards(scan, 0, len(scan.runout_ranks), SPOT.undealt, hand_rank_tables())
    types = int(found.graphs.table.start[1])
    size, loss, tie = np.zeros((3, TYPES), np.int64)
    order = np.zeros(TYPES, np.int8)
    unpack(found.graphs.table.words[:types], types, size, loss, tie)
    sweep_order(types, size, loss, tie, found.graphs.tags[:types], order)
    ranks = [RANKS[tag] for tag in found.graphs.tags[:types]]
    assert [(ranks[i], int(size[i])) for i in order[:types]] == [("K", 2), ("A", 4), ("2", 38)]
    edges = {
        (ranks[i], ranks[j], name)
        for name, rows in (("loss", loss), ("tie", tie))
        for i in range(types)
        for j in range(types)
        if rows[i] >> j & 1
    }
    assert edges == {
        *{("K", "K", "loss"), ("A", "A", "loss"), ("A", "K", "tie"), ("K", "A", "tie")},
        *{("K", "2", "tie"), ("2", "K", "tie")},
    }


def test_matchings() -> None:
    (counts,) = ThreatMatchings([SPOT], 4).on_cpu()
    shown = re.findall(r"^m\[(\d)\]\[(\d)\] = (\d+)$", PAGE.read_text("utf-8"), re.M)
    assert len(shown) == 10
    assert counts == {HERO: {(DECK, int(j), int(t)): int(ways) for j, t, ways in shown}}
