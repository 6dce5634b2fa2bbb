"""Counting rows again, one at a time, by other ways than those that build tables."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cpu.ranks import rank_cards
from gpuodds.games.holdem.hand_ranks import hand_rank_tables
from gpuodds.games.holdem.multiway import unbeaten_deals
from gpuodds.games.holdem.rules import BOARD_CARDS
from gpuodds.games.holdem.streets import BINS, HALF_POTS
from gpuodds.methods.options import Options
from gpuodds.methods.showdowns import count_showdowns
from gpuodds.results.range_counts import RangeCounts
from gpuodds.spots.ranges import Range
from gpuodds.spots.spot import Spot

Cards = tuple[int, ...]


def count_hand(hand: Cards, board: Cards, opponents: int) -> list[int]:
    """Return the deals that a hand wins alone, and splits with 1, 2, ... of random opponents."""
    spot = Spot(((hand[0], hand[1]),), opponents, board)
    (sums,) = CpuBackend().matching_counts([spot], opponents, None)
    return unbeaten_deals(sums[1], opponents)


def count_pair(one: Cards, two: Cards) -> tuple[int, int, int]:
    """Return the boards that one hand wins, that the other wins, and on which they tie."""
    spot = Spot(((one[0], one[1]), (two[0], two[1])), 0)
    (sums,) = CpuBackend().matching_counts([spot], 0, None)
    boards = [sum(sums.get(mask, {}).values()) for mask in (1, 2, 3)]
    return boards[0], boards[1], boards[2]


def count_classes(names: list[str]) -> RangeCounts:
    """Count starting hands against each other as ranges, board by board.

    Raises:
        ImpossibleDeal: They cannot be dealt together.
    """
    spot = Spot(tuple(Range(name) for name in names), 0)
    return count_showdowns(spot, Options(backend="cpu"))[0]


def count_alike(hand: Cards, board: Cards) -> int:
    """Return how many deals of a hand and a board only the names of the suits tell apart from one."""
    renamed = set()
    for suits in permutations(range(4)):
        cards = [[card & ~3 | suits[card & 3] for card in part] for part in (hand, board)]
        renamed.add((frozenset(cards[0]), frozenset(cards[1])))
    return len(renamed)


def rank_every_deal(hand: Cards, board: Cards) -> tuple[int, int, int, list[int]]:
    """Count by ranking every hand of every deal against one random hand.

    Returns wins and ties, the sum over full boards of (2 wins + ties)^2, and how many full boards are
    in each bin of hand strength: see :class:`gpuodds.games.holdem.streets.StreetCounts`.
    """
    deck = [card for card in range(52) if card not in (*hand, *board)]
    others = np.array(list(combinations(range(52), 2)), np.uint8)
    wins = ties = squares = 0
    histogram = [0] * BINS
    for more in combinations(deck, BOARD_CARDS - len(board)):
        full = np.array([*board, *more], np.uint8)
        left = others[~np.isin(others, [*hand, *full]).any(axis=1)]
        hands = np.vstack([[hand], left]).astype(np.uint8)
        rows = np.hstack([np.tile(full, (len(hands), 1)), hands])
        ranks: Any = rank_cards(rows, hand_rank_tables())
        won, tied = int((ranks[1:] < ranks[0]).sum()), int((ranks[1:] == ranks[0]).sum())
        strength = 2 * won + tied
        wins, ties, squares = wins + won, ties + tied, squares + strength**2
        histogram[min(strength * BINS // HALF_POTS, BINS - 1)] += 1
    return wins, ties, squares, histogram
