"""The opening pot: what can be won at the first turn to act, after the player's bet and its calls."""

from __future__ import annotations

import re
from fractions import Fraction

from gpuodds.errors import InputError, excerpt

POT_MODES = ("full", "cassandra")


def read_pot_mode(mode: str) -> str:
    """Return a pot mode.

    Raises:
        InputError: No pot mode has the name.
    """
    if mode not in POT_MODES:
        raise InputError(f"pot mode {excerpt(mode)}: expected one of {', '.join(POT_MODES)}")
    return mode


def opening_pot(previous_bet: Fraction, opponent_bets: int, mode: str = "full") -> Fraction:
    """Return what can be won after a bet, or blind, that opponents matched.

    Args:
        previous_bet: The player's bet or blind, in chips.
        opponent_bets: How many opponents matched it.
        mode: "full" counts the player's own bet, which has left the bankroll; "cassandra" counts the
            opponents' bets alone.

    Raises:
        InputError: No pot mode has the name.

    >>> from fractions import Fraction
    >>> [int(opening_pot(Fraction(30), 3, mode)) for mode in ("cassandra", "full")]
    [90, 120]
    """
    return previous_bet * (opponent_bets + (read_pot_mode(mode) == "full"))


def read_pot(text: str, mode: str = "full") -> Fraction:
    """Read a pot: a number of chips, or ``30x3``, a bet of 30 that 3 opponents matched.

    Raises:
        InputError: The text is neither, or no pot mode has the name.

    >>> int(read_pot("30x3", "cassandra"))
    90
    """
    mode = read_pot_mode(mode)
    match = re.fullmatch(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*(?:[x*]\s*(\d{1,2})\s*)?", text, re.ASCII)
    if match is None:
        raise InputError(f"pot {excerpt(text)}: expected chips, or 30x3, a bet that 3 matched")
    amount = Fraction(match[1])
    return amount if match[2] is None else opening_pot(amount, int(match[2]), mode)
