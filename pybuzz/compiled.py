"""Compiled kernels: numba's njit with the project's settings and a type that checkers understand.

Kernels are few and large, cached on disk beside their source (or in the user's cache folder), so that only the
first run on a machine pays for compiling. Strict floating point: results must not depend on the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

__all__ = ["kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` without Python objects, without fast-math, cached on disk, free of the interpreter lock."""
    return cast(Function, numba.njit(cache=True, fastmath=False, error_model="numpy", nogil=True)(function))
