"""Solve a river or a turn with CFR+, on gpuodds.showdown_values and gpuodds.fold_values.

A demonstration of what a solver asks: at the ends of its tree the values of all hands of all players,
in a few calls for all ends. The rest is a tree of bets, strategies made of regrets, and sums.

    python solver.py river            two players, three sizes of bets, up to three raises
    python solver.py turn             two players, a turn and all its rivers
    python solver.py three            three players on a river

Figures are chips. The gain is what players would add in all if each, alone, changed to the best reply
to the others: 0 in equilibrium. With three players CFR+ need not get there; the gain says how near it
is.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numba import njit

import gpuodds
from gpuodds.cards import format_cards, parse_cards
from gpuodds.numbering import combo_cards

compiled: Any = njit(nogil=True)

HANDS = 1326
CHANCE, END = -1, -2  # in place of a player who acts
NO_SHOWDOWN = -1  # in place of a player who has folded
THREADS = 2
TINY = np.float32(1e-20)  # smaller weights are 0: denormal numbers are slow


@dataclass(frozen=True)
class Game:
    """A river or a turn: what is in the pot, what players have behind, and how they may bet.

    Each player has the same stack. Sizes are parts of the pot after a call; the largest bet is all-in.
    """

    board: str
    ranges: tuple[str, ...]
    pot: float
    stack: float
    sizes: tuple[float, ...]
    raises: int

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.ranges)

    @property
    def rivers(self) -> list[str]:
        """The full boards; one if the board is full."""
        cards = parse_cards(self.board)
        if len(cards) == 5:
            return [self.board]
        left = (card for card in range(52) if card not in cards)
        return [self.board + format_cards([card]) for card in left]


@dataclass(frozen=True)
class State:
    """Where a hand stands: chips put in, who has folded, who has to act, and bets on this street."""

    put: tuple[float, ...]
    folded: frozenset[int]
    waiting: tuple[int, ...]
    bets: int
    board: int | None  # the number of the river, None on a turn

    def children(self, game: Game) -> Iterator[State]:
        """Give the state after each action of the player who acts: fold, check or call, bets."""
        player, later = self.waiting[0], self.waiting[1:]
        high, most = max(self.put), game.pot / game.players + game.stack
        if high > self.put[player]:
            yield replace(self, folded=self.folded | {player}, waiting=later)
        yield self.paying(player, high, later)
        if high < most and self.bets <= game.raises:
            others = tuple((player + step) % game.players for step in range(1, game.players))
            after_call = sum(self.put) + high - self.put[player]
            for amount in sorted({min(high + size * after_call, most) for size in game.sizes}):
                raised = self.paying(player, amount, tuple(p for p in others if p not in self.folded))
                yield replace(raised, bets=self.bets + 1)

    def paying(self, player: int, amount: float, waiting: tuple[int, ...]) -> State:
        """Return the state after a player has put chips in, up to an amount."""
        put = (*self.put[:player], amount, *self.put[player + 1 :])
        return replace(self, put=put, waiting=waiting)


@dataclass
class Tree:
    """The nodes of a game, in arrays. A node's children have the numbers first to first + count - 1."""

    states: list[State] = field(default_factory=list)
    actors: list[int] = field(default_factory=list)  # or CHANCE, where a river is dealt, or END
    first: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, game: Game) -> Tree:
        """Return all that can happen in a game."""
        tree, rivers = cls(), game.rivers
        everyone = tuple(range(game.players))
        root = State((game.pot / game.players,) * game.players, frozenset(), everyone, 0, None)
        left = deque([root if len(rivers) > 1 else replace(root, board=0)])
        numbered = 1
        while left:
            state = left.popleft()
            alive = tuple(player for player in everyone if player not in state.folded)
            children: list[State] = []
            actor = END
            if len(alive) > 1 and state.waiting:
                actor, children = state.waiting[0], [*state.children(game)]
            elif len(alive) > 1 and state.board is None:
                all_in = max(state.put) >= game.pot / game.players + game.stack
                actor, waiting = CHANCE, () if all_in else alive
                dealt = replace(state, waiting=waiting, bets=0)
                children = [replace(dealt, board=river) for river in range(len(rivers))]
            tree.states.append(state)
            tree.actors.append(actor)
            tree.first.append(numbered)
            tree.count.append(len(children))
            left.extend(children)
            numbered += len(children)
        return tree

    def ends(self, players: int) -> list[tuple[int | None, list[int]]]:
        """Return the showdowns, by the one player who has folded, and last the ends without one."""
        showdowns: dict[int | None, list[int]] = {}
        folds = []
        for node, (actor, state) in enumerate(zip(self.actors, self.states, strict=True)):
            if actor == END and len(state.folded) == players - 1:
                folds.append(node)
            elif actor == END:
                showdowns.setdefault(next(iter(state.folded), None), []).append(node)
        return [*showdowns.items(), (NO_SHOWDOWN, folds)]


