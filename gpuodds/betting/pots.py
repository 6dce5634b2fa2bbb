"""Who contests which chips: stacks that differ, side pots, a bet to call, and opponents who fold.

A *seat* is an opponent. Seats are in the order of their stacks. So the seats that contest a pot, or a
part of a bet, are a tail of that order: a bet of more than the smallest stack builds a side pot without
that seat, and so on. What is bet beyond the deepest stack comes back.

The model of folding: to a bet or raise each seat with chips folds with a chance of its own; or the
number of seats that go on has a distribution, and all sets of that many seats are equally likely. These
depend neither on cards nor on the size of the bet. Or each seat folds by a curve of the price that it
gets (:mod:`.folding`). No seat folds to a check or a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, product
from math import comb, prod
from typing import NamedTuple, TypeAlias

from gpuodds.betting.folding import FoldCurve, Replies
from gpuodds.betting.kelly import Outcome, Wager
from gpuodds.betting.odds import Standing
from gpuodds.errors import InputError

MAX_CASES = 20_000  # of callers and of ties among them: nine seats that all differ make 3^9

Seats: TypeAlias = tuple[int, ...]
Callers: TypeAlias = tuple[int, ...]
"""How many seats of each group go on."""
Joint: TypeAlias = Callable[[Sequence[Seats]], list[Standing]]
"""Returns the standings of pots that these seats contest, each set a part of the one before it."""


class SidePot(NamedTuple):
    """A pot that only some opponents can win."""

    chips: Fraction
    """The chips in it."""
    seats: int
    """The number of opponents who contest it, those with the deepest stacks."""
    call: Fraction
    """The part of the player's call that goes there, in chips."""


