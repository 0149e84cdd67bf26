"""Arrays of any kind, NumPy, PyTorch or another library of the array API standard, for the sensors over height maps."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pybuzz.errors import InputError

__all__ = ["Array", "as_integers", "device_of", "from_numpy", "host_view", "is_torch", "namespace_of", "torch_device"]

Array = Any
"""An array of the library that the caller uses: it is told apart at run time only."""


def is_torch(array: Array) -> bool:
    """Whether it is a PyTorch tensor; PyTorch is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def namespace_of(array: Array) -> Any:
    """The module with the functions of the array API standard for this array. Raises InputError if it has none."""
    if isinstance(array, np.ndarray):
        return np
    if is_torch(array):
        return sys.modules["torch"]
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__()
    raise InputError.at(
        type(array).__name__, "this is no array", hint="give a NumPy array, a PyTorch tensor or another standard array"
    )


def device_of(array: Array) -> Any:
    """Where an array is; new arrays for it are made there."""
    return getattr(array, "device", None)


def as_integers(xp: Any, array: Array) -> Array:
    """Whole floats as int64. PyTorch and NumPy 1 have the standard's `astype` as a method only."""
    if hasattr(xp, "astype"):
        return xp.astype(array, xp.int64)
    return array.to(xp.int64) if is_torch(array) else array.astype(xp.int64)


def host_view(array: Array) -> np.ndarray[Any, Any] | None:
    """The same memory as a NumPy array, copied only if its rows do not follow each other; None: it is elsewhere."""
    if is_torch(array):
        array = array.detach().numpy() if array.device.type == "cpu" else None
    return np.ascontiguousarray(array) if isinstance(array, np.ndarray) else None


def from_numpy(values: np.ndarray[Any, Any], like: Array, *, dtype: Any = None) -> Array:
    """A NumPy array as one of the kind of `like`, where `like` is; on the CPU it shares its memory."""
    xp = namespace_of(like)
    if xp is np:
        return values if dtype is None else values.astype(dtype, copy=False)
    if is_torch(like):
        found = xp.from_numpy(values).to(like.device)
        return found if dtype is None else found.to(dtype)
    found = xp.asarray(values, device=device_of(like))
    return found if dtype is None else xp.astype(found, dtype)


def torch_device(device: str) -> Any:
    """PyTorch's name for a device other than "cpu". Raises InputError without PyTorch, or without that device."""
    try:
        import torch
    except ImportError as fault:
        hint = "pip install 'pybuzz[gpu]', or use device='cpu'"
        raise InputError.at("device", f"'{device}' needs PyTorch, which is not installed", hint=hint) from fault
    try:
        found = torch.device(device)
        torch.empty(0, device=found)
    except (RuntimeError, AssertionError) as fault:
        raise InputError.at("device", f"there is no device '{device}' here", hint="use device='cpu'") from fault
    return found
