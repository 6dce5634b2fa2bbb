"""Requests up to the names of the suits and the order of players and cards.

Requests that differ in nothing else have the same answer. :class:`ParsedRequest` finds the smallest of
a request's 24 suit relabellings, players sorted; its key is the hash of that form. Answers are cached
in the canonical form, and turned back into the suits, order and words of each request.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds._version import __version__
from gpuodds.cards import SUITS, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.holdem.combos import combo_index, suit_relabellings
from gpuodds.methods.folded import reduce_folded
from gpuodds.methods.options import SEED_WITH_TIME_LIMIT
from gpuodds.server.messages import JsonObject
from gpuodds.server.requests import MAX_TEXT, EquityRequest
from gpuodds.spots.hands import Hand, read_cards
from gpuodds.spots.ranges import Range
from gpuodds.spots.spot import Spot

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the players in the "winners" of an answer
MAX_QUICK_TEXT = 200  # characters that take about a millisecond to read
MAX_PARSED = 32  # requests kept as they were read; 11 KB a range

Suits = tuple[int, ...]
"""A relabelling: the new suit of each old suit."""
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
        """
        self.body = body
        for hand in body.hands:
            if len(hand) > MAX_TEXT:
                raise InputError(f"hands: expected at most {MAX_TEXT:,} characters each")
        for hand in body.folded:
            if len(hand) > MAX_TEXT:
                raise InputError(f"folded: expected at most {MAX_TEXT:,} characters each")
        self.spot = Spot.of(
            body.hands,
            opponents=body.opponents,
            board=body.board,
            dead=body.dead,
            folded=body.folded,
        )
        self.counted_spot = reduce_folded(self.spot).spot
        """The spot without the folded players who change no equity."""
        self.players, self.opponents = self.spot.hands, self.spot.opponents
        self.board, self.dead = self.spot.board, self.spot.dead
        self._written: tuple[bytes, str] | None = None

    def write_answer(self, canonical: bytes) -> str:
        """Return the JSON of the answer whose canonical form is given as JSON; the last one is kept."""
        if self._written is None or self._written[0] != canonical:
            answer = self.from_canonical(json.loads(canonical))
            self._written = canonical, json.dumps(answer, separators=(",", ":"))
        return self._written[1]

    @property
    def names(self) -> list[str]:
        """The names of the players in an answer."""
        return [*self.spot.names]

    @cached_property
    def _canonical(self) -> _Canonical:
        best: _Canonical | None = None
        held = [_forms(hand) for hand in (*self.players, *self.spot.folded)]
        for suits, *forms in zip(RELABELLINGS, *held, strict=True):
            players, folded = forms[: len(self.players)], forms[len(self.players) :]
            order = sorted(range(len(players)), key=lambda place: players[place])
            form = (
                _relabelled_cards(self.board, suits),
                _relabelled_cards(self.dead, suits),
                [players[place] for place in order],
                sorted(folded),
            )
            if best is None or form < best.form:
                best = _Canonical(form, suits, order)
        assert best is not None
        return best

    @cached_property
    def key(self) -> str:
        """Equal for requests with the same exact answer up to suits and order."""
        form = self._canonical.form
        body = self.body
        flags = self.opponents, body.table, body.by_hand, body.made_hands, __version__
        return _hash((form, flags))

    @cached_property
    def in_flight_key(self) -> str:
        """Equal for requests that one computation can answer."""
        body = self.body
        method = body.method, body.samples, body.standard_error, body.time_limit, body.seed
        return f"{self.key} {method} {body.deadline}"

    def to_canonical(self, answer: JsonObject) -> JsonObject:
        """Return an answer in the canonical suits and order, without the request's own notes."""
        own = self.spot.notes
        notes = [note for note in answer.get("notes", []) if note not in own]
        rest = {name: value for name, value in answer.items() if name != "notes"}
        canonical = self._canonical
        return _turned(rest | {"notes": notes} if notes else rest, canonical.suits, canonical.order)

    def from_canonical(self, answer: JsonObject) -> JsonObject:
        """Return a canonical answer in the request's suits, order and words."""
        _, suits, order = self._canonical
        back = tuple(suits.index(suit) for suit in range(4))
        places = [order.index(place) for place in range(len(order))]
        return self._with_names(_turned(answer, back, places))

    def _with_names(self, answer: JsonObject) -> JsonObject:
        """Return an answer with the request's names of hands, board, dead cards and folded ranges."""
        players = [
            {**player, "hand": name} for player, name in zip(answer["players"], self.names, strict=True)
        ]
        others = [note for note in answer.get("notes", []) if note not in self.spot.notes]
        notes = [*self.spot.notes, *others]
        return {
            **answer,
            **({"notes": notes} if notes else {}),
            "hands": self.names,
            "board": format_cards(self.board),
            "dead": format_cards(self.dead),
            **({"folded": [*self.spot.folded_names]} if self.spot.folded else {}),
            "players": players,
        }


