"""What tests need of a machine: they are skipped, with the reason, where it is missing."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, modes, signals and limits of POSIX")
fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="splits processes with os.fork")
bash = pytest.mark.skipif(
    os.name != "posix" or shutil.which("bash") is None, reason="runs commands with bash"
)
ps = pytest.mark.skipif(
    os.name != "posix" or shutil.which("ps") is None, reason="finds processes with ps"
)


def link(path: Path, target: Path) -> None:
    """Make a symbolic link, or skip the test: on Windows that needs a right that few users have."""
    try:
        path.symlink_to(target)
    except OSError as error:
        pytest.skip(f"no symbolic links: {error.strerror}")
    if not path.is_symlink():
        pytest.skip("no symbolic links")
