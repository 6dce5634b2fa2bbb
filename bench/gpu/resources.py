"""Print each kernel's registers, spills, shared memory and stack; no GPU is needed.

``python bench/gpu/resources.py`` compiles the sources for every supported GPU as CuPy does and reads
what ``ptxas`` says. ``--write`` keeps the figures in ``tests/golden/resources.json``, with the version
of the compiler; tests compile again and compare, so that a change of a kernel or of the compiler shows.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from gpuodds.backends.cuda.shared.device import OPTIONS
from gpuodds.backends.cuda.shared.device import source as read_source

ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")
KEPT = Path(__file__).resolve().parents[2] / "tests" / "golden" / "resources.json"
OTHERS = ("spills", "shared", "stack")  # bytes

# What CuPy adds to our options; neither this nor -v changes the code.
ADDED = ("-ftz=true", "--device-as-default-execution-space", "--ptxas-options=-v")
COMPILER = "pip install cuda-bindings nvidia-cuda-nvrtc"

Resources = dict[str, dict[str, dict[str, int]]]  # by kernel, by architecture, by name


class MissingError(Exception):
    """A package that this needs is not installed."""


def kernel_sources() -> dict[str, str]:
    """Return the sources of kernels/ by file, as the compiler gets them."""
    top = Path(str(files("gpuodds.kernels")))
    names = sorted(path.relative_to(top).as_posix() for path in top.rglob("*.cu"))
    return {name.removesuffix(".cu"): read_source(name) for name in names}


def kernel_names(text: str) -> list[str]:
    """Return the names of the kernels in a source."""
    return re.findall(r"__global__ void (?:__launch_bounds__\(.*?\)\s+)?(\w+)\(", text)


def compile_source(text: str, architecture: str) -> tuple[bytes, str]:
    """Return the machine code of a source, and what the compiler said."""
    try:
        from cuda.bindings import nvrtc
    except ImportError:
        raise MissingError(f"NVRTC is not installed: {COMPILER}") from None
    program = nvrtc.nvrtcCreateProgram(text.encode(), b"kernel.cu", 0, [], [])[1]
    options = [option.encode() for option in (*OPTIONS, *ADDED, f"-arch={architecture}")]
    error = nvrtc.nvrtcCompileProgram(program, len(options), options)[0]
    log = b" " * nvrtc.nvrtcGetProgramLogSize(program)[1]
    nvrtc.nvrtcGetProgramLog(program, log)
    if error:
        raise RuntimeError(log.decode())
    code = b" " * nvrtc.nvrtcGetCUBINSize(program)[1]
    nvrtc.nvrtcGetCUBIN(program, code)
    return code, log.decode().strip("\0 \n")


def read_resources(log: str) -> dict[str, dict[str, int]]:
    """Return what each kernel takes, of ``ptxas -v``: registers a thread, bytes a block or thread."""
    resources = {}
    for part in log.split("Compiling entry function '")[1:]:

        def total(pattern: str, part: str = part) -> int:
            return sum(map(int, re.findall(pattern, part)))

        resources[part.partition("'")[0]] = {
            "registers": total(r"Used (\d+) registers"),
            "shared": total(r"(\d+) bytes smem"),
            "spills": total(r"(\d+) bytes spill"),
            "stack": total(r"(\d+) bytes stack frame"),
        }
    return resources


def measure(architectures: tuple[str, ...] = ARCHITECTURES) -> Resources:
    """Return the resources of each kernel on each architecture."""
    jobs = [(text, name) for text in kernel_sources().values() for name in architectures]
    found: Resources = {}
    with ThreadPoolExecutor() as pool:  # the compiler lets other threads run
        logs = pool.map(lambda job: compile_source(*job)[1], jobs)
        for (_, architecture), log in zip(jobs, logs, strict=True):
            for kernel, numbers in read_resources(log).items():
                found.setdefault(kernel, {})[architecture] = numbers
    return dict(sorted(found.items()))


def compiler() -> str:
    """Return the version of NVRTC."""
    from cuda.bindings import nvrtc

    _, major, minor = nvrtc.nvrtcVersion()
    return f"NVRTC {major}.{minor}"


def differences(found: Resources, kept: Resources) -> list[str]:
    """Return a line for each kernel and architecture whose figures differ from the kept ones."""
    lines = [f"{kernel}: is gone" for kernel in kept.keys() - found.keys()]
    for kernel, by_architecture in found.items():
        for architecture, numbers in by_architecture.items():
            before = kept.get(kernel, {}).get(architecture)
            if before != numbers:
                lines.append(f"{kernel}, {architecture}: {numbers}, before {before}")
    return sorted(lines)


def show(found: Resources) -> None:
    """Print a line for each kernel: registers by architecture, the largest of the other figures."""
    table = Table(title="registers a thread, by compute capability", title_justify="left")
    names = list(next(iter(found.values())))
    for name in ("kernel", *(n.removeprefix("sm_") for n in names), *OTHERS):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    for kernel, rows in found.items():
        most = [str(max(row[name] for row in rows.values())) for name in OTHERS]
        table.add_row(kernel, *(str(row["registers"]) for row in rows.values()), *most)
    (Console() if Console().is_terminal else Console(width=120)).print(table)


def as_text(kept: dict[str, Any]) -> str:
    """Return figures as JSON, a line for each kernel and architecture."""
    text = json.dumps(kept, indent=1) + "\n"
    return re.sub(
        r"\{[^{}]*\}",
        lambda row: re.sub(r"\s+", " ", row[0]).replace("{ ", "{").replace(" }", "}"),
        text,
    )


def read_kept() -> dict[str, Any]:
    """Return the figures that were kept: ``compiler`` and ``kernels``."""
    kept: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return kept


def main() -> None:
    """Print the figures, and keep them if that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"keep the figures in {KEPT.name}")
    options = parser.parse_args()
    found = measure()
    show(found)
    if KEPT.exists():
        for line in differences(found, read_kept()["kernels"]):
            print(line)
    if options.write:
        KEPT.write_text(as_text({"compiler": compiler(), "kernels": found}), "utf-8")


if __name__ == "__main__":
    try:
        main()
    except MissingError as error:
        sys.exit(str(error))
