"""A hand of hold'em as one player sees it: who is in it, and who has put in what."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Seat:
    """An opponent in the hand: what was put in in this round and before, and if anything is left."""

    put: Fraction = Fraction(0)
    before: Fraction = Fraction(0)
    all_in: bool = False
    has_acted: bool = False


@dataclass
class HandState:
    """What there is to know of a hand: the player's chips at the table, the pot, who is in it."""

    stack: Fraction
    pot: Fraction
    seats: list[Seat] = field(default_factory=list)
    cards: tuple[int, ...] = ()
    put: Fraction = Fraction(0)
    before: Fraction = Fraction(0)
    has_acted: bool = False
    # Whether it is known what each has put in in this round; before the flop it may not be.
    bets_known: bool = True
    owed: Fraction = Fraction(0)  # what the player said is to call, where that is not known
    folded: list[Fraction] = field(default_factory=list)
    behind: Fraction = Fraction(0)  # what the player owns beside the chips at the table

    @property
    def bankroll(self) -> Fraction:
        """All that the player owns, but for the chips in the pot."""
        return self.stack + self.behind

    @property
    def level(self) -> Fraction:
        """The highest bet of the round."""
        return max([self.put, *(seat.put for seat in self.seats)])

    @property
    def to_call(self) -> Fraction:
        """What the player has yet to put in to match it."""
        return self.level - self.put if self.bets_known else self.owed

    @property
    def is_closed(self) -> bool:
        """Whether nobody has anything left to do in this round."""
        level = self.level
        acting = [seat for seat in self.seats if not seat.all_in]
        if not self.bets_known:
            return False
        matched = all(seat.has_acted and seat.put == level for seat in acting)
        return matched and (self.stack == 0 or (self.has_acted and self.put == level))

    @property
    def can_bet(self) -> bool:
        """Whether the player has chips, and somebody to bet with."""
        return self.stack > 0 and any(not seat.all_in for seat in self.seats)

    def pay(self, chips: Fraction) -> None:
        """Let the player put chips in."""
        if self.put + chips > self.level:
            for seat in self.seats:
                seat.has_acted = False
        self.has_acted = True
        self.stack -= chips
        self.pot += chips
        self.put += chips

    def take(self, seat: Seat, chips: Fraction) -> None:
        """Take chips from an opponent."""
        if seat.put + chips > self.level:
            self.has_acted = False
            for other in self.seats:
                other.has_acted = False
        seat.has_acted = True
        seat.put += chips
        self.pot += chips

    def fold(self, seat: Seat) -> None:
        """Let an opponent leave the hand, chips staying in the pot."""
        self.folded.append(seat.before + seat.put)
        self.seats.remove(seat)

    def next_street(self) -> None:
        """Begin a round with what was bet in the pot."""
        for seat in self.seats:
            seat.before, seat.put, seat.has_acted = seat.before + seat.put, Fraction(0), False
        self.before, self.put, self.has_acted = self.before + self.put, Fraction(0), False
        self.bets_known, self.owed = True, Fraction(0)

    def pots(self) -> tuple[Fraction, list[tuple[Fraction, int, Fraction]]]:
        """Return the pot, all bets matched but the player's, and side pots beyond who is all in."""
        level, call = self.level, min(self.to_call, self.stack)
        totals = [seat.before + (seat.put if seat.all_in else level) for seat in self.seats]
        ours = self.before + self.put
        behind = sum((level - seat.put for seat in self.seats if not seat.all_in), Fraction(0))
        pot = self.pot + behind if self.bets_known else self.pot
        caps = sorted({total for seat, total in zip(self.seats, totals, strict=True) if seat.all_in})
        others = [*totals, *self.folded]
        sides: list[tuple[Fraction, int, Fraction]] = []
        for low, high in zip(caps, [*caps[1:], None][: len(caps)], strict=True):
            amount = sum((_between(put, low, high) for put in [*others, ours]), Fraction(0))
            count = sum(total > low for total in totals)
            part = _between(ours + call, low, high) - _between(ours, low, high)
            if count:
                sides.append((amount, count, part))
                pot -= amount
        return pot, sides


def _between(put: Fraction, low: Fraction, high: Fraction | None) -> Fraction:
    return max(put if high is None else min(put, high), low) - low
