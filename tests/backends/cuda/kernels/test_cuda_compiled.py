"""Every kernel compiles and loads on this device, with the resources kept for its architecture.

The first test on a new device: ``.ci/gpu`` runs it before any other.
"""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT

from gpuodds.backends.cuda.shared import device

sys.path.append(str(ROOT))

from bench.gpu.resources import kernel_names, read_kept

KERNELS = Path(str(files("gpuodds.kernels")))
FILES = sorted(path.relative_to(KERNELS).with_suffix("").as_posix() for path in KERNELS.rglob("*.cu"))


@pytest.mark.parametrize("file", FILES)
def test_a_file_loads(cuda: Any, file: str) -> None:
    architecture = f"sm_{cuda.cuda.Device().compute_capability}"
    kept = read_kept()["kernels"]
    for name in kernel_names(device.source(file + ".cu")):
        kernel: Any = device.kernel(file, name)
        expected = kept[name].get(architecture)
        if expected is None:
            continue
        # Variables are rounded up to 16 bytes.
        assert 0 <= kernel.shared_size_bytes - expected["shared"] < 16, name
        if cuda.__version__ != "stand-in":
            # The version of the compiler may differ by what the machine has; a spill is found out here.
            assert kernel.num_regs <= max(128, expected["registers"]), name
            assert kernel.local_size_bytes <= expected["stack"] + 16, name
