"""Predict the rates of the kernels from the instructions that they execute; no GPU is needed.

``python bench/gpu/model.py [WORKLOAD ...]`` runs workloads in the interpreter of PTX, behind the tests'
stand-in for CuPy, and counts what each kernel executes: warp instructions by unit of the device, lanes
that take part, passes over banks of shared memory, sectors of device memory. From the rates at which a
multiprocessor of an H100 starts instructions of each unit follows the least time that a workload can
take, and what bounds it. Every figure is a prediction, measured on no device: latencies, occupancy,
caches, launches and the host are left out, so a device is slower. Figures are written to
``bench/results/kernels-predicted.json``, whence ``bench/performance.py`` takes the table of
docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bench.gpu.workloads import Workload

ROOT = Path(__file__).resolve().parents[2]
# Behind the installed packages, as in run.py; the stand-in before them.
sys.path.append(str(ROOT))

RESULTS = ROOT / "bench" / "results" / "kernels-predicted.json"
ARCHITECTURE = "sm_90"
PROCESSORS, CLOCK = 132, 1.98e9  # of an H100 SXM; Hz
SCHEDULERS = 4  # of a multiprocessor; each starts one warp instruction a clock
SECTOR = 32  # bytes of device memory that are read or written at once
WARP = 32
# Lanes that a multiprocessor of compute capability 9.0 starts a clock, by unit
# (CUDA programming guide, "throughput of native arithmetic instructions").
LANES = {"alu": 64, "mad": 64, "fp32": 128, "fp64": 64, "popc": 16, "memory": 32}
CONTROL = "control"  # branches, barriers, parameters: they only take a scheduler's clock
# Opcodes of PTX: how many machine instructions of which unit they become for 32 bits, and for 64. The
# first match counts. Moves between registers and changes of width mostly vanish. ``machine_code.py``
# compares the numbers with those of machine code.
OPCODES = [
    (
        r"(ld|ldu)\.param|ld\.const|bra|brx|ret|exit|bar|barrier|membar|fence|call|activemask",
        CONTROL,
        1,
        1,
    ),
    (r"ld|st|atom|red|shfl|vote|match", "memory", 1, 1),
    (r"mov|cvta|cvt\.[su](16|32|64)\.[su](8|16|32|64)", "", 0, 0),
    (r"popc|clz|brev|bfind|fns|cvt", "popc", 1, 2),
    (r"(div|rem)\.[su]", "alu", 20, 80),
    (r"mul\.wide|mul24|mad24|dp[24]a", "mad", 1, 1),
    (r"mul\.lo|mad\.lo", "mad", 1, 3),
    (r"mul\.hi|mad\.hi", "mad", 2, 8),
    (r"(add|sub|mul|fma|mad|min|max|neg|abs|setp|selp)\S*\.f64", "fp64", 1, 1),
    (r"(div|sqrt|rcp)\S*\.f64", "fp64", 12, 12),
    (r"(add|sub|mul|fma|mad)\S*\.f32", "fp32", 1, 1),
    (r"(min|max|setp|selp|shl|shr)", "alu", 1, 2),
    (r"", "alu", 1, 2),
]
PATTERNS = [(re.compile(row[0]), row[1:]) for row in OPCODES]
GUARD = re.compile(r"@!?%\w+\s+")


def unit_of(text: str) -> tuple[str, int]:
    """Return the unit for an instruction of PTX, and how many machine instructions it becomes.

    >>> unit_of("add.s64 %rd1, %rd2, 1;"), unit_of("@%p1 bra $L__BB0_2;"), unit_of("popc.b32 %r1, %r2;")
    (('alu', 2), ('control', 1), ('popc', 1))
    """
    opcode = GUARD.sub("", text, count=1).split()[0].rstrip(";")
    unit, narrow, wide = next(row for pattern, row in PATTERNS if pattern.match(opcode))
    return unit, wide if re.search(r"\.[subf]64\b", opcode) else narrow


@dataclass(frozen=True)
class Executed:
    """What a kernel executed: all warps together."""

    kernel: str
    by_unit: Counter[str]  # warp instructions of the device
    warps: int  # warp instructions of PTX
    lanes: int  # lanes that took part in these
    passes: int  # over banks of shared memory
    sectors: int  # of device memory

    @property
    def cycles(self) -> dict[str, float]:
        """The clocks that one multiprocessor would take at least, by what bounds them."""
        issued = sum(self.by_unit.values())
        cycles = {"issue": issued / SCHEDULERS}
        for unit, lanes in LANES.items():
            cycles[unit] = self.by_unit[unit] * WARP / lanes
        cycles["memory"] = max(cycles["memory"], float(self.passes))
        return cycles

    @property
    def bound(self) -> str:
        """What bounds its rate."""
        return max(self.cycles, key=lambda name: self.cycles[name])

    @property
    def seconds(self) -> float:
        """The least time on all multiprocessors."""
        return max(self.cycles.values()) / PROCESSORS / CLOCK

    @property
    def active(self) -> float:
        """The share of lanes that take part."""
        return self.lanes / (WARP * self.warps)


def executed(kernel: Any) -> Executed:
    """Return what a kernel of the interpreter has executed since it was cleared."""
    from ptx.storage import Space

    counts, units = kernel.counts(), Counter[str]()
    passes = sectors = 0
    for place, i in enumerate(kernel.program.instructions):
        warps = int(counts.warps[place])
        if not warps:
            continue
        unit, times = unit_of(i.text)
        if unit:
            units[unit] += warps * times
        if i.space == Space.SHARED:
            passes += int(counts.transactions[place])
        elif i.space in (Space.GLOBAL, Space.GENERIC):
            sectors += int(counts.transactions[place])
    totals = int(counts.warps.sum()), int(counts.lanes.sum())
    return Executed(kernel.name, units, *totals, passes, sectors)


def measure(run: Callable[[], Any]) -> list[Executed]:
    """Run a workload and return what each kernel executed, the longest first."""
    from cupy.kernels import LOADED

    run()  # tables are copied and made once
    kernels = [kernel for loaded in LOADED.values() for kernel in loaded.kernels.values()]
    for kernel in kernels:
        kernel.clear()
    run()
    kernels = [kernel for loaded in LOADED.values() for kernel in loaded.kernels.values()]
    rows = [executed(kernel) for kernel in kernels if kernel.counts().warps.any()]
    return sorted(rows, key=lambda row: -row.seconds)


def predict(workloads: list[Workload], devices: int) -> Iterator[dict[str, Any]]:
    """Yield the figures of each kernel of some workloads, all devices together."""
    for work in workloads:
        run, units = work.prepare()
        rows = measure(run)
        whole = sum(row.seconds for row in rows)
        for row in rows:
            yield {
                "workload": work.name,
                "unit": work.unit,
                "rate": devices * units / whole,
                "kernel": row.kernel,
                "share": row.seconds / whole,
                "instructions": sum(row.by_unit.values()) / units,
                "active": row.active,
                "bytes": row.sectors * SECTOR / units,
                "bound": row.bound,
            }


def print_figures(rows: list[dict[str, Any]]) -> None:
    """Print the figures, a line a kernel."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="predicted for an H100, measured on no device", title_justify="left")
    for name in (
        "workload",
        "a second",
        "kernel",
        "share",
        "warp instructions",
        "lanes",
        "bytes",
        "bound",
    ):
        table.add_column(name, overflow="fold")
    last = ""
    for row in rows:
        head = [row["workload"], f"{row['rate']:.3g} {row['unit']}"]
        table.add_row(
            *(["", ""] if row["workload"] == last else head),
            *(row["kernel"], f"{row['share']:.0%}", f"{row['instructions']:.3g}"),
            *(f"{row['active']:.0%}", f"{row['bytes']:.3g}", row["bound"]),
        )
        last = row["workload"]
    (Console() if Console().is_terminal else Console(width=150)).print(table)


def main() -> None:
    """Print and write the figures that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    help_text = "default: all, whose figures are written"
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=help_text)
    parser.add_argument("--devices", type=int, default=1, help="GPUs that share the work; default: 1")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests" / "host_cuda"))
    import cupy
    from ptx.machine import Check

    from bench.gpu.workloads import WORKLOADS  # after the stand-in has come before CuPy

    by_name = {work.name: work for work in WORKLOADS}
    unknown = [name for name in options.workloads if name not in by_name]
    if unknown:
        parser.error(f"workload '{unknown[0]}': expected one of: {', '.join(by_name)}")
    if options.devices < 1:
        parser.error(f"--devices {options.devices}: expected 1 or more")
    cupy.cuda.settings.reset(devices=options.devices)
    cupy.cuda.settings.architecture = ARCHITECTURE
    cupy.cuda.settings.checks = Check.TRANSACTIONS
    chosen = [by_name[name] for name in options.workloads] or WORKLOADS
    rows = list(predict(chosen, options.devices))
    print_figures(rows)
    if not options.workloads and options.devices == 1:
        about = {"device": "an H100 SXM", "architecture": ARCHITECTURE}
        RESULTS.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
