"""Matches between five-card players, every deal played twice with the seats exchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from gpuodds.backends.counts import Progress
from gpuodds.cards import DECK_SIZE
from gpuodds.errors import InputError, excerpt
from gpuodds.five_card.bayes import Bayes
from gpuodds.five_card.bayes_regression import BayesRegression
from gpuodds.five_card.draw import best_discards_of
from gpuodds.five_card.game import ANTE, Bettor, ExplainingBettor, RandomBettor, Shoe, Table
from gpuodds.games.five_card import HAND_CARDS
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.methods.hands.evaluate import rank_hand

SCHEMA = "gpuodds.five_match/1"
MAX_HANDS = 10**7
MAX_DISCARDS = 3

Stop: TypeAlias = Callable[[], bool]


class Drawer(Protocol):
    """A player of draw poker."""

    def discard(self, hand: tuple[int, ...]) -> list[int]:
        """Return the cards to discard."""
        ...


class SmartDrawer:
    """Discards what gives most equity against five random cards."""

    def __init__(self, draw: Random) -> None:
        """Ignore ``draw``: the player draws nothing at random."""

    def discard(self, hand: tuple[int, ...]) -> list[int]:
        """Return the best discard of up to three cards."""
        return best_discards_of(hand, MAX_DISCARDS)


class RandomDrawer:
    """Discards up to three cards at random: each number of cards is equally likely."""

    def __init__(self, draw: Random) -> None:
        """Draw by ``draw``."""
        self._draw = draw

    def discard(self, hand: tuple[int, ...]) -> list[int]:
        """Return cards drawn at random."""
        return self._draw.sample(hand, self._draw.randint(0, MAX_DISCARDS))


BETTORS: dict[str, Callable[[Random], ExplainingBettor]] = {
    "bayes-regression": BayesRegression,
    "bayes": Bayes,
    "random": RandomBettor,
}
DRAWERS: dict[str, Callable[[Random], Drawer]] = {
    "smart-draw": SmartDrawer,
    "random-draw": RandomDrawer,
}


# Bettors draw by their names. This one draws by its document's, so that matches stay as they were.
STREAMS = {"bayes-regression": "seed002"}


def read_player(name: str) -> str:
    """Return the name of a player.

    Raises:
        InputError: No player has the name.
    """
    known = [*BETTORS, *DRAWERS]
    if name not in known:
        raise InputError(f"player {excerpt(name)}: expected one of {', '.join(known)}")
    return name


@dataclass(frozen=True)
class MatchResult:
    """The result of a match.

    The interval takes deals as independent, which is not quite true of players who learn.

    Attributes:
        first: The player whose gains are counted.
        second: The other player.
        seed: The seed of the deals.
        won: What the first player won in each deal, both seats together, in dollars.
        folded: How often each player folded.
    """

    first: str
    second: str
    seed: int
    won: tuple[float, ...] = field(repr=False)
    folded: tuple[int, int] = (0, 0)

    @property
    def deals(self) -> int:
        """The number of deals, each played twice."""
        return len(self.won)

    @property
    def mean(self) -> float:
        """Dollars a hand."""
        return fmean(self.won) / 2

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return stdev(self.won) / 2 / sqrt(self.deals) if self.deals > 1 else float("inf")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        reach = NormalDist().inv_cdf(0.975) * self.standard_error
        return self.mean - reach, self.mean + reach

    def to_dict(self) -> dict[str, Any]:
        """Return the object that ``gpuodds five match --json`` prints."""
        return {
            "schema": SCHEMA,
            "players": [self.first, self.second],
            "deals": self.deals,
            "hands": 2 * self.deals,
            "seed": self.seed,
            "money_per_hand": self.mean,
            "standard_error": self.standard_error,
            "interval": list(self.interval),
            "folded": list(self.folded),
        }


def play_match(
    first: str,
    second: str,
    *,
    hands: int,
    seed: int = 0,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> MatchResult:
    """Play deals, each of them twice with the seats exchanged, and return what the first player won.

    Bettors play straight poker with bets, a hundred dollars each at every hand. Drawers put up five
    dollars, draw up to three cards and show.

    Args:
        first: A bettor, ``"bayes-regression"``, ``"bayes"`` or ``"random"``, or a drawer,
            ``"smart-draw"`` or ``"random-draw"``.
        second: A player of the same kind.
        hands: The number of deals, 1 to 10,000,000.
        seed: Makes the deals repeatable.
        progress: Called with the fraction done, 0 to 1.
        stop: Called before each deal; once it returns True, the match ends.

    Returns:
        What the first player won in each deal that was played.

    Raises:
        InputError: No player has a name, a bettor is to meet a drawer, or ``hands`` is out of bounds.

    Example:
        >>> play_match("smart-draw", "random-draw", hands=300, seed=1).mean > 0
        True
    """
    players = read_player(first), read_player(second)
    if (players[0] in BETTORS) != (players[1] in BETTORS):
        raise InputError(f"{first} and {second}: expected two who bet or two who draw")
    if not 1 <= hands <= MAX_HANDS:
        raise InputError(f"hands {hands}: expected 1 to {MAX_HANDS:,}")
    play = _bet if players[0] in BETTORS else _draw
    won, folded = play(players, hands, seed, progress, stop)
    return MatchResult(first, second, seed, tuple(won), folded)


def _bet(
    names: tuple[str, str], hands: int, seed: int, progress: Progress | None, stop: Stop | None
) -> tuple[list[float], tuple[int, int]]:
    # Each table has players of its own, who learn from what happens there alone.
    tables = [
        Table([_seat(name, seed, place) for place, name in enumerate(pair)])
        for pair in (names, names[::-1])
    ]
    shoe, won, folded = Shoe(Random(seed)), [], [0, 0]
    for deal in range(hands):
        if stop is not None and stop():
            break
        dealt = shoe.deal()
        total = 0
        for seat, table in enumerate(tables):
            result = table.play(dealt, deal % 2, shuffled=shoe.shuffled)
            total += result.won if seat == 0 else -result.won
            if not result.shown:
                folded[result.turns[-1][0] ^ seat] += 1
        won.append(float(total))
        if progress is not None:
            progress((deal + 1) / hands)
    return won, (folded[0], folded[1])


def _draw(
    names: tuple[str, str], hands: int, seed: int, progress: Progress | None, stop: Stop | None
) -> tuple[list[float], tuple[int, int]]:
    draw, won = Random(seed), []
    players = [DRAWERS[name](Random(f"{seed} {name} {place}")) for place, name in enumerate(names)]
    for deal in range(hands):
        if stop is not None and stop():
            break
        deck = draw.sample(range(DECK_SIZE), DECK_SIZE)
        dealt = [tuple(sorted(deck[:HAND_CARDS])), tuple(sorted(deck[HAND_CARDS : 2 * HAND_CARDS]))]
        total = 0
        for order in (players, players[::-1]):
            stock, ranks = deck[2 * HAND_CARDS :], []
            for player, hand in zip(order, dealt, strict=True):
                away = player.discard(hand)
                kept = [card for card in hand if card not in away]
                ranks.append(rank_hand([*kept, *(stock.pop() for _ in away)], HOLDEM))
            ours, theirs = ranks if order is players else ranks[::-1]
            total += ANTE * ((ours > theirs) - (ours < theirs))
        won.append(float(total))
        if progress is not None:
            progress((deal + 1) / hands)
    return won, (0, 0)


def _seat(name: str, seed: int, place: int) -> Bettor:
    return BETTORS[name](Random(f"{seed} {place} {STREAMS.get(name, name)}"))


def running_mean(won: Sequence[float]) -> npt.NDArray[np.float64]:
    """Return the dollars a hand after each deal, shape (deals,)."""
    mean: npt.NDArray[np.float64] = np.cumsum(won) / (2 * np.arange(1, len(won) + 1))
    return mean
