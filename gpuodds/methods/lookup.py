"""Answer spots from the tables that ship with the package."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

from gpuodds.results.result import EquityResult, split_outcomes
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.methods.options import Options


TABLE = "table"
"""The name of this method in the cost model."""


def is_in_table(spot: Spot, options: Options) -> bool:
    """Tell whether a table that ships answers a spot, and may."""
    if not options.table or options.made_hands:
        return False
    if spot.is_known and not options.by_hand:
        return has_known_hand(spot)
    return has_two_ranges(spot)


def why_not_in_table(spot: Spot, options: Options) -> str:
    """Return why no table that ships answers a spot; empty if one does."""
    if is_in_table(spot, options):
        return ""
    if not options.table:
        return "tables may not answer"
    for has, what in (
        (spot.board or spot.dead, "boards or dead cards"),
        (spot.folded, "folded players"),
        (options.made_hands, "final hands"),
    ):
        if has:
            return f"no shipped table has {what}"
    if spot.game.missing:
        return f"no shipped table of {spot.game.name} has these players: one hand and random ones"
    if spot.is_known and has_two_ranges(spot):
        return "two known hands are counted faster than the table is read"
    return "no shipped table has these players: one hand and random ones, or two named ones"


def table_of(spot: Spot, options: Options) -> str:
    """Return the name of the shipped table that answers a spot."""
    if not (spot.is_known and has_known_hand(spot)):
        return "preflop-heads-up"
    from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES

    return RANDOM_TABLES[spot.game].name


def has_known_hand(spot: Spot) -> bool:
    """Return whether the game's table of starting hands answers a spot: one hand before the flop."""
    return spot.is_known and len(spot.hands) == 1 and not (spot.board or spot.dead)


def has_two_ranges(spot: Spot) -> bool:
    """Return whether ``preflop-heads-up`` answers a spot: two named players before the flop."""
    others = spot.opponents or spot.folded
    return len(spot.hands) == 2 and not (others or spot.board or spot.removed)


def look_up_known_hand(spot: Spot) -> EquityResult:
    """Answer a spot of one hand against random opponents from the game's table of starting hands."""
    from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES

    counts = RANDOM_TABLES[spot.game].counts(spot.known_hands[0], spot.opponents)
    players = split_outcomes(spot, {1: counts})
    return EquityResult(spot, players, "table", "cpu", None, 0.0)


def look_up_two_ranges(spot: Spot, *, by_hand: bool) -> EquityResult:
    """Answer a spot of two players with ranges from ``preflop-heads-up``."""
    import numpy as np

    from gpuodds.results.range_counts import RangeCounts
    from gpuodds.tables.shipped.preflop_heads_up import matrices

    wins, ties = matrices()
    kind: Any = np.int64 if spot.has_integer_weights else np.float64
    unseen = spot.game.deck_size - 2 * spot.game.hole_cards
    boards = comb(unseen, spot.game.board_cards)
    active = [np.flatnonzero(row) for row in spot.weights]
    rows = [row[combos].astype(kind) for row, combos in zip(spot.weights, active, strict=True)]
    held = np.zeros((2, spot.game.combos, 2), kind)
    dealt = np.zeros((2, spot.game.combos), kind)
    shared = []
    for player in range(2):
        ours, theirs = active[player], active[1 - player]
        pairs = np.ix_(ours, theirs)
        won, lost, tied = wins[pairs], wins.T[pairs], ties[pairs]
        weights = rows[1 - player]
        held[player, ours, 0] = won @ weights
        held[player, ours, 1] = tied @ weights
        dealt[player, ours] = boards * ((won + lost + tied > 0) @ weights)
        shared.append([(rows[player] @ held[player, ours, others]).item() for others in range(2)])
    outcomes = (rows[0] @ dealt[0, active[0]]).item()
    masks = {1: shared[0][0], 2: shared[1][0], 3: shared[0][1]}
    winners = {mask: count for mask, count in masks.items() if count}
    by_combo = (held, dealt) if by_hand else (None, None)
    return RangeCounts(outcomes, shared, winners, *by_combo).result(spot, "table", "cpu")
