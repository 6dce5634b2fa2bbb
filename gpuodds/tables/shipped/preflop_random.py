"""The shipped table ``preflop-random``: 169 starting hands against 1 to 22 random opponents.

The file is a compressed CSV with the columns ``hand,opponents,outcomes,win,tie_1,...,tie_22,equity``:
exact integers over all boards and all ways to deal the opponents (their order ignored). It is built
by :mod:`gpuodds.tables.shipped.build_preflop_random`. Looking it up needs the standard library alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.tables.shipped.data_file import read_data

NAME = "preflop-random"
MAX_OPPONENTS = 22
DATA_FILE = Path(__file__).parent / "data" / "preflop_random.csv.gz"
HEADER = ",".join(
    ["hand,opponents,outcomes,win", *(f"tie_{t}" for t in range(1, MAX_OPPONENTS + 1)), "equity"]
)


@lru_cache(maxsize=1)
def table_text() -> str:
    """Return the table as CSV text.

    Raises:
        ValueError: The file is not the one that was shipped.
    """
    import gzip

    text = gzip.decompress(read_data(DATA_FILE)).decode("ascii")
    if not text.startswith(HEADER + "\n"):
        raise ValueError(f"{DATA_FILE}: not a {NAME} table of this version: its columns differ")
    return text


def preflop_counts(hole_cards: Sequence[int], opponents: int) -> list[int]:
    """Return the wins of a hand before the flop, and its ties with 1 to ``opponents`` others.

    >>> preflop_counts((51, 50), 1)  # AsAh
    [1781508418, 11402312]
    """
    text = table_text()
    key = f"\n{starting_hand(hole_cards)},{opponents},"
    begin = text.index(key) + len(key)
    fields = text[begin : text.index("\n", begin)].split(",")
    return [int(field) for field in fields[1 : opponents + 2]]


@lru_cache(maxsize=1)
def _lines() -> list[str]:
    return table_text().splitlines()


def read_row(row: int) -> dict[str, Any]:
    """Return a row, 0 to 3717, by column, without the columns that are empty.

    >>> {name: read_row(0)[name] for name in ("hand", "opponents", "win", "tie_1")}
    {'hand': 'AA', 'opponents': 1, 'win': 1781508418, 'tie_1': 11402312}
    """
    values = dict(zip(HEADER.split(","), _lines()[row + 1].split(","), strict=True))
    hand, equity = values.pop("hand"), float(values.pop("equity"))
    counts = {column: int(value) for column, value in values.items() if value}
    return {"hand": hand, **counts, "equity": equity}
