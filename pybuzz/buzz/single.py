"""Single-precision floats: rounding to 32 bits, and the C library's own float functions.

Sums, differences, products and quotients of two singles, computed in double precision and rounded once, are exactly
what C gives, because 53 bits are at least twice 24 plus 2. For powers, sines and the like that does not hold, so those
call the C library.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from functools import cache
from math import copysign, inf

__all__ = ["SPLITTER", "c_float_function", "to_single"]

_SINGLE = struct.Struct("f")
_LIBRARY_NAMES = {"darwin": ("libSystem.dylib",), "win32": ("ucrtbase.dll",)}
SPLITTER = 536870913.0
"""2^29 + 1: Veltkamp's constant that splits off the upper 24 of 53 bits."""


def to_single(number: float) -> float:
    """`number` rounded to the nearest 32-bit float (ties to even), infinite beyond its range."""
    if 1e-37 < number < 1e37 or -1e37 < number < -1e-37:
        upper = number * SPLITTER
        return upper - (upper - number)
    try:
        return float(_SINGLE.unpack(_SINGLE.pack(number))[0])
    except OverflowError:
        return copysign(inf, number)


def c_float_function(name: str, arguments: int = 1) -> Callable[..., float]:
    """A function of the C library's mathematics that takes floats and gives 32-bit floats, such as "sinf"."""
    if "numba" in sys.modules:
        from pybuzz.buzz.single_kernels import KERNELS

        if name in KERNELS:
            return KERNELS[name]
    return _through_ctypes(name, arguments)


@cache
def _through_ctypes(name: str, arguments: int) -> Callable[..., float]:
    import ctypes
    import ctypes.util

    library = ctypes.CDLL(ctypes.util.find_library("m") or None)
    function = getattr(library, name)
    function.restype = ctypes.c_float
    function.argtypes = (ctypes.c_float,) * arguments
    return function  # type: ignore[no-any-return]
