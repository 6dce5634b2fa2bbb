"""Matches: every deal played with the seats rotated, so that luck of the cards evens out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, NamedTuple, TypeAlias, get_args

from gpuodds.backends.protocol import Progress
from gpuodds.client import ServerError
from gpuodds.errors import InputError, excerpt
from gpuodds.play.bots.adaptive import Adaptive
from gpuodds.play.bots.all_in import AllIn
from gpuodds.play.bots.anything import Anything
from gpuodds.play.bots.caller import Caller
from gpuodds.play.bots.kelly import Kelly
from gpuodds.play.bots.pokerbot import Pokerbot
from gpuodds.play.bots.tight import Tight
from gpuodds.play.equities import Equities
from gpuodds.play.game import Deal, Kind, Player, Rules, play_hand
from gpuodds.play.processes import Stop, share_out

SCHEMA = "gpuodds.match/1"
MOST_HANDS = 10**7

BOTS: dict[str, Callable[..., Player]] = {
    "pokerbot": Pokerbot,
    "adaptive": Adaptive,
    "kelly": Kelly,
    "caller": Caller,
    "random": Anything,
    "tight": Tight,
    "all-in": AllIn,
}
TAKE_EQUITIES = ("pokerbot", "adaptive", "kelly", "tight")


def find_bot(name: str, equities: Equities | None = None) -> Callable[[Random], Player]:
    """Return what makes a bot of a name.

    Args:
        name: A key of ``BOTS``.
        equities: Where the bot gets its equities. Default: the engine of this process.

    Raises:
        InputError: There is none.
    """
    if name not in BOTS:
        raise InputError(f"bot {excerpt(name)}: expected one of {', '.join(BOTS)}")
    if equities is not None and name in TAKE_EQUITIES:
        return partial(BOTS[name], equities=equities)
    return BOTS[name]


@dataclass(frozen=True)
class MatchResult:
    """What each player won, in chips, deal by deal: over all seats if the deals were duplicated.

    The interval takes deals as independent, which players who learn are not quite.
    """

    players: tuple[str, ...]
    rules: Rules
    seed: int
    rotations: int
    won: tuple[tuple[int, ...], ...] = field(repr=False)
    actions: tuple[dict[str, int], ...] = field(repr=False)
    failure: ServerError | None = None  # how the server of the equities ended the match early

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return len(self.won)

    def rate(self, player: int) -> float:
        """Return what a player won, in thousandths of a big blind a hand."""
        return self._thousandths(fmean(won[player] for won in self.won))

    def standard_error(self, player: int) -> float:
        """Return the standard error of that."""
        if self.deals < 2:
            return float("inf")
        return self._thousandths(stdev(won[player] for won in self.won) / sqrt(self.deals))

    def interval(self, player: int) -> tuple[float, float]:
        """Return the 95 % interval of that."""
        reach = NormalDist().inv_cdf(0.975) * self.standard_error(player)
        return self.rate(player) - reach, self.rate(player) + reach

    def _thousandths(self, chips: float) -> float:
        return 1000 * chips / self.rules.big_blind / self.rotations

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds play match --json`` prints."""
        return {
            "schema": SCHEMA,
            "deals": self.deals,
            "hands": self.deals * self.rotations,
            "duplicate": self.rotations > 1,
            "seed": self.seed,
            "blinds": [self.rules.small_blind, self.rules.big_blind],
            "stack": self.rules.stack,
            "players": [
                {
                    "name": name,
                    "mbb_per_hand": self.rate(place),
                    "standard_error": self.standard_error(place),
                    "interval": list(self.interval(place)),
                    "actions": self.actions[place],
                }
                for place, name in enumerate(self.players)
            ],
        }


