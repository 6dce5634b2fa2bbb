"""Answers in the advisor's session: bets, chips and words, as they are typed."""

from __future__ import annotations

from fractions import Fraction

from gpuodds.basics.arguments import read_digits
from gpuodds.betting.advisor.hand_state import HandState, Seat
from gpuodds.betting.advisor.opening_pot import read_pot
from gpuodds.errors import InputError, excerpt
from gpuodds.games.shared.rules import MAX_PLAYERS

MAX_DIGITS = 15
FOLDED, NOT_YET = Fraction(-1), Fraction(-2)  # in place of an opponent's chips
YES, NO = ("y", "yes"), ("n", "no")
CALL, FOLD, CHECK, WAIT = ("c", "call"), ("f", "fold"), ("x", "check"), ("-", "wait")


def read_bets(text: str, stack: Fraction, mode: str) -> HandState:
    """Read ``15/0 30 60+15``: own bet, the opponents' in the order they act, chips of folded ones.

    Raises:
        InputError: A bet cannot be read, or the opponents are none or too many.
    """
    bets, plus, dead = text.partition("+")
    own, _, seats = bets.partition("/")
    table = HandState(stack, Fraction(0), has_acted=False)
    table.put = read_chips(own)
    table.seats = [Seat(read_chips(part)) for part in seats.replace(",", " ").split()]
    if not table.seats:
        raise InputError(f"{excerpt(text)}: expected the opponents' bets after the slash")
    if len(table.seats) >= MAX_PLAYERS:
        raise InputError(f"{len(table.seats)} opponents: expected {MAX_PLAYERS - 1} at most")
    table.pot = sum((seat.put for seat in table.seats), table.put)
    if plus:
        table.dead = read_chips(dead)
        table.pot += table.dead
    if mode == "cassandra":
        since = sum(seat.put >= table.put > 0 for seat in table.seats)
        return HandState(
            stack, read_pot(f"{own.strip()}x{since}", mode), bets_known=False, is_even=False
        )
    return table


def read_own_bet(text: str, table: HandState) -> Fraction | None:
    """Return the chips that the player puts in; None where it is not the player's turn yet.

    Raises:
        InputError: The text is no bet, or too small or too large a one.
    """
    word = text.lower()
    if word in WAIT:
        return None
    if word in CALL:
        return min(table.to_call, table.stack)
    if word in FOLD or word in CHECK:
        return Fraction(0)
    chips = read_chips(text, most=table.stack)
    if chips and table.bets_known and chips < min(table.to_call, table.stack):
        raise InputError(f"{text}: {chips_text(table.to_call)} are to call")
    return chips


def read_their_bet(text: str, seat: Seat, table: HandState) -> tuple[Fraction, bool]:
    """Return the chips that an opponent puts in, ``FOLDED`` or ``NOT_YET``; and whether that is all in.

    Raises:
        InputError: The text is no bet, or a check of a bet.
    """
    word = text.lower()
    if word in WAIT:
        return NOT_YET, False
    if word in FOLD:
        return FOLDED, False
    if word in CALL:
        return table.highest_bet - seat.put, False
    if word in CHECK:
        if table.bets_known and table.highest_bet > seat.put:
            raise InputError(f"check: {chips_text(table.highest_bet - seat.put)} are to call")
        return Fraction(0), False
    if word.endswith("a"):
        return read_chips(word[:-1]), True
    return read_chips(text), False


def read_chips(text: str, most: Fraction | None = None) -> Fraction:
    """Return whole chips.

    Raises:
        InputError: The text is no whole number, or more than ``most``.
    """
    chips = Fraction(read_count(text))
    if most is not None and chips > most:
        raise InputError(f"{text}: expected {chips_text(most)} at most")
    return chips


def read_chips_above_0(text: str, most: Fraction | None = None) -> Fraction:
    """Return whole chips, at least one.

    Raises:
        InputError: The text is no whole number, 0, or more than ``most``.
    """
    chips = read_chips(text, most)
    if not chips:
        raise InputError("0: expected more than 0")
    return chips


def read_count(text: str) -> int:
    """Return a whole number.

    Raises:
        InputError: The text is none, or has more than 15 digits.
    """
    count = read_digits(text.strip(), MAX_DIGITS)
    if count is None:
        raise InputError(f"{excerpt(text)}: expected a whole number")
    return count


def read_yes(text: str) -> bool:
    """Return whether an answer is yes, as an empty one is.

    Raises:
        InputError: The text is neither yes nor no.
    """
    word = text.lower()
    if word and word not in YES + NO:
        raise InputError(f"{excerpt(text)}: expected y or n")
    return word not in NO


def chips_text(chips: Fraction) -> str:
    """Return chips as the session shows them."""
    return str(int(chips)) if chips.denominator == 1 else f"{float(chips):g}"
