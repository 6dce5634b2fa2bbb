"""The tables before the flop as Arrow tables: what ships and what is built have the same columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from gpuodds.games.shared.rules import COMBOS
from gpuodds.tables.columns import WIDE, hand_column


def schema_of_random(opponents: int) -> pa.Schema:
    """Return the columns of ``preflop-random``."""
    counts = ["outcomes", "win", *(f"tie_{ties}" for ties in range(1, opponents + 1))]
    return pa.schema(
        [
            ("hand", pa.string()),
            ("opponents", pa.int8()),
            *((name, WIDE) for name in counts),
            ("equity", pa.float64()),
        ]
    )


def pairs_table(codes: Any, first: Any, second: Any, tie: Any, pairs: Any) -> pa.Table:
    """Return the rows of ``preflop-heads-up``.

    Args:
        codes: The pairs of hands, 1326 x first + second.
        first: The boards that the first hand of each pair wins.
        second: The boards that the second hand wins.
        tie: The boards on which they tie.
        pairs: How many of the 812,175 pairs of disjoint hands a row stands for.

    Returns:
        ``hand_a, hand_b, win_a, win_b, tie, pairs``.
    """
    codes = np.asarray(codes, np.int64)
    combo_a, combo_b = codes // COMBOS, codes % COMBOS
    columns = {
        "hand_a": hand_column(combo_a).cast(pa.string()),
        "hand_b": hand_column(combo_b).cast(pa.string()),
        "win_a": pa.array(first, pa.int32()),
        "win_b": pa.array(second, pa.int32()),
        "tie": pa.array(tie, pa.int32()),
        "pairs": pa.array(pairs, pa.int32()),
    }
    return pa.table(columns)


def omaha_table(names: Sequence[str], columns: Mapping[str, Any]) -> pa.Table:
    """Return the rows of a table of all starting hands of Omaha.

    Args:
        names: The names of the starting hands.
        columns: The other columns, ``combos`` and ``equity`` among them; the rest are counts.
    """
    kinds = {"combos": pa.int8(), "equity": pa.float64()}
    made = {name: pa.array(values, kinds.get(name, pa.int64())) for name, values in columns.items()}
    return pa.table({"hand": pa.array(names, pa.string()), **made})
