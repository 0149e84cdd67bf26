"""Compiled kernels: numba's njit with the project's settings and a type that checkers understand.

Kernels are few and large, and kept on disk (kernel_cache.py), so that only the first run on a machine pays for
compiling. Strict floating point: results must not depend on the machine.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any, TypeVar, cast

import numba
import numba.core.event as numba_events

from pybuzz.kernel_cache import KernelCache

__all__ = [
    "COMPILING", "array_part", "float_function", "inlined_part", "kernel", "kernel_part", "start_without_scipy",
    "telling_of_compiling",
]  # fmt: skip

_njit: Any = numba.njit
_BARE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
PATIENCE_S = 1.0
"""How long kernels may compile before it is said."""
COMPILING = "compiling new parts"
"""The beginning of the line that says so."""

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` without Python objects, without fast-math, kept on disk, free of the interpreter lock."""
    return cast(Function, _kept(_njit(fastmath=False, error_model="numpy", nogil=True)(function)))


def float_function(function: Function) -> Function:
    """Compile, at once, a function of floats to a float that is called for single numbers, by the thousand.

    It keeps the interpreter lock, and skips numba's look at the types of its arguments: each costs more than a sine.
    """
    floats = (numba.float64,) * function.__code__.co_argcount
    return cast(Function, _kept(_njit(fastmath=False, error_model="numpy")(function)).compile(numba.float64(*floats)))


def kernel_part(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it. It cannot be called from Python, and costs less.

    It must neither make nor return an array: numba does not count here who uses those that it is given. That is two
    atomic additions for each array and call, at one place in memory for all threads, and often more than the work.
    """
    return cast(Function, _njit(fastmath=False, error_model="numpy", nogil=True, _nrt=False, **_BARE)(function))


def array_part(function: Function) -> Function:
    """Compile `function` as a part of the kernels that call it, which makes or returns arrays."""
    return cast(Function, _njit(fastmath=False, error_model="numpy", nogil=True, **_BARE)(function))


def inlined_part(function: Function) -> Function:
    """Compile `function` into each part that calls it: for short work in the innermost loops.

    A kernel that calls it itself counts users of arrays, each time.
    """
    return cast(Function, _njit(inline="always", fastmath=False, error_model="numpy", nogil=True)(function))


def start_without_scipy() -> None:
    """Have numba not load scipy, which it looks for when the first kernel starts, and of which no kernel needs a thing.

    That is a fifth of a start. To be called by commands only: in a process that is somebody else's it may be wanted.
    """
    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]
        try:
            import_module("numba.np.arraymath")
        finally:
            del sys.modules["scipy.linalg"]


@contextmanager
def telling_of_compiling(write: Callable[[str], object]) -> Iterator[None]:
    """Say so, once, if kernels compile for more than a second within the block."""
    events: Any = numba_events
    notice = _CompilingNotice(write)
    events.register("numba:compile", notice)
    try:
        yield
    finally:
        events.unregister("numba:compile", notice)


class _CompilingNotice(numba_events.Listener):
    """Listens to numba. Kernels and their parts compile within each other, so starts and ends are counted."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._depth = 0
        self._spent_s = 0.0
        self._start = 0.0
        self._parts: dict[str, None] = {}
        self._told = False
        self._timer: Timer | None = None

    def on_start(self, event: numba_events.Event) -> None:
        self._depth += 1
        if self._depth == 1 and not self._told:
            self._parts[_part_of(event)] = None
            self._start = monotonic()
            self._timer = Timer(max(0.0, PATIENCE_S - self._spent_s), self._tell)
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, event: numba_events.Event) -> None:
        self._depth -= 1
        if self._depth == 0 and self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._spent_s += monotonic() - self._start

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            parts = ", ".join(self._parts)
            self._write(f"{COMPILING} ({parts}, ...): up to two minutes in all; later starts find them")


def _part_of(event: numba_events.Event) -> str:
    """What is being compiled, in a person's words: the name of the module that the kernel is in."""
    module = str(event.data["dispatcher"].py_func.__module__)
    return module.rpartition(".")[2].removesuffix("_kernels").replace("_", " ")


def _kept(dispatcher: Any) -> Any:
    """The dispatcher, with our cache in place of none."""
    dispatcher._cache = KernelCache(dispatcher.py_func, _source_stamp())
    return dispatcher


@cache
def _source_stamp() -> tuple[tuple[str, int, int], ...]:
    """Names, times of change and sizes of the sources with kernels: what a kept kernel may have been made from."""
    root = Path(__file__).parent
    found = [path for path in sorted(root.rglob("*.py")) if b"pybuzz.compiled import" in path.read_bytes()]
    states = [(path, path.stat()) for path in [Path(__file__), *found]]
    return tuple((str(path.relative_to(root)), state.st_mtime_ns, state.st_size) for path, state in states)
