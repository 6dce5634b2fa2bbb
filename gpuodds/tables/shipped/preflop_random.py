"""The shipped table ``preflop-random``: 169 starting hands against 1 to 22 random opponents.

The file is a compressed CSV with the columns ``hand,opponents,outcomes,win,tie_1,...,tie_22,equity``:
exact integers over all boards and all ways to deal the opponents (their order ignored). It is built
by :mod:`gpuodds.tables.shipped.build_preflop_random`. Looking it up needs the standard library alone.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from gpuodds.games.holdem.starting_hands import starting_hand

NAME = "preflop-random"
MOST_OPPONENTS = 22
DATA_FILE = Path(__file__).parent / "data" / "preflop_random.csv.gz"
CHECKSUM_FILE = DATA_FILE.with_name("preflop_random.csv.gz.sha256")
HEADER = ",".join(
    ["hand,opponents,outcomes,win", *(f"tie_{t}" for t in range(1, MOST_OPPONENTS + 1)), "equity"]
)


@lru_cache(maxsize=1)
def table_text() -> str:
    """Return the table as CSV text; ValueError if the file is not the one that was shipped."""
    import gzip
    import hashlib

    data = DATA_FILE.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    expected = CHECKSUM_FILE.read_text("ascii").split()[0]
    if found != expected:
        raise ValueError(
            f"{DATA_FILE}: damaged: its sha256 is {found}, expected {expected}; install again"
        )
    text = gzip.decompress(data).decode("ascii")
    if not text.startswith(HEADER + "\n"):
        raise ValueError(f"{DATA_FILE}: not a {NAME} table of this version: its columns differ")
    return text


def preflop_counts(hole_cards: tuple[int, int], opponents: int) -> list[int]:
    """Look up the wins and the ties with 1 to ``opponents`` others of a hand before the flop.

    >>> preflop_counts((51, 50), 1)  # AsAh
    [1781508418, 11402312]
    """
    text = table_text()
    key = f"\n{starting_hand(hole_cards)},{opponents},"
    begin = text.index(key) + len(key)
    fields = text[begin : text.index("\n", begin)].split(",")
    return [int(field) for field in fields[1 : opponents + 2]]
