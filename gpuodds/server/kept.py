"""The values that were used last, by key."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Kept(Generic[K, T]):
    """The values used last, up to a number of them."""

    def __init__(self, most: int) -> None:
        """Keep at most ``most`` values."""
        self._most, self._values = most, OrderedDict[K, T]()

    def get(self, key: K) -> T | None:
        """Return the value of a key, None if it is not kept, and mark it as used."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def put(self, key: K, value: T) -> None:
        """Keep a value, and drop the one used longest ago if they are too many."""
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
