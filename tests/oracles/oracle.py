"""Brute force, independent of the package: every board, every set of disjoint opponent hands.

Hands are compared by a score worked out from the rules of poker, without any table of the package.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

Ints = npt.NDArray[np.int64]


class Counts(NamedTuple):
    """``won[p][t]``: outcomes that known player p wins or splits with exactly t others."""

    outcomes: int
    won: list[list[int]]


@njit(cache=True)
def straight_top(ranks: int) -> int:
    """Return the highest card of a straight in a set of ranks, -1 if there is none."""
    for top in range(12, 3, -1):
        if ranks >> (top - 4) & 31 == 31:
            return top
    return 3 if ranks & 0b1000000001111 == 0b1000000001111 else -1


@njit(cache=True)
def score(cards: Ints) -> int:
    """Score the best five of seven cards: category, then ranks, in base 16."""
    count = np.zeros(13, np.int64)
    suits = np.zeros(4, np.int64)
    of_suit = np.zeros(4, np.int64)
    all_ranks = 0
    for card in cards:
        count[card // 4] += 1
        suits[card % 4] |= 1 << (card // 4)
        of_suit[card % 4] += 1
        all_ranks |= 1 << (card // 4)
    flush = -1
    for suit in range(4):
        if of_suit[suit] >= 5:
            flush = suit
    if flush >= 0 and straight_top(suits[flush]) >= 0:
        return 8 * 16**5 + straight_top(suits[flush])
    # Ranks by how many there are, then by height.
    order = np.empty(13, np.int64)
    distinct = 0
    for number in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if count[rank] == number:
                order[distinct] = rank
                distinct += 1
    first = count[order[0]]
    second = count[order[1]]
    if first == 4:
        kicker = 0
        for rank in range(13):
            if count[rank] and rank != order[0]:
                kicker = rank
        return 7 * 16**5 + order[0] * 16 + kicker
    if first == 3 and second >= 2:
        pair = 0
        for rank in range(13):
            if count[rank] >= 2 and rank != order[0]:
                pair = rank
        return 6 * 16**5 + order[0] * 16 + pair
    if flush >= 0:
        value = 5
        taken = 0
        for rank in range(12, -1, -1):
            if suits[flush] >> rank & 1 and taken < 5:
                value = value * 16 + rank
                taken += 1
        return value
    if straight_top(all_ranks) >= 0:
        return 4 * 16**5 + straight_top(all_ranks)
    pairs = 1 if first == 3 else 2 if first == 2 and second == 2 else 1 if first == 2 else 0
    category = 3 if first == 3 else 2 if pairs == 2 else 1 if pairs else 0
    value = category
    for i in range(pairs):
        value = value * 16 + order[i]
    used = 3 if first == 3 else 2 * pairs
    for rank in range(12, -1, -1):
        fresh = True
        for i in range(pairs):
            fresh = fresh and order[i] != rank
        if fresh and count[rank] and used < 5:
            value = value * 16 + rank
            used += 1
    return value * 16 ** (5 - (pairs + 5 - (3 if first == 3 else 2 * pairs)))


@njit(cache=True)
def count_board(board: Ints, hands: Ints, deck: Ints, opponents: int, won: Ints) -> None:
    """Add the deals of one full board to ``won`` (players, winners)."""
    seven = np.empty(7, np.int64)  # filled card by card: slices take numba seconds to compile
    for place in range(5):
        seven[place] = board[place]
    players = hands.shape[0]
    scores = np.empty(players, np.int64)
    best = -1
    for player in range(players):
        seven[5] = hands[player, 0]
        seven[6] = hands[player, 1]
        scores[player] = score(seven)
        best = max(best, scores[player])
    sharers = 0
    for player in range(players):
        sharers += scores[player] == best
    size = deck.size * (deck.size - 1) // 2
    mask = np.empty(size, np.int64)
    tied = np.empty(size, np.int64)
    unbeaten = 0
    for i in range(deck.size):
        for j in range(i):
            seven[5] = deck[i]
            seven[6] = deck[j]
            value = score(seven)
            if value <= best:
                mask[unbeaten] = 1 << i | 1 << j
                tied[unbeaten] = 1 if value == best else 0
                unbeaten += 1
    by_ties = np.zeros(opponents + 1, np.int64)
    if opponents == 0:
        by_ties[0] = 1
    for a in range(unbeaten):
        if opponents == 1:
            by_ties[tied[a]] += 1
        elif opponents > 1:
            for b in range(a):
                if mask[a] & mask[b]:
                    continue
                if opponents == 2:
                    by_ties[tied[a] + tied[b]] += 1
                else:
                    mask_of_two = mask[a] | mask[b]
                    for c in range(b):
                        if mask[c] & mask_of_two == 0:
                            by_ties[tied[a] + tied[b] + tied[c]] += 1
    for player in range(players):
        if scores[player] == best:
            for ties in range(opponents + 1):
                won[player, sharers - 1 + ties] += by_ties[ties]


def brute_force(
    hands: tuple[tuple[int, int], ...],
    opponents: int,
    board: tuple[int, ...] = (),
    dead: tuple[int, ...] = (),
) -> Counts:
    """Count by enumeration; up to three random opponents."""
    known = {*board, *dead, *(card for hand in hands for card in hand)}
    unseen = [card for card in range(52) if card not in known]
    won = np.zeros((len(hands), len(hands) + opponents), np.int64)
    hole = np.array(hands, np.int64)
    outcomes = 0
    for more in combinations(unseen, 5 - len(board)):
        deck = [card for card in unseen if card not in more]
        full = np.array([*board, *more], np.int64)
        count_board(full, hole, np.array(deck, np.int64), opponents, won)
        ways, left = 1, len(deck)
        for k in range(opponents):
            ways = ways * (left * (left - 1) // 2) // (k + 1)
            left -= 2
        outcomes += ways
    return Counts(outcomes, won.tolist())