class Solver:
    """CFR+: regrets of each action by hand, from which the next strategy follows.

    ``slots`` says where a node's weights and values are: showdowns come first, by the player who has
    folded, then nodes where one player is left, then the rest; so each kind is one array.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.tree, self.rivers = game, Tree.of(game), game.rivers
        tree, players = self.tree, game.players
        self.ends = tree.ends(players)
        ended = [node for _, nodes in self.ends for node in nodes]
        self.slots = np.empty(len(tree.states), np.int64)
        self.slots[ended + [n for n, actor in enumerate(tree.actors) if actor != END]] = np.arange(
            len(tree.states)
        )
        states = [tree.states[node] for node in ended]
        self.put = np.array([state.put for state in states], np.float32)
        alone = [[player not in state.folded for player in range(players)] for state in states]
        self.left = np.array(alone, np.float32)[:, :, None]
        boards = [parse_cards(board) for board in self.rivers]
        self.boards = np.array([boards[state.board or 0] for state in states])
        self.shape = tuple(np.array(part, np.int64) for part in (tree.actors, tree.first, tree.count))
        self.reach = np.zeros((len(tree.states), players, HANDS), np.float32)
        self.values = np.zeros_like(self.reach)
        edges = (len(tree.states), HANDS)  # a node's entry is the action that leads to it
        self.regrets, self.strategy, self.average = (np.zeros(edges, np.float32) for _ in range(3))
        self.reach[self.slots[0]] = [gpuodds.Range(text).weights for text in game.ranges]
        self.pool = ThreadPoolExecutor(THREADS)
        cards = [parse_cards(board)[-1:] for board in self.rivers]
        combos = combo_cards()
        self.live = np.array([~np.isin(combos, dealt).any(axis=1) for dealt in cards])
        # Of a river, given all hands; a hand that has the card has none.
        self.chances = self.live.astype(np.float32) / (52 - 4 - 2 * players)
        self.follow(self.regrets)

    def each(self, function: Any, *arguments: Any) -> None:
        """Call a function of the tree for all hands, in two threads: hands do not need each other."""
        step = HANDS // THREADS
        given = self.shape, self.slots, *arguments
        parts = [(begin, begin + step) for begin in range(0, HANDS, step)]
        for call in [self.pool.submit(function, *given, *part) for part in parts]:
            call.result()

    def follow(self, weights: Any) -> None:
        """Have all players act by weights of actions."""
        for player in range(self.game.players):
            self.each(descend, self.reach, self.strategy, weights, self.live, player)

    def iterate(self, number: int) -> None:
        """Improve each player's strategy in turn; in the average this one counts ``number`` times."""
        for player in range(self.game.players):
            self.evaluate_ends()
            self.each(sum_up, self.values, self.strategy, self.chances, False, player)
            learned = self.values, self.reach, self.regrets, self.average
            self.each(learn, *learned, np.float32(number), player)
            self.each(descend, self.reach, self.strategy, self.regrets, self.live, player)

    def gains(self) -> tuple[list[float], list[float]]:
        """Return what players win with their average strategies, and what a best reply would add."""
        self.follow(self.average)
        self.evaluate_ends()
        start = self.reach[self.slots[0]].astype(np.float64)
        dealt = (start[0] * gpuodds.fold_values(start, self.game.board)[0]).sum()
        worth = []
        for best in (False, True):
            for player in range(self.game.players):
                self.each(sum_up, self.values, self.strategy, self.chances, best, player)
                worth.append((start[player] * self.values[self.slots[0], player]).sum() / dealt)
        self.follow(self.regrets)
        won, most = worth[: self.game.players], worth[self.game.players :]
        return won, [high - low for high, low in zip(most, won, strict=True)]

    def evaluate_ends(self) -> None:
        """Write the values of all hands at all ends: what they win, times the others' weights."""
        calls, begin = [], 0
        for folded, nodes in self.ends:
            step = -(-len(nodes) // THREADS) or 1
            for part in range(0, len(nodes), step):
                some = slice(begin + part, begin + min(part + step, len(nodes)))
                calls.append(self.pool.submit(self.evaluate, folded, some))
            begin += len(nodes)
        for call in calls:
            call.result()

    def evaluate(self, folded: int | None, some: slice) -> None:
        """Write the values of hands at some ends of one kind."""
        reach, values, put = self.reach[some], self.values[some], self.put[some]
        pots = put.sum(axis=1)[:, None, None]
        if folded == NO_SHOWDOWN:  # one is left, and takes the pot
            gpuodds.fold_values(reach, self.game.board, out=values)
            values *= self.left[some] * pots - put[:, :, None]
            return
        boards = self.boards[some] if len(self.rivers) > 1 else self.rivers[0]
        gpuodds.showdown_values(boards, reach, out=values, folded=folded)
        if folded is None:
            values *= put[:, :, None]
        else:  # shares of a pot to which the player who has folded gave less
            beside = gpuodds.fold_values(reach, self.game.board)
            values += beside
            values *= pots / self.game.players
            values -= beside * put[:, :, None]


@compiled
def descend(
    shape: Any, slots: Any, reach: Any, strategy: Any, weights: Any, live: Any, player: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Make a player's strategy of weights of actions, and the weights of hands at all nodes."""
    actors, first, count = shape
    total = np.empty(HANDS, np.float32)
    for node in range(len(actors)):
        here = reach[slots[node], player]
        children = range(first[node], first[node] + count[node])
        total[begin:end] = 0
        for child in children:
            for hand in range(begin, end):
                total[hand] += weights[child, hand]
        for child in children:
            there = reach[slots[child], player]
            if actors[node] == CHANCE:
                dealt = live[child - first[node]]
                for hand in range(begin, end):
                    there[hand] = here[hand] * dealt[hand]
            elif actors[node] != player:
                there[begin:end] = here[begin:end]
            else:
                for hand in range(begin, end):
                    known = total[hand] > 0
                    part = weights[child, hand] / total[hand] if known else np.float32(1 / count[node])
                    weight = here[hand] * part
                    strategy[child, hand] = part
                    there[hand] = weight if weight > TINY else np.float32(0)


@compiled
def sum_up(
    shape: Any, slots: Any, values: Any, strategy: Any, chances: Any, best: bool, player: int,
    begin: int, end: int,
) -> None:  # fmt: skip
    """Take a player's values up from the ends, by the strategy or, if ``best``, the best action."""
    actors, first, count = shape
    for node in range(len(actors) - 1, -1, -1):
        here = values[slots[node], player]
        for child in range(first[node], first[node] + count[node]):
            there = values[slots[child], player]
            if child == first[node]:
                here[begin:end] = 0
            for hand in range(begin, end):
                if actors[node] == CHANCE:
                    here[hand] += there[hand] * chances[child - first[node], hand]
                elif actors[node] != player:
                    here[hand] += there[hand]
                elif not best:
                    here[hand] += there[hand] * strategy[child, hand]
                elif child == first[node] or there[hand] > here[hand]:
                    here[hand] = there[hand]


@compiled
def learn(
    shape: Any, slots: Any, values: Any, reach: Any, regrets: Any, average: Any, weight: Any,
    player: int, begin: int, end: int,
) -> None:  # fmt: skip
    """Add to a player's regrets, none of which falls below 0, and to the average strategy."""
    actors, first, count = shape
    for node in range(len(actors)):
        if actors[node] != player:
            continue
        here = values[slots[node], player]
        for child in range(first[node], first[node] + count[node]):
            there, played = values[slots[child], player], reach[slots[child], player]
            for hand in range(begin, end):
                regrets[child, hand] = max(
                    regrets[child, hand] + there[hand] - here[hand], np.float32(0)
                )
                average[child, hand] += weight * played[hand]


def solve(game: Game, iterations: int) -> Solver:
    """Solve a game, and print now and then how far it is from an equilibrium."""
    solver = Solver(game)
    print(f"{game.board}: {len(solver.tree.states):,} nodes, {game.players} players")
    solver.iterate(1)  # compiles, if need be
    began = time.perf_counter()
    for number in range(2, iterations + 1):
        solver.iterate(number)
        spent = time.perf_counter() - began
        if number & (number - 1) == 0 or number == iterations:
            won, gains = solver.gains()
            chips = ", ".join(f"{value:+.3f}" for value in won)
            gain = f"{sum(gains):.4f}, {sum(gains) / game.pot:.3%} of the pot"
            print(f"{number:6,} iterations {spent:6.1f} s  won {chips}  gain {gain}")
    return solver


EXAMPLES = {
    "river": Game(
        board="Ts7s2c9dKh",
        ranges=("22+,A2+,K9+,QT+,JT,T9,98,87", "22+,A2s+,ATo+,KT+,QT+,J9+,T8+,97+,86s+"),
        pot=100,
        stack=1000,
        sizes=(0.5, 1, 2),
        raises=3,
    ),
    "turn": Game(
        board="Ts7s2c9d",
        ranges=("22+,A2+,KT+,QT+", "22+,A2s+,ATo+,KT+,QT+,JT"),
        pot=100,
        stack=200,
        sizes=(0.75,),
        raises=1,
    ),
    "three": Game(
        board="Ts7s2c9dKh",
        ranges=("22+,A2s+,ATo+,KT+", "22+,A2s+,KJ+,QT+,JT", "22+,AT+,KT+,QT+,T9s"),
        pot=90,
        stack=150,
        sizes=(0.75,),
        raises=1,
    ),
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Solve a river or a turn with CFR+.")
    parser.add_argument("example", choices=EXAMPLES)
    parser.add_argument("--iterations", type=int, default=1000)
    chosen = parser.parse_args()
    solve(EXAMPLES[chosen.example], chosen.iterations)
