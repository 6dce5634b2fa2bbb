"""How the CPU backend compiles: decorators, and operations that NumPy has not.

Every function is compiled once per machine and kept in numba's cache (next to the package, or in the
user's cache folder where that is read-only; where neither is writable, every process compiles). What
``NUMBA_CACHE_DIR`` holds is used also where that is read-only, as in a container. The cache is made of
pickles, and loading one runs what it says: folders and files that another user could change are not
used (:mod:`gpuodds.trust`). A function runs without the interpreter lock and takes only NumPy arrays
and integers, so plain threads are enough to use every core.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from multiprocessing import parent_process
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, ParamSpec, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import caching, cgutils, event
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from gpuodds.backends.compiling import (
    COMPILING,
    COMPILING_EACH_TIME,
    NOT_KEPT,
    UNSAFE,
    begin_compiling,
    end_compiling,
)
from gpuodds.backends.cpu.compiler import FunctionCompiler, InnerCompiler
from gpuodds.backends.cpu.versions import enter, version_of
from gpuodds.trust import make_folder, why_untrusted

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F")

NO_FOLDER = "no locator available"  # numba's words
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
    found = next(filter(os.path.isdir, (folder, os.path.dirname(folder))), None)
    if not is_named and found is not None and not os.access(found, os.W_OK):
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


def _njit(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Apply ``numba.njit``, with a second compilation of what other compiled functions call.

    A function that Python calls gets a wrapper, which unpacks each array of its arguments: much code to
    compile. Compiled code alone calls most functions: for such calls the function is compiled without
    it. None gets numba's other wrapper, for C.
    """
    options |= {"nogil": True, "no_cfunc_wrapper": True}
    made: Any = cached(njit, function, pipeline_class=FunctionCompiler, **options)
    if not hasattr(made, "get_call_template"):  # nothing is compiled: NUMBA_DISABLE_JIT
        return cast("Callable[P, R]", made)
    found: list[Any] = []

    def inner() -> Any:
        if not found:
            bare = {"pipeline_class": InnerCompiler, WRAPPER: True}
            found.append(cached(njit, function, **bare, **options))
        return found[0]

    def get_call_template(arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        # Numba would compile a function anew for each constant that it is called with.
        general = tuple(map(types.unliteral, arguments))
        return inner().get_call_template(
            general, {name: types.unliteral(kind) for name, kind in named.items()}
        )

    # What numba's type of a function asks it: the types of a call, and the code for it.
    made.get_call_template = get_call_template
    made.get_overload = lambda signature: inner().get_overload(signature)
    return cast("Callable[P, R]", made)


def _go_by_version(dispatcher: Any, *, wrapped: bool) -> None:
    """Let numba's cache go by a function's version, as well as by the file that defines it."""
    cache: Any = getattr(dispatcher, "_cache", None)
    if not hasattr(cache, "_cache_file"):
        return
    index_key, file = cache._index_key, cache._cache_file
    load_index = file._load_index
    stamps: list[Any] = []

    def stamp_first(*given: Any) -> Any:
        # Before the first look at the index: most processes call few functions.
        if not stamps:
            stamps.append((file._source_stamp, version_of(dispatcher)))
            file._source_stamp = stamps[0]
        return *index_key(*given), wrapped

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


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function to machine code on its first call, from the cache where there is one."""
    return _njit(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into each of its callers.

    An array is passed as seven words, so a call with a few tuples of arrays costs more than a short
    loop; what runs once a board class is compiled into its loop instead.
    """
    return _njit(function, forceinline=True)


def uncounted(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that makes no array, and whose callers hold the arrays that it is given.

    Elsewhere numba counts each use of an array in a tuple, with a locked instruction, unless it sees
    that the array stays alive; in loops with branches it rarely does.
    """
    return _njit(function, _nrt=False)


def uncounted_inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into each of its callers, as :func:`uncounted`."""
    return _njit(function, forceinline=True, _nrt=False)


def compile_together(*functions: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Compile plain functions into their callers; each may call those before it. Give them by name.

    So one source is read by Python, where nothing may be imported, and compiled where speed counts.
    """
    made: dict[str, Callable[..., Any]] = {}
    for function in functions:
        copy = FunctionType(function.__code__, {**function.__globals__, **made}, function.__name__)
        copy.__module__ = function.__module__
        copy.__qualname__ = function.__qualname__
        made[function.__name__] = inlined(copy)
    return made


def vectorised(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function whose sums of floats may be added in another order, several at a time."""
    return _njit(function, fastmath={"reassoc", "nsz"})


def vectorised_inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into each of its callers, with the liberty of :func:`vectorised`."""
    return _njit(function, forceinline=True, fastmath={"reassoc", "nsz"})


def bit_operation(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function from one that generates its code, or ``plain`` where nothing is compiled."""

    def choose(generator: Callable[..., Any]) -> Callable[..., Any]:
        return plain if config.DISABLE_JIT else cast("Callable[..., Any]", intrinsic(generator))

    return choose


@bit_operation(lambda bits: int(bits).bit_count())
def popcount(typing_context: Any, bits: Any) -> Any:
    """Count the one bits of a non-negative int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@bit_operation(lambda one, two: np.uint64(int(one) * int(two) >> 64))
def multiply_high(typing_context: Any, one: Any, two: Any) -> Any:
    """Return the upper 64 bits of the product of two uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        return builder.trunc(builder.lshr(product, wide(64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@bit_operation(lambda bits: (int(bits) & -int(bits)).bit_length() - 1)
def lowest_bit(typing_context: Any, bits: Any) -> Any:
    """Return the index of the lowest one bit of an int64 that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.int64), generate


def _array_operation(plain: F) -> Callable[[Callable[..., Any]], F]:
    """Make a function as :func:`bit_operation` does, with the types of ``plain``."""
    return cast("Callable[[Callable[..., Any]], F]", bit_operation(cast("Any", plain)))


@_array_operation(np.empty)
def empty(typing_context: Any, shape: Any, dtype: Any) -> Any:
    """Return a new array, as ``np.empty``; give the shape as an integer or a tuple of integers.

    For each type of array numba compiles a few functions to make one, with the text of errors that
    sizes of ours cannot raise: a sixth of the time of compiling.
    """
    return _array_of(shape, dtype)(shape, dtype), _generate_array


@_array_operation(np.zeros)
def zeros(typing_context: Any, shape: Any, dtype: Any) -> Any:
    """Return a new array of zeros, as ``np.zeros``; why not that one, see :func:`empty`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = _generate_array(context, builder, signature, arguments)
        array = make_array(signature.return_type)(context, builder, value=made)
        cgutils.memset(builder, array.data, builder.mul(array.itemsize, array.nitems), 0)
        return made

    return _array_of(shape, dtype)(shape, dtype), generate


def _array_of(shape: Any, dtype: Any) -> Any:
    dimensions = len(shape) if isinstance(shape, types.BaseTuple) else 1
    return types.Array(dtype.dtype, dimensions, "C")


def _generate_array(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind, shape_type, shape = signature.return_type, signature.args[0], arguments[0]
    lengths = [shape]
    if isinstance(shape_type, types.BaseTuple):
        lengths = cgutils.unpack_tuple(builder, shape)
    else:
        shape_type = (shape_type,)
    lengths = [
        context.cast(builder, length, given, types.intp)
        for length, given in zip(lengths, shape_type, strict=True)
    ]
    itemsize = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    strides = [itemsize]  # from the last dimension to the first
    for length in reversed(lengths):
        strides.append(builder.mul(strides[-1], length))
    size = strides.pop()
    align = context.get_constant(types.uint32, context.get_preferred_array_alignment(kind.dtype))
    meminfo = context.nrt.meminfo_alloc_aligned(builder, size, align)
    data = context.nrt.meminfo_data(builder, meminfo)
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.bitcast(data, context.get_data_type(kind.dtype).as_pointer()),
        shape=lengths,
        strides=strides[::-1],
        itemsize=itemsize,
        meminfo=meminfo,
    )
    return array._getvalue()


@compiled
def _nothing(number: int) -> int:
    return number


def functions_compiled() -> int:
    """Return how many functions this process has compiled, rather than loaded."""
    return _say_once.functions


def refused_folders() -> list[str]:
    """Return why folders for compiled code are not used that another user could change."""
    return list(_unsafe)


def cache_folder() -> Path | None:
    """Return the folder where compiled functions are kept, None if none is writable."""
    folder = getattr(getattr(_nothing, "stats", None), "cache_path", None)
    return Path(folder) if folder else None
