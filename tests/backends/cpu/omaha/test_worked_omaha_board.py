"""The CPU backend finds what docs/mathematics.md works out for Omaha on one full board."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from paths import ROOT

from gpuodds.backends.cpu.omaha.known_hands.against_random import count_against_random, scan_boards
from gpuodds.backends.cpu.omaha.ranges.pairs import rank_pairs
from gpuodds.backends.cpu.omaha.shared.ranks import rank_omaha_hands
from gpuodds.backends.cpu.shared.board_classes import BOARDS, NO_SUIT, RUNOUT, SUIT, board_classes
from gpuodds.cards import parse_cards
from gpuodds.games.shared.combos import combo_index
from gpuodds.games.shared.hand_ranks import hand_rank_tables

TEXT = (ROOT / "docs" / "mathematics.md").read_text("utf-8")
SECTION = TEXT[TEXT.index("## Omaha") : TEXT.index("## Why the shortcuts are sound")]
HERO, BOARD = sorted(parse_cards("AsAhKsKh")), parse_cards("2s7d9hTcJd")
CARDS = [card for card in range(52) if card not in BOARD]
RANK = 4037
ROW = re.compile(r"^\| .+ \| [+-]?([\d,]+) \| [+-]?([\d,]+) \|$", re.M)


@pytest.fixture(scope="module")
def pair_ranks() -> np.ndarray:
    out = np.zeros(1326, np.uint16)
    rank_pairs(np.array(BOARD, np.uint8), hand_rank_tables(), np.zeros((13, 13), np.uint16), out)
    return out


def test_pair_table(pair_ranks) -> None:
    of_pairs = {pair: int(pair_ranks[combo_index(*pair)]) for pair in combinations(CARDS, 2)}
    assert (len(of_pairs), len(set(of_pairs.values()))) == (1081, 88)
    assert max(of_pairs[pair] for pair in combinations(HERO, 2)) == RANK
    others = [rank for pair, rank in of_pairs.items() if not {*pair} & {*HERO}]
    counts = [sum(map(test, others)) for test in (RANK.__lt__, RANK.__eq__, RANK.__gt__)]
    assert counts == [193, 1, 709]
    shown = re.findall(r"^\| .+ \| (?:the straight|two pair).* \| (\d+) \|$", SECTION, re.M)
    assert sum(map(int, shown)) == 193


def test_hands_at_or_below_heros_rank() -> None:
    won, tied, lost = count_against_random(HERO, BOARD).sum(axis=(0, 2)).tolist()
    assert (won, won + tied, lost) == (41_198, 41_825, 81_585)
    for count in (won, tied, won + tied, lost, won + tied + lost):
        assert f"{count:,}" in SECTION


def test_sums_over_subsets() -> None:
    hands = np.array(list(combinations(CARDS, 4)), np.uint8)
    ranks = rank_omaha_hands(hands, np.tile(np.array(BOARD, np.uint8), (len(hands), 1)))
    columns = []
    for some in (hands[ranks < RANK], hands[ranks <= RANK]):
        holds = {card: (some == card).any(axis=1) for card in HERO}

        def count(cards: tuple[int, ...], holds=holds, some=some) -> int:
            return int(np.logical_and.reduce([np.ones(len(some), bool), *map(holds.get, cards)]).sum())

        columns.append([sum(map(count, combinations(HERO, size))) for size in range(5)])
        kings_and_aces = {count((king, ace)) for king in HERO[:2] for ace in HERO[2:]}
        assert kings_and_aces == ({534} if len(columns) == 1 else {651})
    columns = [[*column, sum(column[::2]) - sum(column[1::2])] for column in columns]
    shown = [[int(figure.replace(",", "")) for figure in row] for row in ROW.findall(SECTION)]
    assert shown == [list(row) for row in zip(*columns, strict=True)]


def test_classes_of_boards() -> None:
    scan = scan_boards((), {*HERO}, HERO)
    classes = board_classes(scan, 0, len(scan.runout_ranks), hand_rank_tables())
    ranks = sorted(card >> 2 for card in BOARD)
    place = [sorted(row) for row in scan.runout_ranks.tolist()].index(ranks)
    alike = classes[:, classes[RUNOUT] == place]
    assert (alike.shape[1], int(alike[BOARDS].sum())) == (33, 1024)
    assert alike[BOARDS][alike[SUIT] == NO_SUIT].tolist() == [600]
    assert (classes.shape[1], int(classes[BOARDS].sum())) == (61_798, 1_712_304)
    assert "33 classes" in SECTION and "are 61,798" in SECTION
