"""Matches of bots: each deal is played with the seats rotated, so that luck of the cards evens out.

Every rotation is a table of its own, with bots of its own that learn from what happens there. So
processes can play rotations side by side, with the same result. Stacks are whole again at every hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.basics.arguments import one_of
from gpuodds.basics.present import present
from gpuodds.errors import InputError
from gpuodds.machine.processes import Execution, Stop, share_out
from gpuodds.play.bots.names import BOTS, TAKE_EQUITIES, Bot, find_bot
from gpuodds.play.bots.own import bot_name, check_processes
from gpuodds.play.equities import Equities
from gpuodds.play.failure import FAILURES, Failure
from gpuodds.play.game import Deal, Player, play_hand
from gpuodds.play.luck import Floats, LuckSum
from gpuodds.play.match_result import MatchResult
from gpuodds.play.push_fold.yardstick import Measured, Yardstick
from gpuodds.play.turns import Kind, Rules

__all__ = ["BOTS", "TAKE_EQUITIES", "MatchResult", "find_bot", "play_match", "play_pairs"]

YARDSTICKS = ("push-fold",)
MAX_DEALS = 10**7

Keep: TypeAlias = Callable[[Any], None] | None
"""Called with the history of each hand."""


@dataclass(frozen=True)
class _Match:
    """What a process needs to play any rotation of a match.

    Raises:
        InputError: A name is unknown, there are too few or too many, or ``deals`` is out of bounds.
    """

    bots: tuple[Bot, ...]
    rules: Rules
    deals: int
    seed: int
    rotations: int
    equities: Equities | None
    yardstick: bool = False
    luck: bool = False

    @classmethod
    def of(
        cls,
        bots: Iterable[Bot],
        rules: Rules | None,
        deals: int,
        seed: int,
        duplicate: bool,
        equities: Equities | None,
        yardstick: bool = False,
        luck: bool = False,
    ) -> _Match:
        bots = tuple(bots)
        for bot in bots:
            find_bot(bot)
        rules = rules or Rules(len(bots))
        if rules.seats != len(bots):
            raise InputError(f"{len(bots)} bots: expected {rules.seats}, one for each seat")
        if not 1 <= deals <= MAX_DEALS:
            raise InputError(f"hands {deals}: expected 1 to {MAX_DEALS:,}")
        rotations = len(bots) if duplicate else 1
        return cls(bots, rules, deals, seed, rotations, equities, yardstick, luck)


def play_match(
    names: Sequence[Bot],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = True,
    rules: Rules | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    keep: Callable[[Any], None] | None = None,
    stop: Stop | None = None,
    equities: Equities | None = None,
    yardstick: Literal["push-fold"] | None = None,
    luck_adjusted: bool = False,
) -> MatchResult:
    """Let bots play a match.

    Args:
        names: The bots, one for each seat: keys of :data:`gpuodds.play.bots.BOTS`, ``FILE.py:CLASS``,
            ``MODULE:CLASS`` or classes (:class:`gpuodds.play.Player`).
        hands: The number of deals, 1 to 10,000,000.
        seed: All cards and draws follow from it.
        duplicate: Whether to play each deal once from every seat.
        rules: Blinds and stacks. Default: those of :class:`gpuodds.play.Rules`.
        workers: Processes that share the rotations, with the same result.
        progress: Called with the fraction done, 0 to 1.
        keep: Called with the history of each hand.
        stop: Once it returns True, the match ends after the current deal.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
        yardstick: ``"push-fold"`` to measure each bot where stacks are short: how often it leaves the
            equilibrium of all-in or fold, and what that costs. Default: none.
        luck_adjusted: Whether to take the luck of the cards out of the results, too; see
            :meth:`gpuodds.play.MatchResult.adjusted`.

    Returns:
        The chips that each bot won in the deals that every rotation played; printed, it is a table.
        If the server of the equities or a bot failed after that, ``failure`` has the reason.

    Raises:
        InputError: A name is unknown, there are too few or too many, or a number is out of bounds.
        ServerError: The server failed before every rotation had played a deal.
        BotError: A bot of your own did.

    Example:
        >>> result = play_match(["caller", "all-in"], hands=10, seed=1)
        >>> result.deals, result.rotations, sum(map(sum, result.won))
        (10, 2, 0)
    """
    check_processes(names, workers)
    if yardstick is not None:
        one_of("yardstick", yardstick, YARDSTICKS)
    match = _Match.of(
        names, rules, hands, seed, duplicate, equities, yardstick is not None, luck_adjusted
    )
    (result,) = _play_all([match], Execution(workers, progress, stop), keep)
    if result.failure is not None and not result.deals:
        raise result.failure
    return result


def play_pairs(
    names: Sequence[Bot],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = True,
    rules: Rules | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    stop: Stop | None = None,
    equities: Equities | None = None,
    failed: Callable[[Failure], None] | None = None,
    luck_adjusted: bool = False,
) -> dict[tuple[int, int], MatchResult]:
    """Let every bot meet every other one, two at a time, each pair for ``hands`` deals.

    Args:
        names: The bots, as in :func:`gpuodds.play.play_match`; a name may occur twice.
        hands: The number of deals of each pair, the same ones for all.
        seed: All cards and draws follow from it.
        duplicate: Whether to play each deal from both seats.
        rules: Blinds and stacks. Default: those of :class:`gpuodds.play.Rules`.
        workers: Processes that share the rotations of all pairs, with the same result.
        progress: Called with the fraction done, 0 to 1.
        stop: Once it returns True, pairs that are not finished are omitted.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
        failed: Called with how the server of the equities or a bot failed; pairs that are not finished
            are omitted. Default: raise the failure.
        luck_adjusted: Whether to take the luck of the cards out of the results, too.

    Returns:
        The matches, by the places of the two in ``names``, the smaller first.

    Raises:
        InputError: A name is unknown, there are fewer than two, or a number is out of bounds.
        ServerError: The server failed before a pair was finished.
        BotError: A bot of your own did.

    Example:
        >>> found = play_pairs(["caller", "tight", "random"], hands=2)
        >>> list(found), found[0, 1].players
        ([(0, 1), (0, 2), (1, 2)], ('caller', 'tight'))
    """
    if len(names) < 2:
        raise InputError("expected two bots at least")
    check_processes(names, workers)
    pairs = list(combinations(range(len(names)), 2))
    matches = [
        _Match.of(
            (names[first], names[second]), rules, hands, seed, duplicate, equities, luck=luck_adjusted
        )
        for first, second in pairs
    ]
    results = _play_all(matches, Execution(workers, progress, stop), None)
    complete = {
        pair: result for pair, result in zip(pairs, results, strict=True) if result.deals == hands
    }
    failure = next((result.failure for result in results if result.failure is not None), None)
    if failure is not None:
        if failed is None or not complete:
            raise failure
        failed(failure)
    return complete


class _PlayedDeal(NamedTuple):
    """A deal that some rotations played: chips by player; moves; a history and the places per hand."""

    won: tuple[int, ...]
    moves: list[tuple[int, str]]
    """Each move as the player and its kind."""
    histories: list[tuple[Any, list[int]]]
    measured: tuple[Yardstick, ...] = ()
    """By player, if they are measured."""


class _Part(NamedTuple):
    """Some rotations of a match, deal by deal, and how a server or a bot failed."""

    deals: list[_PlayedDeal]
    failure: Failure | None
    luck: Floats | None = None
    """By deal and player, if it is counted."""


def _play_all(matches: Sequence[_Match], execution: Execution, keep: Keep) -> list[MatchResult]:
    """Play all rotations of all matches, in this process or in several."""
    jobs = [(number, turn) for number, match in enumerate(matches) for turn in range(match.rotations)]
    if execution.workers > 1 and len(jobs) > 1:
        return _play_in_processes(matches, jobs, execution, keep)
    results: list[MatchResult] = []
    stop = execution.stop
    for match in matches:

        def tell(fraction: float) -> None:
            if execution.progress is not None:
                execution.progress((len(results) + fraction) / len(matches))

        part = _play(match, range(match.rotations), keep is not None, tell, stop)
        if part.failure is not None:
            stop = _at_once  # the other matches have the same server, or the same bot
        results.append(_gather(match, [part], keep))
    return results


def _at_once() -> bool:
    return True


def _play_in_processes(
    matches: Sequence[_Match], jobs: Sequence[tuple[int, int]], execution: Execution, keep: Keep
) -> list[MatchResult]:
    """Play the rotations of all matches, each a job: the match's number and the rotation."""
    parts: dict[int, dict[int, _Part]] = {number: {} for number in range(len(matches))}
    results: dict[int, MatchResult] = {}

    def take(job: int, part: _Part) -> bool:
        number, rotation = jobs[job]
        match, by_rotation = matches[number], parts[number]
        by_rotation[rotation] = part
        if len(by_rotation) == match.rotations:
            results[number] = _gather(match, [part for _, part in sorted(by_rotation.items())], keep)
            by_rotation.clear()
        return part.failure is not None  # the other matches have the same server, or the same bot

    calls = [(matches[number], [turn], keep is not None, None) for number, turn in jobs]
    share_out(_play, calls, take, execution)
    return [results[number] for number in range(len(matches))]


