"""The version of a compiled function: its code, that of every function inside it, and its constants.

Numba keeps a compiled function as long as the file that defines it stays the same. But functions of
other files are compiled into it, and constants of other files too: after an upgrade that changes only
those, numba would run the old code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import CodeType, FunctionType
from typing import Any

HOW = 2  # raised where the same code comes to be compiled otherwise

# What the decorators made, by id: these objects, the functions they are made of, and the options.
_made: dict[int, tuple[Any, FunctionType, Mapping[str, Any]]] = {}
_versions: dict[int, str] = {}


def enter(made: Any, function: FunctionType, options: Mapping[str, Any]) -> None:
    """Note what a decorator of numba's made of a function, with its options."""
    _made[id(made)] = made, function, options


def version_of(made: Any) -> str:
    """Return the version of a function that has been entered, with all that it calls."""
    known = _versions.get(id(made))
    if known is None:
        _, function, options = _made[id(made)]
        parts = [*_parts_of(function), *(f"{name}={_text(value)}" for name, value in options.items())]
        known = _versions[id(made)] = sha256("\n".join([str(HOW), *parts]).encode()).hexdigest()
    return known


def _parts_of(function: FunctionType) -> Iterator[str]:
    for code in _codes(function.__code__):
        yield code.co_code.hex()
        yield from map(_text, code.co_consts)
        for name in code.co_names:
            yield name
            if name in function.__globals__:
                yield _text(function.__globals__[name])


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _text(value: Any) -> str:
    """Return what a constant or a global name contributes to compiled code."""
    if id(value) in _made:
        return version_of(value)
    if isinstance(value, (bool, int, float, str, bytes, type(None))):
        return repr(value)
    if isinstance(value, (set, frozenset)):  # strings in them have another order in each process
        return repr(sorted(map(_text, value)))
    if isinstance(value, tuple):
        return repr([_text(part) for part in value])
    generator = getattr(value, "_defn", None)  # of an intrinsic
    if isinstance(generator, FunctionType):
        return "\n".join(_parts_of(generator))
    if isinstance(value, FunctionType) and value.__module__.startswith("gpuodds."):
        return "\n".join(_parts_of(value))  # it generates code for an intrinsic
    return repr(getattr(value, "_fields", None))  # of a named tuple; modules and types are numba's
