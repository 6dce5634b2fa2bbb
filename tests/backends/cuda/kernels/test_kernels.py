"""CUDA sources: each compiles for every GPU without spills, and each kernel has a parity test."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from paths import ROOT

from gpuodds.backends.cuda.shared import device, layout
from gpuodds.backends.cuda.shared.device import source

sys.path.append(str(ROOT))

from bench.gpu.resources import (
    ARCHITECTURES,
    compile_source,
    compiler,
    kernel_names,
    read_kept,
    read_resources,
)

KERNELS = Path(str(files("gpuodds.kernels")))
FILES = sorted(path.relative_to(KERNELS).with_suffix("").as_posix() for path in KERNELS.rglob("*.cu"))
MAX_REGISTERS = 128  # 512 threads to a processor at the least


@pytest.fixture(scope="module")
def kept() -> Any:
    pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")
    return read_kept()


# All architectures take minutes; ``.ci/run`` compiles for sm_90, that of the predicted figures.
@pytest.mark.weekly
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("file", FILES)
def test_a_file_compiles_without_spills(kept: Any, file: str, architecture: str) -> None:
    text = source(file + ".cu")
    code, log = compile_source(text, architecture)
    assert code.startswith(b"\x7fELF") and "warning" not in log, log
    found = read_resources(log)
    assert sorted(found) == sorted(kernel_names(text))
    for kernel, numbers in found.items():
        assert numbers["spills"] == 0 and numbers["registers"] <= MAX_REGISTERS, kernel
        if kept["compiler"] == compiler():
            assert numbers == kept["kernels"][kernel][architecture], kernel


@pytest.mark.weekly
def test_the_compiler_is_that_of_the_kept_figures(kept: Any) -> None:
    """A new one may need other registers: ``python bench/gpu/resources.py --write`` shows which."""
    assert kept["compiler"] == compiler()


def test_a_figure_is_kept_for_each_kernel() -> None:
    kernels = read_kept()["kernels"]
    named = [
        name for file in FILES for name in kernel_names((KERNELS / f"{file}.cu").read_text("utf-8"))
    ]
    assert sorted(kernels) == sorted(named)
    assert all(tuple(by_architecture) == ARCHITECTURES for by_architecture in kernels.values())


def test_an_included_file_is_there_once() -> None:
    text = source("known_hands/threat_graphs/threat_graphs.cu")
    assert "#include" not in text and "#pragma once" not in text
    assert text.count("struct alignas(16) BoardClass {") == text.count("struct HandRankTables {") == 1
    assert text.count("COMBOS = 1326,") == 1


def test_no_shared_number_is_written_again() -> None:
    """Only the generated header defines its names."""
    names = "|".join(layout.constants())
    for path in [*KERNELS.rglob("*.cu"), *KERNELS.rglob("*.cuh")]:
        again = re.findall(
            rf"(?:constexpr \w+|#define|enum \w*) (?:{names})\b", path.read_text("utf-8")
        )
        assert not again, path.name


@pytest.mark.parametrize(
    ("file", "kernel", "struct"),
    [
        ("arrays/rank_combos", "rank_combos", layout.HAND_RANK_TABLES),
        ("arrays/rank_hands", "rank_hands", layout.RANK_SUMS),
        ("arrays/rank_all_hands", "rank_all_hands", layout.HAND_LISTS),
        ("shared/board_classes", "count_classes", layout.SPOTS),
        ("sampling/sample_deals", "sample_deals", layout.DRAWS),
        ("omaha/ranks", "rank_omaha", layout.OMAHA_TABLES),
        ("omaha/showdowns", "count_omaha_four", layout.OMAHA_RANGES),
    ],
)
def test_kernels_take_the_structs(cuda: Any, file: str, kernel: str, struct: Any) -> None:
    if cuda.__version__ != "stand-in":
        pytest.skip("only the stand-in lists the types of a kernel's arguments")
    assert struct.name in device.kernel(file, kernel).types  # type: ignore[attr-defined]


def test_a_struct_refuses_other_arrays(cuda: Any) -> None:
    tables = [cuda.zeros(4, np.uint16) for _ in range(5)]
    assert layout.HAND_RANK_TABLES.pack(*tables, 5864).shape == (1,)
    for wrong in (cuda.zeros(4, np.int32), cuda.zeros((4, 2), np.uint16)[:, 0]):
        with pytest.raises(TypeError, match=r"HandRankTables\.flush: expected \*u2"):
            layout.HAND_RANK_TABLES.pack(*tables[:4], wrong, 5864)


@pytest.mark.parametrize("file", FILES)
def test_each_kernel_has_a_parity_test(file: str) -> None:
    """A test of the CUDA backend is named test_<kernel> and launches the kernel by its name."""
    text = (KERNELS / f"{file}.cu").read_text("utf-8")
    kernels = re.findall(r'extern "C" __global__ void (?:__launch_bounds__\(.*?\) )?(\w+)\(', text)
    assert len(kernels) == text.count("__global__") > 0
    tests = [path.read_text("utf-8") for path in (ROOT / "tests/backends/cuda").rglob("test_cuda_*.py")]
    for kernel in kernels:
        named = [text for text in tests if re.search(rf"^def test_{kernel}(_|\()", text, re.MULTILINE)]
        assert any(f'"{file}", "{kernel}"' in " ".join(text.split()) for text in named), kernel
