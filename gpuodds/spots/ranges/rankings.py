"""The orders of starting hands by which percentages choose the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gpuodds.basics.arguments import listed, one_of, shown
from gpuodds.basics.choices import GameName
from gpuodds.errors import InputError, excerpt
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.games.holdem.equity_order import equity_order
from gpuodds.spots.notation.by_game import notation_of

EQUITY = "equity"


@dataclass(frozen=True, eq=False)
class Ranking:
    """An order of a game's starting hands; of the same object percentages mean the same hands."""

    name: str
    order: Any
    """What the game's notation takes: see :class:`gpuodds.spots.notation.notation.Notation`."""

    @property
    def by_equity(self) -> bool:
        """Whether the order is the built-in one, by equity against one random hand."""
        return self.name == EQUITY


_rankings: dict[tuple[Game, str], Ranking] = {}


def register_ranking(name: str, hands: Sequence[str], *, game: GameName | Game = "holdem") -> None:
    """Register an order of a game's starting hands by which percentages choose the best hands.

    Args:
        name: The name of the ranking. Registering a name again replaces its order.
        hands: The starting hands, best first: in hold'em 169 (``"AA"``, ``"AKs"``, ``"AKo"``), in short
            deck 81, in Omaha 16,432 (``"AwAxKwKx"``).
        game: The game, or its name.

    Raises:
        InputError: ``hands`` is not the game's starting hands, each once, or the name is empty or
            ``equity``, the built-in ranking.

    Example:
        >>> from gpuodds import Range
        >>> register_ranking("worst first", equity_ranking()[::-1])
        >>> Range("0.9%", ranking="worst first")
        Range('32o')
    """
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"ranking {shown(name)}: expected a name")
    if name == EQUITY:
        raise InputError(f"ranking {EQUITY}: this ranking is built in; expected another name")
    played = find_game(game)
    notation = notation_of(played)
    order = notation.order_of([str(hand) for hand in listed("ranking", hands, notation.all_hands)])
    if order is None:
        raise InputError(f"ranking {excerpt(name)}: expected {notation.all_hands}")
    _rankings[played, name] = Ranking(name, order)


def find_ranking(name: str, game: Game) -> Ranking:
    """Return the ranking of a name for a game.

    Raises:
        InputError: The game has no ranking of the name.
    """
    if isinstance(name, str) and name == EQUITY:
        return _by_equity(game)
    names = sorted({EQUITY, *(known for of, known in _rankings if of is game)})
    return _rankings[game, one_of("ranking", name, names)]


@lru_cache
def _by_equity(game: Game) -> Ranking:
    return Ranking(EQUITY, notation_of(game).equity_order())


def equity_ranking() -> tuple[str, ...]:
    """Return hold'em's starting hands by exact equity against one random hand, best first."""
    return equity_order()
