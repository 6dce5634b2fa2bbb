"""Five-card draw: the discards of a hand, and the two rankings of hands.

The standard ranking is by hand rank. The other is that of the draw chooser (docs/history.md). It ranks
pairs, two pairs, three and four of a kind, flushes and straights, in that order, compares flushes by
suit alone, and has neither full houses nor straight flushes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.basics.arguments import one_of
from gpuodds.games.shared.hand_names import card_ranks, category

HAND_CARDS = 5
HIGHEST_RANK = 7462
RANKINGS = ("standard", "draw-chooser")
# The draw chooser's categories. It takes a full house for three of a kind and a straight flush for a
# straight; a hand of no category ranks below a pair.
_CATEGORIES = ("pair", "two pair", "three of a kind", "four of a kind", "flush", "straight")
_SAME = {"full house": "three of a kind", "straight flush": "straight"}


class DrawSpot(NamedTuple):
    """A hand before the draw.

    Attributes:
        hand: Shape (5,), uint8: the player's cards.
        deck: Shape (n,), uint8, ascending: the unseen cards, at least 5 + ``max_discards``; 5 + 2
            ``max_discards`` if the opponent draws too.
        max_discards: The largest number of cards that a player may draw, 0 to 5.
        names: Shape (4, 7463), uint16: the ranking of hands, see :func:`rank_names`.
    """

    hand: npt.NDArray[np.uint8]
    deck: npt.NDArray[np.uint8]
    max_discards: int
    names: npt.NDArray[np.uint16]


def list_discards(max_discards: int) -> list[tuple[int, ...]]:
    """Return each discard as places in the hand: fewer cards first, then in the order of the hand.

    >>> list_discards(1)
    [(), (0,), (1,), (2,), (3,), (4,)]
    """
    sizes = range(max_discards + 1)
    return [places for size in sizes for places in combinations(range(HAND_CARDS), size)]


def read_ranking(ranking: str) -> str:
    """Return the name of a ranking.

    Raises:
        InputError: The name is unknown.
    """
    return one_of("ranking", ranking, RANKINGS)


def draw_chooser_value(ranks: Sequence[int], kind: str, suit: int) -> int:
    """Return the draw chooser's value of a hand: a base-13 number of six digits.

    The first digit is the category, the others are the ranks; a flush has its suit instead of ranks.

    Args:
        ranks: The ranks of the five cards, 0 to 12, the most frequent first.
        kind: The hand's category by the rules of poker.
        suit: The suit of a flush, 0 to 3.

    >>> draw_chooser_value([2, 2, 10, 7, 5], "pair", 0) == int("022a75", 13)
    True
    """
    kind = _SAME.get(kind, kind)
    if kind == "high card":
        return _digits(ranks) - 13**5
    number = _CATEGORIES.index(kind) * 13**5
    return number + suit if kind == "flush" else number + _digits(ranks)


def _digits(ranks: Sequence[int]) -> int:
    value = 0
    for rank in ranks:
        value = 13 * value + rank
    return value


def rank_names(ranking: str) -> npt.NDArray[np.uint16]:
    """Return the place of each hand rank in a ranking.

    Returns:
        Shape (4, 7463), uint16, 1 to 7462: row s for flushes of suit s; row 0 also for all other hands.

    Raises:
        InputError: The name is unknown.
    """
    return _rank_names(read_ranking(ranking))


@lru_cache
def _rank_names(ranking: str) -> npt.NDArray[np.uint16]:
    if ranking == "standard":
        return np.tile(np.arange(HIGHEST_RANK + 1, dtype=np.uint16), (4, 1))
    values = np.zeros((4, HIGHEST_RANK + 1), np.int64)
    for rank in range(1, HIGHEST_RANK + 1):
        for suit in range(4):
            values[suit, rank] = draw_chooser_value(card_ranks(rank), category(rank), suit)
    _, names = np.unique(values[:, 1:], return_inverse=True)
    by_rank = np.zeros((4, HIGHEST_RANK + 1), np.uint16)
    by_rank[:, 1:] = names.reshape(4, HIGHEST_RANK) + 1
    return by_rank
