"""Count rows again, one at a time, by other methods than those that build tables.

The build counts many hands at once by backend operations of their own; here each row is a spot that is
answered as any other, or every hand of every deal is ranked. All of it runs on the CPU.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.api import equity
from gpuodds.backends.choice import choose_backend
from gpuodds.backends.operations.ranks import RankCards
from gpuodds.cards import DECK_SIZE
from gpuodds.games.game import Game
from gpuodds.games.holdem.clusters import CLUSTERS, opponent_clusters
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.streets import BINS, HALF_POTS
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.results.hi_lo import HiLoEquity
from gpuodds.results.result import EquityResult
from gpuodds.tables.hands import Cards

Ints = npt.NDArray[np.int64]


def count_hand(hand: Cards, board: Cards, opponents: int, game: Game) -> list[int]:
    """Return the deals that a hand wins alone, and splits with 1, 2, ... of random opponents."""
    options: dict[str, Any] = {"table": False, "backend": "cpu", "game": game}
    player = equity([hand], opponents=opponents, board=board, **options).players[0]
    return [int(player.win_outcomes), *map(int, player.tie_outcomes)]


def count_against_random(hand: Cards, game: Game) -> dict[str, float]:
    """Return the deals of a hand of Omaha against a random hand, by column of its table.

    The shares of the pot of a hi-lo game have no column of their own: they are the equity.
    """
    answer = equity([hand], opponents=1, table=False, backend="cpu", game=game)
    player = answer.players[0]
    counts = {"win": player.win_outcomes, "tie": player.tie_outcomes[0]}
    if isinstance(player, HiLoEquity):
        for half, row in (("high", player.high_outcomes), ("low", player.low_outcomes)):
            counts |= {f"{half}_win": row[0], f"{half}_tie": row[1]}
    exact: dict[str, float] = {name: int(count) for name, count in counts.items()}
    return exact | {"outcomes": int(player.outcomes), "equity": player.equity}


def count_pair(first: Cards, second: Cards) -> tuple[int, int, int]:
    """Return the boards that one hand wins, that the other wins, and on which they tie."""
    winners = equity([first, second], table=False, backend="cpu").winners or {}
    return int(winners.get("A", 0)), int(winners.get("B", 0)), int(winners.get("AB", 0))


def count_starting_hands(names: list[str]) -> EquityResult:
    """Count starting hands against each other, as ranges.

    Raises:
        ImpossibleDeal: They cannot be dealt together.
    """
    return equity(names, method="exact", table=False, backend="cpu")


def count_alike(hand: Cards, board: Cards) -> int:
    """Return how many deals of a hand and a board differ from one by the names of the suits alone."""
    renamed = set()
    for suits in permutations(range(4)):
        cards = [[card & ~3 | suits[card & 3] for card in part] for part in (hand, board)]
        renamed.add((frozenset(cards[0]), frozenset(cards[1])))
    return len(renamed)


def rank_every_deal(hand: Cards, board: Cards) -> tuple[int, int, int, list[int]]:
    """Count by ranking every hand of every deal against one random hand.

    Returns:
        Wins and ties, the sum over full boards of (2 wins + ties)^2, and how many full boards are in
        each bin of hand strength: see :class:`gpuodds.games.holdem.streets.StreetCounts`.
    """
    backend = choose_backend("cpu")
    deck = [card for card in range(DECK_SIZE) if card not in (*hand, *board)]
    opponents = np.array(list(combinations(range(DECK_SIZE), 2)), np.uint8)
    wins = ties = squares = 0
    histogram = [0] * BINS
    for more in combinations(deck, BOARD_CARDS - len(board)):
        full = np.array([*board, *more], np.uint8)
        left = opponents[~np.isin(opponents, [*hand, *full]).any(axis=1)]
        hands = np.vstack([[hand], left]).astype(np.uint8)
        cards = np.hstack([np.tile(full, (len(hands), 1)), hands])
        ranks = backend.count(RankCards(HOLDEM, cards)).counts
        won, tied = int((ranks[1:] < ranks[0]).sum()), int((ranks[1:] == ranks[0]).sum())
        strength = 2 * won + tied
        wins, ties, squares = wins + won, ties + tied, squares + strength**2
        histogram[min(strength * BINS // HALF_POTS, BINS - 1)] += 1
    return wins, ties, squares, histogram


def recount_ochs(hand: Cards, board: Cards) -> tuple[Ints, Ints]:
    """Count a hand against each cluster of opponents' hands by ranking every hand of every deal.

    Returns:
        2 wins + ties, and deals, by cluster, shape (8,).
    """
    backend, clusters = choose_backend("cpu"), opponent_clusters()
    deck = [card for card in range(DECK_SIZE) if card not in (*hand, *board)]
    half_pots, deals = np.zeros(CLUSTERS, np.int64), np.zeros(CLUSTERS, np.int64)
    for more in combinations(deck, BOARD_CARDS - len(board)):
        full = np.array([*board, *more], np.uint8)
        left = ~np.isin(combo_cards(), [*hand, *full]).any(axis=1)
        hands = np.vstack([[hand], combo_cards()[left]]).astype(np.uint8)
        cards = np.hstack([np.tile(full, (len(hands), 1)), hands])
        ranks = backend.count(RankCards(HOLDEM, cards)).counts
        won = 2 * (ranks[1:] < ranks[0]).astype(np.int64) + (ranks[1:] == ranks[0])
        half_pots += np.bincount(clusters[left], won, CLUSTERS).astype(np.int64)
        deals += np.bincount(clusters[left], minlength=CLUSTERS)
    return half_pots, deals
