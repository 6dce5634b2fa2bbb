"""How numba compiles our functions: without the steps that they have no use for.

Numba lets a function name its own compiler: see "Customizing the compiler" in its documentation.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags


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


class _InnerCode(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled functions call: LLVM's, which is linked into theirs.

    It is optimised, which makes its callers faster, and kept in numba's cache; but no machine code is
    generated for it.
    """

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


HASH_OF_FLAGS = hash(Flags())
"""Numba's hash of options goes by their names alone."""

# Each looks through the whole function for what our functions have none of: closures, with statements,
# constants as types, what numba (rather than LLVM) inlines, texts of exceptions made while running.
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
}


class FunctionCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    code: type[JITCodeLibrary] = JITCodeLibrary

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.state.flags = _Flags(self.state.flags)

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipelines without the passes that have nothing to do."""
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (made, about) for made, about in pipeline.passes if made.__name__ not in UNUSED_PASSES
            ]
            pipeline.finalize()
        return pipelines

    def compile_extra(self, function: Any) -> Any:
        """Compile a function of Python."""
        library = self.code(self.state.targetctx.codegen(), function.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(function)


class InnerCompiler(FunctionCompiler):
    """Compiles a function that compiled functions alone call."""

    code = _InnerCode
