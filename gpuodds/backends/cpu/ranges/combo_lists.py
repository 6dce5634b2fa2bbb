"""The combos of each player on a board by ascending hand rank, and which of them a level has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled, inlined_without_refcounts, zeros
from gpuodds.backends.cpu.shared.sorting import SortedCombos

Ints = npt.NDArray[np.int64]


class Lists(NamedTuple):
    """The combos of each player on a board, in the order of hand ranks, and which of them tie.

    ``combos`` (players, m + 1) have two cards of six bits each, and above them their place in the order
    of ranks; an end of the deck follows. Those from ``begins`` to ``ends`` (players,) have the rank of
    the level that is open, those before have a lower one.
    """

    combos: Ints
    begins: Ints
    ends: Ints


def combos_with_players(ranges: npt.NDArray[np.float64], pairs: Ints) -> Ints:
    """Return the cards of each combo, six bits each, and above them the players who have it.

    ``ranges`` (players, m) are the weights of the combos whose cards are ``pairs`` (m, 2).
    """
    members = (1 << np.arange(len(ranges))) @ (ranges != 0.0)
    combos: Ints = pairs[:, 0] | pairs[:, 1] << 6 | members << 12
    return combos


@compiled
def new_lists(players: int, combos: int) -> Lists:
    """Make empty lists of at most ``combos`` combos."""
    return Lists(
        zeros((players, combos + 1), np.int64),
        zeros(players, np.int64),
        zeros(players, np.int64),
    )


@inlined_without_refcounts
def list_combos(dealt: int, in_order: SortedCombos, combos_of: Ints, lists: Lists) -> None:
    """List each player's combos on a board, of which ``dealt`` are sorted; no level is open.

    ``combos_of`` (m,) are as :func:`combos_with_players` has them.
    """
    combos, begins, ends = lists
    for p in range(begins.size):
        length = 0
        for place in range(dealt):
            combo = combos_of[in_order.combos[place]]
            combos[p, length] = place << 12 | combo & 0xFFF
            length += combo >> 12 + p & 1
        combos[p, length] = dealt << 12
        begins[p], ends[p] = 0, 0


@inlined_without_refcounts
def find_level(first_player: int, last: int, lists: Lists) -> None:
    """Open the level of the combos that follow, to place ``last``, for players from the first on."""
    combos, begins, ends = lists
    for p in range(begins.size):
        begins[p] = ends[p]
        if p >= first_player:
            while combos[p, ends[p]] >> 12 < last:
                ends[p] += 1
