"""A table of five-card poker at the terminal: a person, an opponent who explains itself, the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpuodds.basics.arguments import read_digits
from gpuodds.cards import format_cards
from gpuodds.cli.five.card_art import draw_cards
from gpuodds.cli.output import MOST_DIGITS, ask
from gpuodds.errors import excerpt

if TYPE_CHECKING:
    from gpuodds.five_card.game import ExplainingBettor, Shoe, Showdown, Table, Turn, View


class LeftTable(Exception):
    """The player has left the table."""


class Person:
    """A player at the terminal."""

    def __init__(self, banner: bool) -> None:
        """Show cards as letters, or drawn with a ``banner``."""
        self._banner = banner

    def act(self, view: View) -> Turn:
        """Show what the player knows, and ask for an action."""
        from gpuodds.five_card.game import describe

        show_cards(view.hand, self._banner)
        print(f"{format_cards(view.hand)}: {describe(view.hand)}")
        print(f"pot {view.pot}, yours {view.bet}, to call {view.to_call}, you have {view.money}")
        call = f"c call {view.to_call}" if view.to_call else "c check"
        raises = f", r5 or r10 raise (at most {view.most})" if view.most else ""
        folds = ", f fold" if view.to_call else ""
        while True:
            try:
                word = ask(f"{call}{raises}{folds}, q leave: ").lower()
            except EOFError:
                raise LeftTable from None
            turn = _read_turn(word, view)
            if turn is not None:
                return turn
            print(f"  {excerpt(word)}: expected {call}{raises}{folds}")

    def watch(self, turn: Turn, view: View) -> None:
        """Say what the opponent did."""
        called = f"calls {view.to_call}" if view.to_call else "checks"
        said = {"fold": "folds", "call": called, "raise": f"raises {turn.amount}"}
        print(f"opponent {said[turn.action]}")

    def end(self, showdown: Showdown) -> None:
        """Say how the hand ended."""
        from gpuodds.five_card.game import describe

        if showdown.shown is not None:
            show_cards(showdown.shown, self._banner)
            print(f"opponent shows {format_cards(showdown.shown)}: {describe(showdown.shown)}")
        won = showdown.won
        print(f"you win {won}" if won > 0 else f"you lose {-won}" if won else "a split")


def _read_turn(word: str, view: View) -> Turn | None:
    from gpuodds.five_card.game import Turn

    if word in ("q", "quit"):
        raise LeftTable
    if word in ("c", "call", "check"):
        return Turn("call")
    if word in ("f", "fold") and view.to_call:
        return Turn("fold")
    amount = read_digits(word.removeprefix("raise").removeprefix("r").strip(), MOST_DIGITS)
    if word.startswith("r") and amount is not None and 0 < amount <= view.most:
        return Turn("raise", amount)
    return None


class Explained:
    """An opponent whose numbers are shown after each turn."""

    def __init__(self, bettor: ExplainingBettor) -> None:
        """Take the opponent."""
        self._bettor = bettor

    def act(self, view: View) -> Turn:
        """Act, and show the numbers behind it."""
        turn = self._bettor.act(view)
        for name, value in self._bettor.explanation.items():
            shown = "-" if value is None else f"{value:.6f}" if isinstance(value, float) else value
            print(f"  {name:16} {shown}")
        return turn

    def watch(self, turn: Turn, view: View) -> None:
        """Pass on what the other player did."""
        self._bettor.watch(turn, view)

    def end(self, showdown: Showdown) -> None:
        """Pass on how the hand ended."""
        self._bettor.end(showdown)


def play_hands(table: Table, shoe: Shoe) -> bool:
    """Play until a player is broke or leaves; return whether Ctrl-C ended it."""
    from gpuodds.five_card.game import ANTE, STAKE

    money, deal, stopped = [STAKE, STAKE], 0, False
    try:
        while min(money) >= ANTE:
            hands = shoe.deal()
            if shoe.shuffled and deal:
                print("the deck is shuffled")
            print(f"hand {deal + 1}: you have {money[0]}, the opponent {money[1]}; the ante is {ANTE}")
            won = table.play(hands, deal % 2, money=money, shuffled=shoe.shuffled).won
            money = [money[0] + won, money[1] - won]
            deal += 1
    except LeftTable:
        print("this hand is not counted")
    except KeyboardInterrupt:
        print("\nthis hand is not counted")
        stopped = True
    print(f"you leave with {money[0]} dollars")
    return stopped


def show_cards(cards: tuple[int, ...], banner: bool) -> None:
    """Draw cards with letters, if that is wanted."""
    if banner:
        print(draw_cards(cards))
