"""Who contests which chips: stacks that differ, side pots, a bet to call, and opponents who fold.

A *seat* is an opponent. Seats are in the order of their stacks, so that whoever contests a pot or a
part of a bet is a tail of that order: a bet of more than the smallest stack builds a side pot without
that seat, and so on. What is bet beyond the deepest stack comes back.

The model of folding: to a bet, or a raise, each seat that has chips folds with a chance of its own, or
so many of them go on as a distribution says, any of them as likely as any other; whatever its cards
and whatever is bet. Nobody folds to a check or a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby, product
from math import comb, prod
from numbers import Real
from typing import Any, TypeAlias

from gpuodds.arguments import listed, shown
from gpuodds.betting.amounts import Number, read_amount, read_chance, read_whole
from gpuodds.betting.kelly import Outcome, Wager
from gpuodds.betting.odds import Standing
from gpuodds.errors import InputError

SIDE_POTS = "a list of pots, each its chips and how many opponents can win it"
MOST_CASES = 20_000  # of callers and of ties among them: nine seats that all differ make 3^9

SidePot: TypeAlias = tuple[Number, int] | tuple[Number, int, Number]
Seats: TypeAlias = tuple[int, ...]
Joint: TypeAlias = Callable[[Sequence[Seats]], list[Standing]]
"""Gives the standings of pots that these seats contest, each set a part of the one before it."""


@dataclass(frozen=True)
class Stakes:
    """What lies on the table, in chips. ``pot`` and ``side_pots`` hold all but what the player adds.

    ``bankroll`` is all that the player owns, ``stack`` the part of it that lies on the table.
    ``side_pots`` are amounts, how many seats contest them, those with the deepest stacks, and how much
    of the player's call goes there; the rest goes into the ``pot``. That holds the bet that is faced,
    ``to_call``, and what each seat adds to match it. ``stacks``
    are what the seats can add to a bet or raise, ascending, None for at least as much as the player;
    ``folds`` their chances to fold to one, or ``callers`` the chances that 0, 1, ... seats go on of
    those that have chips. ``alike`` says that all seats hold any cards, so that only their number
    matters.
    """

    bankroll: Fraction
    stack: Fraction
    pot: Fraction
    side_pots: tuple[tuple[Fraction, int, Fraction], ...]
    to_call: Fraction
    stacks: tuple[Fraction | None, ...]
    folds: tuple[Fraction, ...]
    callers: tuple[Fraction, ...] | None = None
    alike: bool = True

    @property
    def call(self) -> Fraction:
        """What the player adds to call, all that is left at most."""
        return min(self.to_call, self.stack)

    @property
    def room(self) -> Fraction:
        """What the player can bet or raise beyond the call."""
        return self.stack - self.call

    @property
    def is_one_pot(self) -> bool:
        """Whether all opponents contest all chips, whatever is bet."""
        return not self.some_fold and not self.side_pots and not any(s is not None for s in self.stacks)

    @property
    def whole_pot(self) -> Fraction:
        """What the player can win without a bet: the pots, less what a call all in does not cover."""
        short = len(self.stacks) * (self.to_call - self.call)
        return self.pot - short + sum((amount for amount, _, _ in self.side_pots), Fraction(0))

    @property
    def can_act(self) -> int:
        """How many seats have chips left."""
        return sum(stack != 0 for stack in self.stacks)

    @property
    def some_fold(self) -> bool:
        """Whether a bet may be folded to."""
        return any(self.folds) or (self.callers is not None and self.callers[-1] != 1)

    def stay(self, joint: Joint) -> Wager:
        """Return what comes of a check, or of a call: a wager to which nothing can be added."""
        everyone = tuple(range(len(self.stacks)))
        return self._wager(joint, [(Fraction(1), everyone)], (Fraction(0),))

    def bet(self, joint: Joint) -> Wager:
        """Return what comes of a bet of any size, or of a raise by any amount beyond the call."""
        stacks = [self.room if stack is None else min(stack, self.room) for stack in self.stacks]
        return self._wager(joint, list(self._callings()), tuple(sorted({Fraction(0), *stacks})))

    def _wager(
        self, joint: Joint, callings: list[tuple[Fraction, Seats]], edges: tuple[Fraction, ...]
    ) -> Wager:
        seats = len(self.stacks)
        beside = sum((part for _, _, part in self.side_pots), Fraction(0))
        main = self.pot - seats * (self.to_call - self.call) + self.call - beside
        pots = [(main, seats), *((amount + part, count) for amount, count, part in self.side_pots)]
        found: dict[tuple[Fraction, tuple[Fraction, ...]], Fraction] = {}
        for chance, calling in callings:
            pot_seats = [tuple(s for s in calling if s >= seats - count) for _, count in pots]
            bet_seats = [tuple(s for s in calling if self._has(s, edge)) for edge in edges[1:]]
            chain = sorted({*pot_seats, *bet_seats}, key=len, reverse=True)
            for standing in joint(chain):
                share = dict(zip(chain, standing.shares, strict=True))
                won = [amount * share[who] for (amount, _), who in zip(pots, pot_seats, strict=True)]
                start = (self.bankroll - self.call + sum(won, Fraction(0))) / self.bankroll
                slopes = tuple((1 + len(who)) * share[who] - 1 for who in bet_seats)
                case = start, slopes
                found[case] = found.get(case, Fraction(0)) + chance * standing.chance
        outcomes = tuple(Outcome(chance, *case) for case, chance in found.items() if chance)
        return Wager(outcomes, tuple(edge / self.bankroll for edge in edges))

    def _has(self, seat: int, chips: Fraction) -> bool:
        stack = self.stacks[seat]
        return stack is None or stack >= chips

    def _callings(self) -> Iterator[tuple[Fraction, Seats]]:
        """Give the sets of seats that may go on after a bet, and the chance of each.

        Of seats that differ in nothing one set stands for all of as many.
        """
        groups = [list(group) for _, group in groupby(range(len(self.stacks)), self._kind)]
        if prod(comb(len(group) + 2, 2) for group in groups) > MOST_CASES:
            raise InputError(
                f"{len(self.stacks)} opponents: expected 9 at most whose stacks or folds all differ"
            )
        choices = [range(len(group) + 1) for group in groups]
        for counts in product(*choices):
            chance = self._chance(groups, counts)
            if chance:
                some = [group[:count] for group, count in zip(groups, counts, strict=True)]
                yield chance, tuple(seat for group in some for seat in group)

    def _kind(self, seat: int) -> tuple[object, ...]:
        contests = sum(seat >= len(self.stacks) - count for _, count, _ in self.side_pots)
        return self.stacks[seat], self.folds[seat], contests, None if self.alike else seat

    def _chance(self, groups: list[list[int]], counts: tuple[int, ...]) -> Fraction:
        chance, acting = Fraction(1), 0
        for group, count in zip(groups, counts, strict=True):
            ways, fold = comb(len(group), count), self.folds[group[0]]
            if self.stacks[group[0]] == 0:  # all in: neither folds nor calls
                chance *= count == len(group)
            elif self.callers is not None:
                chance *= ways
                acting += count
            else:
                chance *= ways * (1 - fold) ** count * fold ** (len(group) - count)
        if self.callers is not None:
            chance *= Fraction(self.callers[acting]) / comb(self.can_act, acting)
        return chance


def read_stakes(
    opponents: int,
    *,
    bankroll: Number,
    stack: Number | None = None,
    pot: Number = 0,
    side_pots: Sequence[SidePot] = (),
    to_call: Number = 0,
    stacks: Sequence[Number | None] | None = None,
    fold: Number | Sequence[Number] = 0,
    callers: int | Sequence[Number] | None = None,
    alike: bool = True,
) -> tuple[Stakes, list[int]]:
    """Check what :func:`gpuodds.betting.advice.kelly_bet` is given; return it, and the seats' order.

    The order holds the opponents' places in what was given, by stack.

    Raises:
        InputError: A number cannot be read or is out of bounds, or there are too many or too few.
    """
    wealth = read_amount("bankroll", bankroll)
    if wealth == 0:
        raise InputError(f"bankroll {shown(bankroll)}: expected more than 0")
    chips = wealth if stack is None else read_amount("stack", stack)
    if chips == 0:
        raise InputError(f"stack {shown(stack)}: expected more than 0")
    if chips > wealth:
        raise InputError(f"stack {shown(stack)}: more than the bankroll {shown(bankroll)}")
    has = _one_each("stacks", [None] * opponents if stacks is None else stacks, opponents)
    depth = [None if each is None else read_amount("stacks", each) for each in has]
    order = sorted(range(opponents), key=lambda s: (depth[s] is None, depth[s] or 0))
    is_one = isinstance(fold, (Real, Decimal, str)) or fold is None
    shares = [fold] * opponents if is_one else fold
    folds = [read_chance("fold", chance) for chance in _one_each("fold", shares, opponents)]
    can_act = sum(each != 0 for each in depth)
    go_on = None
    if callers is not None:
        if any(folds):
            raise InputError("fold and callers: expected one of them")
        go_on = _read_callers(callers, can_act)
    extra = [_side_pot(given) for given in listed("side_pots", side_pots, SIDE_POTS)]
    before = opponents
    for amount, count, _ in extra:
        if not 0 < count < before:
            raise InputError(
                f"side pot {float(amount):g}:{count}: expected fewer opponents in it than the "
                f"{before} in the pot before"
            )
        before = count
    call = read_amount("to_call", to_call)
    if call > chips and (extra or stacks is not None):
        limit = f"bankroll {shown(bankroll)}" if stack is None else f"stack {shown(stack)}"
        raise InputError(
            f"to_call {shown(to_call)}: more than the {limit}; beside stacks and side pots give "
            f"the {limit.split()[0]} itself, and the pot it can win"
        )
    beside = sum((part for _, _, part in extra), Fraction(0))
    if beside > call:
        raise InputError(f"side pots: expected at most the call of {float(call):g} to go there")
    there = read_amount("pot", pot)
    if there < opponents * (call - min(call, chips)):
        bets = f"what {opponents} opponents bet in it, {shown(to_call)} chips each"
        raise InputError(f"pot {shown(pot)}: expected {bets}")
    if call > sum((amount for amount, _, _ in extra), there):
        what = f"pot {shown(pot)}, which holds the bet that is faced"
        raise InputError(f"to_call {shown(to_call)}: more than the {what}")
    stakes = Stakes(
        wealth,
        chips,
        there,
        tuple(extra),
        call,
        tuple(depth[seat] for seat in order),
        tuple(folds[seat] for seat in order),
        go_on,
        alike,
    )
    return stakes, order


def _side_pot(given: Any) -> tuple[Fraction, int, Fraction]:
    parts = listed("side_pots", given, SIDE_POTS)
    if not 2 <= len(parts) <= 3:
        raise InputError(f"side_pots {shown(given)}: expected {SIDE_POTS}")
    part = read_amount("side_pots", parts[2] if len(parts) == 3 else 0)
    return read_amount("side_pots", parts[0]), read_whole("side_pots", parts[1]), part


def _one_each(name: str, values: Any, opponents: int) -> list[Any]:
    found = listed(name, values, f"one for each of {opponents} opponents")
    if len(found) != opponents:
        raise InputError(f"{name}: expected one for each of {opponents} opponents, found {len(found)}")
    return found


def _read_callers(callers: int | Sequence[Number], can_act: int) -> tuple[Fraction, ...]:
    if isinstance(callers, Real):
        callers = read_whole("callers", callers)
        if not 0 <= callers <= can_act:
            raise InputError(f"callers {callers}: expected 0 to {can_act}, who have chips")
        return tuple(Fraction(m == callers) for m in range(can_act + 1))
    given = listed("callers", callers, "a number of callers, or the chances of 0, 1, 2, ...")
    if len(given) != can_act + 1:
        raise InputError(
            f"callers: expected {can_act + 1} chances, of 0 to {can_act} callers, found {len(given)}"
        )
    chances = [read_chance("callers", chance) for chance in given]
    whole = sum(chances, Fraction(0))
    if abs(whole - 1) > Fraction(1, 10**6):
        raise InputError(f"callers: expected chances that add up to 1, not {float(whole):g}")
    return tuple(chance / whole for chance in chances)
