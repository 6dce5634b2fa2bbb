"""The odds of a showdown against opponents with any cards, in one pot or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, prod


@dataclass(frozen=True)
class Odds:
    """The chances to win and to split a showdown; the rest to 1 is lost.

    Attributes:
        split: Entry j is the chance to win together with exactly j others, 0 to all opponents.
    """

    split: tuple[Fraction, ...]

    @property
    def opponents(self) -> int:
        """The number of opponents."""
        return len(self.split) - 1

    @property
    def win(self) -> Fraction:
        """The chance to win alone."""
        return self.split[0]

    @property
    def lose(self) -> Fraction:
        """The chance to lose."""
        return 1 - sum(self.split, Fraction(0))

    @property
    def equity(self) -> Fraction:
        """The mean share of the pot."""
        return sum((chance / (j + 1) for j, chance in enumerate(self.split)), Fraction(0))


NO_OPPONENTS = Odds((Fraction(1),))
"""The odds against no opponent."""


@dataclass(frozen=True)
class Standing:
    """One result of a showdown with several pots.

    Attributes:
        chance: How likely it is.
        shares: The share won of the pot that the i-th of the given sets of opponents contests.
    """

    chance: Fraction
    shares: tuple[Fraction, ...]


def standings(odds: Sequence[Odds], contesting: Sequence[int]) -> list[Standing]:
    """Return how pots that fewer and fewer opponents contest come out together.

    Opponents with any cards are alike, so any m of them are as good as any other m: that none of m
    given opponents is better, and that certain j of them tie, has the chance ``odds[m].split[j]`` /
    C(m, j). Where the first pot that is not lost is the i-th, an opponent who contests the pot before
    it, but not this one, is better; that chance is a difference of two such chances.

    Args:
        odds: Those against m opponents, at place m.
        contesting: How many opponents contest each pot, descending; those of a pot are among those of
            the pot before it.

    >>> from fractions import Fraction
    >>> alone, half = Odds((Fraction(1),)), Odds((Fraction(1, 2), Fraction(0)))
    >>> third = Odds((Fraction(1, 3), Fraction(0), Fraction(0)))
    >>> [(str(s.chance), *map(str, s.shares)) for s in standings([alone, half, third], [2, 1])]
    [('1/3', '1', '1'), ('1/6', '0', '1'), ('1/2', '0', '0')]
    """
    # For each tail of the pots, the chance that no opponent who contests it is better, by the ties in
    # each group: those who contest one pot, but not the next.
    sizes = [left - right for left, right in pairwise([*contesting, 0])]
    unbeaten: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    standings_of: list[Standing] = []
    for at in range(len(contesting) - 1, -1, -1):
        among, size = odds[contesting[at]], sizes[at]
        longer: dict[tuple[int, ...], Fraction] = {}
        for ties, chance in unbeaten.items():
            beaten = chance
            for tied in range(size + 1):
                here = _tie_chance(among, (tied, *ties), sizes[at:])
                if here:
                    longer[(tied, *ties)] = here
                    beaten -= here
            if beaten:
                standings_of.append(Standing(beaten, (*[Fraction(0)] * (at + 1), *_shares(ties))))
        unbeaten = longer
    standings_of += [Standing(chance, _shares(ties)) for ties, chance in unbeaten.items()]
    return standings_of[::-1]


def _tie_chance(odds: Odds, ties: tuple[int, ...], sizes: Sequence[int]) -> Fraction:
    """Return the chance that certain numbers of each group tie, and that no opponent is better."""
    all_tied = sum(ties)
    chance = odds.split[all_tied]
    if chance and len(ties) > 1:
        sets = prod(comb(size, tied) for tied, size in zip(ties, sizes, strict=True))
        chance *= Fraction(sets, comb(odds.opponents, all_tied))
    return chance


def _shares(ties: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(1, 1 + sum(ties[at:])) for at in range(len(ties)))
