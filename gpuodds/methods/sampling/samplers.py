"""What sampling draws: deals one by one, pairs of deals on boards in turn, or deals of Omaha."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from gpuodds.backends.operation import Operation
from gpuodds.backends.operations.samples import SampleDeals, SampleOmaha, SamplePairs
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.game import OMAHA_FAMILY
from gpuodds.games.omaha import draws as omaha
from gpuodds.games.shared import draws as holdem
from gpuodds.results.estimate import Estimate, HiLoEstimate, PairEstimate
from gpuodds.results.hi_lo import sampled_players
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.spots.spot import Spot


class Sampler(ABC):
    """Draws samples of a spot, and keeps the estimate from all of them.

    Attributes:
        total: The estimate.
    """

    total: Estimate | PairEstimate | HiLoEstimate

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
        """
        self.spot, self.seed = spot, seed

    @abstractmethod
    def operation(self, size: int) -> Operation[Any]:
        """Return the operation that draws further samples."""

    @abstractmethod
    def add(self, counts: Any, size: int) -> None:
        """Add what the operation for so many samples has counted to the estimate."""

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


class Deals(Sampler):
    """Deals of hold'em, each with a board of its own."""

    total: Estimate

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        self._draws = _plan(spot)
        self.total = Estimate(np.zeros((len(spot.hands), spot.players), np.int64), 0, 0)

    def operation(self, size: int) -> Operation[Any]:
        """Return the operation that draws further deals."""
        spot, begin = self.spot, self.total.samples
        of_deals = spot.opponents, spot.board, spot.dead, self.seed, begin, begin + size
        return SampleDeals(spot.game, self._draws, *of_deals, len(spot.folded))

    def add(self, counts: Any, size: int) -> None:
        """Add counts of deals."""
        total, (drawn, tried) = self.total, counts
        self.total = Estimate(total.counts + drawn, total.samples + size, total.tried + tried)


class Pairs(Sampler):
    """Pairs of deals of hold'em, on boards that come in turn: one deal more if the number is odd."""

    total: PairEstimate

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        self._draws = _plan(spot)
        shape = len(spot.hands), spot.players + 1, spot.players + 1
        self.total = PairEstimate(np.zeros(shape, np.int64), 0, spot.boards)

    @property
    def steps(self) -> list[int]:
        """Where all boards have come equally often, the error is smaller."""
        return [2 * self.total.boards]

    def operation(self, size: int) -> Operation[Any]:
        """Return the operation that draws further pairs."""
        spot, begin = self.spot, self.total.count
        of_deals = spot.opponents, spot.board, spot.dead, self.seed, begin, begin + -(-size // 2)
        return SamplePairs(spot.game, self._draws, *of_deals)

    def add(self, counts: Any, size: int) -> None:
        """Add counts of pairs."""
        total = self.total
        self.total = PairEstimate(total.pairs + counts, total.count + -(-size // 2), total.boards)


class OmahaDeals(Sampler):
    """Deals of Omaha."""

    total: Estimate | HiLoEstimate

    def __init__(self, spot: Spot, seed: int) -> None:
        """Plan the draws."""
        super().__init__(spot, seed)
        held = (*spot.held, *spot.held_by_folded)
        if not omaha.can_be_dealt([combos.cards for combos in held]):
            raise ImpossibleDeal
        self._draws = omaha.plan_draws(
            [combos.cards for combos in held], [combos.weights for combos in held]
        )
        named, every = len(spot.hands), spot.players
        if spot.game.has_low:
            halves = np.zeros((named, every + 1, every + 2), np.int64)
            high, shared = np.zeros((2, named, every), np.int64)
            self.total = HiLoEstimate(high, halves, shared, 0, 0)
        else:
            self.total = Estimate(np.zeros((named, every), np.int64), 0, 0)

    def operation(self, size: int) -> Operation[Any]:
        """Return the operation that draws further deals."""
        spot, begin = self.spot, self.total.samples
        of_deals = spot.opponents, spot.board, spot.dead, self.seed, begin, begin + size
        return SampleOmaha(spot.game, self._draws, *of_deals, folded=len(spot.folded))

    def add(self, counts: Any, size: int) -> None:
        """Add counts of deals."""
        total, (drawn, tried) = self.total, counts
        end = total.samples + size
        if isinstance(total, HiLoEstimate):
            self.total = total.plus(drawn.high, drawn.halves, drawn.shared, end, tried)
        else:
            self.total = Estimate(total.counts + drawn.high, end, total.tried + tried)

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
