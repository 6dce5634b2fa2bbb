"""Count a spot on every flop, or on every turn card of a flop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from gpuodds.basics.choices import BackendName, GameName
from gpuodds.cards import format_cards
from gpuodds.errors import ImpossibleDeal, InputError
from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.textures import flop_textures, turn_textures
from gpuodds.games.shared.symmetry import weighted_boards
from gpuodds.methods.answering import answer
from gpuodds.methods.families import methods_of
from gpuodds.methods.method import HERE, Machine, Method, Run, note_seconds
from gpuodds.methods.options import Options
from gpuodds.methods.planner import NotCountedError, Plan, find_counting, make_plan
from gpuodds.results.hi_lo import no_outcomes
from gpuodds.results.player_equity import PlayerEquity
from gpuodds.results.reports.board_report import BoardReport, BoardRow
from gpuodds.spots.hands import Cards, read_cards
from gpuodds.spots.players import Player
from gpuodds.spots.spot import Spot

if TYPE_CHECKING:
    from gpuodds.backends.counts import Progress

FLOP, TURN = 3, 4  # board cards
COUNTED = Options(method="exact", needs_counts=True)
NOT_COUNTED = (
    "a report is exact, and no method counts this spot on each board: too many players, or ranges that "
    "are too many or too wide; use fewer players or narrower ranges, or sample one board with equity"
)


def flop_report(
    hands: Player | Sequence[Player],
    *,
    opponents: int | None = None,
    dead: Cards = "",
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Callable[[float], None] | None = None,
) -> BoardReport:
    """Return the exact equities of hands and ranges on every flop.

    Args:
        hands: A hand, a range, or a list of them, as for :func:`gpuodds.equity`.
        opponents: Random hands, 0 to 22. Default: 1 for a single hand, else 0.
        dead: Cards out of play.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: The game, or its name.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A row for each class of flops under the renamings of suits that keep all ranges and dead cards,
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
    backend: BackendName = "auto",
    game: GameName | Game = HOLDEM,
    progress: Callable[[float], None] | None = None,
) -> BoardReport:
    """Return the exact equities of hands and ranges on every turn card of a flop.

    Args:
        hands: A hand, a range, or a list of them, as for :func:`gpuodds.equity`.
        board: The flop, three cards.
        opponents: Random hands, 0 to 22. Default: 1 for a single hand, else 0.
        dead: Cards out of play.
        backend: ``"auto"``, ``"cpu"``, ``"cuda"`` or ``"cuda:0"``.
        game: The game, or its name.
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
    spot = Spot.of(hands, opponents=opponents, board=read_flop(board), dead=dead, game=game)
    return report_boards(spot, backend, progress)


def read_flop(board: Cards) -> tuple[int, ...]:
    """Return the cards of a flop.

    Raises:
        InputError: A card cannot be read, or there are not three.
    """
    flop = read_cards(board)
    if len(flop) != FLOP:
        raise InputError(f"board {format_cards(flop) or repr('')}: expected three cards")
    return flop


def report_seconds(spot: Spot, machine: Machine = HERE) -> float:
    """Estimate how long the report of a spot takes on the CPU.

    Args:
        spot: The spot, as for :func:`report_boards`.
        machine: What counts.

    Raises:
        InputError: No method counts the spot on each board.
        ImpossibleDeal: The ranges cannot be dealt.
    """
    deals, _ = _classes(spot)
    in_one_pass = _in_one_pass(spot, len(deals), machine)
    if in_one_pass is not None:
        return in_one_pass[1]
    hole_cards = {card for hand in spot.known_hands for card in hand}
    for cards in deals:
        if not hole_cards & {*cards}:
            with suppress(ImpossibleDeal):
                on_board = replace(spot, board=(*spot.board, *cards))
                counting = find_counting(on_board, COUNTED, inf, machine)
                if counting is None:
                    raise InputError(NOT_COUNTED)
                return len(deals) * counting.seconds
    raise ImpossibleDeal


def _in_one_pass(spot: Spot, boards: int, machine: Machine) -> tuple[Method, float] | None:
    """Return the method that counts all boards in one pass, and its seconds; None if none does."""
    for method in methods_of(spot.game):
        seconds = method.report_seconds(spot, boards, machine)
        if seconds is not None:
            return method, seconds
    return None


def report_boards(spot: Spot, backend: BackendName, progress: Progress | None = None) -> BoardReport:
    """Count a spot on every board of the next street.

    Args:
        spot: A spot without a board, for a flop report; or on a flop, for a turn report.
        backend: The backend.
        progress: Called with the fraction done, 0 to 1.

    Returns:
        A row for each class of boards under the renamings of suits that keep the spot, aces first.
    """
    begin = perf_counter()
    num_known = len(spot.board)
    street = "turn" if num_known else "flop"
    deals, sizes = _classes(spot)
    counts, name = _count_boards(spot, deals, sizes, backend, progress)
    rows = []
    for cards, weight, players in zip(deals, sizes, counts, strict=True):
        textures = turn_textures(spot.board, cards[0]) if num_known else flop_textures(cards, spot.game)
        rows.append(BoardRow(cards, weight, textures, players))
    return BoardReport(spot, street, tuple(rows), name, perf_counter() - begin)


def _classes(spot: Spot) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the cards that come for a board of each class, aces first, and the number of boards."""
    num_known = len(spot.board)
    size = TURN if num_known else FLOP
    boards, weights = weighted_boards(spot.board, spot.removed, spot.suit_group, size)
    dealt = [tuple(sorted(board[num_known:], reverse=True)) for board in boards.tolist()]
    order = sorted(range(len(dealt)), key=dealt.__getitem__, reverse=True)
    return [dealt[place] for place in order], weights[order].tolist()


