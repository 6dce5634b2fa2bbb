"""Omaha's operations of the CUDA backend."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.backend import CpuBackend
from gpuodds.backends.cuda.device import free_bytes
from gpuodds.backends.cuda.omaha_random import count_against_random
from gpuodds.backends.cuda.omaha_ranks import low_ranks, rank_hands
from gpuodds.backends.cuda.omaha_sampling import sample_omaha
from gpuodds.backends.cuda.omaha_showdowns import can_count, can_keep, count_preflop, count_showdowns
from gpuodds.backends.cuda.pieces import share_out, working_on
from gpuodds.backends.omaha_protocol import OmahaShowdowns
from gpuodds.backends.protocol import Progress
from gpuodds.games.holdem.boards import board_ranks_index, canonical_boards
from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples
from gpuodds.spots.arrays import is_on_device

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

OMAHA_ON_CPU = frozenset(
    {
        "omaha_board_totals",
        "omaha_known_hands",
        "omaha_one_random_hand_on_boards",
        "omaha_three_players",
    }
)
ROW_BYTES = 16  # of a hand, its board and its rank


class OmahaOperations(ABC):
    """The part of :class:`gpuodds.backends.cuda.backend.CudaBackend` that plays Omaha."""

    devices: tuple[int, ...]

    @abstractmethod
    def _cpu(self, operation: str) -> CpuBackend:
        """Return the CPU backend for an operation."""

    def omaha_hand_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt16s:
        """Rank hands of Omaha: see the protocol."""
        ranks: UInt16s = self._rank_rows(rank_hands, hands, boards, np.uint16)
        return ranks

    def omaha_low_ranks(self, hands: UInt8s, boards: UInt8s) -> UInt8s:
        """Rank low hands of Omaha: see the protocol."""
        ranks: UInt8s = self._rank_rows(low_ranks, hands, boards, np.uint8)
        return ranks

    def _rank_rows(
        self, function: Callable[[Any, Any], Any], hands: Any, boards: Any, dtype: Any
    ) -> Any:
        import cupy

        if is_on_device(hands):
            with working_on(int(hands.device.id)):
                return function(hands, boards)
        ranks = np.empty(len(hands), dtype)

        def work(begin: int, end: int) -> None:
            rows = (cupy.asarray(cards[begin:end]) for cards in (hands, boards))
            ranks[begin:end] = cupy.asnumpy(function(*rows))

        def max_rows() -> int:
            return max(1, free_bytes() // 2 // ROW_BYTES)

        share_out(self.devices, len(hands), lambda: work, max_rows, None)
        return ranks

    def omaha_known_hands(
        self, hands: UInt8s, board: Sequence[int], dead: Sequence[int], low: bool
    ) -> dict[tuple[int, int], int]:
        """Count known hands of Omaha, on the CPU: see the protocol."""
        return self._cpu("omaha_known_hands").omaha_known_hands(hands, board, dead, low)

    def omaha_one_random_hand(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count a hand of Omaha against a random one: see the protocol."""
        return count_against_random(hand, board, dead, low, progress, self.devices)

    def omaha_one_random_hand_on_boards(
        self,
        hand: Sequence[int],
        board: Sequence[int],
        dead: Sequence[int],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> Ints:
        """Count a hand of Omaha against a random one on boards, on the CPU: see the protocol."""
        operation = "omaha_one_random_hand_on_boards"
        count = self._cpu(operation).omaha_one_random_hand_on_boards
        return count(hand, board, dead, boards, low, progress)

    def omaha_showdowns(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        made_hands: bool,
        progress: Progress | None,
    ) -> OmahaShowdowns:
        """Count ranges of Omaha: see the protocol.

        Weights other than 1 are counted on the CPU, and the made hands of more than some million hands.
        """
        exact = all(bool((own == 1.0).all()) for own in weights) and can_keep(hands, made_hands)
        if exact and can_count(hands[0].shape[1], low):
            return count_showdowns(hands, boards, times, low, made_hands, progress, self.devices)
        count = self._cpu("omaha_showdowns").omaha_showdowns
        return count(hands, weights, boards, times, low, made_hands, progress)

    def omaha_board_totals(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        low: bool,
        progress: Progress | None,
    ) -> list[npt.NDArray[Any]]:
        """Count ranges of Omaha on each board, on the CPU: see the protocol."""
        count = self._cpu("omaha_board_totals").omaha_board_totals
        return count(hands, weights, boards, low, progress)

    def omaha_three_players(
        self,
        hands: Sequence[UInt8s],
        weights: Sequence[Floats],
        boards: UInt8s,
        times: Ints,
        low: bool,
        progress: Progress | None,
    ) -> dict[tuple[int, int], Any]:
        """Count three ranges of Omaha, on the CPU: see the protocol."""
        count = self._cpu("omaha_three_players").omaha_three_players
        return count(hands, weights, boards, times, low, progress)

    def omaha_preflop_random(
        self, hands: UInt8s, low: bool, ranks: range, progress: Progress | None
    ) -> Ints:
        """Count hands of Omaha against a random one before the flop: see the protocol."""
        if can_count(hands.shape[1], low):
            boards, times = canonical_boards()
            chosen = np.isin(board_ranks_index(boards), ranks)
            return count_preflop(hands, low, boards[chosen], times[chosen], progress, self.devices)
        return self._cpu("omaha_preflop_random").omaha_preflop_random(hands, low, ranks, progress)

    def sample_omaha(
        self,
        draws: OmahaDraws,
        opponents: int,
        board: Sequence[int],
        dead: Sequence[int],
        seed: int,
        begin: int,
        end: int,
        low: bool,
        folded: int = 0,
    ) -> tuple[OmahaSamples, int]:
        """Draw samples of Omaha: see the protocol."""
        span = seed, begin, end
        return sample_omaha(draws, opponents, board, dead, *span, low, folded, self.devices)
