"""Requests up to the names of the suits and the order of players and cards.

Requests that differ in nothing else have the same answer. :class:`ParsedRequest` finds the smallest of
a request's 24 suit relabellings, players sorted; its key is the hash of that form. Answers are cached
in the canonical form, and turned back into the suits, order and words of each request
(:mod:`gpuodds.server.answer_form`).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds._version import __version__
from gpuodds.cards import SUITS, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.combos import combo_index
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.omaha.combos import combo_numbers, renamed_cards
from gpuodds.lazy import cached_property
from gpuodds.methods.board_reports import read_flop
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT
from gpuodds.server.answer_form import AnswerForm, Suits, resuited
from gpuodds.server.inputs import Inputs, located, numbered, read_game, read_input
from gpuodds.server.memory import check_list_bytes, check_memory, has_lists, is_wide
from gpuodds.server.problems import InputErrorAt
from gpuodds.server.requests import MAX_TEXT, EquityRequest, FlopsRequest, TurnsRequest
from gpuodds.spots.hands import Hand, read_cards
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.ranges import Range
from gpuodds.spots.spot import Spot

MAX_QUICK_TEXT = 200  # characters that take about a millisecond to read
MAX_PARSED = 32  # requests kept as they were read; 11 KB a range

RELABELLINGS: list[Suits] = list(permutations(range(4)))
Player = Hand | Range


class _Canonical(NamedTuple):
    """The canonical form of a request, and how the request is turned into it."""

    form: Any
    suits: Suits
    order: list[int]
    """The request's player at each place of the form."""


class ParsedRequest:
    """A request for equity whose hands and cards have been read and checked."""

    def __init__(self, body: EquityRequest) -> None:
        """Read and check a request.

        Raises:
            InputError: A card or a range cannot be read, a card is repeated, or the deck is too small.
            Problem: The hands would take too much memory: status 422.
        """
        self.body, self.game = body, read_game(body.game)
        for kind, texts in (("hands", body.hands), ("folded", body.folded)):
            for name, text in numbered(kind, texts).items():
                if len(text) > MAX_TEXT:
                    limit = f"{kind}: expected at most {MAX_TEXT:,} characters each"
                    raise InputErrorAt(limit, name)
        self.is_wide = is_wide(body, self.game)
        """Whether lists of combos make it expensive to read, and its answer to write."""
        if self.is_wide:
            check_memory(body, self.game)
        hands, folded = numbered("hands", body.hands), numbered("folded", body.folded)
        with located(Inputs(hands, body.board, body.dead, folded), self.game):
            self._read()

    def _read(self) -> None:
        body = self.body
        self.spot = Spot.of(
            body.hands,
            opponents=body.opponents,
            board=body.board,
            dead=body.dead,
            folded=body.folded,
            game=self.game,
        )
        normal_form(self.spot)  # refuses cards that leave a player no hand
        self.opponents = self.spot.opponents

    def forget(self) -> None:
        """Drop the ranges of a wide request that waits: the worker reads them for itself."""
        if self.is_wide and not self.body.explain and self.key and self.form:
            del self.spot

    @cached_property
    def _canonical(self) -> _Canonical:
        return _smallest(self.spot)

    @cached_property
    def form(self) -> AnswerForm:
        """How answers are turned into the canonical form, and back."""
        _, suits, order = self._canonical
        return AnswerForm.of(self.spot, suits, order)

    @cached_property
    def key(self) -> str:
        """Equal for requests with the same exact answer up to suits and order."""
        form = self._canonical.form
        body = self.body
        details = body.by_hand, body.equity_graph, body.made_hands
        flags = self.opponents, body.table, *details, __version__, self.game.name
        return _hash((form, flags))

    @cached_property
    def in_flight_key(self) -> str:
        """Equal for requests that one computation can answer."""
        body = self.body
        method = body.method, body.samples, body.standard_error, body.time_limit, body.seed
        return f"{self.key} {method} {body.deadline}"


async def parse(body: EquityRequest, *, stream: bool) -> ParsedRequest:
    """Read and check a request, one that takes long in a thread.

    Raises:
        InputError: It cannot be answered; a seed with a time limit can only be streamed.
        Problem: It would take too much memory.
    """
    if not stream and body.seed is not None and body.time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    if any(len(hand) >= MAX_QUICK_TEXT for hand in (*body.hands, *body.folded)) or is_wide(
        body, read_game(body.game)
    ):
        return await asyncio.to_thread(_parse_whole, body)
    text = body.model_dump_json()
    found = _parsed.pop(text, None) or ParsedRequest(body)
    _parsed[text] = found
    if len(_parsed) > MAX_PARSED:
        _parsed.popitem(last=False)
    return found


def _parse_whole(body: EquityRequest) -> ParsedRequest:
    """Read a request and find its canonical form."""
    found = ParsedRequest(body)
    assert found.key and found.form
    return found


_parsed: OrderedDict[str, ParsedRequest] = OrderedDict()
"""The requests read last, by their fields: a page asks the same again and again."""


