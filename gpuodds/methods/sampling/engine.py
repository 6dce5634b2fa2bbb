"""Sampled equity that can be continued: one engine, and one rule for when to stop.

The engine draws samples in pieces. The rate of a piece sets the size of the next one, so that a time
limit holds both where a second gives a million deals and where it gives one. The first piece that a
backend draws may wait for a compiler: a time limit leaves it out. The draws are those of
:mod:`gpuodds.games.shared.draws`: n samples of a seed are the same in one piece or in many. Known hands
against random opponents are dealt in pairs, all others one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gpuodds.backends.choice import check_name, choose_backend, run_or_fall_back, thread_count
from gpuodds.basics.arguments import as_seed
from gpuodds.basics.choices import BackendName, GameName
from gpuodds.basics.present import present
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.options import DEFAULT_ERROR, DEFAULT_SECONDS, MIN_SAMPLES, SamplingOptions
from gpuodds.methods.sampling.costs import sampling_seconds
from gpuodds.methods.sampling.samplers import sampler_of
from gpuodds.results.result import EquityResult
from gpuodds.spots.hands import Cards
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress
    from gpuodds.backends.operation import Backend, Counted, Operation
    from gpuodds.spots.players import Player

ENDLESS = float("inf")
MAX_SAMPLES = 1 << 40
FIRST_PIECE, LEAST_PIECE = 1, 4
PIECE_SECONDS = 0.05  # between two looks at the clock
UNWATCHED_SECONDS = 0.25  # the same, where neither a caller nor a limit of time waits for one
# A piece grows by this factor at most: the first are too small to time, and may wait for a compiler.
GROWTH = 8
FIRST_CHECK = 64  # samples; the standard error of fewer is too rough to stop by
SURE_CHECK = 4096  # samples, from which their standard error is not off by half
# Samples times standard error, from which the error is known to a percent. It falls with the square
# root of the samples, unless boards are dealt in turn.
KNOWN_ERROR = 128
SHOWN_SAMPLES, SHOWN_SECONDS = 4096, 0.2  # the first estimate is shown after either
SHOWN_GROWTH = 4  # times the samples from one shown estimate to the next: half the error


class Sampling:
    """Sample deals of a spot, and continue from the samples so far.

    Args:
        hands: A hand, a range, or a list of them, as for :func:`gpuodds.equity`; 1 to 23 players.
        opponents: Further players with random cards, 0 to 22. Default: 1 if there is one hand, else 0.
        board: 0 to 5 cards.
        dead: Cards out of play.
        folded: The hand or range of each player who has folded.
        seed: The draws depend on the spot and the seed alone; 0 or more.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.
        game: The game, or its name.

    Raises:
        InputError: As :func:`gpuodds.equity`, or the ranges cannot be dealt together.

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
        folded: Player | Sequence[Player] = (),
        seed: int = 0,
        backend: BackendName = "auto",
        game: GameName | Game = HOLDEM,
    ) -> None:
        """Read the spot; :meth:`run` draws."""
        seed = as_seed(seed) or 0
        spot = Spot.of(hands, opponents=opponents, board=board, dead=dead, folded=folded, game=game)
        self._begin(spot, seed, backend)

    @classmethod
    def of(cls, spot: Spot, *, seed: int = 0, backend: BackendName = "auto") -> Sampling:
        """Return the sampling of a spot.

        Args:
            spot: The spot.
            seed: The draws depend on the spot and the seed alone; 0 or more.
            backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
        """
        sampling = cls.__new__(cls)
        sampling._begin(spot, seed, backend)
        return sampling

    def _begin(self, spot: Spot, seed: int, backend: str) -> None:
        self._spot, self._sampler = spot, sampler_of(spot, seed)
        check_name(backend)
        self._wanted: str = backend
        self._backend: Backend | None = None  # the one that drew last
        self._who = ""  # its name, or the CPU's if it handed the draws over
        self._piece, self._rate, self._seconds = FIRST_PIECE, 0.0, 0.0
        self._piece_seconds = PIECE_SECONDS
        self._compiled: set[str] = set()  # the backends that have drawn
        self._is_rate_known = False  # not after a piece that may have waited for a compiler

    @property
    def samples(self) -> int:
        """The number of samples drawn so far."""
        return self._sampler.total.samples

    @property
    def standard_error(self) -> float:
        """The largest standard error of the players' equities; infinite before the first sample."""
        return float(self._sampler.total.standard_error.max()) if self.samples else float("inf")

    def result(self) -> EquityResult:
        """Return the answer so far.

        Returns:
            Counts of samples, and each player's standard error. ``seconds`` are those spent drawing.

        Raises:
            InputError: There are no samples yet.
        """
        if not self.samples:
            raise InputError("sampling: there are no samples yet; run() draws some")
        players, seconds = self._sampler.players(), self._seconds
        return EquityResult(self._spot, players, "monte-carlo", self._who, None, seconds, exact=False)

    def run(
        self,
        *,
        samples: int | None = None,
        standard_error: float | None = None,
        time_limit: float | None = None,
        deadline: float | None = None,
        progress: Progress | None = None,
        on_estimate: Callable[[EquityResult], None] | None = None,
    ) -> EquityResult:
        """Draw more samples until the first limit is met, and return the answer so far.

        Without a limit the run stops at a standard error of 0.0005, from 10,000 deals or more, or after
        10 seconds. A run without earlier samples draws at least one piece, whatever the time limit.

        Args:
            samples: The number of further samples, 1 or more; where deals come in pairs, one more if it
                is odd.
            standard_error: The largest standard error of a player's equity, above 0. It is checked
                after fixed numbers of samples, so the number of samples depends on the seed alone.
            time_limit: Seconds of drawing, above 0; starting and compiling are left out, and with them
                the first deal.
            deadline: Seconds from now, above 0, starting and compiling included.
            progress: Called with the fraction done, 0 to 1, about twenty times a second. An exception
                that it raises ends the run and keeps the samples so far.
            on_estimate: Called with better and better estimates. No player's standard error grows from
                one to the next, nor from the last one to the result.

        Returns:
            The answer from all samples so far; with ``on_estimate`` the last estimate shown, if time
            ran out before a better one.

        Raises:
            InputError: A limit is not above 0.
        """
        limits = SamplingOptions.read(samples, standard_error, time_limit, deadline=deadline)
        samples, standard_error, time_limit = limits.samples, limits.standard_error, limits.time_limit
        least = 0
        if not limits.is_limited:
            standard_error, time_limit, least = DEFAULT_ERROR, DEFAULT_SECONDS, MIN_SAMPLES
        drawing, due = (_or_endless(limit) for limit in (time_limit, limits.deadline))
        seconds = self._estimate_seconds(samples, standard_error, min(drawing, due))
        is_watched = progress is not None or on_estimate is not None or min(drawing, due) < ENDLESS
        self._piece_seconds = PIECE_SECONDS if is_watched else UNWATCHED_SECONDS
        begin, first = perf_counter(), self.samples
        self._backend = choose_backend(self._wanted, seconds)
        starting = passed = perf_counter() - begin
        most = MAX_SAMPLES if samples is None else first + samples
        shown, is_late = None, False
        while self.samples < most:
            size = min(self._piece, most - self.samples)
            if standard_error is not None:
                is_enough = self._is_checked() and self.samples >= least
                if is_enough and self.standard_error <= standard_error:
                    break
                size = min(size, self._to_next_check(standard_error))
            if min(drawing, due) < ENDLESS and self.samples:
                # Plan for half of the time left, since the speed of deals varies.
                left = min(starting + drawing, due) - passed
                fitting = int(left * self._rate / 2)
                is_late = left <= 0 or (fitting == 0 and self._is_rate_known)
                if is_late:
                    break
                size = min(size, max(1, fitting))
            starting += self._draw(size)
            passed = perf_counter() - begin
            if progress is not None:
                shares = [(self.samples - first) / (most - first)]
                if standard_error is not None:
                    shares.append((standard_error / self.standard_error) ** 2)
                shares += [(passed - starting) / drawing, passed / due]
                progress(min(1.0, max(shares)))
            drawn = passed - starting
            if on_estimate is not None and self._is_due(shown, drawn, most, standard_error):
                estimate = self.result()
                if shown is None or _is_no_worse(estimate, shown):
                    on_estimate(estimate)
                    shown = estimate
        if progress is not None:
            progress(1.0)
        estimate = self.result()
        # A run stopped by the clock returns the last estimate shown if its errors were smaller.
        is_better = shown is not None and not _is_no_worse(estimate, shown)
        return present(shown) if is_late and is_better else estimate

    def _draw(self, size: int) -> float:
        """Draw a piece; return its seconds if it may have compiled, as a backend's first, else 0."""
        begin, before = perf_counter(), self.samples
        counted, self._backend = self._count_piece(self._sampler.operation(size))
        self._sampler.add(counted.counts, size)
        self._who = counted.backend
        seconds = perf_counter() - begin
        self._seconds += seconds
        self._rate = (self.samples - before) / seconds
        self._piece = max(LEAST_PIECE, min(GROWTH * size, int(self._rate * self._piece_seconds)))
        name = self._backend.name
        self._is_rate_known = name in self._compiled
        self._compiled.add(name)
        return 0.0 if self._is_rate_known else seconds

    def _count_piece(self, operation: Operation[Any]) -> tuple[Counted[Any], Backend]:
        return run_or_fall_back(present(self._backend), self._wanted, lambda on: on.count(operation))

    def _estimate_seconds(
        self, samples: int | None, standard_error: float | None, most: float
    ) -> float:
        """Return about how many seconds a run takes on the CPU, at most ``most``."""
        if samples is None and standard_error is None:
            return most
        limits = SamplingOptions(samples, standard_error)
        return min(sampling_seconds(self._spot, limits, thread_count()), most)

    def _is_checked(self) -> bool:
        """Return whether to check the error here.

        It is checked after steps of 1/16 to 1/8 of the samples, and when all boards have come equally
        often: the error is smaller there.
        """
        return self.samples >= FIRST_CHECK and any(self.samples % step == 0 for step in self._steps())

    def _to_next_check(self, wanted: float) -> int:
        """Return the samples to the next one, or as many as cannot be enough for the error wanted."""
        if self.samples < FIRST_CHECK:
            return FIRST_CHECK - self.samples
        steps = self._steps()
        following = min(step - self.samples % step for step in steps)
        if self.samples < SURE_CHECK:
            return following
        needed = self.samples * (self.standard_error / wanted) ** 2
        is_known = not self._sampler.steps and self.samples * self.standard_error >= KNOWN_ERROR
        far = min(
            [
                int(needed * (0.9 if is_known else 0.25)) - self.samples,
                *(step - self.samples % step for step in steps[1:]),
            ]
        )
        return max(following, far)

    def _steps(self) -> list[int]:
        step = 1 << max(0, self.samples.bit_length() - 4)
        return [step, *(more for more in self._sampler.steps if more > step)]

    def _is_due(
        self, shown: EquityResult | None, passed: float, most: int, standard_error: float | None
    ) -> bool:
        """Return whether to show an estimate: it is due, and the final one will be clearly better."""
        if shown is None:
            due = self.samples >= SHOWN_SAMPLES or passed >= SHOWN_SECONDS
        else:
            due = self.samples >= SHOWN_GROWTH * shown.outcomes
        if not due or self.samples * SHOWN_GROWTH > most:
            return False
        return standard_error is None or self.standard_error >= standard_error * SHOWN_GROWTH**0.5


def _or_endless(limit: float | None) -> float:
    return ENDLESS if limit is None else limit


def _is_no_worse(estimate: EquityResult, shown: EquityResult) -> bool:
    """Return whether no player's standard error is above that of an earlier estimate."""
    pairs = zip(estimate.players, shown.players, strict=True)
    return all((new.standard_error or 0) <= (old.standard_error or 0) for new, old in pairs)
