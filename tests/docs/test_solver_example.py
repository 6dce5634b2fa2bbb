"""The solver of docs/examples: games of which the equilibrium is known, and gains that vanish."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuodds.cards import parse_cards
from gpuodds.games import combo_index

FILE = Path(__file__).parents[2] / "docs" / "examples" / "solver.py"


@pytest.fixture(scope="module")
def solver() -> Any:
    found = importlib.util.spec_from_file_location("solver_example", FILE)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["solver_example"] = module
    found.loader.exec_module(module)
    return module


def solve(solver: Any, game: Any, iterations: int) -> Any:
    solved = solver.Solver(game)
    for number in range(1, iterations + 1):
        solved.iterate(number)
    return solved


def test_kuhn_poker(solver: Any) -> None:
    """Kuhn (1950): jack, queen, king, an ante of 1, a bet of 1; the first player loses 1/18.

    The second bets jacks and calls with queens with the chance 1/3, and the first calls with queens
    with the chance 1/3 more than that of a bet with a jack.
    """
    cards = ("JcJd,QcQd,KcKd",) * 2
    game = solver.Game(board="2c2d7h8s9c", ranges=cards, pot=2, stack=1, sizes=(0.5,), raises=0)
    solved = solve(solver, game, 1000)
    won, gains = solved.gains()
    assert won == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert sum(gains) < 2e-3
    nodes = {state.put + state.waiting: node for node, state in enumerate(solved.tree.states)}
    jack, queen = (combo_index(*parse_cards(pair)) for pair in ("JcJd", "QcQd"))
    solved.follow(solved.average)
    after_check = solved.tree.first[nodes[1, 1, 1]]
    facing_bet = solved.tree.first[nodes[2, 1, 1]]
    assert solved.strategy[after_check + 1, jack] == pytest.approx(1 / 3, abs=0.02)
    assert solved.strategy[facing_bet + 1, queen] == pytest.approx(1 / 3, abs=0.02)
    checked_to = solved.tree.first[nodes[1, 2, 0]]
    bluffs = solved.strategy[solved.tree.first[0] + 1, jack]
    assert solved.strategy[checked_to + 1, queen] == pytest.approx(bluffs + 1 / 3, abs=0.03)


def small(solver: Any, name: str) -> Any:
    """Return an example with fewer hands."""
    from dataclasses import replace

    texts = ("QQ+,AK,76s", "JJ+,KQ,T9s", "TT+,AQ,98s")
    game = solver.EXAMPLES[name]
    return replace(game, ranges=texts[: game.players])


@pytest.mark.parametrize(
    ("name", "iterations"),
    [("river", 60), ("three", 60), pytest.param("turn", 100, marks=pytest.mark.slow)],
)
def test_gains_vanish(solver: Any, name: str, iterations: int) -> None:
    solved = solver.Solver(small(solver, name))
    before = sum(solved.gains()[1])
    for number in range(1, iterations + 1):
        solved.iterate(number)
    won, gains = solved.gains()
    assert min(gains) > -1e-3 and 0 < sum(gains) < before / 50
    assert sum(won) == pytest.approx(0, abs=1e-2)


def test_nothing_is_won_at_any_node(solver: Any) -> None:
    solved = solve(solver, small(solver, "three"), 5)
    solved.evaluate_ends()
    for player in range(3):
        solved.each(solver.sum_up, solved.values, solved.strategy, solved.chances, False, player)
    sums = (solved.reach.astype(np.float64) * solved.values).sum(axis=2)
    # Of every node: what one wins, another loses; weights are those of the players who act there.
    assert np.allclose(sums.sum(axis=1), 0, atol=1e-4 * abs(sums).max())


def test_it_prints_what_it_finds(solver: Any, capsys: pytest.CaptureFixture[str]) -> None:
    solver.solve(small(solver, "river"), 3)
    first, *lines = capsys.readouterr().out.splitlines()
    assert first == "Ts7s2c9dKh: 243 nodes, 2 players"
    assert [line.split()[:2] for line in lines] == [["2", "iterations"], ["3", "iterations"]]
    assert all("% of the pot" in line for line in lines)


@pytest.mark.slow
def test_it_is_a_command(solver: Any, tmp_path: Path) -> None:
    command = [sys.executable, str(FILE), "three", "--iterations", "2"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Ts7s2c9dKh: 76 nodes, 3 players\n")
