"""Which hands were read before: eight bytes a hand."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

_RECENT = 1 << 16


class SeenNumbers:
    """A set of texts that only grows, held as 64-bit hashes.

    Of a hundred million hands two share a hash by chance once in four thousand such sets.

    Example:
        >>> seen = SeenNumbers()
        >>> seen.add("PokerStars 1"), seen.add("PokerStars 2"), seen.add("PokerStars 1")
        (True, True, False)
    """

    def __init__(self) -> None:
        self._recent: set[int] = set()
        self._sorted: list[np.ndarray[tuple[int], np.dtype[np.uint64]]] = []

    def add(self, text: str) -> bool:
        """Add a text; return whether it is new."""
        key = int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")
        if key in self._recent or any(_has(keys, key) for keys in self._sorted):
            return False
        self._recent.add(key)
        if len(self._recent) >= _RECENT:
            self._pack()
        return True

    def _pack(self) -> None:
        """Move the recent hashes into a sorted array; join arrays so that each is twice the next."""
        keys = np.sort(np.fromiter(self._recent, np.uint64, len(self._recent)))
        self._recent = set()
        while self._sorted and len(self._sorted[-1]) <= 2 * len(keys):
            keys = np.sort(np.concatenate([self._sorted.pop(), keys]))
        self._sorted.append(keys)


def _has(keys: np.ndarray[tuple[int], np.dtype[np.uint64]], key: int) -> bool:
    at = int(np.searchsorted(keys, np.uint64(key)))
    return at < len(keys) and int(keys[at]) == key
