"""Options of an answer: method, backend, detail, and limits of the sampling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpuodds.arguments import as_flag, as_number, as_seed, as_whole, one_of
from gpuodds.backends.choice import check_name
from gpuodds.errors import InputError

METHODS = ("auto", "exact", "monte-carlo")
DEFAULT_ERROR = 0.0005
"""Sampling without a limit stops at this standard error."""
DEFAULT_SECONDS = 10.0
"""Sampling without a limit stops after these seconds at the latest."""
SEED_WITH_TIME_LIMIT = (
    "seed and time_limit: the number of deals in a time limit differs from run to run; give samples or "
    "standard_error with a seed"
)


@dataclass(frozen=True)
class SamplingOptions:
    """The limits and the seed of sampling; the first limit that is met ends it.

    Attributes:
        samples: The number of deals, 1 or more.
        standard_error: The largest standard error of a player's equity, above 0.
        time_limit: Seconds of sampling, above 0.
        seed: The draws depend on it alone; 0 or more.
        deadline: Seconds until the answer is due; sampling then returns the best answer so far.
    """

    samples: int | None = None
    standard_error: float | None = None
    time_limit: float | None = None
    seed: int | None = None
    deadline: float | None = None

    @staticmethod
    def read(
        samples: Any = None, standard_error: Any = None, time_limit: Any = None, seed: Any = None
    ) -> SamplingOptions:
        """Return checked options.

        Raises:
            InputError: A limit is not a number above 0, or the seed not a whole number of 0 or more.
        """
        found = SamplingOptions(
            None if samples is None else as_whole("samples", samples),
            None if standard_error is None else as_number("standard_error", standard_error),
            None if time_limit is None else as_number("time_limit", time_limit),
            as_seed(seed),
        )
        for name in ("samples", "standard_error", "time_limit"):
            limit = getattr(found, name)
            if limit is not None and not limit > 0:
                raise InputError(f"{name} {limit}: expected more than 0")
        return found

    @property
    def is_limited(self) -> bool:
        """Whether the samples, the standard error or the time is limited."""
        return not (self.samples is None and self.standard_error is None and self.time_limit is None)


@dataclass(frozen=True)
class Options:
    """The options of an answer.

    Attributes:
        method: One of :data:`METHODS`.
        table: Whether shipped tables may answer.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.
        by_hand: Whether to add the equity of each hand of each range.
        made_hands: Whether to add the categories of the players' final hands.
        sampling: Limits and seed, if the answer is sampled.
        explain: Whether to add why the answer came about as it did.
        needs_counts: Whether every player needs counts: those of several answers are to be added.
    """

    method: str = "auto"
    table: bool = True
    backend: str = "auto"
    by_hand: bool = False
    made_hands: bool = False
    sampling: SamplingOptions = field(default_factory=SamplingOptions)
    explain: bool = False
    needs_counts: bool = False

    @staticmethod
    def read(
        method: Any,
        table: Any,
        backend: Any,
        by_hand: Any,
        made_hands: Any,
        sampling: SamplingOptions,
        explain: Any = False,
    ) -> Options:
        """Return checked options.

        Raises:
            InputError: A value has the wrong type or is unknown, or the backend is not available.
        """
        check_name(backend)
        return Options(
            one_of("method", method, METHODS),
            as_flag("table", table),
            backend,
            as_flag("by_hand", by_hand),
            as_flag("made_hands", made_hands),
            sampling,
            as_flag("explain", explain),
        )

    @property
    def is_counted_only(self) -> bool:
        """Whether only counting can answer: samples give no equities by hand and no made hands."""
        return self.by_hand or self.made_hands
