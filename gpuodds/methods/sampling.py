"""Sampled equity that goes on from where it is: one engine, and one rule for when to stop.

Samples are drawn in pieces. The rate of a piece gives the size of the next one, so that a time limit is
kept where a million deals take a second, and where a single deal does. The draws are those of
:mod:`gpuodds.games.holdem.draws`: n samples of a seed are the same in one piece or in many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from gpuodds.arguments import as_seed
from gpuodds.backends.choice import choose_backend
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.holdem.draws import can_be_dealt, plan_draws
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, SamplingOptions
from gpuodds.results.estimate import Estimate
from gpuodds.results.result import EquityResult, PlayerEquity
from gpuodds.spots.spot import Cards, Spot

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress
    from gpuodds.spots.players import Player

MAX_SAMPLES = 1 << 40
FIRST_PIECE, LEAST_PIECE = 1, 4
PIECE_SECONDS = 0.05  # between two looks at the clock
GROWTH = (
    8  # of a piece, at most: the first ones are too small to be measured, and may wait for a compiler
)
FIRST_CHECK = 64  # samples before the error is believed
SHOWN_SAMPLES, SHOWN_SECONDS = 4096, 0.2  # the first estimate that is worth showing has one of them
SHOWN_GROWTH = 4  # in samples, from one estimate shown to the next: half the error


class Sampling:
    """Sampled deals of a spot, and what they count up to so far.

    Args:
        hands: A hand, a range, or a list of them, as for :func:`gpuodds.equity`; 1 to 23 players.
        opponents: Further players with random cards, 0 to 22. Default: 1 if there is one hand, else 0.
        board: 0 to 5 cards.
        dead: Cards out of play.
        seed: What the draws depend on, and nothing else: 0 or more.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.

    Raises:
        InputError: As :func:`gpuodds.equity` does, or the ranges cannot be dealt together.

    Example:
        >>> sampling = Sampling(["QQ+,AK", "22+,A2s+"], board="2s7d9h", seed=1, backend="cpu")
        >>> sampling.run(samples=3000).outcomes, sampling.run(samples=7000).outcomes
        (3000, 10000)
        >>> whole = Sampling(["QQ+,AK", "22+,A2s+"], board="2s7d9h", seed=1, backend="cpu")
        >>> whole.run(samples=10_000).players == sampling.result().players
        True
        >>> max(player.standard_error for player in sampling.run(standard_error=0.001).players) <= 0.001
        True
    """

    def __init__(
        self,
        hands: Player | Sequence[Player],
        *,
        opponents: int | None = None,
        board: Cards = "",
        dead: Cards = "",
        seed: int = 0,
        backend: str = "auto",
    ) -> None:
        """Read the spot; nothing is drawn yet."""
        seed = as_seed(seed) or 0
        spot = Spot.of(hands, opponents=opponents, board=board, dead=dead)
        self._begin(spot, seed, backend)

    @classmethod
    def of(cls, spot: Spot, *, seed: int = 0, backend: str = "auto") -> Sampling:
        """Return the sampling of a spot that is read already."""
        found = cls.__new__(cls)
        found._begin(spot, seed, backend)
        return found

    def _begin(self, spot: Spot, seed: int, backend: str) -> None:
        if not can_be_dealt(spot.weights):
            raise ImpossibleDeal
        self._spot, self._seed = spot, seed
        self._backend = choose_backend(backend)
        self._draws = plan_draws(spot.weights)
        counts = np.zeros((self._draws.players, spot.players), np.int64)
        self._total = Estimate(counts, 0, 0)
        self._piece, self._pieces, self._rate, self._seconds = FIRST_PIECE, 0, 0.0, 0.0

    @property
    def samples(self) -> int:
        """The number of samples drawn so far."""
        return self._total.samples

    @property
    def standard_error(self) -> float:
        """The largest standard error of the players' equities; infinite before the first sample."""
        return float(self._total.standard_error.max()) if self.samples else float("inf")

    def result(self) -> EquityResult:
        """Return the answer so far.

        Returns:
            Counts of samples, each player with a standard error; ``seconds`` are those spent drawing.

        Raises:
            InputError: Nothing is drawn yet.
        """
        if not self.samples:
            raise InputError("sampling: no sample is drawn yet; run() draws some")
        total = self._total
        players = tuple(
            PlayerEquity(name, total.samples, row[0], tuple(row[1:]), float(error))
            for name, row, error in zip(
                self._spot.names, total.counts.tolist(), total.standard_error, strict=True
            )
        )
        return EquityResult(
            self._spot, players, "monte-carlo", self._backend.name, None, self._seconds, exact=False
        )

    def run(
        self,
        *,
        samples: int | None = None,
        standard_error: float | None = None,
        time_limit: float | None = None,
        progress: Progress | None = None,
        on_estimate: Callable[[EquityResult], None] | None = None,
    ) -> EquityResult:
        """Draw on until the first of the limits is met, and return the answer so far.

        Without a limit it is a standard error of 0.0005 or 10 seconds. A time limit is kept as well as
        single deals allow; at least one piece is drawn, unless there are samples already.

        Args:
            samples: How many more samples to draw, 1 or more.
            standard_error: What the largest of the players' may be. It is looked at after fixed numbers
                of samples, so where it stops depends on the seed alone.
            time_limit: Seconds from now.
            progress: Called with the fraction done, 0 to 1, some twenty times a second. What it raises
                ends the run; the samples so far stay.
            on_estimate: Called with estimates as they sharpen. No player's standard error grows from
                one to the next, nor from the last one to what is returned.

        Returns:
            All samples so far; with ``on_estimate`` the last estimate shown, where time ran out before
            there was a better one.

        Raises:
            InputError: A limit is not above 0.
        """
        limits = SamplingOptions.read(samples, standard_error, time_limit)
        samples, standard_error, time_limit = limits.samples, limits.standard_error, limits.time_limit
        if not limits.is_limited:
            standard_error, time_limit = DEFAULT_ERROR, DEFAULT_SECONDS
        begin, first = perf_counter(), self.samples
        most = MAX_SAMPLES if samples is None else first + samples
        passed, shown, is_late = 0.0, None, False
        while self.samples < most:
            size = min(self._piece, most - self.samples)
            if standard_error is not None:
                if self._is_checked() and self.standard_error <= standard_error:
                    break
                size = min(size, self._to_next_check())
            if time_limit is not None and self.samples:
                # Half of what would fit: deals are not all as fast. A first piece may have been slow
                # because code was compiled.
                left = time_limit - passed
                fitting = int(left * self._rate / 2)
                is_late = left <= 0 or (fitting == 0 and self._pieces > 1)
                if is_late:
                    break
                size = min(size, max(1, fitting))
            self._draw(size)
            passed = perf_counter() - begin
            if progress is not None:
                shares = [(self.samples - first) / (most - first)]
                if standard_error is not None:
                    shares.append((standard_error / self.standard_error) ** 2)
                if time_limit is not None:
                    shares.append(passed / time_limit)
                progress(min(1.0, max(shares)))
            if on_estimate is not None and self._is_due(shown, passed, most, standard_error):
                found = self.result()
                if shown is None or _is_no_worse(found, shown):
                    on_estimate(found)
                    shown = found
        if progress is not None:
            progress(1.0)
        found = self.result()
        # What was asked for by number or error is met; a stop by the clock gives the better answer.
        return shown if is_late and shown is not None and not _is_no_worse(found, shown) else found

    def _draw(self, size: int) -> None:
        begin = perf_counter()
        spot, total = self._spot, self._total
        end = total.samples + size
        counts, tried = self._backend.sample_deals(
            self._draws,
            spot.opponents,
            spot.board,
            spot.dead,
            self._seed,
            total.samples,
            end,
        )
        self._total = Estimate(total.counts + counts, end, total.tried + tried)
        seconds = perf_counter() - begin
        self._pieces += 1
        self._seconds += seconds
        self._rate = size / seconds
        self._piece = max(LEAST_PIECE, min(GROWTH * size, int(self._rate * PIECE_SECONDS)))

    def _is_checked(self) -> bool:
        """Tell whether the error is looked at here: eight to sixteen equal steps make the samples."""
        return self.samples >= FIRST_CHECK and self.samples % _step(self.samples) == 0

    def _to_next_check(self) -> int:
        if self.samples < FIRST_CHECK:
            return FIRST_CHECK - self.samples
        step = _step(self.samples)
        return step - self.samples % step

    def _is_due(
        self, shown: EquityResult | None, passed: float, most: int, standard_error: float | None
    ) -> bool:
        """Tell whether an estimate is worth showing, and the final one will be clearly better."""
        if shown is None:
            due = self.samples >= SHOWN_SAMPLES or passed >= SHOWN_SECONDS
        else:
            due = self.samples >= SHOWN_GROWTH * shown.outcomes
        if not due or self.samples * SHOWN_GROWTH > most:
            return False
        return standard_error is None or self.standard_error >= standard_error * SHOWN_GROWTH**0.5


def _step(samples: int) -> int:
    return 1 << max(0, samples.bit_length() - 4)


def _is_no_worse(found: EquityResult, shown: EquityResult) -> bool:
    """Tell whether no player's standard error is above that of an estimate before."""
    pairs = zip(found.players, shown.players, strict=True)
    return all((new.standard_error or 0) <= (old.standard_error or 0) for new, old in pairs)
