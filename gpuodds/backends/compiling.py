"""What is said when code is compiled, as the format of a log record; nothing heavy is imported here."""

from __future__ import annotations

COMPILING = "compiling for this machine, once after installing (about ten seconds) ..."
COMPILING_EACH_TIME = (
    "compiling (about ten seconds), in this process and in each one to come: no folder that could keep "
    "the compiled code is writable; point NUMBA_CACHE_DIR at one that is"
)
NOT_KEPT = "the compiled code is not kept (%s): the next process compiles it again"
