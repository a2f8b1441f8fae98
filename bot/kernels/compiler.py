"""Compilation of kernels by numba: each once as a whole, and cheaply as a part of others.

numba makes a library of every compiled function: it optimises it, turns it into machine code, wraps
it for Python, and does so with all that the function calls, which was optimised just before. Of the
functions that only other kernels call nothing of that is ever used. So a function that a kernel
calls is a part here: it is translated and linked, and optimised with the whole that takes it in.
The first hint takes half the time to compile so, and plays are evaluated as fast.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import Any

from llvmlite import binding
from numba import njit, types
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.cgutils import if_unlikely
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUTargetOptions
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numba.core.runtime._nrt_python import c_helpers
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering
from numba.core.typing.templates import make_intrinsic_template

from bot.kernels.state import folder, folder_to_read

if folder_to_read() is not None:
    vars(config)["CACHE_DIR"] = str(folder_to_read())


def whole(function: Callable[..., Any], **options: bool) -> Callable[..., Any]:
    """The function for Python to call, kept in numba's cache if the folder of its state is there.

    Without that folder numba would keep it beside the source, where states mix, or raise an error.
    Where nothing can be written it is looked for in the folder all the same.
    """
    compiled: Any = njit(nogil=True, no_cfunc_wrapper=True, **_target_options(**options))(function)
    if folder_to_read() is not None:
        compiled._cache = (_CacheToRead if folder() is None else _Cache)(function)
    return compiled  # type: ignore[no-any-return]


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


def address(whole: Any, signature: str, held: Any = None) -> int:
    """Address of the machine code of a whole, for call_by_address in this process.

    held: the type of held values that it takes last. Raises ValueError if it answers with another
    type than the signature says.
    """
    arguments, answer = normalize_signature(signature)
    arguments += () if held is None else (held,)
    whole.compile(arguments)
    compiled = whole.overloads[arguments]
    if types.unliteral(compiled.signature.return_type) != answer:
        raise ValueError(f"{whole.__name__} is {compiled.signature}, not {signature}")
    place: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return place


def call_by_address(signature: str, *, takes_held: bool = False) -> Any:
    """The type of a function that calls the whole at an address with arguments of a signature.

    Arrays that are written nowhere fit as well as others; any other layout or type is refused when
    the caller is compiled, as the machine code would take it for what it expects. takes_held:
    whether the last argument is held values; of which type, only who has the address can know.
    """
    known, answer = normalize_signature(signature)

    def call(typing: Any, place: Any, *given: Any) -> Any:
        arguments = (*known, *given[len(known) :]) if takes_held else known
        if [_storage(each) for each in given] != [_storage(each) for each in arguments]:
            raise TypingError(f"arguments {given} do not fit {signature}")

        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kind = context.call_conv.get_function_type(answer, arguments)
            function = builder.inttoptr(values[0], kind.as_pointer())
            each = [builder.extract_value(values[1], i) for i in range(len(arguments))]
            status, value = context.call_conv.call_function(
                builder, function, answer, arguments, each
            )
            with if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return value

        return answer(types.int64, types.StarArgTuple(given)), code

    return types.Function(make_intrinsic_template(call, call, "call_by_address"))


def _storage(kind: Any) -> Any:
    """The facts of an argument that machine code depends on: type, dimensions and layout."""
    return (kind.dtype, kind.ndim, kind.layout) if isinstance(kind, types.Array) else kind


class _Code(CompileResultCacheImpl):  # type: ignore[misc]
    """Keeps the machine code of a whole, without the bitcode that other functions would take in.

    No function takes in a whole, and to read bitcode takes longer than to load the machine code.
    """

    def reduce(self, cres: Any) -> Any:
        """Answer the parts of a compiled function that are kept, as numba wants them."""
        library, *others = super().reduce(cres)
        name, kind, (code, _) = library
        symbols = cres.fndesc.llvm_func_name, cres.fndesc.llvm_cpython_wrapper_name
        return (name, kind, (code, _only_named(symbols))), *others


def _only_named(symbols: Iterable[str]) -> bytes:
    """Bitcode by which numba knows that there are functions of these names, and nothing else."""
    functions = (f'define void @"{name}"() {{ unreachable }}' for name in symbols)
    code: bytes = binding.parse_assembly("\n".join(functions)).as_bitcode()
    return code


@cache
def _tell_runtime() -> None:
    """Tell machine code where numba's runtime is; what compiling needs of it takes longer."""
    for name, place in c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", place)


class _Cache(FunctionCache):  # type: ignore[misc]
    """numba's cache of a function, but for what it does before it looks there.

    It imports all that it can translate, a quarter of the time that a start takes, and compiles its
    runtime. What is compiled needs both, and gets them then.
    """

    _impl_class = _Code

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, None if it is not there."""
        _tell_runtime()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


class _LocatorToRead(CompileResultCacheImpl._locator_classes[0]):  # type: ignore[misc]
    """numba's locator of the folder that it is told, which else tries to write there."""

    def ensure_cache_path(self) -> None:
        """Do nothing."""


class _CodeToRead(_Code):
    _locator_classes = (_LocatorToRead,)


class _CacheToRead(_Cache):
    """The cache of a function where nothing can be written."""

    _impl_class = _CodeToRead

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, None if it is not there or may not be read."""
        with suppress(OSError):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Do nothing."""


class _Part(CPUDispatcher):  # type: ignore[misc]
    """The part that numba compiles where a kernel calls another."""

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
