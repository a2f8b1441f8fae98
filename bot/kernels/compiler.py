"""How numba compiles kernels: each once as a whole, and cheaply as a part of others.

numba makes a library of every compiled function: it optimises it, turns it into machine code, wraps
it for Python, and does so with all that the function calls, which was optimised just before. Of the
functions that only other kernels call nothing of that is ever used. So a function that a kernel
calls is a part here: it is translated and linked, and optimised with the whole that takes it in.
The first hint takes half the time to compile so, and plays are rated as fast.
"""

from collections.abc import Callable
from typing import Any

from numba import njit, types
from numba.core import config
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from bot.kernels.state import folder

if folder() is not None:
    vars(config)["CACHE_DIR"] = str(folder())


def whole(function: Callable[..., Any], **options: bool) -> Callable[..., Any]:
    """The function for Python to call, kept in numba's cache."""
    compiled: Callable[..., Any] = njit(
        cache=True, nogil=True, no_cfunc_wrapper=True, **_target_options(**options)
    )(function)
    return compiled


def part(function: Callable[..., Any], **options: bool) -> "_Part":
    """The function for other kernels to call."""
    target_options = _target_options(**options)
    target_options |= {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return _Part(function, targetoptions=target_options, pipeline_class=_Parts)


def _target_options(
    fastmath: bool = False, counts_references: bool = True, is_inlined: bool = False
) -> dict[str, Any]:
    """All of them, as numba hands down what is not given from whichever caller comes first."""
    options = {"error_model": "numpy", "fastmath": fastmath, "forceinline": is_inlined}
    if hasattr(CPUTargetOptions, "_nrt"):
        options["_nrt"] = counts_references
    return options


class _Part(CPUDispatcher):  # type: ignore[misc]
    """What numba compiles where a kernel calls another."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile for a number's type and not once more for every number written in a call."""
        unliteral = types.unliteral
        return super().get_call_template(
            tuple(map(unliteral, args)), {name: unliteral(kws[name]) for name in kws}
        )


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part, as it is written: the whole that takes it in optimises it."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):  # type: ignore[misc]
    """Translates a part without making machine code of it."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """Leave the library for callers to link."""
        context = state.targetctx
        state.library = _PartLibrary(context.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        nothing: list[Any] = []
        entry = nothing.append  # numba knows functions by built-in ones; nobody calls this
        context.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class _Parts(CompilerBase):  # type: ignore[misc]
    """numba's compiler but for the last step."""

    def define_pipelines(self) -> list[Any]:
        """The passes, one after the other."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (_PartLowering if each is NativeLowering else each, text)
            for each, text in passes.passes
        ]
        passes.finalize()
        return [passes]
