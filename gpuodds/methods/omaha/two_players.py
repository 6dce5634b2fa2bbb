"""The answer to a spot of two players of Omaha, from the counts of their hands."""

from __future__ import annotations

from math import fsum, prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, format_card
from gpuodds.games.omaha.combos import combo_numbers, renamed_cards
from gpuodds.results.hi_lo import HiLoEquity, pot_parts
from gpuodds.results.player_equity import HandEquity, PlayerEquity
from gpuodds.results.result import EquityResult, WinnerCounts, count_winners
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.spots.spot import HeldHands, Spot

Counts = npt.NDArray[Any]

PARTS = pot_parts(2)
# Columns of the counts: see gpuodds.backends.counts.
WON, TIED, DEALT = 0, 1, 2
HIGH_WON, HIGH_TIED, HALF_WON, HALF_TIED, LOW_WON, LOW_TIED, SCOOPED, NOTHING, DEALT_LOW = range(9)


def two_player_result(
    spot: Spot,
    totals: list[list[Any]],
    method: str,
    backend: str,
    by_hand: tuple[tuple[HandEquity, ...], ...] | None,
) -> EquityResult:
    """Return the answer to a spot of two players, with 0 seconds.

    Args:
        spot: The spot.
        totals: For each named player the sums of all columns.
        method: The method of the answer.
        backend: The backend of the answer.
        by_hand: For each named player the equity of each hand.
    """
    winners = low_winners = None
    if not spot.opponents:
        winners, low_winners = _winners(totals, spot.game.has_low, _least(spot))
    return EquityResult(
        spot,
        players_of_two(spot, totals),
        method,
        backend,
        winners,
        0.0,
        by_hand=by_hand,
        low_winners=low_winners,
        by_winners=_with_random(spot, totals[0]),
    )


def _with_random(spot: Spot, total: list[Any]) -> WinnerCounts | None:
    """Return outcomes by all winners, of one named player and a random one in a game without lows."""
    if not spot.opponents or spot.game.has_low:
        return None
    return count_winners(spot, {1: (total[WON], total[TIED])}, total[DEALT])


def players_of_two(spot: Spot, totals: list[list[Any]]) -> tuple[PlayerEquity, ...]:
    """Return the counts of each named player from their sums of all columns."""
    make = _hi_lo_player if spot.game.has_low else _player
    least = _least(spot)
    return tuple(make(name, total, least) for name, total in zip(spot.names, totals, strict=True))


def _least(spot: Spot) -> float:
    """Return the least that a count above 0 can be; 0 if all weights are whole."""
    return 0.0 if spot.has_integer_weights else prod(spot.least_weights)


def total_counts(weights: Counts, counts: Counts) -> list[Any]:
    """Return the sums of all columns, each hand with its weight."""
    if counts.dtype.kind == "i":
        return [sum(column.tolist()) for column in counts.T]  # Python integers cannot overflow
    return [fsum((weights * column).tolist()) for column in counts.T]


def _player(name: str, total: list[Any], least: float) -> PlayerEquity:
    return PlayerEquity(name, total[DEALT], total[WON], (total[TIED],))


def _hi_lo_player(name: str, total: list[Any], least: float) -> HiLoEquity:
    shared = _rest(total[DEALT_LOW] - total[SCOOPED] - total[NOTHING], least)
    return HiLoEquity(
        name,
        total[DEALT_LOW],
        total[SCOOPED],
        (shared,),
        high_outcomes=(total[HIGH_WON] + total[HALF_WON], total[HIGH_TIED] + total[HALF_TIED]),
        low_outcomes=(total[LOW_WON], total[LOW_TIED]),
        pot=_pot(total),
        parts=PARTS,
    )


def _pot(total: Any) -> Any:
    """Return the sum of shares of the pot, in quarters, from the columns in order."""
    halves = total[HALF_WON] + total[LOW_WON]
    return 4 * total[HIGH_WON] + 2 * (total[HIGH_TIED] + halves) + total[HALF_TIED] + total[LOW_TIED]


def _winners(
    totals: list[list[Any]], low: bool, least: float
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    first, second = totals
    if not low:
        return _some({"A": first[WON], "B": second[WON], "AB": first[TIED]}), None
    high = {
        "A": first[HIGH_WON] + first[HALF_WON],
        "B": second[HIGH_WON] + second[HALF_WON],
        "AB": first[HIGH_TIED] + first[HALF_TIED],
    }
    lows = {"A": first[LOW_WON], "B": second[LOW_WON], "AB": first[LOW_TIED]}
    return _some(high), _some({"": _rest(first[DEALT_LOW] - sum(lows.values()), least), **lows})


def _rest(count: Any, least: float) -> Any:
    """Return a difference of counts, of which the least above 0 is ``least``; 0.0 for whole weights."""
    return float(without_rounding(count, least)) if least else count


def _some(counts: dict[str, Any]) -> dict[str, Any]:
    return {who: count for who, count in counts.items() if count}


def list_hands(held: HeldHands, counts: Counts, group: list[int], low: bool) -> tuple[HandEquity, ...]:
    """Return the equity of each hand, best first.

    The counts are those of one board a class: their average over the renamings of suits is that of all.
    """
    total = counts.astype(np.float64)
    for renaming in group[1:]:
        renamed = combo_numbers(renamed_cards(held.cards, renaming))
        total += counts[np.searchsorted(held.numbers, renamed)]
    dealt = np.flatnonzero(total[:, -1])
    columns = total[dealt].T
    whole = columns[-1]
    if low:
        equity = _pot(columns) / (PARTS * whole)
        won, tied = columns[SCOOPED], whole - columns[SCOOPED] - columns[NOTHING]
    else:
        equity = (2 * columns[WON] + columns[TIED]) / (2 * whole)
        won, tied = columns[WON], columns[TIED]
    order = np.argsort(-equity, kind="stable")
    figures = np.stack([held.weights[dealt], equity, won / whole, tied / whole], axis=1)[order]
    names = _hand_names(held.cards[dealt][order])
    return tuple(HandEquity(name, *row) for name, row in zip(names, figures.tolist(), strict=True))


def _hand_names(cards: npt.NDArray[np.uint8]) -> list[str]:
    """Return the names of hands, the highest card first, from their cards, ascending."""
    names = np.array([format_card(card) for card in range(DECK_SIZE)])
    written = np.ascontiguousarray(names[cards[:, ::-1]])
    texts: list[str] = written.view(f"<U{2 * cards.shape[1]}").ravel().tolist()
    return texts
