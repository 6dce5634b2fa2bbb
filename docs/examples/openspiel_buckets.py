"""Train a strategy for no-limit hold'em in OpenSpiel, on buckets in place of cards.

    pip install gpuodds open_spiel
    gpuodds abstraction build --street flop --buckets 200
    gpuodds abstraction build --street turn --buckets 200
    gpuodds abstraction build --street river --buckets 200
    python openspiel_buckets.py --deals 200000

The game is OpenSpiel's universal_poker, heads-up: fold, call, a bet of the pot, or all-in. What a
player knows there is its cards, the board and the moves; here it is its bucket on the street and the
moves. So some 200,000 situations take the place of 10^13. It is trained by Monte Carlo counterfactual
regret minimization with external sampling (Lanctot, Waugh, Zinkevich and Bowling, "Monte Carlo sampling
for regret minimization in extensive games", 2009), with regrets that never fall below zero. Then it
plays against bots that always call, or move at random. A demonstration, not a product.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

import gpuodds

STREETS = ("flop", "turn", "river")
BIG_BLIND = 100
DEALT = 9  # two hands and a board
LOOKED_UP = 4096  # deals at a time


def make_game(stack: int) -> Any:
    """Return heads-up no-limit hold'em with stacks in big blinds; the second player has the button."""
    chips = stack * BIG_BLIND
    return pyspiel.load_game(
        "universal_poker(betting=nolimit,numPlayers=2,numRounds=4,blind=100 50,firstPlayer=2 1 1 1,"
        "numSuits=4,numRanks=13,numHoleCards=2,numBoardCards=0 3 1 1,"
        f"stack={chips} {chips},bettingAbstraction=fcpa)"
    )


class Deals:
    """Deals, with the bucket of either hand on each street.

    OpenSpiel numbers cards as gpuodds does, the deuce of clubs 0 and the ace of spades 51.
    """

    def __init__(self, tables: Sequence[str], draw: np.random.Generator) -> None:
        self.buckets = [gpuodds.table(name).array("bucket") for name in tables]
        self.draw = draw
        self.left: list[tuple[list[int], list[list[int]]]] = []

    def next(self) -> tuple[list[int], list[list[int]]]:
        """Return nine cards, the hands first, and buckets by player and street."""
        if not self.left:
            cards = self.draw.permuted(np.tile(np.arange(52), (LOOKED_UP, 1)), axis=1)[:, :DEALT]
            found = np.zeros((LOOKED_UP, 2, 4), np.int64)
            for player in (0, 1):
                hands = cards[:, 2 * player : 2 * player + 2]
                found[:, player, 0] = gpuodds.canonical_rows(hands, cards[:, :0])
                for street, buckets in enumerate(self.buckets, 1):
                    rows = gpuodds.canonical_rows(hands, cards[:, 4 : 6 + street])
                    found[:, player, street] = buckets[rows]
            self.left = list(zip(cards.tolist(), found.tolist(), strict=True))
        return self.left.pop()


def known(state: Any, buckets: list[list[int]]) -> tuple[int, str]:
    """Return what the player to move knows: its bucket, and all moves."""
    text = state.information_state_string()
    moves = text[text.index("Sequences: ") + 11 : text.index("]", text.index("Sequences: "))]
    return buckets[state.current_player()][moves.count("|")], moves


class Strategy:
    """Regrets and moves by what a player knows."""

    def __init__(self) -> None:
        self.regrets: dict[tuple[int, str], Any] = {}
        self.moves: dict[tuple[int, str], Any] = {}

    def now(self, key: tuple[int, str], size: int) -> Any:
        """Return the chance of each move at the moment, in proportion to its regret."""
        if key not in self.regrets:
            self.regrets[key], self.moves[key] = np.zeros(size), np.zeros(size)
        regrets = self.regrets[key]
        total = regrets.sum()
        return regrets / total if total > 0 else np.full(size, 1 / size)

    def average(self, key: tuple[int, str], size: int) -> Any:
        """Return the chance of each move over all iterations."""
        moves = self.moves.get(key)
        if moves is None or not moves.any():
            return np.full(size, 1 / size)
        return moves / moves.sum()


def deal(state: Any, cards: list[int]) -> None:
    """Deal the next cards, as many as the game asks for."""
    while state.is_chance_node():
        state.apply_action(cards[sum(1 for move in state.full_history() if move.player < 0)])


def choose(chances: Any, draw: np.random.Generator) -> int:
    """Draw a move by the chance of each."""
    return min(int(np.searchsorted(np.cumsum(chances), draw.random())), len(chances) - 1)


def train(game: Any, deals: Deals, strategy: Strategy, count: int, draw: np.random.Generator) -> None:
    """Play deals with both players in turn: all their moves are tried, the other's are drawn."""

    def value(state: Any, player: int) -> float:
        deal(state, cards)
        if state.is_terminal():
            return float(state.player_return(player))
        actions, key = state.legal_actions(), known(state, buckets)
        chances = strategy.now(key, len(actions))
        if state.current_player() != player:
            strategy.moves[key] += chances
            return value(state.child(actions[choose(chances, draw)]), player)
        values = np.array([value(state.child(action), player) for action in actions])
        mean = float(chances @ values)
        strategy.regrets[key] = np.maximum(strategy.regrets[key] + values - mean, 0)
        return mean

    for _ in range(count):
        cards, buckets = deals.next()
        for player in (0, 1):
            value(game.new_initial_state(), player)


Bot = Callable[[Any, list[list[int]]], int]


def play(game: Any, deals: Deals, first: Bot, second: Bot, count: int) -> tuple[float, float]:
    """Play deals, each twice with seats changed; return big blinds per 100 hands, and its error."""
    won = np.zeros(count)
    for number in range(count):
        cards, buckets = deals.next()
        for seat, bots in ((0, (first, second)), (1, (second, first))):
            state = game.new_initial_state()
            deal(state, cards)
            while not state.is_terminal():
                state.apply_action(bots[state.current_player()](state, buckets))
                deal(state, cards)
            won[number] += state.player_return(seat) / 2
    won *= 100 / BIG_BLIND
    return float(won.mean()), float(won.std() / count**0.5)


def main() -> None:
    """Train a strategy, and print what it wins."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", nargs=3, default=[f"{street}-buckets" for street in STREETS])
    parser.add_argument("--stack", type=int, default=10, help="big blinds")
    parser.add_argument("--deals", type=int, default=200_000)
    parser.add_argument("--hands", type=int, default=10_000, help="to play against each bot")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    draw = np.random.default_rng(given.seed)
    game, deals, strategy = make_game(given.stack), Deals(given.tables, draw), Strategy()
    train(game, deals, strategy, given.deals, draw)
    print(f"{given.deals:,} deals: {len(strategy.moves):,} situations")

    def trained(state: Any, buckets: list[list[int]]) -> int:
        actions = state.legal_actions()
        return int(actions[choose(strategy.average(known(state, buckets), len(actions)), draw)])

    bots: dict[str, Bot] = {
        "always calls": lambda state, buckets: 1,
        "moves at random": lambda state, buckets: int(draw.choice(state.legal_actions())),
    }
    for name, bot in bots.items():
        mean, error = play(game, deals, trained, bot, given.hands)
        print(
            f"against a bot that {name}: {mean:+.0f} big blinds per 100 hands (+- {1.96 * error:.0f})"
        )


if __name__ == "__main__":
    main()
