"""Python that people bring along, hooks and sensors: loading their files, and errors that name their lines."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

from pybuzz.errors import InputError, PybuzzError

__all__ = ["explained", "load_module"]


def load_module(file: str) -> ModuleType:
    """Run a person's Python file and return it as a module. Raises InputError with the line where it fails."""
    name = f"pybuzz_hooks_{Path(file).stem}"
    loader = SourceFileLoader(name, file)  # whatever the file is called
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    with explained(file, "the file"):
        loader.exec_module(module)
    return module


@contextmanager
def explained(file: str, what: str) -> Iterator[None]:
    """Errors of a person's code, with the line of their file in which they arose."""
    try:
        yield
    except PybuzzError:
        raise
    except Exception as fault:
        own = [frame for frame in traceback.extract_tb(fault.__traceback__) if _same(frame.filename, file)]
        line = own[-1].lineno or 0 if own else getattr(fault, "lineno", None) or 0
        raise InputError.at(file, f"{type(fault).__name__}: {fault}", kind=f"error in {what}", line=line) from fault


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()
