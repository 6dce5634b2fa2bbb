"""The kernel that numba.cuda compiles, in numba's simulator and through its compiler."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from os import environ

import pytest

COLLECT = """
import numpy as np
from gpuodds.backends.cpu.backend import board_scan
from gpuodds.backends.cpu.accumulator import Accumulator, most_cards_in_one_limb
from gpuodds.spots.spot import Spot

def graphs():
    accumulator = Accumulator()
    spots = ("AsKs", "2s7d9hTc"), ("7c2d", "2s7s9s"), ("8h8d", "8s8c3d5h"), ("AcAd", "KsQsJs9s")
    for hand, board in spots:
        spot = Spot.of([hand], opponents=9, board=board)
        scan = board_scan(spot)
        accumulator.add_boards(scan, 0, len(scan.completions), spot.undealt)
    count = int(accumulator.graphs.used[0])
    words = np.zeros((count, 26), np.int64)
    tags = np.zeros((count, 26), np.int8)
    lengths = np.diff(accumulator.graphs.start[: count + 1]).astype(np.int32)
    for graph in range(count):
        span = slice(accumulator.graphs.start[graph], accumulator.graphs.start[graph + 1])
        words[graph, : lengths[graph]] = accumulator.graphs.words[span]
        tags[graph, : lengths[graph]] = accumulator.tags[span]
    return words, lengths, tags
"""

COMPILED = (
    COLLECT
    + """
import sys
from gpuodds.backends.cpu.elimination_order import count_states, shape_counts, sweep_order, unpack

words, lengths, tags = graphs()
shape, order = np.zeros((len(words), 3), np.int32), np.zeros((len(words), 26), np.int8)
states = np.zeros((len(words), 2), np.int32)
for g, count in enumerate(lengths):
    size, loss, tie = np.zeros((3, 26), np.int64)
    pools = np.zeros((5, 27), np.int64)
    unpack(words[g], count, size, loss, tie)
    sweep_order(count, size, loss, tie, tags[g], order[g])
    shape_counts(count, size, tie, 9, most_cards_in_one_limb(), shape[g])
    states[g] = count_states(count, 9, size, loss, tie, order[g], *pools)
np.savez(sys.argv[1], words=words, lengths=lengths, tags=tags, order=order, shape=shape, states=states)
"""
)

SIMULATED = """
import sys
import numpy as np
from gpuodds.backends.cpu.accumulator import most_cards_in_one_limb
from gpuodds.backends.cuda.elimination_order import find_orders

found = np.load(sys.argv[1])
count = len(found["words"])
order, shape, states = (np.zeros_like(found[name]) for name in ("order", "shape", "states"))
limits = most_cards_in_one_limb()
find_orders[-(-count // 8), 8](
    found["words"], found["lengths"], found["tags"], 0, count, 9, limits, order, shape, states
)
for g, length in enumerate(found["lengths"]):
    assert np.array_equal(order[g, :length], found["order"][g, :length]), g
assert np.array_equal(shape, found["shape"]) and np.array_equal(states, found["states"])
print(count)
"""


def run(code: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_simulator_orders_as_the_cpu_does(tmp_path) -> None:
    file = str(tmp_path / "orders.npz")
    run(COMPILED, file)
    graphs = run(SIMULATED, file, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")
    assert int(graphs) > 50


ROWS = """
import sys
import numpy as np

size = int(sys.argv[1])
rows = np.random.default_rng(size).integers(0, int(sys.argv[2]), 300)
"""

NUMBERED = (
    ROWS
    + """
from gpuodds.backends.cpu.canonical import canonical_situations
hands, boards = canonical_situations(rows, size)
np.savez(sys.argv[3], hands=hands, boards=boards)
"""
)

NUMBERED_IN_THE_SIMULATOR = (
    ROWS
    + """
from gpuodds.backends.cuda.canonical import list_hands, number_situations
from gpuodds.games.holdem.boards import canonical_boards, canonical_index

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


@pytest.mark.parametrize(("size", "rows"), [(3, 1_286_792), (5, 123_156_254)])
def test_the_simulator_numbers_as_the_cpu_does(tmp_path, size: int, rows: int) -> None:
    given = str(size), str(rows), str(tmp_path / "situations.npz")
    run(NUMBERED, *given)
    run(NUMBERED_IN_THE_SIMULATOR, *given, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1")


COMPILE = """
from types import SimpleNamespace
from numba import cuda, types
import numba.cuda.dispatcher as dispatcher
from gpuodds.backends.cuda.canonical import list_hands, number_situations
from gpuodds.backends.cuda.elimination_order import find_orders

bytes_, ints, longs = (types.Array(t, 2, "C") for t in (types.int8, types.int32, types.int64))
lengths, limits = types.Array(types.int32, 1, "C"), types.Array(types.int64, 1, "C")
number = types.int64
cards = types.Array(types.uint8, 2, "C")
signatures = {
    find_orders: (longs, lengths, bytes_, number, number, number, limits, bytes_, ints, ints),
    number_situations: (cards, cards, number, limits, limits, limits),
    list_hands: (limits, limits, limits, cards, limits),
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


@pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed")
def test_the_kernels_compile_for_every_gpu() -> None:
    assert len(run(COMPILE).split()) == 18
