"""What operations of backends return: counts as arrays, of the same integers on every backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Ints = npt.NDArray[np.int64]

Progress = Callable[[float], None]
"""Called with the fraction done, 0 to 1."""


def part_of(progress: Progress | None, begin: float, share: float) -> Progress | None:
    """Return the progress of a part of the work, which begins at a fraction and is a share of all."""
    return None if progress is None else lambda done: progress(begin + done * share)


def rising(progress: Progress | None) -> Progress | None:
    """Return a progress that never falls, where parts of the work round their fractions."""
    if progress is None:
        return None
    most = 0.0

    def report(done: float) -> None:
        nonlocal most
        most = max(most, done)
        progress(most)

    return report


def wanted_sets(players: int, heroes: Sequence[int], every: bool) -> npt.NDArray[np.bool_]:
    """Return which sets of opponents are counted for each hero, shape (heroes, 2^(players - 1)).

    All sets with ``every``, otherwise those without the heroes before him.
    """
    import numpy as np

    wanted = np.ones((len(heroes), 1 << players - 1), bool)
    sets = np.arange(wanted.shape[1])
    for place, hero in enumerate(heroes if not every else ()):
        for earlier in heroes[:place]:
            wanted[place] &= sets >> earlier - (earlier > hero) & 1 == 0
    return wanted


class ShowdownCounts(NamedTuple):
    """Counts of showdowns of ranges.

    Attributes:
        by_winners: Shape (heroes, 1326, 2^(players - 1)), int64 if all weights are 0 or 1, else
            float64: the weighted deals of the other players in which a combo of a hero has the best
            hand, by the set of the others who split with it, a mask in their order. The combo's own
            weight is left out.
        by_category: Shape (heroes, 9, 2^(players - 1) + 1), float64: deals by the category of the
            hero's final hand and by that mask, and all deals in the last column. The hero's own weight
            is included. None unless requested.
    """

    by_winners: npt.NDArray[Any]
    by_category: Floats | None


class TwoRangeCounts(NamedTuple):
    """Counts of two ranges on boards, over all runouts: int64 if all weights are 0 or 1, else float64.

    Attributes:
        totals: Shape (boards, 3): deals and runouts that the first player wins, that both tie, that the
            second player wins.
        by_combo: Shape (boards, 2, 1326, 3): for each combo of each player the deals of the other
            player and runouts that the combo wins, ties, loses, without the combo's own weight. A combo
            that is not in the range or has a board or dead card has 0. None unless requested.
    """

    totals: npt.NDArray[Any]
    by_combo: npt.NDArray[Any] | None


class ThreeWayCounts(NamedTuple):
    """Counts of a hero's starting hand against every two others, by row and column.

    Attributes:
        win: Shape (169, 169), int64: boards times deals in which the hero beats both.
        tie_row: Shape (169, 169), int64: those in which it ties the row's hand and beats the column's.
        tie_all: Shape (169, 169), int64: those in which it ties both.
    """

    win: Ints
    tie_row: Ints
    tie_all: Ints


class FoldedCounts(NamedTuple):
    """Counts of a starting hand against others, by row, when a third hand, by column, has folded.

    Attributes:
        win: Shape (169, 169), int64: boards times deals in which it wins; 0 for opponents that are
            before it in the order of starting hands.
        tie: Shape (169, 169), int64: those in which both tie.
    """

    win: Ints
    tie: Ints


class OmahaCounts(NamedTuple):
    """The deals of two ranges of Omaha hands against each other.

    Attributes:
        counts: For both players, shape (n, columns), int64 if all weights are 1, else float64: the
            weighted deals of the other player with each hand. Columns without lows: won, tied, all.
            With lows: high won and tied where there is no low, high won and tied where there is one,
            low won and tied, both halves won, neither, all.
        made: For both players, shape (9, 3): the weighted deals by the category of the high hand. Its
            columns: won, tied (in games with lows, the high half), all. Python integers if all weights
            are 1, else float64. None unless asked for.
    """

    counts: list[npt.NDArray[Any]]
    made: list[npt.NDArray[Any]] | None


class Nearest(NamedTuple):
    """The nearest centre of each of n points."""

    centres: npt.NDArray[np.uint16]
    """Its number, (n,); of several as near, the lowest."""
    distances: npt.NDArray[np.int32]
    """The distance from it, (n,)."""
