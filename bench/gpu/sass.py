"""Print instructions, registers and the predicted rate of the kernels; no GPU is needed.

``python bench/gpu/sass.py [KERNEL ...]`` compiles the sources for sm_90 as CuPy does and disassembles
them. A backward branch closes a loop, from the branch's target to the branch. The rate is that of a
kernel's largest loop without loops inside, or of the whole kernel if it has none: turns a second, all
lanes of an H100 together, at the rates of its units. Latencies, device memory, conflicts of banks and
idle lanes are left out, so that no kernel is faster. ``--out FILE`` keeps the figures; ``--against
FILE`` prints only the kernels that changed since, with their earlier figures.
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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from gpuodds.backends.cuda.shared.device import OPTIONS, expand
from gpuodds.backends.cuda.shared.device import source as read_source

REFERENCE = Path(__file__).resolve().parents[2] / "tests" / "oracles" / "reference"
# What CuPy adds to our options, and line numbers; neither they nor -v change the code.
ADDED = ("-ftz=true", "--device-as-default-execution-space", "-lineinfo", "--ptxas-options=-v")
TOOLS = "pip install 'cuda-toolkit[nvdisasm]'"
COMPILER = "pip install cuda-bindings nvidia-cuda-nvrtc"

PROCESSORS, CLOCK, WARP = 132, 1.98e9, 32  # of an H100 SXM; Hz
SCHEDULERS = 4  # of a multiprocessor; each starts one warp instruction a clock
# Opcodes up to the first dot, by the unit that carries them out; the first match counts.
CLASSES = {
    "memory": r"LD\w*|ST\w?|ATOM\w?|RED|REDG|TEX|TLD|UBLKCP|SHFL|VOTEU?|MATCH",
    "popc": r"U?(POPC|FLO|BREV)|I2F|F2I|F2F|I2I|FRND|MUFU|C?REDUX|I2FP|F2IP",
    "fp64": r"DFMA|DADD|DMUL|DSETP|DMMA",
    "fp32": r"FFMA|FADD|FMUL|FSWZADD|HFMA2|HADD2|HMUL2",
    "mad": r"IMAD|IMUL|IDP|IDP4A|XMAD",
    "control": r"BRX?U?|BRA|JM[PX]U?|EXIT|RET|CALL|BSSY|BSYNC|BREAK|BMOV|WARPSYNC|YIELD|BAR|MEMBAR"
    r"|DEPBAR|FENCE|SYNCS|NOP|CS2R|S2U?R|R2UR|R2B|B2R|LEPC|U[A-Z0-9]+",
}
ALU = "alu"  # whatever is left: integer arithmetic, comparisons, selections, moves, predicates
CONSTANT = re.compile("LDCU?|LDGDEPBAR")  # through no load/store unit
# Lanes that a multiprocessor of compute capability 9.0 starts a clock, by class of instruction
# (CUDA programming guide, "throughput of native arithmetic instructions").
LANES = {ALU: 64, "mad": 64, "fp32": 128, "fp64": 64, "popc": 16, "memory": 32}

SECTION = re.compile(r'^\t\.section\s+\.text\.(\w+),"ax"', re.MULTILINE)
LABEL = re.compile(r"^([.$\w]+):\s*$")
LINE = re.compile(r"\bline (\d+)")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)")
TARGET = re.compile(r"`\(([^)]+)\)")


class MissingError(Exception):
    """A program or package that this needs is not installed."""


@dataclass(frozen=True)
class Code:
    """A kernel: its opcodes, the source line of each (0: unknown), its loops as ranges of both."""

    opcodes: list[str]
    lines: list[int]
    loops: list[range]

    @property
    def hottest(self) -> range:
        """The largest loop without loops inside; everything if there is no loop."""
        inner = [x for x in self.loops if not any(y != x and inside(y, x) for y in self.loops)]
        return max(inner, key=len, default=range(len(self.opcodes)))

    def count(self, part: range) -> Counter[str]:
        """Count the instructions of a part by class."""
        return Counter(class_of(self.opcodes[place]) for place in part)


def inside(inner: range, outer: range) -> bool:
    """Return whether a range lies in another one."""
    return outer.start <= inner.start and inner.stop <= outer.stop


def class_of(opcode: str) -> str:
    """Return the class of an opcode, such as ``"memory"`` of ``"LDS.U16"``."""
    stem = opcode.partition(".")[0]
    if CONSTANT.fullmatch(stem):
        return "control"
    return next((name for name, pattern in CLASSES.items() if re.fullmatch(pattern, stem)), ALU)


def predict(counts: Counter[str]) -> tuple[float, str]:
    """Return how often a second a device runs some instructions in all lanes, and what bounds that.

    >>> predict(Counter(alu=4, popc=2))[1]
    'popc'
    """
    cycles = {"issue": counts.total() / SCHEDULERS}
    cycles |= {name: counts[name] * WARP / lanes for name, lanes in LANES.items()}
    bound = max(cycles, key=lambda name: cycles[name])
    return PROCESSORS * CLOCK * WARP / cycles[bound], bound


def read_codes(text: str) -> dict[str, Code]:
    """Return the code of each kernel, from what ``nvdisasm -c -gi`` prints."""
    parts = SECTION.split(text)
    return {name: _read_code(lines) for name, lines in zip(parts[1::2], parts[2::2], strict=True)}


def _read_code(text: str) -> Code:
    code, at, source, fresh = Code([], [], []), dict[str, int](), 0, True
    for line in text.splitlines():
        if line.lstrip().startswith("//##"):  # of several, the first is the innermost of those inlined
            number = LINE.search(line)
            source, fresh = (int(number[1]) if number and fresh else source), False
        elif label := LABEL.match(line):
            at[label[1]] = len(code.opcodes)
        elif instruction := INSTRUCTION.match(line):
            fresh, place = True, len(code.opcodes)
            code.opcodes.append(instruction[1])
            code.lines.append(source)
            target = TARGET.search(instruction[2])
            begin = at.get(target[1], place) if target else place
            # A branch to itself pads the end of a kernel, a call returns.
            if begin < place and instruction[1].startswith(("BRA", "JMP")):
                code.loops.append(range(begin, place + 1))
    ends = {loop.start: loop for loop in sorted(code.loops, key=len)}  # the longest with a start
    code.loops[:] = sorted(ends.values(), key=lambda loop: (loop.start, -loop.stop))
    return code


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


def find_disassembler() -> str:
    """Return the path of nvdisasm, of PATH or of the pip package."""
    folders = Path(sysconfig.get_paths()["purelib"]).glob("nvidia/*/bin")
    program = shutil.which(
        "nvdisasm", path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    )
    if program is None:
        raise MissingError(f"nvdisasm is not installed: {TOOLS}")
    return program


def kernel_sources() -> dict[str, str]:
    """Return the sources of kernels/ by file, as the compiler gets them."""
    top = Path(str(files("gpuodds.kernels")))
    names = sorted(path.relative_to(top).as_posix() for path in top.rglob("*.cu"))
    return {name.removesuffix(".cu"): read_source(name) for name in names}


def sources() -> dict[str, str]:
    """Return the sources by file, those of the tests' reference kernels as well."""
    reference = {path.stem: expand(path.read_text("utf-8")) for path in sorted(REFERENCE.glob("*.cu"))}
    return kernel_sources() | reference


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


