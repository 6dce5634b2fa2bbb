"""Let a process fork while other threads import or compile: the child inherits no lock that they hold.

Those threads do not exist in the child, so what they hold would stay held. A fork waits until they are
done. Nothing heavy is imported.
"""

from __future__ import annotations

import _imp
import os
import sys
from collections.abc import Callable
from importlib import _bootstrap, import_module
from threading import get_ident
from time import monotonic, sleep
from typing import Any

IMPORT_SECONDS = 60.0  # that a fork waits for imports, at most: beside busy threads they take long
LOCK_SECONDS = 60.0  # for functions that are being compiled
PACKAGES = {"gpuodds", "lark", "llvmlite", "numba", "numpy"}

_registered: list[bool] = []
_releases: list[Callable[[], None]] = []  # of the locks that this fork holds


def wait_at_forks() -> None:
    """Have every fork of this process wait from now on; what it waited for is released in both."""
    if _registered or not hasattr(os, "register_at_fork"):  # which Windows has not
        return
    _registered.append(True)
    # Hooks run in the opposite order before a fork: ours must come before those of these modules, which
    # take locks that a thread may need to end its import.
    for name in ("concurrent.futures.thread", "logging"):
        import_module(name)

    os.register_at_fork(before=_wait, after_in_parent=_release, after_in_child=_release)


def _wait() -> None:
    end = monotonic() + IMPORT_SECONDS
    while True:
        # Only one fork gets further at a time.
        _releases.extend([lock.release for lock in _locks() if lock.acquire(timeout=LOCK_SECONDS)])
        # Last, since other threads may have begun to import while this one waited. While this lock is
        # held none begins another import; Python itself takes it for a fork, and renews it.
        _imp.acquire_lock()
        _releases.append(_imp.release_lock)
        if not _is_importing() or monotonic() > end:
            return
        _release()
        sleep(0.001)


def _release() -> None:
    while _releases:
        _releases.pop()()


def _is_importing() -> bool:
    """Return whether another thread imports a module that a computation may need."""
    # Python has no other way to tell; where it changes, a fork does not wait.
    for name, reference in list(getattr(_bootstrap, "_module_locks", {}).items()):
        owner = getattr(reference(), "owner", None)
        if owner not in (None, get_ident()) and str(name).partition(".")[0] in PACKAGES:
            return True
    return False


def _locks() -> list[Any]:
    """Return the lock of numba's compiler and that of LLVM, in the order in which numba takes them."""
    numba = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    llvm = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    locks = (getattr(library, "_lock", None) for library in (numba, llvm))
    return [lock for lock in locks if lock is not None]
