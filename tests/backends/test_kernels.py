"""CUDA sources: each compiles for every GPU that is supported, and keeps what it uses in registers.

What they compute is tested where their launchers are, in test_cuda_*.py.
"""

from __future__ import annotations

import io
import re
from importlib.resources import files
from pathlib import Path

import pytest

from gpuodds.backends.cuda.device import source

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
KERNELS = Path(str(files("gpuodds.kernels")))
MOST_REGISTERS = 128  # 512 threads to a processor at the least


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("file", sorted(path.stem for path in KERNELS.glob("*.cu")))
def test_a_file_compiles_without_spills(file: str, architecture: str, kernel_report) -> None:
    compiler = pytest.importorskip("cuda.core", reason="cuda-core is not installed")
    pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-bindings is not installed")
    options = compiler.ProgramOptions(
        std="c++17", arch=architecture, device_int128=True, ptxas_options="-v"
    )
    logs = io.StringIO()
    program = compiler.Program(source(file + ".cu"), "c++", options)
    assert program.compile("cubin", logs=logs).code
    text = logs.getvalue()
    assert "warning" not in text, text
    names = re.findall(r"Compiling entry function '(\w+)'", text)
    registers = [int(number) for number in re.findall(r"Used (\d+) registers", text)]
    spills = [int(number) for number in re.findall(r"(\d+) bytes spill (?:stores|loads)", text)]
    assert len(registers) == len(names) > 0 and len(spills) == 2 * len(names), text
    kernel_report(architecture, dict(zip(names, registers, strict=True)), sum(spills))
    assert not any(spills), text
    assert max(registers) <= MOST_REGISTERS, text


def test_an_included_file_is_there_once() -> None:
    text = source("threat_graphs.cu")
    assert "#include" not in text and "#pragma once" not in text
    assert text.count("struct alignas(16) BoardClass {") == text.count("struct HandRankTables {") == 1
