"""What a method is: why it cannot answer a spot, how long it takes, and the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gpuodds.backends.counts import Progress
    from gpuodds.methods.options import Options
    from gpuodds.results.player_equity import PlayerEquity
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.spot import Spot

    OnEstimate = Callable[[EquityResult], None]
    """Called with sampled estimates, each better than the one before."""


TABLE, MONTE_CARLO = "table", "monte-carlo"
"""The names of the methods that look answers up, and that draw deals."""
SECONDS_PER_LOOK_UP = 2e-3


class Machine(NamedTuple):
    """What counts.

    Attributes:
        threads: The threads of the CPU; None for those of this process.
        has_gpu: Whether ``auto`` finds a GPU; None to look for one in this process, if it is worth it.
    """

    threads: int | None = None
    has_gpu: bool | None = None

    @property
    def thread_count(self) -> int:
        """The threads of the CPU."""
        from gpuodds.backends.choice import thread_count  # a look-up needs none

        return self.threads or thread_count()

    def goes_to_gpu(self, backend: str, seconds: float) -> bool:
        """Return whether a GPU counts what takes the CPU so long.

        Raises:
            InputError: As :func:`gpuodds.backends.choice.choose_backend`.
        """
        from gpuodds.backends.choice import goes_to_gpu

        return goes_to_gpu(backend, seconds, self.has_gpu)

    def gpu_seconds(self, seconds: float) -> float:
        """Predict how long a GPU takes for what takes the CPU so long, its start included."""
        from gpuodds.backends.costs import GPU_CORES
        from gpuodds.backends.startup import startup_seconds

        return startup_seconds() + seconds * self.thread_count / GPU_CORES


HERE = Machine()
"""This process."""


class Run(NamedTuple):
    """How a method is run.

    Attributes:
        seconds: About how long the CPU takes, by which ``auto`` chooses the backend; None for the
            operation's own estimate.
        progress: Called with the fraction done, 0 to 1.
        on_estimate: Called with estimates, by a method that samples.
    """

    seconds: float | None = None
    progress: Progress | None = None
    on_estimate: OnEstimate | None = None


ALONE = Run()
"""A run that is asked for nothing but its answer."""


class Method(ABC):
    """A way to answer a spot: a file in the folder of a family of games, and a line in its list.

    A method has no state. It is asked about a normal form: ``form.spot`` is the spot to answer.
    """

    name: ClassVar[str]
    """The name in explanations."""
    is_always: ClassVar[bool] = False
    """Whether it is taken whatever it costs, if it can answer."""
    is_table: ClassVar[bool] = False
    """Whether it reads a table, and counts nothing."""
    alike: ClassVar[str] = ""
    """What differs by names of suits alone and is counted once: ``boards``, ``hands``, or nothing."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @abstractmethod
    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""

    @abstractmethod
    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Estimate how long the CPU of a machine takes; :meth:`why_not` is empty."""

    @abstractmethod
    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Answer ``form.spot``; :meth:`why_not` is empty.

        Raises:
            ImpossibleDeal: The ranges cannot be dealt together.
        """

    def is_cheapest(self, form: NormalForm, options: Options) -> bool:
        """Return whether it is known to be cheaper than the methods after it in the list."""
        return self.is_always

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen.

        Args:
            form: What it answers.
            options: The options of the answer.
            limit: How long counting may take under method ``auto``, such as ``10 s``.
        """
        within = "; method is exact" if options.method == "exact" else f", within {limit}"
        return f"the cheapest that counts{within}"

    def report_seconds(self, spot: Spot, boards: int, machine: Machine) -> float | None:
        """Estimate how long all boards of the next street take in one pass.

        Args:
            spot: A spot before the flop or on it.
            boards: The number of boards, one of each class.
            machine: What counts.

        Returns:
            Seconds; None if it answers boards one by one.
        """
        return None

    def count_report(
        self,
        spot: Spot,
        deals: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        backend: str,
        run: Run,
    ) -> tuple[list[tuple[PlayerEquity, ...]], str]:
        """Count a spot on all boards of the next street; :meth:`report_seconds` is not None.

        Args:
            spot: The spot.
            deals: The cards that come, for one board of each class.
            weights: The number of boards of each class.
            backend: The backend.
            run: Seconds and progress.

        Returns:
            The named players' counts over all boards of each class, and the name of the backend.
        """
        raise NotImplementedError


def note_seconds(seconds: float) -> None:
    """Say how long counting takes, where that is long enough to matter."""
    if seconds >= SECONDS_WORTH_A_NOTE:
        import logging

        from gpuodds.basics.durations import format_duration

        about = format_duration(seconds)
        logging.getLogger("gpuodds").info("counting exactly takes about %s", about)


SECONDS_WORTH_A_NOTE = 1.0
"""Answers that take longer have a note on their cost."""
