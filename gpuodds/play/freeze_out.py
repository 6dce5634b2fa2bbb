"""Freeze-outs: stacks carry over, blinds rise, and who loses all chips is out, until one has them all.

The rules of a game:

* The button moves to the next player left who still has chips; the small blind is the next player left
  of it, the big blind the next after that. With two players the button has the small blind; where that
  would make a player pay the big blind twice in a row, the button stays for one hand.
* A level lasts some hands; the last one stays until the end. A player who cannot pay the blind or the
  ante in full is all in.
* Players who lose all chips in the same hand are placed by their chips before it; with as many chips
  they share the places.
* A game that has not ended after ``max_hands`` hands places those who are left by their chips; players
  with as many chips share the places, and first place counts for each in part.

Every game is played once from each seating, each chair with the same cards in the hand of the same
number. Bots begin each of them with nothing learned, so that games are independent of each other; the
seatings of one are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, variance
from typing import Any, TypeAlias

from gpuodds.backends.protocol import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.client import ServerError
from gpuodds.errors import InputError, excerpt
from gpuodds.play.equities import Equities
from gpuodds.play.game import MOST_SEATS, Deal, Player, Rules, play_hand
from gpuodds.play.match import find_bot
from gpuodds.play.processes import Stop, share_out

SCHEMA = "gpuodds.freeze-out/1"
MAX_GAMES = 10**6
MAX_HANDS = 10**6
MAX_CHIPS = 10**9
DEFAULT_GAMES = 10
DEFAULT_STACK = 20_000
DEFAULT_LEVEL_HANDS = 10
DEFAULT_MAX_HANDS = 1000


@dataclass(frozen=True)
class Level:
    """The blinds and the ante of a level, in chips; every player pays the ante."""

    small_blind: int
    big_blind: int
    ante: int = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 0 < self.small_blind <= self.big_blind <= MAX_CHIPS or not 0 <= self.ante <= MAX_CHIPS:
            raise InputError(
                f"level {self}: expected 0 < small blind <= big blind, and an ante of 0 or more"
            )

    def __str__(self) -> str:
        """Return the level as :func:`read_levels` reads it."""
        ante = f"/{self.ante}" if self.ante else ""
        return f"{self.small_blind}/{self.big_blind}{ante}"


def read_levels(text: str) -> tuple[Level, ...]:
    """Read levels: small blind, big blind and an ante if there is one, with commas between levels.

    Raises:
        InputError: It is something else; the text names the level.

    >>> read_levels("50/100,75/150,100/200/10")[2]
    Level(small_blind=100, big_blind=200, ante=10)
    """
    levels = []
    for number, part in enumerate(text.split(","), 1):
        if not re.fullmatch(r" *[0-9]{1,10}/[0-9]{1,10}(/[0-9]{1,10})? *", part, re.ASCII):
            raise InputError(
                f"levels: level {number}, {excerpt(part)}: expected blinds such as 50/100, or "
                "50/100/10 with an ante"
            )
        levels.append(Level(*map(int, part.split("/"))))
    return tuple(levels)


def doubling_levels(small_blind: int, big_blind: int, chips: int) -> tuple[Level, ...]:
    """Return levels that double, until a big blind is all the ``chips`` there are.

    >>> [str(level) for level in doubling_levels(50, 100, 1000)]
    ['50/100', '100/200', '200/400', '400/800', '800/1600']
    """
    levels = [Level(small_blind, big_blind)]
    while levels[-1].big_blind < chips:
        levels.append(Level(2 * levels[-1].small_blind, 2 * levels[-1].big_blind))
    return tuple(levels)


@dataclass(frozen=True)
class Game:
    """A game that was played; the players are in the order of their chairs.

    Attributes:
        places: The place of each player, 1 for who has all chips; a mean where places are shared.
        stacks: The chips of each player after each hand.
        is_over: Whether one player has all chips; False where the limit of hands ended the game.
    """

    places: tuple[float, ...]
    stacks: tuple[tuple[int, ...], ...] = field(repr=False)
    is_over: bool

    @property
    def hands(self) -> int:
        """How many hands were played."""
        return len(self.stacks)

    def wins(self) -> tuple[float, ...]:
        """Return 1 for who has won, 0 for others; the same part for each who shares first place."""
        best = min(self.places)
        winners = self.places.count(best)
        return tuple(float(place == best) / winners for place in self.places)


def play_game(
    players: Sequence[Player],
    stacks: Sequence[int],
    levels: Sequence[Level],
    *,
    level_hands: int = DEFAULT_LEVEL_HANDS,
    max_hands: int = DEFAULT_MAX_HANDS,
    button: int = 0,
    seed: int | str = 0,
    stop: Stop | None = None,
) -> Game | None:
    """Play one game by the rules of this module.

    Args:
        players: Two to ten, in the order of their chairs, clockwise.
        stacks: The chips that each begins with.
        levels: The blinds and antes; the last level stays.
        level_hands: How many hands a level lasts.
        max_hands: The hands after which the game is ended.
        button: The chair with the button in the first hand.
        seed: The cards of each chair in each hand follow from it.
        stop: The game is abandoned once this returns True.

    Returns:
        The game, or None if it was abandoned.

    Raises:
        InputError: pokerkit is not installed.
    """
    chips, history = list(stacks), list[tuple[int, ...]]()
    mean_stack = max(1, round(fmean(stacks)))  # for bots that go by what a seat costs
    places: dict[int, float] = {}
    paid_big_blind, seats = -1, 0
    while len(places) < len(players) - 1 and len(history) < max_hands:
        if stop is not None and stop():
            return None
        level = levels[min(len(history) // level_hands, len(levels) - 1)]
        order = _from_small_blind(chips, button)
        if len(order) == 2 and seats > 2 and order[0] == paid_big_blind:
            button = order[0]
            order.reverse()
        seats, paid_big_blind = len(order), order[0 if len(order) == 2 else 1]
        result = play_hand(
            [players[chair] for chair in order],
            Rules(seats, level.small_blind, level.big_blind, level.ante, mean_stack),
            _deal(f"{seed} {len(history)}", len(players), order),
            stacks=[chips[chair] for chair in order],
        )
        before = list(chips)
        for chair, won in zip(order, result.won, strict=True):
            chips[chair] += won
        history.append(tuple(chips))
        left = sum(map(bool, chips))
        _place(places, [chair for chair in order if not chips[chair]], before, left + 1)
        button = _from_small_blind(chips, button)[0]
    is_over = len(places) == len(players) - 1
    _place(places, [chair for chair, stack in enumerate(chips) if stack], chips, 1)
    return Game(tuple(places[chair] for chair in range(len(players))), tuple(history), is_over)


def _from_small_blind(chips: Sequence[int], button: int) -> list[int]:
    """Return the chairs that have chips, clockwise from the one after the button."""
    chairs = [(button + step) % len(chips) for step in range(1, len(chips) + 1)]
    return [chair for chair in chairs if chips[chair]]


def _deal(seed: str, chairs: int, order: Sequence[int]) -> Deal:
    """Draw cards for every chair, so that a chair's cards do not depend on who is left."""
    cards = Random(seed).sample(range(DECK_SIZE), 2 * chairs + 5)
    hands = tuple((cards[2 * chair], cards[2 * chair + 1]) for chair in order)
    return Deal(hands, tuple(cards[2 * chairs :]))


