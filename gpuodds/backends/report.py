"""Report what the backends find on this machine, for ``gpuodds doctor``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class CudaReport:
    """The state of CUDA on this machine.

    Attributes:
        unusable: Why no GPU is usable, and what would help; None if one is usable.
        driver: The CUDA version that the driver supports; None without a usable GPU.
        devices: Each device with its memory and compute capability.
        kernel_cache: The folder of compiled kernels; None if none are kept.
        compiled: The files of kernels/ that have been compiled on this machine.
        refused: Why the folder for compiled kernels is not used: another user could change what is
            there. None if it is safe, or there is none.
    """

    unusable: str | None
    driver: str | None
    devices: tuple[str, ...]
    kernel_cache: Path | None
    compiled: tuple[str, ...]
    refused: str | None


def report_cuda() -> CudaReport:
    """Return the state of CUDA on this machine."""
    from gpuodds.backends.cuda.shared.device import (
        describe_devices,
        driver_version,
        why_no_device,
    )
    from gpuodds.backends.startup import compiled_kernels, kernel_cache, why_not_kept

    reason = why_no_device()
    kept = kernel_cache(), tuple(compiled_kernels()), why_not_kept()
    if reason:
        return CudaReport(reason, None, (), *kept)
    return CudaReport(None, driver_version(), tuple(describe_devices()), *kept)


def compiled_functions() -> Path | None:
    """Return the folder where numba caches compiled code; None if no such folder is writable."""
    from gpuodds.backends.cpu.compile.jit import cache_folder

    return cache_folder()


def refused_folders() -> list[str]:
    """Return why folders for compiled code are not used: another user could change what is there."""
    from gpuodds.backends.cpu.compile.code_cache import refused_folders

    compiled_functions()  # the first that is to be kept looks at the folders
    return refused_folders()


def functions_compiled() -> int:
    """Return how many functions of the CPU backend this process has compiled, rather than loaded."""
    from gpuodds.backends.cpu.compile.code_cache import functions_compiled

    return functions_compiled()
