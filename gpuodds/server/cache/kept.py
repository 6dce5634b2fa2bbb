"""The values that were used last, by key."""

from __future__ import annotations

from collections import OrderedDict
from math import inf
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Kept(Generic[K, T]):
    """The values used last, up to a number of them, and of their bytes."""

    def __init__(self, most: int, most_bytes: float = inf) -> None:
        """Keep at most ``most`` values, which together have at most ``most_bytes``."""
        self._most, self._most_bytes = most, most_bytes
        self._values = OrderedDict[K, tuple[T, int]]()
        self.bytes = 0
        """The bytes of the values that are kept."""

    def get(self, key: K) -> T | None:
        """Return the value of a key, None if it is not kept, and mark it as used."""
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key][0]

    def put(self, key: K, value: T, size: int = 0) -> None:
        """Keep a value, unless it is too large alone, and drop those used longest ago."""
        self.bytes -= self._values.pop(key, (value, 0))[1]
        if size > self._most_bytes:
            return
        self._values[key] = value, size
        self.bytes += size
        while len(self._values) > self._most or self.bytes > self._most_bytes:
            self.bytes -= self._values.popitem(last=False)[1][1]