def _place(places: dict[int, float], chairs: Sequence[int], chips: Sequence[int], first: int) -> None:
    """Give chairs the places from ``first`` on, by their chips; as many chips share their places."""
    for chair in chairs:
        above = sum(chips[other] > chips[chair] for other in chairs)
        as_many = sum(chips[other] == chips[chair] for other in chairs)
        places[chair] = first + above + (as_many - 1) / 2


@dataclass(frozen=True)
class FreezeOutResult:
    """How freeze-outs ended, game by game: means over the seatings of each.

    Attributes:
        players: The bots.
        seed: All cards and draws follow from it.
        rotations: The seatings that each game was played from.
        stacks: The chips that each bot begins with.
        levels: The blinds and antes.
        level_hands: How many hands a level lasts.
        max_hands: The hands after which a game is ended.
        won: For each game the share of its seatings that each bot won.
        places: For each game the mean place of each bot.
        hands: For each game the mean number of hands.
        unfinished: How many of all seatings ``max_hands`` ended.
        failure: How the server of the equities ended it early, if it did.
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
    failure: ServerError | None = None

    @property
    def games(self) -> int:
        """How many games were played, each from every seating."""
        return len(self.won)

    def share(self, player: int) -> float:
        """Return the share of games that a bot won."""
        return fmean(won[player] for won in self.won)

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of the share of games that a bot wins; see :func:`interval`."""
        return interval([won[player] for won in self.won])

    def mean_place(self, player: int) -> float:
        """Return the mean place of a bot; 1 is the best."""
        return fmean(places[player] for places in self.places)

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
                }
                for place, name in enumerate(self.players)
            ],
        }


