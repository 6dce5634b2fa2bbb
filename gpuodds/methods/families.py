"""The methods of each family of games: a module for each, with the same functions."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from gpuodds.games.game import HOLDEM_FAMILY, OMAHA_FAMILY, Game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuodds.backends.protocol import Progress
    from gpuodds.methods.options import Options
    from gpuodds.results.result import EquityResult, PlayerEquity
    from gpuodds.spots.spot import Spot

_MODULES = {HOLDEM_FAMILY: "gpuodds.methods.holdem", OMAHA_FAMILY: "gpuodds.methods.omaha.family"}


class Family(Protocol):
    """What the planner needs to know of a family: the ways to answer a spot, and what each costs."""

    ALWAYS: frozenset[str]
    """Methods that are taken whatever they cost."""

    def is_in_table(self, spot: Spot, options: Options) -> bool:
        """Tell whether a table that ships answers a spot, and may."""
        ...

    def why_not_in_table(self, spot: Spot, options: Options) -> str:
        """Return why no table that ships answers a spot; empty if one does."""
        ...

    def table_of(self, spot: Spot, options: Options) -> str:
        """Return the name of the shipped table that answers a spot."""
        ...

    def counting_seconds(
        self, spot: Spot, options: Options, threads: int | None = None
    ) -> dict[str, float]:
        """Estimate how long each counting method takes, without methods that cannot answer."""
        ...

    def all_counting_seconds(self, spot: Spot, options: Options) -> dict[str, float]:
        """Estimate as above, those methods too that a cheaper kind keeps from use."""
        ...

    def refusals(self, spot: Spot, options: Options) -> dict[str, str]:
        """Return why counting methods cannot answer a spot, for those that cannot."""
        ...

    def deal_seconds(self, spot: Spot) -> float:
        """Estimate how long a sampled deal takes one thread."""
        ...

    def count(
        self,
        method: str,
        spot: Spot,
        options: Options,
        progress: Progress | None,
        seconds: float,
    ) -> EquityResult:
        """Answer a spot by a table or by a method that counts.

        Args:
            method: The method.
            spot: The spot.
            options: The options of the answer.
            progress: Called with the fraction done, 0 to 1.
            seconds: About how long the CPU takes.
        """
        ...

    def report_seconds(
        self, spot: Spot, deals: Sequence[tuple[int, ...]], threads: int | None = None
    ) -> float | None:
        """Estimate how long all boards of the next street take in one pass.

        Args:
            spot: A spot before the flop or on it.
            deals: The cards that come, for one board of each class.
            threads: The threads of the computation; None for those of this process.

        Returns:
            Seconds; None if the boards are to be answered one by one.
        """
        ...

    def count_report(
        self,
        spot: Spot,
        deals: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        backend: str,
        progress: Progress | None,
        seconds: float,
    ) -> tuple[list[tuple[PlayerEquity, ...]], str]:
        """Count a spot on all boards of the next street in one pass.

        Args:
            spot: The spot; :meth:`report_seconds` is not None.
            deals: The cards that come, for one board of each class.
            weights: The number of boards of each class.
            backend: The backend.
            progress: Called with the fraction done, 0 to 1.
            seconds: About how long the CPU takes.

        Returns:
            The named players' counts over all boards of each class, and the name of the backend.
        """
        ...


@cache
def family_of(game: Game) -> Family:
    """Return the methods of a game."""
    return cast(Family, import_module(_MODULES[game.family]))
