"""Count a spot on every flop, or on every turn card of a flop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuodds.backends.choice import run_on, thread_count
from gpuodds.backends.protocol import who_does
from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.game import HOLDEM_FAMILY, Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.symmetry import weighted_boards
from gpuodds.games.holdem.textures import flop_textures, turn_textures
from gpuodds.methods.costs import two_range_boards_seconds
from gpuodds.methods.options import Options
from gpuodds.methods.planner import answer
from gpuodds.results.board_report import BoardReport, BoardRow
from gpuodds.results.hi_lo import no_outcomes
from gpuodds.results.result import PlayerEquity
from gpuodds.results.rounding import without_rounding
from gpuodds.spots.hands import Cards, read_cards
from gpuodds.spots.players import Player
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.backends.protocol import Progress

FLOP, TURN = 3, 4  # board cards


def flop_report(
    hands: Player | Sequence[Player],
    *,
    opponents: int | None = None,
    dead: Cards = "",
    backend: str = "auto",
    game: str | Game = HOLDEM,
    progress: Callable[[float], None] | None = None,
) -> BoardReport:
    """Return the exact equities of hands and ranges on every flop.

    Args:
        hands: As for :func:`gpuodds.equity`.
        opponents: As for :func:`gpuodds.equity`.
        dead: Cards out of play.
        backend: As for :func:`gpuodds.equity`.
        game: As for :func:`gpuodds.equity`.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A row for each class of flops under the renamings of suits that keep all ranges and dead cards:
        1,755 where nothing names a suit. The sums over all rows are the answer before the flop.

    Raises:
        InputError: As :func:`gpuodds.equity`.

    Example:
        >>> report = flop_report(["AA", "KK"], backend="cpu")
        >>> len(report.rows), report.players[0].equity_exact
        (1755, Fraction(255121, 311328))
    """
    spot = Spot.of(hands, opponents=opponents, dead=dead, game=game)
    return report_boards(spot, backend, progress)


def turn_report(
    hands: Player | Sequence[Player],
    *,
    board: Cards,
    opponents: int | None = None,
    dead: Cards = "",
    backend: str = "auto",
    game: str | Game = HOLDEM,
    progress: Callable[[float], None] | None = None,
) -> BoardReport:
    """Return the exact equities of hands and ranges on every turn card of a flop.

    Args:
        hands: As for :func:`gpuodds.equity`.
        board: The flop, three cards.
        opponents: As for :func:`gpuodds.equity`.
        dead: Cards out of play.
        backend: As for :func:`gpuodds.equity`.
        game: As for :func:`gpuodds.equity`.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A row for each class of turn cards under the renamings of suits that keep all ranges, the flop
        and the dead cards. The sums over all rows are the answer on the flop.

    Raises:
        InputError: As :func:`gpuodds.equity`, or the board is not a flop.

    Example:
        >>> report = turn_report(["AsKs", "QhQd"], board="2s7d9s", backend="cpu")
        >>> report.players[0].equity_exact
        Fraction(268, 495)
    """
    flop = read_cards(board)
    if len(flop) != FLOP:
        raise InputError(f"board {format_cards(flop) or repr('')}: expected three cards")
    spot = Spot.of(hands, opponents=opponents, board=flop, dead=dead, game=game)
    return report_boards(spot, backend, progress)


def report_boards(spot: Spot, backend: str, progress: Progress | None = None) -> BoardReport:
    """Count a spot on every board of the next street.

    Args:
        spot: A spot without a board, for a flop report; or on a flop, for a turn report.
        backend: The backend.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A row for each class of boards under the renamings of suits that keep the spot, aces first.
    """
    begin = perf_counter()
    given = len(spot.board)
    street, size = ("turn", TURN) if given else ("flop", FLOP)
    boards, weights = weighted_boards(spot.board, spot.removed, spot.suit_group, size)
    dealt = [tuple(sorted(board[given:], reverse=True)) for board in boards.tolist()]
    order = sorted(range(len(dealt)), key=dealt.__getitem__, reverse=True)
    counts, name = _count(spot, [dealt[place] for place in order], backend, progress)
    rows = []
    for place, players in zip(order, counts, strict=True):
        cards, weight = dealt[place], int(weights[place])
        textures = turn_textures(spot.board, cards[0]) if given else flop_textures(cards)
        counted = tuple(player.times(weight) for player in players)
        rows.append(BoardRow(cards, weight, textures, counted))
    return BoardReport(spot, street, tuple(rows), name, perf_counter() - begin)


def _count(
    spot: Spot, dealt: Sequence[tuple[int, ...]], backend: str, progress: Progress | None
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Return the players' counts after each deal of board cards, and the name of the backend."""
    if spot.players == 2 and spot.game.family == HOLDEM_FAMILY:
        return _count_two(spot, dealt, backend, progress)
    options = Options(method="exact", backend=backend)
    nothing = no_outcomes(spot)
    held = {card for hand in spot.known_hands for card in hand}
    counts, names = [], []
    for number, cards in enumerate(dealt, 1):
        players = nothing
        if not held & {*cards}:
            with suppress(ImpossibleDeal):
                found = answer(replace(spot, board=(*spot.board, *cards)), options)
                players = found.players
                names.append(found.backend)
        counts.append(players)
        if progress is not None:
            progress(number / len(dealt))
    if not names:
        raise ImpossibleDeal
    return counts, names[0]


def _count_two(
    spot: Spot, dealt: Sequence[tuple[int, ...]], backend: str, progress: Progress | None
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Count two players, who need one call for all boards: a hand is a range of one combo."""
    boards = np.array([(*spot.board, *cards) for cards in dealt], np.uint8)
    seconds = two_range_boards_seconds(len(boards), thread_count())
    found, chosen = run_on(
        backend,
        seconds,
        lambda on: on.two_range_boards(spot.all_weights, boards, spot.dead, False, progress),
        spot.game,
    )
    totals, counts = found.totals, []
    if totals.dtype.kind == "f":
        totals = without_rounding(totals, prod(spot.least_weights))
    for first, tie, second in totals.tolist():
        shares = [(first, tie), (second, tie)][: len(spot.hands)]
        counts.append(_players(spot, first + tie + second, shares))
    if not totals.any():
        raise ImpossibleDeal
    return counts, who_does(chosen, "two_range_boards")


def _players(spot: Spot, outcomes: Any, shares: Sequence[Sequence[Any]]) -> tuple[PlayerEquity, ...]:
    """Return the players' counts from outcomes that each wins, or splits with one, two, ... others."""
    return tuple(
        PlayerEquity(name, outcomes, win, tuple(ties))
        for name, (win, *ties) in zip(spot.names, shares, strict=True)
    )
