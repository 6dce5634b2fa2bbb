"""Four to nine players: one model of deals in which pots of up to three hands are counted.

The model: a player's starting hand is dealt when it is his turn, with the chances that the starting
hands of those who are all-in leave; who folds puts his cards back into the deck. So hands of up to
three players all-in are dealt, and ordered, as the tables have it. The fourth player all-in and all
further ones are sampled: what each changes for the players, against the pot of the first three, is
averaged over drawn hands and boards (:mod:`gpuodds.short_stacks.games.samples`).

Each player's value is linear in each of his probabilities. Its derivatives are what players learn from,
and what the certificate adds up. For players i < j < k, all-in in this order with hands a, b, c:

    value after i is in with a    = nobody follows, or the sum over j of value after i and j
    value after i and j are in    = nobody follows, or the sum over k of value after all three

each weighted with the chance that the players between fold, which depends on a, or on a and b.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from gpuodds.basics.lazy import cached_property
from gpuodds.short_stacks.games.deals import ThreeHands, TwoHands
from gpuodds.short_stacks.games.rows import Rows
from gpuodds.short_stacks.games.sampled_pots import SampledPots
from gpuodds.short_stacks.games.samples import Sample
from gpuodds.short_stacks.outcomes import Worth
from gpuodds.short_stacks.search.solver import Floats, Strategy
from gpuodds.short_stacks.settling import orders
from gpuodds.short_stacks.spot import History, PushFoldSpot

Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class ManyChances:
    """What all games of four players and more share.

    Attributes:
        hand: The chance of each hand, (hands,).
        pair: The chance of two hands, (hands, hands).
        pair_orders: The chances of two hands to tie, and of the first to win, given the hands: (2,
            hands, hands).
        three: The chances of three hands and an order of theirs: float32 (last hand, orders, first hand
            x second hand).
        samples: Drawn hands by their number.
    """

    hand: Floats
    pair: Floats
    pair_orders: Floats
    three: Singles
    samples: dict[int, Sample]

    @cached_property
    def dealt(self) -> Singles:
        """The chances of three hands, (last hand, first hand x second hand)."""
        chances: Singles = self.three.sum(axis=1)
        return chances

    @classmethod
    def of(cls, two: TwoHands, three: ThreeHands, samples: dict[int, Sample]) -> ManyChances:
        """Divide counts by their sums."""
        hands = two.hands
        pair = two.total / float(two.total.sum())
        dealt = np.maximum(two.total, 1)
        whole = float(three.total.sum())
        stacked = np.empty((hands, len(orders(3)), hands * hands), np.float32)
        for place, order in enumerate(orders(3)):
            stacked[:, place] = (three.count(order).transpose(2, 0, 1) / whole).reshape(hands, -1)
        return cls(
            pair.sum(axis=1), pair, np.stack([two.tie / dealt, two.win / dealt]), stacked, samples
        )


@dataclass(frozen=True)
class Evaluation:
    """What a strategy is worth.

    Attributes:
        advantages: How much more all-in is worth than a fold, (rows, hands).
        values: How much each player gains, (players,).
    """

    advantages: Floats
    values: Floats


class ManyHanded:
    """The game of four to nine players. Values are of one deal, in the spot's unit."""

    def __init__(self, spot: PushFoldSpot, chances: ManyChances, worth: Worth) -> None:
        """Make the values of a spot's endings."""
        self.rows = Rows(spot)
        self.chances = chances
        self.players = spot.players
        everyone = range(self.players)
        alone = np.zeros((1, 1), np.int64)
        last = self.players - 1
        self.walk = worth.values((last,), alone)[0]
        self.single = [worth.values((i,), alone)[0] for i in everyone]
        two, three = np.array(orders(2)), np.array(orders(3))
        self.two = {pair: worth.values(pair, two) for pair in combinations(everyone, 2)}
        self.trios = list(combinations(everyone, 3))
        self.three = np.stack([worth.values(trio, three) for trio in self.trios])
        self.sampled = SampledPots(self.rows, worth, chances.samples, chances.hand)
        self.hand_chances = chances.hand
        self.shape = len(self.rows.histories), len(chances.hand)
        self.turns = [slice(0, self.shape[0])]

    def reach(self, strategy: Strategy, turn: int) -> None:
        """Return None: a player acts once."""
        return

    def advantages(self, strategy: Strategy, turn: int) -> Floats:
        """Return how much more all-in is worth than a fold, for all rows."""
        return self.evaluate(strategy).advantages

    def played(self, strategy: Strategy, player: int, history: History) -> Floats:
        """Return the probability of all-in by hand, where there is a choice or not."""
        row = self.rows.row_of.get((player, history))
        if row is not None:
            chosen: Floats = strategy[row]
            return chosen
        is_walk = not history and player == self.players - 1
        return np.zeros(self.shape[1]) if is_walk else np.ones(self.shape[1])

    @cached_property
    def _given(self) -> Floats:
        # The chance of a second hand given the first, (first, second).
        return self.chances.pair / self.chances.hand[:, None]

    def evaluate(self, strategy: Strategy, *, precise: bool = False) -> Evaluation:
        """Return what a strategy is worth to all players, and each change of it to who makes it.

        Args:
            strategy: All probabilities.
            precise: Add up in float64, not in float32.
        """
        players, hands = self.players, self.shape[1]
        hand = self.chances.hand
        found = np.zeros(self.shape)
        trios = _Trios(self, strategy, np.dtype(np.float64 if precise else np.float32))
        first = [self.played(strategy, i, ()) for i in range(players)]
        folds = np.array([hand @ (1 - chosen) for chosen in first])
        before = [float(np.prod(folds[:i])) for i in range(players + 1)]
        after = np.zeros((players + 1, players))  # by who is first in, by player
        after[players] = self.walk
        for i in range(players):
            reached = before[i] * hand * first[i]
            value = self._first_in(i, reached, strategy, trios, found)
            after[i] = (hand * first[i]) @ value
            row = self.rows.row_of.get((i, ()))
            if row is not None:
                found[row] += before[i] * hand * value[:, i]
        for k in range(players):
            row = self.rows.row_of.get((k, ()))
            if row is not None:
                others = [
                    float(np.prod(np.delete(folds[:i], k))) * after[i, k]
                    for i in range(k + 1, players + 1)
                ]
                found[row] -= hand * sum(others)
        values = np.array(before) @ after
        trios.add(found)
        values += self.sampled.add(strategy, self.played, found)
        return Evaluation(found.reshape(-1, hands), values)

    def _first_in(
        self, i: int, reached: Floats, strategy: Strategy, trios: _Trios, found: Floats
    ) -> Floats:
        """Return what it is worth that a player is first in, by his hand: (hands, players).

        Args:
            i: The player.
            reached: The chance that he is first in with each hand.
            strategy: All probabilities.
            trios: The pots of three.
            found: Advantages of players who follow are added to.
        """
        hands, later = self.shape[1], range(i + 1, self.players)
        given = self._given
        chosen = {k: self.played(strategy, k, (i,)) for k in later}
        fold = {k: 1 - given @ chosen[k] for k in later}
        following: dict[int, Floats] = {}  # given that j is the second in, (hands, players)
        for j in later:
            between = _product([fold[k] for k in range(i + 1, j)], (hands,))
            value = self._second_in(i, j, reached * between, chosen[j], trios)
            following[j] = np.einsum("ab,pab->ap", given * chosen[j], value)
            row = self.rows.row_of.get((j, (i,)))
            if row is not None:
                found[row] += (reached * between) @ (given * value[j])
        whole = np.zeros((hands, self.players))
        for j in [*later, None]:
            stop = self.players if j is None else j
            folded = range(i + 1, stop)
            worth = np.broadcast_to(self.single[i], whole.shape) if j is None else following[j]
            whole += _product([fold[k] for k in folded], (hands,))[:, None] * worth
            for k in folded:
                row = self.rows.row_of.get((k, (i,)))
                if row is not None:
                    others = _product([fold[x] for x in folded if x != k], (hands,))
                    found[row] -= (reached * others * worth[:, k]) @ given
        return whole

    def _second_in(self, i: int, j: int, reached: Floats, chosen: Floats, trios: _Trios) -> Floats:
        """Return what it is worth that two players are in, by their hands: (players, hands, hands).

        Args:
            i: The first.
            j: The second.
            reached: The chance that the first is in, and those between fold, by his hand.
            chosen: The probability of all-in of the second, by his hand.
            trios: The pots of three.
        """
        hands, later = self.shape[1], range(j + 1, self.players)
        tie, win = self.chances.pair_orders
        worth = self.two[i, j]  # by (tie, first wins, second wins) and player
        value = np.empty((self.players, hands, hands))
        for player, (tied, won, lost) in enumerate(worth.T):
            value[player] = tied * tie + won * win + lost * win.T
        reach = reached[:, None] * self._given * chosen
        folds = {k: trios.folds(i, j, k) for k in later}
        ends = value
        whole = np.zeros_like(value)
        for k in [*later, None]:
            between = [x for x in range(j + 1, self.players if k is None else k)]
            chance = _product([folds[x] for x in between], (hands, hands))
            worth_here = ends if k is None else trios.worth(i, j, k)
            whole += chance * worth_here
            if k is not None:
                trios.reach(i, j, k, reach * chance)
            for x in between:
                if (x, (i, j)) in self.rows.row_of:
                    others = _product([folds[y] for y in between if y != x], (hands, hands))
                    trios.lose(i, j, x, reach * others * worth_here[x])
        return whole


