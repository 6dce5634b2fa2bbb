"""Exact counts against any number of random opponents, from the matchings of the threat graph.

Fix the board and the known hands; n cards are undealt. A deal of k random opponents is a choice of k
disjoint pairs of them. Give a pair the weight 1 if the best known hand beats it, x if it ties, and 0 if
it beats the best known hand. The sum over all deals of the product of the weights is

    M_k(x) = sum over t of N[k][t] x^t,   N[k][t] = deals in which no opponent is better and t tie.

Write each weight as 1 + (weight - 1). Expanding the product leaves a choice of dominating pairs (pairs
that beat or tie), with weight -1 for a win and x - 1 for a tie; the other opponents take any cards:

    M_k(x) = sum over j, t of m[j][t] (-1)^(j-t) (x-1)^t D(n - 2j, k - j)

with m[j][t] = ways to choose j disjoint dominating pairs of which t tie, and D(n, k) = ways to deal k
hands from n cards. Cards that beat the best known hand with every partner must stay in the deck, so n
does not count them. This is the sum of the document on exact preflop odds (docs/history.md) with its
f(S, k) = m[k][0], extended to ties.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import comb

MatchingCounts = Mapping[tuple[int, int, int], int]
"""(n, j, t) -> m[j][t] summed over the boards on which n cards can be dealt to opponents."""


@cache
def deals(cards: int, hands: int) -> int:
    """Return the number of deals of ``hands`` two-card hands from ``cards`` cards, their order ignored.

    >>> deals(45, 3)
    122175900
    """
    if hands < 0 or cards < 2 * hands:
        return 0
    ways = comb(cards, 2 * hands)
    for factor in range(3, 2 * hands, 2):
        ways *= factor
    return ways


def unbeaten_deals(counts: MatchingCounts, opponents: int) -> list[int]:
    """Return N[k][t] for k = ``opponents``, a list over t = 0..k, summed over boards.

    Args:
        counts: The numbers of matchings by (n, j, t).
        opponents: k, 0 or more.

    >>> unbeaten_deals({(45, 0, 0): 1}, 2)  # no dominating pair: all deals win
    [446985, 0, 0]
    """
    by_pairs: dict[tuple[int, int], int] = {}
    for (cards, edges, ties), ways in counts.items():
        if edges <= opponents:
            deals_of_others = deals(cards - 2 * edges, opponents - edges)
            by_pairs[edges, ties] = by_pairs.get((edges, ties), 0) + ways * deals_of_others
    result = [0] * (opponents + 1)
    for (edges, ties), ways in by_pairs.items():
        for split in range(ties + 1):
            term = comb(ties, split) * ways
            result[split] += -term if (edges - split) % 2 else term
    return result
