"""Blockers: what each hand of a range takes out of the opponent's range.

A combo is *blocked* by a hand if it has one of its cards. The weight that a hand blocks follows from
the weights of the combos with each set of cards, by inclusion and exclusion: those with its first card,
and those with its second, less those with both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.cards import DECK_SIZE, format_cards, parse_cards
from gpuodds.errors import InputError
from gpuodds.games.game import OMAHA_FAMILY
from gpuodds.games.holdem.game import as_holdem
from gpuodds.games.omaha.combos import combo_numbers
from gpuodds.games.shared.hit_names import DRAW_BITS, MADE, made_names
from gpuodds.results.player_equity import Count, HandEquity, json_share

if TYPE_CHECKING:
    from gpuodds.results.result import EquityResult
    from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

FLOP = 3
PARTS = 4  # a pot of two players is won in quarters, in hi-lo games, or halves


@dataclass(frozen=True)
class HandBlockers:
    """What one hand takes out of the opponent's range.

    Attributes:
        hand: Its cards.
        weight: Its weight in its range, 0 to 1.
        blocked: The weight of the opponent's combos that have one of its cards: an int if all weights
            are 1.
        share: The same as a share of the opponent's range, 0 to 1.
        made: The part of ``blocked`` by made hand, the best first, without those of which none is
            blocked; empty before the flop.
        equity: The equity of what is left of the opponent's range against the whole range of the hand,
            0 to 1; NaN if nothing is left.
        change: That equity less the one of the opponent's whole range. Below 0 the hand blocks what is
            better than the rest.
    """

    hand: str
    weight: float
    blocked: Count
    share: float
    made: dict[str, Count]
    equity: float
    change: float

    def to_dict(self) -> dict[str, Any]:
        """Return the hand's part of the JSON object; equity and change are None if nothing is left."""
        figures = {"equity": json_share(self.equity), "change": json_share(self.change)}
        return {**vars(self), **figures}


def find_blockers(result: EquityResult, place: int) -> tuple[HandBlockers, ...]:
    """Return what each hand of a player takes out of the opponent's range, the highest cards first.

    Args:
        result: The answer to a spot of two players, with ``by_hand``.
        place: The player's place, 0 or 1.

    Raises:
        InputError: The spot has other than two named players, or players who have folded.
    """
    spot = result.spot
    check_spot(spot)
    ours, theirs = spot.held[place], spot.held[1 - place]
    cards, their_cards = (held.cards.astype(np.int64) for held in (ours, theirs))
    is_whole, weights = spot.has_integer_weights, theirs.weights
    blocked = _sum_of_blocked(their_cards, cards, ours.weights[:, None])[:, 0]
    deals = PARTS * (ours.weights.sum() - blocked) * _runouts(spot)
    pots = _equities(spot, (result.by_hand or ((), ()))[1 - place], theirs.numbers) * deals
    if is_whole:
        pots = np.rint(pots)  # equities are the nearest doubles: these are the integers counted
    names, codes = _made(spot, theirs.numbers)
    columns = [weights, weights * pots, weights * deals]
    columns += [weights * (codes == code) for code in range(len(names))]
    values = np.stack(columns, axis=1)
    taken, whole = _sum_of_blocked(cards, their_cards, values), values.sum(axis=0)
    before = float(whole[1] / whole[2])
    rows = []
    for row, hand, weight in zip(taken, ours.cards.tolist(), ours.weights.tolist(), strict=True):
        left = whole - row
        equity = float(left[1] / left[2]) if left[0] > 0 and left[2] > 0 else nan
        counts = [int(value) if is_whole else float(value) for value in (row[0], *row[3:])]
        made = {name: count for name, count in zip(names, counts[1:], strict=True) if count}
        share, name = float(row[0] / whole[0]), format_cards(hand[::-1])
        rows.append(HandBlockers(name, weight, counts[0], share, made, equity, equity - before))
    return tuple(rows[::-1])


def check_spot(spot: Spot) -> None:
    """Refuse a spot in which blockers are not counted.

    Raises:
        InputError: It has other than two named players, or players who have folded.
    """
    if len(spot.hands) != 2 or spot.opponents:
        players = len(spot.hands) + spot.opponents
        random = f" ({spot.opponents} random)" if spot.opponents else ""
        raise InputError(f"blockers: expected two hands or ranges, found {players}{random}")
    if spot.folded:
        raise InputError("blockers: expected no players who have folded")


def _equities(spot: Spot, by_hand: Sequence[HandEquity], numbers: Ints) -> Floats:
    """Return the equities of combos; 0 of those that no hand of the opponent leaves their cards."""
    equity_of = {spot.game.combo_number(parse_cards(hand.hand)): hand.equity for hand in by_hand}
    return np.array([equity_of.get(number, 0.0) for number in numbers.tolist()])


def _runouts(spot: Spot) -> int:
    """Return how many runouts each two hands have."""
    left = DECK_SIZE - len({*spot.board, *spot.removed}) - 2 * spot.game.hole_cards
    known = sum(len(hand) for hand in spot.known_hands)
    return comb(left + known, spot.to_come)


def _made(spot: Spot, numbers: Ints) -> tuple[tuple[str, ...], Ints]:
    """Return the names of made hands, and the number of each combo's; no names before the flop."""
    if len(spot.board) < FLOP:
        return (), np.zeros(len(numbers), np.int64)
    game, dead = spot.game, spot.dead
    if game.family == OMAHA_FAMILY:
        from gpuodds.games.omaha.hits import omaha_hit_codes

        codes = omaha_hit_codes(spot.board, numbers, game, dead)
    else:
        from gpuodds.games.holdem.hits import hit_codes

        codes = hit_codes(np.array([spot.board], np.uint8), numbers, as_holdem(game), dead)[0]
    names = made_names(game)
    order = np.array([names.index(name) for name in MADE])
    return names, order[codes >> DRAW_BITS]


def _sum_of_blocked(blockers: Ints, cards: Ints, values: Floats) -> Floats:
    """Return the sums of the values of the hands that have a card of each blocker.

    Args:
        blockers: Hands, shape (n, hole cards), ascending in each row.
        cards: Hands, shape (m, hole cards), likewise.
        values: Their values, shape (m, columns). Integers stay exact below 2^53.

    Returns:
        Shape (n, columns), float64.
    """
    sums = np.zeros((len(blockers), values.shape[1]))
    for size in range(1, cards.shape[1] + 1):
        places = [list(chosen) for chosen in combinations(range(cards.shape[1]), size)]
        theirs = [combo_numbers(cards[:, chosen]) for chosen in places]
        ours = [combo_numbers(blockers[:, chosen]) for chosen in places]
        for column in range(values.shape[1]):
            table = np.zeros(comb(DECK_SIZE, size))
            for numbers in theirs:
                table += np.bincount(numbers, values[:, column], len(table))
            for numbers in ours:
                sums[:, column] += (-1) ** (size + 1) * table[numbers]
    return sums


def add_blockers(answer: dict[str, Any], blockers: Sequence[Sequence[HandBlockers]]) -> None:
    """Add blockers to the players of a JSON object ``gpuodds.equity/1``."""
    for player, hands in zip(answer["players"], blockers, strict=True):
        player["blockers"] = [hand.to_dict() for hand in hands]
