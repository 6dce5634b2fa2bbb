"""How results are shown: an interval of shares of games that come in clusters, and plain tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, fmean, variance


def interval(won: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return an interval of the share of games won, from the share of each game's seatings.

    It is Wilson's score interval on the effective number of games, p (1 - p) / (variance of the mean),
    as for surveys in clusters (L. Kish, "Survey Sampling", 1965; E. B. Wilson, JASA 22, 1927): games
    are the clusters, because the seatings of one share its cards. The variance includes one more game
    whose seatings all end the same, so that a few games that happen to agree do not look certain.

    Args:
        won: For each game the share of its seatings that were won, 0 to 1.
        confidence: The probability that the interval contains the true share.

    >>> low, high = interval([1.0, 0.0] * 50)
    >>> round(low, 3), round(high, 3)
    (0.403, 0.597)
    >>> interval([0.0] * 100)[0], round(interval([0.0] * 100)[1], 3)
    (0.0, 0.037)
    """
    games, share = len(won), fmean(won)
    alone = share * (1 - share)  # the variance of a game whose seatings all end the same
    spread = ((games - 1) * variance(won, share) if games > 1 else 0.0) + alone
    effective = games * games * alone / spread if spread else games
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrink = z * z / effective
    middle = (share + shrink / 2) / (1 + shrink)
    reach = z / (1 + shrink) * sqrt(alone / effective + shrink / (4 * effective))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines, the first column to the left, the others to the right.

    >>> aligned([("player", "chips"), ("tight", "+50")])
    ['player  chips', 'tight     +50']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
        for row in rows
    ]
