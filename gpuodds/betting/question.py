"""What is asked of the advisor: a hand against opponents, and how to count and to bet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from numbers import Real

from gpuodds.backends.choice import check_name
from gpuodds.backends.counts import Progress
from gpuodds.basics.amounts import Number, read_fraction, read_whole
from gpuodds.basics.arguments import as_flag, as_seed, one_of, shown
from gpuodds.basics.choices import BackendName
from gpuodds.errors import InputError
from gpuodds.games.catalog import find_game
from gpuodds.games.game import Game
from gpuodds.spots.hands import Cards, Hand, read_cards
from gpuodds.spots.normal_form import normal_form
from gpuodds.spots.players import Player, read_players
from gpuodds.spots.spot import Spot

MODELS = ("exact", "cassandra")
DEFAULT_SAMPLES = 400_000


@dataclass(frozen=True)
class BetOptions:
    """How to count and to bet; the fields are the arguments of :func:`gpuodds.betting.kelly_bet`."""

    model: str = "exact"
    multiple: Fraction = Fraction(1)
    spread: float = 0.0
    samples: int = DEFAULT_SAMPLES
    seed: int | None = None
    time_limit: float | None = None
    backend: BackendName = "auto"
    explain: bool = False
    progress: Progress | None = None


def read_spot(
    hand: Player,
    opponents: int | Sequence[Player],
    board: Cards,
    dead: Cards,
    game: str | Game,
) -> Spot:
    """Return the spot of a hand or a range, its first player, against opponents.

    Args:
        hand: Two cards, or as many as the game has hole cards; or a range, all of which bets alike.
        opponents: How many there are, with any cards, or a hand or range for each.
        board: 0 to 5 cards.
        dead: Cards out of play.
        game: The game, or its name.

    Raises:
        InputError: A card or a range makes no sense, there are too many players, or the pot of the
            game has two halves.
    """
    played = find_game(game)
    if played.has_low:
        raise InputError(
            f"game {played.name}: bets are found where the best high hand takes the whole pot; "
            "expected a game without low hands"
        )
    if opponents is None or isinstance(opponents, int | Real | Decimal):
        ranges, number = [], read_whole("opponents", opponents, 1)
    else:
        ranges, number = read_players(opponents, played), 0
    hands = (*read_players([hand], played), *ranges)
    return Spot(hands, number, read_cards(board), read_cards(dead), game=played)


def plain_spot(spot: Spot) -> Spot:
    """Return a spot with random opponents, if all opponents may hold any cards, however they are given.

    Raises:
        ImpossibleDeal: The known cards leave an opponent no hand.

    Example:
        >>> plain_spot(read_spot("AsKs", ["random", "100%"], "", "", "holdem")).opponents
        2
    """
    listed = len(spot.hands) - 1
    if not listed or len([seat for seat in normal_form(spot).random if seat]) < listed:
        return spot
    return replace(spot, hands=spot.hands[:1], opponents=spot.opponents + listed)


def are_alike(spot: Spot) -> bool:
    """Return whether only the number of opponents matters: there is one, or all hold any cards."""
    return count_opponents(spot) == 1 or len(plain_spot(spot).hands) == 1


def own_cards(spot: Spot) -> Hand:
    """Return the cards that are bet on: the spot's first; none of a range."""
    hand = spot.hands[0]
    return hand if isinstance(hand, tuple) else ()


def has_own_cards(spot: Spot) -> bool:
    """Return whether cards are bet on, not a range."""
    return isinstance(spot.hands[0], tuple)


def count_opponents(spot: Spot) -> int:
    """Return the number of opponents, with hands, ranges or any cards."""
    return spot.players - 1


def read_options(
    *,
    model: str = "exact",
    multiple: Number = 1,
    spread: Number = 0.0,
    samples: int = DEFAULT_SAMPLES,
    seed: int | None = None,
    time_limit: float | None = None,
    backend: str = "auto",
    explain: bool = False,
    progress: Progress | None = None,
) -> BetOptions:
    """Return how to count and to bet, checked; the arguments are those of ``kelly_bet``.

    Raises:
        InputError: A number is out of bounds, or a name is unknown.
    """
    one_of("model", model, MODELS)
    available = check_name(backend)
    return BetOptions(
        model=model,
        multiple=_read_multiple(multiple),
        spread=_read_spread(spread),
        samples=read_whole("samples", samples, 1),
        seed=as_seed(seed),
        time_limit=time_limit,
        backend=available,
        explain=as_flag("explain", explain),
        progress=progress,
    )


def _read_multiple(multiple: Number) -> Fraction:
    part = read_fraction("multiple", multiple, "0 to 1")
    if not 0 <= part <= 1:
        raise InputError(f"multiple {shown(multiple)}: expected 0 to 1")
    return part


def _read_spread(spread: Number) -> float:
    expected = "at least 0 and less than 1"
    share = read_fraction("spread", spread, expected)
    if not 0 <= share < 1:
        raise InputError(f"spread {shown(spread)}: expected {expected}")
    return float(share)
