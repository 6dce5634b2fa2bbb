"""The bucket of a hand, what falls to it, and which buckets are next to it."""

from __future__ import annotations

from typing import NamedTuple

from gpuodds.games.holdem.starting_hands import combos_by_starting_hand
from gpuodds.tables.files.clustering import Neighbour
from gpuodds.tables.hands import Cards
from gpuodds.tables.layouts.streets import suit_masks
from gpuodds.tables.open import table as open_by_name
from gpuodds.tables.store import StoredTable

PREFLOP = 169
COMBOS = 1326
NEIGHBOURS = 5


class Bucket(NamedTuple):
    """The bucket of a hand."""

    number: int
    """Its number, the weakest bucket's 0; before the flop the row of the starting hand."""
    buckets: int
    """How many there are."""
    share: float
    """The share of all deals that falls to it."""
    equity: float
    """The equity of its hands against a random hand."""
    mean_distance: float
    """The mean distance of its hands from the centre: see
    :attr:`gpuodds.tables.Clustering.mean_distance`."""
    neighbours: list[Neighbour]
    """The buckets nearest to it."""
    combos: list[Cards]
    """The combos in it on the same board, or of the same starting hand."""


def find_bucket(table: StoredTable, hand: Cards, board: Cards) -> Bucket:
    """Return the bucket of a hand on a board.

    Args:
        table: A complete table of buckets of the street.
        hand: Two card numbers.
        board: The board's cards.

    Raises:
        InputError: The table has no buckets, or no such row.
        TableError: It is not complete, or damaged.
    """
    import numpy as np

    from gpuodds.games.shared.combos import combo_cards

    clustering = table.clustering
    table.check_complete()
    (row,) = table.layout.find([hand], board, table.opponents)
    number = int(table.array("bucket")[row])
    left = combo_cards()[~np.isin(combo_cards(), board).any(axis=1)]
    buckets = table.take(left, np.tile(np.array(board, np.uint8), (len(left), 1)), ["bucket"])["bucket"]
    alike: list[Cards] = [(low, high) for low, high in left[buckets == number].tolist()]
    return Bucket(
        number,
        clustering.buckets,
        float(clustering.shares[number]),
        float(clustering.equities[number]),
        clustering.mean_distances[number],
        clustering.neighbours(number, NEIGHBOURS),
        alike,
    )


def find_preflop_bucket(name: str) -> Bucket:
    """Return the bucket of a starting hand before the flop: each has its own, which loses nothing."""
    from gpuodds.games.holdem.canonical import canonical_row
    from gpuodds.games.shared.boards import canonical_index
    from gpuodds.games.shared.combos import combo_cards

    numbers = combos_by_starting_hand()[name]
    alike: list[Cards] = [(low, high) for low, high in combo_cards()[numbers].tolist()]
    number = int(canonical_row(suit_masks(alike[0]), 0, *canonical_index(0)))
    equity = open_by_name("preflop-random").lookup(name)[0]["equity"]
    return Bucket(number, PREFLOP, len(alike) / COMBOS, equity, 0.0, [], alike)
