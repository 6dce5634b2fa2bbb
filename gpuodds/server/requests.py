"""The JSON bodies of requests; :mod:`gpuodds.server.answers` has those of the answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

MAX_TEXT = 20_000  # characters of a hand or a range


def _check_characters(text: str) -> str:
    r"""Refuse half of a surrogate pair, which JSON can write (``\ud800``) but UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = ascii(text[error.start])[1:-1]
        raise PydanticCustomError(
            "characters", "expected text, found {found}, half of a character", {"found": half}
        ) from None
    return text


Text = Annotated[str, AfterValidator(_check_characters)]
"""A text without a limit of its own; pydantic itself checks the characters of those with one."""


GAME = Field(default="holdem", max_length=40, description="A game of /v1/games: its name, or another.")


class EquityRequest(BaseModel):
    """A request for equity; the fields are the arguments of ``gpuodds.equity``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"hands": ["AsKs"], "opponents": 3},
                {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"},
                {"hands": ["AsKs", "QhQd"], "folded": ["22+,A2s+"]},
                {"hands": ["AKs", "UTG"], "pot": 1100, "to_call": 1000},
                {"hands": ["AsAh2c3h", "7c8c9dTd"], "board": "2s7d9h", "game": "omaha-hi-lo"},
            ]
        },
    )

    hands: list[Text] = Field(min_length=1, max_length=11, description="A hand or a range per player.")
    opponents: int | None = Field(
        default=None, ge=0, le=22, description="Further players, with random cards."
    )
    board: str = Field(default="", max_length=100, description="0 to 5 cards.")
    dead: str = Field(default="", max_length=300, description="Cards out of play.")
    game: str = GAME
    folded: list[Text] = Field(
        default=[],
        max_length=10,
        description="The range of each player who has folded: their cards are out of play.",
    )
    method: Literal["auto", "exact", "monte-carlo"] = "auto"
    table: bool = True
    samples: int | None = Field(default=None, ge=1, le=10**9)
    standard_error: float | None = Field(default=None, ge=1e-5, le=1)
    time_limit: float | None = Field(
        default=None, gt=0, le=3600, description="Estimated seconds up to which the equity is counted."
    )
    deadline: float | None = Field(
        default=None, gt=0, le=3600, description="Seconds until the answer has to be there."
    )
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    by_hand: bool = False
    equity_graph: bool = Field(
        default=False,
        description="Whether to add, per player, the equities of the hands of the range, best first.",
    )
    blockers: bool = Field(
        default=False,
        description="Whether to add, per player, what each hand takes out of the opponent's range.",
    )
    made_hands: bool = False
    explain: bool = Field(default=False, description="Whether to add what each method would cost.")
    pot: float | None = Field(
        default=None,
        ge=0,
        le=1e15,
        description="Chips in the pot, with the bet that is called: adds what a call is worth.",
    )
    to_call: float | None = Field(
        default=None, ge=0, le=1e15, description="Chips that the first player's call takes."
    )

    @property
    def counts_hands(self) -> bool:
        """Whether the equity of each hand is needed: for the answer, or for what follows from it."""
        return self.by_hand or self.equity_graph or self.blockers


class FlopsRequest(BaseModel):
    """A request for a report on every flop; the fields are the arguments of ``gpuodds.flop_report``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"hands": ["QQ+,AK", "22+,A2s+"]}, {"hands": ["AsKs"]}]},
    )

    hands: list[Annotated[str, Field(max_length=MAX_TEXT)]] = Field(
        min_length=1, max_length=11, description="A hand or a range per player."
    )
    opponents: int | None = Field(
        default=None, ge=0, le=22, description="Further players, with random cards."
    )
    dead: str = Field(default="", max_length=300, description="Cards out of play.")
    game: str = GAME


class TurnsRequest(FlopsRequest):
    """A request for a report on every turn card; the fields are those of ``gpuodds.turn_report``."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"}]}
    )

    board: str = Field(max_length=100, description="The flop, three cards.")


class RangeRequest(BaseModel):
    """A range, as text in any dialect."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"text": "22+,AK:0.5,A5s-A2s"}]}
    )

    text: str = Field(max_length=MAX_TEXT)
    game: str = GAME


