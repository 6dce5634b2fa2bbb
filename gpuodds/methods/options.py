"""Options of an answer: method, backend, detail, and limits of the sampling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpuodds.backends.choice import check_name
from gpuodds.basics.arguments import as_flag, as_number, as_seed, as_whole, one_of
from gpuodds.basics.choices import BackendName
from gpuodds.errors import InputError, NotEnoughSamples

METHODS = ("auto", "exact", "monte-carlo")
DEFAULT_ERROR = 0.0005
"""Sampling without a limit stops at this standard error."""
DEFAULT_SECONDS = 10.0
"""Sampling without a limit stops after these seconds at the latest."""
MIN_SAMPLES = 10_000
"""An answer has at least as many deals, unless samples or a standard error are asked for."""
MAX_ERROR = 0.01
"""Nor has it a larger standard error."""
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
        deadline: Seconds until the answer is due, compiling included; sampling ends before.
    """

    samples: int | None = None
    standard_error: float | None = None
    time_limit: float | None = None
    seed: int | None = None
    deadline: float | None = None

    @staticmethod
    def read(
        samples: Any = None,
        standard_error: Any = None,
        time_limit: Any = None,
        seed: Any = None,
        deadline: Any = None,
    ) -> SamplingOptions:
        """Return checked options.

        Raises:
            InputError: A limit is not a number above 0, or the seed not a whole number of 0 or more.
        """
        if samples is standard_error is time_limit is seed is deadline is None:
            return UNLIMITED
        options = SamplingOptions(
            None if samples is None else as_whole("samples", samples),
            None if standard_error is None else as_number("standard_error", standard_error),
            None if time_limit is None else as_number("time_limit", time_limit),
            as_seed(seed),
            None if deadline is None else as_number("deadline", deadline),
        )
        for name in ("samples", "standard_error", "time_limit", "deadline"):
            limit = getattr(options, name)
            if limit is not None and not limit > 0:
                raise InputError(f"{name} {limit}: expected more than 0")
        return options

    @property
    def is_limited(self) -> bool:
        """Whether the samples, the standard error or the time is limited."""
        return not (self.samples is None and self.standard_error is None and self.time_limit is None)

    def check_answer(self, samples: int, standard_error: float) -> None:
        """Refuse an answer from too few deals, unless samples or a standard error were asked for.

        Args:
            samples: The deals that were drawn.
            standard_error: The largest of the players' equities.

        Raises:
            NotEnoughSamples: The answer is too rough; the message says what to change.
        """
        if self.samples is not None or self.standard_error is not None:
            return
        if samples >= MIN_SAMPLES and standard_error <= MAX_ERROR:
            return
        limit = DEFAULT_SECONDS if self.time_limit is None else self.time_limit
        longer = "time_limit"
        if self.deadline is not None:
            limit, longer = min(limit, self.deadline), "time_limit or deadline"
        deals = f"{samples:,} deal{'' if samples == 1 else 's'}"
        drawn = f"{deals} in {limit:.3g} s, a standard error of {standard_error:.2g}"
        change = f"raise {longer}, give samples or standard_error, or use narrower ranges"
        raise NotEnoughSamples(f"not enough samples: {drawn}: {change}", drawn)


UNLIMITED = SamplingOptions()
"""Without limits and a seed."""


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
    backend: BackendName = "auto"
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
        available = check_name(backend)
        usual = isinstance(method, str) and method == available == "auto"
        flags = by_hand is made_hands is explain is False and table is True
        if usual and flags and sampling is UNLIMITED:
            return DEFAULT_OPTIONS
        return Options(
            one_of("method", method, METHODS),
            as_flag("table", table),
            available,
            as_flag("by_hand", by_hand),
            as_flag("made_hands", made_hands),
            sampling,
            as_flag("explain", explain),
        )

    @property
    def is_counted_only(self) -> bool:
        """Whether only counting can answer: samples give no equities by hand and no made hands."""
        return self.by_hand or self.made_hands


DEFAULT_OPTIONS = Options(sampling=UNLIMITED)
"""Those of a call that names none."""
