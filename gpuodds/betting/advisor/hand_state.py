"""A hand of hold'em as one player sees it: the players in it, and their chips in the pot."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from gpuodds.betting.pots import SidePot


@dataclass
class Seat:
    """An opponent in the hand: what was put in in this round and before, and if anything is left."""

    put: Fraction = Fraction(0)
    before: Fraction = Fraction(0)
    all_in: bool = False
    has_acted: bool = False


@dataclass
class HandState:
    """What the player knows of a hand: chips at the table, the pot, who is in it."""

    stack: Fraction
    pot: Fraction
    seats: list[Seat] = field(default_factory=list)
    cards: tuple[int, ...] = ()
    put: Fraction = Fraction(0)
    before: Fraction = Fraction(0)
    has_acted: bool = False
    # Whether each player's bets of this round are known; before the flop they may not be.
    bets_known: bool = True
    owed: Fraction = Fraction(0)  # the bet to call as the player gives it, where bets are not known
    # Whether all had put in as much before the bets that are known.
    is_even: bool = True
    folded: list[Seat] = field(default_factory=list)
    dead: Fraction = Fraction(0)  # chips of this round from players who were never in ``seats``
    behind: Fraction = Fraction(0)  # what the player owns besides the chips at the table

    @property
    def bankroll(self) -> Fraction:
        """All that the player owns, but for the chips in the pot."""
        return self.stack + self.behind

    @property
    def highest_bet(self) -> Fraction:
        """The highest bet of the round."""
        return max([self.put, *(seat.put for seat in self.seats)])

    @property
    def to_call(self) -> Fraction:
        """The chips that match the highest bet of the round."""
        return self.highest_bet - self.put if self.bets_known else self.owed

    @property
    def is_closed(self) -> bool:
        """Whether no player has a turn left in this round."""
        highest = self.highest_bet
        acting = [seat for seat in self.seats if not seat.all_in]
        if not self.bets_known:
            return False
        matched = all(seat.has_acted and seat.put == highest for seat in acting)
        return matched and (self.stack == 0 or (self.has_acted and self.put == highest))

    @property
    def can_bet(self) -> bool:
        """Whether the player has chips, and an opponent has."""
        return self.stack > 0 and any(not seat.all_in for seat in self.seats)

    def pay(self, chips: Fraction) -> None:
        """Let the player put chips in."""
        if self.put + chips > self.highest_bet:
            for seat in self.seats:
                seat.has_acted = False
        self.has_acted = True
        self.stack -= chips
        self.pot += chips
        self.put += chips

    def take(self, seat: Seat, chips: Fraction) -> None:
        """Take chips from an opponent."""
        if seat.put + chips > self.highest_bet:
            self.has_acted = False
            for other in self.seats:
                other.has_acted = False
        seat.has_acted = True
        seat.put += chips
        self.pot += chips

    def fold(self, seat: Seat) -> None:
        """Let an opponent leave the hand, chips staying in the pot."""
        self.folded.append(seat)
        self.seats.remove(seat)

    def return_uncalled(self, *, is_out: bool = False) -> tuple[Seat | None, Fraction]:
        """Give back what the highest bet has beyond the next one, if all others are all in or folded.

        Args:
            is_out: Whether the player has folded.

        Returns:
            The seat whose bet it was, None for the player; and the chips that left the pot, often 0.
        """
        own = self.put, self.stack > 0 and not is_out, None
        bets = [own, *((seat.put, not seat.all_in, seat) for seat in self.seats)]
        highest, _, owner = top = max(bets, key=lambda bet: bet[0])
        bets.remove(top)
        put_by_others = [put for put, _, _ in bets] + [seat.put for seat in self.folded]
        chips = highest - max([self.dead, *put_by_others])
        if chips <= 0 or not self.is_even or any(can_call for _, can_call, _ in bets):
            return None, Fraction(0)
        self.pot -= chips
        if owner is None:
            self.stack, self.put = self.stack + chips, self.put - chips
        else:
            owner.put -= chips
        return owner, chips

    def next_street(self) -> None:
        """Begin a round with what was bet in the pot."""
        for seat in [*self.seats, *self.folded]:
            seat.before, seat.put, seat.has_acted = seat.before + seat.put, Fraction(0), False
        self.before, self.put, self.has_acted = self.before + self.put, Fraction(0), False
        self.bets_known, self.is_even, self.owed, self.dead = True, True, Fraction(0), Fraction(0)

    def pots(self) -> tuple[Fraction, list[SidePot]]:
        """Return the pot that the player can win, and side pots beyond who is all in.

        All bets count as matched but the player's, and only as far as the player's chips reach.
        """
        highest, call = self.highest_bet, min(self.to_call, self.stack)
        ours, reach = self.before + self.put, self.put + call
        puts = [seat.put if seat.all_in else highest for seat in self.seats]
        acting = [seat for seat in self.seats if not seat.all_in]
        if self.bets_known:
            pot = self.pot + sum((highest - seat.put for seat in acting), Fraction(0))
            pot -= sum((_between(put, reach, None) for put in puts), Fraction(0))
            pot -= sum((_between(seat.put, reach, None) for seat in self.folded), Fraction(0))
            puts = [min(put, reach) for put in puts]
        else:
            pot = self.pot - len(acting) * (self.to_call - call)
        totals = [seat.before + put for seat, put in zip(self.seats, puts, strict=True)]
        folded = [seat.before + min(seat.put, reach) for seat in self.folded]
        caps = sorted({total for seat, total in zip(self.seats, totals, strict=True) if seat.all_in})
        put_by_others = [*totals, *folded]
        sides: list[SidePot] = []
        for low, high in zip(caps, [*caps[1:], None][: len(caps)], strict=True):
            amount = sum((_between(put, low, high) for put in [*put_by_others, ours]), Fraction(0))
            count = sum(total > low for total in totals)
            part = _between(ours + call, low, high) - _between(ours, low, high)
            if count:
                sides.append(SidePot(amount, count, part))
                pot -= amount
        return pot, sides


def _between(put: Fraction, low: Fraction, high: Fraction | None) -> Fraction:
    return max(put if high is None else min(put, high), low) - low
