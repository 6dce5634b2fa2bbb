"""Explain one decision: what all-in and a fold are worth with a hand, and against which ranges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.starting_hands import starting_hands
from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.outcomes import Ints, Outcomes
from gpuodds.short_stacks.settling import normal_order, orders
from gpuodds.short_stacks.solving import counts_of, make_game, strategy_of
from gpuodds.short_stacks.spot import History, PushFoldSpot

if TYPE_CHECKING:
    from gpuodds.short_stacks.result import PushFoldResult
    from gpuodds.short_stacks.search.solver import Floats, Strategy


@dataclass(frozen=True)
class Ending:
    """What may come of going all-in.

    Attributes:
        callers: The positions that call or go all-in later, ``"no one"`` (or ``"no one else"``) where
            all fold, ``"any"`` where all calls are taken together, as with four players and more.
        chance: Its chance, given the history and the hand.
        equity: The share of the main pot that is won; 1 if all fold.
        value: What it is worth, in the unit of the values.
    """

    callers: str
    chance: float
    equity: float
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "callers": self.callers,
            "chance": self.chance,
            "equity": self.equity,
            "value": self.value,
        }


@dataclass(frozen=True)
class Opponent:
    """An opponent in a decision.

    Attributes:
        position: The position.
        is_all_in: Whether he is all-in already, and not behind.
        percent: The share of all combos with which he is, or would be as the only one to call, all-in.
        hands: These hands, as the text of a range.
    """

    position: str
    is_all_in: bool
    percent: float
    hands: str

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "position": self.position,
            "all_in": self.is_all_in,
            "percent": self.percent,
            "range": self.hands,
        }


@dataclass(frozen=True)
class Decision:
    """What all-in and a fold are worth with a hand.

    Attributes:
        place: The position with its history, such as ``"BB:SB"``.
        hand: The starting hand.
        probability: The probability of all-in in the strategy.
        chance: The chance of this history when the player has the hand.
        all_in: What all-in is worth, in the unit of the values, given history and hand.
        fold: What a fold is worth, likewise.
        endings: What may come of all-in.
        opponents: Who is all-in already or may call.
        unit: ``"chips"`` or ``"prize"``.
    """

    place: str
    hand: str
    probability: float
    chance: float
    all_in: float
    fold: float
    endings: tuple[Ending, ...]
    opponents: tuple[Opponent, ...]
    unit: str

    @property
    def difference(self) -> float:
        """How much more all-in is worth than a fold."""
        return self.all_in - self.fold

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON object."""
        return {
            "place": self.place,
            "hand": self.hand,
            "probability": self.probability,
            "chance": self.chance,
            "all_in": self.all_in,
            "fold": self.fold,
            "difference": self.difference,
            "unit": self.unit,
            "endings": [ending.to_dict() for ending in self.endings],
            "opponents": [opponent.to_dict() for opponent in self.opponents],
        }


def explain(result: PushFoldResult, place: str, hand: str) -> Decision:
    """Explain a decision of an answer: see :meth:`PushFoldResult.explain`."""
    spot = result.spot
    player, history = spot.read_place(place)
    result.chart(place)
    names = starting_hands()
    if hand not in names:
        raise InputError(f"hand {excerpt(hand)}: expected a starting hand, such as A5s")
    number = names.index(hand)
    row = Rows(spot).row_of.get((player, history))
    if row is None:
        raise InputError(f"position {excerpt(place)}: there is no choice: all-in with every hand")
    strategy = strategy_of(result)
    if spot.players <= 3:
        chance, all_in, fold, endings = _listed(spot, strategy, player, history, number)
    else:
        chance, all_in, fold, endings = _taken_together(spot, strategy, player, row, number)
    opponents = [
        _opponent(result, other, tuple(x for x in history if x < other), is_all_in=True)
        for other in history
    ] + [
        _opponent(result, other, (*history, player), is_all_in=False)
        for other in range(player + 1, spot.players)
    ]
    probability = result.chart(place)[hand]
    name = spot.describe(player, history)
    return Decision(
        name, hand, probability, chance, all_in, fold, tuple(endings), tuple(opponents), spot.unit
    )


def _opponent(result: PushFoldResult, player: int, history: History, *, is_all_in: bool) -> Opponent:
    place = result.spot.describe(player, history)
    percent, text = result.percent(place), str(result.range(place))
    return Opponent(result.positions[player], is_all_in, percent, text)


