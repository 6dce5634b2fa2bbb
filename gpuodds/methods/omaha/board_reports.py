"""Count two ranges of Omaha on every flop, or every turn card of a flop, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.choice import run_on
from gpuodds.backends.counts import part_of
from gpuodds.backends.operations.omaha.ranges import OmahaBoardTotals
from gpuodds.errors import ImpossibleDeal
from gpuodds.games.omaha.combos import combo_numbers, renamed_cards
from gpuodds.games.shared.symmetry import weighted_boards
from gpuodds.methods.omaha.two_players import players_of_two
from gpuodds.results.rounding import without_rounding

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress
    from gpuodds.backends.operation import Backend
    from gpuodds.results.player_equity import PlayerEquity
    from gpuodds.spots.spot import Spot

BOARDS_AT_ONCE = 1 << 18  # so that their counts take 40 MB

Deals = Sequence[tuple[int, ...]]
"""The cards that come, for one board of each class under the renamings that keep the spot."""


def count_ranges(
    spot: Spot, deals: Deals, backend: str, progress: Progress | None
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Count two players, one of them at least with a range, on each board.

    Each class of full boards is counted once, for all the boards that it may have come from.

    Returns:
        The players' counts over all boards of each class, and the name of the backend.

    Raises:
        ImpossibleDeal: The ranges cannot be dealt together.
    """
    held = spot.held_by_all
    hands, weights = [combos.cards for combos in held], [combos.weights for combos in held]
    least = prod(float(combos.min()) for combos in weights)
    boards, times = weighted_boards(spot.board, spot.removed, spot.suit_group)
    rows = _rows_of_deals(deals, spot.suit_group)

    def count(on: Backend) -> tuple[list[npt.NDArray[Any]], str]:
        totals: list[Any] = [0, 0]
        name = on.name
        for begin in range(0, len(boards), BOARDS_AT_ONCE):
            some = slice(begin, begin + BOARDS_AT_ONCE)
            done = part_of(progress, begin / len(boards), len(boards[some]) / len(boards))
            operation = OmahaBoardTotals(spot.game, hands, weights, boards[some])
            counts, name = on.count(operation, done)
            to_come = boards[some, len(spot.board) :]
            for place, own in enumerate(counts):
                exact = own if spot.has_integer_weights else without_rounding(own, least)
                totals[place] += _add_up(exact, times[some], to_come, rows, deals)
        return totals, name

    (totals, name), _ = run_on(backend, 0.0, count)  # no GPU has a version of it: auto starts none
    if not totals[0].any():
        raise ImpossibleDeal
    named = [total.tolist() for total in totals[: len(spot.hands)]]
    players = [players_of_two(spot, list(pair)) for pair in zip(*named, strict=True)]
    return players, name


def _rows_of_deals(deals: Deals, group: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the place of the class in ``deals`` by the number of the cards that come."""
    cards = np.array(deals, np.uint8)
    numbers = np.array([combo_numbers(renamed_cards(cards, renaming)) for renaming in group])
    rows = np.zeros(int(numbers.max()) + 1, np.int64)
    rows[numbers] = np.arange(len(deals))
    return rows


def _add_up(
    counts: npt.NDArray[Any],
    times: npt.NDArray[np.int64],
    to_come: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.int64],
    deals: Deals,
) -> npt.NDArray[Any]:
    """Return the sums (deals, columns) of the counts (n, columns) of full boards.

    They fit into int64: a class has at most 24 flops, each of 1,081 full boards with at most 5 x 10^13
    pairs of hands.
    """
    counts = counts * times[:, None]
    by_deal = np.zeros((len(deals), counts.shape[1]), counts.dtype)
    for places in combinations(range(to_come.shape[1]), len(deals[0])):
        row = rows[combo_numbers(to_come[:, places])]
        for column in range(counts.shape[1]):
            np.add.at(by_deal[:, column], row, counts[:, column])
    return by_deal
