"""Functions of other libraries are compiled and kept as if gpuodds were not there."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow  # two processes that import numba

FOREIGN = """
import numba

@numba.njit(cache=True)
def twice(number):
    return 2 * number
"""

USE_IT = """
import json
from foreign import twice

assert twice(4) == 8
kept = {"folder": twice.stats.cache_path, "cache": type(twice._cache).__qualname__}
print(json.dumps({**kept, "hits": sum(twice.stats.cache_hits.values())}))
"""

# The modules whose classes ours are made of, or whose functions make them.
WITH_GPUODDS = """
from importlib import import_module

MODULES = [import_module(name) for name in (
    "numba", "numba.extending", "numba.core.caching", "numba.core.event", "numba.core.compiler",
    "numba.core.codegen", "numba.core.dispatcher", "numba.core.decorators", "numba.core.cgutils",
    "numba.core.typing.context", "numba.core.types", "numba.core.types.functions",
    "numba.np.arrayobj", "llvmlite.ir", "llvmlite.binding",
)]

def attributes():
    found = {}
    for module in MODULES:
        for name, value in vars(module).items():
            found[module.__name__, name] = value
            if isinstance(value, type) and value.__module__.startswith(("numba", "llvmlite")):
                found |= {(module.__name__, name, inner): held for inner, held in vars(value).items()}
    locators = import_module("numba.core.caching").CompileResultCacheImpl._locator_classes
    return found | {("locator", place): kind for place, kind in enumerate(locators)}

before = attributes()
from gpuodds.backends.cpu.compile.jit import compiled
import ours

assert compiled(ours.add_one)(1) == 2
after = attributes()
changed = [name for name, value in before.items() if after.get(name, before) is not value]
assert not changed, changed
"""


def run(program: str, folder: Path) -> dict[str, Any]:
    """Run a program in a process of its own, and return what it prints as JSON."""
    path = folder / "program.py"
    path.write_text(program)
    ended = subprocess.run([sys.executable, str(path)], cwd=folder, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(ended.stdout))


def test_a_foreign_function_is_kept_where_numba_alone_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "foreign.py").write_text(FOREIGN)
    (tmp_path / "ours.py").write_text("def add_one(number):\n    return number + 1\n")
    beside = run(WITH_GPUODDS + USE_IT, tmp_path)
    alone = run(USE_IT, tmp_path)
    assert beside == {"folder": alone["folder"], "cache": "FunctionCache", "hits": 0}
    assert (alone["cache"], alone["hits"]) == ("FunctionCache", 1)
    assert list(Path(alone["folder"]).glob("foreign.twice-*.nbi"))
