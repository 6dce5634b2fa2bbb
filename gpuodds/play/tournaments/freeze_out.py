"""Freeze-outs of bots; :mod:`.game` has the rules of one game, :mod:`.freeze_out_result` the result.

Every game is played once from each seating, each chair with the same cards in the hand of the same
number. Bots begin each of them with nothing learned, so that games are independent of each other; the
seatings of one are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from statistics import fmean
from typing import TypeAlias

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Chips
from gpuodds.basics.present import present
from gpuodds.errors import InputError
from gpuodds.machine.processes import Execution, Stop, share_out
from gpuodds.play.bots.names import Bot, find_bot
from gpuodds.play.bots.own import bot_name, check_processes
from gpuodds.play.equities import Equities
from gpuodds.play.failure import FAILURES, Failure
from gpuodds.play.game import Deal
from gpuodds.play.intervals import interval
from gpuodds.play.luck import Floats, LuckSum
from gpuodds.play.tournaments.freeze_out_result import FreezeOutResult
from gpuodds.play.tournaments.game import DEFAULT_LEVEL_HANDS, DEFAULT_MAX_HANDS, Game, play_game
from gpuodds.play.tournaments.levels import MAX_CHIPS, Level, doubling_levels, read_levels
from gpuodds.play.tournaments.worth import prize_of, worth_of_chips
from gpuodds.play.turns import MAX_SEATS, Played, Rules
from gpuodds.short_stacks.icm import read_payouts

__all__ = [
    "FreezeOutResult",
    "Game",
    "Level",
    "doubling_levels",
    "interval",
    "play_freeze_out",
    "play_game",
    "read_levels",
]

MAX_GAMES = 10**6
MAX_HANDS = 10**6
DEFAULT_GAMES = 10
DEFAULT_STACK = 20_000


@dataclass(frozen=True)
class _FreezeOut:
    """What a process needs to play any of the games."""

    bots: tuple[Bot, ...]
    stacks: tuple[int, ...]
    levels: tuple[Level, ...]
    level_hands: int
    max_hands: int
    seed: int
    rotations: int
    equities: Equities | None
    payouts: tuple[Fraction, ...] = ()
    luck: bool = False

    def __post_init__(self) -> None:
        """Check all of it.

        Raises:
            InputError: A name is unknown, there are too few or too many, or a number is out of bounds.
        """
        for bot in self.bots:
            find_bot(bot)
        if not 2 <= len(self.bots) <= MAX_SEATS:
            raise InputError(f"seats {len(self.bots)}: expected 2 to {MAX_SEATS}")
        if len(self.stacks) != len(self.bots):
            raise InputError(f"{len(self.stacks)} stacks: expected {len(self.bots)}, one for each bot")
        for stack in self.stacks:
            _check("stack", stack, MAX_CHIPS)
        _check("level hands", self.level_hands, MAX_HANDS)
        _check("max hands", self.max_hands, MAX_HANDS)
        if not self.levels:
            raise InputError("levels: expected one at least")


def _check(what: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        raise InputError(f"{what} {number}: expected 1 to {most:,}")


_Seatings: TypeAlias = list[Game]
"""A game from every seating, by bot."""


def play_freeze_out(
    names: Sequence[Bot],
    *,
    games: int = DEFAULT_GAMES,
    stack: int | Sequence[int] = DEFAULT_STACK,
    levels: Sequence[Level] | None = None,
    level_hands: int = DEFAULT_LEVEL_HANDS,
    max_hands: int = DEFAULT_MAX_HANDS,
    duplicate: bool = True,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    stop: Stop | None = None,
    equities: Equities | None = None,
    payouts: Sequence[Chips] = (),
    luck_adjusted: bool = False,
) -> FreezeOutResult:
    """Let bots play freeze-outs, each until one bot has all chips.

    Args:
        names: Two to ten bots, as in :func:`gpuodds.play.play_match`.
        games: The number of games, each from every seating.
        stack: The chips of all bots at the start, or a number for each bot.
        levels: The blinds and antes; the last level stays. Default: doubling from 50/100.
        level_hands: The number of hands of a level.
        max_hands: The number of hands after which a game ends, its players placed by their chips.
        duplicate: Whether to play each game from every seating, with the same cards.
        seed: All cards and draws follow from it.
        workers: Processes that share the games, with the same result.
        progress: Called with the fraction done, 0 to 1.
        stop: Once it returns True, the current game is abandoned; the result has those before it.
        equities: A :class:`gpuodds.play.ServerEquities`. Default: the engine of this process.
        payouts: The prizes from the first place on. Default: the winner takes all.
        luck_adjusted: Whether to take the luck of the cards out of the results, too. What chips are
            worth is their share of all chips, with prizes the slope of the independent chip model.

    Returns:
        The shares won, the mean places and the numbers of hands, game by game.

    Raises:
        InputError: A name is unknown, a number is out of bounds, or pokerkit is not installed.
        ServerError: The server of the equities failed before a game had ended.
        BotError: A bot of your own did.

    Example:
        >>> result = play_freeze_out(["all-in", "caller"], games=5, seed=1)
        >>> result.games, result.share(0) + result.share(1)
        (5, 1.0)
    """
    names = tuple(names)
    check_processes(names, workers)
    _check("games", games, MAX_GAMES)
    stacks = (stack,) * len(names) if isinstance(stack, int) else tuple(stack)
    rising = doubling_levels(50, 100, sum(stacks)) if levels is None else tuple(levels)
    rotations = len(names) if duplicate else 1
    prizes = read_payouts(payouts, len(names)) if payouts else ()
    freeze_out = _FreezeOut(
        names,
        stacks,
        rising,
        level_hands,
        max_hands,
        seed,
        rotations,
        equities,
        prizes,
        luck_adjusted,
    )
    played, failure = _play_games(freeze_out, games, Execution(workers, progress, stop))
    if failure is not None and not played:
        raise failure
    return _gather(freeze_out, played, failure)


def _play_games(
    freeze_out: _FreezeOut, games: int, execution: Execution
) -> tuple[list[_Seatings], Failure | None]:
    """Return the games before the first one that was abandoned, and how the server or a bot failed."""
    results: dict[int, _Seatings | Failure | None] = {}

    def take(number: int, outcome: _Seatings | Failure | None) -> bool:
        results[number] = outcome
        return not isinstance(outcome, list)  # a failure ends the others, too

    share_out(_play_number, [(freeze_out, number) for number in range(games)], take, execution)
    # Of games side by side the short ones end first: the ones before a gap are a fair sample.
    played = []
    for number in range(games):
        outcome = results.get(number)
        if not isinstance(outcome, list):
            break
        played.append(outcome)
    failures = (outcome for outcome in results.values() if isinstance(outcome, FAILURES))
    return played, next(failures, None)


def _play_number(freeze_out: _FreezeOut, number: int, stop: Stop | None) -> _Seatings | Failure | None:
    """Play the game of a number from every seating.

    Returns:
        The games, or how the server or a bot failed, or None if ``stop`` returned True.
    """
    games = []
    for turn in range(freeze_out.rotations):
        try:
            game = _play_seating(freeze_out, number, turn, stop)
        except FAILURES as error:
            return error
        if game is None:
            return None
        games.append(game)
    return games


def _play_seating(freeze_out: _FreezeOut, number: int, turn: int, stop: Stop | None) -> Game | None:
    """Play a game from one seating; return it by bot, or None if it was abandoned."""
    bots = len(freeze_out.bots)
    # The bot at place p sits in chair (p + turn) mod bots.
    at = [(chair - turn) % bots for chair in range(bots)]
    players = [
        find_bot(freeze_out.bots[place], freeze_out.equities)(
            Random(f"{freeze_out.seed} {number} {turn} {place}")
        )
        for place in at
    ]
    luck = LuckSum(bots) if freeze_out.luck else None

    def each(
        order: Sequence[int], rules: Rules, chips: Sequence[int], deal: Deal, moves: Sequence[Played]
    ) -> None:
        if luck is not None:
            by_bot = [chips[chair] for chair in chair_of]
            worth = worth_of_chips(by_bot, freeze_out.payouts)
            stacks = [chips[chair] for chair in order]
            luck.add(0, [at[chair] for chair in order], rules, stacks, deal, moves, worth)

    chair_of = [at.index(place) for place in range(bots)]
    game = play_game(
        players,
        [freeze_out.stacks[place] for place in at],
        freeze_out.levels,
        level_hands=freeze_out.level_hands,
        max_hands=freeze_out.max_hands,
        button=number % bots,
        seed=f"{freeze_out.seed} {number}",
        stop=stop,
        each=each,
    )
    if game is None:
        return None
    places = tuple(game.places[chair] for chair in chair_of)
    stacks = tuple(tuple(chips[chair] for chair in chair_of) for chips in game.stacks)
    counted = None if luck is None else tuple(map(tuple, luck.counted(1)[0].tolist()))
    return Game(places, stacks, game.is_over, counted)


def _gather(
    freeze_out: _FreezeOut, played: Sequence[_Seatings], failure: Failure | None
) -> FreezeOutResult:
    """Return the means over the seatings of each game."""
    return FreezeOutResult(
        tuple(map(bot_name, freeze_out.bots)),
        freeze_out.seed,
        freeze_out.rotations,
        freeze_out.stacks,
        freeze_out.levels,
        freeze_out.level_hands,
        freeze_out.max_hands,
        won=tuple(_means([game.wins() for game in seatings]) for seatings in played),
        places=tuple(_means([game.places for game in seatings]) for seatings in played),
        hands=tuple(fmean(game.hands for game in seatings) for seatings in played),
        unfinished=sum(not game.is_over for seatings in played for game in seatings),
        failure=failure,
        payouts=freeze_out.payouts,
        prizes=tuple(
            _means([_prizes(game, freeze_out.payouts) for game in seatings]) for seatings in played
        ),
        luck=_mean_luck(played) if freeze_out.luck else None,
    )


def _mean_luck(played: Sequence[_Seatings]) -> Floats:
    """Return the means over the seatings of each game, shape (games, players, 4)."""
    return np.array([np.mean([present(game.luck) for game in some], axis=0) for some in played])


def _prizes(game: Game, payouts: Sequence[Fraction]) -> tuple[float, ...]:
    if not payouts:
        return game.wins()
    return tuple(prize_of(place, payouts) for place in game.places)


def _means(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(fmean(column) for column in zip(*rows, strict=True))
