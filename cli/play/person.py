"""A person at the terminal, as a player at a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuodds.basics.arguments import read_digits
from gpuodds.cards import SUITS, format_cards
from gpuodds.cli.output import MOST_DIGITS, ask
from gpuodds.errors import excerpt

if TYPE_CHECKING:
    from gpuodds.play.equities import Equities
    from gpuodds.play.game import Ended
    from gpuodds.play.turns import Move, Observation, Played

STREETS = ("before the flop", "flop", "turn", "river")
SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))


class Left(Exception):
    """The person has left the table."""


class Person:
    """A player at the terminal."""

    def __init__(
        self, names: Sequence[str], hints: bool, behind: int, equities: Equities | None = None
    ) -> None:
        """Sit down.

        Args:
            names: The players in the order of the seats.
            hints: Whether to show hints.
            behind: The chips that the person owns in addition to those at the table.
            equities: Where hints get their equities. Default: the engine of this process.
        """
        self._names, self._hints, self._behind = list(names), hints, behind
        self._equities, self._told = equities, 0

    def sit(self, names: Sequence[str], number: int) -> None:
        """Begin hand ``number`` with the players in the order of the seats."""
        self._names, self._told = list(names), 0
        print(f"\nhand {number}: {', '.join(names)}; the last has the button")

    def act(self, seen: Observation) -> Move:
        """Show what the person may see, and ask for a move."""
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
        from gpuodds.play.turns import Move

        call = f"c call {seen.to_call:,}" if seen.to_call else "c check"
        fold = "f fold, " if seen.to_call else ""
        more = f", r AMOUNT raise to {seen.min_raise:,}..{seen.max_raise:,}" if seen.max_raise else ""
        asked = f"{fold}{call}{more}, q leave: "
        while True:
            try:
                text = ask(asked).lower()
            except EOFError:
                raise Left from None
            if text in ("q", "quit"):
                raise Left
            if text in ("c", "call", "check"):
                return Move("call")
            if text in ("f", "fold") and seen.to_call:
                return Move("fold")
            to = read_digits(text.removeprefix("raise").removeprefix("r").strip(), MOST_DIGITS + 2)
            if text.startswith("r") and to and seen.min_raise <= to <= seen.max_raise:
                return Move("raise", to)
            print(f"  {excerpt(text)}: expected {fold}{call}{more}")

    def end(self, hand: Ended) -> None:
        """Show how the hand ended."""
        from gpuodds.games.holdem.game import HOLDEM
        from gpuodds.games.shared.hand_names import hand_name
        from gpuodds.methods.hands.evaluate import rank_hand

        self._tell(hand.moves, hand.seat)
        if hand.board:
            print(f"board {_pretty(hand.board)}")
        for seat, cards in hand.shown.items():
            made = ""
            if len(hand.board) == 5:
                made = f": {hand_name(rank_hand([*cards, *hand.board], HOLDEM))}"
            print(f"{self._names[seat]} shows {_pretty(cards)}{made}")
        won = hand.won[hand.seat]
        print(f"you win {won:,}" if won > 0 else f"you lose {-won:,}" if won else "you win nothing")

    def _tell(self, moves: Sequence[Played], seat: int) -> None:
        for move in moves[self._told :]:
            if move.seat != seat:
                called = f"calls {move.to_call:,}" if move.to_call else "checks"
                said = {"fold": "folds", "call": called, "raise": f"raises to {move.to:,}"}
                print(f"  {self._names[move.seat]} {said[move.kind]}")
        self._told = len(moves)


def hint(seen: Observation, behind: int = 0, equities: Equities | None = None) -> str:
    """Return pot odds, the exact equity against the players left, and Kelly's advice, as one line.

    Args:
        seen: What the player knows.
        behind: The chips that the player owns in addition to those at the table.
        equities: Where the equity comes from. Default: the engine of this process.
    """
    from gpuodds.play.bots.kelly import stakes_of
    from gpuodds.play.equities import ENGINE

    equities = equities or ENGINE
    share = equities.equity_of(seen.hand, seen.board, seen.opponents)
    parts = [f"equity {100 * share:.2f} % against {seen.opponents} with any cards"]
    if seen.to_call:
        odds = seen.to_call / (seen.winnable + seen.to_call)
        parts.insert(0, f"pot odds {100 * odds:.2f} %")
    action, put_in = equities.bet(seen.hand, seen.board, stakes_of(seen, behind))
    chips = f" {put_in:,}" if put_in else ""
    return "; ".join([*parts, f"Kelly: {action}{chips}"])


def _pretty(cards: Sequence[int]) -> str:
    text = format_cards(cards)
    symbols = SYMBOLS if sys.stdout.encoding.lower().startswith("utf") else {}
    return " ".join(text[i] + symbols.get(text[i + 1], text[i + 1]) for i in range(0, len(text), 2))
