"""The methods of each family of games, in the order in which the planner asks them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from gpuodds.games.game import HOLDEM_FAMILY, OMAHA_FAMILY, Game

if TYPE_CHECKING:
    from gpuodds.methods.method import Method

METHODS: dict[str, tuple[str, ...]] = {
    HOLDEM_FAMILY: (
        "gpuodds.methods.holdem.table:TableLookUp",
        "gpuodds.methods.holdem.known_hands:KnownHands",
        "gpuodds.methods.holdem.showdowns:Showdowns",
        "gpuodds.methods.holdem.listed_hands:ListedHands",
    ),
    OMAHA_FAMILY: (
        "gpuodds.methods.omaha.table:TableLookUp",
        "gpuodds.methods.omaha.known_hands:KnownHands",
        "gpuodds.methods.omaha.one_random_hand:OneRandomHand",
        "gpuodds.methods.omaha.showdowns:Showdowns",
        "gpuodds.methods.omaha.three_ranges:ThreeRanges",
        "gpuodds.methods.omaha.listed_hands:ListedHands",
    ),
}
"""The methods that answer exactly, by module and class: a module is loaded when its method is asked."""
SYMMETRY = "gpuodds.methods.symmetry:Symmetry"
"""The method of spots whose players are all alike, where counting would take long."""
SAMPLING = "gpuodds.methods.sampling.monte_carlo:MonteCarlo"
"""The method of what takes too long to count."""


def methods_of(game: Game) -> Iterator[Method]:
    """Yield the methods that count the spots of a game."""
    return map(load_method, METHODS[game.family])


@cache
def load_method(name: str) -> Method:
    """Return the method of a module and class."""
    module, _, kind = name.partition(":")
    return cast("Method", getattr(import_module(module), kind)())
