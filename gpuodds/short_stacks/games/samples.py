"""Pots of four hands and more: a fixed sample of hands and of the orders in which they end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.outcomes import Worth
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.spot import History

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


class SampledPots:
    """What all pots of four and more change, against the pot of their first three players."""

    def __init__(self, rows: Rows, worth: Worth, samples: dict[int, Sample], prior: Floats) -> None:
        """Settle the drawn hands of a spot.

        Args:
            rows: The spot's decisions.
            worth: What its endings are worth.
            samples: Drawn hands by the number of players, for all from 4 on.
            prior: The chance of each hand.
        """
        self.rows, self.prior, self.samples = rows, prior, samples
        players = rows.spot.players
        self.changes: dict[History, npt.NDArray[np.float32]] = {}  # (n, players)
        for size in range(4, players + 1):
            sample = samples[size]
            first = np.array(
                [[sum(o < x for o in row) for x in row] for row in sample.orders[:, :3].tolist()]
            )
            for end in combinations(range(players), size):
                change = worth.values(end, sample.orders) - worth.values(end[:3], first)
                self.changes[end] = change[sample.boards].mean(axis=1).astype(np.float32)

    def add(
        self,
        strategy: Strategy,
        played: Callable[[Strategy, int, History], Floats],
        found: Floats,
    ) -> Floats:
        """Add to the advantages of all rows; return what is added to each player's value."""
        players, row_of = self.rows.spot.players, self.rows.row_of
        values = np.zeros(players)
        for end, change in self.changes.items():
            sample = self.samples[len(end)]
            histories = [tuple(other for other in end if other < player) for player in range(players)]
            chosen = [played(strategy, player, histories[player]) for player in range(players)]
            out = [player for player in range(players) if player not in end]
            folds = {player: float(self.prior @ (1 - chosen[player])) for player in out}
            inside = np.prod([folds[player] for player in out])
            if inside == 0 and sum(fold == 0 for fold in folds.values()) > 1:
                continue
            factors = [
                chosen[player][sample.hands[:, place]].astype(np.float32)
                for place, player in enumerate(end)
            ]
            weights = sample.weights.astype(np.float32)
            before = [weights]
            for factor in factors:
                before.append(before[-1] * factor)
            whole = before[-1] @ change
            values += inside * whole
            behind = np.ones_like(weights)
            for place in range(len(end) - 1, -1, -1):
                player = end[place]
                row = row_of.get((player, histories[player]))
                if row is not None:
                    here = inside * before[place] * behind * change[:, player]
                    found[row] += np.bincount(sample.hands[:, place], here, found.shape[1])
                behind = behind * factors[place]
            for player in out:
                row = row_of.get((player, histories[player]))
                if row is not None:
                    others = np.prod([fold for other, fold in folds.items() if other != player])
                    found[row] -= self.prior * (others * whole[player])
        return values


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
    from math import comb, prod

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