def play_match(
    names: Sequence[str],
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
) -> MatchResult:
    """Let bots play ``hands`` deals; if they are to ``duplicate``, each with the seats rotated.

    Every rotation is a table of its own, with bots of its own, who learn from what happens there; so
    ``workers`` processes play them side by side, with the same result. Stacks are whole again at every
    hand. ``keep`` is given each hand's history. All follows from ``seed``. Once ``stop`` returns True,
    the match ends after the deal at hand, and the result has the deals that every rotation played.
    ``equities`` is where the bots get theirs: the engine of this process, or
    :class:`~gpuodds.play.equities.ServerEquities`. A server that fails ends the match likewise, and
    ``failure`` of the result has the reason.

    Raises:
        InputError: A name is unknown, there are too few or too many, or ``hands`` is out of bounds.
        ServerError: The server failed before every rotation had played a deal.
    """
    seats = len(names)
    for name in names:
        find_bot(name)
    rules = rules or Rules(seats)
    if rules.seats != seats:
        raise InputError(f"{seats} bots: expected {rules.seats}, one for each seat")
    game = tuple(names), rules, _deals(hands), seed, equities
    turns = range(seats if duplicate else 1)
    (result,) = _play_games([game], turns, workers, progress, keep, stop)
    if result.failure is not None and not result.deals:
        raise result.failure
    return result


def play_pairs(
    names: Sequence[str],
    *,
    hands: int,
    seed: int = 0,
    duplicate: bool = True,
    rules: Rules | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    stop: Stop | None = None,
    equities: Equities | None = None,
    failed: Callable[[ServerError], None] | None = None,
) -> dict[tuple[int, int], MatchResult]:
    """Let every bot meet every other one, two at a time, each pair for ``hands`` deals.

    Args:
        names: The bots; a name may be there twice.
        hands: Deals of each pair, the same ones for all.
        seed: All follows from it.
        duplicate: Whether each deal is played from both seats.
        rules: Blinds and stacks. Default: those of :class:`Rules`.
        workers: Processes that share the rotations of all pairs, with the same result.
        progress: Called with the fraction done, 0 to 1.
        stop: Once it returns True, pairs that are not finished are left out.
        equities: Where the bots get theirs. Default: the engine of this process.
        failed: Called with how the server of the equities failed; pairs that are not finished are
            left out. Without it that is raised.

    Returns:
        The matches, by the places of the two in ``names``, the smaller first.

    Raises:
        InputError: A name is unknown, there are fewer than two, or a number is out of bounds.
        ServerError: The server failed before a pair was finished.

    Example:
        >>> found = play_pairs(["caller", "tight", "random"], hands=2)
        >>> list(found), found[0, 1].players
        ([(0, 1), (0, 2), (1, 2)], ('caller', 'tight'))
    """
    for name in names:
        find_bot(name)
    if len(names) < 2:
        raise InputError("expected two bots at least")
    rules = rules or Rules(2)
    if rules.seats != 2:
        raise InputError(f"rules for {rules.seats} seats: expected 2")
    deals = _deals(hands)
    pairs = list(combinations(range(len(names)), 2))
    games = [((names[one], names[other]), rules, deals, seed, equities) for one, other in pairs]
    turns = range(2 if duplicate else 1)
    results = _play_games(games, turns, workers, progress, None, stop)
    found = {pair: result for pair, result in zip(pairs, results, strict=True) if result.deals == deals}
    failure = next((result.failure for result in results if result.failure is not None), None)
    if failure is not None:
        if failed is None or not found:
            raise failure
        failed(failure)
    return found


def _deals(hands: int) -> int:
    if not 1 <= hands <= MOST_HANDS:
        raise InputError(f"hands {hands}: expected 1 to {MOST_HANDS:,}")
    return hands


Game: TypeAlias = tuple[tuple[str, ...], Rules, int, int, Equities | None]
"""The names, the rules, how many deals, the seed, and where equities come from."""


class Part(NamedTuple):
    """Some rotations of a game, deal by deal, and how a server failed."""

    won: list[tuple[int, ...]]
    moves: list[list[tuple[int, str]]]
    """(player, kind) of each."""
    histories: list[list[Any]]
    failure: ServerError | None


def _play_games(
    games: Sequence[Game],
    turns: Sequence[int],
    workers: int,
    progress: Progress | None,
    keep: Callable[[Any], None] | None,
    stop: Stop | None,
) -> list[MatchResult]:
    """Play all rotations of some games, here or in processes."""
    if workers < 1:
        raise InputError(f"workers {workers}: expected 1 or more")
    if workers > 1 and len(games) * len(turns) > 1:
        return _play_in_processes(games, turns, workers, progress, keep, stop)
    results = []
    for done, game in enumerate(games):

        def tell(share: float, done: int = done) -> None:
            if progress is not None:
                progress((done + share) / len(games))

        part = _play(game, turns, tell, keep is not None, stop)
        if part.failure is not None:
            stop = _at_once  # the others cannot go on either
        results.append(_result(game, len(turns), [part], keep))
    return results


