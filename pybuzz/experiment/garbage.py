"""Python's search for garbage, kept off objects that are made by the hundred thousand and stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["search_put_off"]

_MANY: Final = 50_000
"""Some hundred robots. To go through all objects takes as long as making so many."""

_ENDLESS: Final = 2_000_000
"""More than thousands of robots are: scripts that throw away so much in their `init` are cleaned up after."""


@contextmanager
def search_put_off() -> Iterator[None]:
    """Within the block hardly anybody looks for garbage. If it made very much, that is gone through once, at the end.

    Python would go through all of it whenever it has grown by a quarter, the last time in one of the first ticks.
    """
    if not gc.isenabled() or not gc.get_threshold()[0]:
        yield
        return
    young, *older = gc.get_threshold()
    gc.set_threshold(max(young, _ENDLESS), *older)
    try:
        yield
    finally:
        made, _, _ = gc.get_count()
        gc.set_threshold(young, *older)
        if made > _MANY:
            gc.collect()
