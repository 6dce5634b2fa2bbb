"""Arrays of a device that is not there: NumPy's, which only the stand-in may read.

An array belongs to the device that was current when it was allocated. What CuPy 14 refuses is refused:
arrays of NumPy in operators, implicit conversion to NumPy, arrays of two devices in one operation (as
devices without peer access do).
"""

from __future__ import annotations

import operator
import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np
from ptx.machine import Check

from .cuda import Device, OutOfMemoryError, settings

RUBBISH = 0x5A
ALIGNMENT = 512  # bytes, as of CuPy's arrays: counts of sectors depend on it
ALIVE: dict[int, tuple[int, int]] = {}  # blocks by their first byte: the device and the size
INITIALIZED: dict[
    int, Any
] = {}  # of blocks that began as rubbish, where that is checked: a byte for each of theirs
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"]
OPERATORS += ["lshift", "rshift", "and", "or", "xor"]
IMPLICIT = (
    "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy "
    "array explicitly."
)


class ndarray:
    """An array on a device."""

    __slots__ = ("__weakref__", "_device", "_host")
    shape: Any
    dtype: Any
    flags: Any
    __array_priority__ = 100

    def __init__(self, host: Any, device: int) -> None:
        self._host = host
        self._device = device

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(IMPLICIT)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__" or options:
            return NotImplemented
        return apply(ufunc, *inputs)

    @property
    def device(self) -> Device:
        return Device(self._device)

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self._host.ctypes.data, device_id=self._device, device=self.device)

    def get(self) -> Any:
        # The copy is made in the current device's stream, which waits for no other device.
        if self._device == settings.current:
            settings.busy.discard(self._device)
        assert self._device not in settings.busy, f"device {self._device} still computes"
        settings.copies += 1
        return np.array(self._host)

    def __getitem__(self, key: Any) -> Any:
        return result(self._host[_key(key)], self)

    def __setitem__(self, key: Any, value: Any) -> None:
        check_device(self)
        if isinstance(value, np.ndarray) and value.ndim > 0:
            raise TypeError(f"Unsupported type {type(value)}")
        self._host[_key(key)] = read(value)
        self._written(_key(key))

    def _written(self, key: Any) -> None:
        part = self._host[key]
        if isinstance(part, np.ndarray) and np.may_share_memory(part, self._host):
            mark_initialized(part)
        elif INITIALIZED:  # a single number, or numbers here and there
            mark_initialized(self._host)

    def __len__(self) -> int:
        return len(self._host)

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"array of device {self._device}: {self._host!r}"

    __hash__ = None  # type: ignore[assignment]

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        if not copy and self.dtype == np.dtype(dtype):
            return self
        return apply(lambda host: host.astype(dtype), self)

    def copy(self) -> Any:
        # The one operation that takes an array from one device to another.
        if self._device != settings.current and not self._host.flags.c_contiguous:
            raise NotImplementedError("CuPy cannot copy non-contiguous array between devices.")
        return on_device(self._host)

    def fill(self, value: Any) -> None:
        check_device(self)
        self._host.fill(value)
        mark_initialized(self._host)


def _attribute(name: str) -> Any:
    return property(lambda array: getattr(array._host, name))


def _conversion(convert: Any) -> Any:
    return lambda array: convert(array._host)


def _method(name: str) -> Any:
    def call(array: ndarray, *arguments: Any, **options: Any) -> Any:
        return apply(lambda host, *more: getattr(host, name)(*more, **options), array, *arguments)

    return call


def _view(name: str) -> Any:
    def call(array: ndarray, *arguments: Any, **options: Any) -> Any:
        return result(getattr(array._host, name)(*arguments, **options), array)

    return call


def _binary(function: Any, swapped: bool = False) -> Any:
    def call(array: ndarray, other: Any) -> Any:
        if isinstance(other, str):
            return NotImplemented
        return apply(function, other, array) if swapped else apply(function, array, other)

    return call


def _in_place(function: Any) -> Any:
    def call(array: ndarray, other: Any) -> Any:
        check_device(array)
        function(array._host, read(other))
        mark_initialized(array._host)
        return array

    return call


for _name in ("shape", "dtype", "size", "ndim", "nbytes", "itemsize", "strides", "flags"):
    setattr(ndarray, _name, _attribute(_name))
for _name, _convert in (
    *((f"__{t.__name__}__", t) for t in (int, float, bool)),
    ("__index__", operator.index),
    ("tolist", lambda host: host.tolist()),
    ("item", lambda host: host.item()),
):
    setattr(ndarray, _name, _conversion(_convert))
for _name in ("min", "max", "sum", "prod", "mean", "any", "all", "argmax", "argmin", "argsort"):
    setattr(ndarray, _name, _method(_name))
