"""Vose's alias tables: a draw by weight from an even draw and a second random word."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

WORD = 1 << 32  # how many words there are; the probability 1


def alias_table(weights: Floats) -> tuple[Ints, Ints]:
    """Return the limits of entries and their other entries, both of shape (n,).

    A draw chooses one of the n entries evenly; a second word of 32 random bits leaves it if it is below
    the entry's limit, and else gives the entry's other one. Where that is the entry itself, no word is
    needed. Source: M. D. Vose, "A linear algorithm for generating random numbers with a given
    distribution", 1991.

    Shares are whole numbers, 2^32 on average, so that sums are exact. Entries with less are filled up
    one after another by those with more. An entry that gave too much is filled up by the next one. So
    sums from the first entry on decide who gives.

    Args:
        weights: Shape (n,), above 0.
    """
    count = len(weights)
    shares = _whole_shares(weights)
    limits, aliases = np.zeros(count, np.int64), np.arange(count)
    poor, rich = np.flatnonzero(shares < WORD), np.flatnonzero(shares >= WORD)
    if not len(poor):
        return limits, aliases
    lacking = np.cumsum(WORD - shares[poor])  # at most 2^32 x 20,358,520, so 64 bits are enough
    surplus = np.cumsum(shares[rich] - WORD)
    before = np.concatenate([[0], lacking[:-1]])
    limits[poor] = shares[poor]
    aliases[poor] = rich[np.searchsorted(surplus, before, side="right")]
    # The first entry that takes what a rich one no longer has.
    last = np.searchsorted(lacking, surplus, side="right")
    # Where a poor one is full just as a rich one has no more, the next rich one fills the next.
    short = np.flatnonzero(np.append(before, surplus[-1])[last] < surplus)
    limits[rich[short]] = WORD - (lacking[last[short]] - surplus[short])
    aliases[rich[short]] = rich[short + 1]
    return limits, aliases


def _whole_shares(weights: Floats) -> Ints:
    """Return the weights as whole numbers, in proportion, whose mean is 2^32."""
    count = len(weights)
    weights = weights / weights.max()  # equal ones are 1, and their shares whole
    shares: Ints = (weights * (count / weights.sum()) * WORD).astype(np.int64)
    # What rounding took goes to shares that are large enough to tell no difference.
    large = np.flatnonzero(shares >= 1 << 16)
    each, more = divmod(count * WORD - int(shares.sum()), len(large))
    shares[large] += each
    shares[large[:more]] += 1
    return shares
