"""What bots ask the engine: shares of the pot by hand, kept for the boards that come again."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.api import equity
from gpuodds.cards import DECK_SIZE, format_cards, parse_cards
from gpuodds.games.holdem.combos import COMBOS, combo_cards, combo_index
from gpuodds.games.holdem.starting_hands import starting_hand
from gpuodds.methods.flops import FLOP, flop_equities
from gpuodds.methods.options import Options
from gpuodds.methods.showdowns import count_showdowns
from gpuodds.spots.ranges import Range, equity_ranking
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]

BOARDS = 4096  # answers that are kept
EVERY_HAND = Range("random")


@lru_cache(BOARDS)
def against_random(board: tuple[int, ...]) -> Floats:
    """Return each holding's equity against any hand on a board, shape (1326,); 0 if impossible.

    Flops are read from the table ``flop-random``, if it was built: see :func:`gpuodds.flop_equities`.
    """
    if len(board) == FLOP:
        return flop_equities(board, backend="cpu").equity[:, 0]
    return _shares(EVERY_HAND, board)


@lru_cache(BOARDS)
def villain_equity(hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
    """Return each holding's equity against one hand on a board, shape (1326,); 0 if impossible."""
    return _shares(hand, board) if board else _before_the_flop(hand)


def _before_the_flop(hand: tuple[int, int]) -> Floats:
    found = np.zeros(COMBOS)
    result = equity([format_cards(hand), "random"], by_hand=True, backend="cpu")
    for other in (result.by_hand or ((), ()))[1]:
        found[combo_index(*parse_cards(other.hand))] = other.equity
    return found


def _shares(other: tuple[int, int] | Range, board: tuple[int, ...]) -> Floats:
    """Return the equity of each combo against a hand or a range."""
    spot = Spot((other, EVERY_HAND), 0, board)
    counts, _ = count_showdowns(spot, Options(by_hand=True, backend="cpu"))
    assert counts.by_combo is not None and counts.dealt is not None
    won = np.asarray(counts.by_combo[1], np.float64)
    dealt = np.asarray(counts.dealt[1], np.float64)
    shares = won[:, 0] + won[:, 1] / 2
    return np.divide(shares, dealt, out=np.zeros(COMBOS), where=dealt > 0)


@lru_cache(BOARDS)
def equity_of(hand: tuple[int, int], board: tuple[int, ...], opponents: int) -> float:
    """Return a hand's equity against some opponents with any cards."""
    return equity([hand], opponents=opponents, board=board, backend="cpu").equity


@lru_cache
def _places() -> dict[str, float]:
    """Return for each starting hand the share of all holdings above it, half of itself included."""
    above, found = 0, {}
    for name in equity_ranking():
        holdings = 6 if len(name) == 2 else 4 if name.endswith("s") else 12
        found[name] = (above + holdings / 2) / COMBOS
        above += holdings
    return found


def place_of(hand: tuple[int, int]) -> float:
    """Return where a hand stands before the flop: 0 is the best, 1 the worst, by equity.

    >>> round(place_of((51, 50)), 4), round(place_of((0, 21)), 2)
    (0.0023, 0.96)
    """
    return _places()[starting_hand(hand)]


@lru_cache
def places() -> Floats:
    """Return the place of every holding, shape (1326,)."""
    cards = combo_cards().tolist()
    return np.array([place_of((low, high)) for low, high in cards])


@lru_cache(BOARDS)
def possible(known: tuple[int, ...]) -> Floats:
    """Return 1 for holdings that none of the known cards rule out, 0 for others, shape (1326,)."""
    free = np.ones(DECK_SIZE)
    free[list(known)] = 0
    cards = combo_cards()
    found: Floats = free[cards[:, 0]] * free[cards[:, 1]]
    return found
