"""Compiled kernels: numba's njit with the project's settings and a type that checkers understand.

Kernels are few and large, cached on disk beside their source (or in the user's cache folder), so that only the
first run on a machine pays for compiling. Strict floating point: results must not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

__all__ = ["inlined_part", "kernel", "kernel_part"]

_njit: Any = numba.njit
Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` without Python objects, without fast-math, cached on disk, free of the interpreter lock."""
    compiled = _njit(cache=True, fastmath=False, error_model="numpy", nogil=True)(function)
    # numba would look at the kernel's own file only, and run on with parts from other files as they once were.
    compiled._cache._cache_file._source_stamp = _source_stamp()
    return cast(Function, compiled)


def kernel_part(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it. It cannot be called from Python, and costs less."""
    bare = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return cast(Function, _njit(fastmath=False, error_model="numpy", nogil=True, **bare)(function))


def inlined_part(function: Function) -> Function:
    """Compile `function` into each kernel that calls it: for short work in the innermost loops."""
    return cast(Function, _njit(inline="always", fastmath=False, error_model="numpy", nogil=True)(function))


@cache
def _source_stamp() -> tuple[tuple[str, int, int], ...]:
    """Names, times of change and sizes of the sources with kernels: what a cached kernel may have been made from."""
    root = Path(__file__).parent
    found = [path for path in sorted(root.rglob("*.py")) if b"pybuzz.compiled import" in path.read_bytes()]
    states = [(path, path.stat()) for path in [Path(__file__), *found]]
    return tuple((str(path.relative_to(root)), state.st_mtime_ns, state.st_size) for path, state in states)
