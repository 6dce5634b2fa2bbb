"""Log messages about compilation, in a module that imports nothing heavy."""

from __future__ import annotations

COMPILING = (
    "compiling what this question needs, once on this machine: 2 to 10 seconds; "
    "gpuodds doctor --warm compiles all ordinary questions ahead, those of Omaha with --game omaha ..."
)
COMPILING_EACH_TIME = (
    "compiling what this question needs (2 to 10 seconds), in this and every later process: no folder "
    "for compiled code is writable; set NUMBA_CACHE_DIR to one that is"
)
COMPILING_KERNELS = "compiling CUDA kernels, once per machine ..."
COMPILING_KERNELS_EACH_TIME = (
    "compiling CUDA kernels, in this and every later process: CUPY_CACHE_IN_MEMORY is set"
)
ON_THE_CPU = "computing on the CPU: %s"
STAYS_ON_THE_CPU = "about %s, less than a GPU needs to start (about %s, a prediction)"
NO_GPU_VERSION = "there is no GPU version of %s yet"
NOT_KEPT = "cannot cache the compiled code (%s): the next process compiles it again"
