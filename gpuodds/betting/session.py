"""The advisor's session: hand after hand, round after round, a suggestion at each turn to act.

It is the dialogue of the program Cassandra: bankroll and pot, the cards of each street one at a time,
and in each cycle of a betting round the number of opponents, the suggestion, the player's bet, and the
bet of each opponent. Beyond it: a round ends by itself when all bets are matched, hands follow one
another, and whoever is all in is kept in mind.

A :class:`Session` knows neither screen nor file: see :mod:`.conversation`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache, partial
from itertools import count
from typing import Any

from gpuodds.betting.advice import Advice, check_model, kelly_bet, read_multiple
from gpuodds.betting.amounts import MOST_CHIPS, Number, read_amount, read_whole
from gpuodds.betting.conversation import Say, Talk, ask
from gpuodds.betting.hand_state import HandState, Seat
from gpuodds.betting.retained import read_pot
from gpuodds.cards import format_cards, parse_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.rules import MAX_PLAYERS

STREETS = (("Hole Cards", 2), ("Flop", 3), ("Turn", 1), ("River", 1))
MOST_DIGITS = 15
OPPONENTS = "Number of Opponents"
KEPT = ("You should bet", "Pot", "You have", OPPONENTS)  # figures that a transcript is checked for
FOLDED, NOT_YET = Fraction(-1), Fraction(-2)  # in place of an opponent's chips
YES, NO = ("y", "yes"), ("n", "no")
CALL, FOLD, CHECK, WAIT = ("c", "call"), ("f", "fold"), ("x", "check"), ("-", "wait")


class HandOver(Exception):
    """Somebody has won the hand without a showdown, or given it up."""


class Session:
    """The dialogue; :meth:`talk` is a generator of :class:`Say`, :class:`Ask` and :class:`Refused`.

    ``pot_mode`` "full" tells what is to call from what is bet, and compares folding, calling and
    raising; "seed" does as Cassandra did: it takes whatever is in the pot as won beside the bet, and
    every opponent to match the bet from nothing.

    With a ``stack``, the chips to sit down with, it asks at each hand how much of the bankroll lies on
    the table; without, all does.
    """

    def __init__(
        self,
        *,
        model: str = "exact",
        pot_mode: str = "full",
        stack: Number | None = None,
        **options: Any,
    ) -> None:
        """Take the options of :func:`gpuodds.betting.advice.kelly_bet` that hold for every turn."""
        read_pot("0", pot_mode)
        check_model(model)
        read_multiple(options.get("multiple", 1))
        read_amount("minimum", options.get("minimum", 0))
        self.model, self.pot_mode = model, pot_mode
        self.stack = None if stack is None else Fraction(read_whole("stack", stack, 1, MOST_CHIPS))
        self._advise: Callable[..., Advice] = lru_cache(1024)(
            lambda *spot: _advise(spot, model, options)
        )

    def talk(self) -> Talk[None]:
        """Play hand after hand."""
        left, seated = "", self.stack
        while True:
            bankroll = yield from ask("Bankroll", _chips_above_0, usual=left, help=BANKROLL)
            stack = bankroll
            if seated is not None:
                read = partial(_chips_above_0, most=bankroll)
                usual = _text(min(seated, bankroll))
                stack = yield from ask("Stack", read, usual=usual, help=STACK)
            table = yield from self._pot(stack)
            table.behind = bankroll - stack
            try:
                yield from self._hand(table)
                if table.pot:
                    table.stack += yield from ask("Won", partial(_chips, most=table.pot), help=WON)
            except HandOver:
                pass
            yield Say(f"You have: {_text(table.bankroll)}")
            yield Say("==Next Hand==")
            left = _text(table.bankroll) if table.bankroll else ""
            if seated is not None:
                seated = table.stack or self.stack

    def _pot(self, stack: Fraction) -> Talk[HandState]:
        def read(text: str) -> HandState:
            if "/" not in text:
                pot = read_pot(text, self.pot_mode)
                return HandState(stack, pot, bets_known=False, is_even=False)
            return _read_bets(text, stack, self.pot_mode)

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
            yield Say(f"  Uncalled: {_text(chips)} back to {who}.")
        yield Say(f"Pot: {_text(table.pot)}")

    def _cards(self, table: HandState, number: int) -> Talk[None]:
        wanted = len(table.cards) + number
        while len(table.cards) < wanted:
            missing = wanted - len(table.cards)

            def read(text: str, known: tuple[int, ...] = table.cards, missing: int = missing) -> Any:
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
                read = partial(_chips, most=table.stack)
                table.owed = yield from ask("To Call", read, usual="0", help=TO_CALL)
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
            number = _whole(text)
            if number > most:
                raise InputError(f"{number}: expected 0 to {most}")
            return number

        number = yield from ask(OPPONENTS, read, usual=str(there or ""), help=HOW_MANY)
        if not there:
            table.seats = [Seat() for _ in range(number)]
        while 0 < number < len(table.seats):
            # Who has put in least is taken to have folded.
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
            parts.insert(1, f"{_text(advice.stakes.to_call)} to call")
        yield Say(f"  {', '.join(parts)}")

    def _advice(self, table: HandState) -> Advice:
        hand, board = table.cards[:2], table.cards[2:]
        if self.pot_mode == "seed" or self.model == "cassandra":
            owned = table.bankroll, table.stack
            return self._advise(hand, board, len(table.seats), *owned, table.pot, 0, (), None)
        pot, sides = table.pots()
        stacks = tuple(Fraction(0) if seat.all_in else None for seat in table.seats)
        # Who is all in for least comes first, as the side pots want it.
        call = min(table.to_call, table.stack)
        some_in = any(seat.all_in for seat in table.seats)
        return self._advise(
            hand,
            board,
            len(table.seats),
            table.bankroll,
            table.stack,
            pot,
            call,
            tuple(sides),
            stacks if some_in else None,
        )

    def _own_bet(self, table: HandState) -> Talk[bool | None]:
        """Ask for the player's bet. Returns whether there was one, None if the round is over."""
        while True:
            chips = yield from ask("Bet Amount", lambda text: _own(text, table), help=BET)
            if chips is None:
                return False
            if chips:
                table.pay(chips)
                return True
            if table.to_call:
                if (yield from ask("Fold? [Y/n]", _yes, help=FOLDING)):
                    yield from self._say_pot(table, is_out=True)
                    raise HandOver
            elif (yield from ask("Check? [Y/n]", _yes, help=CHECKING)):
                table.has_acted = True
                return True
            else:
                return None

    def _opponents_bets(self, table: HandState, waiting: bool) -> Talk[None]:
        numbered = list(enumerate(reversed(list(table.seats)), 1))[::-1]
        for number, seat in numbered:
            done = seat.has_acted and seat.put == table.level and table.bets_known
            if seat.all_in or done or (table.is_closed and not waiting):
                continue
            read = partial(_theirs, seat=seat, table=table)
            chips, all_in = yield from ask(f"Player #{number}", read, help=PLAYER)
            owed = table.level - seat.put
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


