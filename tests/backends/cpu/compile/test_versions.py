"""Compiled code is kept only while all that is compiled into it stays the same."""

from __future__ import annotations

import subprocess
import sys
from os import environ
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# A caller in one file; what is compiled into it, and a constant, in another.
CALLER = """
from gpuodds.backends.cpu.compile.jit import compiled
from inner import CONSTANT, PAIR, inner, step

@compiled
def outer(number):
    return inner(number) * CONSTANT + PAIR[1] + step(number)

print(outer(2), sum(outer.stats.cache_hits.values()))
"""
INNER = """
from gpuodds.backends.cpu.compile.jit import compiled, inlined

CONSTANT = 10
PAIR = (1, 0)
SCALE = 1

@compiled
def step(number):
    return 0

@inlined
def innermost(number):
    return number + 1

@inlined
def inner(number):
    return innermost(number) * SCALE
"""
EDITS = [
    ("return number + 1", "return number + 3", 50),  # of a callee's callee
    ("SCALE = 1", "SCALE = 4", 120),
    ("CONSTANT = 10", "CONSTANT = 7", 21),
    ("PAIR = (1, 0)", "PAIR = (1, 6)", 36),
    ("return 0", "return 5", 35),
]


def imported(folder: Path, module: str) -> subprocess.CompletedProcess[str]:
    """Import a module of the folder in a new process.

    Without bytecode: Python would take that of an older file of the same size and second.
    """
    env = {**environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, "-B", "-c", f"import {module}"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def call(folder: Path) -> tuple[int, int]:
    """Return the result in a new process, and how often the cache served."""
    done = imported(folder, "caller")
    assert done.returncode == 0, done.stderr
    result, hits = done.stdout.split()
    return int(result), int(hits)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sources")
    (path / "caller.py").write_text(CALLER)
    (path / "inner.py").write_text(INNER)
    assert call(path) == (30, 0)
    return path


def test_what_is_unchanged_is_kept(folder: Path) -> None:
    (folder / "inner.py").write_text(INNER + "\n# a comment changes nothing\n")
    assert call(folder) == (30, 1)


@pytest.mark.parametrize(("old", "new", "expected"), EDITS)
def test_an_edit_of_another_file_is_compiled(folder: Path, old: str, new: str, expected: int) -> None:
    assert INNER.count(old) == 1
    (folder / "inner.py").write_text(INNER.replace(old, new))
    assert call(folder) == (expected, 0)


KERNEL = """
from functools import partial
from numba import cuda
from gpuodds.backends.cpu.compile.code_cache import cached
from gpuodds.backends.cpu.compile.versions import version_of
from inner import inner

@partial(cached, cuda.jit)
def kernel(numbers):
    numbers[0] = inner(numbers[0])

class Codegen:
    def magic_tuple(self):
        return ("a GPU",)

kernel._cache._index_key("a signature", Codegen())
stamp = kernel._cache._cache_file._source_stamp
assert stamp[1] == version_of(kernel)
print(stamp[1])
"""


def test_kernels_of_numba_go_by_what_is_compiled_into_them(folder: Path) -> None:
    """Without a GPU: the stamp with which numba.cuda finds a kernel in its cache."""

    def stamp() -> str:
        done = imported(folder, "kernel")
        if "ModuleNotFoundError: No module named 'numba" in done.stderr:
            pytest.skip("no numba.cuda on this machine")
        assert done.returncode == 0, done.stderr
        return done.stdout

    (folder / "kernel.py").write_text(KERNEL)
    (folder / "inner.py").write_text(INNER)
    first = stamp()
    assert stamp() == first
    (folder / "inner.py").write_text(INNER.replace("return number + 1", "return number + 2"))
    assert stamp() != first


RENAMED = """
from typing import NamedTuple
from gpuodds.backends.cpu.compile.jit import compiled

class Pair(NamedTuple):
    first: int
    second: int

@compiled
def difference(pair):
    return pair.first - pair.second

print(difference(Pair(5, 2)), sum(difference.stats.cache_hits.values()))
"""


def test_code_for_a_class_that_is_gone_is_compiled_again(tmp_path: Path) -> None:
    module = tmp_path / "renamed.py"
    for text in (RENAMED, RENAMED.replace("Pair", "Both")):
        module.write_text(text)
        for hits in (0, 1):
            ran = imported(tmp_path, "renamed")
            assert ran.stdout == f"3 {hits}\n", ran.stderr
