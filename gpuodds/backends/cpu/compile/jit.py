"""How the CPU backend compiles: decorators, and operations that NumPy has not.

Every function is compiled once per machine (:mod:`gpuodds.backends.cpu.compile.code_cache`). It runs
without the interpreter lock and takes only NumPy arrays and integers, so plain threads are enough to
use every core.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from gpuodds.backends.cpu.compile.code_cache import WRAPPER, cached
from gpuodds.backends.cpu.compile.compiler import FunctionCompiler, InnerCompiler

WORD = 8  # bytes

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F")


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
    made_inner: list[Any] = []

    def inner() -> Any:
        if not made_inner:
            bare = {"pipeline_class": InnerCompiler, WRAPPER: True}
            made_inner.append(cached(njit, function, **bare, **options))
        return made_inner[0]

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


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function to machine code on its first call, from the cache where there is one."""
    return _njit(function)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into each of its callers.

    An array is passed as seven words, so a call with a few tuples of arrays costs more than a short
    loop; what runs once a board class is compiled into its loop instead.
    """
    return _njit(function, forceinline=True)


def compiled_without_refcounts(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that makes no array, and whose callers hold the arrays that it is given.

    Elsewhere numba counts each use of an array in a tuple, with a locked instruction, unless it sees
    that the array stays alive; in loops with branches it rarely does.
    """
    return _njit(function, _nrt=False)


def inlined_without_refcounts(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function into each of its callers, as :func:`compiled_without_refcounts`."""
    return _njit(function, forceinline=True, _nrt=False)


def compile_together(
    *functions: Callable[..., Any], **instead: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Compile plain functions into their callers; each may call those before it. Give them by name.

    So one source is read by Python, where nothing may be imported, and compiled where speed counts.
    Functions in ``instead`` are called, by name, in place of plain ones.
    """
    made = dict(instead)
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


@bit_operation(lambda first, second: np.uint64(int(first) * int(second) >> 64))
def multiply_high(typing_context: Any, first: Any, second: Any) -> Any:
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


@bit_operation(lambda values, at: np.uint64(int.from_bytes(bytes(values[at : at + WORD]), "little")))
def load_word(typing_context: Any, values: Any, at: Any) -> Any:
    """Return eight bytes of an array of bytes, the first lowest; nothing is checked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = make_array(signature.args[0])(context, builder, value=arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        word = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        word.align = 1
        return word

    return types.uint64(values, types.int64), generate


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
        context.cast(builder, length, length_type, types.intp)
        for length, length_type in zip(lengths, shape_type, strict=True)
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


def cache_folder() -> Path | None:
    """Return the folder where compiled functions are kept, None if none is writable."""
    folder = getattr(getattr(_nothing, "stats", None), "cache_path", None)
    return Path(folder) if folder else None
