"""Predict how fast the kernels are on a GPU from their machine code; no GPU is needed.

``python bench/sass.py [KERNEL ...]`` compiles the sources for sm_90 as CuPy does, finds in each kernel
the loop that the time goes to, counts its instructions by class, and prints the rate that they allow
and what bounds it. ``--out FILE`` keeps the figures; ``--against FILE`` prints only the kernels and
benchmark rows that changed since, each with its earlier figures.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parent.parent))

from bench import forecasts, performance
from bench.disassembly import CLASSES, Function, Loop, read_functions
from bench.kernel_model import (
    H100,
    H200,
    Resources,
    Row,
    Source,
    cost,
    find_loop,
    predict,
    resident_blocks,
)
from bench.kernel_rows import KERNELS
from bench.report import in_time
from gpuodds.backends.cuda.shared.device import OPTIONS, expand
from gpuodds.backends.cuda.shared.device import source as read_source

KEPT = Path(__file__).resolve().parent / "results" / "sass.json"
REFERENCE = Path(__file__).resolve().parent.parent / "tests" / "reference"
# What CuPy adds to our options, and line numbers; neither they nor -v change the code.
ADDED = ("-ftz=true", "--device-as-default-execution-space", "-lineinfo", "--ptxas-options=-v")
TOOLS = "pip install 'cuda-toolkit[nvdisasm]'"
NO_ROW = "No row in kernel_rows.py: its largest innermost loop, blocks of 256 threads assumed."
COMPILER = "pip install cuda-bindings nvidia-cuda-nvrtc"


class MissingError(Exception):
    """A program or package that this needs is not installed."""


def find_disassembler() -> str:
    """Return the path of nvdisasm, of PATH or of the pip package."""
    folders = Path(sysconfig.get_paths()["purelib"]).glob("nvidia/*/bin")
    found = shutil.which(
        "nvdisasm", path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    )
    if found is None:
        raise MissingError(f"nvdisasm is not installed: {TOOLS}")
    return found


def sources() -> dict[str, str]:
    """Return the sources by file, as the compiler gets them."""
    top = Path(str(files("gpuodds.kernels")))
    names = sorted(path.relative_to(top).as_posix() for path in top.rglob("*.cu"))
    found = {name.removesuffix(".cu"): read_source(name) for name in names}
    reference = {path.stem: expand(path.read_text("utf-8")) for path in sorted(REFERENCE.glob("*.cu"))}
    return found | reference


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


def disassemble(code: bytes) -> str:
    """Return machine code as text, with the source lines of each instruction."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(code)
        command = [find_disassembler(), "-c", "-gi", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def read_resources(log: str) -> dict[str, Resources]:
    """Return what each kernel takes, of ``ptxas -v``."""
    found = {}
    for part in log.split("Compiling entry function '")[1:]:

        def number(pattern: str, part: str = part) -> int:
            return int((re.search(pattern, part) or [0, 0])[1])

        spills = number(r"(\d+) bytes spill stores") + number(r"(\d+) bytes spill loads")
        found[part.partition("'")[0]] = Resources(
            number(r"Used (\d+) registers"),
            number(r"(\d+) bytes smem"),
            number(r"(\d+) bytes stack frame"),
            spills,
        )
    return found


def measure(row: Row, function: Function, source: Source, resources: Resources) -> dict[str, Any]:
    """Return a kernel's figures."""
    blocks = resident_blocks(resources, row.threads, row.dynamic_shared)
    figures: dict[str, Any] = {
        "kernel": row.kernel,
        "threads": row.threads,
        **vars(resources),
        "dynamic_shared": row.dynamic_shared,
        "blocks": blocks,
        "occupancy": blocks * row.threads / 2048,
        "unit": row.unit,
        "note": row.note,
    }
    loop = find_loop(row, function, source)
    if loop is None:
        return figures | {"loop": None}
    found = cost(row, function, loop, source)
    predictions = {device.name: vars(predict(row, found, device)) for device in (H100, H200)}
    return figures | {
        "loop": {
            "block": loop.header,
            "depth": loop.depth,
            "inside": len(loop.inside),
            "source": first_line(loop, function, source),
            "units": found.units,
            "instructions": round(found.instructions, 2),
            "counts": {name: round(count, 2) for name, count in found.counts.items()},
            "cycles": {name: round(cycles, 2) for name, cycles in found.cycles.items() if cycles},
        },
        "predictions": predictions,
    }


def kernel_names(text: str) -> list[str]:
    """Return the names of the kernels in a source."""
    return re.findall(r"__global__ void (?:__launch_bounds__\(.*?\)\s+)?(\w+)\(", text)


def compile_kernels(
    names: list[str], architecture: str
) -> Iterator[tuple[str, str, Function, Source, Resources]]:
    """Yield file, name, code, source and resources of some kernels, or of all."""
    for file, text in sources().items():
        wanted = [kernel for kernel in kernel_names(text) if not names or {file, kernel} & set(names)]
        if not wanted:
            continue
        code, log = compile_source(text, architecture)
        functions, resources = read_functions(disassemble(code)), read_resources(log)
        for kernel in wanted:
            yield file, kernel, functions[kernel], Source(text), resources[kernel]


def measure_all(names: list[str], architecture: str) -> list[dict[str, Any]]:
    """Return the figures of some kernels, or of all; a kernel without a row has a plain one."""
    known = {(row.file, row.kernel): row for row in KERNELS}
    rows = []
    for file, kernel, function, source, resources in compile_kernels(names, architecture):
        row = known.get((file, kernel), Row(file, kernel, 256, "iteration", note=NO_ROW))
        rows.append(measure(row, function, source, resources))
    return rows


def print_loops(names: list[str], architecture: str) -> None:
    """Print every loop of some kernels: own and all instructions, classes, where it begins."""
    for _, kernel, function, source, _ in compile_kernels(names, architecture):
        print(kernel)
        for loop in function.loops:
            own, every = function.count(loop.own), function.count(loop.blocks).total()
            counts = " ".join(f"{name} {count}" for name, count in own.most_common())
            line = first_line(loop, function, source)
            print(f"{'  ' * loop.depth}  {own.total()} of {every}: {counts}: {line}")


def first_line(loop: Loop, function: Function, source: Source) -> str:
    """Return the source line that a loop begins with, the innermost of those inlined."""
    lines = function.blocks[loop.header].instructions[0].lines
    return next((source.lines[n - 1].strip() for n in lines if n <= len(source.lines)), "")


def print_figures(rows: list[dict[str, Any]], before: dict[str, Any]) -> None:
    """Print figures, and below those of a kernel its figures before."""
    console = Console() if Console().is_terminal else Console(width=170)
    table = Table(title="predicted from machine code, measured on no device", title_justify="left")
    for name in (
        "kernel",
        "unit",
        "reg",
        "smem",
        "spill",
        "blocks x threads",
        "instr",
        "by class",
        "cycles",
    ):
        table.add_column(name, overflow="fold")
    for name in ("H100", "bound"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*_cells(row), end_section=row["kernel"] not in before)
        if row["kernel"] in before:
            _, *cells = _cells(before[row["kernel"]])
            table.add_row("  before", *cells, style="dim", end_section=True)
    if not rows:
        return
    console.print(table)
    console.print("instr, by class, cycles: of a warp for 32 units; H100: units a second.", style="dim")
    for row in rows:
        loop = row["loop"]
        if loop:
            text = (
                f"{row['kernel']}: loop at `{loop['source']}`, {loop['units']:g} units an iteration, "
            )
            text += f"{loop['inside']} loops inside. {row['note']}"
            console.print(text, markup=False, highlight=False)


def print_rows(rows: dict[str, Any], before: dict[str, Any]) -> None:
    """Print the predictions for benchmark rows; those that read as before are left out."""

    def predicted(row: dict[str, Any]) -> str:
        return f"{'more than ' if row['least'] else ''}{in_time(row['seconds'])}"

    for name, row in rows.items():
        now, earlier = predicted(row), predicted(before[name]) if name in before else ""
        if now != earlier:
            print(f"{name}: predicted {now}{f', before {earlier}' if earlier else ''}")


def print_changes(report: dict[str, Any], before: dict[str, Any], everything: bool) -> None:
    """Print the kernels and rows whose figures differ from earlier ones, with both.

    Args:
        report: All figures, or those of some kernels.
        before: An earlier report.
        everything: Whether a kernel that ``report`` lacks is gone.
    """
    earlier = {row["kernel"]: row for row in before["kernels"]}
    now = {row["kernel"] for row in report["kernels"]}
    shown = {name: _cells(row) for name, row in earlier.items()}
    changed = [row for row in report["kernels"] if _cells(row) != shown.get(row["kernel"])]
    print_figures(changed, earlier)
    print(f"kernels that did not change: {len(now) - len(changed)}")
    if everything and earlier.keys() - now:
        print(f"kernels that are gone: {', '.join(sorted(earlier.keys() - now))}")
    print_rows(report["rows"], before["rows"])


def _cells(row: dict[str, Any]) -> list[str]:
    start = [
        row["kernel"], row["unit"], str(row["registers"]), str(row["shared"]), str(row["spills"]),
        f"{row['blocks']} x {row['threads']} ({row['occupancy']:.0%})",
    ]  # fmt: skip
    loop = row["loop"]
    if not loop:
        return [*start, "no loop found", "", "", "", ""]
    order = ["alu", *CLASSES]
    counts = sorted(loop["counts"].items(), key=lambda item: order.index(item[0]))
    prediction = row["predictions"]["H100 SXM"]
    return [
        *start,
        f"{loop['instructions'] / loop['units']:.4g}",
        " ".join(f"{name} {count / loop['units']:.3g}" for name, count in counts if count),
        " ".join(f"{name} {cycles / loop['units']:.3g}" for name, cycles in loop["cycles"].items()),
        f"{prediction['rate']:.3g}/s",
        prediction["bound"],
    ]


def main() -> None:
    """Print the figures that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="a kernel or a file; default: all")
    parser.add_argument("--arch", default="sm_90", help="default: sm_90")
    parser.add_argument("--out", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="show what changed since --out wrote this file")
    parser.add_argument("--loops", action="store_true", help="list all loops instead")
    parser.add_argument("--docs", action="store_true", help=f"write {KEPT.name} and the pages")
    options = parser.parse_args()
    if options.loops:
        return print_loops(options.kernels, options.arch)
    if options.docs and options.kernels:
        parser.error("--docs: expected no kernels, the page has all")
    before = json.loads(options.against.read_text("utf-8")) if options.against else None
    kernels = measure_all(options.kernels, options.arch)
    report = {"architecture": options.arch, "kernels": kernels, "rows": forecasts.predict_rows(kernels)}
    if before is None:
        print_figures(kernels, {})
        print_rows(report["rows"], {})
    else:
        print_changes(report, before, everything=not options.kernels)
    text = json.dumps(report, indent=1) + "\n"
    if options.out:
        options.out.write_text(text, "utf-8")
    if options.docs:
        KEPT.write_text(text, "utf-8")
        performance.write_pages()


if __name__ == "__main__":
    try:
        main()
    except MissingError as error:
        sys.exit(str(error))
