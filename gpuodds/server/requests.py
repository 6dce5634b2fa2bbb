"""Questions as they come over the wire: checked, priced, and told apart only by what matters.

Two questions that differ in the names of the suits, in the order of the players or of the cards are the
same one. :class:`Question` finds the smallest of its 24 suit relabellings, players sorted; that is its
key. An answer is kept for the key, and turned back into the asker's suits, order and words.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from functools import cached_property
from itertools import permutations
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

from gpuodds._version import __version__
from gpuodds.cards import SUITS, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.combos import combo_index, suit_relabellings
from gpuodds.methods import costs
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT, Options, SamplingOptions
from gpuodds.spots.ranges import Range
from gpuodds.spots.spot import Spot, read_cards

MOST_TEXT = 20_000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RENAMINGS = list(permutations(range(4)))


def by_holding_seconds(board: int, opponents: int, threads: int) -> float:
    """Return about how long every hand on a board is counted: board cards, opponents, threads."""
    if opponents == 1:
        seconds = 0.1 if board == 3 else 0.04
    elif board == 3:
        seconds = 0.25 + (0.15 if opponents < 10 else 0.22) * opponents
    else:
        seconds = 0.06 + 2e-3 * opponents
    return seconds / threads


class EquityQuestion(BaseModel):
    """A question of equity; the fields are the arguments of ``gpuodds.equity``."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "examples": [
                {"hands": ["AsKs"], "opponents": 3},
                {"hands": ["QQ+,AK", "22+,A2s+"], "board": "2s7d9h"},
            ]
        },
    )

    hands: list[str] = Field(min_length=1, max_length=10, description="Hands or ranges, a player each.")
    opponents: int | None = Field(
        default=None, ge=0, le=22, description="More players, with any cards."
    )
    board: str = Field(default="", max_length=100, description="0 to 5 cards.")
    dead: str = Field(default="", max_length=300, description="Cards out of play.")
    method: Literal["auto", "exact", "monte-carlo"] = "auto"
    table: bool = True
    samples: int | None = Field(default=None, ge=1, le=10**9)
    standard_error: float | None = Field(default=None, ge=1e-5, le=1)
    time_limit: float | None = Field(
        default=None, gt=0, le=3600, description="Seconds that counting may be estimated at."
    )
    deadline: float | None = Field(
        default=None, gt=0, le=3600, description="Seconds after which no answer is wanted."
    )
    seed: int | None = Field(default=None, ge=0, lt=2**63)
    by_hand: bool = False
    made_hands: bool = False


