"""Five-card hands and draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation

if TYPE_CHECKING:
    from gpuodds.games.five_card import DrawSpot


@dataclass(frozen=True, eq=False)
class FiveCardHands(Operation[npt.NDArray[np.int64]]):
    """Count the five-card hands of each rank in each deck.

    Its counts: shape (n, 7463), int64: entry r is the number of hands of rank r.

    Attributes:
        decks: Shape (n,), int64: bit c is set for the card c, 0 to 51.
    """

    name: ClassVar[str] = "count_five_card_hands"
    decks: npt.NDArray[np.int64]

    def on_cpu(self, progress: Progress | None = None) -> npt.NDArray[np.int64]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.five_card.ranks import count_by_rank

        return count_by_rank(self.decks)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> npt.NDArray[np.int64]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.five_card.hands import count_by_rank

        return count_by_rank(self.decks, progress, devices)


@dataclass(frozen=True, eq=False)
class FiveCardHighCards(Operation[npt.NDArray[np.int64]]):
    """Count the five-card hands of each category and high card in each deck.

    Its counts: shape (n, 9, 52), int64: by category, from high card to straight flush, and by high
    card. See :func:`gpuodds.five_card.count_high_cards`.

    Attributes:
        decks: Shape (n,), int64: bit c is set for the card c, 0 to 51.
    """

    name: ClassVar[str] = "count_five_card_high_cards"
    decks: npt.NDArray[np.int64]

    def on_cpu(self, progress: Progress | None = None) -> npt.NDArray[np.int64]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.five_card.ranks import count_by_high_card

        return count_by_high_card(self.decks)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> npt.NDArray[np.int64]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.five_card.hands import count_by_high_card

        return count_by_high_card(self.decks, progress, devices)


@dataclass(frozen=True, eq=False)
class CountDraws(Operation[npt.NDArray[np.int64]]):
    """Count the wins and ties of each discard against a hand that stands pat, over all deals.

    Its counts: shape (discards, 2), int64: wins and ties among the C(n, d) C(n - d, 5) deals of a
    discard of d cards, with a deck of n. Discards are in the order of
    ``list_discards(spot.max_discards)``.

    Attributes:
        spot: The hand, the deck, the most cards to draw, and the order of hands.
    """

    name: ClassVar[str] = "count_draws"
    spot: DrawSpot

    def on_cpu(self, progress: Progress | None = None) -> npt.NDArray[np.int64]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.five_card.draws import count_draws

        return count_draws(self.spot, progress)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> npt.NDArray[np.int64]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.five_card.draws import count_draws

        return count_draws(self.spot, progress, devices)


@dataclass(frozen=True, eq=False)
class SampleDraws(Operation[npt.NDArray[np.int64]]):
    """Sample deals and count the wins and ties of each discard over the same deals.

    Its counts: shape (discards, 2), int64: wins and ties of ``runs`` deals, as those of
    :class:`CountDraws`.

    Attributes:
        spot: The hand, the deck, the most cards to draw, and the order of hands.
        opponent_draws: Whether the opponent discards as ``best_discards`` has it, or stands pat.
        runs: How many deals to draw, 1 or more.
        seed: The seed, 0 or more: see :mod:`gpuodds.games.shared.draws`.
    """

    name: ClassVar[str] = "sample_draws"
    spot: DrawSpot
    opponent_draws: bool
    runs: int
    seed: int

    def on_cpu(self, progress: Progress | None = None) -> npt.NDArray[np.int64]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.five_card.draws import sample_draws

        return sample_draws(self.spot, self.opponent_draws, self.runs, self.seed, progress)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> npt.NDArray[np.int64]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.five_card.draws import sample_draws

        given = self.spot, self.opponent_draws, self.runs, self.seed
        return sample_draws(*given, progress, devices)


@dataclass(frozen=True, eq=False)
class BestDiscards(Operation[npt.NDArray[np.int64]]):
    """Return the discards of highest equity against five random cards of a full deck.

    Its counts: shape (n,), int64: bit i is set if the i-th card of the hand is discarded.

    Attributes:
        hands: Shape (n, 5), uint8, each ascending.
        max_discards: The largest number of cards to discard, 0 to 5.
        names: Shape (4, 7463), uint16: the ranking of hands, as in ``DrawSpot``.
    """

    name: ClassVar[str] = "best_discards"
    hands: npt.NDArray[np.uint8]
    max_discards: int
    names: npt.NDArray[np.uint16]

    def on_cpu(self, progress: Progress | None = None) -> npt.NDArray[np.int64]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.five_card.draws import best_discards

        return best_discards(self.hands, self.max_discards, self.names)

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> npt.NDArray[np.int64]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.five_card.draws import best_discards

        return best_discards(self.hands, self.max_discards, self.names, progress, devices)
