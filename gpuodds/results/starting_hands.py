"""The hands of a player's range by starting hand, and those with at least some equity."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.cards import parse_cards
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.results.player_equity import HandEquity
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.spots.ranges.range import Range


def by_starting_hand(game: Game, hands: Iterable[HandEquity]) -> tuple[HandEquity, ...]:
    """Return the weighted means of combos by starting hand, in Omaha by ranks and suits, best first."""
    sums: dict[str, list[float]] = {}
    for hand in hands:
        whole = sums.setdefault(game.hand_group(parse_cards(hand.hand)), [0.0] * 4)
        for place, share in enumerate((1.0, hand.equity, hand.win, hand.tie)):
            whole[place] += hand.weight * share
    means = (
        HandEquity(group, weight, *(share / weight for share in shares))
        for group, (weight, *shares) in sums.items()
    )
    return tuple(sorted(means, key=lambda hand: -hand.equity))


def hands_above(spot: Spot, place: int, hands: Iterable[HandEquity], equity: float) -> Range:
    """Return the part of a player's range with at least an equity; see ``EquityResult.hands_above``."""
    from gpuodds.spots.ranges.range import Range

    if not 0 <= equity <= 1:
        raise InputError(f"equity {equity}: expected 0 to 1")
    game, hand_or_range = spot.game, spot.hands[place]
    listed: dict[int, HandEquity] = {game.combo_number(parse_cards(hand.hand)): hand for hand in hands}
    weights = np.zeros(game.combos)
    groups: dict[str, bool] = {}
    blocked: list[tuple[str, int, float]] = []
    held = (
        hand_or_range
        if isinstance(hand_or_range, Range)
        else Range.of_combos([hand_or_range], game=game)
    )
    numbers = np.flatnonzero(held.weights)
    for number, cards in zip(numbers.tolist(), game.cards_of(numbers).tolist(), strict=True):
        group, hand, weight = game.hand_group(cards), listed.get(number), held.weights[number]
        if hand is None:
            blocked.append((group, number, weight))
            continue
        is_above = hand.equity >= equity
        groups[group] = groups.get(group, True) and is_above
        if is_above:
            weights[number] = weight
    for group, number, weight in blocked:
        if groups.get(group, False):
            weights[number] = weight
    return Range.of(weights, game=game)
