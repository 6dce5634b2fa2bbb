"""A table at the terminal: a person against bots."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from gpuodds.cards import SUITS, format_cards
from gpuodds.client import ServerError
from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    from gpuodds.play.equities import Equities
    from gpuodds.play.game import Ended, Move, Observation, Played, Rules

STREETS = ("before the flop", "flop", "turn", "river")
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
ME = "me"


class Left(Exception):
    """The person has left the table."""


def play_table(
    names: Sequence[str],
    rules: Rules,
    *,
    seed: int | None,
    hints: bool,
    hands: int | None,
    bankroll: int | None = None,
    equities: Equities | None = None,
) -> tuple[list[Any], int, bool, ServerError | None]:
    """Let a person play bots until they leave.

    Return the histories, the chips won, whether Ctrl-C ended it, and how the server failed.

    Stacks carry over; a bot that is broke buys in again, a person who is broke has lost. Hints are for
    the ``bankroll``, all that the person owns at the start; 20 stacks unless given.
    """
    from gpuodds.play.bots.kelly import BUY_INS
    from gpuodds.play.game import Deal, Player, play_hand
    from gpuodds.play.match import find_bot

    owned = BUY_INS * rules.stack if bankroll is None else bankroll
    if owned < rules.stack:
        raise InputError(f"--bankroll {owned}: expected at least the stack, {rules.stack}")

    if list(names).count(ME) != 1:
        raise InputError(f"--seat {excerpt(','.join(names))}: expected {ME} once, and bots")
    draw = Random(seed)
    person = Person(names, hints, owned - rules.stack, equities)
    players: list[Player] = [
        person if name == ME else find_bot(name, equities)(Random(f"{seed} {place}"))
        for place, name in enumerate(names)
    ]
    mine, stacks = names.index(ME), [rules.stack] * len(names)
    histories: list[Any] = []
    bought, number, interrupted = rules.stack, 0, False
    failure = None
    try:
        while hands is None or number < hands:
            if not stacks[mine]:
                print("you have no chips left")
                break
            stacks = [stack or rules.stack for stack in stacks]
            seats = len(names)
            order = [(seat - number) % seats for seat in range(seats)]
            person.sit([names[place] for place in order], number + 1)
            result = play_hand(
                [players[place] for place in order],
                rules,
                Deal.drawn(seats, draw),
                stacks=[stacks[place] for place in order],
            )
            for seat, place in enumerate(order):
                stacks[place] += result.won[seat]
            histories.append(result.history)
            number += 1
    except Left:
        print("this hand is not counted")
    except KeyboardInterrupt:
        print("\nthis hand is not counted")
        interrupted = True
    except ServerError as error:
        print("this hand is not counted")
        failure = error
    return histories, stacks[mine] - bought, interrupted, failure


class Person:
    """A player at the terminal."""

    def __init__(
        self, names: Sequence[str], hints: bool, behind: int, equities: Equities | None = None
    ) -> None:
        """Show hints, if they are wanted, to a person who owns chips ``behind`` those at the table."""
        self._names, self._hints, self._behind = list(names), hints, behind
        self._equities, self._told = equities, 0

    def sit(self, names: Sequence[str], number: int) -> None:
        """Begin a hand with the players in the order of the seats."""
        self._names, self._told = list(names), 0
        print(f"\nhand {number}: {', '.join(names)}; the last has the button")

    def act(self, seen: Observation) -> Move:
        """Show what there is to know, and ask."""
        self._tell(seen.moves, seen.seat)
        where = STREETS[seen.street]
        board = f" {_pretty(seen.board)}" if seen.board else ""
        print(f"{where}{board}, you have {_pretty(seen.hand)}")
        others = ", ".join(
            f"{name} {seen.stacks[seat]:,}"
            for seat, name in enumerate(self._names)
            if seen.playing[seat] and seat != seen.seat
        )
        own = seen.stacks[seen.seat]
        print(f"pot {seen.winnable:,}, to call {seen.to_call:,}, your chips {own:,}; {others}")
        if self._hints:
            print(f"  {hint(seen, self._behind, self._equities)}")
        return self._ask(seen)

    def _ask(self, seen: Observation) -> Move:
        from gpuodds.play.game import Move

        call = f"c call {seen.to_call:,}" if seen.to_call else "c check"
        fold = "f fold, " if seen.to_call else ""
        more = f", r AMOUNT raise to {seen.least:,}..{seen.most:,}" if seen.most else ""
        asked = f"{fold}{call}{more}, q leave: "
        while True:
            try:
                text = input(asked).strip().lower()
            except EOFError:
                print()
                raise Left from None
            if not sys.stdin.isatty():
                print(text)
            if text in ("q", "quit"):
                raise Left
            if text in ("c", "call", "check"):
                return Move("call")
            if text in ("f", "fold") and seen.to_call:
                return Move("fold")
            amount = text.removeprefix("raise").removeprefix("r").strip()
            to = int(amount) if text.startswith("r") and re.fullmatch("[0-9]{1,11}", amount) else 0
            if seen.most and seen.least <= to <= seen.most:
                return Move("raise", to)
            print(f"  {excerpt(text)}: expected {fold}{call}{more}")

    def end(self, hand: Ended) -> None:
        """Show how the hand ended."""
        self._tell(hand.moves, hand.seat)
        if hand.board:
            print(f"board {_pretty(hand.board)}")
        from gpuodds.games.holdem.hand_names import hand_name
        from gpuodds.methods.evaluate import rank_hand

        for seat, cards in hand.shown.items():
            made = ""
            if len(hand.board) == 5:
                made = f": {hand_name(rank_hand([*cards, *hand.board]))}"
            print(f"{self._names[seat]} shows {_pretty(cards)}{made}")
        won = hand.won[hand.seat]
        print(f"you win {won:,}" if won > 0 else f"you lose {-won:,}" if won else "you win nothing")

    def _tell(self, moves: Sequence[Played], seat: int) -> None:
        for move in moves[self._told :]:
            if move.seat != seat:
                called = f"calls {move.to_call:,}" if move.to_call else "checks"
                words = {"fold": "folds", "call": called, "raise": f"raises to {move.to:,}"}
                print(f"  {self._names[move.seat]} {words[move.kind]}")
        self._told = len(moves)


def hint(seen: Observation, behind: int = 0, equities: Equities | None = None) -> str:
    """Return pot odds, the exact equity against as many players as are left, and Kelly's advice."""
    from gpuodds.play.bots.kelly import stakes_of
    from gpuodds.play.equities import ENGINE

    equities = equities or ENGINE
    share = equities.equity_of(seen.hand, seen.board, seen.opponents)
    parts = [f"equity {100 * share:.2f} % against {seen.opponents} with any cards"]
    if seen.to_call:
        odds = seen.to_call / (seen.winnable + seen.to_call)
        parts.insert(0, f"pot odds {100 * odds:.2f} %")
    action, put_in = equities.bet(seen.hand, seen.board, **stakes_of(seen, behind))
    chips = f" {put_in:,}" if put_in else ""
    return "; ".join([*parts, f"Kelly: {action}{chips}"])


def _pretty(cards: Sequence[int]) -> str:
    text = format_cards(cards)
    symbols = SYMBOLS if sys.stdout.encoding.lower().startswith("utf") else {}
    return " ".join(text[i] + symbols.get(text[i + 1], text[i + 1]) for i in range(0, len(text), 2))
