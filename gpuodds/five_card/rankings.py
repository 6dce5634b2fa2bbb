"""How five-card hands are ranked: by the rules, or as the draw chooser of old did."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from gpuodds.arguments import one_of
from gpuodds.games.holdem.hand_names import card_ranks, category

if TYPE_CHECKING:
    from collections.abc import Sequence

RANKINGS = ("standard", "seed")
HIGHEST_RANK = 7462
# The draw chooser's kinds of hands. It knows no full house, which counts as three of a kind there,
# and no straight flush, which counts as a straight; a hand of no kind is below a pair.
_KINDS = ("pair", "two pair", "three of a kind", "four of a kind", "flush", "straight")
_SAME = {"full house": "three of a kind", "straight flush": "straight"}


def seed_value(ranks: Sequence[int], kind: str, suit: int) -> int:
    """Return a hand's value as the draw chooser has it: a number of six digits to the base 13.

    The first digit is the kind of hand, the others the ranks, the most frequent first; of a flush only
    the suit counts. ``ranks`` are five, in that order.

    >>> seed_value([2, 2, 10, 7, 5], "pair", 0) == 2 * 13**4 + 2 * 13**3 + 10 * 13**2 + 7 * 13 + 5
    True
    """
    kind = _SAME.get(kind, kind)
    if kind == "high card":
        return _digits(ranks) - 13**5
    number = _KINDS.index(kind) * 13**5
    return number + suit if kind == "flush" else number + _digits(ranks)


def _digits(ranks: Sequence[int]) -> int:
    value = 0
    for rank in ranks:
        value = 13 * value + rank
    return value


@lru_cache
def rank_names(ranking: str) -> npt.NDArray[np.uint16]:
    """Return what a ranking calls each hand rank, shape (4, 7463): numbers that order hands its way.

    Row s holds for flushes of the suit s, row 0 for all other hands, too.

    Raises:
        InputError: It is neither "standard" nor "seed".
    """
    one_of("ranking", ranking, RANKINGS)
    if ranking == "standard":
        return np.tile(np.arange(HIGHEST_RANK + 1, dtype=np.uint16), (4, 1))
    values = np.zeros((4, HIGHEST_RANK + 1), np.int64)
    for rank in range(1, HIGHEST_RANK + 1):
        for suit in range(4):
            values[suit, rank] = seed_value(card_ranks(rank), category(rank), suit)
    _, names = np.unique(values[:, 1:], return_inverse=True)
    found = np.zeros((4, HIGHEST_RANK + 1), np.uint16)
    found[:, 1:] = names.reshape(4, HIGHEST_RANK) + 1
    return found
