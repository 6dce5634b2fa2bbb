"""Requests up to the names of the suits and the order of players and cards.

Requests that differ in nothing else have the same answer. :func:`canonical_form` finds the smallest
of a spot's relabellings, players sorted. Answers are cached in that form, and turned back into the
suits, order and words of each request (:mod:`gpuodds.server.reading.answer_form`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.omaha.combos import combo_numbers, renamed_cards
from gpuodds.games.shared.combos import suit_relabellings
from gpuodds.server.reading.answer_form import Suits
from gpuodds.spots.hands import Hand
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.spot import Spot

RELABELLINGS: list[Suits] = list(permutations(range(4)))
MAX_RELABELLED = 10_000  # combos of a range that is relabelled, in some tens of milliseconds
Player = Hand | Range


class Canonical(NamedTuple):
    """The canonical form of a spot, and how the spot is turned into it."""

    form: Any
    suits: Suits
    order: list[int]
    """The spot's player at each place of the form."""


def canonical_form(spot: Spot) -> Canonical:
    """Return the smallest form of a spot under the relabellings of the suits.

    The cards that are known come first in it: ranges are relabelled only where those leave a choice.
    Ranges of many thousands of combos are not relabelled: what leaves them as they are is tried alone,
    so some requests that differ in the names of the suits only are computed each.
    """
    tried = _relabellings(spot)
    known = {
        number: (
            relabelled_cards(spot.board, RELABELLINGS[number]),
            relabelled_cards(spot.dead, RELABELLINGS[number]),
            sorted(relabelled_cards(hand, RELABELLINGS[number]) for hand in spot.known_hands),
        )
        for number in tried
    }
    smallest = min(known.values())
    hands = [_Form(hand, spot.game) for hand in spot.hands]
    gone = [_Form(hand, spot.game) for hand in spot.folded]
    forms = []
    for number, cards in known.items():
        if cards != smallest:
            continue
        players = [hand.after(number) for hand in hands]
        folded = sorted(hand.after(number) for hand in gone)
        order = sorted(range(len(players)), key=lambda place: players[place])
        form = (*cards[:2], [players[place] for place in order], folded)
        forms.append(Canonical(form, RELABELLINGS[number], order))
    return min(forms, key=lambda candidate: candidate.form)


def plain_form(spot: Spot) -> Any:
    """Return the form of a spot in its own suits and order of players, cards sorted."""
    players = [_Form(hand, spot.game).after(0) for hand in spot.hands]
    return sorted(spot.board), sorted(spot.dead), players


def hash_of(value: object) -> str:
    """Return a key, equal for equal values."""
    return hashlib.sha256(repr(value).encode()).hexdigest()


def relabelled_cards(cards: Sequence[int], suits: Suits) -> tuple[int, ...]:
    """Return cards with other suits, ascending."""
    return tuple(sorted(card & ~3 | suits[card & 3] for card in cards))


def _relabellings(spot: Spot) -> list[int]:
    """Return the numbers of the relabellings to try; the first leaves the suits as they are."""
    ranges = [hand for hand in (*spot.hands, *spot.folded) if isinstance(hand, Range)]
    groups = [hand.facts.suit_group for hand in ranges if hand.num_combos > MAX_RELABELLED]
    return sorted(frozenset(range(len(RELABELLINGS))).intersection(*groups))


class _Form:
    """A player after each relabelling: hands sort before ranges, which are hashed."""

    def __init__(self, player: Player, game: Game) -> None:
        self._player, self._game = player, game

    @cached_property
    def _unchanged(self) -> str:
        weights = cast("Range", self._player).weights
        combos = np.flatnonzero(weights)
        return _hash_of_hands(combos, weights[combos])

    def after(self, number: int) -> tuple[int, tuple[int, ...] | str]:
        """Return the player after the relabelling of a number."""
        player = self._player
        if isinstance(player, tuple):
            return 0, relabelled_cards(player, RELABELLINGS[number])
        if number in player.facts.suit_group:  # any, if the range names no suit
            return 1, self._unchanged
        weights, combos = player.weights, np.flatnonzero(player.weights)
        if self._game.family == HOLDEM_FAMILY:
            numbers = suit_relabellings()[number][combos]
        else:
            numbers = combo_numbers(renamed_cards(self._game.cards_of(combos), number))
        order = np.argsort(numbers)
        return 1, _hash_of_hands(numbers[order], weights[combos][order])


def _hash_of_hands(numbers: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> str:
    return hashlib.sha256(numbers.tobytes() + weights.tobytes()).hexdigest()
