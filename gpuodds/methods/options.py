"""How an answer is wanted: method, backend, detail, and what ends the sampling."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gpuodds.arguments import as_flag, as_number, as_seed, as_whole, one_of
from gpuodds.backends.choice import check_name
from gpuodds.errors import InputError

METHODS = ("auto", "exact", "monte-carlo")
DEFAULT_ERROR = 0.0005
"""The standard error to which is sampled where nothing else ends the sampling."""
DEFAULT_SECONDS = 10.0
"""The seconds after which such sampling ends all the same."""
SEED_WITH_TIME_LIMIT = (
    "seed and time_limit: how many deals fit into it differs from run to run; give samples or "
    "standard_error with a seed"
)


@dataclass(frozen=True)
class SamplingOptions:
    """What ends the sampling of an answer; the first limit that is met does.

    Attributes:
        samples: Deals, 1 or more.
        standard_error: The largest of the players' equities.
        time_limit: Seconds.
        seed: What the draws depend on, 0 or more.
        deadline: Seconds until an answer must be there: the best so far, if it is sampled.
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
            InputError: A limit is no number above 0, or the seed no whole number of 0 or more.
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
        """Whether any limit is given."""
        return not (self.samples is None and self.standard_error is None and self.time_limit is None)


@dataclass(frozen=True)
class Options:
    """How an answer is wanted.

    Attributes:
        method: One of :data:`METHODS`.
        table: Whether shipped tables may answer.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0,2"``.
        by_hand: Whether the equity of each hand of each range is wanted.
        made_hands: Whether the categories of the players' final hands are wanted.
        sampling: What ends the sampling, if there is any.
    """

    method: str = "auto"
    table: bool = True
    backend: str = "auto"
    by_hand: bool = False
    made_hands: bool = False
    sampling: SamplingOptions = field(default_factory=SamplingOptions)

    @staticmethod
    def read(
        method: Any, table: Any, backend: Any, by_hand: Any, made_hands: Any, sampling: SamplingOptions
    ) -> Options:
        """Return checked options.

        Raises:
            InputError: One is not of its kind, or the backend is not there.
        """
        check_name(backend)
        return Options(
            one_of("method", method, METHODS),
            as_flag("table", table),
            backend,
            as_flag("by_hand", by_hand),
            as_flag("made_hands", made_hands),
            sampling,
        )

    @property
    def is_counted_only(self) -> bool:
        """Whether what is wanted cannot be sampled."""
        return self.by_hand or self.made_hands
