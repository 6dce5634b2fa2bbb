"""What a notation of ranges is: how the ranges of a game are written and shown."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.game import Game

Floats = npt.NDArray[np.float64]


class ClassRow(NamedTuple):
    """A starting hand of a range, or in Omaha a rank class with a suit pattern."""

    ranks: str
    """The ranks, the highest first, such as ``AK`` or ``AAKK``."""
    suits: str
    """``s``, ``o`` or nothing; in Omaha the suit pattern, ``ds``, ``ss``, ``rb``, ..."""
    combos: int
    """The number of its combos."""
    weight: float
    """The sum of their weights in the range."""

    @property
    def mean(self) -> float:
        """The mean weight of its combos, 0 to 1."""
        return self.weight / self.combos


class Notation(ABC):
    """How ranges of a game are written and shown."""

    dialects: tuple[str, ...]
    """The dialects that :meth:`write` knows, ``plain`` first."""
    all_hands: str
    """What an order of starting hands must be, for errors."""

    def __init__(self, game: Game) -> None:
        """Hold the game."""
        self.game = game

    @abstractmethod
    def parse(self, text: str, order: Any, by_equity: bool) -> tuple[Floats, tuple[str, ...]]:
        """Return the weights of the combos that a text means, and notes on how it was read.

        Args:
            text: The range.
            order: The order for percentages, of :meth:`order_of` or :meth:`equity_order`.
            by_equity: Whether the order is that of :meth:`equity_order`.
        """

    @abstractmethod
    def write(self, weights: Floats, dialect: str) -> str:
        """Return text that reads back as the same weights."""

    @abstractmethod
    def item(self, hands: str, weight: float) -> str:
        """Return the text that gives hands a weight."""

    @abstractmethod
    def refuse_several_hands(self, text: str) -> None:
        """Refuse a text that may mean several players' hands."""

    @abstractmethod
    def equity_order(self) -> Any:
        """Return the order of starting hands by equity against one random hand; None if unknown."""

    @abstractmethod
    def order_of(self, hands: list[str]) -> Any:
        """Return an order of starting hands from their names; None if they are not each there once."""

    @abstractmethod
    def by_class(self, weights: Floats) -> list[ClassRow]:
        """Return the starting hands, or rank classes and suit patterns, that have a weight above 0."""

    @abstractmethod
    def weights_by_hand(self, weights: Floats) -> dict[str, float]:
        """Return the weights above 0 by hand, as text that the game's notation reads."""

    @abstractmethod
    def suit_group(self, weights: Floats) -> frozenset[int]:
        """Return the numbers of the suit renamings that leave a range as it is."""
