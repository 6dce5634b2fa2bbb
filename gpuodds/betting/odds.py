"""What can come of a showdown against opponents who are alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb


@dataclass(frozen=True)
class Odds:
    """What can come of a showdown: ``split[j]`` is to win with exactly j others, ``split[0]`` alone.

    The chances are fractions; what is missing to 1 is lost. With n opponents ``split`` has n + 1
    entries.
    """

    split: tuple[Fraction, ...]

    @property
    def opponents(self) -> int:
        """How many opponents there are."""
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


NOBODY = Odds((Fraction(1),))
"""The odds against no opponent."""


@dataclass(frozen=True)
class Standing:
    """How a showdown with several pots comes out, and its chance.

    ``shares[i]`` is what is won of a pot that the i-th of the given sets of opponents contests.
    """

    chance: Fraction
    shares: tuple[Fraction, ...]


def standings(odds: Sequence[Odds], contesting: Sequence[int]) -> list[Standing]:
    """Find how pots come out together that fewer and fewer opponents contest.

    ``odds[m]`` are those against m opponents, m = 0, 1, ...; ``contesting`` says how many opponents
    contest each pot, in descending order, those of a pot being among those of the pot before it.

    Opponents with any cards are alike, so which m of them one looks at makes no difference: no one of m
    given opponents being better, and certain j of them tying, has the chance ``odds[m].split[j]`` /
    C(m, j), whoever else is there. Where the first pot that is not lost is the i-th, some opponent who
    contests the pot before it but not it is better; that chance is a difference of two such.

    >>> from fractions import Fraction
    >>> alone, half = Odds((Fraction(1),)), Odds((Fraction(1, 2), Fraction(0)))
    >>> third = Odds((Fraction(1, 3), Fraction(0), Fraction(0)))
    >>> [(str(s.chance), *map(str, s.shares)) for s in standings([alone, half, third], [2, 1])]
    [('1/3', '1', '1'), ('1/6', '0', '1'), ('1/2', '0', '0')]
    """
    # For each tail of the pots, the chance that nobody who contests it is better, by the ties in each
    # group: those who contest one pot, but not the next.
    sizes = [left - right for left, right in pairwise([*contesting, 0])]
    unbeaten: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    found: list[Standing] = []
    for at in range(len(contesting) - 1, -1, -1):
        among, size = odds[contesting[at]], sizes[at]
        longer: dict[tuple[int, ...], Fraction] = {}
        for ties, chance in unbeaten.items():
            beaten = chance
            for tied in range(size + 1):
                here = _one_way(among, (tied, *ties), sizes[at:])
                if here:
                    longer[(tied, *ties)] = here
                    beaten -= here
            if beaten:
                found.append(Standing(beaten, (*[Fraction(0)] * (at + 1), *_shares(ties))))
        unbeaten = longer
    found += [Standing(chance, _shares(ties)) for ties, chance in unbeaten.items()]
    return found[::-1]


def _one_way(odds: Odds, ties: tuple[int, ...], sizes: Sequence[int]) -> Fraction:
    """Return the chance that so many of each group tie, and that nobody is better."""
    all_tied = sum(ties)
    chance = odds.split[all_tied]
    if chance and len(ties) > 1:
        ways = 1
        for tied, size in zip(ties, sizes, strict=True):
            ways *= comb(size, tied)
        chance *= Fraction(ways, comb(odds.opponents, all_tied))
    return chance


def _shares(ties: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(1, 1 + sum(ties[at:])) for at in range(len(ties)))
