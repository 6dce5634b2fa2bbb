"""Compare the instructions that ``model.py`` counts for PTX with machine code; no GPU is needed.

``python bench/gpu/machine_code.py`` compiles the sources for sm_90 and prints for each kernel how many
machine instructions ``model.py`` takes its PTX for, how many ``nvdisasm`` shows, and their ratio.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

# Behind the installed packages, as in run.py.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.gpu.model import ARCHITECTURE, GUARD, ROOT, unit_of
from bench.gpu.resources import MissingError, compile_source, kernel_sources

TOOLS = "pip install 'cuda-toolkit[nvdisasm]'"
ENTRY = re.compile(r"^\.visible \.entry (\w+)\(|^\t\.section\s+\.text\.(\w+),", re.MULTILINE)
MACHINE = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+\S", re.MULTILINE)
PTX = re.compile(rf"(?:{GUARD.pattern})?[a-z][\w.:]*(?:\s[^;]*)?;")


def find_disassembler() -> str:
    """Return the path of nvdisasm, of PATH or of the pip package."""
    folders = Path(sysconfig.get_paths()["purelib"]).glob("nvidia/*/bin")
    program = shutil.which(
        "nvdisasm", path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    )
    if program is None:
        raise MissingError(f"nvdisasm is not installed: {TOOLS}")
    return program


def disassemble(code: bytes) -> str:
    """Return machine code as text."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "kernel.cubin")
        path.write_bytes(code)
        command = [find_disassembler(), "-c", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def bodies(text: str) -> dict[str, str]:
    """Return the text of each kernel in PTX, or in what nvdisasm prints."""
    parts = ENTRY.split(text)
    return {
        ptx or code: body for ptx, code, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    }


def count_ptx(body: str) -> int:
    """Return the machine instructions that the model takes a kernel's PTX for."""
    lines = (line.strip() for line in body.splitlines())
    return sum(unit_of(line)[1] for line in lines if PTX.fullmatch(line))


def count_machine(body: str) -> int:
    """Return the instructions of a kernel in what nvdisasm prints."""
    return len(MACHINE.findall(body))


def compare() -> dict[str, tuple[int, int]]:
    """Return both numbers for each kernel."""
    from ptx.compiler import compile_ptx

    from gpuodds.backends.cuda.shared.device import OPTIONS

    found: dict[str, tuple[int, int]] = {}
    for text in kernel_sources().values():
        ptx = bodies(compile_ptx(text, tuple(OPTIONS), ARCHITECTURE))
        machine = bodies(disassemble(compile_source(text, ARCHITECTURE)[0]))
        for kernel, body in ptx.items():
            found[kernel] = count_ptx(body), count_machine(machine[kernel])
    return found


def main() -> None:
    """Print a line for each kernel, and one for all together."""
    sys.path.insert(0, str(ROOT / "tests" / "host_cuda"))
    found = compare()
    found["all"] = (
        sum(ours for ours, _ in found.values()),
        sum(theirs for _, theirs in found.values()),
    )
    table = Table(title=f"machine instructions, {ARCHITECTURE}", title_justify="left")
    for name in ("kernel", "counted for PTX", "nvdisasm", "ratio"):
        table.add_column(name, justify="left" if name == "kernel" else "right")
    for kernel, (ours, theirs) in found.items():
        table.add_row(kernel, str(ours), str(theirs), f"{ours / theirs:.2f}")
    Console().print(table)


if __name__ == "__main__":
    try:
        main()
    except MissingError as error:
        sys.exit(str(error))
