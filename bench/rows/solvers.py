"""Rows of what solvers ask: values of hands at showdowns and folds."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import gpuodds
from bench.report import Bar, Comparison, Figures
from bench.rows import SMALL, Rows, one_thread, time_in_turn, time_runs

ROWS = Rows()
row = ROWS.row
RIVER = "2c7d9h3d4s"
BATCH = 4 if SMALL else 256
EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "examples" / "solver.py"


def weights(players: int, dtype: Any, batch: int) -> Any:
    return np.random.default_rng(1).random((batch, players, 1326)).astype(dtype)


def in_a_batch(work: Callable[[Any, Any], object], players: int, dtype: Any) -> list[float]:
    """Return the seconds of an item of a batch, in one thread, without an array made."""
    reach = weights(players, dtype, BATCH)
    out = np.empty_like(reach)
    with one_thread():
        return [seconds / BATCH for seconds in time_runs(lambda: work(reach, out), 20)]


def showdown(reach: Any, out: Any) -> None:
    gpuodds.showdown_values(RIVER, reach, out=out)


@row("showdown values", "two players on a river, both vectors, float32, in a batch", Bar(10e-6, "s"))
def two_players() -> Figures:
    return with_matrix(in_a_batch(showdown, 2, np.float32), np.float32)


@row("showdown values float64", "the same in float64", Bar(10e-6, "s"))
def two_players_in_float64() -> Figures:
    return with_matrix(in_a_batch(showdown, 2, np.float64), np.float64)


def with_matrix(seconds: list[float], dtype: Any) -> Figures:
    """Compare with the plain way: the matrix of all pairs of hands times the weights."""
    wins, _ = gpuodds.heads_up_matrix(RIVER)
    matrix = (wins - wins.T).astype(dtype)
    vectors = np.ascontiguousarray(weights(1, dtype, 2 * BATCH)[:, 0].T)
    taken = min(time_in_turn([lambda: matrix @ vectors], 5)[0]) / BATCH
    other = Comparison("NumPy, a matrix of all pairs, all threads,", "measured", taken)
    return Figures(seconds, others=[other])


@row("showdown values call", "two players on a river, float32, one call of Python", Bar(60e-6, "s"))
def one_call() -> Figures:
    reach = weights(2, np.float32, 1)[0]
    out = np.empty_like(reach)
    with one_thread():
        return Figures(time_runs(lambda: showdown(reach, out), 200))


@row("showdown values three", "three players on a river, float32, in a batch", Bar(100e-6, "s"))
def three_players() -> Figures:
    return Figures(in_a_batch(showdown, 3, np.float32))


@row("showdown values three float64", "the same in float64", Bar(200e-6, "s"))
def three_players_in_float64() -> Figures:
    return Figures(in_a_batch(showdown, 3, np.float64))


@row("fold values", "two players, both vectors, float32, in a batch")
def two_players_fold() -> Figures:
    return Figures(in_a_batch(lambda reach, out: gpuodds.fold_values(reach, RIVER, out=out), 2, "f4"))


@row("fold values three", "three players, float32, in a batch")
def three_players_fold() -> Figures:
    return Figures(in_a_batch(lambda reach, out: gpuodds.fold_values(reach, RIVER, out=out), 3, "f4"))


def solve(name: str, iterations: int) -> Figures:
    """Time iterations of the solver of the documentation, and say how far it got."""
    found = importlib.util.spec_from_file_location("solver_example", EXAMPLE)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules["solver_example"] = module  # its dataclasses look for it
    found.loader.exec_module(module)
    game = module.EXAMPLES[name]
    solved = module.Solver(game)
    solved.iterate(1)
    begin = perf_counter()
    for number in range(2, (3 if SMALL else iterations) + 1):
        solved.iterate(number)
    seconds = perf_counter() - begin
    gain = sum(solved.gains()[1]) / game.pot
    nodes = f"{len(solved.tree.states):,} nodes"
    return Figures([seconds], notes=[f"{nodes}; the best replies would gain {gain:.2%} of the pot."])


@row("solve river", "docs/examples/solver.py river: 1,000 iterations of CFR+, two threads", Bar(5, "s"))
def solve_a_river() -> Figures:
    return solve("river", 1000)


@row("solve turn", "docs/examples/solver.py turn: 500 iterations of CFR+, two threads")
def solve_a_turn() -> Figures:
    return solve("turn", 500)


@row("solve three", "docs/examples/solver.py three: 500 iterations of CFR+, two threads")
def solve_three_players() -> Figures:
    return solve("three", 500)