def _gather(match: _Match, parts: Sequence[_Part], keep: Keep) -> MatchResult:
    """Put the rotations of a match together, in their order."""
    # Processes that were stopped have not all played the same number of deals: zip ends at the least.
    deals = list(zip(*(part.deals for part in parts), strict=False))
    names = _distinct([bot_name(bot) for bot in match.bots])
    won = [tuple(map(sum, zip(*(part.won for part in deal), strict=True))) for deal in deals]
    actions = [Counter[str]() for _ in match.bots]
    for deal in deals:
        for part in deal:
            for player, kind in part.moves:
                actions[player][kind] += 1
            if keep is not None:
                for history, places in part.histories:
                    history.players = [names[place] for place in places]
                    keep(history)
    measured = None
    if match.yardstick:
        by_player = zip(*(part.measured for deal in deals for part in deal), strict=True)
        measured = tuple(map(Yardstick.total, by_player)) or tuple(Yardstick() for _ in match.bots)
    failure = next((part.failure for part in parts if part.failure is not None), None)
    luck = None
    if match.luck:
        luck = np.sum([present(part.luck)[: len(deals)] for part in parts], axis=0)
    # Kinds in a fixed order: the order of counting depends on how the work was divided.
    counts = [{kind: count[kind] for kind in get_args(Kind) if count[kind]} for count in actions]
    return MatchResult(
        tuple(map(bot_name, match.bots)),
        match.rules,
        match.seed,
        match.rotations,
        tuple(won),
        tuple(counts),
        failure,
        measured,
        luck,
    )


