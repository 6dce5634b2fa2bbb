"""Find the cards and pairs that beat a hand on a full board, and count disjoint choices of them.

A *one-card loss* is an unseen card that, with the board alone, beats the hand. Of the r cards that
remain, a *two-card loss* is a pair that beats it. The deals of k opponents in which no opponent beats
the hand use the r cards alone and contain no two-card loss. Inclusion and exclusion over the set S of
two-card losses counts them:

    sum over i = 0 .. k of (-1)^i f(S, i) D(r - 2i, k - i)

with f(S, i) the ways to choose i disjoint pairs of S, and D(n, m) = C(n, 2m) (2m - 1)!! the ways to
deal m hands from n cards (:func:`gpuodds.games.holdem.multiway.deals`).

This module computes the sum for one hand on one board, in plain Python. For more boards use
:func:`gpuodds.equity`: it sums over all boards and keeps wins and ties apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import prod

from gpuodds.basics.arguments import as_whole, listed
from gpuodds.cards import DECK_SIZE, format_cards
from gpuodds.errors import InputError
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.multiway import deals
from gpuodds.games.shared.rules import BOARD_CARDS, MAX_PLAYERS
from gpuodds.spots.hands import Cards, read_cards, read_hand
from gpuodds.spots.players import read_known_hands
from gpuodds.spots.spot import Spot

Pair = tuple[int, int]
Pools = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Losses:
    """The cards and pairs that beat a hand on a full board.

    Example:
        >>> found = losses("4s8s", "2s3s6h7h8h")
        >>> found.remaining, len(found.two_card), found.win_or_draw(1)
        (45, 268, 722)
    """

    hand: Pair
    """The hand's card numbers."""
    board: tuple[int, ...]
    """The five card numbers of the board."""
    one_card: tuple[int, ...]
    """The unseen cards, ascending, that beat the hand with the board alone."""
    two_card: tuple[Pair, ...]
    """The pairs of remaining cards, ascending, that beat the hand, the set S."""

    @property
    def remaining(self) -> int:
        """The number r of unseen cards that are not one-card losses, 0 to 45."""
        return DECK_SIZE - 2 - BOARD_CARDS - len(self.one_card)

    def count_disjoint(self, count: int) -> int:
        """Return f(S, count): the number of ways to choose disjoint two-card losses.

        Args:
            count: The number of pairs to choose, 0 or more.
        """
        return count_disjoint(self.two_card, count)

    def win_or_draw(self, opponents: int) -> int:
        """Return the number of deals in which no opponent beats the hand.

        The order of the opponents is ignored: ``deals(45, opponents)`` is the number of all deals. A
        split pot counts in full, so the share of these deals is an upper bound of the equity, equal to
        it only if no opponent can tie. For equity see :func:`gpuodds.equity`.

        Args:
            opponents: The number of random opponents, 1 to 22.

        Raises:
            InputError: The number is not 1 to 22.
        """
        opponents = as_whole("opponents", opponents)
        if not 1 <= opponents < MAX_PLAYERS:
            raise InputError(f"opponents {opponents}: expected 1 to {MAX_PLAYERS - 1}")
        return sum(
            (-1) ** i * ways * deals(self.remaining - 2 * i, opponents - i)
            for i, ways in enumerate(_count_disjoint(self.two_card, opponents))
        )


def losses(hand: Cards, board: Cards) -> Losses:
    """Return the cards and the pairs of cards that beat a hand on a full board.

    Args:
        hand: Two cards.
        board: Five cards.

    Returns:
        The one-card and two-card losses, and the counts that follow from them.

    Raises:
        InputError: The hand does not have two cards or the board five, or a card is repeated.

    Example:
        >>> found = losses("4s8s", "2s3s6h7h8h")
        >>> len(found.one_card), found.remaining, len(found.two_card)
        (0, 45, 268)
        >>> [found.count_disjoint(k) for k in range(1, 5)]
        [268, 31480, 2154651, 96366138]
        >>> [found.win_or_draw(k) for k in range(1, 4)]
        [722, 236461, 46613209]
    """
    first, second = read_known_hands([hand], HOLDEM)[0]
    hole_cards = first, second
    spot = Spot((hole_cards,), 1, read_cards(board), game=HOLDEM)
    if len(spot.board) != BOARD_CARDS:
        shown = format_cards(spot.board) or "''"
        raise InputError(f"board {shown}: expected five cards, found {len(spot.board)}")
    rank_hand = spot.game.rank_hand  # unchecked: the spot has checked the cards
    rank = rank_hand(hole_cards, spot.board)
    unseen = [card for card in range(DECK_SIZE) if card not in spot.known]
    one_card = tuple(card for card in unseen if rank_hand([card], spot.board) > rank)
    remaining = [card for card in unseen if card not in one_card]
    two_card = tuple(pair for pair in combinations(remaining, 2) if rank_hand(pair, spot.board) > rank)
    return Losses(hole_cards, spot.board, one_card, two_card)


