"""Where the counting is done: one set of operations in two homes, the CPU and NVIDIA GPUs.

Both give the same integers. Nothing of either is imported before it is chosen.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gpuodds.errors import InputError

if TYPE_CHECKING:
    from gpuodds.holdem.multiway import MatchingCounts
    from gpuodds.spot import Spot

Progress = Callable[[float], None]
"""Is told the share of the work that is done, 0 to 1."""

EXPECTED = "expected auto, cpu, cuda, or cuda with device numbers such as cuda:0,2"


class Backend(Protocol):
    """The operations that a backend has."""

    name: str

    def rank_cards(self, cards: Any) -> Any:
        """Return the hand ranks (n,) uint16 of cards (n, 5..7) uint8, which are not checked."""

    def rank_holdings(self, boards: Any) -> Any:
        """Return the hand ranks (n, 1326) uint16 of every holding on boards (n, 5) uint8.

        Holding (a, b), a < b, has the number b (b - 1) / 2 + a; its rank is 0 where it shares a card
        with the board.
        """

    def heads_up_matrix(
        self, board: Sequence[int], dead: Sequence[int], progress: Progress | None
    ) -> Any:
        """Return (win, tie): the boards on which one holding beats another, and ties it.

        Both are int64 (1326, 1326), the first holding by row, numbered as in ``rank_holdings``.
        """

    def matching_counts(
        self, spots: Sequence[Spot], most: int, progress: Progress | None
    ) -> list[dict[int, MatchingCounts]]:
        """Sum, spot by spot, the matchings of threat graphs with up to ``most`` edges.

        The keys are sets of known players, as masks: those who share the best known hand. The spots
        have as many known hands and board cards as each other. See :mod:`gpuodds.holdem.multiway`.
        """

    def unbeaten_deals(self, hands: Any, boards: Any, most: int, progress: Progress | None) -> Any:
        """Count the deals of k = 1 to ``most`` opponents in which nobody beats a hand, by ties.

        ``hands`` (n, 2) and ``boards`` (n, 0..5) are uint8 card numbers, which are not checked. Returns
        uint64 (n, most, most + 1, 2): entry [i, k - 1, t] is a 128-bit number, lower and upper half.
        """


def choose_backend(name: str) -> Backend:
    """Return the backend of a name; ``auto`` asks ``GPUODDS_BACKEND`` first, then takes a GPU if any.

    Raises:
        InputError: The name is none, or a GPU is asked for by name and there is none; it says why.
    """
    wanted = os.environ.get("GPUODDS_BACKEND", "auto") if name == "auto" else name
    if not re.fullmatch(r"auto|cpu|cuda(:\d+(,\d+)*)?", wanted):
        raise InputError(f"backend {wanted!r}: {EXPECTED}")
    if wanted != "cpu":
        from gpuodds.cuda.device import why_no_device

        reason = why_no_device()
        if reason is None:
            from gpuodds.cuda.backend import CudaBackend

            return CudaBackend(wanted)
        if wanted != "auto":
            raise InputError(f"backend {wanted!r}: {reason}")
        logging.getLogger("gpuodds").info("computing on the CPU: %s", reason)
    from gpuodds.cpu.backend import CpuBackend

    return CpuBackend()


def check_name(name: str) -> None:
    """Refuse a backend that is not there, without choosing one for ``auto``."""
    if name != "auto" or os.environ.get("GPUODDS_BACKEND", "auto") not in ("auto", "cpu"):
        choose_backend(name)
