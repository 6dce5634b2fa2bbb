"""What stacks are worth in prize money: the independent chip model of Malmuth and Harville.

A player finishes first with the chance of his share of all chips, and each next place goes likewise by
the stacks of those who are left. (D. A. Harville, "Assigning probabilities to the outcomes of
multi-entry competitions", JASA 68, 1973; M. Malmuth, "Gambling Theory and Other Topics", 1987.)

The chance that a set of players takes the first places, in any order, follows from those of the sets
with one player less: 2^n sets instead of n! orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

from gpuodds.basics.amounts import Chips, read_amount
from gpuodds.basics.arguments import listed, shown
from gpuodds.errors import InputError

MAX_EXACT = 10
MAX_PLAYERS = 20


def icm(stacks: Sequence[Chips], payouts: Sequence[Chips]) -> tuple[Fraction, ...] | tuple[float, ...]:
    """Return what each stack is worth in prize money.

    Args:
        stacks: Chips of 1 to 20 players, each above 0.
        payouts: The prizes from the first place on, none larger than the one before it; places
            without one get nothing.

    Returns:
        A value a player, in the unit of the payouts; they add up to the payouts. Fractions up to 10
        players, floats beyond.

    Raises:
        InputError: A stack is not above 0, or payouts rise or outnumber the players.

    Example:
        >>> icm([5000, 3000, 2000], [70, 30])
        (Fraction(1265, 28), Fraction(129, 4), Fraction(158, 7))
    """
    chips = read_stacks(stacks, MAX_PLAYERS)
    prizes = read_payouts(payouts, len(chips))
    return exact_values(chips, prizes) if len(chips) <= MAX_EXACT else float_values(chips, prizes)


def read_stacks(stacks: Sequence[Chips], most: int, least: int = 1) -> tuple[Fraction, ...]:
    """Return stacks as fractions.

    Raises:
        InputError: There are too many or too few, or one is not above 0.
    """
    expected = f"{least} to {most} stacks"
    given = listed("stacks", stacks, expected)
    if not least <= len(given) <= most:
        raise InputError(f"stacks: expected {expected}, found {len(given)}")
    chips = tuple(read_amount(f"stack {number}", stack) for number, stack in enumerate(given, 1))
    for number, stack in enumerate(chips, 1):
        if stack == 0:
            raise InputError(f"stack {number} {shown(given[number - 1])}: expected above 0")
    return chips


def read_payouts(payouts: Sequence[Chips], players: int) -> tuple[Fraction, ...]:
    """Return prizes as fractions.

    Raises:
        InputError: There is none, they rise, outnumber the players, or are all 0.
    """
    given = listed("payouts", payouts, "prizes from the first place on")
    if len(given) > players:
        raise InputError(f"payouts: expected {players} at most, one a player, found {len(given)}")
    prizes = tuple(read_amount(f"payout {place}", prize) for place, prize in enumerate(given, 1))
    for place in range(1, len(prizes)):
        if prizes[place] > prizes[place - 1]:
            raise InputError(
                f"payout {place + 1} {shown(given[place])}: expected at most "
                f"{shown(given[place - 1])}, the prize of place {place}"
            )
    if not any(prizes):
        raise InputError("payouts: expected a prize above 0 for the first place")
    return prizes


def exact_values(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the values of stacks above 0, as fractions.

    Chances are integers over one denominator: for each number of players, the least common multiple of
    the chips that sets of so many leave.
    """
    unit = lcm(*(stack.denominator for stack in stacks))
    chips = [int(stack * unit) for stack in stacks]
    players, total = len(chips), sum(chips)
    paid = min(len(payouts), players)
    rests = [
        lcm(*(total - sum(chips[i] for i in some) for some in combinations(range(players), size)))
        for size in range(paid)
    ]
    denominator = 1
    for rest in rests:
        denominator *= rest
    chances = {0: denominator}  # by the set of players who take the first places, as bits
    values = [Fraction(0)] * players
    for place in range(paid):
        further: dict[int, int] = {}
        finishes = [0] * players
        for first, chance in chances.items():
            rest = total - sum(chips[i] for i in range(players) if first >> i & 1)
            share = chance // rest  # exact: a factor of the denominator is left for each place
            for i in range(players):
                if not first >> i & 1:
                    more = share * chips[i]
                    finishes[i] += more
                    after = first | 1 << i
                    further[after] = further.get(after, 0) + more
        for i, finish in enumerate(finishes):
            values[i] += payouts[place] * Fraction(finish, denominator)
        chances = further
    return tuple(values)


def float_values(stacks: Sequence[Fraction], payouts: Sequence[Fraction]) -> tuple[float, ...]:
    """Return the values of stacks above 0, as floats."""
    import numpy as np

    whole = sum(stacks)
    chips = np.array([float(stack / whole) for stack in stacks])
    players = len(chips)
    sets = np.arange(1 << players)
    rest = np.zeros(1 << players)  # the chips of those who are not in a set
    for i in range(players):
        rest += np.where(sets >> i & 1, 0.0, chips[i])
    sizes = sum(sets >> i & 1 for i in range(players))
    chances = np.zeros(1 << players)
    chances[0] = 1.0
    values = np.zeros(players)
    for place, prize in enumerate(payouts[:players]):
        first = sets[sizes == place]
        shares = chances[first] / rest[first]
        for i in range(players):
            without = first >> i & 1 == 0
            finish = shares[without] * chips[i]
            chances[first[without] | 1 << i] += finish
            values[i] += float(prize) * finish.sum()
    return tuple(values.tolist())
