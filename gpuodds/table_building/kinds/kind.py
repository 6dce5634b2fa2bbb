"""How a table is counted: a kind counts the rows of a shard, counts single rows again, and checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuodds.errors import TableError
from gpuodds.tables.equities import equity_column

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from gpuodds.backends.counts import Progress
    from gpuodds.backends.operation import Backend
    from gpuodds.tables.files.manifest import Manifest
    from gpuodds.tables.layouts.layout import Layout
    from gpuodds.tables.store import StoredTable


def check_equities(name: str, by_ties: Sequence[Any], outcomes: Any, equities: Any) -> None:
    """Check that no row counts more deals than there are, and that its equity follows from them.

    Args:
        name: The name of the table.
        by_ties: At t, an array (n,): the deals in which the hand splits with t others.
        outcomes: The number of deals, for all rows or for each; NaN for what cannot be dealt.
        equities: The equities, (n,).

    Raises:
        TableError: A row breaks it.
    """
    import numpy as np

    if (sum(np.asarray(column, np.float64) for column in by_ties) > outcomes * (1 + 1e-12)).any():
        raise TableError(f"{name}: a row counts more deals than there are")
    if not np.array_equal(equities, equity_column(by_ties, outcomes), equal_nan=True):
        raise TableError(f"{name}: an equity does not follow from its counts")


class Kind(ABC):
    """What a build needs to know of one table; its rows are those of ``layout``."""

    layout: Layout
    memory: float = 0.5
    """About how many GB it takes to count a shard, or a part of one."""
    parts: int = 1
    """In how many parts a shard is counted, where one would take minutes: :meth:`compute_part`."""
    part_columns: tuple[str, ...] = ()
    """The columns of a part, integers."""

    @property
    def name(self) -> str:
        """The table's name."""
        return self.layout.name

    @abstractmethod
    def compute(
        self, rows: range, opponents: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the rows of a shard.

        Args:
            rows: The rows.
            opponents: The largest number of random opponents, 0 if the table has no such number.
            backend: What counts.
            progress: Called with the fraction of the shard that is done, if it takes long.

        Raises:
            TableError: The counts break an invariant.
        """

    def compute_part(
        self, rows: range, opponents: int, part: int, backend: Backend, progress: Progress | None = None
    ) -> pa.Table:
        """Count the rows of a shard on a part of the boards; for kinds with several parts.

        Args:
            rows: The rows.
            opponents: The largest number of random opponents, 0 if the table has no such number.
            part: The part, from 0 to ``parts`` less one.
            backend: What counts.
            progress: Called with the fraction of the part that is done.

        Returns:
            As many rows as the shard has, with counts that add up over the parts.
        """
        raise NotImplementedError

    def join_parts(self, rows: range, opponents: int, parts: Iterable[pa.Table]) -> pa.Table:
        """Return the rows of a shard, as :meth:`compute` does, from all its parts.

        Raises:
            TableError: The counts break an invariant.
        """
        raise NotImplementedError

    @abstractmethod
    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes on two cores of a present-day CPU."""

    @abstractmethod
    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""

    def disk_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes during a build: in all files of the table."""
        from gpuodds.tables.files.manifest import row_bytes

        plain = sum(map(row_bytes, self.layout.arrays(opponents).values()))
        files = 1 if self.parts == 1 else 1 + self.parts
        return files * self.bytes_per_row(opponents) + plain

    @abstractmethod
    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count some columns of a row by another method than :meth:`compute`."""

    def new_manifest(self, opponents: int) -> Manifest:
        """Return the manifest that a build begins with."""
        from gpuodds.tables.files.manifest import Manifest

        return Manifest(self.layout, opponents)

    def of(self, manifest: Manifest, finer: Path | None = None) -> Kind:
        """Return the kind that counts a table that was begun.

        Args:
            manifest: The table's.
            finer: The folder of a table of the next street, if it is known.

        Raises:
            TableError: It was begun as another one.
        """
        return self

    def complete(self, manifest: Manifest, shards: Iterable[pa.Table]) -> None:
        """Add to the manifest what follows from all shards of a table.

        Raises:
            TableError: A shard is wrong.
        """
        return

    def check_counts(
        self, rows: range, opponents: int, part: int | None, values: Mapping[str, Any]
    ) -> None:
        """Check what another machine has counted by what is known without it.

        Args:
            rows: The rows of the shard.
            opponents: The largest number of random opponents, 0 if the table has no such number.
            part: The part; None for a whole shard.
            values: The columns as plain arrays, those of the layout or :attr:`part_columns`.

        Raises:
            TableError: The counts break an invariant.
        """
        return

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check the invariants that all rows of a table keep together; yield a line for each.

        Raises:
            TableError: An invariant is broken.
        """
        yield from ()
