"""The numbers of hands on boards, up to the names of suits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.spots.arrays import device_of, is_on_device

if TYPE_CHECKING:
    pass

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class CanonicalRows(Operation[Ints]):
    """Return the rows (n,) of hands (n, 2) on boards (n, 0..5).

    See :mod:`gpuodds.games.holdem.canonical`.
    """

    name: ClassVar[str] = "canonical_rows"
    hands: UInt8s
    boards: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.canonical import canonical_rows

        return canonical_rows(self.hands, self.boards)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        import cupy

        from gpuodds.backends.cuda.arrays.canonical import canonical_rows
        from gpuodds.backends.cuda.shared.pieces import working_on

        here = is_on_device(self.hands)
        with working_on(device_of(self.hands) if here else devices[0]):
            rows: Ints = canonical_rows(cupy.asarray(self.hands), cupy.asarray(self.boards))
            return rows if here else cupy.asnumpy(rows)


@dataclass(frozen=True, eq=False)
class CanonicalSituations(Operation[tuple[UInt8s, UInt8s]]):
    """Return the hands (n, 2) and boards (n, size) of rows (n,)."""

    name: ClassVar[str] = "canonical_situations"
    rows: Ints
    size: int

    def on_cpu(self, progress: Progress | None = None) -> tuple[UInt8s, UInt8s]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.canonical import canonical_situations

        return canonical_situations(self.rows, self.size)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> tuple[UInt8s, UInt8s]:
        """Count on GPUs."""
        import cupy

        from gpuodds.backends.cuda.arrays.canonical import canonical_situations
        from gpuodds.backends.cuda.shared.pieces import working_on

        here = is_on_device(self.rows)
        with working_on(device_of(self.rows) if here else devices[0]):
            hands, boards = canonical_situations(cupy.asarray(self.rows), self.size)
            return (hands, boards) if here else (cupy.asnumpy(hands), cupy.asnumpy(boards))


@dataclass(frozen=True, eq=False)
class RecallRows(Operation[Ints]):
    """Return the numbers (n,), with perfect recall, of hands (n, 2) on boards (n, 4) or (n, 5).

    See :mod:`gpuodds.games.holdem.recall`.
    """

    name: ClassVar[str] = "recall_rows"
    hands: UInt8s
    boards: UInt8s

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.recall import recall_rows

        return recall_rows(self.hands, self.boards)

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        import cupy

        from gpuodds.backends.cuda.arrays.recall import recall_rows
        from gpuodds.backends.cuda.shared.pieces import working_on

        here = is_on_device(self.hands)
        with working_on(device_of(self.hands) if here else devices[0]):
            rows: Ints = recall_rows(cupy.asarray(self.hands), cupy.asarray(self.boards))
            return rows if here else cupy.asnumpy(rows)


@dataclass(frozen=True, eq=False)
class RecalledSituations(Operation[tuple[UInt8s, UInt8s]]):
    """Return the hands (n, 2) and boards (n, size) of numbers (n,) with perfect recall."""

    name: ClassVar[str] = "recalled_situations"
    rows: Ints
    size: int

    def on_cpu(self, progress: Progress | None = None) -> tuple[UInt8s, UInt8s]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.arrays.recall import recalled_situations

        return recalled_situations(self.rows, self.size)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> tuple[UInt8s, UInt8s]:
        """Count on GPUs."""
        import cupy

        from gpuodds.backends.cuda.arrays.recall import recalled_situations
        from gpuodds.backends.cuda.shared.pieces import working_on

        here = is_on_device(self.rows)
        with working_on(device_of(self.rows) if here else devices[0]):
            hands, boards = recalled_situations(cupy.asarray(self.rows), self.size)
            return (hands, boards) if here else (cupy.asnumpy(hands), cupy.asnumpy(boards))
