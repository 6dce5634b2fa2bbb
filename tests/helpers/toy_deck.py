"""A small deck on which push-or-fold hands can be listed deal by deal: one card is the board.

Three of a kind beat a pair, a pair beats high cards; ties are common.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from gpuodds.short_stacks.games.deals import ThreeHands, TwoHands
from gpuodds.short_stacks.games.samples import Sample
from gpuodds.short_stacks.settling import normal_order

Combo = tuple[int, int]


class ToyDeck(NamedTuple):
    """A deck of ranks and two suits."""

    ranks: int

    @property
    def cards(self) -> range:
        return range(2 * self.ranks)

    @property
    def combos(self) -> list[Combo]:
        return list(combinations(self.cards, 2))

    @property
    def classes(self) -> list[tuple[int, int, bool]]:
        return sorted({self.name(combo) for combo in self.combos})

    def name(self, combo: Combo) -> tuple[int, int, bool]:
        """A starting hand: two ranks, and whether the suits are one."""
        low, high = combo
        return low // 2, high // 2, low % 2 == high % 2

    def number(self, combo: Combo) -> int:
        return self.classes.index(self.name(combo))

    def strength(self, combo: Combo, board: int) -> tuple[int, ...]:
        """The larger the better."""
        ranks = sorted((card // 2 for card in (*combo, board)), reverse=True)
        counted = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
        return tuple(value for pair in counted for value in pair)

    def order(self, hands: tuple[Combo, ...], board: int) -> tuple[int, ...]:
        """How many hands are better than each one."""
        strengths = [self.strength(hand, board) for hand in hands]
        levels = sorted(set(strengths), reverse=True)
        return normal_order([levels.index(strength) for strength in strengths])

    def boards(self, *hands: Combo) -> list[int]:
        taken = {card for hand in hands for card in hand}
        return [card for card in self.cards if card not in taken]

    def two_hands(self) -> TwoHands:
        hands = len(self.classes)
        total, win, tie = (np.zeros((hands, hands), np.int64) for _ in range(3))
        for pair in permutations(self.combos, 2):
            if {*pair[0]} & {*pair[1]}:
                continue
            at = tuple(self.number(combo) for combo in pair)
            for board in self.boards(*pair):
                order = self.order(pair, board)
                total[at] += 1
                win[at] += order == (0, 1)
                tie[at] += order == (0, 0)
        return TwoHands(total, win, tie)

    def three_hands(self) -> ThreeHands:
        hands = len(self.classes)
        found = [np.zeros((hands, hands, hands), np.int64) for _ in range(5)]
        total, beats, best, tie, all_tie = found
        numbers = {combo: self.number(combo) for combo in self.combos}
        for trio in permutations(self.combos, 3):
            if len({card for combo in trio for card in combo}) < 6:
                continue
            at = tuple(numbers[combo] for combo in trio)
            for board in self.boards(*trio):
                a, b, c = self.order(trio, board)
                total[at] += 1
                beats[at] += a < b
                best[at] += a == 0 and b > 0 and c > 0
                tie[at] += a == b == 0 and c > 0
                all_tie[at] += a == b == c
        return ThreeHands(total, beats, best, tie, all_tie)

    def samples(self, most: int, rows: int = 60, boards: int = 2, seed: int = 0) -> dict[int, Sample]:
        """Drawn hands of four players and more, with weights that need not add up to 1."""
        rng = np.random.default_rng(seed)
        found = {}
        for size in range(4, most + 1):
            drawn: list[tuple[list[int], list[tuple[int, ...]]]] = []
            for _ in range(rows):
                cards = rng.permutation(len(self.cards)).tolist()
                hands = tuple(
                    (min(pair), max(pair))
                    for pair in zip(cards[: 2 * size : 2], cards[1 : 2 * size : 2], strict=True)
                )
                some = cards[2 * size :]
                runouts = [some[i % len(some)] for i in range(boards)]
                drawn.append(([self.number(h) for h in hands], [self.order(hands, b) for b in runouts]))
            listed = sorted({order for _, each in drawn for order in each})
            found[size] = Sample(
                np.array([hands for hands, _ in drawn]),
                rng.uniform(0.5, 1.5, rows) / rows,
                np.array(listed),
                np.array([[listed.index(order) for order in each] for _, each in drawn]),
            )
        return found