def kernel_names(text: str) -> list[str]:
    """Return the names of the kernels in a source."""
    return re.findall(r"__global__ void (?:__launch_bounds__\(.*?\)\s+)?(\w+)\(", text)


def measure(names: list[str], architecture: str) -> Iterator[tuple[dict[str, Any], Code, list[str]]]:
    """Yield figures, code and source lines of some kernels or files, or of all."""
    for file, text in sources().items():
        wanted = [kernel for kernel in kernel_names(text) if not names or {file, kernel} & set(names)]
        if not wanted:
            continue
        machine_code, log = compile_source(text, architecture)
        codes, resources, lines = (
            read_codes(disassemble(machine_code)),
            read_resources(log),
            text.splitlines(),
        )
        for kernel in wanted:
            code = codes[kernel]
            counts = code.count(code.hottest)
            rate, bound = predict(counts)
            figures = {"kernel": kernel, "instructions": len(code.opcodes), **resources[kernel]}
            figures |= {
                "loop": first_line(code, code.hottest, lines),
                "counts": dict(counts.most_common()),
            }
            yield figures | {"rate": rate, "bound": bound}, code, lines


def first_line(code: Code, part: range, lines: list[str]) -> str:
    """Return the source line that a part of a kernel begins with."""
    number = code.lines[part.start]
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def print_loops(code: Code, lines: list[str]) -> None:
    """Print every loop of a kernel: its instructions, their classes, where it begins."""
    for loop in code.loops:
        depth = sum(other != loop and inside(loop, other) for other in code.loops)
        counts = " ".join(f"{name} {count}" for name, count in code.count(loop).most_common())
        print(f"{'  ' * depth}  {len(loop)}: {counts}: {first_line(code, loop, lines)}")


