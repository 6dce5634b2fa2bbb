"""Where compiled functions are kept: in numba's cache, in folders that no other user can change.

Every function is compiled once per machine and kept next to the package, or in the user's cache folder
where that is read-only; where neither is writable, every process compiles. What ``NUMBA_CACHE_DIR``
holds is used also where that is read-only, as in a container. The cache is made of pickles, and loading
one runs what it says: folders and files that another user could change are not used
(:mod:`gpuodds.machine.trust`).
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, ParamSpec, TypeVar, cast

from numba.core import caching, event

from gpuodds.backends.compiling import (
    COMPILING,
    COMPILING_EACH_TIME,
    NOT_KEPT,
    UNSAFE,
    begin_compiling,
    end_compiling,
)
from gpuodds.backends.cpu.compile.compiler import InnerCode
from gpuodds.backends.cpu.compile.versions import enter, version_of
from gpuodds.machine.trust import make_folder, why_untrusted

P = ParamSpec("P")
R = TypeVar("R")

NO_FOLDER = "no locator available"  # numba's words
INNER = "bitcode"  # what is kept of functions that compiled ones alone call
WRAPPER = "no_cpython_wrapper"  # numba's option: true for functions that Python does not call


class _SayOnce(event.Listener):  # type: ignore[misc]
    """Says once in a process that something is compiled rather than taken from the cache."""

    def __init__(self) -> None:
        self.said = False
        self.cached = True
        self.kept = True
        self.functions = 0

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function, ours or another's."""
        module = event.data["dispatcher"].py_func.__module__
        if not module.startswith("gpuodds."):
            return
        self.functions += 1
        if not self.said:
            self.said = True
            _say_unsafe()
            logging.getLogger("gpuodds").info(COMPILING if self.cached else COMPILING_EACH_TIME)

    def on_end(self, event: Any) -> None:
        """Numba has compiled a function."""

    def not_kept(self, error: OSError) -> None:
        """What was compiled cannot be written."""
        if self.kept:
            self.kept = False
            logging.getLogger("gpuodds").info(NOT_KEPT, error)


class _Busy(event.Listener):  # type: ignore[misc]
    """Notes when numba compiles, or loads what it has compiled: both hold its lock."""

    def on_start(self, event: Any) -> None:
        """A thread waits for the lock."""
        begin_compiling()

    def on_end(self, event: Any) -> None:
        """A thread has released the lock."""
        end_compiling()


_say_once = _SayOnce()
event.register("numba:compile", _say_once)
event.register("numba:compiler_lock", _Busy())


class _CacheFile(caching.IndexDataCacheFile):  # type: ignore[misc]
    """A function's files in numba's cache, which are unpickled: only if no other user wrote them."""

    def _load_index(self) -> Any:
        return {} if _is_refused(self._index_path) else super()._load_index()

    def _load_data(self, name: str) -> Any:
        path = self._data_path(name)
        if _is_refused(path):
            raise FileNotFoundError(path)
        return super()._load_data(name)


_safe: set[str] = set()  # folders that have been checked in this process
_unsafe: dict[str, bool] = {}  # why others are not used, and whether that has been said


def _is_refused(path: str) -> bool:
    """Return whether another user could change what is at a path, and note why."""
    why = why_untrusted(path)
    if why is not None:
        _unsafe.setdefault(why, False)
    return why is not None


def _say_unsafe() -> None:
    # A process that a process of ours has started need not repeat it.
    level = logging.INFO if parent_process() else logging.WARNING
    for why, said in _unsafe.items():
        if not said:
            _unsafe[why] = True
            logging.getLogger("gpuodds").log(level, UNSAFE, why)


def _check(locator: Any, *, create: bool) -> None:
    """Raise an error if a folder is not safe, and create it if it is missing."""
    folder: str = locator.get_cache_path()
    if folder in _safe:
        return
    is_named = isinstance(locator, _named)
    existing = next(filter(os.path.isdir, (folder, os.path.dirname(folder))), None)
    if not is_named and existing is not None and not os.access(existing, os.W_OK):
        raise PermissionError(folder)  # of no use, so whose it is does not matter
    # First what is there: nothing is created where others can write. Relative folders have one reason.
    refused = _is_refused(folder if os.path.isabs(folder) else os.path.dirname(folder))
    if not refused and create:
        make_folder(folder)
        refused = _is_refused(folder)
    if refused:
        if is_named:
            _say_unsafe()  # the user has chosen it
        raise PermissionError(folder)
    _safe.add(folder)


class _Safe:
    """A folder of numba's that no other user can write."""

    def ensure_cache_path(self) -> None:
        """Raise an error if the folder is not safe, or cannot be created or written."""
        _check(self, create=True)
        super().ensure_cache_path()  # type: ignore[misc]


class _ReadOnly:
    """Such a folder where numba cannot write: what has been compiled is there."""

    def ensure_cache_path(self) -> None:
        """Raise an error if nothing is there; numba would refuse to read what it cannot write."""
        _check(self, create=False)
        if not Path(self.get_cache_path()).is_dir():  # type: ignore[attr-defined]
            raise FileNotFoundError


