"""How numba compiles our functions: without the steps that they have no use for.

Numba lets a function name its own compiler: see "Customizing the compiler" in its documentation.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, TypeVar, cast

from llvmlite.binding import parse_bitcode
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.utils import OPERATORS_TO_BUILTINS

F = TypeVar("F", bound=Callable[..., Any])


class _Flags(Flags):  # type: ignore[misc]
    """The options of a function, compared in what matters to the code of Python's own functions.

    For each call that it types, numba looks for the code of ``min``, ``int`` and others by the
    caller's options, and compares all thirty of them, one by one: an eighth of the time of compiling.
    It would also compile such a function again for options that make no difference to it, such as
    wrappers.
    """

    MATTER = ("nrt", "fastmath", "error_model", "boundscheck")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Flags):
            return NotImplemented
        return self._values == other._values or all(
            getattr(self, name) == getattr(other, name) for name in self.MATTER
        )

    def __hash__(self) -> int:
        return HASH_OF_FLAGS


class InnerCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled functions call: LLVM's, which is linked into theirs.

    It is kept in numba's cache; but no machine code is generated for it. LLVM optimises it with its
    caller, and before that if it becomes part of the caller, which is faster for it.
    """

    is_inlined = False

    def _optimize_final_module(self) -> None:
        if self.is_inlined:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, as numba does for a function that is not there."""
        return 0

    @property
    def codegen(self) -> Any:
        """Return what is asked to note where an environment is: there is no place for it."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Note nothing."""

    def serialize_using_object_code(self) -> Any:
        """Return what numba's cache keeps."""
        return self.serialize_using_bitcode()

    @classmethod
    def loaded(cls, codegen: Any, kept: tuple[str, str, bytes]) -> InnerCode:
        """Return the code that numba's cache kept.

        Numba would make its machine code at once, as it is: without LLVM's optimisation, and callers
        that are compiled later would call that, in place of the code that is linked into them.
        """
        name, _, bitcode = kept
        library = cls(codegen, name)
        library._final_module = parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


FRAME_WORDS = 20_000  # more than CPython's default block of frames holds

OPERATORS = frozenset(OPERATORS_TO_BUILTINS) | {operator.getitem}

HASH_OF_FLAGS = hash(Flags())
"""Numba's hash of options goes by their names alone."""

# Each looks through the whole function for what our functions have none of: closures, with statements,
# constants as types, what numba (rather than LLVM) inlines, texts of exceptions made while running,
# arithmetic of whole arrays. The last one only records types for inspection.
UNUSED_PASSES = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "DumpParforDiagnostics",
    "NopythonRewrites",
    "AnnotateTypes",
}


def _with_large_frame(function: F) -> F:
    """Make CPython allocate a large block for the frames of a function and of its callees.

    Frames live in blocks of 16 KB. A block is mapped when calls pass the end of the last one and
    unmapped when they return: while numba compiles, up to a hundred thousand times, a tenth of its
    time. For a frame that does not fit, CPython allocates a larger block, and the next ones go there.
    """
    plain = cast("FunctionType", function)
    plain.__code__ = plain.__code__.replace(co_stacksize=FRAME_WORDS)
    return function


class _Operation(types.Function):  # type: ignore[misc]
    """An operator that caches the signatures of its calls.

    For each ``+`` numba tries the definitions one by one, those for sets and strings too, first when it
    infers types and again when it generates code.
    """

    def __init__(self, definitions: Any) -> None:
        super().__init__(definitions)
        self._signatures: dict[Any, Any] = {}

    def get_call_type(self, context: Any, arguments: tuple[Any, ...], named: Any) -> Any:
        """Return the signature of a call."""
        if named:
            return super().get_call_type(context, arguments, named)
        signature = self._signatures.get(arguments)
        if signature is None:
            signature = super().get_call_type(context, arguments, named)
            self._signatures[arguments] = signature
        return signature


class _TypingContext:
    """Numba's typing context, with operators that cache their signatures."""

    _operations: ClassVar[dict[Any, _Operation]] = {}

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_value_type(self, value: Any) -> Any:
        """Return the type of a constant or function."""
        value_type = self._context.resolve_value_type(value)
        if type(value_type) is not types.Function or value not in OPERATORS:
            return value_type
        operation = self._operations.get(value_type)
        if operation is None:
            operation = self._operations[value_type] = _Operation(value_type.templates)
        return operation


class FunctionCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    code: type[JITCodeLibrary] = JITCodeLibrary

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.state.flags = _Flags(self.state.flags)
        typing = _TypingContext(self.state.typingctx)
        self.state.typingctx = typing
        self.state.targetctx = self.state.targetctx.subtarget(typing_context=typing)

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipelines without the passes that have nothing to do."""
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (made, about) for made, about in pipeline.passes if made.__name__ not in UNUSED_PASSES
            ]
            pipeline.finalize()
        return pipelines

    @_with_large_frame
    def compile_extra(self, function: Any) -> Any:
        """Compile a function of Python."""
        library = self.code(self.state.targetctx.codegen(), function.__qualname__)
        library.enable_object_caching()
        library.is_inlined = self.state.flags.forceinline
        self.state.library = library
        return super().compile_extra(function)


class InnerCompiler(FunctionCompiler):
    """Compiles a function that compiled functions alone call."""

    code = InnerCode
