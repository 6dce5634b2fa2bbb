"""The JSON bodies of answers, for the OpenAPI description; the library makes the answers themselves."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class _Answer(BaseModel):
    model_config = ConfigDict(extra="allow")


class PlayerAnswer(_Answer):
    """One player's counts and equity; counts are decimal strings, or numbers if hands have weights.

    They are null, as ``win``, ``tie`` and ``lose`` are, for a player of whom only the equity is known.
    """

    hand: str
    equity: float
    equity_exact: str | None
    win: float | None
    tie: float | None
    lose: float | None
    win_outcomes: str | float | None
    tie_outcomes: list[str | float] | None
    standard_error: float | None
    high_outcomes: list[str | float] | None = Field(
        default=[], description="Only in hi-lo: the best high hand alone, with one other, ..."
    )
    low_outcomes: list[str | float] | None = Field(
        default=[], description="Only in hi-lo: the best low hand alone, with one other, ..."
    )
    equity_graph: list[list[float]] = Field(
        default=[], description="Only where it is asked for: [share of the range, equity], best first."
    )
    blockers: list[dict[str, Any]] = Field(
        default=[],
        description="Only where it is asked for: what each hand takes out of the opponent's range.",
    )
    scoop: float | None = Field(default=None, description="Only in hi-lo: the share of whole pots.")


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


class CallAnswer(_Answer):
    """What a call is worth to the first player if no one bets any more."""

    pot: float
    to_call: float
    pot_odds: float = Field(description="The equity that breaks even.")
    pot_odds_exact: str
    expected_value: float = Field(description="The mean gain in chips; a fold is worth 0.")
    expected_value_exact: str | None
    standard_error: float | None


class EquityAnswer(ExplainedAnswer):
    """The object ``gpuodds.equity/1``."""

    game: str
    hands: list[str]
    opponents: int
    board: str
    dead: str
    folded: list[str] = Field(default=[], description="Only if players have folded.")
    method: str
    exact: bool
    backend: str
    outcomes: str | float | None = Field(description="Null if the answer follows from symmetry.")
    players: list[PlayerAnswer]
    random_equity: float | None
    seconds: float
    winners: dict[str, str | float] | None = Field(
        default={},
        description="Outcomes by the winners, of the high half in hi-lo, if all players are named; "
        "null if they are not known.",
    )
    low_winners: dict[str, str | float] = Field(
        default={}, description="Only in hi-lo: outcomes by the winners of the low half."
    )
    call: CallAnswer | None = Field(default=None, description="Only with pot and to_call.")


class BoardReportAnswer(_Answer):
    """The object ``gpuodds.board_report/1``: the rows are those of ``gpuodds flops --json``."""

    game: str
    street: str
    hands: list[str]
    opponents: int
    board: str
    dead: str
    backend: str
    outcomes: str | float
    players: list[PlayerAnswer] = Field(description="Over all rows.")
    rows: list[dict[str, Any]] = Field(
        description="A row for each class of boards: its figures are null if it cannot be dealt."
    )
    seconds: float


class RangeAnswer(_Answer):
    """The object ``gpuodds.range/1``."""

    game: str
    text: dict[str, str]
    combos: float
    holdings: int
    percent: float
    grid: list[list[float]] = Field(default=[], description="Of games with two hole cards.")
    classes: list[dict[str, Any]] = Field(
        default=[], description="Of Omaha: ranks, suits, combos and weight of each class in the range."
    )
    weights: dict[str, float]


class HitAnswer(_Answer):
    """A made hand or a draw: the sum of the weights of its combos, and their share of the range."""

    name: str
    combos: float
    share: float


class HandHitsAnswer(_Answer):
    """What one combo has."""

    hand: str
    weight: float
    made: str
    draws: list[str]


class StreetHitsAnswer(_Answer):
    """The made hands and draws on one street."""

    street: str
    board: str
    boards: int = Field(description="1, or without a board the flops on which each combo is counted.")
    made: list[HitAnswer]
    draws: list[HitAnswer]
    by_hand: list[HandHitsAnswer] = Field(default=[], description="Only where it is asked for.")


class HitsAnswer(_Answer):
    """The object ``gpuodds.hits/1``."""

    game: str
    range: str
    board: str
    dead: str
    combos: float
    streets: list[StreetHitsAnswer]


class PushFoldAnswer(BaseModel):
    """The object ``gpuodds.push-fold/1``."""

    model_config = ConfigDict(extra="allow")

    positions: list[str]
    unit: str = Field(description="chips or prize")
    exact: bool
    model: str
    values: list[float] = Field(description="What each player gains by the hand.")
    certificate: dict[str, bool | str | float] = Field(
        description="What best responses gain against the strategies, added up over the players."
    )
    strategies: dict[str, dict[str, dict[str, float]]] = Field(
        description="The probability of all-in by position, history and starting hand."
    )


class LuckAnswer(BaseModel):
    """The object ``gpuodds.luck/1``."""

    model_config = ConfigDict(extra="allow")

    player: str | None
    hands: int
    again: int = Field(description="Hands whose number had been read before.")
    players: list[dict[str, str | int]] = Field(description="Players and their hands, most first.")
    totals: list[dict[str, Any]] = Field(description="The player's sums, an object a currency.")
    series: dict[str, list[float]] = Field(
        description="By hand: the time; in big blinds the result, the all-in EV, luck by street."
    )
    lucky: list[dict[str, Any]] = Field(description="All-ins with most luck, good and bad.")
    not_adjusted: dict[str, int]
    skipped: list[dict[str, str | int]]
    more_skipped: int


class KellyAnswer(ExplainedAnswer):
    """The object ``gpuodds.kelly/1``; see docs/betting.md for the other fields."""

    game: str
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
    pot_odds: float = Field(
        description="The equity that breaks even: for the action, or for a call if the action is fold."
    )
    expected_value: float
    growth: float | None
    exact: bool
    standard_error: dict[str, float | list[float] | None] | None = Field(
        description="Of win, split, lose, equity, fraction and growth, if odds are sampled."
    )
    advice_changes: bool | None = Field(
        description="Whether odds within two standard errors advise another action; null if exact."
    )
    other_actions: list[str] = Field(description="The actions that odds within two errors advise, too.")


class GameAnswer(_Answer):
    """A game and its rules."""

    name: str
    other_names: list[str]
    title: str
    rules: str
    deck_size: int
    hole_cards: int
    max_players: int
    has_low: bool


class GamesAnswer(_Answer):
    """The object ``gpuodds.games/1``."""

    games: list[GameAnswer]


class PresetAnswer(_Answer):
    """A range by name."""

    name: str
    short: list[str]
    text: str
    percent: float


class PresetSetAnswer(_Answer):
    """A set of ranges by name."""

    title: str
    note: str
    ranges: list[PresetAnswer]


class PresetsAnswer(_Answer):
    """The object ``gpuodds.presets/1``."""

    game: str
    sets: list[PresetSetAnswer]


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
    input: str | None = Field(
        default=None,
        description="The input at fault, unless several are: hands.0, board, dead, folded.0, game.",
    )