def interval(won: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Return an interval of the share of games won, from the share of each game's seatings.

    Wilson's score interval on the effective number of games, p (1 - p) / (variance of the mean), as for
    surveys in clusters (L. Kish, "Survey Sampling", 1965; E. B. Wilson, JASA 22, 1927): games are the
    clusters, as the seatings of one share its cards. One more game whose seatings all end alike is
    taken into the variance, so that a few games that happen to agree do not look certain.

    Args:
        won: For each game the share of its seatings that were won, 0 to 1.
        confidence: How often the interval is to hold the true share.

    >>> low, high = interval([1.0, 0.0] * 50)
    >>> round(low, 3), round(high, 3)
    (0.403, 0.597)
    >>> interval([0.0] * 100)[0], round(interval([0.0] * 100)[1], 3)
    (0.0, 0.037)
    """
    games, share = len(won), fmean(won)
    alone = share * (1 - share)  # the variance of a game whose seatings all end alike
    spread = ((games - 1) * variance(won, share) if games > 1 else 0.0) + alone
    effective = games * games * alone / spread if spread else games
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    shrink = z * z / effective
    middle = (share + shrink / 2) / (1 + shrink)
    reach = z / (1 + shrink) * sqrt(alone / effective + shrink / (4 * effective))
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True)
class _Plan:
    """What a process needs to play any of the games."""

    names: tuple[str, ...]
    stacks: tuple[int, ...]
    levels: tuple[Level, ...]
    level_hands: int
    max_hands: int
    seed: int
    rotations: int
    equities: Equities | None


_Played: TypeAlias = list[Game] | ServerError | None
"""A game from every seating, by bot; or how a server failed; or None where it was abandoned."""


def play_freeze_out(
    names: Sequence[str],
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
) -> FreezeOutResult:
    """Let bots play freeze-outs, by the rules of this module, until one has all chips.

    Args:
        names: Two to ten keys of :data:`gpuodds.play.match.BOTS`.
        games: How many to play, each from every seating.
        stack: The chips that all begin with, or a number for each bot.
        levels: The blinds and antes; the last level stays. Default: doubling from 50/100.
        level_hands: How many hands a level lasts.
        max_hands: The hands after which a game is ended, and its players placed by their chips.
        duplicate: Whether to play each game from every seating, with the same cards.
        seed: All cards and draws follow from it.
        workers: How many processes play games side by side; the result is the same.
        progress: Called with the share that is done, 0 to 1.
        stop: Once this returns True, the game at hand is abandoned, and the result has those before it.
        equities: Where the bots get theirs. Default: the engine of this process.

    Raises:
        InputError: A name or a number cannot be, or pokerkit is not installed.
        ServerError: The server of the equities failed before a game had ended.

    Example:
        >>> result = play_freeze_out(["all-in", "caller"], games=5, seed=1)
        >>> result.games, result.share(0) + result.share(1)
        (5, 1.0)
    """
    names = tuple(names)
    for name in names:
        find_bot(name)
    if not 2 <= len(names) <= MOST_SEATS:
        raise InputError(f"seats {len(names)}: expected 2 to {MOST_SEATS}")
    stacks = (stack,) * len(names) if isinstance(stack, int) else tuple(stack)
    if len(stacks) != len(names):
        raise InputError(f"{len(stacks)} stacks: expected {len(names)}, one for each bot")
    for what, number, most in (
        ("games", games, MAX_GAMES),
        *(("stack", chips, MAX_CHIPS) for chips in stacks),
        ("level hands", level_hands, MAX_HANDS),
        ("max hands", max_hands, MAX_HANDS),
    ):
        if not 1 <= number <= most:
            raise InputError(f"{what} {number}: expected 1 to {most:,}")
    if workers < 1:
        raise InputError(f"workers {workers}: expected 1 or more")
    rising = doubling_levels(50, 100, sum(stacks)) if levels is None else tuple(levels)
    if not rising:
        raise InputError("levels: expected one at least")
    rotations = len(names) if duplicate else 1
    plan = _Plan(names, stacks, rising, level_hands, max_hands, seed, rotations, equities)
    play = _play_here if workers == 1 or games == 1 else _play_in_processes
    played, failure = play(plan, games, workers, progress, stop)
    if failure is not None and not played:
        raise failure
    return FreezeOutResult(
        names,
        seed,
        rotations,
        stacks,
        rising,
        level_hands,
        max_hands,
        won=tuple(_means([game.wins() for game in of_one]) for of_one in played),
        places=tuple(_means([game.places for game in of_one]) for of_one in played),
        hands=tuple(fmean(game.hands for game in of_one) for of_one in played),
        unfinished=sum(not game.is_over for of_one in played for game in of_one),
        failure=failure,
    )


def _means(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(fmean(column) for column in zip(*rows, strict=True))


def _play_number(plan: _Plan, number: int, stop: Stop | None) -> _Played:
    """Play the game of a number from every seating."""
    bots, found = len(plan.names), []
    for turn in range(plan.rotations):
        # The bot at place p sits in chair (p + turn) mod bots.
        at = [(chair - turn) % bots for chair in range(bots)]
        players = [
            find_bot(plan.names[place], plan.equities)(Random(f"{plan.seed} {number} {turn} {place}"))
            for place in at
        ]
        try:
            game = play_game(
                players,
                [plan.stacks[place] for place in at],
                plan.levels,
                level_hands=plan.level_hands,
                max_hands=plan.max_hands,
                button=number % bots,
                seed=f"{plan.seed} {number}",
                stop=stop,
            )
        except ServerError as error:
            return error
        if game is None:
            return None
        chair_of = [at.index(place) for place in range(bots)]
        found.append(
            Game(
                tuple(game.places[chair] for chair in chair_of),
                tuple(tuple(chips[chair] for chair in chair_of) for chips in game.stacks),
                game.is_over,
            )
        )
    return found


def _play_here(
    plan: _Plan, games: int, workers: int, progress: Progress | None, stop: Stop | None
) -> tuple[list[list[Game]], ServerError | None]:
    played: list[list[Game]] = []
    for number in range(games):
        found = _play_number(plan, number, stop)
        if not isinstance(found, list):
            return played, found
        played.append(found)
        if progress is not None:
            progress((number + 1) / games)
    return played, None


def _play_in_processes(
    plan: _Plan, games: int, workers: int, progress: Progress | None, stop: Stop | None
) -> tuple[list[list[Game]], ServerError | None]:
    results: list[_Played] = [None] * games

    def take(number: int, found: _Played) -> bool:
        results[number] = found
        return isinstance(found, ServerError)  # the others cannot go on either

    jobs = [(plan, number) for number in range(games)]
    share_out(_play_number, jobs, workers, take, progress=progress, stop=stop)
    # Short games end first: only those before the first that was abandoned are a fair sample.
    played = []
    for found in results:
        if not isinstance(found, list):
            break
        played.append(found)
    return played, next((found for found in results if isinstance(found, ServerError)), None)