Explained = tuple[float, float, float, list[Ending]]


def _listed(
    spot: PushFoldSpot, strategy: Strategy, player: int, history: History, hand: int
) -> Explained:
    """Explain a decision of two or three players: each ending is counted."""
    rows, worth, deals = Rows(spot), Outcomes(spot), counts_of(spot.players)
    others = [other for other in range(spot.players) if other != player]
    counts: dict[Any, Floats] = {}
    for order in orders(spot.players):
        counts[order] = np.take(deals.count(order), hand, axis=player).astype(np.float64)
    endings: list[Ending] = []
    none = "no one else" if history else "no one"
    totals = {True: 0.0, False: 0.0}
    chances = {True: 0.0, False: 0.0}
    whole = sum(float(table.sum()) for table in counts.values())
    for end in rows.ends:
        if tuple(other for other in end if other < player) != history:
            continue
        weights: Floats = np.ones(())
        for other in others:
            row, is_in = rows.turn_in(end, other)
            played = np.ones(strategy.shape[1]) if row is None else strategy[row]
            chosen = played if is_in or row is None else 1 - played
            weights = np.multiply.outer(weights, chosen)
        pot = rows.in_the_pot(end)
        chance = value = share = 0.0
        for order, table in counts.items():
            here = float((table * weights).sum()) / whole
            of_pot = normal_order([order[other] for other in pot])
            value += here * float(worth.values(pot, np.array([of_pot]))[0, player])
            chance += here
            if player in pot and of_pot[pot.index(player)] == 0:
                share += here / of_pot.count(0)
        is_in = player in end
        totals[is_in] += value
        chances[is_in] += chance
        if is_in:
            callers = ", ".join(spot.positions[other] for other in end if other > player)
            endings.append(Ending(callers or none, chance, _over(share, chance), _over(value, chance)))
    chance = chances[True]
    endings = [
        Ending(ending.callers, _over(ending.chance, chance), ending.equity, ending.value)
        for ending in endings
    ]
    return chance, _over(totals[True], chance), _over(totals[False], chances[False]), endings


class _Masked:
    """Other values of endings: what a function makes of those in which a player is all-in; else 0."""

    def __init__(self, players: int, player: int, value: Callable[[History, Ints], Floats]) -> None:
        self.players, self.player, self.value = players, player, value

    def values(self, all_in: History, listed: Ints) -> Floats:
        """Return the values, the player's alone."""
        found = np.zeros((len(listed), self.players))
        if self.player in all_in:
            found[:, self.player] = self.value(all_in, listed)
        return found


def _taken_together(
    spot: PushFoldSpot, strategy: Strategy, player: int, row: int, hand: int
) -> Explained:
    """Explain a decision of four players and more: all calls together."""
    outcomes = Outcomes(spot)

    def share(all_in: History, listed: Ints) -> Floats:
        won = listed == 0
        own = won[:, all_in.index(player)]
        return np.asarray(own / won.sum(axis=1))

    def ask(value: Callable[[History, Ints], Floats]) -> float:
        game = make_game(spot, _Masked(spot.players, player, value))
        return float(game.advantages(strategy, 0)[row, hand])

    def is_called(all_in: History, listed: Ints) -> Floats:
        return np.full(len(listed), float(len(all_in) > 1))

    reach = ask(lambda _, listed: np.ones(len(listed)))
    called = ask(is_called)
    won = ask(lambda all_in, listed: share(all_in, listed) * is_called(all_in, listed))
    total = ask(lambda all_in, listed: outcomes.values(all_in, listed)[:, player])
    alone = float(outcomes.values((player,), np.zeros((1, 1), np.int64))[0, player])
    game = make_game(spot, outcomes)
    difference = float(game.advantages(strategy, 0)[row, hand])
    quiet = reach - called
    endings = [
        Ending("any", _over(called, reach), _over(won, called), _over(total - quiet * alone, called))
    ]
    if not spot.histories[row][1]:
        endings.insert(0, Ending("no one", _over(quiet, reach), 1.0, alone))
    all_in = _over(total, reach)
    return reach / float(game.hand_chances[hand]), all_in, all_in - _over(difference, reach), endings


def _over(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
