"""Import public names on first use, so that importing a package is cheap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def from_homes(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return a package's ``__getattr__``, which imports public names on first use.

    Args:
        package: The name of the package.
        homes: For each public name the module in the package that defines it.

    >>> from_homes("gpuodds", {"parse_cards": "cards"})("parse_cards")("AsKs")
    (51, 47)
    """
    imported: dict[str, ModuleType] = {}

    def find(name: str) -> object:
        module = imported.get(name)
        if module is None:
            if name not in homes:
                raise AttributeError(f"module {package!r} has no attribute {name!r}")
            module = imported[name] = import_module(f"{package}.{homes[name]}")
        return getattr(module, name)

    return find
