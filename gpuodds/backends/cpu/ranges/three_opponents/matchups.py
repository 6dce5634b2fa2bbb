"""Who plays whom, and in which order the opponents' combos are listed for each set of those who tie.

A hero's opponents are lower (their combos lose) or tied; which of them tie is a set, a mask. Tied
combos are few: they are listed first, until three opponents are left who are all lower, or two of any
kind. If no more are tied, the narrowest lower ones are listed until the three widest are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.ranges.combo_lists import combos_with_players
from gpuodds.cards import DECK_SIZE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

LANES_OF_CARDS = 64  # int16: a row of cards in whole lanes; 52 float64 fill theirs
MAX_LISTED = 3
# Columns of a plan: whether it is wanted, how many opponents are listed, which; then the number of the
# three who are left, or -1 and the two. A tied opponent is his number plus the number of players.
WANTED, NUM_LISTED, LISTED, TRIPLE, PAIR = 0, 1, 2, 5, 6
PLAN_COLUMNS = 8
TRIPLE_COLUMNS = 6


class Matchups(NamedTuple):
    """Who plays whom.

    ``combos`` (m,) are the cards of each combo, six bits each, and above them the players who have it;
    ``weights`` (players, 52, c) are theirs by cards, int16 (c is 64) if all are 0 or 1, else float64 (c
    is 52). Players from ``active`` on have folded.

    Of three opponents a, b, c a row of ``triples`` (t, 6) has the players and the numbers of the pairs
    (a, b), (b, c) and (c, a) in ``arcs`` (n, 2). ``pair_of`` (players, players) numbers the pairs in
    either order.

    ``heroes`` (h,) are the players whose combos are counted, ``opponents`` (h, o) theirs, and ``plans``
    (h, masks, 8) how each set of tied opponents is counted; bit i of a mask is opponent i.
    """

    combos: Ints
    weights: npt.NDArray[Any]
    active: int
    triples: Ints
    arcs: Ints
    pair_of: Ints
    heroes: Ints
    opponents: Ints
    plans: Ints


def arrange_matchups(
    ranges: Floats,
    pairs: Ints,
    heroes: Sequence[int],
    active: int,
    wanted: Bools,
    by_three: bool = True,
) -> Matchups:
    """Arrange the players.

    Args:
        ranges: (players, m), the weights of the combos.
        pairs: (m, 2), their cards.
        heroes: The players whose combos are counted.
        active: Players from here on have folded.
        wanted: (heroes, masks), which sets of tied opponents are counted.
        by_three: Whether three opponents are counted at once; otherwise two are, which takes no sums of
            three: quicker where few combos are listed.
    """
    players = len(ranges)
    sizes = np.count_nonzero(ranges, axis=1)
    # Of a player who can win a listing visits the combos that do not beat the hero's: a share of them.
    visits = sizes * np.where(np.arange(players) < active, 1, 2)
    opponents = [[player for player in range(players) if player != hero] for hero in heroes]
    every = {three for others in opponents for three in combinations(others, 3)} if by_three else ()
    triples = sorted(every)
    arcs = sorted({arc for a, b, c in triples for arc in ((a, b), (b, c), (c, a))})
    rows = [(a, b, c, *map(arcs.index, ((a, b), (b, c), (c, a)))) for a, b, c in triples]
    pair_of = np.zeros((players, players), np.int64)
    for number, (a, b) in enumerate(combinations(range(players), 2)):
        pair_of[a, b] = pair_of[b, a] = number
    plans = np.zeros((*wanted.shape, PLAN_COLUMNS), np.int64)
    for place, others in enumerate(opponents):
        by_visits = sorted(others, key=lambda player: int(visits[player]))
        for mask in np.flatnonzero(wanted[place]).tolist():
            tied = [player for player in by_visits if mask >> others.index(player) & 1]
            plans[place, mask] = _plan(by_visits, tied, players, triples)
    return Matchups(
        combos_with_players(ranges, pairs),
        _by_cards(ranges, pairs),
        active,
        np.array(rows, np.int64).reshape(-1, TRIPLE_COLUMNS),
        np.array(arcs, np.int64).reshape(-1, 2),
        pair_of,
        np.array(heroes, np.int64),
        np.array(opponents, np.int64),
        plans,
    )


def _plan(
    by_visits: list[int], tied: list[int], players: int, triples: Sequence[tuple[int, ...]]
) -> list[int]:
    """Return how a set of tied opponents is counted, the fewest combos to list first."""
    lower = [player for player in by_visits if player not in tied]
    to_list = [*(player + players for player in tied), *lower]
    left = 3 if len(lower) >= 3 and triples else 2
    listed, rest = to_list[:-left], to_list[-left:]
    filled = [*listed, *[0] * (MAX_LISTED - len(listed))]
    if left == 2:
        return [1, len(listed), *filled, -1, *rest]
    three: tuple[int, ...] = tuple(sorted(rest))
    return [1, len(listed), *filled, triples.index(three), 0, 0]


def _by_cards(ranges: Floats, pairs: Ints) -> npt.NDArray[Any]:
    """Return weights (players, 52, c) by two cards, both ways."""
    is_whole = bool(((ranges == 0.0) | (ranges == 1.0)).all())
    shape = len(ranges), DECK_SIZE, LANES_OF_CARDS if is_whole else DECK_SIZE
    square: npt.NDArray[Any] = np.zeros(shape, np.int16 if is_whole else np.float64)
    square[:, pairs[:, 0], pairs[:, 1]] = ranges
    square[:, pairs[:, 1], pairs[:, 0]] = ranges
    return square
