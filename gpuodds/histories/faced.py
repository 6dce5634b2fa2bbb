"""What players did when they faced a bet, and the price of the call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gpuodds.histories.hand import BLIND, FOLD, PUT, Hand

STREETS = {0: "before the flop", 3: "flop", 4: "turn", 5: "river"}
"""The streets by the number of cards on the board."""


class Faced(NamedTuple):
    """A decision of a player who had to call something to go on.

    Example:
        >>> Faced("Ann", "flop", 50, 150, True).price
        0.25
    """

    player: str
    """Who decided."""

    street: str
    """``"before the flop"``, ``"flop"``, ``"turn"`` or ``"river"``."""

    call: int
    """What a call took, in parts of a chip: all that was left at most."""

    pot: int
    """The pot before it, bets included."""

    folded: bool
    """Whether the player folded."""

    @property
    def price(self) -> float:
        """The price of the call, its part of the pot after it: the equity that breaks even."""
        return self.call / (self.pot + self.call)


def decisions(hand: Hand) -> Iterator[Faced]:
    """Yield the decisions of a hand that faced a bet or a blind, in order.

    Args:
        hand: A hand that was read with its moves.

    Example:
        >>> from gpuodds.histories import EXAMPLE_HAND, read_text
        >>> hand = next(read_text(EXAMPLE_HAND, moves=True))
        >>> [(one.player, round(one.price, 3), one.folded) for one in decisions(hand)]
        [('Cem', 0.4, False), ('Ann', 0.357, False), ('Bob', 0.46, False), ('Cem', 0.362, True)]
    """
    players = len(hand.names)
    bets, put = [0] * players, [0] * players
    on_board = 0
    for move in hand.moves or ():
        if move.on_board != on_board:
            on_board, bets = move.on_board, [0] * players
        left = hand.stacks[move.place] - put[move.place]
        call = min(max(bets) - bets[move.place], left)
        if call > 0 and move.what in (PUT, FOLD):
            street = STREETS.get(on_board, "river")
            folded = move.what == FOLD
            yield Faced(hand.names[move.place], street, call, sum(put), folded)
        put[move.place] += move.amount
        if move.what in (PUT, BLIND):
            bets[move.place] += move.amount
