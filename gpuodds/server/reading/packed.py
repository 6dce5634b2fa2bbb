"""Values that one worker makes and another uses: they pass through the server as bytes."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True)
class Packed(Generic[T]):
    """A pickled value; a range of a million combos is some kilobytes of it."""

    data: bytes

    @classmethod
    def of(cls, value: T) -> Packed[T]:
        """Return a value as bytes."""
        return cls(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def unpack(self) -> T:
        """Return the value."""
        value: T = pickle.loads(self.data)
        return value


def unpacked(value: T | Packed[T]) -> T:
    """Return a value that may be packed."""
    return cast("T", value.unpack() if isinstance(value, Packed) else value)
