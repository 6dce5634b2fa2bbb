"""A fixed sample of hands of four players and more, and of the orders in which they end."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, prod

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.search.solver import Floats

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sample:
    """Drawn hands of some players.

    Attributes:
        hands: The players' hands, (n, players).
        weights: What each row counts, about 1 in all: its chance, over that with which it is drawn.
        orders: All orders in which they end on some board, (orders, players).
        boards: Which order each row has on its boards, (n, boards).
    """

    hands: Ints
    weights: Floats
    orders: Ints
    boards: Ints


ROWS = {4: 12_000, 5: 6_000, 6: 3_000, 7: 1_500, 8: 800, 9: 800}
BOARDS = 24
SEED = 0


def draw_samples(players: int) -> dict[int, Sample]:
    """Draw the hands of all pots of four and more, always the same ones.

    Strong hands, which go all-in, are drawn more often than others, and count less: hands are drawn by
    chances g, all anew until no card is twice among them, and a row counts as much as its hands are
    dealt, over the product of their g.
    """
    return {size: _draw(size, ROWS[size]) for size in range(4, players + 1)}


def _draw(size: int, count: int) -> Sample:
    from gpuodds.games.holdem.combo_hands import combo_hands
    from gpuodds.games.holdem.equity_order import equity_order
    from gpuodds.games.holdem.starting_hands import combinations as combos_of
    from gpuodds.games.holdem.starting_hands import starting_hands
    from gpuodds.games.shared.combos import combo_cards
    from gpuodds.methods.hands.evaluate import rank_hands

    rng = np.random.default_rng((SEED, size))
    cards = combo_cards()
    number = combo_hands()
    by_equity = [starting_hands().index(name) for name in equity_order()]
    sizes = np.array([combos_of(name) for name in equity_order()])
    better = (np.cumsum(sizes) - sizes) / sizes.sum()
    by_hand = np.empty(len(by_equity))
    by_hand[by_equity] = better
    chances = 0.1 + np.exp(-by_hand[number] / 0.12)
    chances /= chances.sum()
    kept: list[Ints] = []
    drawn = found = 0
    while found < count:
        tries = rng.choice(len(cards), (4 * count, size), p=chances)
        held = np.sort(cards[tries].reshape(len(tries), -1), axis=1)
        disjoint = tries[(held[:, 1:] != held[:, :-1]).all(axis=1)]
        drawn, found = drawn + len(tries), found + len(disjoint)
        kept.append(disjoint)
    apart = found / drawn
    hands = np.concatenate(kept)[:count]
    dealt = prod(comb(52 - 2 * place, 2) for place in range(size))
    weights = apart / (dealt * chances[hands].prod(axis=1)) / count
    held = cards[hands].reshape(count, -1).astype(np.int64)
    keys = rng.random((count, BOARDS, 52))
    np.put_along_axis(keys, np.broadcast_to(held[:, None], (count, BOARDS, held.shape[1])), 2.0, axis=2)
    boards = np.argpartition(keys, 5, axis=2)[:, :, :5]
    seven = np.concatenate(
        [
            np.broadcast_to(cards[hands][:, None], (count, BOARDS, size, 2)),
            np.broadcast_to(boards[:, :, None], (count, BOARDS, size, 5)),
        ],
        axis=3,
    )
    ranks = rank_hands(seven.reshape(-1, 7).astype(np.uint8)).reshape(count, BOARDS, size)
    better = (ranks[:, :, None, :] > ranks[:, :, :, None]).sum(axis=3)
    orders, places = np.unique(better.reshape(-1, size), axis=0, return_inverse=True)
    return Sample(number[hands], weights, orders, places.reshape(count, BOARDS))
