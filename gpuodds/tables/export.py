"""Export a whole table for other programs: CSV, JSON lines or Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gpuodds.errors import InputError, excerpt
from gpuodds.machine.files import open_output
from gpuodds.tables.open import ShippedTable
from gpuodds.tables.store import StoredTable

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("csv", "json", "parquet")
ENDINGS = {".csv": "csv", ".json": "json", ".jsonl": "json", ".parquet": "parquet"}
VIEWS = ("classes", "canonical")

Table = ShippedTable | StoredTable


def check_view(table: Table, view: str | None) -> str:
    """Return the view of a table's rows, the default one for None.

    Raises:
        InputError: The table has no such view.
    """
    views = VIEWS if table.name == "preflop-heads-up" else VIEWS[1:]
    if view is None:
        return views[0]
    if view not in views:
        expected = " or ".join(views)
        raise InputError(f"view {excerpt(view)}: expected {expected} for table {table.name}")
    return view


def export(table: Table, form: str, out: IO[bytes], view: str | None = None) -> None:
    """Write all rows of a table to a binary stream.

    Args:
        table: The table.
        form: csv, json (a line of JSON per row, integers above 2^53 as text) or parquet.
        out: The stream.
        view: "canonical" for the rows as they are. "classes", the default of ``preflop-heads-up``, has
            a row for each of 14,365 pairs of starting hands, with sums over all their combos.

    Raises:
        InputError: There is no such format or view.
        TableError: The table is half-built or damaged.
    """
    if form not in FORMATS:
        raise InputError(f"format {excerpt(form)}: expected one of {', '.join(FORMATS)}")
    view = check_view(table, view)
    if isinstance(table, StoredTable):
        table.check_complete()
    if form == "parquet":
        _write_parquet(table, out, view)
        return
    first = True
    for part in _parts(table, view):
        if form == "csv":
            _write_csv(part, out, first)
        else:
            for row in part.to_pylist():
                out.write((json.dumps(_for_json(row)) + "\n").encode("ascii"))
        first = False


def _parts(table: Table, view: str) -> Iterator[pa.Table]:
    if view == "classes":
        yield classes(table.to_arrow())
    elif isinstance(table, ShippedTable):
        yield table.to_arrow()
    else:
        for number in range(len(table.shards)):
            yield _plain(table.read_shard(number))


def _plain(part: pa.Table) -> pa.Table:
    # Text as strings, not as a dictionary, since every reader knows those.
    import pyarrow as pa

    for place, column in enumerate(part.columns):
        if pa.types.is_dictionary(column.type):
            part = part.set_column(place, part.column_names[place], column.cast(pa.string()))
    return part


def _write_csv(part: pa.Table, out: IO[bytes], header: bool) -> None:
    import pyarrow as pa
    from pyarrow import csv

    for place, column in enumerate(part.columns):
        if pa.types.is_fixed_size_list(column.type):
            lists = pa.array([" ".join(map(str, values)) for values in column.to_pylist()])
            part = part.set_column(place, part.column_names[place], lists)
    options = csv.WriteOptions(include_header=header, quoting_style="none", quoting_header="none")
    csv.write_csv(part, out, options)


def _write_parquet(table: Table, out: IO[bytes], view: str) -> None:
    import pyarrow.parquet as pq

    writer: Any = None
    for part in _parts(table, view):
        if writer is None:
            writer = pq.ParquetWriter(out, part.schema, compression="zstd")
        writer.write_table(part)
    if writer is not None:
        writer.close()


def _for_json(row: dict[str, Any]) -> dict[str, Any]:
    from decimal import Decimal

    values = {}
    for name, value in row.items():
        if value is None:
            continue
        if isinstance(value, Decimal):
            value = int(value)
        values[name] = str(value) if isinstance(value, int) and value > 1 << 53 else value
    return values


def classes(pairs: pa.Table) -> pa.Table:
    """Return the pairs of ``preflop-heads-up`` summed by starting hands.

    Args:
        pairs: All rows of the table.

    Returns:
        ``hand_a, hand_b, win_a, win_b, tie``: a row for each pair of the 169 starting hands, each with
        itself included, 14,365 in all, in the order of
        :func:`gpuodds.games.holdem.starting_hands.starting_hands`. Counts go over all disjoint combos
        and all boards; for a starting hand with itself, each pair of combos counts both ways round.
    """
    import numpy as np
    import pyarrow as pa

    from gpuodds.cards import format_cards
    from gpuodds.games.holdem.starting_hands import starting_hand, starting_hands
    from gpuodds.games.shared.combos import combo_cards

    names = starting_hands()
    labels = {
        format_cards((high, low)): names.index(starting_hand((low, high)))
        for low, high in combo_cards().tolist()
    }
    sums = np.zeros((169, 169, 3), np.int64)
    for row in pairs.to_pylist():
        class_a, class_b = (labels[row[hand]] for hand in ("hand_a", "hand_b"))
        counts = np.array([row["win_a"], row["win_b"], row["tie"]], np.int64) * row["pairs"]
        sums[class_a, class_b] += counts
        sums[class_b, class_a] += counts[[1, 0, 2]]
    rows = [(a, b) for a in range(169) for b in range(a, 169)]
    first, second = (np.array(column) for column in zip(*rows, strict=True))
    pair_sums = sums[first, second]
    return pa.table(
        {
            "hand_a": [names[a] for a in first],
            "hand_b": [names[b] for b in second],
            "win_a": pair_sums[:, 0],
            "win_b": pair_sums[:, 1],
            "tie": pair_sums[:, 2],
        }
    )


def export_to_file(table: Table, form: str | None, path: str | Path, view: str | None = None) -> None:
    """Write all rows of a table to a file, whole or not at all; ``-`` is standard output.

    Args:
        table: The table.
        form: ``"csv"``, ``"json"`` (a line a row) or ``"parquet"``; None for that of the file's ending.
        path: The file. Links are followed; pipes and devices are written to.
        view: ``"canonical"`` for rows as they are, or ``"classes"``, of ``preflop-heads-up`` alone and
            its default: a row for each pair of starting hands, with sums over all their combos.

    Raises:
        InputError: There is no such format or view, the ending means another format or an unknown one,
            or the file cannot be written.
        TableError: The table is half-built or damaged.

    Example:
        >>> import gpuodds
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "pairs.csv"
        ...     export_to_file(gpuodds.table("preflop-heads-up"), None, file)
        ...     print(file.read_text().splitlines()[1])
        AA,AA,223260,223260,9827304
    """
    form = format_of(path, form)
    view = check_view(table, view)
    with open_output(path) as file:
        export(table, form, file, view)


def format_of(path: str | Path, form: str | None) -> str:
    """Return the format of an exported file: the one asked for, else that of the file's ending.

    Raises:
        InputError: There is no such format, the two differ, or the ending is unknown.

    Example:
        >>> format_of("pairs.parquet", None), format_of("pairs.txt", "csv"), format_of("-", None)
        ('parquet', 'csv', 'csv')
    """
    if form is not None and form not in FORMATS:
        raise InputError(f"format {excerpt(form)}: expected one of {', '.join(FORMATS)}")
    name, ending = Path(path).name, Path(path).suffix.lower()
    meant = ENDINGS.get(ending)
    if form is None:
        if ending and meant is None:
            expected = ", ".join(ENDINGS)
            raise InputError(
                f"{excerpt(name)}: expected a name that ends in {expected}, or a format, such as csv"
            )
        return meant or FORMATS[0]
    if meant not in (None, form):
        raise InputError(
            f"{excerpt(name)}: its ending means {meant}, but the format asked for is {form}"
        )
    return form
