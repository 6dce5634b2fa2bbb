"""Stakes as users give them: read, checked, and put in the order of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any, TypeAlias

from gpuodds.basics.amounts import Number, read_amount, read_chance, read_whole
from gpuodds.basics.arguments import listed, shown
from gpuodds.betting.folding import FoldCurve
from gpuodds.betting.pots import SidePot, Stakes
from gpuodds.errors import InputError

SIDE_POTS = "a list of pots, each its chips and how many opponents can win it"

GivenSidePot: TypeAlias = tuple[Number, int] | tuple[Number, int, Number]


def read_stakes(
    opponents: int,
    *,
    bankroll: Number,
    stack: Number | None = None,
    pot: Number = 0,
    side_pots: Sequence[GivenSidePot] = (),
    to_call: Number = 0,
    stacks: Sequence[Number | None] | None = None,
    fold: Number | Sequence[Number] = 0,
    callers: int | Sequence[Number] | None = None,
    fold_curve: Sequence[float] | FoldCurve | None = None,
    minimum: Number = 0,
    alike: bool = True,
) -> Stakes:
    """Return the stakes of a bet, checked; the arguments are those of ``kelly_bet``.

    Args:
        opponents: How many opponents there are.
        bankroll: All the player's wealth, in chips.
        stack: The player's chips at the table. Default: the bankroll.
        pot: What can be won besides the bets, in chips.
        side_pots: Chips, how many opponents can win them, and how much of the call goes there.
        to_call: The bet to call, in chips.
        stacks: What each opponent can add, None for at least as much as the player.
        fold: The chance that an opponent folds to a bet, one for all or one each.
        callers: How many opponents go on, or the chances of 0, 1, 2, ... callers.
        fold_curve: A and B of the chance that an opponent folds, by the price of the call.
        minimum: The least bet or raise, in chips.
        alike: Whether all opponents hold any cards.

    Raises:
        InputError: A number cannot be read or is out of bounds, or a list has the wrong length.
    """
    wealth, chips = _read_wealth(bankroll, stack)
    depths_given = _one_each("stacks", [None] * opponents if stacks is None else stacks, opponents)
    depths = [None if each is None else read_amount("stacks", each) for each in depths_given]
    folds = _read_folds(fold, opponents)
    shares = None
    curve = None if fold_curve is None else FoldCurve.read(fold_curve)
    if curve is not None and (any(folds) or callers is not None):
        raise InputError("fold_curve, fold and callers: expected one of them")
    if callers is not None:
        if any(folds):
            raise InputError("fold and callers: expected one of them")
        shares = _read_callers(callers, sum(depth != 0 for depth in depths))
    order = sorted(range(opponents), key=lambda place: (depths[place] is None, depths[place] or 0))
    stakes = Stakes(
        bankroll=wealth,
        stack=chips,
        pot=read_amount("pot", pot),
        side_pots=_read_side_pots(side_pots, opponents),
        to_call=read_amount("to_call", to_call),
        stacks=tuple(depths[place] for place in order),
        folds=tuple(folds[place] for place in order),
        callers=shares,
        curve=curve,
        minimum=read_amount("minimum", minimum),
        alike=alike,
        order=tuple(order),
    )
    _check_call(stakes)
    return stakes


def _read_wealth(bankroll: Number, stack: Number | None) -> tuple[Fraction, Fraction]:
    """Return the bankroll and the part of it at the table."""
    wealth = read_amount("bankroll", bankroll)
    if wealth == 0:
        raise InputError(f"bankroll {shown(bankroll)}: expected more than 0")
    chips = wealth if stack is None else read_amount("stack", stack)
    if chips == 0:
        raise InputError(f"stack {shown(stack)}: expected more than 0")
    if chips > wealth:
        raise InputError(f"stack {shown(stack)}: more than the bankroll {shown(bankroll)}")
    return wealth, chips


def _read_folds(fold: Number | Sequence[Number], opponents: int) -> list[Fraction]:
    is_one = isinstance(fold, (Real, Decimal, str)) or fold is None
    shares = [fold] * opponents if is_one else fold
    return [read_chance("fold", chance) for chance in _one_each("fold", shares, opponents)]


def _read_side_pots(side_pots: Sequence[GivenSidePot], opponents: int) -> tuple[SidePot, ...]:
    read = [_read_side_pot(side_pot) for side_pot in listed("side_pots", side_pots, SIDE_POTS)]
    before = opponents
    for side in read:
        if not 0 < side.seats < before:
            raise InputError(
                f"side pot {_text(side.chips)}:{side.seats}: expected fewer opponents in it than the "
                f"{before} in the pot before"
            )
        before = side.seats
    return tuple(read)


def _read_side_pot(side_pot: Any) -> SidePot:
    parts = listed("side_pots", side_pot, SIDE_POTS)
    if not 2 <= len(parts) <= 3:
        raise InputError(f"side_pots {shown(side_pot)}: expected {SIDE_POTS}")
    call = read_amount("side_pots", parts[2] if len(parts) == 3 else 0)
    return SidePot(read_amount("side_pots", parts[0]), read_whole("side_pots", parts[1]), call)


def _check_call(stakes: Stakes) -> None:
    """Refuse a call that the stack, the pots or the side pots' parts do not allow."""
    to_call, pot, opponents = stakes.to_call, stakes.pot, len(stakes.stacks)
    several_pots = stakes.side_pots or any(stack is not None for stack in stakes.stacks)
    if to_call > stakes.stack and several_pots:
        name = "bankroll" if stakes.stack == stakes.bankroll else "stack"
        raise InputError(
            f"to_call {_text(to_call)}: more than the {name} {_text(stakes.stack)}; with stacks and "
            f"side pots give the {name} itself, and the pot it can win"
        )
    if sum((side.call for side in stakes.side_pots), Fraction(0)) > to_call:
        raise InputError(f"side pots: expected at most the call of {_text(to_call)} to go there")
    if pot < opponents * (to_call - stakes.call):
        bets = f"what {opponents} opponents bet in it, {_text(to_call)} chips each"
        raise InputError(f"pot {_text(pot)}: expected {bets}")
    if to_call > sum((side.chips for side in stakes.side_pots), pot):
        raise InputError(
            f"to_call {_text(to_call)}: more than the pot {_text(pot)}, which holds the bet that is "
            "faced"
        )


def _one_each(name: str, values: Any, opponents: int) -> list[Any]:
    items = listed(name, values, f"one for each of {opponents} opponents")
    if len(items) != opponents:
        raise InputError(f"{name}: expected one for each of {opponents} opponents, found {len(items)}")
    return items


def _read_callers(callers: int | Sequence[Number], can_act: int) -> tuple[Fraction, ...]:
    if isinstance(callers, Real):
        callers = read_whole("callers", callers)
        if not 0 <= callers <= can_act:
            raise InputError(f"callers {callers}: expected 0 to {can_act}, who have chips")
        return tuple(Fraction(m == callers) for m in range(can_act + 1))
    values = listed("callers", callers, "a number of callers, or the chances of 0, 1, 2, ...")
    if len(values) != can_act + 1:
        raise InputError(
            f"callers: expected {can_act + 1} chances, of 0 to {can_act} callers, found {len(values)}"
        )
    chances = [read_chance("callers", chance) for chance in values]
    whole = sum(chances, Fraction(0))
    if abs(whole - 1) > Fraction(1, 10**6):
        raise InputError(f"callers: expected chances that add up to 1, not {float(whole):g}")
    return tuple(chance / whole for chance in chances)


def _text(chips: Fraction) -> str:
    return str(chips) if chips.denominator == 1 else str(float(chips))
