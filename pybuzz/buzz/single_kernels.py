"""The C library's float functions, compiled: far faster to call than through ctypes, and the same to the last bit.

Imported only where numba has been loaded for something else already (see single.py): loading it takes longer than most
scripts run. Arguments are Python floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from numba import float32, float64

from pybuzz.compiled import float_function

__all__ = ["KERNELS"]


@float_function
def _sinf(x: float) -> float:
    return float64(math.sin(float32(x)))


@float_function
def _cosf(x: float) -> float:
    return float64(math.cos(float32(x)))


@float_function
def _tanf(x: float) -> float:
    return float64(math.tan(float32(x)))


@float_function
def _expf(x: float) -> float:
    return float64(math.exp(float32(x)))


@float_function
def _logf(x: float) -> float:
    return float64(math.log(float32(x)))


@float_function
def _sqrtf(x: float) -> float:
    return float64(math.sqrt(float32(x)))


@float_function
def _atan2f(y: float, x: float) -> float:
    return float64(math.atan2(float32(y), float32(x)))


@float_function
def _powf(x: float, y: float) -> float:
    return float64(math.pow(float32(x), float32(y)))


KERNELS: Mapping[str, Callable[..., float]] = {
    "sinf": _sinf, "cosf": _cosf, "tanf": _tanf, "expf": _expf, "logf": _logf, "sqrtf": _sqrtf, "atan2f": _atan2f,
    "powf": _powf,
}  # fmt: skip
