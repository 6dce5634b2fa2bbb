"""The search on Kuhn poker, whose equilibria are known (H. W. Kuhn, 1950)."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from gpuodds.short_stacks.search.polish import polish
from gpuodds.short_stacks.search.solver import Found, gain_of, iterate

OPEN, AFTER_BET, AFTER_CHECK, CHECK_CALL = range(4)
# Rows: the first player's bet; the second's call, and his bet after a check; the first's call of that.
DEALS = list(permutations(range(3), 2))


class Kuhn:
    """Three cards, a bet of one: each decision is one of two actions."""

    shape = 4, 3
    turns = (slice(0, 1), slice(1, 3), slice(3, 4))
    hand_chances = np.full(3, 1 / 3)

    def reach(self, strategy: Any, turn: int) -> Any:
        # The first player calls only where he has checked before.
        return 1 - strategy[OPEN : OPEN + 1] if turn == 2 else None

    def advantages(self, strategy: Any, turn: int) -> Any:
        found = np.zeros((4, 3))
        for one, two in DEALS:
            won = 1 if one > two else -1
            bet, call = strategy[OPEN, one], strategy[AFTER_BET, two]
            bluff, last = strategy[AFTER_CHECK, two], strategy[CHECK_CALL, one]
            after_check = (1 - bluff) * won + bluff * (last * 2 * won - (1 - last))
            after_bet = call * 2 * won + (1 - call)
            found[OPEN, one] += after_bet - after_check
            found[AFTER_BET, two] += bet * (1 - 2 * won)
            found[AFTER_CHECK, two] += (1 - bet) * (won - (last * 2 * won - (1 - last)))
            found[CHECK_CALL, one] += (1 - bet) * bluff * (2 * won + 1)
        return (found / len(DEALS))[self.turns[turn]]

    def value(self, strategy: Any) -> float:
        total = 0.0
        for one, two in DEALS:
            won = 1 if one > two else -1
            bet, call = strategy[OPEN, one], strategy[AFTER_BET, two]
            bluff, last = strategy[AFTER_CHECK, two], strategy[CHECK_CALL, one]
            total += bet * (call * 2 * won + 1 - call)
            total += (1 - bet) * ((1 - bluff) * won + bluff * (last * 2 * won - (1 - last)))
        return total / len(DEALS)


def test_kuhn_poker_is_worth_minus_an_eighteenth() -> None:
    game = Kuhn()
    free = np.ones(4, bool)
    found = iterate(
        game,
        np.full((4, 3), 0.5),
        iterations=4000,
        every=500,
        free=free,
        stop=lambda done, best: best.gain < 1e-5,
    )
    assert found.gain < 5e-4
    assert game.value(found.strategy) == pytest.approx(-1 / 18, abs=1e-4)
    bluff = found.strategy[OPEN, 0]
    assert 0 <= bluff <= 1 / 3 + 0.01 and found.strategy[OPEN, 1] == pytest.approx(0, abs=0.01)
    assert found.strategy[OPEN, 2] == pytest.approx(3 * bluff, abs=0.05)
    assert found.strategy[AFTER_BET] == pytest.approx([0, 1 / 3, 1], abs=0.02)
    assert found.strategy[AFTER_CHECK, [0, 2]] == pytest.approx([1 / 3, 1], abs=0.02)
    assert found.strategy[CHECK_CALL, 1] == pytest.approx(bluff + 1 / 3, abs=0.02)


class Pennies:
    """Two players, two hands each, with an equilibrium that is mixed: 1/3 and 1/4, 0.8 and 0.6."""

    shape = 2, 2
    turns = (slice(0, 1), slice(1, 2))
    hand_chances = np.full(2, 0.5)

    def advantages(self, strategy: Any, turn: int) -> Any:
        return (self.slopes(strategy) @ strategy.ravel() + [-0.8, -1.2, 1 / 3, 1.5]).reshape(2, 2)[
            self.turns[turn]
        ]

    def reach(self, strategy: Any, turn: int) -> None:
        return

    def slopes(self, strategy: Any) -> Any:
        found = np.zeros((4, 4))
        found[0, 2], found[1, 3] = 1, 2
        found[2, 0], found[3, 1] = -1, -6
        return found


def test_mixed_strategies_are_found_to_the_last_digit() -> None:
    game, start = Pennies(), np.full((2, 2), 0.5)
    free = np.ones(2, bool)
    first = Found(start, gain_of(game, start, free))
    found = polish(game, first, free, 1e-13, 1.0, lambda best: False)
    assert found.strategy == pytest.approx(np.array([[1 / 3, 1 / 4], [0.8, 0.6]]), abs=1e-6)
    assert found.gain < 1e-10


def test_locked_rows_stay_and_the_others_answer() -> None:
    game, start = Pennies(), np.array([[1.0, 0.0], [0.5, 0.5]])
    free = np.array([False, True])
    found = iterate(game, start, iterations=60, every=20, free=free, stop=lambda done, best: False)
    assert found.strategy.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert found.gain == 0


def test_a_search_that_is_stopped_gives_the_best_so_far() -> None:
    game = Kuhn()
    seen: list[int] = []

    def stop(done: int, best: Found) -> bool:
        seen.append(done)
        return done >= 20

    start = np.full((4, 3), 0.5)
    found = iterate(game, start, iterations=1000, every=10, free=np.ones(4, bool), stop=stop)
    assert seen == [0, 10, 20]
    assert found.gain < gain_of(game, start)