def _count_boards(
    spot: Spot,
    deals: Sequence[tuple[int, ...]],
    weights: Sequence[int],
    backend: BackendName,
    progress: Progress | None,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Return the players' counts on the boards of each class, and the name of the backend."""
    in_one_pass = _in_one_pass(spot, len(deals), HERE)
    if in_one_pass is None:
        return _count_one_by_one(spot, deals, weights, backend, progress)
    method, seconds = in_one_pass
    return method.count_report(spot, deals, weights, backend, Run(seconds, progress))


def _count_one_by_one(
    spot: Spot,
    deals: Sequence[tuple[int, ...]],
    weights: Sequence[int],
    backend: BackendName,
    progress: Progress | None,
) -> tuple[list[tuple[PlayerEquity, ...]], str]:
    """Answer each board as a spot of its own."""
    options, nothing = replace(COUNTED, backend=backend), no_outcomes(spot)
    hole_cards = {card for hand in spot.known_hands for card in hand}
    counts: list[tuple[PlayerEquity, ...]] = []
    names: list[str] = []
    for number, (cards, weight) in enumerate(zip(deals, weights, strict=True), 1):
        players = nothing
        if not hole_cards & {*cards}:
            with suppress(ImpossibleDeal):
                on_board = replace(spot, board=(*spot.board, *cards))
                plan = _plan_one(on_board, options)
                if not names:
                    note_seconds(plan.seconds * len(deals))
                result = answer(on_board, options, plan=plan._replace(notes=()))
                players = tuple(player.times(weight) for player in result.players)
                names.append(result.backend)
        counts.append(players)
        if progress is not None:
            progress(number / len(deals))
    if not names:
        raise ImpossibleDeal
    return counts, names[0]


def _plan_one(spot: Spot, options: Options) -> Plan:
    """Return the plan to count a board.

    Raises:
        InputError: No method counts it.
    """
    try:
        return make_plan(spot, options)
    except NotCountedError:
        raise InputError(NOT_COUNTED) from None
