"""What compiled code calls is optimised with its caller, also where it comes from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# A caller that is compiled anew in each process, and a loop that the second process finds in the cache.
INNER = """
from gpuodds.backends.cpu.compile.jit import compiled

@compiled
def add_up(numbers):
    total = 0
    for number in numbers:
        total += number
    return total
"""
CALLER = """
import numpy as np
from numba import njit
from inner import add_up

@njit
def outer(numbers):
    return add_up(numbers)

assert outer(np.arange(100)) == 4950
linked = next(iter(outer.overloads.values())).library._linking_libraries
(inner,) = [library for library in linked if "add_up" in library.name]
# Numba's own class would make machine code of it at once, as it is, which callers would find by name.
print(type(inner).__name__)
"""


@pytest.mark.slow
def test_inner_functions_of_the_cache_have_no_machine_code_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "inner.py").write_text(INNER)
    (tmp_path / "caller.py").write_text(CALLER)
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        shown = subprocess.check_output([sys.executable, "-c", "import caller"], text=True, env=env)
        assert shown == "InnerCode\n"