def count_disjoint(pairs: Iterable[Cards], count: int) -> int:
    """Return the number of ways to choose ``count`` of some pairs of cards so that no card repeats.

    These are the matchings of that size in the graph whose edges are the pairs. Equally, they are the
    cliques of the graph whose vertices are the pairs, with an edge between two that share no card. For
    the pairs that beat a hand this takes milliseconds; for hundreds of arbitrary pairs it can take
    minutes.

    Args:
        pairs: Pairs of cards, as text or numbers; repeated pairs count once.
        count: The number of pairs to choose, 0 or more.

    Returns:
        The number of sets of ``count`` disjoint pairs.

    Raises:
        InputError: A pair is not two different cards, or ``count`` is negative.

    Example:
        >>> count_disjoint(["AsKs", "QsJs"], 2), count_disjoint(["AsKs", "AsQs"], 2)
        (1, 0)
        >>> pairs = ["AsKs", "QsJs", "Ts9s", "AsKd", "QsJd"]
        >>> [count_disjoint(pairs, k) for k in range(1, 6)]
        [5, 8, 4, 0, 0]
    """
    count = as_whole("count", count)
    if count < 0:
        raise InputError(f"count {count}: expected 0 or more")
    known = set()
    for pair in listed("pairs", pairs, "a list of pairs of cards, such as ['AsKs', 'QsJs']"):
        low, high = sorted(read_hand(pair, HOLDEM))
        known.add((low, high))
    if 2 * count > DECK_SIZE:
        return 0
    return _count_disjoint(known, count)[count]


def _count_disjoint(pairs: Iterable[Pair], most: int) -> list[int]:
    """Return the numbers of ways to choose 0 to ``most`` disjoint pairs.

    The sweep visits the cards one by one. A card is left out, or becomes the partner of an earlier one,
    or waits for a later partner. Waiting cards with the same possible partners form a pool, of which
    only the size matters. So a state is the pools (partners as a mask, size); for each state the sweep
    keeps the number of ways by the number of pairs.
    """
    neighbours: dict[int, int] = {}
    for low, high in pairs:
        neighbours[low] = neighbours.get(low, 0) | 1 << high
        neighbours[high] = neighbours.get(high, 0) | 1 << low
    left = sum(1 << card for card in neighbours)
    states: dict[Pools, list[int]] = {(): [1] + [0] * most}
    for card in _sweep_order(neighbours):
        left &= ~(1 << card)
        swept: dict[Pools, list[int]] = {}
        for pools, ways in states.items():
            choices = [(pools, 0, 1), ((*pools, (neighbours[card], 1)), 0, 1)]
            for i, (partners, size) in enumerate(pools):
                if partners >> card & 1:
                    fewer = (*pools[:i], (partners, size - 1), *pools[i + 1 :])
                    choices.append((fewer, 1, size))
            for chosen, pair, times in choices:
                merged = _merge(chosen, left)
                if merged is None:
                    continue
                highest = most - sum(size for _, size in merged)  # each waiting card makes a pair
                if highest < 0:
                    continue
                target = swept.setdefault(merged, [0] * (most + 1))
                for number in range(pair, highest + 1):
                    target[number] += times * ways[number - pair]
        states = swept
    return states[()]


def _merge(pools: Pools, left: int) -> Pools | None:
    """Restrict pools to the partners that are left; None if a waiting card has no partner left."""
    merged: dict[int, int] = {}
    for partners, size in pools:
        if size:
            if not partners & left:
                return None
            merged[partners & left] = merged.get(partners & left, 0) + size
    return tuple(sorted(merged.items()))


def _sweep_order(neighbours: dict[int, int]) -> list[int]:
    """Order the cards for few states: next comes the card after which the fewest are possible."""
    order: list[int] = []
    waiting = sorted(neighbours)
    while waiting:
        left = sum(1 << card for card in waiting)
        fewest, best = 0, waiting[0]
        for card in waiting:
            remaining = left & ~(1 << card)
            pools = Counter(neighbours[earlier] & remaining for earlier in (*order, card))
            states = prod(
                min(size, partners.bit_count()) + 1 for partners, size in pools.items() if partners
            )
            if not fewest or states < fewest:
                fewest, best = states, card
        order.append(best)
        waiting.remove(best)
    return order
