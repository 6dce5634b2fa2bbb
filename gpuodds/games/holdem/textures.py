"""Textures: what players call a flop, and what a turn card does to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpuodds.cards import RANKS, SUITS
from gpuodds.games.game import Game

STRAIGHT = 5


def flop_textures(flop: Sequence[int], game: Game) -> tuple[str, ...]:
    """Return the textures of a flop: of its suits, of its pairs, of its ranks, and its highest card.

    Args:
        flop: Three card numbers.
        game: The game, whose lowest straight begins with an ace below its lowest card.

    Example:
        >>> from gpuodds.cards import parse_cards
        >>> from gpuodds.games import find_game
        >>> flop_textures(parse_cards("2s7d9h"), find_game("holdem"))
        ('rainbow', 'unpaired', 'disconnected', '9-high')
        >>> flop_textures(parse_cards("Ac6d8c"), find_game("short-deck"))
        ('two-tone', 'unpaired', 'connected', 'A-high')
    """
    ranks, suits = [card >> 2 for card in flop], [card & 3 for card in flop]
    return (
        {1: "monotone", 2: "two-tone", 3: "rainbow"}[len({*suits})],
        {1: "trips", 2: "paired", 3: "unpaired"}[len({*ranks})],
        "connected" if _makes_straight(ranks, game) else "disconnected",
        f"{RANKS[max(ranks)]}-high",
    )


def turn_textures(flop: Sequence[int], turn: int) -> tuple[str, ...]:
    """Return what a turn card does to a flop.

    It pairs it (``pair``), makes the first flush possible (``flush``), is the fourth card of a suit
    (``four-flush``), tops it (``overcard``), or nothing (``blank``).

    Args:
        flop: Three card numbers.
        turn: The turn's card number.

    Example:
        >>> from gpuodds.cards import parse_cards
        >>> flop = parse_cards("2s7s9h")
        >>> turn_textures(flop, *parse_cards("As")), turn_textures(flop, *parse_cards("3d"))
        (('flush', 'overcard'), ('blank',))
        >>> turn_textures(parse_cards("2s7s9s"), *parse_cards("3s"))
        ('four-flush',)
    """
    ranks = [card >> 2 for card in flop]
    suits = [card & 3 for card in flop]
    tests: dict[str, Callable[[], bool]] = {
        "pair": lambda: turn >> 2 in ranks,
        "flush": lambda: suits.count(turn & 3) == 2,
        "four-flush": lambda: suits.count(turn & 3) == 3,
        "overcard": lambda: turn >> 2 > max(ranks),
    }
    return tuple(name for name, holds in tests.items() if holds()) or ("blank",)


FLOP_TEXTURES = (
    *("monotone", "two-tone", "rainbow", "trips", "paired", "unpaired", "connected", "disconnected"),
    *(f"{rank}-high" for rank in RANKS[::-1]),
)
"""The textures of flops, in the order in which reports show them."""
TURN_TEXTURES = ("pair", "flush", "four-flush", "overcard", "blank")
"""The textures of turn cards, in the order in which reports show them."""


def _makes_straight(ranks: Sequence[int], game: Game) -> bool:
    """Return whether two more cards can complete a straight with three cards of these ranks."""
    low_ace = len(game.missing) // len(SUITS) - 1  # below the lowest rank of the deck
    low = [low_ace if rank == len(RANKS) - 1 else rank for rank in ranks]
    return len({*ranks}) == 3 and any(max(run) - min(run) < STRAIGHT for run in (ranks, low))
