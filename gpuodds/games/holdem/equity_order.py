"""The starting hands by exact equity against one random hand: the default ranking of percentages.

The data file comes from the table ``preflop-random``; a test compares the two.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

DATA_FILE = Path(__file__).parent / "data" / "equity_order.txt"


@lru_cache(maxsize=1)
def equity_order() -> tuple[str, ...]:
    """Return the 169 starting hands, best first; no two have the same equity.

    >>> equity_order()[:3], equity_order()[-1]
    (('AA', 'KK', 'QQ'), '32o')
    """
    return tuple(DATA_FILE.read_text("ascii").split())
