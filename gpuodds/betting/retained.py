"""The pot at the first turn to act, from the player's own bet and the bets after it."""

from __future__ import annotations

import re
from fractions import Fraction

from gpuodds.errors import InputError, excerpt

POT_MODES = ("full", "seed")


def retained_pot(previous_bet: Fraction, opponent_bets: int, mode: str = "full") -> Fraction:
    """Return what can be won beside further bets, after a bet, or blind, that opponents matched.

    ``mode`` "seed" is Cassandra's rule, the bet times the opponents' bets since: it leaves out that the
    player's own bet lies there, too, and has left the bankroll. "full" counts it.

    Raises:
        InputError: The mode is neither.

    >>> from fractions import Fraction
    >>> [int(retained_pot(Fraction(30), 3, mode)) for mode in ("seed", "full")]
    [90, 120]
    """
    if mode not in POT_MODES:
        raise InputError(f"pot mode {excerpt(mode)}: expected one of {', '.join(POT_MODES)}")
    return previous_bet * (opponent_bets + (mode == "full"))


def read_pot(text: str, mode: str = "full") -> Fraction:
    """Read a pot: a number of chips, or ``30x3``, a bet of 30 that 3 opponents matched.

    Raises:
        InputError: It is neither.

    >>> int(read_pot("30x3", "seed"))
    90
    """
    retained_pot(Fraction(0), 0, mode)
    found = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*(?:[x*]\s*(\d{1,2})\s*)?", text, re.ASCII)
    if found is None:
        raise InputError(f"pot {excerpt(text)}: expected chips, or 30x3, a bet that 3 matched")
    amount = Fraction(found[1])
    return amount if found[2] is None else retained_pot(amount, int(found[2]), mode)
