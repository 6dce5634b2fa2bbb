"""Estimated memory of requests: ranges of five and six cards are lists of millions of combos."""

from __future__ import annotations

from collections.abc import Sequence

from gpuodds.errors import InputError
from gpuodds.games.game import Game
from gpuodds.server.problems import Problem
from gpuodds.spots.hands import read_text
from gpuodds.spots.spot import Spot

MAX_HANDS = 50_000  # in an answer with the equity of each hand
MAX_SORTED = 600_000  # for equity graphs: those of two random players of Omaha, 160 MB in a worker
MAX_QUICK_COMBOS = 10_000  # in a game whose ranges are read in a millisecond
# Of a game's combo, and of a combo in each player's list; measured as the most of a process.
BYTES_OF_COMBO, BYTES_OF_WEIGHT = 125, 40


def has_lists(hands: Sequence[str], game: Game) -> bool:
    """Return whether hands need long lists of combos, as ranges of Omaha do."""
    return game.combos > MAX_QUICK_COMBOS and any(_is_range(hand, game) for hand in hands)


def list_bytes(game: Game, players: int) -> int:
    """Estimate the bytes that lists of combos take: those of the game, and those of each player."""
    return game.combos * (BYTES_OF_COMBO + BYTES_OF_WEIGHT * players)


def check_bytes(needed: int, limit: int, game: Game, players: int) -> None:
    """Refuse lists of combos that take more memory than all requests together may.

    Raises:
        Problem: They take more than the limit: status 422.
    """
    if needed > limit:
        raise Problem(
            422,
            "too-expensive",
            f"ranges of {game.name} for {players} players would take about {needed >> 20:,} "
            f"MiB, the limit is {limit >> 20:,} MiB: give known hands, or fewer players",
            estimate_bytes=needed,
            limit_bytes=limit,
        )


def check_hands(spot: Spot, *, is_listed: bool) -> None:
    """Refuse an answer that needs the equity of too many hands.

    Args:
        spot: The spot.
        is_listed: Whether the answer lists them; else they are for the graphs alone.

    Raises:
        Problem: They are more than the limit: status 422.
    """
    hands = sum(spot.sizes[: len(spot.hands)])
    most, done = (MAX_HANDS, "listed one by one") if is_listed else (MAX_SORTED, "sorted for graphs")
    if hands > most:
        detail = f"the ranges hold {hands:,} hands; at most {most:,} are {done}: give narrower ranges"
        raise Problem(422, "too-expensive", detail)


def _is_range(text: str, game: Game) -> bool:
    try:
        return isinstance(read_text(text, game), str)
    except InputError:  # to be told when the hand is read
        return False
