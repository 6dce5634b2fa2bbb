"""Answer spots from tables: those that ship with the package, and one that is built."""

from __future__ import annotations

from math import comb, fsum
from typing import TYPE_CHECKING, Any

from gpuodds.cards import format_cards
from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.methods.holdem.folded_table import NAME as FOLDED_TABLE
from gpuodds.methods.holdem.folded_table import look_up_folded, why_not_folded
from gpuodds.methods.method import SECONDS_PER_LOOK_UP, TABLE, Machine, Method, Run
from gpuodds.results.player_equity import HandEquity, PlayerEquity
from gpuodds.results.result import EquityResult, count_winners, name_winners, split_outcomes
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.methods.options import Options
    from gpuodds.spots.normal_form import NormalForm
    from gpuodds.tables.shipped.preflop_random import RandomTable


class TableLookUp(Method):
    """A table of one player against random ones, or of two named players, before the flop.

    One more player may have folded, where the table of that is built.
    """

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
        spot = form.spot
        if spot.folded:
            return look_up_folded(spot)
        if has_one_player(spot):
            return look_up_one_player(spot, by_hand=options.by_hand)
        if spot.is_known and not options.by_hand:
            return look_up_two_hands(spot)
        return look_up_two_ranges(spot, by_hand=options.by_hand)

    def why(self, form: NormalForm, options: Options, limit: str) -> str:
        """Return why it was chosen: the table that has the answer."""
        if form.spot.folded:
            return f"taken from the built table {FOLDED_TABLE}"
        return f"taken from the shipped table {table_of(form.spot)}"


def why_not_in_table(spot: Spot, options: Options) -> str:
    """Return why no table answers a spot; empty if one does."""
    if not options.table:
        return "tables may not answer"
    if spot.folded:
        return why_not_folded(spot, options)
    if not options.made_hands:
        if has_one_player(spot):
            return ""
        if has_two_players(spot):
            return ""
    for has, what in (
        (spot.board or spot.dead, "boards or dead cards"),
        (options.made_hands, "final hands"),
    ):
        if has:
            return f"no shipped table has {what}"
    if spot.game.missing:
        return f"no shipped table of {spot.game.name} has these players: one, and random ones"
    return "no shipped table has these players: one and random ones, or two named ones"


def table_of(spot: Spot) -> str:
    """Return the name of the shipped table that answers a spot."""
    if not has_one_player(spot):
        return "preflop-heads-up"
    from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES

    return RANDOM_TABLES[spot.game].name


def has_one_player(spot: Spot) -> bool:
    """Return whether the game's table of starting hands answers a spot: one player before the flop."""
    return len(spot.hands) == 1 and not (spot.board or spot.dead or spot.folded)


def has_two_players(spot: Spot) -> bool:
    """Return whether ``preflop-heads-up`` answers a spot: two named players before the flop."""
    others = spot.opponents or spot.folded
    return len(spot.hands) == 2 and not (others or spot.board or spot.removed)


def look_up_one_player(spot: Spot, *, by_hand: bool) -> EquityResult:
    """Answer a spot of one player against random opponents from the game's table of starting hands.

    A hand has the counts of its starting hand, a range the sum over its hands.
    """
    from gpuodds.tables.shipped.preflop_random import RANDOM_TABLES

    table, (hand,) = RANDOM_TABLES[spot.game], spot.hands
    if not isinstance(hand, tuple):
        return _look_up_range(spot, table, by_hand=by_hand)
    counts = table.counts(hand, spot.opponents)
    by_winners = count_winners(spot, {1: counts}, spot.outcomes)
    players = split_outcomes(spot, {1: counts})
    return EquityResult(spot, players, "table", "cpu", None, 0.0, by_winners=by_winners)


def _look_up_range(spot: Spot, table: RandomTable, *, by_hand: bool) -> EquityResult:
    game, ((cards, weights, _),) = spot.game, spot.held
    runouts = comb(game.deck_size - game.hole_cards, game.board_cards)
    of_hand = runouts * game.deals(spot.undealt - game.hole_cards, spot.opponents)
    names = [starting_hand(combo) for combo in cards.tolist()]
    rows = {name: table.counts_of(name, spot.opponents) for name in dict.fromkeys(names)}
    weights_of_hands: list[Any] = weights.tolist()
    if spot.has_integer_weights:
        weights_of_hands = [1] * len(names)
    shared = [
        _total(
            [weight * rows[name][others] for name, weight in zip(names, weights_of_hands, strict=True)]
        )
        for others in range(spot.opponents + 1)
    ]
    outcomes = _total([weight * of_hand for weight in weights_of_hands])
    player = PlayerEquity(spot.names[0], outcomes, shared[0], tuple(shared[1:]))
    by_winners = count_winners(spot, {1: shared}, outcomes)
    hands = None
    if by_hand:
        figures = {
            name: PlayerEquity(name, of_hand, row[0], tuple(row[1:])) for name, row in rows.items()
        }
        listed = [
            HandEquity(format_cards(combo[::-1]), weight, figure.equity, figure.win, figure.tie)
            for combo, weight, name in zip(cards.tolist(), weights.tolist(), names, strict=True)
            for figure in (figures[name],)
        ]
        hands = (tuple(sorted(listed, key=lambda figure: -figure.equity)),)
    return EquityResult(
        spot, (player,), "table", "cpu", None, 0.0, by_hand=hands, by_winners=by_winners
    )


def _total(counts: list[Any]) -> Any:
    return fsum(counts) if any(isinstance(count, float) for count in counts) else sum(counts)


def look_up_two_hands(spot: Spot) -> EquityResult:
    """Answer a spot of two known hands from ``preflop-heads-up``; it needs no NumPy."""
    from gpuodds.tables.shipped.preflop_heads_up import pair_counts

    first, second, both = pair_counts(*spot.known_hands)  # type: ignore[arg-type]
    unbeaten = {mask: [count] for mask, count in ((1, first), (2, second), (3, both)) if count}
    winners = name_winners({mask: counts[0] for mask, counts in unbeaten.items()}, 2)
    return EquityResult(spot, split_outcomes(spot, unbeaten), "table", "cpu", winners, 0.0)


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
