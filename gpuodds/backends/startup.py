"""How long a GPU needs before it computes, told without importing CuPy.

The seconds are predictions: no GPU has run this code yet.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from gpuodds.machine.trust import why_untrusted

COMPILING_SECONDS = 15.0
"""The first use on a machine: CuPy, the context of the driver, and kernels to compile."""
STARTING_SECONDS = 1.5
"""The first use in a process, with compiled kernels in CuPy's cache."""
LAUNCHING_SECONDS = 5e-3
"""A computation in a process that has used the GPU before."""

_used: set[str] = set()  # the files of kernels/ that this process has loaded


def startup_seconds() -> float:
    """Return about how long a GPU needs until it computes."""
    if _used:
        return LAUNCHING_SECONDS
    return STARTING_SECONDS if compiled_kernels() else COMPILING_SECONDS


def kernel_cache() -> Path | None:
    """Return the folder in which CuPy keeps compiled kernels; None if it is told to keep none.

    A folder where another user could change the kernels counts as none: see :func:`why_not_kept`.
    """
    folder = _named_folder()
    return None if folder is None or _why_untrusted(folder) else Path(folder)


def why_not_kept() -> str | None:
    """Return why CuPy's folder is not safe to load kernels from; None if it is, or there is none."""
    folder = _named_folder()
    return None if folder is None else _why_untrusted(folder)


def _named_folder() -> str | None:
    if os.environ.get("CUPY_CACHE_IN_MEMORY", "0") not in ("", "0"):
        return None
    return os.path.expanduser(os.environ.get("CUPY_CACHE_DIR", "~/.cupy/kernel_cache"))


_why_untrusted = cache(why_untrusted)  # once per folder and process


def compiled_kernels() -> list[str]:
    """Return the files of kernels/ that have been compiled on this machine, in any version."""
    folder = kernel_cache()
    marks = [] if folder is None else folder.glob("gpuodds-*-*")
    return sorted({mark.name.split("-")[1].replace(".", "/") for mark in marks})


def is_compiled(file: str, version: str) -> bool:
    """Return whether this version of a file of kernels/ has been compiled on this machine.

    CuPy does not tell whether it compiles or finds a kernel in its cache. So each compiled file leaves
    an empty file beside the kernels, which goes when they are deleted.
    """
    folder = kernel_cache()
    return folder is not None and (folder / _mark(file, version)).exists()


def mark_compiled(file: str, version: str) -> None:
    """Note that a file of kernels/ is compiled and loaded."""
    _used.add(file)
    folder = kernel_cache()
    if folder is not None and not is_compiled(file, version):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _mark(file, version)).touch()


def _mark(file: str, version: str) -> str:
    return f"gpuodds-{file.replace('/', '.')}-{version}"
