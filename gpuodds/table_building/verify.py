"""Check a table on disk: its bytes, its rows by another method, and its invariants."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import TableError
from gpuodds.games.shared.rules import BOARD_CARDS
from gpuodds.table_building.kinds.catalog import find_kind
from gpuodds.table_building.kinds.kind import Kind
from gpuodds.table_building.kinds.street import Street
from gpuodds.tables.files.plain_arrays import plain_values
from gpuodds.tables.files.shards import read_bytes
from gpuodds.tables.store import StoredTable
from gpuodds.tables.take import shorten

DEFAULT_ROWS = 20

Arrays = dict[str, npt.NDArray[Any]]


def verify(
    folder: Path,
    *,
    rows: int = DEFAULT_ROWS,
    seed: int = 0,
    finer: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Check a table, or the finished part of a half-built one; return what holds, a line each.

    Every shard is compared with its checksum and number of rows, parts of shards with their checksums.
    Of a complete table, the plain arrays are compared with their checksums and the shards, and the
    invariants of all rows are checked.

    Args:
        folder: Where it was built.
        rows: How many rows to count again by another method.
        seed: The seed of the draw of these rows.
        finer: A complete table of the next street: the drawn rows must be the sums of its rows. Of
            buckets over those of the next street: these.
        progress: Called with the fraction done, 0 to 1.

    Raises:
        TableError: A check fails; the message names the shard or the row.
    """
    table = StoredTable(folder, part=True)
    kind = find_kind(table.name).of(table.manifest, finer)
    there, parts = sorted(table.manifest.shards), table.manifest.parts
    arrays: Arrays = {array.column: table.array(array.column) for array in table.manifest.arrays}
    for done, number in enumerate(there, 1):
        _check_arrays(table, number, arrays)
        if progress is not None:
            progress(0.5 * done / len(there))
    checks = []
    if table.manifest.complete:
        checks.append(f"{len(there)} shards: checksums and numbers of rows")
        if arrays:
            checks.append(
                f"plain arrays of {shorten(list(arrays))}: checksums, and equal to the shards"
            )
        checks.extend(kind.check_invariants(table))
    else:
        checks.append(
            f"{len(there)} of {len(table.shards)} shards, a part of the table: checksums and numbers "
            "of rows"
        )
        for piece in parts:
            read_bytes(folder, table.manifest, piece)
        if parts:
            checks.append(f"{len(parts)} parts of the other shards: checksums")
    drawn = _draw(table, rows, seed)
    for done, row in enumerate(drawn, 1):
        _check_row(kind, table, row)
        if progress is not None:
            progress(0.5 + 0.5 * done / len(drawn))
    if drawn:
        checks.append(f"{len(drawn)} rows drawn with seed {seed}: counted again by another method")
    if finer is not None and not table.layout.has_buckets:
        checks.append(_check_street(kind, table, StoredTable(finer), drawn))
    return checks


def _check_row(kind: Kind, table: StoredTable, row: int) -> None:
    (values,) = table.rows([row])
    for name, expected in kind.recount(values, table.opponents).items():
        if values.get(name) != expected:
            number = next(i for i, span in enumerate(table.shards) if row in span)
            raise TableError(
                f"{table.folder}: shard {number}: row {row}: {name} is {values.get(name)}, counted "
                f"again it is {expected}"
            )


def _draw(table: StoredTable, rows: int, seed: int) -> list[int]:
    # Rows of the finished shards.
    spans = [table.shards[number] for number in sorted(table.manifest.shards)]
    ends = list(accumulate(map(len, spans), initial=0))
    drawn = sorted(Random(seed).sample(range(ends[-1]), min(rows, ends[-1])))
    places = [bisect_right(ends, place) - 1 for place in drawn]
    return [spans[i][place - ends[i]] for i, place in zip(places, drawn, strict=True)]


def _check_arrays(table: StoredTable, number: int, arrays: Arrays) -> None:
    shard, span = table.read_shard(number), table.shards[number]
    dtypes = table.layout.arrays(table.opponents)
    for name, array in arrays.items():
        values, kept = plain_values(shard[name], name, dtypes[name]), array[span.start : span.stop]
        if not np.array_equal(values, kept, equal_nan=values.dtype.kind == "f"):
            raise TableError(f"{table.folder}: shard {number}: the plain array of {name} differs")


def _check_street(kind: Kind, table: StoredTable, finer: StoredTable, drawn: list[int]) -> str:
    # A row is the sum of the next street's; each full board is met once for each of its later cards.
    next_kind = find_kind(finer.name)
    if not (
        isinstance(kind, Street)
        and isinstance(next_kind, Street)
        and next_kind.layout.board_cards == kind.layout.board_cards + 1
    ):
        raise TableError(f"{finer.folder}: table {finer.name} is not of the street after {table.name}")
    for row in drawn:
        hand, board = kind.cards_of(row)
        (values,) = table.rows([row])
        names = ("win", "tie") if "win" in values else ("win_1", "tie_1_1")
        half_pots = 2 * values[names[0]] + values[names[1]]
        total = 0
        for card in range(DECK_SIZE):
            if card not in (*hand, *board):
                (finer_row,) = finer.rows(finer.layout.find([hand], (*board, card), 1))
                halves = 2 * finer_row.get("win", 0) + finer_row.get("tie", 0)
                total += finer_row.get("strength", 0) or halves
        if total != half_pots * (BOARD_CARDS - kind.layout.board_cards):
            raise TableError(
                f"{table.folder}: row {row}: it is not the sum of its rows of {finer.name}"
            )
    return f"{len(drawn)} rows: the sums of their rows of {finer.name}"
