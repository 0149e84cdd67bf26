"""Python's search for garbage, kept off objects that are made by the hundred thousand and stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["search_put_off"]

_MANY: Final = 50_000
"""Some hundred robots. To go through all objects takes as long as making so many."""


@contextmanager
def search_put_off() -> Iterator[None]:
    """Within the block nobody looks for garbage. If it made very much, that is gone through once, at the end.

    Python would go through all of it whenever it has grown by a quarter, the last time in one of the first ticks.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        made, _, _ = gc.get_count()
        gc.enable()
        if made > _MANY:
            gc.collect()
