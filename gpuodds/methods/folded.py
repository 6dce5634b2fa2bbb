"""Folded players whose cards change no equity, or only as dead cards do: take them out of a spot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any

from gpuodds.cards import DECK_SIZE
from gpuodds.errors import ImpossibleDeal
from gpuodds.results.result import EquityResult

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot


@dataclass(frozen=True)
class Reduced:
    """A spot with the same equities, in which fewer players have folded.

    Attributes:
        spot: The spot.
        ways: The weighted number of ways to deal those who were taken out: the factor of all counts.
        reasons: Why each could be taken out, one line a kind.
    """

    spot: Spot
    ways: Any = 1
    reasons: tuple[str, ...] = ()

    def restore(self, found: EquityResult, asked: Spot) -> EquityResult:
        """Return the answer to the spot that was asked, from that to the reduced one.

        Samples are counted as they are.
        """
        if self.spot is asked:
            return found
        if self.ways == 1 or not found.exact:
            return replace(found, spot=asked)
        return replace(
            found,
            spot=asked,
            players=tuple(player.times(self.ways) for player in found.players),
            winners=self._restore_winners(found.winners),
            low_winners=self._restore_winners(found.low_winners),
        )

    def _restore_winners(self, winners: Mapping[str, Any] | None) -> dict[str, Any] | None:
        if winners is None:
            return None
        return {who: count * self.ways for who, count in winners.items()}


def reduce_folded(spot: Spot) -> Reduced:
    """Take out folded players with one hand, whose cards are dead, and those with any two cards.

    The cards of a player who would fold any hand are like those that stay in the deck: they change no
    equity. They multiply the outcomes by the number of pairs of cards that all others leave.

    Args:
        spot: The spot.

    Raises:
        ImpossibleDeal: The dead cards leave a folded player no hand.

    Example:
        >>> from gpuodds.spots.spot import Spot
        >>> reduced = reduce_folded(Spot.of(["AsKs", "QhQd"], folded=["2c2d", "random"]))
        >>> reduced.spot.folded, sorted(reduced.spot.dead), reduced.ways
        ((), [0, 1], 820)
    """
    if not spot.folded:
        return Reduced(spot)
    ways: Any = 1
    uniform: list[tuple[Any, Any]]
    rest: list[Any]
    uniform, rest, dead_hands, more = [], [], 0, True
    while more:
        uniform, rest, more = [], [], False
        dead = spot.dead
        for hand in spot.folded:
            kind, cards, weight = _kind(spot, hand)
            if kind == "hand" and not {*cards} & {*dead}:
                dead += cards
                ways *= weight
                dead_hands += 1
                more = True  # dead cards may leave others one hand, or any
            elif kind == "uniform":
                uniform.append((hand, weight))
            else:
                rest.append(hand)
        if more:
            spot = replace(spot, dead=dead, folded=(*(hand for hand, _ in uniform), *rest))
    for _, weight in uniform:
        ways *= weight
    spot = replace(spot, folded=tuple(rest))
    ranges = sum(not isinstance(hand, tuple) for hand in (*spot.hands, *spot.folded))
    left = spot.undealt - spot.game.hole_cards * (spot.opponents + ranges)
    for place in range(len(uniform)):
        ways *= comb(left - spot.game.hole_cards * place, spot.game.hole_cards)
    if not ways:
        raise ImpossibleDeal
    reasons = []
    if dead_hands:
        reasons.append("folded players with one hand: their cards are dead cards")
    if uniform:
        reasons.append("folded players with any two cards: they change no equity")
    return Reduced(spot, ways, tuple(reasons))


def _kind(spot: Spot, hand: Any) -> tuple[str, tuple[int, ...], Any]:
    """Return what a folded player has (``hand``, ``uniform``, ``range``), its cards and its weight."""
    import numpy as np

    if isinstance(hand, tuple):
        return "hand", hand, 1
    cards = spot.game.combo_cards()
    out = np.zeros(DECK_SIZE, bool)
    out[[*spot.known]] = True
    free = ~out[cards].any(axis=1)
    weights = hand.weights[free]
    held = np.flatnonzero(weights)
    if not len(held):
        raise ImpossibleDeal(f"{hand.name}: every hand of the folded range has a card that is known")
    weight = float(weights[held[0]])
    number = int(weight) if weight == 1.0 else weight
    if len(held) == 1:
        return "hand", tuple(cards[free][held[0]].tolist()), number
    if len(held) == len(weights) and bool((weights == weights[0]).all()):
        return "uniform", (), number
    return "range", (), 1
