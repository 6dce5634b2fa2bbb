"""How often hands are dealt together, and in which order they end: integers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.short_stacks.settling import Order

Ints = npt.NDArray[np.int64]

HANDS = 169


@dataclass(frozen=True, eq=False)
class TwoHands:
    """Counts of each two hands against each other, int64 (hands, hands).

    Attributes:
        total: All deals and boards.
        win: Those that the first hand, by row, wins.
        tie: Those that both share.
    """

    total: Ints
    win: Ints
    tie: Ints

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.total)

    def count(self, order: Order) -> Ints:
        """Return how often two hands end in an order, (hands, hands)."""
        if order == (0, 0):
            return self.tie
        return self.win if order == (0, 1) else self.win.T


@dataclass(frozen=True, eq=False)
class ThreeHands:
    """Counts of each three hands against each other, int64 (hands, hands, hands).

    From them all 13 orders follow. A hand is above two others that tie, or below, in one way; of the
    ways in which B beats C, A being anywhere, all are known but the one with A above both.

    Attributes:
        total: All deals and boards.
        beats: Those in which the first hand beats the second; the third has folded.
        best: Those in which the first hand beats both others.
        tie: Those in which the first two hands tie and beat the third.
        all_tie: Those in which all three tie.
    """

    total: Ints
    beats: Ints
    best: Ints
    tie: Ints
    all_tie: Ints

    @property
    def hands(self) -> int:
        """The number of hands."""
        return len(self.total)

    @cached_property
    def folded_tie(self) -> Ints:
        """How often the first two hands tie, the third having folded."""
        return self.total - self.beats - self.beats.transpose(1, 0, 2)

    @cached_property
    def _in_line(self) -> Ints:
        # The first hand beats the second, which beats the third: the second beats the third, but not as
        # the best of all, nor as one of the best two.
        return self.beats.transpose(2, 0, 1) - self.best.transpose(1, 0, 2) - self.tie

    def count(self, order: Order) -> Ints:
        """Return how often three hands end in an order, (hands, hands, hands)."""
        if order == (0, 0, 0):
            return self.all_tie
        places = np.argsort(np.array(order), kind="stable")
        if sorted(order) == [0, 0, 2]:
            counts = self.tie
        elif sorted(order) == [0, 1, 2]:
            counts = self._in_line
        else:
            counts = self.best - self._in_line - self._in_line.transpose(0, 2, 1)
        # counts[x, y, z] is of the best, second, third hand: hand places[0] is the best.
        return counts.transpose(np.argsort(places))


@lru_cache(maxsize=1)
def two_hands() -> TwoHands:
    """Return the counts of each two starting hands, from ``preflop-heads-up``."""
    from gpuodds.tables.shipped.preflop_heads_up import starting_hand_matrices

    win, tie = starting_hand_matrices()
    return TwoHands(win + win.T + tie, win, tie)


def three_hands() -> ThreeHands:
    """Return the counts of each three starting hands, from the tables that hold them.

    Raises:
        TableError: ``preflop-three-way`` or ``preflop-heads-up-folded`` is not built, or damaged.
    """
    from gpuodds.tables.open import table

    hands = HANDS
    first, second = np.triu_indices(hands)
    best = np.zeros((hands, hands, hands), np.int64)
    tie, all_tie, beats = np.zeros_like(best), np.zeros_like(best), np.zeros_like(best)
    total = np.zeros_like(best)
    three_way, folded = table("preflop-three-way"), table("preflop-heads-up-folded")

    def column(name: str) -> Ints:
        return np.asarray(three_way.array(name)).reshape(hands, len(first))

    for counts, name in ((best, "win"), (all_tie, "tie_all"), (total, "outcomes")):
        counts[:, first, second] = counts[:, second, first] = column(name)
    # tie_second: the hero and the second hand tie and beat the third.
    tie[:, first, second], tie[:, second, first] = column("tie_second"), column("tie_third")
    win_a, win_b = (
        np.asarray(folded.array(name)).reshape(len(first), hands) for name in ("win_a", "win_b")
    )
    beats[second, first] = win_b
    beats[first, second] = win_a
    return ThreeHands(total, beats, best, tie, all_tie)
