"""What ends the sampling of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuodds.arguments import as_number, as_seed, as_whole
from gpuodds.errors import InputError

SEED_WITH_TIME_LIMIT = (
    "seed and time_limit: how many deals fit into it differs from run to run; give samples or "
    "standard_error with a seed"
)


@dataclass(frozen=True)
class Limits:
    """What governs a sampled answer; see :func:`gpuodds.equity`.

    ``deadline`` is in how many seconds an answer has to be there, the best so far if it is sampled.
    """

    samples: int | None = None
    standard_error: float | None = None
    time_limit: float | None = None
    seed: int | None = None
    deadline: float | None = None


def read_limits(
    samples: Any = None, standard_error: Any = None, time_limit: Any = None, seed: Any = None
) -> Limits:
    """Return the limits of a sampled answer, checked.

    Raises:
        InputError: A limit is no number above 0, or the seed no whole number of 0 or more.
    """
    found = Limits(
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
