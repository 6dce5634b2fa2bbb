"""Check a table on disk: its bytes, its rows by another method, and the laws that it must keep."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path

from gpuodds.backends.protocol import Progress
from gpuodds.errors import TableError
from gpuodds.tables.store import StoredTable

USUAL_ROWS = 20


def verify(
    folder: Path,
    *,
    rows: int = USUAL_ROWS,
    seed: int = 0,
    finer: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Check a table, or the shards of it that are there; return what was found to hold, a line each.

    Every shard's checksum and rows are read. Of a whole table, its plain arrays are compared with the
    shards, and the laws are checked that all its rows together must keep.

    Args:
        folder: Where it was built.
        rows: How many rows to count again by another method.
        seed: What they are drawn with.
        finer: A complete table of the next street: the drawn rows must be the sums of its rows.
        progress: Called with the share that is checked, 0 to 1.

    Raises:
        TableError: Something does not hold; the message names the shard or the row.
    """
    table = StoredTable(folder, part=True)
    held = []
    there = sorted(table.manifest.shards)
    for done, number in enumerate(there, 1):
        table.read_shard(number)
        if progress is not None:
            progress(0.5 * done / len(there))
    if table.manifest.complete:
        held.append(f"{len(there)} shards: checksums and numbers of rows")
        for array in table.manifest.arrays:
            _check_array(table, array.column)
            held.append(f"the plain array of {array.column}: equal to the shards")
        held.extend(table.kind.laws(table))
    else:
        held.append(
            f"{len(there)} of {len(table.shards)} shards, a part of the table: checksums and numbers "
            "of rows"
        )
    drawn = _draw(table, rows, seed)
    for done, row in enumerate(drawn, 1):
        values = table.rows(range(row, row + 1))[0]
        for name, expected in table.kind.recount(values, table.opponents).items():
            if values.get(name) != expected:
                number = next(i for i, span in enumerate(table.shards) if row in span)
                raise TableError(
                    f"{folder}: shard {number}: row {row}: {name} is {values.get(name)}, counted again "
                    f"it is {expected}"
                )
        if progress is not None:
            progress(0.5 + 0.5 * done / len(drawn))
    if rows:
        held.append(f"{len(drawn)} rows drawn with seed {seed}: counted again by another method")
    if finer is not None:
        held.append(_check_street(table, StoredTable(finer), rows, seed))
    return held


def _draw(table: StoredTable, rows: int, seed: int) -> list[int]:
    # Rows of the shards that are there.
    from itertools import accumulate
    from random import Random

    spans = [table.shards[number] for number in sorted(table.manifest.shards)]
    ends = list(accumulate(map(len, spans), initial=0))
    drawn = sorted(Random(seed).sample(range(ends[-1]), min(rows, ends[-1])))
    places = [bisect_right(ends, place) - 1 for place in drawn]
    return [spans[i][place - ends[i]] for i, place in zip(places, drawn, strict=True)]


def _check_array(table: StoredTable, name: str) -> None:
    import numpy as np

    array = table.array(name)
    for number, span in enumerate(table.shards):
        column = table.read_shard(number)[name].to_numpy()
        if not np.array_equal(column, array[span.start : span.stop]):
            raise TableError(f"{table.folder}: shard {number}: the plain array of {name} differs")


def _check_street(table: StoredTable, finer: StoredTable, rows: int, seed: int) -> str:
    # A row is the sum of the next street's; each full board is met once for each of its later cards.
    from gpuodds.tables.kinds.streets import Street

    coarse, fine = table.kind, finer.kind
    if not (
        isinstance(coarse, Street)
        and isinstance(fine, Street)
        and fine.board_cards == coarse.board_cards + 1
    ):
        raise TableError(f"{finer.folder}: table {fine.name} is not of the street after {coarse.name}")
    for row in _draw(table, rows, seed):
        hand, board = coarse.cards_of(row)
        values = table.rows(range(row, row + 1))[0]
        names = ("win", "tie") if "win" in values else ("win_1", "tie_1_1")
        half_pots = 2 * values[names[0]] + values[names[1]]
        total = 0
        for card in range(52):
            if card not in (*hand, *board):
                found = finer.rows(fine.find([hand], (*board, card), 1))[0]
                total += found.get("strength", 0) or 2 * found.get("win", 0) + found.get("tie", 0)
        if total != half_pots * (5 - coarse.board_cards):
            raise TableError(f"{table.folder}: row {row}: it is not the sum of its rows of {fine.name}")
    return f"{rows} rows: the sums of their rows of {fine.name}"
