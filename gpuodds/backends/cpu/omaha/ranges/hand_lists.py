"""The hands of two or three players as one list, and their ranks on a board.

The hands are in colexicographic order, so hands with the same two highest cards stand together: the
best pair of one of these cards with each lower card is found once for all of them.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.compile.jit import compiled_without_refcounts
from gpuodds.cards import DECK_SIZE
from gpuodds.games.shared.combos import COMBOS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt64s = npt.NDArray[np.uint64]


class HandLists(NamedTuple):
    """The hands of some players, each once, by ascending number.

    Attributes:
        cards: (n, hole cards) uint8, ascending.
        words: (n,) uint64, the cards, 8 bits each, the lowest first.
        masks: (n,) int64, the cards as sets.
        runs: (1327,) int64, where the hands begin whose two highest cards are a pair, by its number.
        weights: (n, players) float64, in each player's list; 0 outside it.
        places: For each player, (n_i,) int64: the place of each of their hands, -1 if it is left out.
    """

    cards: UInt8s
    words: UInt64s
    masks: Ints
    runs: Ints
    weights: Floats
    places: tuple[Ints, ...]


def hand_lists(hands: list[UInt8s], weights: list[Floats], blocked: int) -> HandLists:
    """Join lists of hands; leave out the hands with a card of the set ``blocked``."""
    size = hands[0].shape[1]
    binomials = np.array([[comb(card, i + 1) for card in range(DECK_SIZE)] for i in range(size)])
    numbers = [binomials[np.arange(size), own.astype(np.int64)].sum(axis=1) for own in hands]
    different, first = np.unique(np.concatenate(numbers), return_index=True)
    cards = np.concatenate(hands)[first]
    masks: Ints = (np.int64(1) << cards.astype(np.int64)).sum(axis=1)
    kept = masks & blocked == 0
    different, cards, masks = different[kept], np.ascontiguousarray(cards[kept]), masks[kept]
    shifts = np.arange(0, 8 * size, 8, dtype=np.uint64)
    words = (cards.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
    high, low = cards[:, -1].astype(np.int64), cards[:, -2].astype(np.int64)
    runs = np.searchsorted(high * (high - 1) // 2 + low, np.arange(COMBOS + 1))
    joint = np.zeros((len(different), len(hands)))
    places = []
    for player in range(len(hands)):
        place = np.searchsorted(different, numbers[player])
        is_listed = np.append(different, -1)[place] == numbers[player]
        places.append(np.where(is_listed, place, -1))
        np.add.at(joint[:, player], place[is_listed], weights[player][is_listed])
    return HandLists(cards, words, masks, runs.astype(np.int64), joint, tuple(places))


@compiled_without_refcounts
def fill_hand_ranks(
    cards: UInt8s, runs: Ints, dead: int, pair_ranks: Any, best: Any, ranks: Any
) -> None:
    """Fill ``ranks`` (n,): the rank of each hand's best pair, 0 for hands with a dead card.

    ``cards``, ``runs``: see :class:`HandLists`. ``dead`` is a set of cards. ``pair_ranks`` (1326,)
    uint16 or uint8 are the ranks of pairs; ``best`` (52,) is scratch of that dtype.
    """
    inner = cards.shape[1] - 2
    for high in range(1, best.size):
        for low in range(high):
            run = high * (high - 1) // 2 + low
            begin, end = runs[run], runs[run + 1]
            if begin == end:
                continue
            if (dead >> high | dead >> low) & 1:
                for h in range(begin, end):
                    ranks[h] = 0
                continue
            row_low, row_high = low * (low - 1) // 2, high * (high - 1) // 2
            for card in range(low):
                best[card] = max(pair_ranks[row_low + card], pair_ranks[row_high + card])
            top = pair_ranks[run]
            if inner == 2:  # the general loop takes half as long again
                for h in range(begin, end):
                    below, card = int(np.int64(cards[h, 0])) & 63, int(np.int64(cards[h, 1])) & 63
                    value = max(top, pair_ranks[(card * (card - 1) >> 1) + below])
                    value = max(value, max(best[below], best[card]))
                    ranks[h] = value * (1 - ((dead >> below | dead >> card) & 1))
                continue
            for h in range(begin, end):
                value = top
                out = 0
                for i in range(inner):
                    card = int(np.int64(cards[h, i])) & 63
                    out |= dead >> card
                    value = max(value, best[card])
                    for j in range(i):
                        below = int(np.int64(cards[h, j])) & 63
                        value = max(value, pair_ranks[(card * (card - 1) >> 1) + below])
                ranks[h] = value * (1 - (out & 1))