class _Trios:
    """The pots of three of one strategy: all of them are multiplied with the orders at once."""

    def __init__(self, game: ManyHanded, strategy: Strategy, dtype: np.dtype[Any]) -> None:
        self.game, self.dtype = game, dtype
        hands = game.shape[1]
        self.place = {trio: number for number, trio in enumerate(game.trios)}
        third = np.stack([game.played(strategy, k, (i, j)) for i, j, k in game.trios])
        three = game.chances.three
        count = three.shape[1]
        # (trios, orders, first hand x second hand): the third player in, in each order.
        self.chances = np.empty((len(third), count, hands * hands), dtype)
        chosen = third.astype(dtype)
        for order in range(count):  # one after another: whole in float64 they would take 1 GB
            np.matmul(chosen, three[:, order].astype(dtype, copy=False), out=self.chances[:, order])
        pair = game.chances.pair.ravel()
        self.scale = np.divide(1, pair, where=pair > 0, out=np.zeros_like(pair)).astype(dtype)
        self.reached = np.zeros((len(third), hands * hands), dtype)
        self.lost = np.zeros((len(third), hands * hands), dtype)

    def folds(self, i: int, j: int, k: int) -> Floats:
        """Return the chance that a third player folds, by the hands of the first two."""
        hands = self.game.shape[1]
        total = self.chances[self.place[i, j, k]].sum(axis=0) * self.scale
        folded: Floats = 1 - total.reshape(hands, hands).astype(np.float64)
        return folded

    def worth(self, i: int, j: int, k: int) -> Floats:
        """Return what it is worth that a third player is in, with the chance that he is.

        Returns:
            (players, hands, hands).
        """
        hands, number = self.game.shape[1], self.place[i, j, k]
        values = self.game.three[number].T.astype(self.dtype)  # (players, orders)
        worth: Floats = (values @ self.chances[number] * self.scale).reshape(-1, hands, hands)
        return worth

    def reach(self, i: int, j: int, k: int, chances: Floats) -> None:
        """Note the chance that it is a third player's turn, by the hands of the first two."""
        self.reached[self.place[i, j, k]] = chances.ravel() * self.scale

    def lose(self, i: int, j: int, k: int, worth: Floats) -> None:
        """Note what a fold of a third player is worth to him, by the hands of the first two."""
        self.lost[self.place[i, j, k]] += worth.ravel() * self.scale

    def add(self, found: Floats) -> None:
        """Add the advantages of the third players."""
        hands, three = self.game.shape[1], self.game.chances.three
        count = three.shape[1]
        own = np.stack(
            [self.game.three[number, :, k] for number, (_, _, k) in enumerate(self.game.trios)]
        )
        won = np.zeros((len(self.reached), hands), self.dtype)
        for order in range(count):
            by_hand = self.reached @ three[:, order].astype(self.dtype, copy=False).T
            won += by_hand * own[:, order, None].astype(self.dtype)
        folded = self.lost @ self.game.chances.dealt.astype(self.dtype, copy=False).T
        for number, (i, j, k) in enumerate(self.game.trios):
            row = self.game.rows.row_of.get((k, (i, j)))
            if row is not None:
                found[row] += won[number] - folded[number]


def _product(factors: list[Floats], shape: tuple[int, ...]) -> Floats:
    whole = np.ones(shape)
    for factor in factors:
        whole = whole * factor
    return whole