class HitsRequest(BaseModel):
    """A request for made hands and draws; the fields are the arguments of ``gpuodds.range_hits``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"text": "22+,A2s+", "board": "2s7dKh", "by_hand": True}]},
    )

    text: str = Field(max_length=MAX_TEXT, description="A hand or a range.")
    board: str = Field(default="", max_length=100, description="No cards, or three to five.")
    dead: str = Field(default="", max_length=300, description="Cards out of play.")
    game: str = GAME
    by_hand: bool = Field(default=False, description="Whether to add each hand; it needs a board.")
    filters: list[Annotated[str, Field(max_length=1000)]] = Field(
        default=[],
        max_length=20,
        description="What hands must have, such as 'top pair+, flush draw': the answer has 'kept'.",
    )


class KellyRequest(BaseModel):
    """A request for a bet; the fields are the arguments of ``gpuodds.betting.kelly_bet``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"hand": "QdQs", "board": "2s7d9h", "opponents": 2, "bankroll": 5000, "pot": 100},
                {"hand": "QdQs", "opponents": ["QQ+,AK", "random"], "bankroll": 5000, "pot": 100},
            ]
        },
    )

    hand: str = Field(max_length=MAX_TEXT, description="The cards to bet on, or a range.")
    opponents: Annotated[
        Annotated[int, Field(ge=1, le=22), Tag("number")]
        | Annotated[
            list[Annotated[str, Field(max_length=MAX_TEXT)]],
            Field(min_length=1, max_length=22),
            Tag("list"),
        ],
        Discriminator(lambda given: "list" if isinstance(given, list) else "number"),
    ] = Field(description="A number of random opponents, or a hand or range per opponent.")
    bankroll: float = Field(gt=0, le=1e15)
    stack: float | None = Field(default=None, gt=0, le=1e15)
    pot: float = Field(default=0, ge=0, le=1e15)
    to_call: float = Field(default=0, ge=0, le=1e15)
    board: str = Field(default="", max_length=100)
    dead: str = Field(default="", max_length=300)
    game: str = GAME
    stacks: list[Annotated[float, Field(ge=0, le=1e15)] | None] | None = Field(
        default=None, max_length=22
    )
    fold: float = Field(default=0, ge=0, le=1)
    fold_curve: list[Annotated[float, Field(ge=-1000, le=1000)]] | None = Field(
        default=None,
        min_length=2,
        max_length=2,
        description="A and B of the chance of a fold, 1 / (1 + exp(-(A + B price))).",
    )
    multiple: float = Field(default=1, ge=0, le=1)
    minimum: float = Field(default=0, ge=0, le=1e15)
    spread: float = Field(default=0, ge=0, le=1, description="Share of the growth to give up.")
    seed: int | None = Field(default=None, ge=0, lt=2**63, description="Seed of the random draws.")
    explain: bool = Field(default=False, description="Whether to add how the odds were found.")


CHIPS = Field(default=0, ge=0, le=1e15)


class PushFoldRequest(BaseModel):
    """A request for all-in or fold; the fields are the arguments of ``gpuodds.push_fold``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"stacks": [10, 10]},
                {"stacks": [8, 12], "payouts": [65, 35], "hands": ["BB:SB=A5s"]},
            ]
        },
    )

    stacks: list[Annotated[float, Field(ge=0, le=1e15)]] = Field(
        min_length=2, max_length=9, description="Chips in order of action, the blinds last."
    )
    blinds: list[Annotated[float, Field(ge=0, le=1e15)]] = Field(
        default=[0.5, 1], min_length=2, max_length=2, description="The small and the big blind."
    )
    ante: float = CHIPS
    bb_ante: float = CHIPS
    payouts: list[Annotated[float, Field(ge=0, le=1e15)]] | None = Field(
        default=None, max_length=9, description="Prizes from the first place on; else chips count."
    )
    bounties: list[Annotated[float, Field(ge=0, le=1e15)]] | None = Field(default=None, max_length=9)
    progressive: bool = False
    lock: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=MAX_TEXT)]] = (
        Field(
            default={}, max_length=100, description="Ranges that are given, by position with history."
        )
    )
    hands: list[Annotated[str, Field(max_length=100)]] = Field(
        default=[], max_length=20, description="Decisions to explain, such as BB:SB=A5s."
    )
