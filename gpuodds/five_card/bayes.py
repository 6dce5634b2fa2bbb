"""A card-counting opponent by Bayes' rule over the hands left in the deck.

It knows how many hands of each rank the unseen cards hold, and weighs them by how likely a player with
such a hand would have acted as was seen. How a player acts is unknown too, so it weighs a grid of
styles: how readily a player stays in, how strong a hand a player raises with, and how often a player
acts at random. Hands and styles are weighed together, turn by turn; a hand that is shown counts as what
it was. The opponent takes the action with the largest mean gain.
"""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt

from gpuodds.five_card.bayes_regression import pot_probability
from gpuodds.five_card.decks import count_hands, deck_without
from gpuodds.five_card.game import Showdown, Turn, View
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.hands.evaluate import rank_hand

Floats = npt.NDArray[np.float64]

BINS = 40  # of strength, each as likely before anything is seen
STEEPNESS = 8.0
READINESS = (-0.3, -0.1, 0.1, 0.3, 0.6)  # by how much a player stays in more than is sensible
RAISES_FROM = (0.3, 0.5, 0.65, 0.8, 0.95)  # the strength at which every second hand is raised
STRAYS = (0.02, 0.15, 0.5)  # how often a turn does not depend on the hand
FORGETS = 0.995  # what remains of the evidence after each hand
STYLES = np.array(list(product(READINESS, RAISES_FROM, STRAYS)))


class Bayes:
    """The opponent. ``explanation`` holds the numbers of its last decision."""

    def __init__(self, draw: Random) -> None:
        """Ignore ``draw``: the opponent draws nothing at random."""
        self.styles: Floats = np.full(len(STYLES), 1 / len(STYLES))
        self._likelihood: Floats = np.ones((len(STYLES), BINS))
        self._seen: frozenset[int] = frozenset()
        self.explanation: dict[str, float] = {}

    def act(self, view: View) -> Turn:
        """Take the action with the largest mean gain."""
        self._seen = view.seen
        wins = chance_to_win(view)
        joint = self.styles[:, None] * self._likelihood
        joint /= joint.sum()
        hands = joint.sum(axis=0)
        ahead = float(hands @ wins)
        gains = {Turn("call"): ahead * view.pot - (1 - ahead) * view.to_call}
        if view.to_call:
            gains[Turn("fold")] = 0.0
        for size in view.legal_raises:
            p_pot = pot_probability(view.pot + view.to_call + size, view.pot - view.bet, size)
            stays = 1 - turn_chances(p_pot)[0]
            called = (joint * stays).sum(axis=0)
            behind = called * (1 - wins)
            gains[Turn("raise", size)] = float(
                (1 - called.sum()) * view.pot
                + (called * wins).sum() * (view.pot + size)
                - behind.sum() * (view.to_call + size)
            )
        best = max(gains, key=lambda turn: gains[turn])
        self.explanation = {
            "ahead": ahead,
            "readiness": float(self.styles @ STYLES[:, 0]),
            "raises_from": float(self.styles @ STYLES[:, 1]),
            "strays": float(self.styles @ STYLES[:, 2]),
            **{f"gain of {turn.action} {turn.amount or ''}".strip(): gains[turn] for turn in gains},
        }
        return best

    def watch(self, turn: Turn, view: View) -> None:
        """Weigh hands and styles by a turn of the player."""
        p_pot = pot_probability(view.pot, view.bet, view.to_call)
        fold, call, raised = turn_chances(p_pot, bool(view.to_call), bool(view.most))
        self._likelihood = self._likelihood * {"fold": fold, "call": call, "raise": raised}[turn.action]

    def end(self, showdown: Showdown) -> None:
        """Learn the styles from the hand, the shown cards if there are any."""
        if showdown.shown is None:
            evidence = self._likelihood.mean(axis=1)
        else:
            deck = deck_without({*showdown.hand, *self._seen} - set(showdown.shown))
            counts = count_hands([deck])[0]
            rank = rank_hand(showdown.shown, HOLDEM)
            strength = (counts[:rank].sum() + counts[rank] / 2) / counts.sum()
            evidence = self._likelihood[:, min(int(strength * BINS), BINS - 1)]
        self.styles = self.styles**FORGETS * evidence
        self.styles /= self.styles.sum()
        self._likelihood = np.ones((len(STYLES), BINS))


def chance_to_win(view: View) -> Floats:
    """Return the chance to be ahead of the hands of each bin of strength, a tie being half of it."""
    counts = count_hands([deck_without({*view.hand, *view.seen})])[0].astype(np.float64)
    rank = rank_hand(view.hand, HOLDEM)
    below = float(counts[:rank].sum() / counts.sum())
    tied = float(counts[rank] / counts.sum())
    edges = np.arange(BINS + 1) / BINS
    behind = np.clip(edges, 0, below)
    even = np.clip(edges, below, below + tied)
    return (np.diff(behind) + np.diff(even) / 2) * BINS


def turn_chances(
    p_pot: float, can_fold: bool = True, can_raise: bool = True
) -> tuple[Floats, Floats, Floats]:
    """Return the chances to fold, call and raise, by style and by bin of strength.

    A sensible player stays in with a hand that wins more often than 1 - ``p_pot``.

    Args:
        p_pot: The pot probability of the turn.
        can_fold: Whether there is a bet to fold to.
        can_raise: Whether there is money to raise with.

    Returns:
        Each has the shape (styles, bins), float64.
    """
    strength = (np.arange(BINS) + 0.5) / BINS
    readiness, raises_from, strays = (column[:, None] for column in STYLES.T)
    stays = _logistic(STEEPNESS * (strength - (1 - p_pot) + readiness))
    if not can_fold:
        stays = np.ones_like(stays)
    raises = stays * _logistic(STEEPNESS * (strength - raises_from))
    if not can_raise:
        raises = np.zeros_like(raises)
    num_actions = 1 + can_fold + can_raise
    fold = (1 - strays) * (1 - stays) + strays * can_fold / num_actions
    raised = (1 - strays) * raises + strays * can_raise / num_actions
    return fold, 1 - fold - raised, raised


def _logistic(x: Floats) -> Floats:
    values: Floats = 1 / (1 + np.exp(-x))
    return values
