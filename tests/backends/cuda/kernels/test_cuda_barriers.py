"""Each barrier of each kernel is needed: without it there is a race, a fault or another number.

Weekly: every operation is counted again for each barrier that it executes, with the check for races.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpuodds
from gpuodds import Range
from gpuodds.backends.cuda.arrays import ranks
from gpuodds.backends.cuda.backend import CudaBackend
from gpuodds.backends.operations.against_random import AgainstRandom
from gpuodds.backends.operations.heads_up_matrix import HeadsUpMatrix
from gpuodds.backends.operations.known_hands import UnbeatenDeals
from gpuodds.backends.operations.samples import SampleDeals, SamplePairs
from gpuodds.cards import parse_cards
from gpuodds.games.holdem.game import HOLDEM
from gpuodds.games.shared.draws import plan_draws

RACES = 2


def draw(rows: int, size: int) -> Any:
    decks = np.tile(np.arange(52, dtype=np.uint8), (rows, 1))
    return np.random.default_rng(3).permuted(decks, axis=1)[:, :size].copy()


def equity(hands: Any, **options: Any) -> Any:
    result = gpuodds.equity(hands, backend="cuda", table=False, **options)
    assert result.backend == "cuda"
    return [(p.win_outcomes, p.tie_outcomes, p.outcomes) for p in result.players]


def count(operation: Any) -> Any:
    return CudaBackend().count(operation).counts


def draws(*texts: str) -> Any:
    return plan_draws(np.stack([Range(text).weights for text in texts]))


RIVER, TURN = "2s7d9hTcJd", "2s7d9hTc"
OMAHA = {"game": "omaha", "method": "monte-carlo", "samples": 2000, "seed": 4}
CASES: dict[str, Callable[[], Any]] = {
    "one combo a board": lambda: count(AgainstRandom(HOLDEM, draw(2, 4), True)),
    "two ranges": lambda: equity(["15%", "QQ+,AK"], board=TURN),
    "two weighted ranges": lambda: equity(["15%:0.5,AA", "QQ+,AK:0.3"], board=TURN),
    "three ranges": lambda: equity(["AA,KK", "QQ+,AK", "5%"], board=RIVER),
    "three weighted ranges": lambda: equity(["AA:0.5,KK", "QQ+,AK", "5%"], board=RIVER),
    "four ranges": lambda: equity(["AA,KK", "QQ+", "5%", "random"], board=RIVER),
    "hand ranks": lambda: [ranks.rank_cards(draw(9000, size), HOLDEM).tolist() for size in (5, 6, 7)],
    "all hands": lambda: ranks.rank_all_seven(40, 41).tolist(),
    "all hands by rank": lambda: ranks.count_all_seven().tolist(),
    "combos": lambda: ranks.rank_combos(draw(40, 5), HOLDEM).tolist(),
    "every combo against every other": lambda: count(HeadsUpMatrix(HOLDEM, parse_cards(RIVER), ())),
    "deals": lambda: count(SampleDeals(HOLDEM, draws("AsKs", "15%"), 3, (), (), 5, 0, 3000)),
    "pairs of deals": lambda: count(SamplePairs(HOLDEM, draws("AsKs"), 3, (), (), 5, 0, 3000)),
    "unbeaten": lambda: count(UnbeatenDeals(HOLDEM, draw(5, 5)[:, :2], draw(5, 5)[:, 2:], 2)),
    "graphs": lambda: equity("7h2d", opponents=9, board="2s7d9h"),
    "omaha deals": lambda: equity("AsKsAhKh", opponents=3, **OMAHA),
    "omaha ranges": lambda: equity(["AA", "KK"], board=RIVER, game="omaha"),
    "omaha ranges of five cards": lambda: equity(["AAKK", "KKQQ"], board=RIVER, game="omaha5"),
    "omaha against random": lambda: equity("AsKsAhKh", opponents=1, board=TURN, game="omaha"),
}


def as_lists(found: Any) -> Any:
    """Return counts as what ``==`` compares."""
    if hasattr(found, "tolist"):
        return found.tolist()
    if isinstance(found, dict):
        return {key: as_lists(value) for key, value in found.items()}
    if isinstance(found, (list, tuple)):
        return [as_lists(part) for part in found]
    return vars(found) and as_lists(vars(found)) if hasattr(found, "__dict__") else found


@pytest.mark.weekly
@pytest.mark.parametrize("name", CASES)
def test_no_barrier_can_be_left_out(cuda: Any, name: str) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("barriers are left out in the interpreter")
    from cupy.kernels import LOADED
    from ptx.program import Kind

    cuda.cuda.settings.checks, cuda.cuda.settings.seed = RACES, 1
    kernels = [kernel for loaded in LOADED.values() for kernel in loaded.kernels.values()]
    for kernel in kernels:
        kernel.clear()
    whole = as_lists(CASES[name]())
    kernels = [kernel for loaded in LOADED.values() for kernel in loaded.kernels.values()]
    unnoticed = []
    for kernel in kernels:
        executed = kernel.counts().warps
        for at, instruction in enumerate(kernel.program.instructions):
            barrier = instruction.kind == Kind.BLOCK_BARRIER or instruction.operation == "bar.warp"
            if not barrier or executed[at] == 0:
                continue
            put_back = kernel.without(at)
            try:
                noticed = as_lists(CASES[name]()) != whole
            except AssertionError:
                noticed = True
            finally:
                put_back()
            if not noticed:
                unnoticed.append(f"{kernel.name}: line {instruction.line}, instruction {at}")
    assert not unnoticed
