"""Answers in the canonical form of a request, and in the suits, order and words of the request."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gpuodds.cards import SUITS, format_cards
from gpuodds.games.game import Game
from gpuodds.results.call_value import CallValue
from gpuodds.server.messages import JsonObject
from gpuodds.spots.hands import read_cards
from gpuodds.spots.price import Price
from gpuodds.spots.spot import Spot

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # the players in the "winners" of an answer

Suits = tuple[int, ...]
"""A relabelling: the new suit of each old suit."""


@dataclass
class AnswerForm:
    """How the answers to a request are turned into the canonical form, and back.

    It holds no range, so that many can be kept.
    """

    game: Game
    suits: Suits
    """The canonical name of each suit."""
    order: Sequence[int]
    """The request's player at each place of the canonical form."""
    names: Sequence[str]
    """The names of the players in an answer."""
    board: str
    dead: str
    folded: Sequence[str]
    notes: Sequence[str]
    """The request's own notes, on the texts of its ranges."""
    price: Price | None
    """The price of the first player's call, if there is one."""
    _written: tuple[bytes, str] | None = field(default=None, init=False, repr=False)

    @classmethod
    def of(cls, spot: Spot, suits: Suits, order: Sequence[int], price: Price | None) -> AnswerForm:
        """Return the form of the answers to a spot."""
        cards, names = (format_cards(spot.board), format_cards(spot.dead)), spot.folded_names
        return cls(spot.game, suits, order, spot.names, *cards, names, spot.notes, price)

    def write_answer(self, canonical: bytes) -> str:
        """Return the JSON of the answer whose canonical form is given as JSON; the last one is kept."""
        if self._written is None or self._written[0] != canonical:
            answer = self.from_canonical(json.loads(canonical))
            self._written = canonical, json.dumps(answer, separators=(",", ":"))
        return self._written[1]

    def to_canonical(self, answer: JsonObject) -> JsonObject:
        """Return an answer in the canonical suits and order, without the request's own notes."""
        notes = [note for note in answer.get("notes", []) if note not in self.notes]
        kept = {name: value for name, value in answer.items() if name != "notes"}
        return self._turned(kept | {"notes": notes} if notes else kept, self.suits, self.order)

    def from_canonical(self, answer: JsonObject) -> JsonObject:
        """Return a canonical answer in the request's suits, order and words."""
        back = tuple(self.suits.index(suit) for suit in range(4))
        places = [self.order.index(place) for place in range(len(self.order))]
        return self._with_names(self._turned(answer, back, places))

    def _with_names(self, answer: JsonObject) -> JsonObject:
        """Return an answer with the request's names of hands, board, dead cards and folded ranges."""
        players = [
            {**player, "hand": name} for player, name in zip(answer["players"], self.names, strict=True)
        ]
        other_notes = [note for note in answer.get("notes", []) if note not in self.notes]
        notes = [*self.notes, *other_notes]
        return {
            **answer,
            **({"notes": notes} if notes else {}),
            "hands": [*self.names],
            "board": self.board,
            "dead": self.dead,
            **({"folded": [*self.folded]} if self.folded else {}),
            "players": players,
            **(
                {}
                if self.price is None
                else {"call": CallValue.of_dict(self.price, players[0]).to_dict()}
            ),
        }

    def _turned(self, answer: JsonObject, suits: Suits, order: Sequence[int]) -> JsonObject:
        """Return an answer with the suits relabelled and the players in another order."""
        letters = {SUITS[old]: SUITS[new] for old, new in enumerate(suits)}
        players = [self._turned_player(answer["players"][place], letters) for place in order]
        turned = {**answer, "players": players}
        moved = {LETTERS[place]: LETTERS[new] for new, place in enumerate(order)}
        for half in ("winners", "low_winners"):
            if answer.get(half) is not None:
                turned[half] = _turned_winners(answer[half], moved)
        return turned

    def _turned_player(self, player: JsonObject, suits: dict[str, str]) -> JsonObject:
        turned = {**player}
        if "by_hand" in player:
            hands = [self._turned_hand(hand, suits) for hand in player["by_hand"]]
            hands.sort(key=lambda hand: (-hand[1]["equity"], hand[0]))
            turned["by_hand"] = [hand for _, hand in hands]
        if "blockers" in player:
            blockers = [self._turned_hand(hand, suits) for hand in player["blockers"]]
            blockers.sort(key=lambda hand: -hand[0])
            turned["blockers"] = [hand for _, hand in blockers]
        return turned

    def _turned_hand(self, hand: JsonObject, suits: dict[str, str]) -> tuple[int, JsonObject]:
        """Return the number of a hand with the suits relabelled, and its part of the answer."""
        cards = sorted(read_cards(resuited(hand["hand"], suits)), reverse=True)
        return self.game.combo_number(cards), {**hand, "hand": format_cards(cards)}


def resuited(hand: str, suits: Mapping[str, str]) -> str:
    """Return the text of cards with other letters for the suits."""
    return "".join(
        suits.get(letter, letter) if place % 2 else letter for place, letter in enumerate(hand)
    )


def _turned_winners(winners: JsonObject, moved: Mapping[str, str]) -> JsonObject:
    """Return counts by winners, no winner (of the low half) first, with the players' new letters."""
    turned = {
        "".join(sorted(moved[letter] for letter in names)): count for names, count in winners.items()
    }
    return dict(sorted(turned.items(), key=lambda item: _mask(item[0])))


def _mask(names: str) -> int:
    return sum(1 << LETTERS.index(letter) for letter in names)