def _play(
    match: _Match, rotations: Sequence[int], keep: bool, progress: Progress | None, stop: Stop | None
) -> _Part:
    """Play some rotations of every deal, until the end, a stop, or a failure."""
    draw = Random(match.seed)
    tables = {
        rotation: [
            _measured(match, find_bot(bot, match.equities)(Random(f"{match.seed} {rotation} {place}")))
            for place, bot in enumerate(match.bots)
        ]
        for rotation in rotations
    }
    played: list[_PlayedDeal] = []
    luck = LuckSum(len(match.bots)) if match.luck else None

    def end(failure: Failure | None) -> _Part:
        return _Part(played, failure, None if luck is None else luck.counted(len(played)))

    for number in range(match.deals):
        if stop is not None and stop():
            break
        deal = Deal.drawn(len(match.bots), draw)
        try:
            played_deal = _play_deal(match.rules, tables, number, deal, luck)
        except FAILURES as error:
            return end(error)  # the current deal is not counted
        played.append(played_deal if keep else played_deal._replace(histories=[]))
        if progress is not None:
            progress((number + 1) / match.deals)
    return end(None)


def _measured(match: _Match, player: Player) -> Player:
    return Measured(player) if match.yardstick else player


def _play_deal(
    rules: Rules,
    tables: Mapping[int, Sequence[Player]],
    number: int,
    deal: Deal,
    luck: LuckSum | None,
) -> _PlayedDeal:
    """Play a deal at the tables of some rotations."""
    seats = rules.seats
    total, moves, histories = [0] * seats, [], []
    for turn, bots in tables.items():
        # The bot at place p sits at seat (p + turn + number) mod seats: the button moves on.
        places = [(seat - turn - number) % seats for seat in range(seats)]
        result = play_hand([bots[place] for place in places], rules, deal)
        for place, chips in zip(places, result.won, strict=True):
            total[place] += chips
        moves += [_move(places[move.seat], move.kind) for move in result.moves]
        histories.append((result.history, places))
        if luck is not None:
            luck.add(number, places, rules, [rules.stack] * seats, deal, result.moves)
    measured: tuple[Yardstick, ...] = ()
    if any(isinstance(bot, Measured) for bots in tables.values() for bot in bots):
        by_place = zip(*tables.values(), strict=True)
        measured = tuple(
            Yardstick.total(bot.take() for bot in bots if isinstance(bot, Measured))
            for bots in by_place
        )
    return _PlayedDeal(tuple(total), moves, histories, measured)


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, the second of one name with a 2, and so on."""
    counts = Counter[str]()
    found = []
    for name in names:
        counts[name] += 1
        found.append(name if counts[name] == 1 else f"{name} {counts[name]}")
    return found


@cache
def _move(player: int, kind: str) -> tuple[int, str]:
    """Return the pair, always the same object: long matches have millions of moves."""
    return player, kind
