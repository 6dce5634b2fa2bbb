"""Estimate what answers to spots of Omaha cost, in seconds of the CPU.

The constants are fitted to measurements; estimates should be right within a factor of three.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, exp, prod
from typing import TYPE_CHECKING

from gpuodds.backends.choice import thread_count
from gpuodds.cards import DECK_SIZE
from gpuodds.methods.costs import KNOWN_HANDS as KNOWN_HANDS
from gpuodds.methods.costs import LISTED_HANDS as LISTED_HANDS
from gpuodds.methods.costs import MAX_LISTED_HANDS, has_ranges
from gpuodds.methods.costs import ONE_RANDOM_HAND as ONE_RANDOM_HAND
from gpuodds.methods.costs import SHOWDOWNS as SHOWDOWNS
from gpuodds.methods.costs import THREE_RANGES as THREE_RANGES

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.spot import Spot

# A sampled deal; each player who is compared, by hole cards; each draw of ranges that share no card.
DEAL = 5e-8
PLAYER_OF_DEAL = {4: 3e-8, 5: 4e-8, 6: 5e-8}
DRAWN_RANGES = 5e-8
MAX_DRAWS = 1e6

ONLY_EQUITIES = "gives neither equities by hand nor final hands"
PLAYERS_OF_SHOWDOWNS, PLAYERS_OF_THREE_RANGES = 2, 3
MAX_COMBOS = 20_000_000  # in the lists of all players: the memory that they take
MAX_DEALS = 1e17  # of three ranges on a board: with the factor of a board, 64 bits hold them

BASE = 5e-4
# Known hands: a class of boards for each player; boards for each class, about, by board cards.
CLASS_OF_PLAYER = 6e-9
CLASSES = (80_000, 60_000, 20_000, 1_200, 40, 1)
# Listed hands: a call for each class; the renaming of the hands of a deal; classes are more than deals
# by renamings of the suits.
LISTED_HAND, RENAMED_HANDS, ALIKE = 5e-5, 4e-6, 1.5
# One random hand, by board cards, for four hole cards; the factor for five and six.
ONE_HAND = (1.2, 0.8, 0.2, 5e-3, 1e-3, 5e-4)
MORE_CARDS = {4: 1.0, 5: 6.0, 6: 25.0}
WITH_LOWS = 1.5
# Showdowns: a board, and each hand on a board, by hole cards; the factors of lows.
BOARD_OF_RANGES = 3e-5
HAND_ON_BOARD = {4: 4e-8, 5: 5e-8, 6: 2e-7}
RANGES_WITH_LOWS = {4: 2.5, 5: 6.0, 6: 6.0}
MADE_HANDS_OF_BOARD, MADE_HAND_ON_BOARD = 1e-5, 1e-8  # what made hands add
# The same, all hands together: a board; the share of each hand, and where a player has few hands.
BOARD_OF_TOTALS = 1e-5
HAND_OF_TOTALS, HAND_AGAINST_FEW, FEW_HANDS = 0.5, 0.15, 20
# One random hand on many boards: every class of full boards once, and each board.
BOARD_OF_RANDOM = 1e-4
# Three ranges: each hand on a board; for each hand of the narrowest there, by hole cards, the sums,
# each hand of the next range, and each of the widest; the factors of lows.
RANKED_OF_THREE = 1.5e-8
SUMS_OF_THREE = {4: 5e-6, 5: 6e-5, 6: 5e-4}
HAND_LOOKED_UP = {4: 2e-8, 5: 3e-8, 6: 6e-8}
HAND_ADDED = {4: 8e-9, 5: 1.2e-8, 6: 2.5e-8}
SUMS_WITH_LOWS, HANDS_WITH_LOWS = 8.0, 2.0


def why_not_known_hands(spot: Spot, options: Options) -> str:
    """Return why known hands cannot be counted; empty if they can."""
    if not spot.is_known:
        return "a player has a range"
    if spot.opponents:
        return "a player has random cards"
    return "gives no equities by hand" if options.by_hand else ""


def why_not_one_random_hand(spot: Spot, options: Options) -> str:
    """Return why one hand against one random hand cannot be counted; empty if it can."""
    if not spot.is_known:
        return "a player has a range"
    if len(spot.hands) != 1 or spot.opponents != 1:
        return "counts one hand against one random hand"
    return "gives no equities by hand" if options.by_hand else ""


def why_no_showdowns(spot: Spot, options: Options) -> str:
    """Return why ranges cannot be counted; empty if they can."""
    if spot.players > PLAYERS_OF_SHOWDOWNS:
        return "counts two players"
    if spot.folded:
        return "counts no folded ranges"
    return "too many combos to list" if sum(spot.sizes) > MAX_COMBOS else ""


def why_not_three_ranges(spot: Spot, options: Options) -> str:
    """Return why three players cannot be counted; empty if they can."""
    if spot.players != PLAYERS_OF_THREE_RANGES:
        return "counts three players"
    if spot.is_known and not spot.opponents:
        return "no player has a range or random cards"
    if spot.folded:
        return "counts no folded ranges"
    if options.is_counted_only:
        return ONLY_EQUITIES
    if sum(spot.sizes) > MAX_COMBOS or prod(map(float, spot.sizes)) > MAX_DEALS:
        return "too many combos to list"
    return ""


def why_no_listing(spot: Spot, options: Options) -> str:
    """Return why hands cannot be listed; empty if they can."""
    if spot.opponents and (spot.opponents > 1 or len(spot.hands) > 1):
        return "lists the hands of one player against one random hand, or of all players"
    if options.is_counted_only:
        return ONLY_EQUITIES
    hands = _listed(spot)
    if hands > MAX_LISTED_HANDS:
        return f"{hands:,.0f} combinations of hands; at most {MAX_LISTED_HANDS:,} are listed"
    return ""


def _listed(spot: Spot) -> float:
    return prod(float(len(held.numbers)) for held in (*spot.held, *spot.held_by_folded))


def known_hands_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long known hands take."""
    return BASE + CLASSES[len(spot.board)] * spot.players * CLASS_OF_PLAYER


