"""Threat graphs by number, with the card ranks of their types; the table grows as needed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.shared.intern_table import (
    copy_intern_table,
    grown_intern_table,
    new_intern_table,
)
from gpuodds.backends.graph_words import TYPES

Ints = npt.NDArray[np.int64]


class GraphTable:
    """An intern table of threat graphs, and their types' tags, a hint for the order to solve in."""

    def __init__(self) -> None:
        """Start empty."""
        self.table = new_intern_table(1024, 1024 * TYPES)
        self.tags = np.zeros(self.table.words.size, np.int8)

    def __len__(self) -> int:
        """Return the number of graphs."""
        return int(self.table.used[0])

    def reserve(self, entries: int) -> None:
        """Make room for ``entries`` more graphs."""
        self.table = grown_intern_table(self.table, entries, TYPES)
        if self.tags.size < self.table.words.size:
            tags = np.zeros(self.table.words.size, np.int8)
            tags[: self.tags.size] = self.tags
            self.tags = tags

    def enter(self, other: GraphTable, begin: int = 0) -> Ints:
        """Enter the graphs of another table from ``begin`` on; return the number here of each."""
        self.reserve(len(other) - begin)
        known = len(self)
        numbers = np.empty(len(other) - begin, np.int64)
        copy_intern_table(other.table, begin, self.table, numbers)
        # New graphs stand here one after another, in the same order.
        start = other.table.start[begin : len(other) + 1]
        new = np.repeat(numbers >= known, np.diff(start))
        here = self.table.start
        self.tags[here[known] : here[len(self)]] = other.tags[start[0] : start[-1]][new]
        return numbers
