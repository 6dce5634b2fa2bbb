"""What a range has on a board: made hands and draws, by street."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.cards import format_cards
from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.games.holdem.hits import FLOP, RIVER
from gpuodds.games.shared.hit_names import (
    DRAW_BITS,
    MADE,
    draw_names,
    draw_table,
    made_names,
)
from gpuodds.results.player_equity import Count
from gpuodds.results.reports.hit_filters import read_hit_filter

if TYPE_CHECKING:
    from gpuodds.spots.ranges.range import Range

SCHEMA = "gpuodds.hits/1"
STREETS = {FLOP: "flop", 4: "turn", RIVER: "river"}
"""The streets by their number of board cards."""

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Hit(NamedTuple):
    """How much of a range has a made hand or a draw."""

    combos: Count
    """The sum of the weights of its combos, over all boards of the street, an int if all weights are 1,
    else a float."""
    share: float
    """The part of the range, 0 to 1."""


class HandHits(NamedTuple):
    """What one combo of a range has."""

    hand: str
    """Its cards as text, the higher one first."""
    weight: float
    """Its weight in the range, 0 to 1."""
    made: str
    """The name of its made hand."""
    draws: tuple[str, ...]
    """The names of its draws."""


@dataclass(frozen=True, eq=False)
class StreetHits:
    """The made hands and draws of a range on one street. The guide to hits defines their names.

    Attributes:
        game: The game.
        street: ``"flop"``, ``"turn"`` or ``"river"``.
        board: The board cards of the street, as numbers; none if all flops are counted.
        boards: The number of boards on which each combo is counted: 1, or all flops without its cards.
        made: By name, the best first: each combo has exactly one.
        draws: By name: a combo may have several; empty on the river.
        numbers: The combos of the range, shape (n,), int64.
        weights: Their weights, shape (n,), float64, 0 to 1.
        codes: What they have, in gpuodds' own code, shape (n,), uint16; None for all flops.
    """

    game: Game
    street: str
    board: tuple[int, ...]
    boards: int
    made: dict[str, Hit]
    draws: dict[str, Hit]
    numbers: Ints
    weights: Floats
    codes: npt.NDArray[np.uint16] | None

    @staticmethod
    def of(
        game: Game,
        board: tuple[int, ...],
        boards: int,
        sums: Ints | Floats,
        held: tuple[Ints, Floats, npt.NDArray[np.uint16] | None],
    ) -> StreetHits:
        """Return the hits from sums of weights by code.

        Args:
            game: The game.
            board: The board cards of the street.
            boards: The number of boards on which each combo is counted.
            sums: Shape (CODES,), int64 if all weights are 1, else float64.
            held: The numbers, weights and codes of the combos.
        """
        whole = sums.sum() or 1
        by_made = sums.reshape(len(MADE), 1 << DRAW_BITS).sum(axis=1)
        made = {name: _hit(by_made[MADE.index(name)], whole) for name in made_names(game)}
        draws = {}
        if len(board) < RIVER:
            by_draw = [sums[codes].sum() for codes in draw_table(game)]
            counted = zip(draw_names(game), by_draw, strict=True)
            draws = {name: _hit(count, whole) for name, count in counted}
        return StreetHits(game, STREETS[len(board) or FLOP], board, boards, made, draws, *held)

    @property
    def by_hand(self) -> tuple[HandHits, ...]:
        """What each combo has, the best made hands first, and of these the highest cards.

        Raises:
            InputError: All flops are counted: a combo has something else on each.
        """
        if self.codes is None:
            raise InputError("by hand: expected a board of three to five cards")
        best, names = list(self.made), {code: self._names(code) for code in {*self.codes.tolist()}}
        columns = self.codes, self.game.cards_of(self.numbers), self.weights
        rows = [*zip(*(column[::-1].tolist() for column in columns), strict=True)]  # high cards first
        rows.sort(key=lambda row: best.index(names[row[0]][0]))
        return tuple(HandHits(format_cards(held[::-1]), w, *names[code]) for code, held, w in rows)

    def _names(self, code: int) -> tuple[str, tuple[str, ...]]:
        has = draw_table(self.game)[:, code].tolist()
        draws = zip(draw_names(self.game), has, strict=True)
        return MADE[code >> DRAW_BITS], tuple(name for name, has_it in draws if has_it)

    def to_dict(self, by_hand: bool = False) -> dict[str, Any]:
        """Return the entry of a street in ``gpuodds.hits/1``.

        Args:
            by_hand: Whether to add what each combo has.

        Raises:
            InputError: ``by_hand`` where all flops are counted.
        """
        street: dict[str, Any] = {
            "street": self.street,
            "board": format_cards(self.board),
            "boards": self.boards,
        }
        for kind, hits in (("made", self.made), ("draws", self.draws)):
            street[kind] = [{"name": name, **hit._asdict()} for name, hit in hits.items()]
        if by_hand:
            street["by_hand"] = [{**row._asdict(), "draws": list(row.draws)} for row in self.by_hand]
        return street


@dataclass(frozen=True, eq=False)
class RangeHits:
    """The made hands and draws of a range, by street.

    Attributes:
        range: The text of the range.
        game: The game.
        board: The board cards, as numbers.
        dead: Cards out of play, as numbers.
        combos: The sum of the weights of the combos that board and dead cards leave: an int if all
            weights are 1, else a float.
        streets: An entry for each street that the board reaches; without a board one for all flops.

    Example:
        >>> import gpuodds
        >>> flop = gpuodds.range_hits("QQ+,AK", board="2s7dKh").streets[0]
        >>> flop.made["top pair"], flop.draws["gutshot"].combos
        (Hit(combos=12, share=0.4444444444444444), 0)
    """

    range: str
    game: Game
    board: tuple[int, ...]
    dead: tuple[int, ...]
    combos: Count
    streets: tuple[StreetHits, ...]

    def filter(self, *filters: str) -> Range:
        """Return the range of the combos that have something.

        Args:
            filters: Names of made hands and draws, separated by commas: ``"top pair+, flush draw"``
                keeps combos with top pair or better, or a flush draw. ``+`` is for made hands; ``!``
                before a name leaves out what has it. ``"flop: flush draw"`` asks about the flop; else
                the last street counts. A combo must pass all filters.

        Raises:
            InputError: There is no board, or a filter cannot be read.

        Example:
            >>> import gpuodds
            >>> hits = gpuodds.range_hits("15%", board="2s7dKhTh")
            >>> hits.filter("turn: flush draw, set+", "flop: !ace high")
            Range('Ah7h,KsKd,KsKc,KdKc,QhJh,TsTd,TsTc,TdTc,7s7h,7s7c,7h7c')
        """
        from gpuodds.spots.ranges.range import Range

        if not self.board:
            raise InputError("filter by hits: expected a board of three to five cards")
        reached = [street.street for street in self.streets]
        weights = np.zeros(self.game.combos)
        weights[self.streets[0].numbers] = self.streets[0].weights
        for text in filters:
            street, kept = read_hit_filter(text, self.game, reached)
            asked = self.streets[reached.index(street) if street else -1]
            weights[asked.numbers[~kept[asked.codes]]] = 0.0
        return Range.of(weights, game=self.game)

    def to_dict(self, by_hand: bool = False) -> dict[str, Any]:
        """Return the JSON object ``gpuodds.hits/1``.

        Args:
            by_hand: Whether to add what each combo has on each street.

        Raises:
            InputError: ``by_hand`` without a board.
        """
        return {
            "schema": SCHEMA,
            "game": self.game.name,
            "range": self.range,
            "board": format_cards(self.board),
            "dead": format_cards(self.dead),
            "combos": self.combos,
            "streets": [street.to_dict(by_hand) for street in self.streets],
        }


def _hit(combos: Any, whole: Any) -> Hit:
    count = combos.item()
    return Hit(count, float(count / whole))
