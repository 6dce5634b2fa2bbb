"""What every table that ships gives its readers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from gpuodds.tables.hands import Row


class Shipped(ABC):
    """The data of a shipped table. Rows and whole columns are read without pyarrow."""

    name: str
    data_file: Path

    @abstractmethod
    def count_rows(self) -> int:
        """Return how many rows the file has.

        Raises:
            OSError: The file cannot be read.
            ValueError: It is not the one that was shipped.
        """

    @abstractmethod
    def read_row(self, row: int) -> Row:
        """Return a row by column, without the columns that have no value."""

    @abstractmethod
    def read_column(self, column: str) -> npt.NDArray[np.generic]:
        """Return a whole column as the plain array of a build has it."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """Return all rows as one Arrow table, with the columns that a build has."""
