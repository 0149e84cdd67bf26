"""A kernel to try: whether one can be compiled here, kept, and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba

from pybuzz.kernel_cache import KernelCache

__all__ = ["probe"]


def probe() -> Path | None:
    """Compile a kernel; the folder in which it was kept, None if there is none. Raises whatever numba raises."""
    njit: Any = numba.njit
    dispatcher = njit(_twice)
    cache = KernelCache(_twice, "probe")
    if dispatcher(21) != 42:
        raise ArithmeticError("2 * 21 is not 42")
    signature = dispatcher.signatures[0]
    folder = cache.save_overload(signature, dispatcher.overloads[signature])
    kept = cache.load_overload(signature, dispatcher.targetctx) is not None
    return folder if kept else None


def _twice(number: int) -> int:
    return 2 * number
