"""Equities estimated from samples, with their standard errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """Counts of samples.

    Attributes:
        counts: Shape (players, all players), int64: samples in which named player p is among exactly
            m + 1 winners, at [p, m].
        samples: The number of samples.
        tried: The number of tuples of combos drawn, including those that shared a card.
    """

    counts: Ints
    samples: int
    tried: int

    @property
    def equity(self) -> Floats:
        """Each player's mean share of the pot, shape (players,), 0 to 1."""
        return self.counts @ _shares(self.counts.shape[1]) / self.samples

    @property
    def standard_error(self) -> Floats:
        """The standard error of each equity, shape (players,): sqrt(variance of the share / samples).

        It is at least 2 / samples, because an outcome that is rarer than the samples may be missing
        from them: a few deals that all end alike prove nothing.
        """
        shares = _shares(self.counts.shape[1])
        variance = self.counts @ shares**2 / self.samples - self.equity**2
        error = np.sqrt(np.maximum(variance, 0.0) / max(1, self.samples - 1))
        return _at_least(error, self.samples)


@dataclass(frozen=True)
class HiLoEstimate:
    """Counts of samples of a game whose pot has a high and a low half.

    Attributes:
        counts: Shape (players, all players), int64: samples in which named player p has the best high
            hand with exactly m others, at [p, m].
        halves: Shape (players, all players + 1, all players + 2), int64: samples in which named player
            p is among h players with the best high hand (0: not), at [p, h, l]. l is 0 where no player
            has a low, 1 where another has the best one, and m + 1 where p is among m with the best.
        shared: Shape (players, all players), int64: samples in which named player p has a share of the
            pot and exactly m others have one, too, at [p, m].
        samples: The number of samples.
        tried: The number of tuples of hands drawn, including those that shared a card.
    """

    counts: Ints
    halves: Ints
    shared: Ints
    samples: int
    tried: int

    def plus(self, counts: Ints, halves: Ints, shared: Ints, samples: int, tried: int) -> HiLoEstimate:
        """Return the estimate with further samples, up to ``samples`` in all."""
        sums = self.counts + counts, self.halves + halves, self.shared + shared
        return HiLoEstimate(*sums, samples, self.tried + tried)

    @property
    def pots(self) -> Floats:
        """The share of the pot of each entry of ``halves``, shape (all + 1, all + 2), 0 to 1."""
        every = self.halves.shape[1] - 1
        alone = np.concatenate([[0.0], _shares(every)])
        low = np.concatenate([[0.0], alone])
        pots: Floats = (alone[:, None] + low) / 2
        pots[:, 0] = alone  # no low: all of it goes to the high hand
        return pots

    @property
    def standard_error(self) -> Floats:
        """The standard error of each equity, as :attr:`Estimate.standard_error`."""
        equity = (self.halves * self.pots).sum(axis=(1, 2)) / self.samples
        squares = (self.halves * self.pots**2).sum(axis=(1, 2)) / self.samples
        error = np.sqrt(np.maximum(squares - equity**2, 0.0) / max(1, self.samples - 1))
        return _at_least(error, self.samples)


@dataclass(frozen=True)
class PairEstimate:
    """Counts of pairs of deals, the two of a pair on the same board.

    Boards come in a random order, each once before any comes again.

    Attributes:
        pairs: Shape (players, all players + 1, all players + 1), int64: pairs by how each deal ends for
            named player p, at [p, first, second]: 0, or among how many winners they are.
        count: The number of pairs.
        boards: The number of boards.
    """

    pairs: Ints
    count: int
    boards: int

    @property
    def samples(self) -> int:
        """The number of deals."""
        return 2 * self.count

    @property
    def counts(self) -> Ints:
        """The deals in which named player p is among exactly m + 1 winners, at [p, m]."""
        counts: Ints = (self.pairs.sum(axis=1) + self.pairs.sum(axis=2))[:, 1:]
        return counts

    @property
    def standard_error(self) -> Floats:
        """The standard error of each equity, shape (players,), and at least 2 / samples.

        Deals differ by their boards and on one board. Boards that all came equally often add nothing to
        the error; what the pairs beyond that, drawn without repetition, add is known from theory.
        """
        shares = np.concatenate([[0.0], _shares(self.pairs.shape[1] - 1)])
        halves = (shares[:, None] - shares) ** 2 / 2
        on_a_board = (self.pairs * halves).sum(axis=(1, 2)) / self.count
        means = (shares[:, None] + shares) / 2
        equity = (self.pairs * means).sum(axis=(1, 2)) / self.count
        squares = (means - equity[:, None, None]) ** 2
        of_means = (self.pairs * squares).sum(axis=(1, 2)) / max(1, self.count - 1)
        between = np.maximum(of_means - on_a_board / 2, 0.0)
        last = self.count % self.boards
        variance = on_a_board / self.samples
        variance += between * last * (1 - last / self.boards) / self.count**2
        return _at_least(np.sqrt(variance), self.samples)


def _shares(players: int) -> Floats:
    shares: Floats = 1 / np.arange(1, players + 1)
    return shares


def _at_least(error: Floats, samples: int) -> Floats:
    return np.maximum(error, min(0.5, 2 / samples))
