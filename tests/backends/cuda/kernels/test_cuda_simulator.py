"""The kernels that numba.cuda compiles, in numba's simulator and through its compiler."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from os import environ

import pytest


def run(code: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


ROWS = """
import sys
import numpy as np

size = int(sys.argv[1])
rows = np.random.default_rng(size).integers(0, int(sys.argv[2]), 300)
"""

NUMBERED = (
    ROWS
    + """
from gpuodds.backends.cpu.arrays.canonical import canonical_situations
hands, boards = canonical_situations(rows, size)
np.savez(sys.argv[3], hands=hands, boards=boards)
"""
)

NUMBERED_IN_THE_SIMULATOR = (
    ROWS
    + """
from gpuodds.backends.cuda.arrays.canonical import list_hands, number_situations
from gpuodds.games.shared.boards import canonical_boards, canonical_index

keys, offsets = canonical_index(size)
hands, places, again = np.zeros((300, 2), np.uint8), np.zeros(300, np.int64), np.zeros(300, np.int64)
list_hands[10, 32](rows, keys, offsets[:-1].copy(), hands, places)
boards = canonical_boards(size)[0][places]
number_situations[10, 32](hands, boards, size, keys, offsets, again)
found = np.load(sys.argv[3])
assert np.array_equal(found["hands"], hands) and np.array_equal(found["boards"], boards)
assert np.array_equal(rows, again)
"""
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "rows"), [(3, 1_286_792), pytest.param(5, 123_156_254, marks=pytest.mark.weekly)]
)
def test_the_simulator_numbers_as_the_cpu_does(tmp_path, size: int, rows: int) -> None:
    given = str(size), str(rows), str(tmp_path / "situations.npz")
    run(NUMBERED, *given)
    run(NUMBERED_IN_THE_SIMULATOR, *given, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")


COMPILE = """
from types import SimpleNamespace
from numba import cuda, types
import numba.cuda.dispatcher as dispatcher
from gpuodds.backends.cuda.arrays.canonical import list_hands, number_situations
from gpuodds.backends.cuda.arrays.recall import add_places, find_flops, list_later_cards

limits = types.Array(types.int64, 1, "C")
number = types.int64
cards = types.Array(types.uint8, 2, "C")
signatures = {
    number_situations: (cards, cards, number, limits, limits, limits),
    list_hands: (limits, limits, limits, cards, limits),
    add_places: (cards, cards, number, limits, limits),
    find_flops: (limits, limits, limits),
    list_later_cards: (cards, cards, limits, number, cards),
}
for capability in ((7, 5), (8, 0), (8, 9), (9, 0), (10, 0), (12, 0)):
    # What a kernel calls is compiled for the current device: here for one that is not there.
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    for kernel, signature in signatures.items():
        kernel.overloads.clear()
        text, _ = cuda.compile_ptx(kernel.py_func, signature, cc=capability)
        assert "sm_%d%d" % capability in text
        print(len(text))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
def test_the_kernels_compile_for_every_gpu() -> None:
    assert len(run(COMPILE).split()) == 30
