"""Values of hands at showdowns and folds, for solvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.games.holdem.game import Holdem

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]

SHOWDOWN = {2: 8e-6, 3: 1e-4}
"""Seconds for the values of all players at a showdown, by the number of players."""
FOLD = {2: 3e-6, 3: 3e-5}
"""Seconds for the values of all players without one."""
ORDERED_BOARD = 6e-5
"""Seconds to sort the combos of a board."""


@dataclass(frozen=True, eq=False)
class OrderCombos(Operation[StrengthOrders]):
    """Sort the combos of boards by strength, on the CPU: GPUs are sent the orders.

    Attributes:
        game: Hold'em or short deck.
        boards: Full boards, shape (n, 5), uint8.
    """

    name: ClassVar[str] = "order_combos"
    game: Holdem
    boards: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> StrengthOrders:
        """Sort on the CPU."""
        from gpuodds.backends.cpu.values.orders import order_combos

        return order_combos(self.boards, self.game)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> StrengthOrders:
        """Sort on the CPU: a board takes microseconds, once."""
        return self.on_cpu(progress)


@dataclass(frozen=True, eq=False)
class ShowdownValues(Operation[Any]):
    """Sum up, for every hand of two or three players, what it wins of the others' hands at a showdown.

    For each player and hand the sum, over the others' hands that share no card with it or each other,
    of the product of their weights times the share of the pot times the players less one. The sums
    are float64. Returns ``out``.

    Attributes:
        orders: The combos of the boards by strength.
        boards: The board of each item, shape (batch,), int64.
        folded: Which of three players has folded, -1 if none: the player has no share, and hands that
            others cannot hold.
        reach: Weights, shape (batch, players, 1326), float32 or float64, contiguous.
        out: Receives the values, an array of the same kind, which may be ``reach`` itself.
    """

    name: ClassVar[str] = "showdown_values"
    orders: StrengthOrders
    boards: Ints
    folded: int
    reach: Any
    out: Any

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return len(self.reach) * SHOWDOWN[self.reach.shape[1]] / threads

    def on_cpu(self, progress: Progress | None = None) -> Any:
        """Add up on the CPU."""
        from gpuodds.backends.cpu.values.values import showdown_values

        showdown_values(self.orders, self.boards, self.folded, self.reach, self.out, self.seconds(1))
        return self.out

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Any:
        """Add up on the first of the devices, or that of the arrays."""
        from gpuodds.backends.cuda.values.values import showdown_values

        return showdown_values(self.orders, self.boards, self.folded, self.reach, self.out, devices)


@dataclass(frozen=True, eq=False)
class FoldValues(Operation[Any]):
    """Sum up, for every hand of two or three players, the weights of the others' hands beside it.

    As :class:`ShowdownValues` with a factor of 1. Returns ``out``.

    Attributes:
        live: Which combos can be dealt, shape (1326,).
        reach: Weights, shape (batch, players, 1326), float32 or float64, contiguous.
        out: Receives the values, an array of the same kind, which may be ``reach`` itself.
    """

    name: ClassVar[str] = "fold_values"
    live: Bools
    reach: Any
    out: Any

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        return len(self.reach) * FOLD[self.reach.shape[1]] / threads

    def on_cpu(self, progress: Progress | None = None) -> Any:
        """Add up on the CPU."""
        from gpuodds.backends.cpu.values.values import fold_values

        fold_values(self.live, self.reach, self.out, self.seconds(1))
        return self.out

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Any:
        """Add up on the first of the devices, or that of the arrays."""
        from gpuodds.backends.cuda.values.values import fold_values

        return fold_values(self.live, self.reach, self.out, devices)
