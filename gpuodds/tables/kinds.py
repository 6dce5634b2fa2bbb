"""What tables there are. A kind knows its rows, how they are cut into shards, counted and checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from gpuodds.errors import InputError, excerpt

if TYPE_CHECKING:
    import pyarrow as pa

    from gpuodds.protocol import Backend
    from gpuodds.tables.store import StoredTable

Cards = tuple[int, ...]


class Kind(ABC):
    """One of the tables. Its rows are numbered; a shard is a range of them, counted on its own.

    ``most_opponents`` is how many random opponents a build can ask for, 0 where that makes no sense;
    ``usual_opponents`` what it has if nothing is said.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    most_opponents: ClassVar[int] = 0
    usual_opponents: ClassVar[int] = 0
    array: ClassVar[str | None] = None
    """A column that is also kept as a plain array, to be mapped into memory."""

    @abstractmethod
    def shards(self, opponents: int) -> list[range]:
        """Cut the rows into shards, in order."""

    @abstractmethod
    def compute(self, rows: range, opponents: int, backend: Backend) -> pa.Table:
        """Count the rows of a shard.

        Raises:
            TableError: What was counted breaks a law that it must keep.
        """

    @abstractmethod
    def seconds(self, opponents: int) -> float:
        """Return about how long a build takes on two cores of a present-day CPU."""

    @abstractmethod
    def find(self, hands: list[Cards], board: Cards, opponents: int) -> range:
        """Return the rows of what somebody looks up.

        Raises:
            InputError: There are none in this table.
        """

    def orient(self, row: dict[str, Any], hands: list[Cards]) -> dict[str, Any]:
        """Return a row that was looked up as seen by the hands that were asked for."""
        return row

    @abstractmethod
    def recount(self, row: dict[str, Any], opponents: int) -> dict[str, Any]:
        """Count some columns of a row by another method than :meth:`compute`."""

    def laws(self, table: StoredTable) -> Iterator[str]:
        """Check what all rows together must keep; yield what does.

        Raises:
            TableError: Something does not.
        """
        yield from ()

    def rows(self, opponents: int) -> int:
        """Return how many rows there are."""
        return self.shards(opponents)[-1].stop


def kinds() -> dict[str, Kind]:
    """Return the tables by name."""
    from gpuodds.tables.preflop import PreflopHeadsUp, PreflopRandom
    from gpuodds.tables.streets import FlopRandom, RiverRandom, TurnRandom
    from gpuodds.tables.three_way import PreflopThreeWay

    preflop = [PreflopRandom(), PreflopHeadsUp(), PreflopThreeWay()]
    made = [*preflop, FlopRandom(), TurnRandom(), RiverRandom()]
    return {kind.name: kind for kind in made}


def find_kind(name: str) -> Kind:
    """Return a table by its name.

    Raises:
        InputError: There is none.
    """
    known = kinds()
    if name not in known:
        raise InputError(f"table {excerpt(name)}: expected one of {', '.join(known)}")
    return known[name]


def check_opponents(kind: Kind, opponents: int | None) -> int:
    """Return the most opponents of a build, the usual ones if nothing is said.

    Raises:
        InputError: The table cannot have so many.
    """
    if opponents is None:
        return kind.usual_opponents
    if kind.most_opponents == 0:
        raise InputError(f"table {kind.name}: it has no number of opponents, found {opponents}")
    if not 1 <= opponents <= kind.most_opponents:
        raise InputError(
            f"opponents {opponents}: expected 1 to {kind.most_opponents} for table {kind.name}"
        )
    return opponents
