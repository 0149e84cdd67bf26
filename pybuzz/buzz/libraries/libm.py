"""The C library's single-precision functions, and rounding to single precision.

Rounding the double result of `math.sin` is not enough: it differs from `sinf` in the last bit for up to 16 %
of arguments. So single-precision programs call `sinf`, `powf` and so on of the C library that Python
has loaded. ctypes is imported at the first use, because double-precision programs never need it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import cache
from struct import Struct
from typing import Any

__all__ = ["double_function", "single_function", "to_single"]

_SINGLE = Struct("f")
_pack, _unpack = _SINGLE.pack, _SINGLE.unpack

_LIBRARY_NAMES = {"darwin": ("libSystem.dylib",), "win32": ("ucrtbase.dll",)}
_UNIX_NAMES = ("libm.so.6", "libm.so")


def to_single(value: float) -> float:
    """`value` rounded to the nearest 32-bit float, as C's `(float)value`; an infinity if it is too large."""
    try:
        return _unpack(_pack(value))[0]  # type: ignore[no-any-return]
    except OverflowError:
        return math.copysign(math.inf, value)


@cache
def single_function(name: str, arity: int = 1) -> Callable[..., float]:
    """The C library's float function `name` + "f", as sinf for "sin" or powf for "pow" (arity 2).

    It takes ints and floats, rounds them to single precision, and never raises: it gives nan or an infinity.
    Where the platform offers no such function, the double function's result is rounded instead.
    """
    library = _library()
    if library is None or not hasattr(library, name + "f"):
        return _rounded_double_function(name)
    from ctypes import c_float

    function = getattr(library, name + "f")
    function.restype = c_float
    function.argtypes = [c_float] * arity
    return function  # type: ignore[no-any-return]


@cache
def _library() -> Any:
    from ctypes import CDLL

    for name in _LIBRARY_NAMES.get(sys.platform, _UNIX_NAMES):
        try:
            return CDLL(name)
        except OSError:
            continue
    return None


def _rounded_double_function(name: str) -> Callable[..., float]:
    function: Callable[..., float] = double_function(name)

    def rounded(*arguments: float) -> float:
        return to_single(function(*map(to_single, arguments)))

    return rounded


def double_function(name: str) -> Callable[..., float]:
    """Python's `math` function of that name with C's results instead of exceptions.

    A pole gives an infinity (log(0) is -inf), an overflow +inf, an argument outside the domain nan.
    """
    function: Callable[..., float] = getattr(math, name)
    pole = -math.inf if name.startswith("log") else math.nan

    def c_function(*arguments: float) -> float:
        try:
            return function(*arguments)
        except OverflowError:
            return math.inf
        except ValueError:
            return pole if arguments[0] == 0 else math.nan

    return c_function
