"""What is found on first use: public names, so that importing a package is cheap, and properties."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Self, TypeVar, overload

T_co = TypeVar("T_co", covariant=True)


def from_homes(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return a package's ``__getattr__``, which imports public names on first use and keeps them there.

    Args:
        package: The name of the package.
        homes: For each public name the module in the package that defines it.

    >>> from_homes("gpuodds.games", {"find_game": "catalog"})("find_game")("plo")
    <game omaha>
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return find


class cached_property(functools.cached_property[T_co]):  # noqa: TID251
    """A property that is computed on first use and kept in the instance's ``__dict__``.

    That of :mod:`functools` has one lock for all instances up to Python 3.11: while a thread computes
    the property of one instance, others wait for theirs, and a process that is forked meanwhile waits
    for ever. This one has no lock: threads that ask at once may all compute, and all get the value that
    is kept first.

    >>> class Hand:
    ...     cards = (51, 47)
    ...     @cached_property
    ...     def size(self) -> int:
    ...         return len(self.cards)
    >>> hand = Hand()
    >>> hand.size, vars(hand)
    (2, {'size': 2})
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T_co: ...

    def __get__(self, instance: object, owner: type[Any] | None = None) -> Self | T_co:
        if instance is None:
            return self
        # Each answer computes a dozen: a cast is a call.
        found: T_co = instance.__dict__.setdefault(self.attrname, self.func(instance))  # type: ignore[arg-type]
        return found
