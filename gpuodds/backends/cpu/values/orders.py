"""The combos of full boards in order of strength, which stays while the weights of a solver change."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gpuodds.backends.cpu.arrays.combos import rank_combos
from gpuodds.backends.cpu.compile.jit import compiled, empty
from gpuodds.backends.strength_orders import StrengthOrders
from gpuodds.cards import DECK_SIZE
from gpuodds.games.holdem.game import Holdem
from gpuodds.games.shared.combos import combo_cards

Ints = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
UInt16s = npt.NDArray[np.uint16]

LANES = 4  # columns are a multiple of it
THREE_HANDS = 6  # cards that three players hold


def order_combos(boards: UInt8s, game: Holdem) -> StrengthOrders:
    """Sort the combos of boards by strength.

    Args:
        boards: Full boards, shape (n, 5), uint8.
        game: The game, which ranks hands.
    """
    ranks = rank_combos(boards, game)
    live = int((ranks[0] > 0).sum()) if len(ranks) else 0
    hands = np.argsort(ranks, axis=1, kind="stable")[:, ranks.shape[1] - live :].astype(np.uint16)
    starts = np.zeros((len(boards), live + 1), np.uint16)
    groups, widths = np.zeros(len(boards), np.int64), np.zeros((len(boards), live), np.uint8)
    own_cards = np.zeros((len(boards), live, 2), np.uint8)
    _find_groups(ranks, hands, combo_cards(), starts, groups, own_cards, widths)
    return StrengthOrders(hands, starts, groups, own_cards, widths)


@compiled
def _find_groups(
    ranks: UInt16s, hands: UInt16s, cards: UInt8s, starts: UInt16s, groups: Ints,
    own_cards: UInt8s, widths: UInt8s,
) -> None:  # fmt: skip
    names = empty(DECK_SIZE, np.uint8)
    live = hands.shape[1]
    for board in range(hands.shape[0]):
        group, begin = 0, 0
        while begin < live:
            rank = ranks[board, hands[board, begin]]
            held = 0
            end = begin
            while end < live and ranks[board, hands[board, end]] == rank:
                for card in cards[hands[board, end]]:
                    held |= 1 << int(np.int64(card))
                end += 1
            count = 0
            for card in range(DECK_SIZE):
                if held >> card & 1:
                    names[card] = count
                    count += 1
            for place in range(begin, end):
                hand = hands[board, place]
                own_cards[board, place, 0] = names[cards[hand, 0]]
                own_cards[board, place, 1] = names[cards[hand, 1]]
            starts[board, group] = begin
            widths[board, group] = (count + LANES - 1) // LANES * LANES if count >= THREE_HANDS else 0
            group += 1
            begin = end
        groups[board] = group
        starts[board, group] = live