@dataclass(frozen=True)
class Stakes:
    """The chips that a bet is about. The pots hold all but what the player adds.

    Attributes:
        bankroll: All that the player owns.
        stack: The part of the bankroll at the table.
        pot: What all opponents contest. It holds the bet to call, and what each seat adds to match it.
        side_pots: The pots that fewer and fewer seats contest.
        to_call: The bet to call.
        stacks: What each seat can add to a bet or raise, ascending; None for at least as much as the
            player.
        folds: The chance of each seat to fold to a bet or raise.
        callers: In place of ``folds``, the chances that 0, 1, ... of the seats with chips go on.
        curve: In place of both, the chance that a seat with chips folds, by the price of the call.
        minimum: The least bet or raise.
        alike: Whether all seats hold any cards, so that only their number matters.
        order: The place of each seat among the opponents as they were given.
    """

    bankroll: Fraction
    stack: Fraction
    pot: Fraction
    side_pots: tuple[SidePot, ...]
    to_call: Fraction
    stacks: tuple[Fraction | None, ...]
    folds: tuple[Fraction, ...]
    callers: tuple[Fraction, ...] | None
    curve: FoldCurve | None
    minimum: Fraction
    alike: bool
    order: tuple[int, ...]

    @property
    def call(self) -> Fraction:
        """What the player adds to call, all that is left at most."""
        return min(self.to_call, self.stack)

    @property
    def left(self) -> Fraction:
        """What the player can bet or raise beyond the call."""
        return self.stack - self.call

    @property
    def is_one_pot(self) -> bool:
        """Whether all opponents contest all chips, whatever is bet."""
        return not self.some_fold and not self.side_pots and not any(s is not None for s in self.stacks)

    @property
    def whole_pot(self) -> Fraction:
        """What the player can win without a bet, the pots less what a call all in does not cover."""
        short = len(self.stacks) * (self.to_call - self.call)
        return self.pot - short + sum((side.chips for side in self.side_pots), Fraction(0))

    @property
    def can_act(self) -> int:
        """How many seats have chips left."""
        return sum(stack != 0 for stack in self.stacks)

    @property
    def some_fold(self) -> bool:
        """Whether a bet may be folded to."""
        if self.curve is not None:
            return self.can_act > 0
        return any(self.folds) or (self.callers is not None and self.callers[-1] != 1)

    def stay(self, joint: Joint) -> Wager:
        """Return what comes of a check, or of a call: a wager to which nothing can be added.

        Args:
            joint: Returns the standings of pots that some opponents contest, from the largest set on.
        """
        everyone = tuple(range(len(self.stacks)))
        return self._wager(joint, [(Fraction(1), everyone, ())], (Fraction(0),))

    def bet(self, joint: Joint) -> Wager:
        """Return what comes of a bet of any size, or of a raise by any amount beyond the call.

        Args:
            joint: Returns the standings of pots that some opponents contest, from the largest set on.
        """
        stacks = [self.left if stack is None else min(stack, self.left) for stack in self.stacks]
        edges = tuple(sorted({Fraction(0), *stacks}))
        return self._wager(joint, list(self._callings()), edges, self._replies(edges[-1]))

    def _replies(self, most: Fraction) -> Replies | None:
        """Return how seats answer a bet of any size; None if that does not depend on its size."""
        if self.curve is None:
            return None
        share = float(self.bankroll)
        groups = tuple(
            (len(group), None if (stack := self.stacks[group[0]]) is None else float(stack) / share)
            for group in self._groups()
        )
        pot = float(self.whole_pot + self.call) / share
        return Replies(self.curve, groups, pot, float(most) / share)

    def _wager(
        self,
        joint: Joint,
        callings: list[tuple[Fraction, Seats, Callers]],
        edges: tuple[Fraction, ...],
        replies: Replies | None = None,
    ) -> Wager:
        seats = len(self.stacks)
        aside = sum((side.call for side in self.side_pots), Fraction(0))
        main = self.pot - seats * (self.to_call - self.call) + self.call - aside
        pots = [(main, seats), *((side.chips + side.call, side.seats) for side in self.side_pots)]
        chance_of: dict[tuple[Fraction, tuple[Fraction, ...], Callers], Fraction] = {}
        for chance, calling, callers in callings:
            pot_seats = [tuple(s for s in calling if s >= seats - count) for _, count in pots]
            bet_seats = [tuple(s for s in calling if self._has(s, edge)) for edge in edges[1:]]
            chain = sorted({*pot_seats, *bet_seats}, key=len, reverse=True)
            for standing in joint(chain):
                share = dict(zip(chain, standing.shares, strict=True))
                won = [amount * share[who] for (amount, _), who in zip(pots, pot_seats, strict=True)]
                start = (self.bankroll - self.call + sum(won, Fraction(0))) / self.bankroll
                slopes = tuple((1 + len(who)) * share[who] - 1 for who in bet_seats)
                case = start, slopes, callers if replies else ()
                chance_of[case] = chance_of.get(case, Fraction(0)) + chance * standing.chance
        outcomes = tuple(Outcome(chance, *case) for case, chance in chance_of.items() if chance)
        return Wager(outcomes, tuple(edge / self.bankroll for edge in edges), replies)

    def _has(self, seat: int, chips: Fraction) -> bool:
        stack = self.stacks[seat]
        return stack is None or stack >= chips

    def _groups(self) -> list[list[int]]:
        """Return the seats in groups of those that differ in nothing."""
        return [list(group) for _, group in groupby(range(len(self.stacks)), self._kind)]

    def _callings(self) -> Iterator[tuple[Fraction, Seats, Callers]]:
        """Yield the sets of seats that may go on after a bet, the chance of each, and their numbers.

        Among seats that differ in nothing, one set stands for all sets of its size. With a curve the
        chance is 1: its replies have the chance by the numbers of each group.
        """
        groups = self._groups()
        if prod(comb(len(group) + 2, 2) for group in groups) > MAX_CASES:
            raise InputError(
                f"{len(self.stacks)} opponents: expected 9 at most whose stacks or folds all differ"
            )
        choices = [range(len(group) + 1) for group in groups]
        for counts in product(*choices):
            chance = self._chance(groups, counts)
            if chance:
                some = [group[:count] for group, count in zip(groups, counts, strict=True)]
                yield chance, tuple(seat for group in some for seat in group), counts

    def _kind(self, seat: int) -> tuple[object, ...]:
        contests = sum(seat >= len(self.stacks) - side.seats for side in self.side_pots)
        return self.stacks[seat], self.folds[seat], contests, None if self.alike else seat

    def _chance(self, groups: list[list[int]], counts: tuple[int, ...]) -> Fraction:
        chance, acting = Fraction(1), 0
        for group, count in zip(groups, counts, strict=True):
            sets, fold = comb(len(group), count), self.folds[group[0]]
            if self.stacks[group[0]] == 0:  # all in: neither folds nor calls
                chance *= count == len(group)
            elif self.curve is not None:
                continue
            elif self.callers is not None:
                chance *= sets
                acting += count
            else:
                chance *= sets * (1 - fold) ** count * fold ** (len(group) - count)
        if self.callers is not None:
            chance *= Fraction(self.callers[acting]) / comb(self.can_act, acting)
        return chance
