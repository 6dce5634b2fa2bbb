"""An answer on two boards, each for half of the pot: what each player wins of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from gpuodds.cards import format_cards
from gpuodds.results.player_equity import Count, PlayerEquity, json_count
from gpuodds.spots.double_board import DoubleBoardSpot

SCHEMA = "gpuodds.double-board/1"


@dataclass(frozen=True)
class DoubleBoardPlayer:
    """What one player has of both boards.

    Attributes:
        hand: The player's cards, or the text of the range.
        boards: The player's counts on each board alone.
        shared: Outcomes of both boards by how many win each with this player, itself included; 0 where
            another is better. ``(1, 1)`` is a scoop, ``(1, 2)`` a split of the second board with one.
        outcomes: All outcomes of both boards; for a sampled answer the number of samples.
        is_sampled: Whether the outcomes of both boards are samples.

    Example:
        >>> import gpuodds
        >>> player = gpuodds.double_board(["AsKs", "QhQd"], board="2s7s9h", board2="KcTd3c").players[0]
        >>> player.shared[1, 1], player.outcomes, player.equity_exact
        (321790, 671580, Fraction(1229, 1722))
    """

    hand: str
    boards: tuple[PlayerEquity, PlayerEquity]
    shared: Mapping[tuple[int, int], Count]
    outcomes: Count
    is_sampled: bool = False

    @property
    def equity(self) -> float:
        """The expected share of the pot, 0 to 1, which is the mean of the equities on the boards."""
        exact = self.equity_exact
        if exact is not None:
            return float(exact)
        return (self.boards[0].equity + self.boards[1].equity) / 2

    @property
    def equity_exact(self) -> Fraction | None:
        """The same as a fraction; None if weighted or sampled."""
        first, second = (board.equity_exact for board in self.boards)
        return None if first is None or second is None else (first + second) / 2

    @property
    def standard_error(self) -> float | None:
        """The standard error of the equity, at most; None if it is exact."""
        errors = [board.standard_error or 0.0 for board in self.boards]
        return sum(errors) / 2 if any(errors) else None

    @property
    def scoop_outcomes(self) -> Count:
        """Outcomes in which the player wins both boards alone."""
        return self.shared.get((1, 1), 0)

    @property
    def scoop(self) -> float:
        """How often the player wins both boards alone, 0 to 1."""
        return float(self.scoop_outcomes / self.outcomes)

    @property
    def scoop_error(self) -> float | None:
        """The standard error of the scoop; None if it is exact."""
        if not self.is_sampled:
            return None
        return sqrt(self.scoop * (1 - self.scoop) / self.outcomes)

    @property
    def lose(self) -> float:
        """How often the player wins nothing, 0 to 1."""
        return float(self.shared.get((0, 0), 0) / self.outcomes)

    @property
    def part(self) -> float:
        """How often the player wins a part of the pot, 0 to 1."""
        some = sum(n for key, n in self.shared.items() if key not in ((0, 0), (1, 1)))
        return float(some / self.outcomes)

    def pot_shares(self) -> dict[Fraction, Count]:
        """Return the outcomes by the share of the pot that the player wins, the largest first."""
        by_share: dict[Fraction, Count] = {}
        for key, count in self.shared.items():
            share = sum((Fraction(1, 2 * winners) for winners in key if winners), Fraction(0))
            by_share[share] = by_share.get(share, 0) + count
        return dict(sorted(by_share.items(), reverse=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the player's part of the JSON object."""
        exact = self.equity_exact
        return {
            "hand": self.hand,
            "equity": self.equity,
            "equity_exact": None if exact is None else f"{exact.numerator}/{exact.denominator}",
            "standard_error": self.standard_error,
            "boards": [board.to_dict() for board in self.boards],
            "scoop": self.scoop,
            "scoop_error": self.scoop_error,
            "part": self.part,
            "lose": self.lose,
            "outcomes": json_count(self.outcomes),
            "pot_shares": {
                f"{share.numerator}/{share.denominator}": json_count(count)
                for share, count in self.pot_shares().items()
            },
        }


@dataclass(frozen=True)
class DoubleBoardResult:
    """The answer to a spot with two boards.

    Attributes:
        spot: The spot.
        players: What each player wins.
        method: ``"exact"``, or ``"monte-carlo"`` if the outcomes of both boards are samples: the
            equities may be exact even so.
        backend: The name of the backend that counted.
        seconds: The time that the answer took.
    """

    spot: DoubleBoardSpot
    players: tuple[DoubleBoardPlayer, ...]
    method: str
    backend: str
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether all figures are exact."""
        return self.method == "exact" and self.has_exact_equities

    @property
    def has_exact_equities(self) -> bool:
        """Whether the equities are exact."""
        return all(player.standard_error is None for player in self.players)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as the JSON object ``gpuodds.double-board/1``; counts are strings."""
        return {
            "schema": SCHEMA,
            "game": self.spot.game.name,
            "hands": [player.hand for player in self.players],
            "boards": [format_cards(board) for board in self.spot.boards],
            "dead": format_cards(self.spot.dead),
            "method": self.method,
            "exact": self.exact,
            "backend": self.backend,
            "players": [player.to_dict() for player in self.players],
            "seconds": self.seconds,
        }


def by_players(
    names: Sequence[str],
    boards: tuple[Sequence[PlayerEquity], Sequence[PlayerEquity]],
    winners: Mapping[tuple[int, int], Count],
    outcomes: Count,
    is_sampled: bool = False,
) -> tuple[DoubleBoardPlayer, ...]:
    """Return what each player wins, from outcomes by the winners on both boards.

    Args:
        names: The players' names.
        boards: Their counts on each board alone.
        winners: Outcomes by the winners on each board, masks of the players.
        outcomes: All outcomes.
        is_sampled: Whether they are samples.
    """
    players = []
    for place, name in enumerate(names):
        shared: dict[tuple[int, int], Count] = {}
        for (first, second), count in winners.items():
            key = _winning_with(first, place), _winning_with(second, place)
            shared[key] = shared.get(key, 0) + count
        alone = boards[0][place], boards[1][place]
        players.append(
            DoubleBoardPlayer(name, alone, dict(sorted(shared.items())), outcomes, is_sampled)
        )
    return tuple(players)


def _winning_with(mask: int, place: int) -> int:
    """Return how many win with a player, itself included; 0 if it does not win."""
    return mask.bit_count() if mask >> place & 1 else 0
