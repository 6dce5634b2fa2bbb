"""Why an answer came about as it did: the methods that could have answered, and what was assumed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gpuodds.basics.durations import format_duration


@dataclass(frozen=True)
class Considered:
    """A method that the planner considered.

    Attributes:
        method: The name of the method.
        seconds: About how long it takes on the CPU, an estimate; None if it cannot answer.
        chosen: Whether it answered.
        reason: Why it was chosen, was not, or cannot answer.
    """

    method: str
    seconds: float | None
    chosen: bool
    reason: str


@dataclass(frozen=True)
class Explanation:
    """The explanation of an answer.

    Attributes:
        methods: Every method, the one that answered and the others.
        assumed: What was taken for granted: tables, backend, ranges, symmetry, limits, a line each.
    """

    methods: tuple[Considered, ...]
    assumed: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the explanation as text: a line a method, a star before the one that answered."""
        lines = []
        for way in self.methods:
            about = "" if way.seconds is None else f", about {format_duration(way.seconds)}"
            lines.append(f"{'*' if way.chosen else '-'} {way.method}{about}: {way.reason}")
        return [*lines, *self.assumed]

    def to_dict(self) -> dict[str, Any]:
        """Return the keys ``explanation`` and ``assumed`` of the JSON object of an answer."""
        return {
            "explanation": [dict(vars(method)) for method in self.methods],
            "assumed": list(self.assumed),
        }
