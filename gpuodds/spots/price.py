"""What a call costs: the pot before it, and its chips."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from gpuodds.basics.amounts import Chips, read_amount
from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError


class Price(NamedTuple):
    """What a call costs."""

    pot: Fraction
    """All chips in the pot before the call, with the bet that is called."""
    to_call: Fraction
    """The chips that the call takes."""

    @staticmethod
    def read(pot: Chips | None, to_call: Chips | None) -> Price | None:
        """Return the price of a call; None if neither number is given.

        Raises:
            InputError: One is missing, no number, or out of bounds.

        Example:
            >>> Price.read("1100", 1000).pot_odds
            Fraction(10, 21)
        """
        if pot is None and to_call is None:
            return None
        if to_call is None:
            raise InputError(f"pot {shown(pot)}: expected to_call, too: the chips that a call takes")
        if pot is None:
            raise InputError(
                f"to_call {shown(to_call)}: expected pot, too: the chips in it before the call"
            )
        price = Price(read_amount("pot", pot), read_amount("to_call", to_call))
        if not price.to_call:
            raise InputError("to_call 0: expected the chips that a call takes, more than 0")
        if price.pot < price.to_call:
            raise InputError(
                f"pot {shown(pot)}: less than to_call {shown(to_call)}; "
                "expected all chips before the call, the bet that is called too"
            )
        return price

    @property
    def pot_odds(self) -> Fraction:
        """The equity that breaks even, the call's part of the pot after it."""
        return self.to_call / (self.pot + self.to_call)
