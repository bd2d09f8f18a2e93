"""Kernels as numba compiles them: as a part of each caller, and as machine code of its own where Python calls it.

numba by itself makes machine code of every function on the way to the one that Python calls: of the innermost alone,
of its caller with it inside, and so on upwards, so that the innermost rule is optimised a dozen times. Here a kernel
that kernels call is a *part*: typed and lowered once, and left to the optimiser of whatever Python calls, which sees
the whole at once. That takes a third of the time and makes the same code.

Parts take every whole number as int64, so that each is lowered once, whatever field its arguments come from.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler, event, serialize, types, typing
from numba.core.caching import Cache
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import CPUDispatcher

from trente_env._jit.cache import CodeFiles, cache_root, source_hash

__all__ = ["Kernel", "compile_kernel"]


class _Part(JITCodeLibrary):  # type: ignore[misc]  # numba ships no types
    """Lowered code to be linked into callers: no machine code is made of it alone."""

    def finalize(self) -> None:
        """Let callers have it as it is, without its own callees: they link those too (`needed`)."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def needed(self) -> list[JITCodeLibrary]:
        """Return what a caller must link: this, and all that it calls."""
        return list(dict.fromkeys([self, *self._linking_libraries]))


class _KernelCache(Cache):  # type: ignore[misc]  # numba ships no types
    """The machine code of a kernel on disk."""

    def __init__(self, function: Any, root: Path) -> None:
        file = function.__code__.co_filename
        self._py_func = function  # `_index_key` reads it
        self._folder = root / source_hash(file)
        name = f"{Path(file).stem}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        self._files = CodeFiles(self._folder, name.replace("<", "").replace(">", ""))

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def _key(self, signature: Any, codegen: Any) -> str:
        """Name what the code depends on besides the sources: types, processor, interpreter, compiler."""
        return repr((self._index_key(signature, codegen), sys.implementation.cache_tag, numba.__version__))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        data = self._files.read(self._key(sig, target_context.codegen()))
        return None if data is None else compiler.CompileResult._rebuild(target_context, *pickle.loads(data))  # noqa: S301, SLF001

    def save_overload(self, sig: Any, data: Any) -> None:
        if not data.library.has_dynamic_globals:
            self._files.write(self._key(sig, data.codegen), serialize.dumps(data._reduce()))  # noqa: SLF001


class Kernel(CPUDispatcher):  # type: ignore[misc]  # numba ships no types
    """A function that Python calls as any numba function, and that kernels take as a part."""

    def __init__(
        self,
        py_func: Any,
        locals: Any = None,  # noqa: A002 - numba's name
        targetoptions: Any = None,
        pipeline_class: Any = compiler.Compiler,
    ) -> None:
        super().__init__(py_func, locals or {}, targetoptions or {}, pipeline_class)
        self.parts: dict[tuple[Any, ...], Any] = {}
        """Compiled parts by the types of their arguments: one, unless it is called with different arrays."""
        root = cache_root()
        if root is not None:
            self._cache = _KernelCache(py_func, root)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Say how a kernel that is being compiled can call this one."""
        signature, folded = self._compiler.fold_argument_types(args, kws)
        wide = tuple(types.int64 if _is_whole(each) else each for each in folded)
        if wide not in self.parts:
            with event.trigger_event("numba:compile", data={"dispatcher": self, "args": wide, "return_type": None}):
                self.parts[wide] = self._compile_part(wide)
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"Part({name})", key=name, signatures=[self.parts[wide].signature])
        return template, signature, wide, {}

    def get_overload(self, sig: Any) -> Any:
        """Return what stands for the part of these argument types in numba's table of functions."""
        return self, tuple(sig)

    def _compile_part(self, args: tuple[Any, ...]) -> Any:
        """Type and lower this function, and have numba find it under what `get_overload` returns."""
        options, context = compiler.Flags(), self.targetctx
        self.targetdescr.options.parse_as_flags(options, self.targetoptions)
        options.no_compile = options.no_cpython_wrapper = True
        library = _Part(context.codegen(), self.py_func.__qualname__)
        part = compiler.compile_extra(
            self.typingctx, context, self.py_func, args=args, return_type=None, flags=options, locals=self.locals,
            library=library, pipeline_class=self._compiler.pipeline_class,
        )  # fmt: skip
        library._ensure_finalized()  # noqa: SLF001 - what a caller does first
        context.insert_user_function(self.get_overload(args), part.fndesc, library.needed())
        return part


def _is_whole(kind: Any) -> bool:
    """Return whether values of a type are whole numbers, or flags, that an int64 holds."""
    return isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind != types.uint64)


def compile_kernel(function: Callable[..., Any], *, inline: bool) -> Any:
    """Return a function compiled when it is first called."""
    return Kernel(
        function,
        targetoptions={
            "nopython": True,
            "nogil": True,
            "error_model": "numpy",
            "forceinline": inline,
            "no_cfunc_wrapper": True,
        },
    )
