"""Columns of many rows at once, gathered from plain arrays: the batched look-up of every table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from gpuodds.basics.arguments import shown
from gpuodds.errors import InputError, excerpt
from gpuodds.tables.layouts.layout import Layout

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Columns = dict[str, npt.NDArray[Any]]

MAX_NAMES = 12  # of columns, in an error


class Arrays(Protocol):
    """A table whose columns can be read as arrays."""

    layout: Layout

    @property
    def name(self) -> str:
        """The table's name."""
        ...

    @property
    def opponents(self) -> int:
        """The largest number of random opponents."""
        ...

    def __len__(self) -> int:
        """Return the number of rows."""
        ...

    def array(self, column: str) -> Any:
        """Return a whole column that the layout does not label."""
        ...


def take(table: Arrays, hands: Any, boards: Any, columns: Sequence[str] | None) -> Columns:
    """Return columns of the rows of situations: see :meth:`gpuodds.tables.store.StoredTable.take`.

    Raises:
        InputError: There is no such column or situation.
        TableError: The table has no such array, or a damaged one.
    """
    import numpy as np

    names = _check_columns(table, columns)
    rows, swapped, labels = table.layout.find_all(hands, boards, table.opponents)
    if rows.size and int(rows.max()) >= len(table):
        row = int(rows.max())
        raise InputError(f"row {row}: expected 0 to {len(table) - 1} in table {table.name}")
    taken = {}
    for name in names:
        if name in labels:
            taken[name] = labels[name]
            continue
        taken[name] = _gather(table, name, rows)
        other = table.layout.swaps.get(name)
        if swapped is not None and other is not None:
            taken[name] = np.where(swapped, _gather(table, other, rows), taken[name])
    return taken


def take_rows(table: Arrays, rows: Any, columns: Sequence[str] | None) -> Columns:
    """Return columns of rows: see :meth:`gpuodds.tables.store.StoredTable.take_rows`.

    Raises:
        InputError: There is no such column or row.
        TableError: The table has no such array, or a damaged one.
    """
    from gpuodds.spots.arrays import as_rows, on_host

    names = _check_columns(table, columns)
    numbers = as_rows(on_host(rows, "rows"), len(table) - 1)
    return {name: _gather(table, name, numbers) for name in names}


def shorten(names: list[str]) -> str:
    """Return names of columns for an error, without those in the middle if there are many."""
    if len(names) > MAX_NAMES:
        names = [*names[: MAX_NAMES - 3], "...", *names[-2:]]
    return ", ".join(names)


def _check_columns(table: Arrays, columns: Any) -> list[str]:
    known = table.layout.columns(table.opponents)
    if columns is None:
        return known
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise InputError(f"columns {shown(columns)}: expected a list of names, such as [{known[-1]!r}]")
    names = list(columns)
    for name in names:
        if name not in known:
            raise InputError(
                f"column {excerpt(str(name))}: expected one of {shorten(known)} in table {table.name}"
            )
    return names


def _gather(table: Arrays, column: str, rows: Ints) -> npt.NDArray[Any]:
    import numpy as np

    if column in table.layout.labels:
        return np.array(table.layout.label(column, rows, table.opponents))
    # A plain view: memory maps copy their own attributes along with every result.
    values = np.asarray(table.array(column)).take(rows, axis=0)
    if values.ndim == rows.ndim:
        return values.astype(np.int64) if values.dtype.kind in "iu" else values
    if values.shape[-1] != 2:
        return values
    low, high = values[..., 0].astype(object), values[..., 1]
    some = high > 0
    low[some] += high[some].astype(object) << 64
    counts: npt.NDArray[Any] = low
    return counts
