"""Classify hands of Omaha on a board of three to five cards: made hands and draws by name.

Exactly two hole cards count, with exactly three of the board: a hand has the best of what its pairs of
hole cards have.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.game import Game
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.holdem.hits import FLOP, RIVER, hit_codes, made_of_hole_cards, ranks_of_combos
from gpuodds.games.shared.combos import combo_cards
from gpuodds.games.shared.hit_names import (
    BACKDOOR,
    DRAW_BITS,
    FLUSH_DRAW,
    GUTSHOT,
    NUT_FLUSH_DRAW,
    OPEN_ENDED,
    SET,
    STRAIGHT,
    WRAP,
)

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]

ACE, RANKS = 12, 13
STRAIGHTS = ((ACE, 0, 1, 2, 3), *((low, low + 1, low + 2, low + 3, low + 4) for low in range(9)))
WRAP_OUTS = 9
"""From this many cards that make a straight a draw is a wrap: an open-ended one has at most eight."""
AT_ONCE = 1 << 20  # hands


class _Pairs(NamedTuple):
    """What each pair of hole cards has on a board, shape (1326,) each.

    Attributes:
        made: The made hand.
        flush_bits: The bits of draws to a flush.
        straight_ranks: The ranks of which a card makes a straight, a mask.
    """

    made: Bytes
    flush_bits: Bytes
    straight_ranks: Codes


def omaha_hit_codes(board: Sequence[int], numbers: Ints, game: Game, dead: Sequence[int] = ()) -> Codes:
    """Return what some hands have on a board.

    Args:
        board: Three to five card numbers.
        numbers: The combos, shape (n,), int64: none with a card of the board.
        game: Omaha.
        dead: Cards out of play, which no nut flush draw needs and no straight draw gets.

    Returns:
        Codes of :mod:`gpuodds.games.shared.hit_names`, shape (n,), uint16.
    """
    pairs = _pairs(board, dead)
    codes = np.empty(len(numbers), np.uint16)
    left = _cards_left((*board, *dead))
    for begin in range(0, len(numbers), AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        codes[part] = _codes(game.combo_cards()[numbers[part]], pairs, left, len(board))
    return codes


def _codes(hands: Bytes, pairs: _Pairs, left: Bytes, size: int) -> Codes:
    """Return the codes of hands from what their pairs have.

    Args:
        hands: Their cards, ascending, shape (n, 4 to 6).
        pairs: What each pair has.
        left: The cards that neither board nor dead cards have of the ranks of each mask, shape (8192,).
        size: The number of board cards.
    """
    cards = hands.astype(np.int64)
    made = np.full(len(cards), 255, np.uint8)
    bits = np.zeros(len(cards), np.uint8)
    ranks = np.zeros(len(cards), np.uint16)
    for low, high in combinations(range(cards.shape[1]), 2):
        pair = cards[:, high] * (cards[:, high] - 1) // 2 + cards[:, low]
        np.minimum(made, pairs.made[pair], out=made)
        if size < RIVER:
            bits |= pairs.flush_bits[pair]
            ranks |= pairs.straight_ranks[pair]
    codes: Codes = made.astype(np.uint16) << np.uint16(DRAW_BITS)
    if size == RIVER:
        return codes
    outs = left[ranks].astype(np.int64)
    for card in cards.T:
        outs -= ranks >> (card >> 2) & 1
    several = ranks & (ranks - 1) > 0
    straight = np.select(
        [several & (outs >= WRAP_OUTS), several, ranks > 0], [WRAP, OPEN_ENDED, GUTSHOT]
    )
    codes |= np.where(made >= STRAIGHT, bits, 0).astype(np.uint16)
    codes |= np.where(made >= SET, straight, 0).astype(np.uint16)
    return codes


def _cards_left(gone: Sequence[int]) -> Bytes:
    """Return how many cards of the ranks of each mask are not gone, shape (8192,), uint8."""
    by_rank = 4 - np.bincount(np.array(gone, np.int64) >> 2, minlength=RANKS)
    masks = np.arange(1 << RANKS)
    left: Bytes = ((masks[:, None] >> np.arange(RANKS) & 1) @ by_rank).astype(np.uint8)
    return left


def _pairs(board: Sequence[int], dead: Sequence[int]) -> _Pairs:
    threes = np.array([*combinations(sorted(board), FLOP)], np.uint8)
    five = (hit_codes(threes, np.arange(HOLDEM.combos), HOLDEM) >> DRAW_BITS).min(axis=0)
    ranks = ranks_of_combos()
    made = np.where(five <= STRAIGHT, five, made_of_hole_cards(board)[ranks]).astype(np.uint8)
    return _Pairs(made, _flush_bits(board, dead), _straight_ranks(board)[ranks])


def _flush_bits(board: Sequence[int], dead: Sequence[int]) -> Bytes:
    low, high = combo_cards().astype(np.int64).T
    suited = (low & 3) == (high & 3)
    bits = np.zeros(len(low), np.uint8)
    for suit in range(4):
        here = suited & (low & 3 == suit)
        on_board = sum(card & 3 == suit for card in board)
        if on_board == 2:
            best = max({*range(suit, 52, 4)} - {*board, *dead}, default=-1)
            bits[here] |= FLUSH_DRAW
            bits[here & (high == best)] |= NUT_FLUSH_DRAW
        elif on_board == 1 and len(board) == FLOP:
            bits[here] |= BACKDOOR
    return bits


def _straight_ranks(board: Sequence[int]) -> Codes:
    """Return the ranks that make a straight of each pair of ranks, masks of shape (91,)."""
    on_board = {card >> 2 for card in board}
    masks = np.zeros(RANKS * (RANKS + 1) // 2, np.uint16)
    for straight in STRAIGHTS:
        for low, high in combinations(sorted(straight), 2):
            missing = {*straight} - {low, high} - on_board
            if len(missing) == 1:
                masks[high * (high + 1) // 2 + low] |= 1 << missing.pop()
    return masks
