"""The JSON bodies of answers, for the OpenAPI description; the library makes the answers themselves."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class PlayerAnswer(_Answer):
    """One player's counts and equity; counts are decimal strings, or numbers if hands have weights."""

    hand: str
    equity: float
    equity_exact: str | None
    win: float
    tie: float
    lose: float
    win_outcomes: str | float
    tie_outcomes: list[str | float]
    standard_error: float | None


class MethodAnswer(_Answer):
    """A method that could have answered, or why it cannot."""

    method: str
    seconds: float | None
    chosen: bool
    reason: str


class ExplainedAnswer(_Answer):
    """The fields of ``"explain": true``."""

    explanation: list[MethodAnswer] = Field(default=[], description="Only where it is asked for.")
    assumed: list[str] = Field(default=[], description="Only where it is asked for.")


class EquityAnswer(ExplainedAnswer):
    """The object ``gpuodds.equity/1``."""

    hands: list[str]
    opponents: int
    board: str
    dead: str
    folded: list[str] = Field(default=[], description="Only if players have folded.")
    method: str
    exact: bool
    backend: str
    outcomes: str | float
    players: list[PlayerAnswer]
    random_equity: float | None
    seconds: float


class RangeAnswer(_Answer):
    """The object ``gpuodds.range/1``."""

    text: dict[str, str]
    combos: float
    holdings: int
    percent: float
    grid: list[list[float]]
    weights: dict[str, float]


class KellyAnswer(ExplainedAnswer):
    """The object ``gpuodds.kelly/1``; see docs/betting.md for the other fields."""

    model: str
    hand: str
    opponents: int
    against: list[str]
    action: str
    fraction: float
    bet: float
    bet_chips: int
    win: float
    split: list[float]
    lose: float
    equity: float
    expected_value: float
    growth: float | None
    exact: bool


class TablesAnswer(_Answer):
    """The tables that the server has."""

    tables: list[dict[str, Any]]


class RowsAnswer(_Answer):
    """The rows of a table for some hands."""

    table: str
    rows: list[dict[str, Any]]


class EquitiesAnswer(_Answer):
    """The equity of every hand on a board."""

    board: str
    opponents: int
    equities: dict[str, float]


class HealthAnswer(_Answer):
    """Whether the server is ready."""

    status: str
    version: str
    workers: int


class ProblemAnswer(_Answer):
    """An error: problem+json (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str = Field(description="One line for people.")
