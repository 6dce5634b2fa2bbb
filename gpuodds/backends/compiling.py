"""Log messages about compilation, in a module that imports nothing heavy."""

from __future__ import annotations

COMPILING = "compiling for this machine, once after installing (about ten seconds) ..."
COMPILING_EACH_TIME = (
    "compiling (about ten seconds), in this and every later process: no folder for compiled code is "
    "writable; set NUMBA_CACHE_DIR to one that is"
)
NOT_KEPT = "cannot cache the compiled code (%s): the next process compiles it again"
