"""Equities that bots need, cached by board."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from gpuodds.api import equity
from gpuodds.basics.present import present
from gpuodds.cards import DECK_SIZE, format_cards, parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.starting_hands import combinations, starting_hand
from gpuodds.games.shared.combos import COMBOS, combo_cards, combo_index
from gpuodds.methods.boards.board_equities import board_equities
from gpuodds.methods.boards.flops import FLOP, flop_equities
from gpuodds.methods.holdem.showdowns import count_showdowns
from gpuodds.methods.options import Options
from gpuodds.spots.ranges.range import Range
from gpuodds.spots.ranges.rankings import equity_ranking
from gpuodds.spots.spot import Spot

Floats = npt.NDArray[np.float64]

BOARDS = 4096  # cached answers
EVERY_HAND = Range("random")


@lru_cache(BOARDS)
def against_random(board: tuple[int, ...]) -> Floats:
    """Return each combo's equity against any hand on a board, 0 if it shares a card with the board.

    Flops are read from the table ``flop-random`` if it was built: see :func:`gpuodds.flop_equities`.

    Args:
        board: Three to five cards.

    Returns:
        Shape (1326,), read-only.
    """
    if len(board) == FLOP:
        return flop_equities(board, backend="cpu").equity[:, 0]
    equity = board_equities(board, backend="cpu", game=HOLDEM).equity[:, 0]
    equity.flags.writeable = False
    return equity


@lru_cache(BOARDS)
def villain_equity(hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
    """Return each combo's equity against a hand on a board, shape (1326,), 0 if they share a card."""
    return _postflop_villain_equity(hand, board) if board else _preflop_villain_equity(hand)


def _preflop_villain_equity(hand: tuple[int, int]) -> Floats:
    equities = np.zeros(COMBOS)
    result = equity([format_cards(hand), "random"], by_hand=True, backend="cpu")
    for other in (result.by_hand or ((), ()))[1]:
        equities[combo_index(*parse_cards(other.hand))] = other.equity
    return equities


def _postflop_villain_equity(hand: tuple[int, int], board: tuple[int, ...]) -> Floats:
    spot = Spot((hand, EVERY_HAND), 0, board, game=HOLDEM)
    return _equities(spot, 1)


def against_range(board: tuple[int, ...], weights: Floats) -> Floats:
    """Return each combo's equity against a range on a board, shape (1326,).

    It is 0 where a card of the combo is on the board, or no combo of the range can meet it.

    Args:
        board: Three to five cards.
        weights: The weights of the range, shape (1326,), not all of them 0 off the board; only their
            ratios count, in thousandths of the largest.
    """
    spot = Spot((EVERY_HAND, range_of(board, weights)), 0, board, game=HOLDEM)
    return _equities(spot, 0)


def _equities(spot: Spot, place: int) -> Floats:
    """Return the equity of each combo of one of two players, 0 if it is not dealt."""
    counts, _ = count_showdowns(spot, Options(by_hand=True, backend="cpu"))
    won = np.asarray(present(counts.by_combo)[place], np.float64)
    dealt = np.asarray(present(counts.dealt)[place], np.float64)
    shares = won[:, 0] + won[:, 1] / 2
    return np.divide(shares, dealt, out=np.zeros(COMBOS), where=dealt > 0)


def range_of(board: tuple[int, ...], weights: Floats) -> Range:
    """Return the range of weights, as thousandths of the largest, without the cards of a board."""
    free = weights * possible(board)
    return Range.of(np.round(free / free.max(), 3))


@lru_cache(BOARDS)
def equity_of(hand: tuple[int, int], board: tuple[int, ...], opponents: int) -> float:
    """Return a hand's equity against random opponents."""
    return equity([hand], opponents=opponents, board=board, backend="cpu").equity


@lru_cache
def _places() -> dict[str, float]:
    """Return for each starting hand the share of all combos above it, half of its own included."""
    above, place_of = 0, {}
    for name in equity_ranking():
        combos = combinations(name)
        place_of[name] = (above + combos / 2) / COMBOS
        above += combos
    return place_of


def place_of(hand: tuple[int, int]) -> float:
    """Return the place of a hand among all hands before the flop, by equity: 0 is best, 1 worst.

    >>> round(place_of((51, 50)), 4), round(place_of((0, 21)), 2)
    (0.0023, 0.96)
    """
    return _places()[starting_hand(hand)]


@lru_cache
def places() -> Floats:
    """Return the place of every combo, shape (1326,)."""
    cards = combo_cards().tolist()
    return np.array([place_of((low, high)) for low, high in cards])


@lru_cache(BOARDS)
def possible(known: tuple[int, ...]) -> Floats:
    """Return 1 for combos without any of the known cards, 0 for others, shape (1326,)."""
    free = np.ones(DECK_SIZE)
    free[list(known)] = 0
    cards = combo_cards()
    weights: Floats = free[cards[:, 0]] * free[cards[:, 1]]
    return weights
