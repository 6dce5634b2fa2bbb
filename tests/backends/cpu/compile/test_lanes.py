"""Lanes of numbers: what compiled code makes of them, with AVX2 and without, and plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import numpy as np
from gpuodds.backends.cpu.compile import lanes
from gpuodds.backends.cpu.compile.jit import compiled

@compiled
def combine(one, other, out, scale):
    sums = lanes.no_products(one)
    for at in range(0, one.size, lanes.lane_count(one)):
        x, y = lanes.load_lanes(one, at), lanes.load_lanes(other, at)
        lanes.store_lanes(out, at, x * y - x + lanes.spread(scale, one))
        sums = lanes.add_products(sums, x, y)
    lanes.add_number(out, 1, 5)
    lanes.put_number(out, 2, lanes.number_at(one, 3) + 1)
    return lanes.sum_of(sums)

draw = np.random.default_rng(1)
for dtype, most in ((np.int16, 2000), (np.float64, 2.0)):
    for _ in range(20):
        one, other = (draw.integers(-most, most, 64).astype(dtype) for _ in range(2))
        out = np.zeros(64, dtype)
        found = combine(one, other, out, 3)
        wide = np.int64 if dtype == np.int16 else np.float64
        expected = (one.astype(wide) * other.astype(wide) - one + 3).astype(dtype)
        expected[1] += 5
        expected[2] = one[3] + 1
        assert found == (one.astype(wide) * other.astype(wide)).sum(), dtype
        assert np.array_equal(out, expected), dtype
print("right")
"""
MACHINES: dict[str, dict[str, str]] = {
    "this": {},
    "any": {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
    "plain": {"NUMBA_DISABLE_JIT": "1"},
}


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_lanes_are_numbers_side_by_side(machine: str, tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)} | MACHINES[machine]
    program = tmp_path / "combine.py"
    program.write_text(CODE)
    run = subprocess.run(
        [sys.executable, "-P", str(program)], env=environment, capture_output=True, text=True
    )
    assert run.stdout == "right\n", run.stderr
