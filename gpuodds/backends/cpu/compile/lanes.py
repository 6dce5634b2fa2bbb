"""Vectors of numbers, several added or multiplied at a time: what numba's loops of int16 do not become.

Lanes are 32 bytes of a row of an array, 16 numbers of int16 or 4 of float64. Plus, minus, times and, on
integers, & work on them lane by lane; products of int16 are added as int32, exactly while sums stay
below 2^31. Where nothing is compiled they are NumPy arrays.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import models, register_model
from numba.np.arrayobj import make_array

from gpuodds.backends.cpu.compile.jit import bit_operation

LANE_BYTES = 32
INDEX = ir.IntType(32)


class LanesType(types.Type):  # type: ignore[misc]
    """Numba's type of lanes: how many numbers of which kind."""

    def __init__(self, element: Any, count: int) -> None:
        """Name the type; types of the same name are the same."""
        self.element, self.count = element, count
        self.is_integer = isinstance(element, types.Integer)
        super().__init__(name=f"Lanes({element}, {count})")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: LanesType) -> None:
        element = manager.lookup(kind.element).get_value_type()
        super().__init__(manager, kind, ir.VectorType(element, kind.count))


def _lanes_of(array: Any) -> LanesType:
    return LanesType(array.dtype, LANE_BYTES * 8 // array.dtype.bitwidth)


def _sums_of(array: Any) -> LanesType:
    """Return the type of sums of products: half as many, of twice the width, for integers."""
    lanes = _lanes_of(array)
    return LanesType(types.int32, lanes.count // 2) if lanes.is_integer else lanes


def _register(operation: Any, of_integers: str, of_floats: str) -> None:
    """Let an operation take lanes of the same type."""

    @infer_global(operation)
    class _Template(AbstractTemplate):  # type: ignore[misc]
        def generic(self, given: Any, named: Any) -> Any:
            if len(given) == 2 and isinstance(given[0], LanesType) and given[0] == given[1]:
                return signature(given[0], *given)
            return None

    @lower_builtin(operation, LanesType, LanesType)  # type: ignore[untyped-decorator]
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        name = of_integers if signature.return_type.is_integer else of_floats
        return getattr(builder, name)(*arguments)


_register(operator.add, "add", "fadd")
_register(operator.sub, "sub", "fsub")
_register(operator.mul, "mul", "fmul")
_register(operator.and_, "and_", "and_")


def _address(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    return builder.gep(make_array(kind)(context, builder, value=array).data, [place])


@bit_operation(lambda array: LANE_BYTES // array.itemsize)
def lane_count(typing_context: Any, array: Any) -> Any:
    """Return how many numbers of an array are lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.get_constant(types.int64, _lanes_of(array).count)

    return types.int64(array), generate


def _plain_load(array: Any, place: int) -> Any:
    return array.reshape(-1)[place : place + LANE_BYTES // array.itemsize].copy()


@bit_operation(_plain_load)
def load_lanes(typing_context: Any, array: Any, place: Any) -> Any:
    """Return the lanes of a contiguous array that begin at a place, counted over all its numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments)
        kind = context.get_value_type(signature.return_type)
        lanes = builder.load(builder.bitcast(address, kind.as_pointer()))
        lanes.align = signature.return_type.element.bitwidth // 8
        return lanes

    return _lanes_of(array)(array, types.int64), generate


def _plain_store(array: Any, place: int, lanes: Any) -> None:
    array.reshape(-1)[place : place + len(lanes)] = lanes


@bit_operation(_plain_store)
def store_lanes(typing_context: Any, array: Any, place: Any, lanes: Any) -> Any:
    """Write lanes where :func:`load_lanes` reads them."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        stored = builder.store(arguments[2], builder.bitcast(address, arguments[2].type.as_pointer()))
        stored.align = signature.args[2].element.bitwidth // 8
        return context.get_dummy_value()

    return types.void(array, types.int64, _lanes_of(array)), generate


@bit_operation(lambda array, place: array.reshape(-1)[place].item())
def number_at(typing_context: Any, array: Any, place: Any) -> Any:
    """Return the number at a place, as an int64 or float64; nothing is checked."""
    wide = types.int64 if isinstance(array.dtype, types.Integer) else types.float64

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = builder.load(_address(context, builder, signature.args[0], *arguments))
        return context.cast(builder, number, array.dtype, wide)

    return wide(array, types.int64), generate


def _plain_add_number(array: Any, place: int, number: Any) -> None:
    array.reshape(-1)[place] += array.dtype.type(number)


@bit_operation(_plain_add_number)
def add_number(typing_context: Any, array: Any, place: Any, number: Any) -> Any:
    """Add to the number at a place; nothing is checked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, address = array.dtype, _address(context, builder, signature.args[0], *arguments[:2])
        add = builder.add if isinstance(kind, types.Integer) else builder.fadd
        more = context.cast(builder, arguments[2], signature.args[2], kind)
        builder.store(add(builder.load(address), more), address)
        return context.get_dummy_value()

    return types.void(array, types.int64, number), generate


def _plain_put_number(array: Any, place: int, number: Any) -> None:
    array.reshape(-1)[place] = number


@bit_operation(_plain_put_number)
def put_number(typing_context: Any, array: Any, place: Any, number: Any) -> Any:
    """Write a number at a place; nothing is checked."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store(context.cast(builder, arguments[2], signature.args[2], array.dtype), address)
        return context.get_dummy_value()

    return types.void(array, types.int64, number), generate


def _plain_spread(number: Any, array: Any) -> Any:
    return np.full(LANE_BYTES // array.itemsize, number, array.dtype)


@bit_operation(_plain_spread)
def spread(typing_context: Any, number: Any, array: Any) -> Any:
    """Return lanes that all have a number, of the kind that an array has."""
    kind = _lanes_of(array)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        vector = context.get_value_type(kind)
        element = context.cast(builder, arguments[0], signature.args[0], kind.element)
        nothing = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(nothing, element, INDEX(0))
        every = ir.Constant(ir.VectorType(INDEX, kind.count), [0] * kind.count)
        return builder.shuffle_vector(first, nothing, every)

    return kind(number, array), generate


def _compare(builder: Any, symbol: str, one: Any, other: Any) -> Any:
    """Return 1 where a comparison holds, else 0, as lanes of the same kind."""
    return builder.zext(builder.icmp_signed(symbol, one, other), one.type)


@bit_operation(lambda one, other: (one > other).astype(one.dtype))
def is_greater(typing_context: Any, one: Any, other: Any) -> Any:
    """Return 1 where lanes of integers are greater than others, else 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _compare(builder, ">", *arguments)

    return one(one, other), generate


@bit_operation(lambda one, other: (one == other).astype(one.dtype))
def is_equal(typing_context: Any, one: Any, other: Any) -> Any:
    """Return 1 where lanes of integers equal others, else 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _compare(builder, "==", *arguments)

    return one(one, other), generate


@bit_operation(np.abs)
def magnitudes(typing_context: Any, lanes: Any) -> Any:
    """Return lanes of integers without their signs."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given = arguments[0]
        nothing = ir.Constant(given.type, None)
        below = builder.icmp_signed("<", given, nothing)
        return builder.select(below, builder.sub(nothing, given), given)

    return lanes(lanes), generate


@bit_operation(lambda one, other, if_less, otherwise: np.where(one < other, if_less, otherwise))
def where_less(typing_context: Any, one: Any, other: Any, if_less: Any, otherwise: Any) -> Any:
    """Return a third lane where one of integers is less than another, else a fourth."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.icmp_signed("<", *arguments[:2]), *arguments[2:])

    return if_less(one, other, if_less, otherwise), generate


@bit_operation(lambda array: 0)
def no_products(typing_context: Any, array: Any) -> Any:
    """Return sums of no products of numbers of the kind that an array has."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(context.get_value_type(signature.return_type), None)

    return _sums_of(array)(array), generate


def _plain_add_products(sums: Any, one: Any, other: Any) -> Any:
    wide = np.int64 if one.dtype.kind == "i" else np.float64
    return sums + (one.astype(wide) * other.astype(wide)).sum()


@bit_operation(_plain_add_products)
def add_products(typing_context: Any, sums: Any, one: Any, other: Any) -> Any:
    """Return sums with the products of two lanes added."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        before, first, second = arguments
        if not one.is_integer:
            return builder.fadd(before, builder.fmul(first, second))
        features = str(context.codegen()._tm_features).split(",")
        return builder.add(before, _products_of_pairs(builder, first, second, "+avx2" in features))

    return sums(sums, one, other), generate


def _products_of_pairs(builder: Any, first: Any, second: Any, has_avx2: bool) -> Any:
    """Multiply lanes of int16 and add each two neighbours, an int32."""
    sums = ir.VectorType(ir.IntType(32), first.type.count // 2)
    if has_avx2:
        name = "llvm.x86.avx2.pmadd.wd"  # one instruction, which LLVM does not find by itself
        operation = ir.FunctionType(sums, [first.type, second.type])
        return builder.call(
            cgutils.get_or_insert_function(builder.module, operation, name), [first, second]
        )
    nothing = ir.Constant(first.type, ir.Undefined)

    def products(parity: int) -> Any:
        chosen = [INDEX(2 * lane + parity) for lane in range(sums.count)]
        which = ir.Constant(ir.VectorType(INDEX, sums.count), chosen)
        wide = (builder.sext(builder.shuffle_vector(x, nothing, which), sums) for x in (first, second))
        return builder.mul(*wide)

    return builder.add(products(0), products(1))


@bit_operation(lambda sums: sums)
def sum_of(typing_context: Any, sums: Any) -> Any:
    """Return the sum of all lanes of sums of products: int64, or float64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = arguments[0]
        add = builder.add if sums.is_integer else builder.fadd
        count = sums.count
        while count > 1:
            count //= 2
            nothing = ir.Constant(lanes.type, ir.Undefined)
            halves = (
                builder.shuffle_vector(
                    lanes,
                    nothing,
                    ir.Constant(
                        ir.VectorType(INDEX, count), [INDEX(begin + lane) for lane in range(count)]
                    ),
                )
                for begin in (0, count)
            )
            lanes = add(*halves)
        whole = builder.extract_element(lanes, INDEX(0))
        wide = types.int64 if sums.is_integer else types.float64
        return context.cast(builder, whole, sums.element, wide)

    return (types.int64 if sums.is_integer else types.float64)(sums), generate


def _chosen(builder: Any, one: Any, other: Any, places: list[int]) -> Any:
    """Return lanes at places of two vectors, one after the other."""
    which = ir.Constant(ir.VectorType(INDEX, len(places)), [INDEX(place) for place in places])
    return builder.shuffle_vector(one, other, which)


@bit_operation(lambda lanes: lanes[[1, 2, 0, 3]])
def rotate_three(typing_context: Any, lanes: Any) -> Any:
    """Return four lanes with the first three moved round by one, the second to the front."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _chosen(
            builder, arguments[0], ir.Constant(arguments[0].type, ir.Undefined), [1, 2, 0, 3]
        )

    return lanes(lanes), generate


def _plain_sums_of_three(first: Any, second: Any, third: Any) -> Any:
    return np.array([np.sum(first), np.sum(second), np.sum(third), 0])


@bit_operation(_plain_sums_of_three)
def sums_of_three(typing_context: Any, first: Any, second: Any, third: Any) -> Any:
    """Return the sums of all lanes of three times four float64, and 0, as lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def neighbours(one: Any, other: Any) -> Any:
            even = _chosen(builder, one, other, [0, 4, 2, 6])
            return builder.fadd(even, _chosen(builder, one, other, [1, 5, 3, 7]))

        a, b, c = arguments
        halves = neighbours(a, b), neighbours(c, ir.Constant(c.type, None))
        low = _chosen(builder, *halves, [0, 1, 4, 5])
        return builder.fadd(low, _chosen(builder, *halves, [2, 3, 6, 7]))

    return first(first, second, third), generate
