"""Spots in device memory, and the board classes of their boards.

CUDA C++ through CuPy: a thread loops over the bit masks of an item in registers. Not yet measured on a
GPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.shared.board_classes import rank_multisets
from gpuodds.backends.cuda.arrays.ranks import packed_tables
from gpuodds.backends.cuda.shared.device import kept_arrays, launch
from gpuodds.backends.cuda.shared.layout import CLASS_WORDS, SPOTS
from gpuodds.cards import DECK_SIZE, RANKS
from gpuodds.games.holdem.game import Holdem, as_holdem
from gpuodds.games.shared.rules import BOARD_CARDS, CARDS_LEFT, HOLE_CARDS
from gpuodds.spots.spot import Spot

SPOT_THREADS = 128

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Spots:
    """Spots with the same number of known hands and of cards to come, on the current device.

    A set of cards is a uint64, 16 bits per suit, bit 0 of them the deuce. ``undealt`` and ``board``
    have shape (n,), ``hands`` (n, players); ``deck`` (n,) int32 is the number of cards that opponents
    are dealt from on a full board, and ``decks`` is its copy on the host; ``runout_ranks`` (c, to_come)
    uint8 are the rank multisets that complete a board. An *item* is a spot and a runout: spot x c +
    runout.
    """

    undealt: Any
    board: Any
    hands: Any
    deck: Any
    runout_ranks: Any
    decks: npt.NDArray[np.int32]
    game: Holdem

    @property
    def count(self) -> int:
        """The number of spots."""
        return int(self.undealt.size)

    @property
    def items(self) -> int:
        """The number of items."""
        return self.count * len(self.runout_ranks)

    @property
    def to_come(self) -> int:
        """The number of cards to come."""
        return int(self.runout_ranks.shape[1])

    def range_of(self, begin: int, end: int) -> tuple[int, int]:
        """Return the first spot of the items ``begin`` to ``end``, and the one after their last."""
        return begin // len(self.runout_ranks), -(-end // len(self.runout_ranks))

    @property
    def packed(self) -> Any:
        """The spots as the argument of a kernel; keep this object until the kernel is launched."""
        players, (count, to_come) = self.hands.shape[1], self.runout_ranks.shape
        return SPOTS.pack(
            self.undealt, self.board, self.hands, self.deck, self.runout_ranks, players, count, to_come
        )


def card_set(cards: Iterable[int]) -> int:
    """Return cards, numbers 0 to 51, as the bits of a set."""
    bits = 0
    for card in cards:
        bits |= 1 << 16 * (card & 3) + (card >> 2)
    return bits


WHOLE_DECK = card_set(range(DECK_SIZE))


def load_spots(spots: Sequence[Spot]) -> Spots:
    """Copy spots to the current device; all have as many hands and board cards as the first."""
    import cupy

    count, players = len(spots), len(spots[0].known_hands)
    sets = [WHOLE_DECK & ~card_set(spot.known) for spot in spots]
    sets += [card_set(spot.board) for spot in spots]
    sets += [card_set(hand) for spot in spots for hand in spot.known_hands]
    decks = np.zeros(count + count % 2, np.int32)
    decks[:count] = [spot.undealt for spot in spots]
    whole = cupy.asarray(np.concatenate([np.array(sets, np.uint64), decks.view(np.uint64)]))
    undealt, board, hands_and_deck = whole[:count], whole[count : 2 * count], whole[2 * count :]
    return Spots(
        undealt,
        board,
        hands_and_deck[: count * players].reshape(count, players),
        hands_and_deck[count * players :].view(np.int32)[:count],
        load_runouts(BOARD_CARDS - len(spots[0].board)),
        decks[:count],
        as_holdem(spots[0].game),
    )


def pack_spots(hands: Any, boards: Any, dead: Any, game: Holdem) -> Spots:
    """Make spots of a game from cards on the current device.

    ``hands`` has shape (n, players, 2), ``boards`` (n, 0) to (n, 5), ``dead`` (n, any width); uint8,
    card numbers that are checked before.
    """
    import cupy

    (count, size), players, num_dead = boards.shape, hands.shape[1], dead.shape[1]
    undealt = cupy.empty(count, np.uint64)
    board_sets = cupy.empty(count, np.uint64)
    hand_sets = cupy.empty((count, players), np.uint64)
    launch(
        "known_hands/pack_spots",
        "pack_spots",
        count,
        SPOT_THREADS,
        (
            *(hands, np.int32(players), boards, np.int32(size), dead, np.int32(num_dead)),
            *(np.int64(count), undealt, board_sets, hand_sets),
        ),
    )
    if game.missing:
        undealt &= np.uint64(WHOLE_DECK & ~card_set(game.missing))
    left = CARDS_LEFT - HOLE_CARDS * (players - 1) - num_dead - len(game.missing)
    deck, decks = cupy.full(count, left, np.int32), np.full(count, left, np.int32)
    runout_ranks = load_runouts(BOARD_CARDS - size)
    return Spots(undealt, board_sets, hand_sets, deck, runout_ranks, decks, game)


def count_runouts(to_come: int) -> int:
    """Return the number of runouts of a board with ``to_come`` cards to come."""
    return comb(len(RANKS) - 1 + to_come, to_come)


def load_runouts(to_come: int) -> Any:
    """Return the runouts of ``to_come`` cards on the current device, copied there once."""
    return kept_arrays(_all_runouts)[to_come]


def _all_runouts() -> tuple[npt.NDArray[np.uint8], ...]:
    return tuple(rank_multisets(to_come).astype(np.uint8) for to_come in range(BOARD_CARDS + 1))


def list_classes(spots: Spots, begin: int, end: int, most: int) -> Any:
    """List the board classes of the items ``begin`` to ``end``.

    Returns:
        CuPy array (n, 4) uint32; a row is a ``BoardClass`` of kernels/shared/board_classes.cuh.

    Raises:
        MemoryError: There are more than ``most`` classes.
    """
    import cupy

    items = end - begin
    counts = cupy.empty(items, np.int32)
    span = (np.int64(begin), np.int64(items))
    launch("shared/board_classes", "count_classes", items, SPOT_THREADS, (spots.packed, *span, counts))
    ends = cupy.cumsum(counts, dtype=np.int64)
    num_classes = int(ends[-1])
    if num_classes > most:
        raise MemoryError(f"{num_classes} board classes, memory for {most}")
    classes = cupy.empty((num_classes, CLASS_WORDS), np.uint32)
    launch(
        "shared/board_classes",
        "list_classes",
        items,
        SPOT_THREADS,
        (spots.packed, packed_tables(spots.game), *span, counts, ends, classes),
    )
    return classes


def group_keys(spots: Spots, begin: int, classes: Any, decks: Any) -> Any:
    """Return the group of each class, int64: (spot << 23 | winners) << 6 | cards to be dealt."""
    spot = (classes[:, 0].astype(np.int64) + begin) // len(spots.runout_ranks)
    return (spot << 23 | classes[:, 3].astype(np.int64)) << 6 | decks.astype(np.int64)


def spot_keys(first: int, decks: npt.NDArray[np.int32]) -> Keys:
    """Return the groups of spots of one known hand, which is the best known one, from ``first`` on."""
    spots = first + np.arange(len(decks), dtype=np.int64)
    return (spots << 23 | 1) << 6 | decks


def read_key(key: int) -> tuple[int, int, int]:
    """Return the spot, the winners and the deck of a group.

    >>> read_key((7 << 23 | 1) << 6 | 45)
    (7, 1, 45)
    """
    return key >> 29, key >> 6 & (1 << 23) - 1, key & 63
