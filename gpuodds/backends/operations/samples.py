"""Samples of deals: see :mod:`gpuodds.games.shared.draws`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.operation import Operation
from gpuodds.games.holdem.game import as_holdem

if TYPE_CHECKING:
    from gpuodds.games.game import Game
    from gpuodds.games.omaha.draws import OmahaDraws, OmahaSamples
    from gpuodds.games.shared.draws import Draws

Ints = npt.NDArray[np.int64]


# A deal; each player who is compared; where one has a range, each player named or folded, and each time
# that two share a card and all draw again.
DEAL, PLAYER_OF_DEAL, DRAWN_PLAYER, REDRAWN_DEAL = 6e-9, 9e-9, 3e-9, 2.5e-8
# Of Omaha: a deal; each player, by hole cards; each draw of ranges.
OMAHA_DEAL, OMAHA_PLAYER, OMAHA_DRAW = 5e-8, {4: 3e-8, 5: 4e-8, 6: 5e-8}, 5e-8


def deal_seconds(players: int, drawn: int, draws: float) -> float:
    """Estimate the seconds that a thread takes for a deal of hold'em.

    Args:
        players: All who can win.
        drawn: The players named or folded, if one of them has a range; else 0.
        draws: About how many draws it takes until no two of these share a card.
    """
    seconds = DEAL + PLAYER_OF_DEAL * players
    return seconds + DRAWN_PLAYER * drawn + REDRAWN_DEAL * (draws - 1) if drawn else seconds


def omaha_deal_seconds(hole_cards: int, players: int, drawn: int, draws: float) -> float:
    """Estimate the seconds that a thread takes for a deal of Omaha, as :func:`deal_seconds`."""
    seconds = OMAHA_DEAL + OMAHA_PLAYER[hole_cards] * players
    return seconds + OMAHA_DRAW * draws if drawn else seconds


@dataclass(frozen=True, eq=False)
class SampleDeals(Operation[tuple[Ints, int]]):
    """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.shared.draws`.

    Its counts: shape (players, players + opponents): samples in which named player p is among exactly m
    + 1 winners, at [p, m], without rows and columns for those who folded. And the number of tuples of
    combos drawn.

    Attributes:
        game: The game.
        draws: The alias tables of the ranges, without combos that have a board or dead card. The
            ranges can be dealt together.
        opponents: The number of random opponents.
        board: Card numbers.
        dead: Card numbers.
        seed: The seed, 0 or more.
        begin: The number of the first sample.
        end: The number of the last sample, plus 1.
        folded: How many of the players of ``draws``, the last ones, hold cards and win nothing.
    """

    name: ClassVar[str] = "sample_deals"
    game: Game
    draws: Draws
    opponents: int
    board: Sequence[int]
    dead: Sequence[int]
    seed: int
    begin: int
    end: int
    folded: int = 0

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = deal_seconds(self.draws.players + self.opponents, self.draws.players, 1.0)
        return (self.end - self.begin) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> tuple[Ints, int]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.sampling.samples import sample_deals

        return sample_deals(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            as_holdem(self.game),
            self.folded,
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> tuple[Ints, int]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.sampling.samples import sample_deals

        return sample_deals(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            devices,
            as_holdem(self.game),
            self.folded,
        )


@dataclass(frozen=True, eq=False)
class SamplePairs(Operation[Ints]):
    """Draw the pairs of deals ``begin`` to ``end``: see :mod:`gpuodds.games.shared.draws`.

    Its counts: shape (players, ends, ends), for players + opponents + 1 ends: the pairs by how each of
    the two deals ends for named player p, at [p, first, second]: 0, or among how many winners they are.

    Attributes:
        game: The game.
        draws: The alias tables, as for :class:`SampleDeals`, of one combo for each player.
        opponents: The number of random opponents.
        board: Card numbers, fewer than 5.
        dead: Card numbers.
        seed: The seed, 0 or more.
        begin: The number of the first pair.
        end: The number of the last pair, plus 1.
    """

    name: ClassVar[str] = "sample_pairs"
    game: Game
    draws: Draws
    opponents: int
    board: Sequence[int]
    dead: Sequence[int]
    seed: int
    begin: int
    end: int

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        each = deal_seconds(self.draws.players + self.opponents, 0, 1.0)
        return 2 * (self.end - self.begin) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> Ints:
        """Count on the CPU."""
        from gpuodds.backends.cpu.sampling.samples import sample_pairs

        return sample_pairs(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            as_holdem(self.game),
        )

    def on_cuda(self, devices: Sequence[int], progress: Progress | None = None) -> Ints:
        """Count on GPUs."""
        from gpuodds.backends.cuda.sampling.samples import sample_pairs

        return sample_pairs(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            devices,
            as_holdem(self.game),
        )


@dataclass(frozen=True, eq=False)
class SampleOmaha(Operation["tuple[OmahaSamples, int]"]):
    """Draw the samples ``begin`` to ``end`` of a seed: see :mod:`gpuodds.games.omaha.draws`.

    Its counts: as those of :class:`SampleDeals`, by high and low, without rows and columns for those
    who folded; and the number of tuples of hands drawn.

    Attributes:
        game: The game.
        draws: The alias tables of the ranges, without hands that have a board or dead card. The
            ranges can be dealt together.
        opponents: The number of random opponents.
        board: Card numbers.
        dead: Card numbers.
        seed: The seed, 0 or more.
        begin: The number of the first sample.
        end: The number of the last sample, plus 1.
        folded: How many of the players of ``draws``, the last ones, hold cards and win nothing.
    """

    name: ClassVar[str] = "sample_omaha"
    game: Game
    draws: OmahaDraws
    opponents: int
    board: Sequence[int]
    dead: Sequence[int]
    seed: int
    begin: int
    end: int
    folded: int = 0

    def seconds(self, threads: int) -> float:
        """Estimate how long the CPU takes."""
        players, size = self.draws.players, self.game.hole_cards
        each = omaha_deal_seconds(size, players + self.opponents, players, 1.0)
        return (self.end - self.begin) * each / threads

    def on_cpu(self, progress: Progress | None = None) -> tuple[OmahaSamples, int]:
        """Count on the CPU."""
        from gpuodds.backends.cpu.omaha.sampling.samples import sample_deals

        return sample_deals(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            self.game.has_low,
            self.folded,
        )

    def on_cuda(
        self, devices: Sequence[int], progress: Progress | None = None
    ) -> tuple[OmahaSamples, int]:
        """Count on GPUs."""
        from gpuodds.backends.cuda.omaha.samples import sample_omaha

        return sample_omaha(
            self.draws,
            self.opponents,
            self.board,
            self.dead,
            self.seed,
            self.begin,
            self.end,
            self.game.has_low,
            self.folded,
            devices,
        )
