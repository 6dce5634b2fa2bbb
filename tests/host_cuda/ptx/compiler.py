"""What is compiled, and kept in ``__pycache__``: sources to PTX by NVRTC, the interpreter by g++."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "__pycache__"
INTERPRETER = HERE / "interpreter"
FLAGS = ["-std=c++17", "-O3", "-march=native", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
# Numbers wrap around, memory has no types, products are not fused with sums: as in PTX.
FLAGS += ["-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]
# What CuPy adds to the options of its caller. Line numbers do not change the code.
ADDED = ("-ftz=true", "--device-as-default-execution-space", "-lineinfo")


class CompileError(Exception):
    """NVRTC refused a source; the text is what it said."""


def keep(name: str, make: Callable[[Path], object]) -> Path:
    """Return the path of a name in the folder, which a function makes if it is not there."""
    path = FOLDER / name
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=FOLDER) as folder:
            made = Path(folder) / name
            make(made)
            made.replace(path)  # at once: other processes may make the same file
    return path


def compile_ptx(code: str, options: tuple[str, ...], architecture: str) -> str:
    """Return the PTX of a source for an architecture such as ``"sm_90"``, as CuPy has it compiled."""
    given = (*options, *ADDED, f"-arch={architecture}")
    key = sha256(f"{_nvrtc_version()}{given}{code}".encode()).hexdigest()[:20]
    path = keep(f"{key}.ptx", lambda path: path.write_text(_compile(code, given), "utf-8"))
    return path.read_text("utf-8")


@cache
def _nvrtc_version() -> tuple[int, ...]:
    from cuda.bindings import nvrtc

    return tuple(nvrtc.nvrtcVersion())


def _compile(code: str, options: tuple[str, ...]) -> str:
    from cuda.bindings import nvrtc

    _, program = nvrtc.nvrtcCreateProgram(code.encode(), b"kernel.cu", 0, [], [])
    (error,) = nvrtc.nvrtcCompileProgram(program, len(options), [o.encode() for o in options])
    if int(error):
        log = b" " * nvrtc.nvrtcGetProgramLogSize(program)[1]
        nvrtc.nvrtcGetProgramLog(program, log)
        raise CompileError(log.decode().rstrip("\0"))
    ptx = b" " * nvrtc.nvrtcGetPTXSize(program)[1]
    nvrtc.nvrtcGetPTX(program, ptx)
    nvrtc.nvrtcDestroyProgram(program)
    return ptx.decode().rstrip("\0")


def interpreter() -> Path:
    """Return the path of the interpreter's library, compiled for this CPU."""
    sources = sorted(path for path in INTERPRETER.iterdir() if path.suffix in (".h", ".cpp"))
    # The macros of a compiler name its version and the instructions of this CPU.
    command = ["g++", "-march=native", "-dM", "-E", "-x", "c++", os.devnull]
    macros = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    whole = f"{FLAGS}{macros}{''.join(path.read_text('utf-8') for path in sources)}"
    key = sha256(whole.encode()).hexdigest()[:20]

    def make(path: Path) -> None:
        source = str(INTERPRETER / "interpreter.cpp")
        subprocess.run(["g++", *FLAGS, "-o", str(path), source], check=True)

    return keep(f"{key}.so", make)
