"""What tests need of a machine: they are skipped, with the reason, where it is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest


def _bash_version() -> int:
    """Return the version of bash; 0 without one. That of macOS is 3; that of Windows may be WSL's."""
    if os.name != "posix" or shutil.which("bash") is None:
        return 0
    command = ["bash", "-c", "echo ${BASH_VERSINFO[0]}"]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


posix = pytest.mark.skipif(os.name != "posix", reason="pipes, modes, signals and limits of POSIX")
fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="splits processes with os.fork")
bash = pytest.mark.skipif(not _bash_version() >= 4, reason="runs scripts of bash 4")
ps = pytest.mark.skipif(
    os.name != "posix" or shutil.which("ps") is None, reason="finds processes with ps"
)

IS_A_DIRECTORY = "Is a directory" if os.name == "posix" else "Permission denied"
"""What the system says where a file was expected and a folder is."""

interpreter = (
    sys.platform == "linux" and shutil.which("g++") is not None and find_spec("cuda") is not None
)
"""Whether kernels can be interpreted: NVRTC compiles them, g++ the interpreter."""


def link(path: Path, target: Path) -> None:
    """Make a symbolic link, or skip the test: on Windows that needs a right that few users have."""
    try:
        path.symlink_to(target)
    except OSError as error:
        pytest.skip(f"no symbolic links: {error.strerror}")
    if not path.is_symlink():
        pytest.skip("no symbolic links")