for _name in ("cumsum", "take", "repeat", "nonzero", "round", "dot"):
    setattr(ndarray, _name, _method(_name))
for _name in ("view", "reshape", "ravel", "transpose", "squeeze", "swapaxes"):
    setattr(ndarray, _name, _view(_name))
ndarray.T = property(lambda array: array.transpose())  # type: ignore[attr-defined]
for _name in OPERATORS:
    _operator = getattr(operator, f"__{_name}__")
    setattr(ndarray, f"__{_name}__", _binary(_operator))
    setattr(ndarray, f"__r{_name}__", _binary(_operator, swapped=True))
    setattr(ndarray, f"__i{_name}__", _in_place(getattr(operator, f"__i{_name}__")))
for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(ndarray, f"__{_name}__", _binary(getattr(operator, f"__{_name}__")))
for _name in ("neg", "invert", "abs"):
    _operator = getattr(operator, f"__{_name}__")
    setattr(ndarray, f"__{_name}__", lambda array, operator=_operator: apply(operator, array))


def check_device(array: ndarray) -> None:
    """Refuse an array of another device than the current one."""
    if array._device != settings.current:
        raise ValueError(
            f"The device where the array resides ({array._device}) is different from the current "
            f"device ({settings.current}). Peer access is unavailable between these devices."
        )


def read(value: Any) -> Any:
    """Return an argument of an operation as NumPy takes it; refuse what CuPy does."""
    if isinstance(value, ndarray):
        check_device(value)
        return value._host
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}")
    return value


def apply(function: Any, *arguments: Any) -> Any:
    """Do an operation on arrays of the current device, into new arrays there."""
    found = function(*(read(argument) for argument in arguments))
    if isinstance(found, tuple):
        return tuple(on_device(part) for part in found)
    return on_device(found)


def result(found: Any, array: ndarray) -> Any:
    """Return what an index or a change of shape gives: a view of the same memory, or a new array."""
    found = np.asarray(found)
    if found.size and np.may_share_memory(found, array._host):
        return ndarray(found, array._device)
    if found.size == 0:
        return ndarray(found, array._device)
    if found.ndim == 0:  # NumPy's scalars are copies; CuPy's are views, which nothing here writes to
        return ndarray(found, array._device)
    check_device(array)
    return on_device(found)


def _key(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(_key(part) for part in key)
    if isinstance(key, ndarray):
        check_device(key)
        return key._host
    return key


def on_device(host: Any) -> ndarray:
    """Copy an array of the host to the current device."""
    host = np.asarray(host)
    copy = allocate(host.shape, host.dtype)
    copy._host[...] = host
    INITIALIZED.pop(copy._host.ctypes.data, None)
    return copy


def allocate(shape: Any, dtype: Any) -> ndarray:
    """Return an array of rubbish on the current device."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=object)) * dtype.itemsize
    device = settings.current
    if size > settings.max_bytes or size > settings.free(device):
        settings.refusals += 1
        raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes")
    settings.largest = max(settings.largest, size)
    settings.allocations[device] += 1
    whole = np.full(size + ALIGNMENT, RUBBISH, np.uint8)
    block = whole[-whole.ctypes.data % ALIGNMENT :][:size]
    begin = block.ctypes.data
    ALIVE[begin] = device, size
    if settings.checks & Check.INITIALIZED:
        INITIALIZED[begin] = np.zeros(size, np.uint8)
    used = settings.used
    used[device] += size

    def free() -> None:
        del ALIVE[begin]
        INITIALIZED.pop(begin, None)
        used[device] -= size

    weakref.finalize(whole, free)  # views of the array refer to this one alone
    return ndarray(block.view(dtype).reshape(shape), device)


def mark_initialized(host: Any) -> None:
    """Note that the host has written an array, or a part of one."""
    for begin, initialized in list(INITIALIZED.items()):
        at = host.ctypes.data - begin
        if host.size and 0 <= at < initialized.size:
            shape, strides = (*host.shape, host.itemsize), (*host.strides, 1)
            np.ndarray(shape, np.uint8, initialized, at, strides)[...] = 1


def alive_here() -> list[tuple[int, int, int]]:
    """Return where each array of this device begins and ends, and its initialized bytes."""
    rows = []
    for begin, (device, size) in list(ALIVE.items()):
        if device == settings.current and size:
            initialized = INITIALIZED[begin].ctypes.data if begin in INITIALIZED else 0
            rows.append((begin, begin + size, initialized))
    return rows


def find_device(address: int) -> int | None:
    """Return the device of the array that is alive at an address, None if there is none."""
    for begin, (device, size) in list(ALIVE.items()):
        if begin <= address < begin + size:
            return device
    return None
