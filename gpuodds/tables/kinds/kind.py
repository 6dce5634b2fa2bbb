"""How a table is counted: a kind counts the rows of a shard, counts single rows again, and checks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from gpuodds.backends.protocol import Backend, Progress
    from gpuodds.tables.layouts.layout import Layout
    from gpuodds.tables.store import StoredTable


class Kind(ABC):
    """What a build needs to know of one table; its rows are those of ``layout``."""

    layout: Layout
    memory: float = 0.5
    """About how many GB it takes to count a shard."""

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

    @abstractmethod
    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes on two cores of a present-day CPU."""

    @abstractmethod
    def bytes_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards."""

    def disk_per_row(self, opponents: int) -> float:
        """Return about how many bytes of disk a row takes in the shards and the plain arrays."""
        from gpuodds.tables.manifest import row_bytes

        plain = sum(map(row_bytes, self.layout.arrays(opponents).values()))
        return self.bytes_per_row(opponents) + plain

    @abstractmethod
    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count some columns of a row by another method than :meth:`compute`."""

    def check_invariants(self, table: StoredTable) -> Iterator[str]:
        """Check the invariants that all rows of a table keep together; yield a line for each.

        Raises:
            TableError: An invariant is broken.
        """
        yield from ()
