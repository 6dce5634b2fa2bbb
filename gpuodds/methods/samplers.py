"""What sampling draws: deals one by one, pairs of deals on boards in turn, or deals of Omaha."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.backends.protocol import who_does
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.game import OMAHA_FAMILY
from gpuodds.games.holdem import draws as holdem
from gpuodds.games.omaha import draws as omaha
from gpuodds.results.estimate import Estimate, HiLoEstimate, PairEstimate
from gpuodds.results.hi_lo import sampled_players
from gpuodds.results.result import PlayerEquity
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Backend

    OnBackend = Callable[[Callable[[Backend], Any]], Any]
    """Runs work on the backend that draws."""


class Sampler(ABC):
    """Draws samples of a spot, and keeps the estimate from all of them.

    Attributes:
        total: The estimate.
        operation: The name of the backend's operation.
    """

    total: Estimate | PairEstimate | HiLoEstimate
    operation: str

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
        """
        self.spot, self.seed = spot, seed

    @abstractmethod
    def draw(self, size: int, on: OnBackend) -> None:
        """Draw further samples and add them to the estimate."""

    @property
    def steps(self) -> list[int]:
        """The numbers of samples whose multiples are good to check the error at, beside powers of 2."""
        return []

    def players(self) -> tuple[PlayerEquity, ...]:
        """Return the named players' counts of samples."""
        return tuple(
            PlayerEquity(name, self.total.samples, row[0], tuple(row[1:]), float(error))
            for name, row, error in zip(
                self.spot.names, self.total.counts.tolist(), self.total.standard_error, strict=True
            )
        )

    def who(self, backend: Backend) -> str:
        """Return the name of the backend that draws."""
        return who_does(backend, self.operation)


class Deals(Sampler):
    """Deals of hold'em, each with a board of its own."""

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        self._draws = _plan(spot)
        self.total: Estimate = Estimate(np.zeros((len(spot.hands), spot.players), np.int64), 0, 0)
        self.operation = "sample_folded_deals" if spot.folded else "sample_deals"

    def draw(self, size: int, on: OnBackend) -> None:
        """Draw deals."""
        spot, total = self.spot, self.total
        end = total.samples + size
        given = spot.opponents, spot.board, spot.dead, self.seed, total.samples, end

        def work(backend: Backend) -> Any:
            if spot.folded:
                return backend.sample_folded_deals(self._draws, len(spot.folded), *given)
            return backend.sample_deals(self._draws, *given)

        counts, tried = on(work)
        self.total = Estimate(total.counts + counts, end, total.tried + tried)


class Pairs(Sampler):
    """Pairs of deals of hold'em, on boards that come in turn."""

    operation = "sample_pairs"

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        self._draws = _plan(spot)
        shape = len(spot.hands), spot.players + 1, spot.players + 1
        self.total: PairEstimate = PairEstimate(np.zeros(shape, np.int64), 0, spot.boards)

    @property
    def steps(self) -> list[int]:
        """Where all boards have come equally often, the error is smaller."""
        return [2 * self.total.boards]

    def draw(self, size: int, on: OnBackend) -> None:
        """Draw pairs, one deal more if the number is odd."""
        spot, total = self.spot, self.total
        end = total.count + -(-size // 2)
        given = spot.opponents, spot.board, spot.dead, self.seed, total.count, end
        pairs = on(lambda backend: backend.sample_pairs(self._draws, *given))
        self.total = PairEstimate(total.pairs + pairs, end, total.boards)


class OmahaDeals(Sampler):
    """Deals of Omaha."""

    operation = "sample_omaha"

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        held = (*spot.held, *spot.held_by_folded)
        if not omaha.can_be_dealt([one.cards for one in held]):
            raise ImpossibleDeal
        self._draws = omaha.plan_draws([one.cards for one in held], [one.weights for one in held])
        self.total: Estimate | HiLoEstimate
        named, every = len(spot.hands), spot.players
        if spot.game.has_low:
            halves = np.zeros((named, every + 1, every + 2), np.int64)
            high, shared = np.zeros((2, named, every), np.int64)
            self.total = HiLoEstimate(high, halves, shared, 0, 0)
        else:
            self.total = Estimate(np.zeros((named, every), np.int64), 0, 0)

    def draw(self, size: int, on: OnBackend) -> None:
        """Draw deals."""
        spot, total = self.spot, self.total
        end = total.samples + size
        given = spot.opponents, spot.board, spot.dead, self.seed, total.samples, end
        low, folded = spot.game.has_low, len(spot.folded)
        found, tried = on(
            lambda backend: backend.sample_omaha(self._draws, *given, low=low, folded=folded)
        )
        if isinstance(total, HiLoEstimate):
            self.total = total.plus(found.high, found.halves, found.shared, end, tried)
        else:
            self.total = Estimate(total.counts + found.high, end, total.tried + tried)

    def players(self) -> tuple[PlayerEquity, ...]:
        """Return the named players' counts of samples, of both halves where the game has them."""
        if isinstance(self.total, HiLoEstimate):
            return sampled_players(self.spot, self.total)
        return super().players()


def sampler_of(spot: Spot, seed: int) -> Sampler:
    """Return what draws samples of a spot.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    if spot.game.family == OMAHA_FAMILY:
        return OmahaDeals(spot, seed)
    return (Pairs if spot.is_dealt_in_pairs else Deals)(spot, seed)


def _plan(spot: Spot) -> holdem.Draws:
    weights = np.vstack([spot.weights, spot.folded_weights])
    if not holdem.can_be_dealt(weights):
        raise ImpossibleDeal
    return holdem.plan_draws(weights)
