"""How much to bet: Kelly betting on exact probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpuodds.betting.advice import Advice, Option, kelly_bet
    from gpuodds.betting.simulation import Run, simulate

__all__ = ["Advice", "Option", "Run", "kelly_bet", "simulate"]

# On first use, so that the command's help imports no NumPy.
_HOMES = {
    "Advice": "advice",
    "Option": "advice",
    "kelly_bet": "advice",
    "Run": "simulation",
    "simulate": "simulation",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'gpuodds.betting' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"gpuodds.betting.{_HOMES[name]}"), name)
