"""Freeze-outs of bots, and their result; :mod:`.freeze_out_game` has the rules of one game.

Every game is played once from each seating, each chair with the same cards in the hand of the same
number. Bots begin each of them with nothing learned, so that games are independent of each other; the
seatings of one are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from random import Random
from statistics import NormalDist, fmean
from typing import Any, TypeAlias

import numpy as np

from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Chips
from gpuodds.basics.present import present
from gpuodds.errors import InputError
from gpuodds.machine.processes import Execution, Stop, share_out
from gpuodds.play.bots.names import Bot, find_bot
from gpuodds.play.bots.own import bot_name, check_processes
from gpuodds.play.control import without_luck_of_games
from gpuodds.play.equities import Equities
from gpuodds.play.failure import FAILURES, Failure
from gpuodds.play.game import MAX_SEATS, Deal, Played, Rules
from gpuodds.play.intervals import aligned, interval
from gpuodds.play.luck import Floats, LuckSum
from gpuodds.play.tournaments.game import DEFAULT_LEVEL_HANDS, DEFAULT_MAX_HANDS, Game, play_game
from gpuodds.play.tournaments.levels import MAX_CHIPS, Level, doubling_levels, read_levels
from gpuodds.play.tournaments.worth import prize_of, worth_of_chips
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

SCHEMA = "gpuodds.freeze-out/1"
MAX_GAMES = 10**6
MAX_HANDS = 10**6
DEFAULT_GAMES = 10
DEFAULT_STACK = 20_000


@dataclass(frozen=True)
class FreezeOutResult:
    """How freeze-outs ended, game by game: means over the seatings of each.

    Attributes:
        players: The bots.
        seed: All cards and draws follow from it.
        rotations: The number of seatings of each game.
        stacks: The chips of each bot at the start.
        levels: The blinds and antes.
        level_hands: The number of hands of a level.
        max_hands: The number of hands after which a game ends.
        won: For each game the share of its seatings that each bot won.
        places: For each game the mean place of each bot.
        hands: For each game the mean number of hands.
        unfinished: The number of seatings, over all games, that ``max_hands`` ended.
        failure: How a server, or a bot of your own, ended the games early, if one did.
        payouts: The prizes from the first place on, if there are any.
        prizes: For each game the mean prize of each bot; its share won without prizes.
        luck: The luck of the cards, if it was counted: by game, bot and kind
            (hole cards, flop, turn, river), as a share of all chips or in prizes.
    """

    players: tuple[str, ...]
    seed: int
    rotations: int
    stacks: tuple[int, ...]
    levels: tuple[Level, ...] = field(repr=False)
    level_hands: int
    max_hands: int
    won: tuple[tuple[float, ...], ...] = field(repr=False)
    places: tuple[tuple[float, ...], ...] = field(repr=False)
    hands: tuple[float, ...] = field(repr=False)
    unfinished: int
    failure: Failure | None = None
    payouts: tuple[Fraction, ...] = ()
    prizes: tuple[tuple[float, ...], ...] = field(default=(), repr=False)
    luck: Floats | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        """Return a table: the share of games that each bot won, with its 95 % interval."""
        rows = [("player", "games won", "95 % interval", "mean place")]
        for place, name in enumerate(self.players):
            low, high = self.interval(place)
            interval = f"{100 * low:.1f} to {100 * high:.1f} %"
            won = f"{100 * self.share(place):.1f} %"
            rows.append((name, won, interval, f"{self.mean_place(place):.2f}"))
        seatings = f"{self.games:,} games from {self.rotations} seatings each, seed {self.seed}"
        ended = [f"ended early: {self.failure}"] if self.failure is not None else []
        return "\n".join([*aligned(rows), seatings, *ended])

    @property
    def games(self) -> int:
        """The number of games, each from every seating."""
        return len(self.won)

    def share(self, player: int) -> float:
        """Return the share of games that a bot won, 0 to 1.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(won[player] for won in self.won)

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of the share of games that a bot wins.

        It is Wilson's on the effective number of games, from the variance between games.

        Args:
            player: The bot's place, from 0.
        """
        return interval([won[player] for won in self.won])

    def mean_place(self, player: int) -> float:
        """Return the mean place of a bot; 1 is the best.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(places[player] for places in self.places)

    def prize(self, player: int) -> float:
        """Return the mean prize of a bot; without prizes the share of games that it won.

        Args:
            player: The bot's place, from 0.
        """
        return fmean(prizes[player] for prizes in self.prizes)

    def prize_interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of a bot's mean prize, by the normal distribution.

        Args:
            player: The bot's place, from 0.
        """
        return _normal_interval(np.array([prizes[player] for prizes in self.prizes]))

    def adjusted(self, player: int) -> Floats:
        """Return a bot's prize in each game without the luck of the cards, shape (games,).

        The mean is as unbiased as that of the prizes.

        Args:
            player: The bot's place, from 0.

        Raises:
            InputError: The luck was not counted.
        """
        if self.luck is None:
            raise InputError("the luck was not counted: expected luck_adjusted=True")
        return without_luck_of_games(
            np.array([won[player] for won in self.prizes]), self.luck[:, player]
        )

    def adjusted_interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of a bot's mean prize without luck.

        Args:
            player: The bot's place, from 0.
        """
        return _normal_interval(self.adjusted(player))

    def share_of_games(self, player: int) -> float:
        """Return how many games the mean without luck needs, of those of the raw one, for one interval.

        Args:
            player: The bot's place, from 0.
        """
        low, high = self.prize_interval(player)
        some = self.adjusted_interval(player)
        return ((some[1] - some[0]) / (high - low)) ** 2 if self.games > 1 and high > low else 1.0

    def _adjusted(self, player: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self.payouts:
            found |= {"prize": self.prize(player), "prize_interval": list(self.prize_interval(player))}
        if self.luck is not None:
            found["luck_adjusted"] = {
                "mean": float(self.adjusted(player).mean()),
                "interval": list(self.adjusted_interval(player)),
                "share_of_games": self.share_of_games(player),
            }
        return found

    @property
    def mean_hands(self) -> float:
        """The mean number of hands of a game."""
        return fmean(self.hands)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds play tournament --freeze-out --json`` prints."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "seatings": self.rotations,
            "duplicate": self.rotations > 1,
            "seed": self.seed,
            "levels": [str(level) for level in self.levels],
            "level_hands": self.level_hands,
            "max_hands": self.max_hands,
            "unfinished": self.unfinished,
            "mean_hands": self.mean_hands,
            "players": [
                {
                    "name": name,
                    "stack": self.stacks[place],
                    "won": self.share(place),
                    "interval": list(self.interval(place)),
                    "mean_place": self.mean_place(place),
                    **self._adjusted(place),
                }
                for place, name in enumerate(self.players)
            ],
        }


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


def _normal_interval(values: Floats) -> tuple[float, float]:
    if len(values) < 2:
        return float("-inf"), float("inf")
    mean = float(values.mean())
    reach = NormalDist().inv_cdf(0.975) * float(values.std(ddof=1)) / sqrt(len(values))
    return mean - reach, mean + reach


def _means(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(fmean(column) for column in zip(*rows, strict=True))
