"""The advisor's session: hand after hand, round after round, a suggestion at each turn to act.

It is the dialogue of the program Cassandra: bankroll and pot, the cards of each street one at a time,
and in each cycle of a betting round the number of opponents, the suggestion, the player's bet, and the
bet of each opponent. Beyond it: a round ends by itself when all bets are matched, hands follow one
another, and players who are all in stay all in.

A :class:`Session` knows neither screen nor file: see :mod:`.conversation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import count

from gpuodds.basics.amounts import MAX_CHIPS, Number, read_amount, read_whole
from gpuodds.betting.advice import advise
from gpuodds.betting.advisor.answers import (
    FOLDED,
    NOT_YET,
    chips_text,
    read_bets,
    read_chips,
    read_chips_above_0,
    read_count,
    read_own_bet,
    read_their_bet,
    read_yes,
)
from gpuodds.betting.advisor.conversation import Say, Talk, ask
from gpuodds.betting.advisor.hand_state import HandState, Seat
from gpuodds.betting.advisor.opening_pot import read_pot, read_pot_mode
from gpuodds.betting.pots import Stakes
from gpuodds.betting.question import read_options, read_spot
from gpuodds.betting.result import Advice
from gpuodds.betting.stakes import read_stakes
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.rules import HOLE_CARDS, MAX_PLAYERS

STREETS = (("Hole Cards", 2), ("Flop", 3), ("Turn", 1), ("River", 1))
OPPONENTS = "Number of Opponents"
KEPT = ("You should bet", "Pot", "You have", OPPONENTS)  # figures that a transcript is checked for
BANKROLL = "all you own, in chips: what is suggested makes it grow most"
STACK = "your chips at the table, out of the bankroll; no bet is larger"
POT = (
    "chips that lie there; or 30x3, your blind of 30 that 3 have matched; or all bets so far, "
    "15/0 30 60+15: yours, each opponent's in the order they act after you, folded ones' chips"
)
CARD = "a rank and a suit: 12d or Qd is the queen of diamonds, 1s or As the ace of spades"
HOW_MANY = "how many are still in the hand; 0 ends the betting round"
TO_CALL = "what you have to put in to go on; 0 if nothing"
BET = "chips you put in now; c calls; 0, x or f checks or folds; - if it is not your turn yet"
FOLDING = "y gives the hand up, n asks for the bet again"
CHECKING = "y checks, n ends the betting round"
PLAYER = (
    "chips this opponent puts in now, 80a if these are all; c calls; 0 checks, or folds to a bet; "
    "f folds; - if it is not yet that turn"
)
WON = "what you get from the pot: 0 if you lose, half of it if two split"


class HandOver(Exception):
    """The hand ends without a showdown: all others have folded, or the player has."""


class Session:
    """The dialogue; :meth:`talk` is a generator of :class:`Say`, :class:`Ask` and :class:`Refused`.

    Attributes:
        model: "exact" or "cassandra".
        pot_mode: "full" derives the bet to call from the bets, and compares folding, calling and
            raising; "cassandra" counts whatever is in the pot as won besides the bet, and takes every
            opponent to match the bet from nothing.
        stack: The chips to sit down with. The session then asks at each hand how much of the bankroll
            is at the table; without, all of it is.
    """

    def __init__(
        self,
        *,
        model: str = "exact",
        pot_mode: str = "full",
        stack: Number | None = None,
        multiple: Number = 1,
        minimum: Number = 0,
        fold_curve: Sequence[float] | None = None,
        backend: str = "auto",
        explain: bool = False,
    ) -> None:
        """Take the arguments of :func:`gpuodds.betting.kelly_bet` that hold for every turn."""
        self.pot_mode = read_pot_mode(pot_mode)
        options = read_options(model=model, multiple=multiple, backend=backend, explain=explain)
        self.model = model
        self.minimum = read_amount("minimum", minimum)
        self.fold_curve = fold_curve
        self.stack = None if stack is None else Fraction(read_whole("stack", stack, 1, MAX_CHIPS))
        # A replay asks the same questions again.
        self._advise = lru_cache(1024)(lambda spot, stakes: advise(spot, stakes, options))

    def talk(self) -> Talk[None]:
        """Play hand after hand."""
        left, seated = "", self.stack
        while True:
            bankroll = yield from ask("Bankroll", read_chips_above_0, default=left, help=BANKROLL)
            stack = bankroll
            if seated is not None:
                read = partial(read_chips_above_0, most=bankroll)
                default = chips_text(min(seated, bankroll))
                stack = yield from ask("Stack", read, default=default, help=STACK)
            table = yield from self._pot(stack)
            table.behind = bankroll - stack
            try:
                yield from self._hand(table)
                if table.pot:
                    table.stack += yield from ask("Won", partial(read_chips, most=table.pot), help=WON)
            except HandOver:
                pass
            yield Say(f"You have: {chips_text(table.bankroll)}")
            yield Say("==Next Hand==")
            left = chips_text(table.bankroll) if table.bankroll else ""
            if seated is not None:
                seated = table.stack or self.stack

    def _pot(self, stack: Fraction) -> Talk[HandState]:
        def read(text: str) -> HandState:
            if "/" not in text:
                pot = read_pot(text, self.pot_mode)
                return HandState(stack, pot, bets_known=False, is_even=False)
            return read_bets(text, stack, self.pot_mode)

        return (yield from ask("Pot", read, help=POT))

    def _hand(self, table: HandState) -> Talk[None]:
        for street, (name, number) in enumerate(STREETS):
            yield Say(f"=={name}==")
            if street:
                table.next_street()
            yield from self._cards(table, number)
            if not table.seats or table.can_bet:
                yield from self._round(table, street)
            yield from self._say_pot(table)

    def _say_pot(self, table: HandState, *, is_out: bool = False) -> Talk[None]:
        """Say the pot, without the part of a bet that no player can call any more."""
        seat, chips = table.return_uncalled(is_out=is_out)
        if chips:
            who = "you" if seat is None else f"Player #{len(table.seats) - table.seats.index(seat)}"
            yield Say(f"  Uncalled: {chips_text(chips)} back to {who}.")
        yield Say(f"Pot: {chips_text(table.pot)}")

    def _cards(self, table: HandState, number: int) -> Talk[None]:
        wanted = len(table.cards) + number
        while len(table.cards) < wanted:
            missing = wanted - len(table.cards)

            def read(
                text: str, known: tuple[int, ...] = table.cards, missing: int = missing
            ) -> tuple[int, ...]:
                cards = parse_cards(text)
                if len(cards) > missing:
                    raise InputError(f"{excerpt(text)}: expected {missing} at most, found {len(cards)}")
                twice = [card for card in cards if card in known]
                if twice:
                    raise InputError(f"{format_cards(twice)}: has been dealt already")
                if not cards:
                    raise InputError("expected a card, such as 12d, Qd or 10h")
                return cards

            table.cards += yield from ask("Input card", read, help=CARD)

    def _round(self, table: HandState, street: int) -> Talk[None]:
        for cycle in count():
            number = yield from self._opponents(table)
            if number == 0:
                return
            if not table.bets_known and self.pot_mode == "full":
                read = partial(read_chips, most=table.stack)
                table.owed = yield from ask("To Call", read, default="0", help=TO_CALL)
                if cycle == 0:
                    table.is_even = not table.owed
            waiting = False
            if table.stack and not (table.has_acted and table.to_call == 0 and table.bets_known):
                yield from self._suggest(table)
                acted = yield from self._own_bet(table)
                if acted is None:
                    return
                waiting = not acted
            if not waiting and table.is_closed:
                return
            yield from self._opponents_bets(table, waiting)
            if table.is_closed:
                return

    def _opponents(self, table: HandState) -> Talk[int]:
        there = len(table.seats)
        if there and table.bets_known:
            yield Say(f"{OPPONENTS}: {there}")
            return there
        most = there or MAX_PLAYERS - 1

        def read(text: str) -> int:
            number = read_count(text)
            if number > most:
                raise InputError(f"{number}: expected 0 to {most}")
            return number

        number = yield from ask(OPPONENTS, read, default=str(there or ""), help=HOW_MANY)
        if not there:
            table.seats = [Seat() for _ in range(number)]
        while 0 < number < len(table.seats):
            # The opponent who has put in least is taken to have folded.
            table.fold(min(table.seats, key=lambda seat: (seat.all_in, seat.put)))
        return int(number)

    def _suggest(self, table: HandState) -> Talk[None]:
        advice = self._advice(table)
        yield Say(f"You should bet: {advice.bet_chips}")
        odds = advice.odds
        parts = [
            advice.action,
            f"win {100 * float(odds.win):.2f} %",
            f"split {100 * float(1 - odds.win - odds.lose):.2f} %",
            f"lose {100 * float(odds.lose):.2f} %",
        ]
        if advice.stakes.to_call:
            parts.insert(1, f"{chips_text(advice.stakes.to_call)} to call")
        yield Say(f"  {', '.join(parts)}")
        if advice.explanation is not None:
            for line in advice.explanation.lines():
                yield Say(f"  {line}")

    def _advice(self, table: HandState) -> Advice:
        spot = read_spot(
            table.cards[:HOLE_CARDS], len(table.seats), table.cards[HOLE_CARDS:], (), HOLDEM
        )
        return self._advise(spot, self._stakes(table))

    def _stakes(self, table: HandState) -> Stakes:
        if self.pot_mode == "cassandra" or self.model == "cassandra":
            return read_stakes(
                len(table.seats),
                bankroll=table.bankroll,
                stack=table.stack,
                pot=table.pot,
                minimum=self.minimum,
                fold_curve=self.fold_curve,
            )
        pot, sides = table.pots()
        some_in = any(seat.all_in for seat in table.seats)
        # Who is all in for least comes first, as the side pots want it.
        stacks = [Fraction(0) if seat.all_in else None for seat in table.seats]
        return read_stakes(
            len(table.seats),
            bankroll=table.bankroll,
            stack=table.stack,
            pot=pot,
            to_call=min(table.to_call, table.stack),
            side_pots=sides,
            stacks=stacks if some_in else None,
            minimum=self.minimum,
            fold_curve=self.fold_curve,
        )

    def _own_bet(self, table: HandState) -> Talk[bool | None]:
        """Ask for the player's bet. Returns whether there was one, None if the round is over."""
        while True:
            chips = yield from ask("Bet Amount", lambda text: read_own_bet(text, table), help=BET)
            if chips is None:
                return False
            if chips:
                table.pay(chips)
                return True
            if table.to_call:
                if (yield from ask("Fold? [Y/n]", read_yes, help=FOLDING)):
                    yield from self._say_pot(table, is_out=True)
                    raise HandOver
            elif (yield from ask("Check? [Y/n]", read_yes, help=CHECKING)):
                table.has_acted = True
                return True
            else:
                return None

    def _opponents_bets(self, table: HandState, waiting: bool) -> Talk[None]:
        numbered = list(enumerate(reversed(list(table.seats)), 1))[::-1]
        for number, seat in numbered:
            done = seat.has_acted and seat.put == table.highest_bet and table.bets_known
            if seat.all_in or done or (table.is_closed and not waiting):
                continue
            read = partial(read_their_bet, seat=seat, table=table)
            chips, all_in = yield from ask(f"Player #{number}", read, help=PLAYER)
            owed = table.highest_bet - seat.put
            if chips == NOT_YET:
                continue
            if chips == FOLDED or (chips == 0 and owed and table.bets_known):
                table.fold(seat)
                yield Say(f"  Player #{number} folds.")
                if not table.seats:
                    yield from self._say_pot(table)
                    yield Say("  You win.")
                    table.stack += table.pot
                    raise HandOver
                continue
            if all_in or (chips < owed and table.bets_known):
                seat.all_in = True
                yield Say(f"  Player #{number} is all in.")
            table.take(seat, chips)