async def parse(body: EquityRequest, *, stream: bool) -> ParsedRequest:
    """Read and check a request, a long one in a thread.

    Raises:
        InputError: It cannot be answered; a seed with a time limit can only be streamed.
    """
    if not stream and body.seed is not None and body.time_limit is not None:
        raise InputError(SEED_WITH_TIME_LIMIT)
    if any(len(hand) >= MAX_QUICK_TEXT for hand in (*body.hands, *body.folded)):
        return await asyncio.to_thread(ParsedRequest, body)
    text = body.model_dump_json()
    found = _parsed.pop(text, None) or ParsedRequest(body)
    _parsed[text] = found
    if len(_parsed) > MAX_PARSED:
        _parsed.popitem(last=False)
    return found


_parsed: OrderedDict[str, ParsedRequest] = OrderedDict()
"""The requests read last, by their fields: a page asks the same again and again."""


class BoardRequest:
    """A request for the equities of all combos on a board."""

    def __init__(self, board: str, opponents: int) -> None:
        """Read and check a request.

        Raises:
            InputError: The board does not have three to five different cards.
        """
        self.board, self.opponents = read_cards(board), opponents
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
            tuple(sorted(read_cards(_resuited(hand, back)))): value for hand, value in equities.items()
        }
        ordered = sorted(hands, key=lambda hand: combo_index(*hand))
        return {format_cards(reversed(hand)): hands[hand] for hand in ordered}


def _hash(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _relabelled_cards(cards: Sequence[int], suits: Suits) -> tuple[int, ...]:
    return tuple(sorted(card & ~3 | suits[card & 3] for card in cards))


def _forms(player: Player) -> list[tuple[int, tuple[int, ...] | str]]:
    """Return a player after each of the relabellings; hands sort before ranges."""
    if isinstance(player, tuple):
        return [(0, _relabelled_cards(player, suits)) for suits in RELABELLINGS]
    moved = player.weights[_combos_before()]
    # Most ranges name no suit: one hash does.
    different = moved if (moved != moved[0]).any() else moved[:1]
    hashes = [hashlib.sha256(weights.tobytes()).hexdigest() for weights in different]
    return [(1, text) for text in (hashes if len(hashes) > 1 else hashes * len(RELABELLINGS))]


@cache
def _combos_before() -> npt.NDArray[np.intp]:
    """Return, for each relabelling and combo, the combo that becomes it; shape (24, 1326)."""
    return np.argsort(suit_relabellings(), axis=1)


def _turned(answer: JsonObject, suits: Suits, order: Sequence[int]) -> JsonObject:
    """Return an answer with the suits relabelled and the players in another order."""
    letters = {SUITS[old]: SUITS[new] for old, new in enumerate(suits)}
    players = [_turned_player(answer["players"][place], letters) for place in order]
    found = {**answer, "players": players}
    if "winners" in answer:
        moved = {LETTERS[place]: LETTERS[new] for new, place in enumerate(order)}
        winners = {
            "".join(sorted(moved[letter] for letter in names)): count
            for names, count in answer["winners"].items()
        }
        found["winners"] = dict(sorted(winners.items(), key=lambda item: _mask(item[0])))
    return found


def _turned_player(player: JsonObject, suits: dict[str, str]) -> JsonObject:
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


def _mask(names: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in names)