def print_figures(rows: list[dict[str, Any]], before: dict[str, dict[str, Any]]) -> None:
    """Print the figures of kernels; below those of a kernel, its earlier ones."""
    table = Table(title="predicted from machine code, measured on no device", title_justify="left")
    for name in ("kernel", "instr", "reg", "smem", "spill", "loop", "of it, by class", "H100", "bound"):
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(row["kernel"], *_cells(row))
        if row["kernel"] in before:
            table.add_row("  before", *_cells(before[row["kernel"]]), style="dim")
    (Console() if Console().is_terminal else Console(width=170)).print(table)


def _cells(row: dict[str, Any]) -> list[str]:
    counts = " ".join(f"{name} {count}" for name, count in row["counts"].items())
    numbers = [str(row[name]) for name in ("instructions", "registers", "shared", "spills")]
    return [*numbers, row["loop"].replace("[", r"\["), counts, f"{row['rate']:.3g}/s", row["bound"]]


def print_changes(rows: list[dict[str, Any]], before: list[dict[str, Any]], everything: bool) -> None:
    """Print the kernels whose figures differ from earlier ones, with both.

    Args:
        rows: The figures of all kernels, or of some.
        before: Earlier figures.
        everything: Whether a kernel that ``rows`` lacks is gone.
    """
    earlier = {row["kernel"]: row for row in before}
    changed = [row for row in rows if row != earlier.get(row["kernel"])]
    if changed:
        print_figures(changed, earlier)
    print(f"kernels that did not change: {len(rows) - len(changed)}")
    gone = earlier.keys() - {row["kernel"] for row in rows}
    if everything and gone:
        print(f"kernels that are gone: {', '.join(sorted(gone))}")


def main() -> None:
    """Print the figures that are asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="a kernel or a file; default: all")
    parser.add_argument("--arch", default="sm_90", help="default: sm_90")
    parser.add_argument("--out", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="show what changed since --out wrote this file")
    parser.add_argument("--loops", action="store_true", help="list all loops instead")
    options = parser.parse_args()
    rows = []
    for figures, code, lines in measure(options.kernels, options.arch):
        rows.append(figures)
        if options.loops:
            print(figures["kernel"])
            print_loops(code, lines)
    if options.loops:
        return
    if options.against:
        before = json.loads(options.against.read_text("utf-8"))
        print_changes(rows, before, everything=not options.kernels)
    else:
        print_figures(rows, {})
    if options.out:
        options.out.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    try:
        main()
    except MissingError as error:
        sys.exit(str(error))
