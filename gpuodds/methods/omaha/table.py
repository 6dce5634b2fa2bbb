"""Answer spots of Omaha from the table of all starting hands against one random hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpuodds.basics.present import present
from gpuodds.games.game import Game
from gpuodds.games.omaha.game import OMAHA
from gpuodds.methods.method import SECONDS_PER_LOOK_UP, TABLE, Machine, Method, Run

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.spots.ranges.range import Range
    from gpuodds.spots.spot import Spot

TABLES: dict[Game, str] = {OMAHA: "omaha-preflop-random"}
"""The tables that ship."""


class TableLookUp(Method):
    """The table of all starting hands against one random hand."""

    name = TABLE
    is_always = is_table = True

    def why_not(self, form: NormalForm, options: Options) -> str:
        """Return why it cannot answer; empty if it can."""
        return why_not_in_table(form.spot, options)

    def seconds(self, form: NormalForm, options: Options, machine: Machine) -> float:
        """Return about how long a look-up takes."""
        return SECONDS_PER_LOOK_UP

    def count(self, form: NormalForm, options: Options, run: Run) -> EquityResult:
        """Look the answer up."""
        return look_up(form.spot, options)

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen: the table that has the answer."""
        return f"taken from the shipped table {TABLES[form.spot.game]}"


def why_not_in_table(spot: Spot, options: Options) -> str:
    """Return why no table that ships answers a spot; empty if one does."""
    if not options.table:
        return "tables may not answer"
    if spot.game not in TABLES:
        return f"no table of {spot.game.name} ships"
    for has, what in (
        (spot.board or spot.dead, "boards or dead cards"),
        (spot.folded, "folded players"),
        (options.made_hands, "final hands"),
    ):
        if has:
            return f"no shipped table has {what}"
    place = _place_of_random(spot)
    if place is None:
        return "no shipped table has these players: one hand or range, and a random hand"
    if options.by_hand and place < len(spot.hands):
        return "no shipped table has the equities of each random hand"
    return ""


def _place_of_random(spot: Spot) -> int | None:
    """Return which of two players has a random hand; None if none has, or there are more players."""
    if spot.players != 2:
        return None
    if spot.opponents:
        return 1
    return next((place for place, hand in enumerate(spot.hands) if _is_random(hand)), None)


def _is_random(hand: tuple[int, ...] | Range) -> bool:
    """Tell whether a player may have every hand, all with the weight 1."""
    if isinstance(hand, tuple):
        return False
    return hand.facts.is_integer and hand.facts.total == hand.game.combos


def look_up(spot: Spot, options: Options) -> EquityResult:
    """Answer a spot before the flop of one hand or range against one random hand."""
    from gpuodds.methods.omaha.two_players import list_hands, total_counts, two_player_result

    hero = 1 - present(_place_of_random(spot))
    held = spot.held[hero]
    counts = _counts(held.cards, spot.has_integer_weights)
    won, tied, dealt = total_counts(held.weights, counts)
    totals = [[won, tied, dealt], [dealt - won - tied, tied, dealt]]
    by_hand = (list_hands(held, counts, [0], low=False),) if options.by_hand else None
    named = totals[:: 1 - 2 * hero][: len(spot.hands)]
    return two_player_result(spot, named, TABLE, "cpu", by_hand)


def _counts(cards: Any, is_integer: bool) -> Any:
    """Return what hands (n, 4) win, tie and are dealt against a random hand: (n, 3)."""
    import numpy as np

    from gpuodds.games.omaha.starting_hands import class_of
    from gpuodds.tables.shipped.omaha_preflop_random import OUTCOMES, read_table

    counts = np.full((len(cards), 3), OUTCOMES)
    counts[:, :2] = read_table()[:, class_of(cards)].T
    return counts if is_integer else counts.astype(np.float64)
