"""One freeze-out: stacks carry over, blinds rise, and a player without chips is out.

The rules:

* The button moves clockwise to the next player with chips; the small blind is the next one after it,
  the big blind the next after that. With two players the button has the small blind; if that would
  make a player pay the big blind twice in a row, the button stays for one hand.
* A level lasts some hands; the last one stays until the end. A player who cannot pay the blind or the
  ante in full is all in.
* Players who lose all chips in the same hand are placed by their chips before it; players with equal
  chips share the places.
* After ``max_hands`` hands the players who are left are placed by their chips; players with equal chips
  share the places, and first place counts for each in part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean

from gpuodds.machine.processes import Stop
from gpuodds.play.game import Deal, Player, play_hand
from gpuodds.play.tournaments.levels import Level
from gpuodds.play.turns import Played, Rules

DEFAULT_LEVEL_HANDS = 10
DEFAULT_MAX_HANDS = 1000

EachHand = Callable[[Sequence[int], Rules, Sequence[int], Deal, Sequence[Played]], None]
"""Called with the chair of each seat, the blinds, the chips of each chair before the hand, the cards of
the seats, and the moves."""


@dataclass(frozen=True)
class Game:
    """A game that was played; the players are in the order of their chairs.

    Attributes:
        places: The place of each player, 1 for the winner; the mean of places that are shared.
        stacks: The chips of each player after each hand.
        is_over: Whether one player has all chips; False if ``max_hands`` ended the game.
        luck: The luck of the cards by player and kind, in what chips were worth; None if not counted.
    """

    places: tuple[float, ...]
    stacks: tuple[tuple[int, ...], ...] = field(repr=False)
    is_over: bool
    luck: tuple[tuple[float, ...], ...] | None = field(default=None, repr=False)

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.stacks)

    def wins(self) -> tuple[float, ...]:
        """Return 1 for the winner, 0 for others; players who share first place share the 1."""
        best = min(self.places)
        winners = self.places.count(best)
        return tuple(float(place == best) / winners for place in self.places)


def play_game(
    players: Sequence[Player],
    stacks: Sequence[int],
    levels: Sequence[Level],
    *,
    level_hands: int = DEFAULT_LEVEL_HANDS,
    max_hands: int = DEFAULT_MAX_HANDS,
    button: int = 0,
    seed: int | str = 0,
    stop: Stop | None = None,
    each: EachHand | None = None,
) -> Game | None:
    """Play one game by the rules of this module.

    Args:
        players: Two to ten, in the order of their chairs, clockwise.
        stacks: The chips of each player at the start.
        levels: The blinds and antes; the last level stays.
        level_hands: The number of hands of a level.
        max_hands: The number of hands after which the game ends.
        button: The chair with the button in the first hand.
        seed: The cards of each chair in each hand follow from it.
        stop: The game is abandoned once this returns True.
        each: Called after each hand; see :data:`EachHand`.

    Returns:
        The game, or None if it was abandoned.

    Raises:
        InputError: pokerkit is not installed.
    """
    chairs, history = _Chairs(stacks, button), list[tuple[int, ...]]()
    mean_stack = max(1, round(fmean(stacks)))  # for bots that go by the price of a seat
    places: dict[int, float] = {}
    while len(places) < len(players) - 1 and len(history) < max_hands:
        if stop is not None and stop():
            return None
        level = levels[min(len(history) // level_hands, len(levels) - 1)]
        order = chairs.next_hand()
        # Every chair is dealt cards, so that a chair's cards do not depend on who is left.
        deal = Deal.drawn(len(players), Random(f"{seed} {len(history)}"))
        rules = Rules(len(order), level.small_blind, level.big_blind, level.ante, mean_stack)
        dealt = Deal(tuple(deal.hands[chair] for chair in order), deal.board)
        before = list(chairs.chips)
        result = play_hand(
            [players[chair] for chair in order],
            rules,
            dealt,
            stacks=[before[chair] for chair in order],
        )
        if each is not None:
            each(order, rules, before, dealt, result.moves)
        chairs.take(order, result.won)
        history.append(tuple(chairs.chips))
        out = [chair for chair in order if not chairs.chips[chair]]
        _place(places, out, before, len(order) - len(out) + 1)
    is_over = len(places) == len(players) - 1
    _place(places, [chair for chair, stack in enumerate(chairs.chips) if stack], chairs.chips, 1)
    return Game(tuple(places[chair] for chair in range(len(players))), tuple(history), is_over)


class _Chairs:
    """The chips of each chair, and how the button moves on."""

    def __init__(self, stacks: Sequence[int], button: int) -> None:
        self.chips = list(stacks)
        self._button = button
        self._seats, self._paid_big_blind = 0, -1  # in the hand before

    def next_hand(self) -> list[int]:
        """Return the chairs that play the next hand, in the order of the seats."""
        order = self._from_small_blind()
        if len(order) == 2 and self._seats > 2 and order[0] == self._paid_big_blind:
            self._button = order[0]
            order.reverse()
        self._seats, self._paid_big_blind = len(order), order[0 if len(order) == 2 else 1]
        return order

    def take(self, order: Sequence[int], won: Sequence[int]) -> None:
        """Add the chips won to the chairs of a hand, and move the button on."""
        for chair, chips in zip(order, won, strict=True):
            self.chips[chair] += chips
        self._button = self._from_small_blind()[0]

    def _from_small_blind(self) -> list[int]:
        """Return the chairs with chips, clockwise from the one after the button."""
        chairs = [(self._button + step) % len(self.chips) for step in range(1, len(self.chips) + 1)]
        return [chair for chair in chairs if self.chips[chair]]


def _place(places: dict[int, float], chairs: Sequence[int], chips: Sequence[int], first: int) -> None:
    """Give chairs the places from ``first`` on, by their chips; equal chips share their places."""
    for chair in chairs:
        above = sum(chips[other] > chips[chair] for other in chairs)
        equal = sum(chips[other] == chips[chair] for other in chairs)
        places[chair] = first + above + (equal - 1) / 2