class BoardRequest:
    """A request for the equities of all combos on a board."""

    def __init__(self, board: str, opponents: int, game: str | Game = HOLDEM) -> None:
        """Read and check a request.

        Raises:
            InputError: The board does not have three to five different cards, or the game is another
                than hold'em.
        """
        self.board, self.opponents = read_cards(board), opponents
        if find_game(game) is not HOLDEM:
            raise InputError(f"game {find_game(game).name}: the equities of a board are of hold'em")
        if not 3 <= len(self.board) <= 5:
            raise InputError(f"board {excerpt(board)}: expected three to five cards")
        forms = [_relabelled_cards(self.board, suits) for suits in RELABELLINGS]
        self.canonical = min(forms)
        """The board in the canonical suits, ascending."""
        self._suits = RELABELLINGS[forms.index(self.canonical)]

    @property
    def key(self) -> str:
        """Equal for requests with the same answer up to suits."""
        return _hash(("by-holding", self.canonical, self.opponents, __version__))

    def from_canonical(self, equities: dict[str, float]) -> dict[str, float]:
        """Return the canonical board's equities by hand in the request's suits, by combo number."""
        back = {SUITS[new]: SUITS[old] for old, new in enumerate(self._suits)}
        hands = {
            tuple(sorted(read_cards(resuited(hand, back)))): value for hand, value in equities.items()
        }
        ordered = sorted(hands, key=lambda hand: combo_index(*hand))
        return {format_cards(reversed(hand)): hands[hand] for hand in ordered}


class ReportRequest:
    """A request for the equities on every flop, or on every turn card of a flop."""

    def __init__(self, body: FlopsRequest) -> None:
        """Read and check a request.

        Raises:
            InputError: A card or a range cannot be read, a card is repeated, or the board is no flop.
            Problem: The ranges would take too much memory: status 422.
        """
        self.body, game = body, read_game(body.game)
        if has_lists(body.hands, game):
            check_list_bytes(game, len(body.hands) + (body.opponents or 0))
        text = body.board if isinstance(body, TurnsRequest) else ""
        board = read_input("board", read_flop, text) if isinstance(body, TurnsRequest) else ()
        with located(Inputs(numbered("hands", body.hands), text, body.dead), game):
            self.spot = Spot.of(
                body.hands, opponents=body.opponents, board=board, dead=body.dead, game=game
            )

    @cached_property
    def key(self) -> str:
        """Equal for requests with the same rows: the suits and the order of players matter."""
        spot = self.spot
        players = [_Form(hand, spot.game).after(0) for hand in spot.hands]
        cards = sorted(spot.board), sorted(spot.dead)
        return _hash(("report", cards, players, spot.opponents, spot.game.name, __version__))

    def write_answer(self, cached: bytes) -> str:
        """Return the JSON of the report that is given as JSON, in the words of this request."""
        answer, spot = json.loads(cached), self.spot
        for player, name in zip(answer["players"], spot.names, strict=True):
            player["hand"] = name
        answer.pop("notes", None)
        words = {"board": format_cards(spot.board), "dead": format_cards(spot.dead)}
        notes = {"notes": [*spot.notes]} if spot.notes else {}
        return json.dumps(answer | {"hands": [*spot.names], **words, **notes}, separators=(",", ":"))


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _smallest(spot: Spot) -> _Canonical:
    """Return the smallest form of a spot under the relabellings of the suits.

    The cards that are known come first in it: ranges are relabelled only where those leave a choice.
    """
    known = [
        (
            _relabelled_cards(spot.board, suits),
            _relabelled_cards(spot.dead, suits),
            sorted(_relabelled_cards(hand, suits) for hand in spot.known_hands),
        )
        for suits in RELABELLINGS
    ]
    smallest = min(known)
    best: _Canonical | None = None
    hands = [_Form(hand, spot.game) for hand in spot.hands]
    gone = [_Form(hand, spot.game) for hand in spot.folded]
    for number, (suits, cards) in enumerate(zip(RELABELLINGS, known, strict=True)):
        if cards != smallest:
            continue
        players = [hand.after(number) for hand in hands]
        folded = sorted(hand.after(number) for hand in gone)
        order = sorted(range(len(players)), key=lambda place: players[place])
        form = (*cards[:2], [players[place] for place in order], folded)
        if best is None or form < best.form:
            best = _Canonical(form, suits, order)
    assert best is not None
    return best


def _relabelled_cards(cards: Sequence[int], suits: Suits) -> tuple[int, ...]:
    return tuple(sorted(card & ~3 | suits[card & 3] for card in cards))


class _Form:
    """A player after each relabelling: hands sort before ranges, which are hashed."""

    def __init__(self, player: Player, game: Game) -> None:
        self._player, self._game = player, game

    def after(self, number: int) -> tuple[int, tuple[int, ...] | str]:
        """Return the player after the relabelling of a number."""
        player = self._player
        if isinstance(player, tuple):
            return 0, _relabelled_cards(player, RELABELLINGS[number])
        if number in player.facts.suit_group:  # any, if the range names no suit
            return 1, self._unchanged
        _, weights = self._held
        numbers = combo_numbers(renamed_cards(self._cards, number))
        order = np.argsort(numbers)
        return 1, _hash_of_hands(numbers[order], weights[order])

    @cached_property
    def _held(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        assert isinstance(self._player, Range)
        weights = self._player.weights
        numbers = np.flatnonzero(weights)
        return numbers, weights[numbers]

    @cached_property
    def _cards(self) -> npt.NDArray[np.uint8]:
        return self._game.cards_of(self._held[0])

    @cached_property
    def _unchanged(self) -> str:
        return _hash_of_hands(*self._held)


def _hash_of_hands(numbers: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> str:
    return hashlib.sha256(numbers.tobytes() + weights.tobytes()).hexdigest()
