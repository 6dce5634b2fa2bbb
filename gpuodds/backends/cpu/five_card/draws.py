"""The wins and ties of each discard of a five-card draw, on every core: counted, or drawn.

The compiled loops are in :mod:`.draw` and :mod:`.discards`; here the work is
cut up for the thread pool and the parts are added.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from math import comb

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.backends.cpu.compile.threads import Run, thread_count, thread_pool
from gpuodds.backends.cpu.five_card import discards as five_card_discards
from gpuodds.backends.cpu.five_card import draw as five_card_draw
from gpuodds.backends.cpu.five_card.discards import add_up_subsets
from gpuodds.backends.cpu.five_card.draw import Listing, list_hands
from gpuodds.games.five_card import HAND_CARDS, DrawSpot, list_discards
from gpuodds.games.shared.hand_ranks import hand_rank_tables

Int64s = npt.NDArray[np.int64]

BATCH = 1 << 14  # deals of a call: a few milliseconds
NO_SUMS = np.zeros(0, np.int64)


def count_draws(spot: DrawSpot, progress: Progress | None) -> Int64s:
    """Count the deals that each discard wins and ties: see the operation."""
    n = len(spot.deck)
    listing = _empty_listing(n, int(spot.names.max()) + 1)
    ties = int(list_hands(spot.deck, hand_rank_tables(), spot.names, listing))
    parts = []
    with thread_pool(thread_count(), progress) as run:
        for drawn, discards in groupby(list_discards(spot.max_discards), len):
            if drawn == HAND_CARDS:
                # Both hands are random: each wins half of what is not tied.
                deals = comb(n, HAND_CARDS) * comb(n - HAND_CARDS, HAND_CARDS)
                parts.append(np.array([[(deals - ties) // 2, ties]], np.int64))
            else:
                kept = np.array([np.delete(spot.hand, places) for places in discards], np.uint8)
                parts.append(_count_kept(kept, drawn, spot, listing, run))
    return np.concatenate(parts)


def _count_kept(
    kept: npt.NDArray[np.uint8], drawn: int, spot: DrawSpot, listing: Listing, run: Run
) -> Int64s:
    parts: list[Int64s] = []
    deck, tables = spot.deck, hand_rank_tables()

    def count(begin: int, end: int) -> None:
        parts.append(
            five_card_draw.count_draws(kept, deck, drawn, begin, end, tables, spot.names, listing)
        )

    if drawn == 0:
        count(0, 1)
    else:
        # A draw is counted with its highest card. The last cards have most of the work: they go first.
        run(lambda begin, end: count(len(deck) - end, len(deck) - begin), len(deck) - drawn + 1)
    total: Int64s = np.sum(parts, axis=0)
    return total


def _empty_listing(n: int, names: int) -> Listing:
    return Listing(
        np.zeros(names, np.int64),
        np.zeros((n, names), np.int32),
        np.zeros((comb(n, 2), names), np.uint16),
        np.zeros((comb(n, 3), comb(n - 3, 2)), np.uint16),
        np.zeros((comb(n, 4), n - 4), np.uint16),
    )


def sample_draws(
    spot: DrawSpot, opponent_draws: bool, runs: int, seed: int, progress: Progress | None
) -> Int64s:
    """Draw deals and count those that each discard wins and ties: see the operation."""
    discards = list_discards(spot.max_discards)
    masks = np.array([sum(1 << place for place in places) for places in discards], np.int64)
    sums = _subset_sums(spot.names.tobytes()) if opponent_draws else NO_SUMS
    given = spot.hand, spot.deck, masks, spot.max_discards
    order = hand_rank_tables(), spot.names, sums
    parts: list[Int64s] = []

    def sample(begin: int, end: int) -> None:
        for first in range(begin, end, BATCH):
            last = min(first + BATCH, end)
            parts.append(five_card_discards.sample_draws(*given, first, last, seed, *order))

    with thread_pool(thread_count() if runs > BATCH else 1, progress) as run:
        run(sample, runs)
    total: Int64s = np.sum(parts, axis=0)
    return total


def best_discards(
    hands: npt.NDArray[np.uint8], max_discards: int, names: npt.NDArray[np.uint16]
) -> Int64s:
    """Return what hands discard: see the operation."""
    sums = _subset_sums(names.tobytes())
    return five_card_discards.best_discards(hands, max_discards, hand_rank_tables(), names, sums)


@lru_cache(2)
def _subset_sums(names: bytes) -> Int64s:
    """Return the sums of :func:`.discards.add_up_subsets` for an order of hands."""
    table = np.frombuffer(names, np.uint16).reshape(4, -1)
    return add_up_subsets(hand_rank_tables(), table)
