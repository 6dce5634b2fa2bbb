"""Build the table ``preflop-heads-up`` and write it where it ships.

Run ``python -m gpuodds.table_building.shipped.preflop_heads_up``. All 1,326 combos are compared with
each other on every board; pairs that differ only by the names of the suits must agree.
"""

from __future__ import annotations

import argparse
import zlib
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from gpuodds.backends.choice import run_operation
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.combos import suit_relabellings
from gpuodds.games.shared.rules import COMBOS
from gpuodds.tables.shipped.data_file import write_data
from gpuodds.tables.shipped.preflop_heads_up import BOARDS, DATA_FILE, HEADER, PAIRS


def canonical_pairs(wins: Any, ties: Any) -> tuple[Any, Any, Any]:
    """Return the pairs that are left after renaming the suits and swapping the hands.

    Args:
        wins: As :class:`~gpuodds.backends.operations.heads_up_matrix.HeadsUpMatrix` gives them.
        ties: Likewise.

    Returns:
        Three columns of 47,008 int64: codes, ascending, the boards that the first hand wins, and those
        that the second wins.
    """
    disjoint = wins + wins.T + ties > 0
    combo_a, combo_b = np.nonzero(disjoint)
    least = np.full(len(combo_a), COMBOS * COMBOS)
    for order in suit_relabellings():
        np.minimum(least, order[combo_a] * COMBOS + order[combo_b], out=least)
        np.minimum(least, order[combo_b] * COMBOS + order[combo_a], out=least)
    codes = np.unique(least)
    first = wins[codes // COMBOS, codes % COMBOS]
    second = wins[codes % COMBOS, codes // COMBOS]
    if len(codes) != PAIRS:
        raise AssertionError(f"{len(codes)} pairs: expected {PAIRS}")
    # Each pair has what its representative has, one way round or the other.
    row = np.searchsorted(codes, least)
    ours, theirs = wins[combo_a, combo_b], wins[combo_b, combo_a]
    same = (ours == first[row]) & (theirs == second[row])
    swapped = (ours == second[row]) & (theirs == first[row])
    if not (same | swapped).all() or not (ours + theirs + ties[combo_a, combo_b] == BOARDS).all():
        raise AssertionError("pairs that differ only by the names of the suits differ")
    return codes, first, second


def table_bytes(wins: Any, ties: Any) -> bytes:
    """Return the table's content, before it is compressed, from all pairs."""
    codes, first, second = canonical_pairs(wins, ties)
    columns = (np.diff(codes, prepend=0), first, second)
    return HEADER + b"".join(column.astype("<u4").tobytes() for column in columns)


def write_table(content: bytes, out: Path) -> None:
    """Write the compressed table and its checksum."""
    write_data(zlib.compress(content, 9), out)


def main() -> None:
    """Build the table from the command line."""
    from rich.console import Console
    from rich.progress import Progress as Bars

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--backend", default="auto", help="auto, cpu, cuda or cuda:0,2")
    parser.add_argument("--out", type=Path, default=DATA_FILE)
    options = parser.parse_args()
    begin = perf_counter()
    with Bars(console=Console(stderr=True)) as bars:
        task = bars.add_task("comparing", total=1.0)
        wins, ties = run_operation(
            HeadsUpMatrix(HOLDEM, (), ()),
            options.backend,
            progress=lambda done: bars.update(task, completed=done),
        ).counts
    write_table(table_bytes(wins, ties), options.out)
    size = options.out.stat().st_size
    print(f"{options.out}: {size:,} bytes, {perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
