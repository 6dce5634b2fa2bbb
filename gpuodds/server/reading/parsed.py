"""Requests whose hands and cards have been read and checked, with the keys of their answers.

Texts of a millisecond are read where they arrive. Others are read by a worker process, under the same
admission as what is computed: it hands over the ranges as bytes, for the worker that computes.
"""

from __future__ import annotations

import json
from copy import copy
from typing import TYPE_CHECKING

from gpuodds._version import __version__
from gpuodds.cards import SUITS, format_cards
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import combo_index
from gpuodds.methods.boards.board_reports import read_flop
from gpuodds.results.blockers import check_spot
from gpuodds.server.reading.answer_form import AnswerForm, resuited
from gpuodds.server.reading.canonical import (
    RELABELLINGS,
    canonical_form,
    hash_of,
    plain_form,
    relabelled_cards,
)
from gpuodds.server.reading.inputs import Inputs, located, numbered, read_game, read_input
from gpuodds.server.reading.packed import Packed, unpacked
from gpuodds.server.requests import EquityRequest, FlopsRequest, TurnsRequest
from gpuodds.spots.hands import read_cards
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.price import Price
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.server.problems import Problem
    from gpuodds.server.reading.costs import Cost
    from gpuodds.server.reading.plans import Planned, Refused

MAX_QUICK_HANDS = 3000  # in an answer that is turned into another request's words in some milliseconds


class ParsedRequest:
    """A request for equity whose hands and cards have been read and checked."""

    body: EquityRequest
    game: Game
    key: str
    """Equal for requests with the same exact answer up to suits and order."""
    form: AnswerForm
    """How answers are turned into the canonical form, and back."""
    lists_many: bool
    """Whether its answer lists so many hands that a worker turns and writes it."""
    planned: Planned | Refused | None = None
    """How it is answered; None while that has not been asked."""
    _spot: Spot | None

    def __init__(self, body: EquityRequest) -> None:
        """Read and check a request.

        Raises:
            InputError: A card or a range cannot be read, a card is repeated, or the deck is too small.
        """
        self.body, self.game = body, read_game(body.game)
        price = Price.read(body.pot, body.to_call)
        hands, folded = numbered("hands", body.hands), numbered("folded", body.folded)
        with located(Inputs(hands, body.board, body.dead, folded), self.game):
            spot = Spot.of(
                body.hands,
                opponents=body.opponents,
                board=body.board,
                dead=body.dead,
                folded=body.folded,
                game=self.game,
            )
            normal_form(spot)  # refuses cards that leave a player no hand
        self._spot = spot
        canonical = canonical_form(spot)
        self.form = AnswerForm.of(spot, canonical.suits, canonical.order, price)
        if body.blockers:
            check_spot(spot)
        details = body.by_hand, body.equity_graph, body.blockers, body.made_hands
        self.key = hash_of(
            (canonical.form, spot.opponents, body.table, *details, __version__, self.game.name)
        )
        self.lists_many = (body.by_hand or body.blockers) and sum(
            spot.sizes[: len(spot.hands)]
        ) > MAX_QUICK_HANDS

    @property
    def spot(self) -> Spot:
        """The spot.

        Raises:
            LookupError: A worker has read it.
        """
        if self._spot is None:
            raise LookupError("a worker has read this request, and its plan has the spot")
        return self._spot

    @property
    def is_read_here(self) -> bool:
        """Whether :attr:`spot` is here, and the plan is no bytes."""
        return self._spot is not None

    def handed_over(self, planned: Planned | Refused) -> ParsedRequest:
        """Return the request as a worker hands it to the server: its plan as bytes has its ranges."""
        other = copy(self)
        other._spot, other.planned = None, planned
        if planned.plan is not None:
            other.planned = planned._replace(plan=Packed.of(unpacked(planned.plan)))
        return other

    @property
    def in_flight_key(self) -> str:
        """Equal for requests that one computation can answer."""
        body = self.body
        method = body.method, body.samples, body.standard_error, body.time_limit, body.seed
        return f"{self.key} {method} {body.deadline}"


class BoardRequest:
    """A request for the equities of all combos on a board."""

    def __init__(self, board: str, opponents: int, game: str | Game) -> None:
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
        forms = [relabelled_cards(self.board, suits) for suits in RELABELLINGS]
        self.canonical = min(forms)
        """The board in the canonical suits, ascending."""
        self._suits = RELABELLINGS[forms.index(self.canonical)]

    @property
    def key(self) -> str:
        """Equal for requests with the same answer up to suits."""
        return hash_of(("by-holding", self.canonical, self.opponents, __version__))

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

    key: str
    """Equal for requests with the same report up to words."""
    spot: Spot | Packed[Spot]
    """The spot, as bytes if a worker has read it."""
    cost: Cost | Problem | None = None
    """What the report costs, or why it costs too much; None while that has not been asked."""

    def __init__(self, body: FlopsRequest) -> None:
        """Read and check a request.

        Raises:
            InputError: A card or a range cannot be read, a card is repeated, or the board is no flop.
        """
        self.body, game = body, read_game(body.game)
        text = body.board if isinstance(body, TurnsRequest) else ""
        board = read_input("board", read_flop, text) if isinstance(body, TurnsRequest) else ()
        with located(Inputs(numbered("hands", body.hands), text, body.dead), game):
            spot = Spot.of(body.hands, opponents=body.opponents, board=board, dead=body.dead, game=game)
        self.spot = spot
        self._names, self._notes = spot.names, spot.notes
        self._board, self._dead = format_cards(spot.board), format_cards(spot.dead)
        # The suits and the order of players matter.
        self.key = hash_of(("report", *plain_form(spot), spot.opponents, game.name, __version__))

    def handed_over(self, cost: Cost | Problem) -> ReportRequest:
        """Return the request as a worker hands it to the server, with its spot as bytes."""
        other = copy(self)
        other.spot, other.cost = Packed.of(unpacked(self.spot)), cost
        return other

    def write_answer(self, cached: bytes) -> str:
        """Return the JSON of the report that is given as JSON, in the words of this request."""
        answer = json.loads(cached)
        for player, name in zip(answer["players"], self._names, strict=True):
            player["hand"] = name
        answer.pop("notes", None)
        cards = {"board": self._board, "dead": self._dead}
        notes = {"notes": [*self._notes]} if self._notes else {}
        written = answer | {"hands": [*self._names], **cards, **notes}
        return json.dumps(written, separators=(",", ":"))