def one_random_hand_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long one hand against one random hand takes."""
    lows = WITH_LOWS if spot.game.has_low else 1.0
    one = ONE_HAND[len(spot.board)] * MORE_CARDS[spot.game.hole_cards] * lows
    return BASE + one / (threads or thread_count())


def showdown_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long two players with ranges take."""
    one = BOARD_OF_RANGES + sum(spot.sizes) * _hand_on_board(spot)
    return BASE + _boards(spot) * one / (threads or thread_count())


def made_hand_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how much longer two players with ranges take with their made hands."""
    one = MADE_HANDS_OF_BOARD + sum(spot.sizes) * MADE_HAND_ON_BOARD
    return _boards(spot) * one / (threads or thread_count())


def _boards(spot: Spot) -> float:
    """Return about how many full boards differ by more than a renaming that keeps the spot."""
    boards = comb(spot.game.deck_size - len({*spot.board, *spot.dead}), spot.to_come)
    return max(1.0, boards / len(spot.suit_group))


def _hand_on_board(spot: Spot) -> float:
    size = spot.game.hole_cards
    return HAND_ON_BOARD[size] * (RANGES_WITH_LOWS[size] if spot.game.has_low else 1.0)


def board_totals_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long two players with ranges take on all boards of the next street."""
    share = HAND_AGAINST_FEW if min(spot.sizes) <= FEW_HANDS else HAND_OF_TOTALS
    one = BOARD_OF_TOTALS + sum(spot.sizes) * share * _hand_on_board(spot)
    return BASE + _boards(spot) * one / (threads or thread_count())


def random_on_boards_seconds(spot: Spot, boards: int, threads: int | None = None) -> float:
    """Estimate how long one hand against one random hand takes on boards of the next street."""
    return one_random_hand_seconds(spot, threads) + boards * BOARD_OF_RANDOM


def three_range_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long three players with ranges or random cards take."""
    size, sizes = spot.game.hole_cards, sorted(spot.sizes)
    boards = max(1.0, comb(DECK_SIZE - len(spot.known), spot.to_come) / len(spot.suit_group))
    sums = SUMS_OF_THREE[size]
    hands = sizes[1] * HAND_LOOKED_UP[size] + sizes[2] * HAND_ADDED[size]
    if spot.game.has_low:
        sums, hands = sums * SUMS_WITH_LOWS, hands * HANDS_WITH_LOWS
    one = BOARD_OF_RANGES + sum(sizes) * RANKED_OF_THREE + sizes[0] * (sums + hands)
    return BASE + boards * one / min(threads or thread_count(), boards)


def listed_hands_seconds(spot: Spot, threads: int | None = None) -> float:
    """Estimate how long listed hands take."""
    hands, group = _listed(spot), len(spot.suit_group)
    classes = max(1.0, min(hands, ALIKE * hands / group))
    if spot.opponents:  # all threads count one class after another
        counting = classes * (LISTED_HAND + one_random_hand_seconds(spot, threads) - BASE)
    else:
        counting = classes * (LISTED_HAND + known_hands_seconds(spot) - BASE)
        counting /= threads or thread_count()
    return BASE + RENAMED_HANDS * hands * group + counting


def deal_seconds(spot: Spot) -> float:
    """Estimate how long a sampled deal takes one thread."""
    seconds = DEAL + PLAYER_OF_DEAL[spot.game.hole_cards] * spot.players
    return seconds + DRAWN_RANGES * _draws_per_deal(spot) if has_ranges(spot) else seconds


def _draws_per_deal(spot: Spot) -> float:
    """Return about how many draws it takes until no two players with ranges share a card."""
    import numpy as np

    by_card = np.zeros((len(spot.hands) + len(spot.folded), DECK_SIZE))
    for row, held in zip(by_card, (*spot.held, *spot.held_by_folded), strict=True):
        for column in held.cards.T:
            row += np.bincount(column, held.weights, DECK_SIZE)
        row /= held.weights.sum()
    shared = (by_card.sum(axis=0) ** 2 - (by_card**2).sum(axis=0)).sum() / 2
    return min(exp(float(shared)), MAX_DRAWS)


SECONDS: dict[str, Callable[[Spot, int | None], float]] = {
    KNOWN_HANDS: known_hands_seconds,
    ONE_RANDOM_HAND: one_random_hand_seconds,
    SHOWDOWNS: showdown_seconds,
    THREE_RANGES: three_range_seconds,
    LISTED_HANDS: listed_hands_seconds,
}
"""The estimate of each method."""

REFUSALS: dict[str, Callable[[Spot, Options], str]] = {
    KNOWN_HANDS: why_not_known_hands,
    ONE_RANDOM_HAND: why_not_one_random_hand,
    SHOWDOWNS: why_no_showdowns,
    THREE_RANGES: why_not_three_ranges,
    LISTED_HANDS: why_no_listing,
}
"""Why each method cannot answer a spot; empty if it can."""