def _advise(spot: tuple[Any, ...], model: str, options: dict[str, Any]) -> Advice:
    hand, board, opponents, bankroll, stack, pot, to_call, sides, stacks = spot
    return kelly_bet(
        hand,
        board=board,
        opponents=opponents,
        bankroll=bankroll,
        stack=stack,
        pot=pot,
        to_call=to_call,
        side_pots=sides,
        stacks=stacks,
        model=model,
        **options,
    )


def _read_bets(text: str, stack: Fraction, mode: str) -> HandState:
    """Read ``15/0 30 60+15``: own bet, the opponents' in the order they act, chips of folded ones."""
    bets, plus, dead = text.partition("+")
    own, _, others = bets.partition("/")
    table = HandState(stack, Fraction(0), has_acted=False)
    table.put = _chips(own)
    table.seats = [Seat(_chips(part)) for part in others.replace(",", " ").split()]
    if not table.seats:
        raise InputError(f"{excerpt(text)}: expected the opponents' bets after the slash")
    if len(table.seats) >= MAX_PLAYERS:
        raise InputError(f"{len(table.seats)} opponents: expected {MAX_PLAYERS - 1} at most")
    table.pot = sum((seat.put for seat in table.seats), table.put)
    if plus:
        table.dead = _chips(dead)
        table.pot += table.dead
    if mode == "seed":
        since = sum(seat.put >= table.put > 0 for seat in table.seats)
        return HandState(
            stack, read_pot(f"{own.strip()}x{since}", mode), bets_known=False, is_even=False
        )
    return table


def _own(text: str, table: HandState) -> Fraction | None:
    word = text.lower()
    if word in WAIT:
        return None
    if word in CALL:
        return min(table.to_call, table.stack)
    if word in FOLD or word in CHECK:
        return Fraction(0)
    chips = _chips(text, most=table.stack)
    if chips and table.bets_known and chips < min(table.to_call, table.stack):
        raise InputError(f"{text}: {_text(table.to_call)} are to call")
    return chips


def _theirs(text: str, seat: Seat, table: HandState) -> tuple[Fraction, bool]:
    """Return an opponent's chips, or what stands for a fold or for none yet; and if that is all."""
    word = text.lower()
    if word in WAIT:
        return NOT_YET, False
    if word in FOLD:
        return FOLDED, False
    if word in CALL:
        return table.level - seat.put, False
    if word in CHECK:
        if table.bets_known and table.level > seat.put:
            raise InputError(f"check: {_text(table.level - seat.put)} are to call")
        return Fraction(0), False
    if word.endswith("a"):
        return _chips(word[:-1]), True
    return _chips(text), False


def _chips(text: str, most: Fraction | None = None) -> Fraction:
    chips = Fraction(_whole(text))
    if most is not None and chips > most:
        raise InputError(f"{text}: expected {_text(most)} at most")
    return chips


def _chips_above_0(text: str, most: Fraction | None = None) -> Fraction:
    chips = _chips(text, most)
    if not chips:
        raise InputError("0: expected more than 0")
    return chips


def _whole(text: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS):
        raise InputError(f"{excerpt(text)}: expected a whole number")
    return int(digits)


def _yes(text: str) -> bool:
    word = text.lower()
    if word and word not in YES + NO:
        raise InputError(f"{excerpt(text)}: expected y or n")
    return word not in NO


def _text(chips: Fraction) -> str:
    return str(int(chips)) if chips.denominator == 1 else f"{float(chips):g}"


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