class RangeText(BaseModel):
    """A range, as text in any dialect."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"text": "22+,AK:0.5,A5s-A2s"}]}
    )

    text: str = Field(max_length=MOST_TEXT)


class KellyQuestion(BaseModel):
    """A question of how much to bet; the fields are the arguments of ``gpuodds.betting.kelly_bet``."""

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

    hand: str = Field(max_length=MOST_TEXT, description="The two cards that are bet on.")
    opponents: Annotated[
        Annotated[int, Field(ge=1, le=22), Tag("number")]
        | Annotated[
            list[Annotated[str, Field(max_length=MOST_TEXT)]],
            Field(min_length=1, max_length=22),
            Tag("list"),
        ],
        Discriminator(lambda given: "list" if isinstance(given, list) else "number"),
    ] = Field(description="How many, with any cards; or a hand or range for each.")
    bankroll: float = Field(gt=0, le=1e15)
    stack: float | None = Field(default=None, gt=0, le=1e15)
    pot: float = Field(default=0, ge=0, le=1e15)
    to_call: float = Field(default=0, ge=0, le=1e15)
    board: str = Field(default="", max_length=100)
    dead: str = Field(default="", max_length=300)
    stacks: list[Annotated[float, Field(ge=0, le=1e15)] | None] | None = Field(
        default=None, max_length=22
    )
    fold: float = Field(default=0, ge=0, le=1)
    multiple: float = Field(default=1, ge=0, le=1)
    minimum: float = Field(default=0, ge=0, le=1e15)
    spread: float = Field(default=0, ge=0, le=1, description="Share of the growth to give up.")
    seed: int | None = Field(default=None, ge=0, lt=2**63, description="Of what is drawn.")

    def worker_seconds(self, threads: int, limit: float) -> float:
        """Return the seconds that an answer takes on ``threads``, counting up to the limit.

        Raises:
            InputError: A card or a range makes no sense.
        """
        if isinstance(self.opponents, int):
            return costs.known_hands_seconds(len(read_cards(self.board)), self.opponents, threads)
        if self.seconds:
            return self.seconds
        hands = [self.hand, *self.opponents]
        asked = EquityQuestion.model_construct(hands=hands, board=self.board, dead=self.dead)
        counting = Question(asked).counting_seconds(threads)
        return limit if counting is None else min(counting, limit)

    @property
    def seconds(self) -> float:
        """About how long deals are sampled and sorted into pots; 0 where nothing is."""
        contest_all = not self.fold and not any(stack is not None for stack in self.stacks or ())
        if contest_all or isinstance(self.opponents, int) or len(self.opponents) < 2:
            return 0.0
        # Measured: each opponent is dealt cards, and may fold or stay, and win, tie or lose.
        return 0.25 * len(self.opponents) + 0.0015 * 4.0 ** len(self.opponents)


class Question:
    """A question of equity, read."""

    def __init__(self, asked: EquityQuestion) -> None:
        """Read and check it.

        Raises:
            InputError: A card, a range or a combination of them makes no sense.
        """
        self.asked = asked
        for hand in asked.hands:
            if len(hand) > MOST_TEXT:
                raise InputError(f"hands: expected at most {MOST_TEXT:,} characters each")
        self.spot = Spot.of(asked.hands, opponents=asked.opponents, board=asked.board, dead=asked.dead)
        self.board, self.dead = self.spot.board, self.spot.dead
        self.players, self.opponents = self.spot.hands, self.spot.opponents
        self.is_known = self.spot.is_known

    @property
    def names(self) -> list[str]:
        """What the players are called in an answer."""
        return [*self.spot.names]

    def counting_seconds(self, threads: int) -> float | None:
        """Return the seconds that counting takes on ``threads``; None if it cannot be counted."""
        asked = self.asked
        wanted = Options(table=asked.table, by_hand=asked.by_hand, made_hands=asked.made_hands)
        ways = costs.counting_seconds(self.spot, wanted, threads)
        return min(ways.values(), default=None)

    def sampling_seconds(self, threads: int) -> float:
        """Return the seconds that sampling takes on ``threads``, without a limit in seconds."""
        wanted = SamplingOptions(self.asked.samples, self.asked.standard_error)
        return costs.sampling_seconds(self.spot, wanted, threads)

    @cached_property
    def _canonical(self) -> tuple[Any, tuple[int, ...], list[int]]:
        """Return the smallest form, the renaming of suits that makes it, and the players' order."""
        best: tuple[Any, tuple[int, ...], list[int]] | None = None
        for number, names in enumerate(RENAMINGS):
            board = tuple(sorted(card & ~3 | names[card & 3] for card in self.board))
            dead = tuple(sorted(card & ~3 | names[card & 3] for card in self.dead))
            players = [_renamed(player, number, names) for player in self.players]
            order = sorted(range(len(players)), key=lambda place: players[place])
            form = board, dead, [players[place] for place in order]
            if best is None or form < best[0]:
                best = form, names, order
        assert best is not None
        return best

    @cached_property
    def key(self) -> str:
        """What tells the question apart from others whose exact answer is another."""
        (board, dead, players), _, _ = self._canonical
        asked = self.asked
        flags = self.opponents, asked.table, asked.by_hand, asked.made_hands, __version__
        text = repr((board, dead, players, flags))
        return hashlib.sha256(text.encode()).hexdigest()

    @cached_property
    def flight(self) -> str:
        """What tells the question apart from others that are computed in another way."""
        asked = self.asked
        way = asked.method, asked.samples, asked.standard_error, asked.time_limit, asked.seed
        return f"{self.key} {way} {asked.deadline}"

    def to_canonical(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer in the suits and the order of the key, without names and notes on them."""
        _, names, order = self._canonical
        own = self._range_notes
        notes = [note for note in answer.get("notes", []) if note not in own]
        rest = {name: value for name, value in answer.items() if name != "notes"}
        return _turn(rest | {"notes": notes} if notes else rest, names, order)

    def from_canonical(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer for the key in the asker's suits, order and words."""
        _, names, order = self._canonical
        back = [names.index(suit) for suit in range(4)]
        places = [order.index(place) for place in range(len(order))]
        return self.named(_turn(answer, back, places))

    def named(self, answer: dict[str, Any]) -> dict[str, Any]:
        """Return an answer with the asker's names of hands, board and dead cards."""
        players = [
            {**player, "hand": name} for player, name in zip(answer["players"], self.names, strict=True)
        ]
        others = [note for note in answer.get("notes", []) if note not in self._range_notes]
        notes = [*self._range_notes, *others]
        return {
            **answer,
            **({"notes": notes} if notes else {}),
            "hands": self.names,
            "board": format_cards(self.board),
            "dead": format_cards(self.dead),
            "players": players,
        }

    @property
    def _range_notes(self) -> list[str]:
        """What is to say on how the asker's ranges were read."""
        return [*self.spot.notes]

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of ``gpuodds.equity``."""
        return {**self.asked.model_dump(exclude={"deadline"}), "opponents": self.opponents}


def _renamed(player: tuple[int, int] | Range, number: int, names: tuple[int, ...]) -> tuple[int, Any]:
    if isinstance(player, tuple):
        return 0, tuple(sorted(card & ~3 | names[card & 3] for card in player))
    weights = np.empty_like(player.weights)
    weights[suit_relabellings()[number]] = player.weights
    return 1, hashlib.sha256(weights.tobytes()).hexdigest()


def _turn(answer: dict[str, Any], names: Any, order: list[int]) -> dict[str, Any]:
    """Rename the suits of an answer and put its players in an order."""
    suits = {SUITS[old]: SUITS[new] for old, new in enumerate(names)}
    players = [_turned(answer["players"][place], suits) for place in order]
    found = {**answer, "players": players}
    if "winners" in answer:
        letters = {LETTERS[place]: LETTERS[new] for new, place in enumerate(order)}
        turned = {
            "".join(sorted(letters[letter] for letter in who)): count
            for who, count in answer["winners"].items()
        }
        found["winners"] = dict(sorted(turned.items(), key=lambda item: _mask(item[0])))
    return found


def _turned(player: dict[str, Any], suits: dict[str, str]) -> dict[str, Any]:
    if "by_hand" not in player:
        return player
    hands = [
        {**hand, "hand": format_cards(sorted(read_cards(_resuited(hand["hand"], suits)), reverse=True))}
        for hand in player["by_hand"]
    ]
    hands.sort(key=lambda hand: (-hand["equity"], combo_index(*read_cards(hand["hand"]))))
    return {**player, "by_hand": hands}


def _resuited(hand: str, suits: dict[str, str]) -> str:
    return "".join(
        suits.get(letter, letter) if place % 2 else letter for place, letter in enumerate(hand)
    )


def _mask(who: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in who)


async def read(asked: EquityQuestion, *, stream: bool) -> Question:
    """Read a question, a long one beside the event loop.

    Raises:
        InputError: It makes no sense; one with a seed and a time limit only makes sense as a stream.
    """
    if not stream and asked.seed is not None and asked.time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    # Ranges take a millisecond to read, long texts more.
    if all(len(hand) < 200 for hand in asked.hands):
        return Question(asked)
    return await asyncio.to_thread(Question, asked)


def as_bytes(answer: dict[str, Any]) -> bytes:
    """Return an answer as JSON."""
    return json.dumps(answer, separators=(",", ":")).encode()


class BoardQuestion:
    """A question of the equity of every hand on a board."""

    def __init__(self, board: str, opponents: int) -> None:
        """Read it.

        Raises:
            InputError: The board has not three to five different cards.
        """
        self.board, self.opponents = read_cards(board), opponents
        if not 3 <= len(self.board) <= 5:
            raise InputError(f"board {excerpt(board)}: expected three to five cards")
        forms = [
            tuple(sorted(card & ~3 | names[card & 3] for card in self.board)) for names in RENAMINGS
        ]
        self.canonical = min(forms)
        self._names = RENAMINGS[forms.index(self.canonical)]

    @property
    def key(self) -> str:
        """What tells the question apart from others with another answer."""
        text = repr(("by-holding", self.canonical, self.opponents, __version__))
        return hashlib.sha256(text.encode()).hexdigest()

    def from_canonical(self, equities: dict[str, float]) -> dict[str, float]:
        """Return the canonical board's equities by hand in the asker's suits, in the usual order."""
        back = {SUITS[new]: SUITS[old] for old, new in enumerate(self._names)}
        hands = {
            tuple(sorted(read_cards(_resuited(hand, back)))): value for hand, value in equities.items()
        }
        ordered = sorted(hands, key=lambda hand: combo_index(*hand))
        return {format_cards(reversed(hand)): hands[hand] for hand in ordered}