# Where numba looks for a folder, in turn: NUMBA_CACHE_DIR comes first.
_named, *_others = caching.FunctionCache._impl_class._locator_classes


class _Folder(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Where a function's files are."""

    _locator_classes: ClassVar[list[Any]] = [
        type(f"{kind.__name__}{base.__name__}", (kind, base), {})
        for kind, base in [(_Safe, _named), (_ReadOnly, _named), *((_Safe, other) for other in _others)]
    ]

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        # NUMBA_CACHE_LOCATOR_CLASSES names other places, and for a zip archive numba checks none.
        if _is_refused(self.locator.get_cache_path()):
            raise RuntimeError(NO_FOLDER)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return a function from what was kept of it."""
        (_, kind, _), *_ = payload
        if kind != INNER:
            return super().rebuild(target_context, payload)
        return (
            super()
            .rebuild(_InnerContext(target_context), payload)
            ._replace(target_context=target_context)
        )


class _InnerContext:
    """A target context of numba's that loads the code of functions that compiled ones alone call."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def codegen(self) -> Any:
        """Return what loads the code."""
        return self

    def unserialize_library(self, kept: Any) -> InnerCode:
        """Return the code that the cache kept."""
        return InnerCode.loaded(self._context.codegen(), kept)


class _Cache(caching.FunctionCache):  # type: ignore[misc]
    """A function's cache, in a folder that no other user can write."""

    _impl_class = _Folder

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: Any = _CacheFile(self._cache_path, self._impl.filename_base, stamp)


def cached(jit: Callable[..., Any], function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Apply one of numba's decorators with a cache, or without one where no folder is safe.

    Args:
        jit: ``numba.njit``.
        function: The function to be compiled.
        options: Further arguments of the decorator.
    """
    made: Any = jit(**options)(function)
    if hasattr(made, "enable_caching"):  # else nothing is compiled: NUMBA_DISABLE_JIT
        try:
            made._cache = _Cache(function)
        except RuntimeError as error:
            # Numba raises this, and nothing more specific, if it can write nowhere.
            if NO_FOLDER not in str(error):
                raise
            _say_once.cached = False
        else:
            _go_on_where_full(made)
            _go_by_version(made, wrapped=not options.get(WRAPPER))
    # Numba's index file holds a function with and without its wrapper: both need the same version.
    shared = {name: value for name, value in options.items() if name != WRAPPER}
    enter(made, cast("FunctionType", function), shared)
    return cast("Callable[P, R]", made)


def cached_by_numba(jit: Callable[..., Any], function: Callable[P, R]) -> Callable[P, R]:
    """Apply a decorator of numba's with the cache that it has itself, or without one.

    It looks for a folder where ours are, in the same order, but asks whose they are of none: so it has
    no cache if one of them is not safe.

    Args:
        jit: ``numba.cuda.jit``.
        function: The function to be compiled.
    """
    try:
        _Cache(function)
        if _unsafe:
            raise RuntimeError(NO_FOLDER)
        made: Any = jit(cache=True)(function)
        _go_on_where_full(made)
        _go_by_version(made, wrapped=True)
    except RuntimeError as error:
        if NO_FOLDER not in str(error):
            raise
        made = jit(cache=False)(function)
    enter(made, cast("FunctionType", function), {})
    return cast("Callable[P, R]", made)


def _go_by_version(dispatcher: Any, *, wrapped: bool) -> None:
    """Let numba's cache go by a function's version, as well as by the file that defines it."""
    cache: Any = getattr(dispatcher, "_cache", None)
    if not hasattr(cache, "_cache_file"):
        return
    index_key, file = cache._index_key, cache._cache_file
    load_index = file._load_index
    stamps: list[Any] = []

    def stamp_first(*arguments: Any) -> Any:
        # Before the first look at the index: most processes call few functions.
        if not stamps:
            stamps.append((file._source_stamp, version_of(dispatcher)))
            file._source_stamp = stamps[0]
        return *index_key(*arguments), wrapped

    def load_what_can_be_read() -> Any:
        # Numba unpickles the types of the arguments before it compares the stamp: after an upgrade a
        # class or module of them may be gone, and what was compiled for them is out of date.
        try:
            return load_index()
        except (AttributeError, ImportError):
            return {}

    cache._index_key, file._load_index = stamp_first, load_what_can_be_read


def _go_on_where_full(dispatcher: Any) -> None:
    """Use what is compiled also where it cannot be written, as on a full disk; numba would fail."""
    cache = getattr(dispatcher, "_cache", None)
    if cache is None:
        return
    save = cache.save_overload

    def try_to_save(signature: Any, compiled: Any) -> None:
        try:
            save(signature, compiled)
        except OSError as error:
            _say_once.not_kept(error)

    cache.save_overload = try_to_save


def functions_compiled() -> int:
    """Return how many functions this process has compiled, rather than loaded."""
    return _say_once.functions


def refused_folders() -> list[str]:
    """Return why folders for compiled code are not used that another user could change."""
    return list(_unsafe)
