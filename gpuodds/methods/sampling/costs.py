"""Estimate how many deals sampling draws until its limits are met, and how long these take."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from gpuodds.backends.operations.samples import (
    DEAL,
    PLAYER_OF_DEAL,
    deal_seconds,
    omaha_deal_seconds,
)
from gpuodds.cards import DECK_SIZE
from gpuodds.games.game import OMAHA_FAMILY
from gpuodds.methods.options import DEFAULT_ERROR, SamplingOptions

if TYPE_CHECKING:
    from gpuodds.spots.spot import Spot

VARIANCE = 0.25  # of a share of the pot, at most
# Of that in pairs of deals on boards in turn: by the cards of opponents, and by the board.
ON_A_BOARD, BETWEEN_BOARDS = VARIANCE / 2, VARIANCE / 2
MAX_DRAWS = 1e6


def sampling_seconds(spot: Spot, sampling: SamplingOptions, threads: int) -> float:
    """Estimate how long sampling takes until the samples or the standard error are reached.

    Args:
        spot: The spot, whose players are all named.
        sampling: The limits of the sampling; the estimate ignores its time limit.
        threads: Threads that sample.

    Returns:
        Seconds.
    """
    return _deals(spot, sampling) * _deal_seconds(spot) / threads


def least_sampling_seconds(sampling: SamplingOptions, threads: int) -> float:
    """Return the least that samples or a standard error take on any spot; 0 without either."""
    if sampling.samples is None and sampling.standard_error is None:
        return 0.0
    samples = sampling.samples or ON_A_BOARD / (sampling.standard_error or DEFAULT_ERROR) ** 2
    return samples * (DEAL + 2 * PLAYER_OF_DEAL) / threads


def _deal_seconds(spot: Spot) -> float:
    """Estimate how long a deal takes one thread."""
    every = len(spot.hands) + len(spot.folded)
    drawn = every if len(spot.known_hands) + len(spot.folded_hands) < every else 0
    if spot.game.family == OMAHA_FAMILY:
        draws = _draws_per_omaha_deal(spot) if drawn else 1.0
        return omaha_deal_seconds(spot.game.hole_cards, spot.players, drawn, draws)
    return deal_seconds(spot.players, drawn, _draws_per_deal(spot) if drawn else 1.0)


def _deals(spot: Spot, sampling: SamplingOptions) -> float:
    """Return the number of deals until the samples or the standard error are reached.

    Where boards come in turn, the variance between boards adds less to the error the more boards have
    come, and nothing once all have.
    """
    if sampling.samples:
        return sampling.samples
    wanted = (sampling.standard_error or DEFAULT_ERROR) ** 2
    if not spot.is_dealt_in_pairs:
        return VARIANCE / wanted
    half = ON_A_BOARD / 2  # what a pair has of it
    return 2 * max((half + BETWEEN_BOARDS) / (wanted + BETWEEN_BOARDS / spot.boards), half / wanted)


def _draws_per_deal(spot: Spot) -> float:
    """Return the expected number of draws until no two players with ranges, folded too, share a card.

    The estimate treats pairs of ranges as independent.
    """
    import numpy as np

    cards = spot.game.combo_cards()
    rows = np.vstack([spot.weights, spot.folded_weights])
    rows /= rows.sum(axis=1, keepdims=True)
    by_card = np.zeros((len(rows), DECK_SIZE))
    for row, held in zip(rows, by_card, strict=True):
        for column in cards.T:
            np.add.at(held, column, row)
    apart = 1.0
    for first in range(len(rows)):
        for second in range(first):
            # The chance of a card in common; two cards in common count once.
            shared = by_card[first] @ by_card[second] - rows[first] @ rows[second]
            apart *= max(1 - float(shared), 1 / MAX_DRAWS)
    return 1 / apart


def _draws_per_omaha_deal(spot: Spot) -> float:
    """Return about how many draws it takes until no two players with ranges share a card."""
    import numpy as np

    by_card = np.zeros((len(spot.hands) + len(spot.folded), DECK_SIZE))
    for row, held in zip(by_card, (*spot.held, *spot.held_by_folded), strict=True):
        for column in held.cards.T:
            row += np.bincount(column, held.weights, DECK_SIZE)
        row /= held.weights.sum()
    shared = (by_card.sum(axis=0) ** 2 - (by_card**2).sum(axis=0)).sum() / 2
    return min(exp(float(shared)), MAX_DRAWS)