def _at_once() -> bool:
    return True


def _result(
    game: Game, rotations: int, parts: Sequence[Part], keep: Callable[[Any], None] | None
) -> MatchResult:
    """Put the rotations of a game together, in their order."""
    names, rules, _, seed, _ = game
    # Processes that were stopped have not all played as many deals.
    played = min(len(part.won) for part in parts)
    failure = next((part.failure for part in parts if part.failure is not None), None)
    won = [
        tuple(map(sum, zip(*deal, strict=True)))
        for deal in zip(*(part.won[:played] for part in parts), strict=True)
    ]
    actions = [Counter[str]() for _ in names]
    for part in parts:
        for moves in part.moves[:played]:
            for place, kind in moves:
                actions[place][kind] += 1
    if keep is not None:
        for deal in zip(*(part.histories[:played] for part in parts), strict=True):
            for histories in deal:
                for history in histories:
                    keep(history)
    # Kinds in a fixed order: the one they were counted in depends on how the work was divided.
    counts = [{kind: count[kind] for kind in get_args(Kind) if count[kind]} for count in actions]
    return MatchResult(names, rules, seed, rotations, tuple(won), tuple(counts), failure)


def _play_in_processes(
    games: Sequence[Game],
    turns: Sequence[int],
    workers: int,
    progress: Progress | None,
    keep: Callable[[Any], None] | None,
    stop: Stop | None,
) -> list[MatchResult]:
    jobs = [(game, [turn], None, keep is not None) for game in games for turn in turns]
    parts: list[dict[int, Part]] = [{} for _ in games]
    results: dict[int, MatchResult] = {}

    def take(number: int, part: Part) -> bool:
        place, turn = divmod(number, len(turns))
        found = parts[place]
        found[turn] = part
        if len(found) == len(turns):
            rotations = [found[turn] for turn in turns]
            results[place] = _result(games[place], len(turns), rotations, keep)
            found.clear()
        return part.failure is not None  # the others cannot go on either

    share_out(_play, jobs, workers, take, progress=progress, stop=stop)
    return [results[place] for place in range(len(games))]


def _play(
    game: Game, turns: Sequence[int], progress: Progress | None, keep: bool, stop: Stop | None
) -> Part:
    """Play some rotations of every deal, until it is to stop."""
    names, rules, hands, seed, equities = game
    failure = None
    seats, draw = len(names), Random(seed)
    tables = {
        turn: [
            find_bot(name, equities)(Random(f"{seed} {turn} {place}"))
            for place, name in enumerate(names)
        ]
        for turn in turns
    }
    won, kept = [], []
    actions: list[list[tuple[int, str]]] = []
    one_of_each: dict[tuple[int, str], tuple[int, str]] = {}  # long matches have millions of moves
    for number in range(hands):
        if stop is not None and stop():
            break
        deal = Deal.drawn(seats, draw)
        total, histories = [0] * seats, []
        moves: list[tuple[int, str]] = []
        for turn, bots in tables.items():
            # The bot at place p sits at seat (p + turn + number) mod seats: the button moves on.
            shift = (turn + number) % seats
            seated = [bots[(seat - shift) % seats] for seat in range(seats)]
            try:
                result = play_hand(seated, rules, deal)
            except ServerError as error:
                failure = error
                break
            for seat, chips in enumerate(result.won):
                total[(seat - shift) % seats] += chips
            for move in result.moves:
                made = (move.seat - shift) % seats, move.kind
                moves.append(one_of_each.setdefault(made, made))
            histories.append(result.history)
        if failure is not None:
            break  # the deal at hand is not counted
        won.append(tuple(total))
        actions.append(moves)
        kept.append(histories if keep else [])
        if progress is not None:
            progress((number + 1) / hands)
    return Part(won, actions, kept, failure)
