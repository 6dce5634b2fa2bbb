"""Classify combos of two cards on boards of three to five: made hands and draws by name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import combo_cards, combo_masks
from gpuodds.games.shared.hit_names import (
    ACE_HIGH,
    BACKDOOR,
    BELOW_TOP,
    CODES,
    DRAW_BITS,
    FLUSH,
    FLUSH_DRAW,
    FULL_HOUSE,
    GUTSHOT,
    MIDDLE_PAIR,
    NOTHING,
    NUT_FLUSH_DRAW,
    OPEN_ENDED,
    OVERCARDS,
    OVERPAIR,
    QUADS,
    SET,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TOP_PAIR,
    TRIPS,
    TWO_PAIR,
    WEAK_PAIR,
)

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint16]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]

ACE, FLOP, RIVER = 12, 3, 5

HIGH, LOW = np.tril_indices(13)
"""The ranks of two cards, in the order of the pairs of ranks: shape (91,) each."""


def hit_codes(boards: Bytes, combos: Ints, game: Holdem, dead: Sequence[int] = ()) -> Codes:
    """Return what some combos have on each of many boards.

    Args:
        boards: Card numbers, shape (n, 3), (n, 4) or (n, 5), uint8.
        combos: Combo numbers, shape (m,), int64.
        game: Hold'em or short deck.
        dead: Cards out of play, which no nut flush draw needs: the best card of the others makes it.

    Returns:
        Codes, shape (n, m), uint16: of draws, those that the combo has on this street. ``CODES`` where
        the combo shares a card with the board.
    """
    hands, size = _hands(), boards.shape[1]
    suited = _suit_masks(boards)
    ranks = np.sort(boards >> 2, axis=1).astype(np.uint8, copy=False)
    keys = ranks.astype(np.int64) @ 13 ** np.arange(size)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    codes: Codes = _by_ranks(ranks[first], game)[:, hands.ranks[combos]][place.ravel()]
    by_suits = _by_suits(suited, game, dead, size)
    kinds = hands.suits[combos]
    if size < RIVER:
        low, high = combo_cards()[combos].T
        best = by_suits.nut_cards[:, kinds]
        bits = by_suits.bits[:, kinds]
        bits |= np.where((best == low) | (best == high), NUT_FLUSH_DRAW, 0).astype(np.uint8)
        made = codes >> DRAW_BITS
        bits[(made < SET) & ~((made == STRAIGHT) & _trips_beat_straights(game))] = 0
        codes |= bits
    board, combo = np.nonzero(by_suits.flush_suits[:, kinds] < 4)
    if len(board):
        suit = by_suits.flush_suits[board, kinds[combo]]
        in_suit = suited[board, suit] | hands.suit_masks[combos[combo], suit]
        straight = game.hand_rank_tables.flush[in_suit] >= game.category_ranks[-1].start
        codes[board, combo] = np.where(straight, STRAIGHT_FLUSH, FLUSH) << DRAW_BITS
    cards = (np.int64(1) << boards.astype(np.int64)).sum(axis=1)
    codes[(cards[:, None] & combo_masks()[combos]) != 0] = CODES
    return codes


def ranks_of_combos() -> Ints:
    """Return the place of the two ranks of each combo in ``HIGH`` and ``LOW``, shape (1326,)."""
    return _hands().ranks


def made_of_hole_cards(board: Sequence[int]) -> Ints:
    """Return what each pair of ranks has as far as its hole cards show: from sets down, shape (91,)."""
    on_board = np.bincount(np.array(board, np.int64) >> 2, minlength=13)[None]
    mask = np.where(on_board > 0, 1 << np.arange(13), 0).sum(axis=1)
    none = np.zeros((1, len(HIGH)), np.int64)
    made: Ints = _made(on_board, mask, none, none, none > 0)[0]
    return made


class _Hands(NamedTuple):
    """What there is to know of the 1,326 combos.

    Attributes:
        ranks: Shape (1326,), int64: the place of the two ranks in ``HIGH`` and ``LOW``.
        suits: Shape (1326,), int64: the place of the two suits among the ten pairs of suits.
        suit_masks: Shape (1326, 4), int64: the ranks in each suit, a mask.
    """

    ranks: Ints
    suits: Ints
    suit_masks: Ints


@lru_cache(1)
def _hands() -> _Hands:
    cards = combo_cards().astype(np.int64)
    low, high = cards.T >> 2
    suits = np.sort(cards & 3, axis=1)
    places = suits[:, 1] * (suits[:, 1] + 1) // 2 + suits[:, 0]
    return _Hands(high * (high + 1) // 2 + low, places, _suit_masks(combo_cards()))


def _suit_masks(cards: Bytes) -> Ints:
    """Return the ranks in each suit of rows of cards, masks of shape (n, 4), int64."""
    ranks = np.int64(1) << (cards >> 2).astype(np.int64)
    masks: Ints = np.stack([np.where(cards & 3 == suit, ranks, 0).sum(axis=1) for suit in range(4)], 1)
    return masks


@lru_cache(1)
def _highest() -> npt.NDArray[np.int8]:
    """Return the highest rank of each mask of ranks, shape (8192,), int8; -1 for none."""
    return (np.frexp(np.arange(1 << 13, dtype=np.float64))[1] - 1).astype(np.int8)


@lru_cache
def _heights(ranks: int, wheel: int) -> Bytes:
    """Return the height of the best straight in each mask of ranks, shape (8192,); 0 for none.

    Args:
        ranks: The ranks of the deck, a mask.
        wheel: The ranks of the straight in which the ace is low, a mask.
    """
    masks = np.arange(1 << 13)
    heights = np.where(masks & wheel == wheel, 1, 0).astype(np.uint8)
    for lowest in range(9):
        run = 0b11111 << lowest
        if run & ranks == run:
            heights[masks & run == run] = lowest + 2
    return heights


def _by_ranks(boards: Bytes, game: Holdem) -> Codes:
    """Return the codes of each pair of ranks as if no two cards were of one suit.

    Args:
        boards: The ranks on boards, shape (u, 3 to 5).
        game: The game.

    Returns:
        Shape (u, 91), uint16. What the deck has no cards for is arbitrary.
    """
    tables = game.hand_rank_tables
    on_board = (boards[:, :, None] == np.arange(13)).sum(axis=1)
    in_hand = (HIGH[:, None] == np.arange(13)) * 1 + (LOW[:, None] == np.arange(13))
    counts = (on_board[:, None, :] + in_hand).astype(np.int8)
    most, paired = counts.max(axis=2), (counts >= 2).sum(axis=2)
    board_masks = np.bitwise_or.reduce(1 << boards.astype(np.int64), axis=1)
    masks = board_masks[:, None] | 1 << HIGH | 1 << LOW
    heights = _heights(tables.ranks, tables.wheel)
    beaten = (most == 3) & _trips_beat_straights(game)  # a straight is not the best hand
    made = _made(on_board, board_masks, most, paired, (heights[masks] > 0) & ~beaten)
    codes: Codes = (made << DRAW_BITS).astype(np.uint16)
    if boards.shape[1] < RIVER:
        one_more = 1 << np.arange(13)
        alone = heights[board_masks[:, None] | one_more]
        outs = (heights[masks[:, :, None] | one_more] > alone[:, None, :]).sum(axis=2)
        outs[beaten] = 0
        over = (HIGH > LOW) & (_highest()[board_masks][:, None] < LOW)
        bits = np.select([outs > 1, outs == 1], [OPEN_ENDED, GUTSHOT], 0) | np.where(over, OVERCARDS, 0)
        codes |= np.where(made >= SET, bits, 0).astype(np.uint16)
    return codes


def _trips_beat_straights(game: Holdem) -> bool:
    return game.categories.index("three of a kind") > game.categories.index("straight")


def _made(on_board: Ints, masks: Ints, most: Ints, paired: Ints, straight: Bools) -> Ints:
    """Return the made hand of each pair of ranks, flushes ignored, shape (u, 91).

    Args:
        on_board: The number of board cards of each rank, shape (u, 13).
        masks: The ranks on the board, masks of shape (u,).
        most: The cards of the most frequent rank of board and hand, shape (u, 91).
        paired: The ranks of which board and hand have two or more cards, shape (u, 91).
        straight: Whether the best hand is a straight, shape (u, 91).
    """
    top = _highest()[masks].astype(np.int64)
    second = _highest()[masks & ~(1 << top)].astype(np.int64)
    top, second = top[:, None], second[:, None]
    pocket = HIGH == LOW
    with_high, with_low = on_board[:, HIGH], on_board[:, LOW]
    rank = np.where(pocket | (with_high > 0), HIGH, np.where(with_low > 0, LOW, -1))  # of the pair
    cases = {
        QUADS: most >= 4,
        FULL_HOUSE: (most == 3) & (paired >= 2),
        STRAIGHT: straight,
        SET: pocket & (with_high == 1),
        TRIPS: ~pocket & ((with_high == 2) | (with_low == 2)),
        TWO_PAIR: ~pocket & (with_high > 0) & (with_low > 0),
        OVERPAIR: rank > top,
        TOP_PAIR: rank == top,
        BELOW_TOP: rank > second,
        MIDDLE_PAIR: (rank == second) & (rank >= 0),
        WEAK_PAIR: rank >= 0,
        ACE_HIGH: np.broadcast_to(HIGH == ACE, most.shape),
    }
    made: Ints = np.select(list(cases.values()), list(cases), NOTHING)
    return made


class _BySuits(NamedTuple):
    """What the ten pairs of suits of two cards make of boards, shape (n, 10) each.

    Attributes:
        flush_suits: The suit of the flush; 4 for none.
        bits: The bits of flush draw and backdoor flush draw.
        nut_cards: The card that makes a flush draw the nut flush draw; negative without a draw.
    """

    flush_suits: Bytes
    bits: Bytes
    nut_cards: npt.NDArray[np.int8]


def _by_suits(suited: Ints, game: Holdem, dead: Sequence[int], size: int) -> _BySuits:
    """Return flushes and flush draws.

    Args:
        suited: The ranks of each suit on boards, shape (n, 4).
        game: The game.
        dead: Cards out of play.
        size: The number of cards of the boards.
    """
    of_hand = np.zeros((10, 4), np.int8)
    high, low = np.tril_indices(4)
    np.add.at(of_hand, (np.arange(10), high), 1)
    np.add.at(of_hand, (np.arange(10), low), 1)
    of_board = (suited[:, :, None] >> np.arange(13) & 1).sum(axis=2).astype(np.int8)[:, None, :]
    counts = of_board + of_hand
    flush = counts >= 5
    draw = (counts == 4) & (of_hand > 0)
    backdoor = (of_board == 1) & (of_hand == 2) & (size == FLOP)
    bits = np.where(draw.any(axis=2), FLUSH_DRAW, 0) | np.where(backdoor.any(axis=2), BACKDOOR, 0)
    gone = _suit_masks(np.array([dead], np.uint8)) if dead else np.zeros((1, 4), np.int64)
    best = _highest()[game.hand_rank_tables.ranks & ~(suited | gone)]
    cards = np.where(best < 0, -1, 4 * best + np.arange(4)).astype(np.int8)
    nut_cards = np.where(draw, cards[:, None, :], -1).max(axis=2)
    suits = np.where(flush.any(axis=2), flush.argmax(axis=2), 4)
    return _BySuits(suits.astype(np.uint8), bits.astype(np.uint8), nut_cards)
