"""Who gets which chips when the board is out, side pots and bounties included, and what that is worth.

Antes make a pot of their own: each level of them is contested by those who posted as much, the lowest
one, with the big blind's ante for all, by everyone who is all-in. Bets make one pot a level of those
who are all-in. The part of a bet that no one matches is a pot of one player: it goes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from gpuodds.basics.lazy import cached_property
from gpuodds.short_stacks.icm import exact_values
from gpuodds.short_stacks.spot import History, PushFoldSpot

Order = tuple[int, ...]
"""For each player all-in, how many of the hands are better: (0, 0, 2) is a tie above a third hand."""


class Pot(NamedTuple):
    """Chips, and who contests them."""

    chips: Fraction
    players: tuple[int, ...]


class Settling:
    """The outcomes of one spot."""

    def __init__(self, spot: PushFoldSpot) -> None:
        """Settle hands of a spot."""
        self.spot = spot
        self._values: dict[tuple[Fraction, ...], tuple[Fraction, ...]] = {}

    def pots(self, all_in: History) -> list[Pot]:
        """Return the pots when some players are all-in and the others have folded."""
        spot = self.spot
        live = [player for player in all_in if spot.stacks[player]]
        antes = [posted.ante for posted in spot.posted]
        bets = [
            spot.bets[player] if player in all_in else posted.blind
            for player, posted in enumerate(spot.posted)
        ]
        pots = _layers(antes, live) or [Pot(Fraction(0), tuple(live))]
        dead = sum((posted.dead for posted in spot.posted), Fraction(0))
        first = Pot(pots[0].chips + dead, tuple(live))
        return [pot for pot in (first, *pots[1:], *_layers(bets, live)) if pot.chips]

    def stacks_after(self, all_in: History, order: Order) -> tuple[Fraction, ...]:
        """Return all stacks after the hand.

        Args:
            all_in: The players who are all-in; the last player alone, where all others folded.
            order: How many of their hands are better than each one's.
        """
        spot = self.spot
        stacks = [
            Fraction(0) if player in all_in else stack - posted.ante - posted.dead - posted.blind
            for player, (stack, posted) in enumerate(zip(spot.stacks, spot.posted, strict=True))
        ]
        for pot in self.pots(all_in):
            winners = _winners(pot, all_in, order)
            for player in winners:
                stacks[player] += pot.chips / len(winners)
        return tuple(stacks)

    def values(self, all_in: History, order: Order) -> tuple[Fraction, ...]:
        """Return how much each player gains: chips, or prize money with bounties."""
        after = self.stacks_after(all_in, order)
        if not self.spot.payouts:
            pairs = zip(after, self.spot.stacks, strict=True)
            return tuple(stack - before for stack, before in pairs)
        values = list(self.prizes(after))
        for player, value in enumerate(self._before):
            values[player] -= value
        for busted, head in enumerate(self.spot.bounties):
            if after[busted] == 0 and self.spot.stacks[busted] and busted in all_in:
                paid = head / 2 if self.spot.progressive else head
                last = [pot for pot in self.pots(all_in) if busted in pot.players][-1]
                winners = _winners(last, all_in, order)
                for player in winners:
                    values[player] += paid / len(winners)
        return tuple(values)

    def prizes(self, stacks: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """Return what stacks after the hand are worth in prize money.

        Who has no chips left has his place: in front of those who began the hand with less. Equal ones
        share their prizes.
        """
        found = self._values.get(stacks)
        if found is None:
            found = self._values[stacks] = self._prizes(stacks)
        return found

    def _prizes(self, stacks: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        payouts = [*self.spot.payouts, *[Fraction(0)] * (len(stacks) - len(self.spot.payouts))]
        left = [player for player, stack in enumerate(stacks) if stack]
        values = [Fraction(0)] * len(stacks)
        of_left = exact_values([stacks[player] for player in left], payouts[: len(left)])
        for player, value in zip(left, of_left, strict=True):
            values[player] = value
        place, before = len(left), self.spot.stacks
        busted = [player for player, stack in enumerate(stacks) if not stack]
        for size in sorted({before[player] for player in busted}, reverse=True):
            equal = [player for player in busted if before[player] == size]
            shared = sum(payouts[place : place + len(equal)], Fraction(0)) / len(equal)
            for player in equal:
                values[player] = shared
            place += len(equal)
        return tuple(values)

    @cached_property
    def _before(self) -> tuple[Fraction, ...]:
        return self.prizes(self.spot.stacks)


def _layers(paid: Sequence[Fraction], live: Sequence[int]) -> list[Pot]:
    """Return a pot for each level of what those who are all-in have paid."""
    pots, below = [], Fraction(0)
    for level in sorted({paid[player] for player in live} - {Fraction(0)}):
        chips = sum((min(amount, level) - min(amount, below) for amount in paid), Fraction(0))
        pots.append(Pot(chips, tuple(player for player in live if paid[player] >= level)))
        below = level
    above = sum((max(amount - below, Fraction(0)) for amount in paid), Fraction(0))
    if above:  # of players who folded: it goes with the last level
        rest = Pot(above, tuple(live))
        pots = [*pots[:-1], Pot(pots[-1].chips + above, pots[-1].players)] if pots else [rest]
    return pots


def _winners(pot: Pot, all_in: History, order: Order) -> list[int]:
    places = dict(zip(all_in, order, strict=True))
    best = min(places[player] for player in pot.players)
    return [player for player in pot.players if places[player] == best]


@lru_cache
def orders(hands: int) -> tuple[Order, ...]:
    """Return all orders of some hands, ties included: 1, 3, 13, 75, ...

    >>> orders(2)
    ((0, 0), (0, 1), (1, 0))
    """
    found: list[Order] = [()]
    for _ in range(hands):
        found = sorted({order for shorter in found for order in _with_one_more(shorter)})
    return tuple(found)


def _with_one_more(order: Order) -> list[Order]:
    # Beside each hand, or between two neighbours: in halves, then counted anew.
    levels = sorted(set(order))
    halves = (
        [2 * level for level in levels] + [2 * level - 1 for level in levels] + [2 * len(order) + 1]
    )
    return [normal_order((*(2 * level for level in order), half)) for half in halves]


def normal_order(levels: Sequence[int]) -> Order:
    """Return for each level how many are below it.

    >>> normal_order((7, 3, 7))
    (1, 0, 1)
    """
    return tuple(sum(other < level for other in levels) for level in levels)
