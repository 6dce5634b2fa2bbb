"""Keep the module names of version 0.1: importing one warns, and forwards to the new module."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MODULES = {
    "arrays": "spots.arrays",
    "betting.retained": "betting.opening_pot",
    "betting.showdown": "betting.outcomes",
    "engine": "api",
    "five_card.rankings": "games.five_card",
    "five_card.seed002": "five_card.bayes_regression",
    "flops": "methods.flops",
    "holdem": "games.holdem",
    "holdem.canonical": "games.holdem.canonical",
    "holdem.canonical_boards": "games.holdem.boards",
    "holdem.hand_names": "games.holdem.hand_names",
    "holdem.hand_ranks": "games.holdem.hand_ranks",
    "holdem.holdings": "games.holdem.combos",
    "holdem.multiway": "games.holdem.multiway",
    "holdem.starting_hands": "games.holdem.starting_hands",
    "holdem.symmetry": "games.holdem.symmetry",
    "pictures": "plotting",
    "play.bots.anything": "play.bots.random",
    "range_text": "spots.range_text",
    "ranges": "spots.ranges",
    "ranking": "methods.evaluate",
    "result": "results.result",
    "sampling": "methods.sampling",
    "situations": "methods.canonical",
    "spot": "spots.spot",
    "tables.build": "tables.building.build",
    "tables.preflop_heads_up": "tables.shipped.preflop_heads_up",
    "tables.preflop_random": "tables.shipped.preflop_random",
    "tables.verify": "tables.building.verify",
    "threats": "methods.losses",
}
NAMES = {
    "Anything": "RandomBot",
    "HOLDINGS": "COMBOS",
    "holding_cards": "combo_cards",
    "holding_index": "combo_index",
    "holding": "example_combo",
    "rank_holdings": "rank_combos",
}


def renamed(name: str, new: str) -> None:
    """Warn that a name has a new one.

    Args:
        name: The old name.
        new: The new name.
    """
    warnings.warn(f"{name} is now {new}", DeprecationWarning, stacklevel=3)


def from_old_names(module: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Return a module's ``__getattr__`` that forwards old names to new ones, and warns.

    Args:
        module: The name of the module.
        names: The new name of each old one.
    """

    def find(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        renamed(f"{module}.{name}", names[name])
        return getattr(sys.modules[module], names[name])

    return find


class _Old(ModuleType):
    """A module under its old name, which forwards attributes to the new module."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # the import system must not see the new __path__ under the old name
            raise AttributeError(name)
        module = import_module("gpuodds." + MODULES[self.__name__.removeprefix("gpuodds.")])
        return getattr(module, name if hasattr(module, name) else NAMES.get(name, name))


class _Finder:
    """Find modules under their old names, after all other finders."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module that has moved."""
        old = name.removeprefix("gpuodds.")
        if old == name or old not in MODULES:
            return None
        loader: Any = self  # has the methods of a loader, without importing importlib.abc
        return ModuleSpec(name, loader, is_package=old == "holdem")

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module that forwards to the new one."""
        return _Old(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Warn that the module has a new name."""
        new = "gpuodds." + MODULES[module.__name__.removeprefix("gpuodds.")]
        warnings.warn(f"{module.__name__} is now {new}", DeprecationWarning, stacklevel=2)


def keep_old_names() -> None:
    """Install the finder of old module names."""
    sys.meta_path.append(_Finder())
